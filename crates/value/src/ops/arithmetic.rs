//! Arithmetic.
use crate::{Mismatch, Value};

macro_rules! binary {
    ($($name:ident),*) => {$(
        #[doc = concat!("The `", stringify!($name), "` operation.")]
        pub fn $name(_left: &Value, _right: &Value) -> Result<Value, Mismatch> {
            Err(Mismatch::new("arithmetic is not ready"))
        }
    )*};
}
binary!(add, subtract, multiply, divide, remainder);
/// `-operand`.
pub fn negate(_operand: &Value) -> Result<Value, Mismatch> {
    Err(Mismatch::new("arithmetic is not ready"))
}
