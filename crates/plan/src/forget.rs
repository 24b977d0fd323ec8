//! Objects that are forgotten instead of destroyed: because of `destroy = false` in their lifecycle, because of a `removed`
//! block, or, in some programs, because the state remembers that setting. The programs differ in how they replace such an
//! object.

use groma_config::{DeclarationAddress, DeclarationName};
use groma_module::declare::Resource;
use groma_module::dialect::Conventions;
use groma_project::Project;
use rustc_hash::FxHashSet;

use crate::change::Action;
use crate::reason::ChangeReason;
use crate::state::RecordedInstance;

/// The setting that makes a plan forget an object instead of destroying it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ForgetSetting {
    /// A `removed` block.
    Removal,
    /// The `lifecycle` block of its resource.
    Written,
    /// The state, which remembers the setting.
    Recorded,
}

impl ForgetSetting {
    /// Returns the setting because of which a plan that removes an object forgets it; `None` if the object is destroyed;
    /// `resource` is the object's declaration, if there still is one, `removal` the `destroy` flag of a `removed` block, and
    /// `is_anew` is true if the recorded setting is refreshed from the configuration.
    pub(crate) fn of(
        object: &RecordedInstance,
        resource: Option<&Resource>,
        removal: Option<bool>,
        is_anew: bool,
        conventions: &Conventions,
    ) -> Option<ForgetSetting> {
        let is_recorded = conventions.records_forgetting && object.is_kept && !is_anew;
        match removal {
            Some(true) => None,
            Some(false) if is_recorded => Some(ForgetSetting::Recorded),
            Some(false) => Some(ForgetSetting::Removal),
            None if resource.is_some_and(|one| one.lifecycle().forgets_on_removal) => {
                Some(ForgetSetting::Written)
            }
            None => is_recorded.then_some(ForgetSetting::Recorded),
        }
    }

    /// Returns the reason that a plan shows for forgetting an object: the setting, if the edition has a reason for it, else
    /// `otherwise`, the reason why the object is not to exist any more.
    pub(crate) fn reason(
        self,
        otherwise: Option<ChangeReason>,
        conventions: &Conventions,
    ) -> Option<ChangeReason> {
        match self {
            ForgetSetting::Recorded => Some(ChangeReason::KeptByState),
            ForgetSetting::Written if conventions.records_forgetting => {
                Some(ChangeReason::KeptByConfiguration)
            }
            ForgetSetting::Written | ForgetSetting::Removal => otherwise,
        }
    }
}

/// Returns the action that replaces an object whose lifecycle forbids destroying it; `is_first` is true if the new object
/// would be created first, `is_tainted` if the state marks the old one as tainted.
pub(crate) fn replacement(is_first: bool, is_tainted: bool, conventions: &Conventions) -> Action {
    match (conventions.forgets_replaced, is_tainted, is_first) {
        (true, ..) => Action::ForgetThenCreate,
        (false, true, _) => Action::CreateThenForget,
        (false, false, true) => Action::CreateThenDelete,
        (false, false, false) => Action::DeleteThenCreate,
    }
}

/// Returns the addresses of resources that are forgotten rather than destroyed; `None` for programs whose states do not record
/// that.
pub(crate) fn addresses(project: &Project) -> Option<FxHashSet<DeclarationAddress>> {
    if !Conventions::of(project.edition()).records_forgetting {
        return None;
    }
    let modules = project.modules();
    let all = modules.into_iter().flat_map(|(path, module)| {
        let own = module.resources.iter().filter(|one| one.lifecycle().forgets_on_removal);
        own.map(|one| {
            DeclarationAddress::new(path.clone(), DeclarationName::Resource(one.own_name()))
        })
    });
    Some(all.collect())
}
