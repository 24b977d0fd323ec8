//! Ordering.
use crate::{Mismatch, Value};

macro_rules! binary {
    ($($name:ident),*) => {$(
        #[doc = concat!("The `", stringify!($name), "` operation.")]
        pub fn $name(_left: &Value, _right: &Value) -> Result<Value, Mismatch> {
            Err(Mismatch::new("comparison is not ready"))
        }
    )*};
}
binary!(less_than, less_or_equal, greater_than, greater_or_equal);
