//! Output forms: values as text and JSON, diagnostics, and the layout of text. Views decide nothing; they convert what they are
//! given.

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
