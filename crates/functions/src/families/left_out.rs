//! Replacements for function bodies whose library a build leaves out. The rows remain: a name means the same in every build, and
//! a call that cannot be evaluated says so.

/// The bodies of `base64gzip` and `base64gunzip` in a build without gzip.
#[cfg(not(feature = "gzip"))]
pub(super) mod gzip {
    use groma_value::Value;

    use crate::{CallArgs, Failure};

    /// The body of `base64gzip` in a build without gzip, which always fails.
    pub(crate) fn pack(_: &CallArgs<'_>) -> Result<Value, Failure> {
        Err(Failure::left_out("gzip"))
    }

    /// The body of `base64gunzip` in a build without gzip, which always fails.
    pub(crate) fn unpack(_: &CallArgs<'_>) -> Result<Value, Failure> {
        Err(Failure::left_out("gzip"))
    }
}
