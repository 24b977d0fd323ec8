//! What is let go and not destroyed: what its lifecycle says that with `destroy = false`, or a `removed` block, or in some
//! programs the state, which remembers it of what is no longer declared. A replacement is another matter than going: there
//! the programs differ.

use std::collections::BTreeSet;

use groma_module::declare::Resource;
use groma_module::dialect::Conventions;
use groma_project::Project;

use crate::change::Action;
use crate::reason::ChangeReason;
use crate::state::RecordedInstance;

/// The setting that lets an object go.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum LetGo {
    /// A `removed` block.
    Removal,
    /// The setting of its resource.
    Written,
    /// The state.
    Recorded,
}

impl LetGo {
    /// The setting that lets an object go which is to go; `None` where it is destroyed. `removal`: whether a `removed`
    /// block says that
    /// it is destroyed. `is_anew`: whether what is recorded of it is read anew, with what is written for it now.
    pub(crate) fn of(
        object: &RecordedInstance,
        resource: Option<&Resource>,
        removal: Option<bool>,
        is_anew: bool,
        conventions: &Conventions,
    ) -> Option<LetGo> {
        let is_recorded = conventions.remembers_letting_go && object.is_kept && !is_anew;
        match removal {
            Some(true) => None,
            Some(false) if is_recorded => Some(LetGo::Recorded),
            Some(false) => Some(LetGo::Removal),
            None if resource.is_some_and(|one| one.lifecycle().lets_go) => Some(LetGo::Written),
            None => is_recorded.then_some(LetGo::Recorded),
        }
    }

    /// The reason that a plan tells, where `otherwise` is why it is to go.
    pub(crate) fn reason(
        self,
        otherwise: Option<ChangeReason>,
        conventions: &Conventions,
    ) -> Option<ChangeReason> {
        match self {
            LetGo::Recorded => Some(ChangeReason::KeptByState),
            LetGo::Written if conventions.remembers_letting_go => {
                Some(ChangeReason::KeptByConfiguration)
            }
            LetGo::Written | LetGo::Removal => otherwise,
        }
    }
}

/// Returns how an object is replaced that its lifecycle does not let be destroyed. `is_first`: whether the other one
/// would be made first.
pub(crate) fn replacement(is_first: bool, is_tainted: bool, conventions: &Conventions) -> Action {
    match (conventions.lets_go_of_replaced, is_tainted, is_first) {
        (true, ..) => Action::ForgetThenCreate,
        (false, true, _) => Action::CreateThenForget,
        (false, false, true) => Action::CreateThenDelete,
        (false, false, false) => Action::DeleteThenCreate,
    }
}

/// The addresses of the resources that are let go, without keys, where a state remembers that.
pub(crate) fn addresses(project: &Project) -> Option<BTreeSet<String>> {
    if !Conventions::of(project.edition()).remembers_letting_go {
        return None;
    }
    let modules = project.modules();
    let all = modules.into_iter().flat_map(|(around, module)| {
        let own = module.resources.iter().filter(|one| one.lifecycle().lets_go);
        let whole = own.map(|one| match &*around {
            "" => one.address(),
            around => format!("{around}.{}", one.address()),
        });
        whole.collect::<Vec<_>>()
    });
    Some(all.collect())
}
