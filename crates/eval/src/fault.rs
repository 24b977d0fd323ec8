//! Faults: errors found by lowering that count only if the code is evaluated.

use groma_syntax::{DiagnosticCode, Span};

/// An error found by lowering, reported only if the code is evaluated.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    pub(crate) row: &'static DiagnosticCode,
    pub(crate) span: Span,
    pub(crate) detail: String,
    /// The name of what does not exist, if a later edition may have it.
    pub(crate) absent: Option<Box<str>>,
}
