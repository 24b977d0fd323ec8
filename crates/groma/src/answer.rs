//! Answers to queries, with the diagnostics of the evaluation. A value may be present together with errors.

use groma_syntax::Diagnostics;
use groma_value::Value;

/// The answer to a query about a root: a value, and the diagnostics of its evaluation.
#[derive(Clone, Debug)]
pub struct ExpressionAnswer<T = Value> {
    /// The result.
    pub value: T,
    /// The diagnostics of the evaluation.
    pub findings: Diagnostics,
}

impl<T> ExpressionAnswer<T> {
    /// Runs a query and returns its result as an answer, with the diagnostics that the query has reported.
    pub(crate) fn of(ask: impl FnOnce(&mut Diagnostics) -> T) -> ExpressionAnswer<T> {
        let mut findings = Diagnostics::new();
        let value = ask(&mut findings);
        ExpressionAnswer { value, findings }
    }

    /// Returns true if none of the answer's diagnostics is an error.
    pub fn is_free_of_errors(&self) -> bool {
        !self.findings.has_errors()
    }
}
