//! An action that carrying a plan out would run, with what decides how. What would run which is found elsewhere.

use groma_project::{ActionInvocation, ModuleInstance};

/// An action that would run.
#[derive(Clone, Debug)]
pub struct InvokedAction {
    /// The invocation and its trigger.
    pub invocation: ActionInvocation,
    /// The address of its provider.
    pub provider: String,
}

impl InvokedAction {
    pub(crate) fn of(
        module: &ModuleInstance,
        invocation: ActionInvocation,
    ) -> Option<InvokedAction> {
        let declared = module.module().resources.get(invocation.declared)?;
        let provider = module.node().provider_named(declared.provider_name());
        Some(InvokedAction { invocation, provider })
    }
}
