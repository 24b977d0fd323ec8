//! The scope in which the expressions of a question are evaluated.

use groma_project::{Evaluation, ScopeRef};

/// The scope of an instance in a root; by default that of the root itself.
#[derive(Clone, Debug, Default)]
pub struct RootScope(Option<ScopeRef>);

impl RootScope {
    /// Returns this scope, or that of the root module of an evaluation if this is the default.
    pub fn in_module(&self, evaluation: &Evaluation) -> ScopeRef {
        self.0.clone().unwrap_or_else(|| evaluation.at_root())
    }
}

impl From<ScopeRef> for RootScope {
    fn from(scope: ScopeRef) -> RootScope {
        RootScope(Some(scope))
    }
}
