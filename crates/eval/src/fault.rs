//! What can be wrong when code is evaluated: one constant row a kind of finding. The sentences
//! with the names and values of the user's are made where the fault is found.

use groma_syntax::{DiagnosticCode, Span};

/// An error found by lowering, reported only if the code is evaluated.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    pub(crate) row: &'static DiagnosticCode,
    pub(crate) span: Span,
    pub(crate) detail: String,
    /// What there is none of here, where that may be new in a later edition.
    pub(crate) absent: Option<Box<str>>,
}
