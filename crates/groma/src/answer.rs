//! An answer and what was found on the way to it. A value may be there beside errors: what could be worked out is told.

use groma_syntax::Diagnostics;
use groma_value::Value;

/// An answer.
#[derive(Clone, Debug)]
pub struct ExpressionAnswer<T = Value> {
    /// The value.
    pub value: T,
    /// The findings on the way.
    pub findings: Diagnostics,
}

impl<T> ExpressionAnswer<T> {
    /// Runs a query and returns its value with the diagnostics that it reported.
    pub(crate) fn of(ask: impl FnOnce(&mut Diagnostics) -> T) -> ExpressionAnswer<T> {
        let mut findings = Diagnostics::new();
        let value = ask(&mut findings);
        ExpressionAnswer { value, findings }
    }

    /// Returns true if nothing that was found is an error.
    pub fn is_well(&self) -> bool {
        !self.findings.has_errors()
    }
}
