//! Replacements for function bodies whose library a build leaves out. The rows remain: a name means the same in every build, and
//! a call that cannot be evaluated says so.

/// Replacements for the bodies of `base64gzip` and `base64gunzip`.
#[cfg(not(feature = "gzip"))]
pub(super) mod gzip {
    use groma_value::Value;

    use crate::{CallArgs, Failure};

    /// Fails in the place of `base64gzip`, since this build leaves out gzip.
    pub(crate) fn pack(_: &CallArgs<'_>) -> Result<Value, Failure> {
        Err(Failure::left_out("gzip"))
    }

    /// Fails in the place of `base64gunzip`, since this build leaves out gzip.
    pub(crate) fn unpack(_: &CallArgs<'_>) -> Result<Value, Failure> {
        Err(Failure::left_out("gzip"))
    }
}
