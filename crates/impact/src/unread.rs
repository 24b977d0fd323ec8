//! What a plan cannot tell whether it has it: what lies in modules that are not read, and instances of what is repeated
//! an unknown number of times. Their coming and going on the other side alone is no difference.

use groma_config::{InstanceKey, without_keys};
use groma_plan::{Change, Plan};
use rustc_hash::FxHashSet;

/// The declarations of which a plan does not know the instances, by address without any keys.
pub(crate) struct UnreadDeclarations(FxHashSet<String>);

impl UnreadDeclarations {
    pub(crate) fn of(plan: &Plan) -> UnreadDeclarations {
        let gaps = plan.gaps();
        let modules = gaps.modules.iter().map(|one| one.address.as_str());
        let undecided = gaps.undecided.iter().map(|one| one.address.as_str());
        UnreadDeclarations(modules.chain(undecided).map(without_keys).collect())
    }

    /// Returns what an instance may be one of.
    pub(crate) fn covers(&self, change: &Change) -> Option<String> {
        if self.0.is_empty() {
            return None;
        }
        let mut address = String::new();
        for (name, _) in change.path() {
            if !address.is_empty() {
                address.push('.');
            }
            address.push_str("module.");
            address.push_str(name);
            if self.0.contains(&address) {
                return Some(address);
            }
        }
        let own = match &change.instance.key {
            InstanceKey::None => change.instance.address.clone(),
            key => {
                let suffix = key.suffix();
                let address = &change.instance.address;
                address.strip_suffix(&*suffix).unwrap_or(address).to_owned()
            }
        };
        Some(without_keys(&own)).filter(|own| self.0.contains(own))
    }
}
