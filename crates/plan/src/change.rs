//! What becomes of one instance of a resource, or of what is recorded of one that is gone.

use std::cmp::Ordering;
use std::sync::Arc;

use groma_folder::{Key, Mode, Target};
use groma_module::declare::Resource;
use groma_project::{ModuleInstance, Reading, ResourceInstance};
use groma_value::schema::BlockSchema;
use groma_value::{Path, Str, Value};

use crate::provider;

/// What is done.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// Nothing.
    NoOp,
    /// It is made.
    Create,
    /// It is read while the plan is carried out.
    Read,
    /// It is changed as it stands.
    Update,
    /// It goes, and another one is made.
    DeleteThenCreate,
    /// Another one is made, and it goes.
    CreateThenDelete,
    /// It goes.
    Delete,
    /// It stays, and nothing is known of it any more.
    Forget,
}

impl Action {
    /// The words for machines, in order.
    pub fn slugs(self) -> &'static [&'static str] {
        match self {
            Action::NoOp => &["no-op"],
            Action::Create => &["create"],
            Action::Read => &["read"],
            Action::Update => &["update"],
            Action::DeleteThenCreate => &["delete", "create"],
            Action::CreateThenDelete => &["create", "delete"],
            Action::Delete => &["delete"],
            Action::Forget => &["forget"],
        }
    }

    /// Whether an object is replaced.
    pub fn is_replacement(self) -> bool {
        matches!(self, Action::DeleteThenCreate | Action::CreateThenDelete)
    }

    /// Whether an object goes.
    pub fn destroys(self) -> bool {
        self == Action::Delete || self.is_replacement()
    }

    /// Whether there is an object afterwards.
    pub fn leaves(self) -> bool {
        !matches!(self, Action::Delete | Action::Forget)
    }
}

/// One instance of a resource and what becomes of it.
#[derive(Clone, Debug)]
pub struct Change {
    /// The instance; its value is what is planned, null where it goes.
    pub instance: ResourceInstance,
    pub(crate) owner: Arc<Owner>,
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
    /// What was there.
    pub before: Option<Value>,
    /// Where it was recorded, if that was somewhere else.
    pub previous: Option<String>,
    /// By which id an object is taken over, if one is; nothing where it is not known.
    pub importing: Option<Option<Str>>,
    /// By what a deposed object is known.
    pub deposed: Option<Str>,
    /// The parts that cannot be changed in place.
    pub replace_paths: Vec<Path>,
    /// Whether only the provider can say that it is so.
    pub is_open: bool,
}

/// What all instances of a resource in one instance of its module share.
#[derive(Debug)]
pub(crate) struct Owner {
    module: String,
    path: Vec<(Str, Key)>,
    provider: String,
    shape: Option<Arc<BlockSchema>>,
}

impl Owner {
    pub(crate) fn of(module: &ModuleInstance, resource: &Resource) -> Arc<Owner> {
        Arc::new(Owner {
            module: module.address().to_owned(),
            path: module.path(),
            provider: provider::address(module.node(), resource),
            shape: resource.block(),
        })
    }

    /// The owner of what is only recorded.
    pub(crate) fn recorded(
        path: &[(Str, Key)],
        provider: String,
        shape: Option<Arc<BlockSchema>>,
    ) -> Arc<Owner> {
        let module = Target { modules: path.to_vec(), resource: None };
        Arc::new(Owner { module: module.to_string(), path: path.to_vec(), provider, shape })
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

    /// What its body may hold, where that is known.
    pub fn shape(&self) -> Option<&Arc<BlockSchema>> {
        self.owner.shape.as_ref()
    }

    /// Whether carrying the plan out changes anything for it.
    pub fn is_change(&self) -> bool {
        self.previous.is_some()
            || self.importing.is_some()
            || !matches!(self.action, Action::NoOp | Action::Read)
    }

    pub(crate) fn new(
        owner: &Arc<Owner>,
        resource: &Resource,
        instance: ResourceInstance,
        action: Action,
        reason: Option<&'static str>,
    ) -> Change {
        let (kind, name) = (resource.kind.clone(), resource.name.clone());
        let change = Change::bare(owner, instance, resource.mode, kind, name);
        Change { action, reason, ..change }
    }

    /// Nothing yet is done to it.
    pub(crate) fn bare(
        owner: &Arc<Owner>,
        instance: ResourceInstance,
        mode: Mode,
        kind: Str,
        name: Str,
    ) -> Change {
        Change {
            owner: owner.clone(),
            mode,
            kind,
            name,
            instance,
            action: Action::NoOp,
            reason: None,
            before: None,
            previous: None,
            importing: None,
            deposed: None,
            replace_paths: Vec::new(),
            is_open: false,
        }
    }

    /// What becomes of data; nothing where it leaves no trace in a plan.
    pub(crate) fn of_data(
        owner: &Arc<Owner>,
        resource: &Resource,
        instance: ResourceInstance,
    ) -> Option<Change> {
        let reason = match instance.reading {
            Some(Reading::ConfigUnknown) => "read_because_config_unknown",
            Some(Reading::DependencyPending) => "read_because_dependency_pending",
            Some(Reading::Done | Reading::Failed) if resource.check.is_some() => {
                "read_because_check_nested"
            }
            _ => return None,
        };
        Some(Change::new(owner, resource, instance, Action::Read, Some(reason)))
    }

    /// The order of lists: outer modules first, data before what is made, then names and keys.
    pub fn order(&self, other: &Change) -> Ordering {
        let rank = |change: &Change| match change.mode {
            Mode::Data => 0,
            _ => 1,
        };
        (self.path().len().cmp(&other.path().len()))
            .then_with(|| self.path().cmp(other.path()))
            .then_with(|| rank(self).cmp(&rank(other)))
            .then_with(|| (&self.kind, &self.name).cmp(&(&other.kind, &other.name)))
            .then_with(|| self.instance.key.cmp(&other.instance.key))
            .then_with(|| self.deposed.cmp(&other.deposed))
    }
}
