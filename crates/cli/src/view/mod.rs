//! Views of answers: values as text and JSON, diagnostics as pictures and JSON. Views decide nothing; they are given
//! what is to be shown and return text.

pub(crate) mod cause;
pub(crate) mod diagnostic;
pub(crate) mod end;
pub(crate) mod json;
pub(crate) mod manual;
pub(crate) mod origin;
pub(crate) mod paint;
pub(crate) mod tree;
pub(crate) mod value;
pub(crate) mod wrap;
