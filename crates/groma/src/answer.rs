//! The answer to a query with the diagnostics of its evaluation. A value may be present together with errors.

use groma_syntax::Diagnostics;
use groma_value::Value;

/// The result of a query, and the diagnostics that it produced.
#[derive(Clone, Debug)]
pub struct ExpressionAnswer<T = Value> {
    /// The result.
    pub value: T,
    /// The diagnostics of the evaluation.
    pub findings: Diagnostics,
}

impl<T> ExpressionAnswer<T> {
    /// Runs a query and returns its value with the diagnostics that it reported.
    pub(crate) fn of(ask: impl FnOnce(&mut Diagnostics) -> T) -> ExpressionAnswer<T> {
        let mut findings = Diagnostics::new();
        let value = ask(&mut findings);
        ExpressionAnswer { value, findings }
    }

    /// Returns true if no diagnostic is an error.
    pub fn is_free_of_errors(&self) -> bool {
        !self.findings.has_errors()
    }
}
