//! An action that applying a plan would run, with its provider. The actions to run are determined in `action.rs`.

use groma_project::{ActionInvocation, ModuleInstance};

/// An action that applying a plan would run, with the address of its provider.
#[derive(Clone, Debug)]
pub struct InvokedAction {
    /// The invocation and its trigger.
    pub invocation: ActionInvocation,
    /// The address of its provider.
    pub provider: String,
}

impl InvokedAction {
    /// Returns the invocation with its provider; `None` if the action's provider is not known.
    pub(crate) fn of(
        module: &ModuleInstance,
        invocation: ActionInvocation,
    ) -> Option<InvokedAction> {
        let declared = module.module().resources.get(invocation.declared)?;
        let provider = module.node().provider_named(declared.provider_name());
        Some(InvokedAction { invocation, provider })
    }
}
