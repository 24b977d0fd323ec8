//! Declarations whose instances a plan does not know: those in modules that are not read, and repetitions of unknown length.
//! Instances of these on the other side alone are not a difference.

use groma_config::without_keys;
use groma_plan::{Change, Plan};
use rustc_hash::FxHashSet;

/// The addresses, without keys, of declarations whose instances a plan does not know.
pub(crate) struct UnreadDeclarations(FxHashSet<String>);

impl UnreadDeclarations {
    /// Collects the addresses from the gaps of a plan.
    pub(crate) fn of(plan: &Plan) -> UnreadDeclarations {
        let gaps = plan.gaps();
        let modules = gaps.modules.iter().map(|one| one.address.as_str());
        let undecided = gaps.undecided.iter().map(|one| one.address.as_str());
        UnreadDeclarations(modules.chain(undecided).map(without_keys).collect())
    }

    /// Returns the address of the declaration or module with unknown instances that would include an instance of the other side.
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
        let own = change.instance.address.without_keys().to_string();
        Some(own).filter(|own| self.0.contains(own))
    }
}
