//! An answer and what was found on the way to it. A value may be there beside errors: what could be worked out is told.

use groma_syntax::Diagnostics;
use groma_value::Value;

/// An answer.
#[derive(Clone, Debug)]
pub struct Answer<T = Value> {
    /// What was asked for.
    pub value: T,
    /// What was found on the way.
    pub findings: Diagnostics,
}

impl<T> Answer<T> {
    /// The answer that this gives, which tells what it finds.
    pub(crate) fn of(ask: impl FnOnce(&mut Diagnostics) -> T) -> Answer<T> {
        let mut findings = Diagnostics::new();
        let value = ask(&mut findings);
        Answer { value, findings }
    }

    /// Whether nothing that was found is an error.
    pub fn is_well(&self) -> bool {
        !self.findings.has_errors()
    }
}
