//! What becomes of one instance of a resource. Against an empty state everything is made, and data
//! that cannot be read now is read then.

use std::cmp::Ordering;
use std::sync::Arc;

use groma_folder::{Key, Mode};
use groma_module::declare::Resource;
use groma_project::{ModuleInstance, Reading, ResourceInstance};
use groma_value::Str;

use crate::provider;

/// What is done.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// It is made.
    Create,
    /// It is read while the plan is carried out.
    Read,
}

impl Action {
    /// The word for machines.
    pub fn slug(self) -> &'static str {
        match self {
            Action::Create => "create",
            Action::Read => "read",
        }
    }
}

/// One instance of a resource and what becomes of it.
#[derive(Clone, Debug)]
pub struct Change {
    /// The instance.
    pub instance: ResourceInstance,
    owner: Arc<Owner>,
    /// What kind of object it is.
    pub mode: Mode,
    /// Its type.
    pub kind: Str,
    /// Its name.
    pub name: Str,
    /// What is done.
    pub action: Action,
    /// Why, where that is worth saying.
    pub reason: Option<&'static str>,
}

/// What all instances of a resource in one instance of its module share.
#[derive(Debug)]
pub(crate) struct Owner {
    module: String,
    path: Vec<(Str, Key)>,
    provider: String,
}

impl Owner {
    pub(crate) fn of(module: &ModuleInstance, resource: &Resource) -> Arc<Owner> {
        Arc::new(Owner {
            module: module.address().to_owned(),
            path: module.path(),
            provider: provider::address(module.node(), resource),
        })
    }
}

impl Change {
    /// The address of its module instance, empty for the root.
    pub fn module(&self) -> &str {
        &self.owner.module
    }

    /// The names and keys that lead to its module instance.
    pub fn path(&self) -> &[(Str, Key)] {
        &self.owner.path
    }

    /// The address of its provider.
    pub fn provider(&self) -> &str {
        &self.owner.provider
    }

    pub(crate) fn new(
        owner: &Arc<Owner>,
        resource: &Resource,
        instance: ResourceInstance,
        action: Action,
        reason: Option<&'static str>,
    ) -> Change {
        Change {
            owner: owner.clone(),
            mode: resource.mode,
            kind: resource.kind.clone(),
            name: resource.name.clone(),
            instance,
            action,
            reason,
        }
    }

    /// What becomes of an instance; nothing for what leaves no trace in a plan.
    pub(crate) fn of(
        owner: &Arc<Owner>,
        resource: &Resource,
        instance: ResourceInstance,
    ) -> Option<Change> {
        let (action, reason) = match (resource.mode, instance.reading) {
            (Mode::Managed, _) => (Action::Create, None),
            (Mode::Data, Some(Reading::ConfigUnknown)) => {
                (Action::Read, Some("read_because_config_unknown"))
            }
            (Mode::Data, Some(Reading::DependencyPending)) => {
                (Action::Read, Some("read_because_dependency_pending"))
            }
            (Mode::Data, Some(Reading::Done | Reading::Failed)) if resource.check.is_some() => {
                (Action::Read, Some("read_because_check_nested"))
            }
            _ => return None,
        };
        Some(Change::new(owner, resource, instance, action, reason))
    }

    /// The order of lists: outer modules first, data before what is made, then names and keys.
    pub(crate) fn order(&self, other: &Change) -> Ordering {
        let rank = |change: &Change| match change.mode {
            Mode::Data => 0,
            _ => 1,
        };
        (self.path().len().cmp(&other.path().len()))
            .then_with(|| self.path().cmp(other.path()))
            .then_with(|| rank(self).cmp(&rank(other)))
            .then_with(|| (&self.kind, &self.name).cmp(&(&other.kind, &other.name)))
            .then_with(|| self.instance.key.cmp(&other.instance.key))
    }
}
