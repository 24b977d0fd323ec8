//! The scope in which the expression of a query is evaluated.

use groma_project::{Evaluation, ScopeRef};

/// The scope of an instance of a root, in which expressions are evaluated; by default that of the root itself.
#[derive(Clone, Debug, Default)]
pub struct RootScope(Option<ScopeRef>);

impl RootScope {
    /// Returns the scope of the instance, or that of the root module of `evaluation` by default.
    pub fn in_module(&self, evaluation: &Evaluation) -> ScopeRef {
        self.0.clone().unwrap_or_else(|| evaluation.at_root())
    }
}

impl From<ScopeRef> for RootScope {
    fn from(scope: ScopeRef) -> RootScope {
        RootScope(Some(scope))
    }
}
