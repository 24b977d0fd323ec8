//! Declarations whose instances a plan does not know: those in modules that are not read, and repetitions of unknown length.
//! Instances of these on the other side alone are not a difference.

use groma_config::{DeclarationAddress, ModulePath};
use groma_plan::{Change, Plan};
use rustc_hash::FxHashSet;

/// The modules and resources whose instances a plan does not know: modules that were not read, and unknown repetitions.
#[derive(Default)]
pub(crate) struct UnreadDeclarations {
    modules: FxHashSet<ModulePath>,
    resources: FxHashSet<DeclarationAddress>,
}

impl UnreadDeclarations {
    /// Returns the declarations whose instances a plan does not know, by its list of what could not be evaluated.
    pub(crate) fn of(plan: &Plan) -> UnreadDeclarations {
        let gaps = plan.gaps();
        let mut found = UnreadDeclarations::default();
        found.modules.extend(gaps.modules.iter().map(|one| one.address.clone()));
        for one in &gaps.undecided {
            let address = one.address.declaration();
            match address.called_module() {
                Some(module) => drop(found.modules.insert(module)),
                None => drop(found.resources.insert(address)),
            }
        }
        found
    }

    /// Returns the address of the declaration or module whose unknown instances may include the instance of `change`, a change
    /// in the plan that is compared with this one; `None` if there is none.
    pub(crate) fn covering_address(&self, change: &Change) -> Option<DeclarationAddress> {
        if self.modules.is_empty() && self.resources.is_empty() {
            return None;
        }
        let own = DeclarationAddress::from(&change.instance.address);
        let names = own.module().names();
        let mut around = (1..=names.len()).map(|count| &names[..count]);
        match around.find_map(|names| self.modules.get(names)) {
            Some(module) => DeclarationAddress::of_module(module),
            None => Some(own).filter(|own| self.resources.contains(own)),
        }
    }
}
