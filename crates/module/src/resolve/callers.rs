//! Callers of actions: the resources that trigger them. Any resource that names the action in a trigger is a caller, whether the
//! trigger ever fires or not.

use std::sync::Arc;

use groma_config::ResourceMode;
use groma_value::Str;
use rustc_hash::FxHashMap;

use crate::declare::{Resource, TriggeredAction};

/// Index from each action to the resources that trigger it, both as indices into the module's resources.
#[derive(Debug, Default)]
pub(crate) struct ActionCallers(FxHashMap<u32, Arc<[u32]>>);

impl ActionCallers {
    /// Collects the actions that the resources of a module trigger; `action` returns an action's index by type and name.
    pub(crate) fn of(
        resources: &[Arc<Resource>],
        action: &dyn Fn(&Str, &Str) -> Option<u32>,
    ) -> ActionCallers {
        let mut all: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for (at, resource) in (0_u32..).zip(resources) {
            for named in named(resource) {
                let Some(action) = action(&named.kind, &named.name) else { continue };
                let callers = all.entry(action).or_default();
                if callers.last() != Some(&at) {
                    callers.push(at);
                }
            }
        }
        ActionCallers(all.into_iter().map(|(action, callers)| (action, callers.into())).collect())
    }

    /// Returns the indices of the resources that trigger an action, ascending.
    pub(crate) fn of_action(&self, at: u32) -> Arc<[u32]> {
        self.0.get(&at).cloned().unwrap_or_default()
    }
}

/// Returns the references to actions in the triggers of a managed resource; none for other modes.
pub(crate) fn named(resource: &Resource) -> impl Iterator<Item = &TriggeredAction> {
    let triggers = resource.lifecycle().action_triggers.iter();
    triggers.filter(|_| resource.mode == ResourceMode::Managed).flat_map(|trigger| &trigger.actions)
}
