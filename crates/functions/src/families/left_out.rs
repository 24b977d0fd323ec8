//! What stands for the bodies whose library a build leaves out. The rows stay: a name that is there means the same in
//! every build, and one that cannot be answered says so.

/// Bodies that need gzip.
#[cfg(not(feature = "gzip"))]
pub(super) mod gzip {
    use groma_value::Value;

    use crate::{CallArgs, Failure};

    /// Fails, since this build omits gzip.
    pub(crate) fn pack(_: &CallArgs<'_>) -> Result<Value, Failure> {
        Err(Failure::left_out("gzip"))
    }

    /// Fails, since this build omits gzip.
    pub(crate) fn unpack(_: &CallArgs<'_>) -> Result<Value, Failure> {
        Err(Failure::left_out("gzip"))
    }
}
