//! What becomes of one instance of a resource, or of what is recorded of one that is gone.

use std::cmp::Ordering;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use groma_config::{AddressPattern, InstanceKey, ModuleAddress, ResourceMode};
use groma_module::declare::Resource;
use groma_project::{DataReading, ModuleInstance, ResourceInstance, without_ephemeral};
use groma_value::schema::BlockSchema;
use groma_value::{Path, Str, Value};

use crate::reason::ChangeReason;

/// The action on an instance.
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
    /// It stays and nothing is known of it any more, and another one is made.
    ForgetThenCreate,
    /// Another one is made, and it stays and nothing is known of it any more.
    CreateThenForget,
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
            Action::ForgetThenCreate => &["forget", "create"],
            Action::CreateThenForget => &["create", "forget"],
        }
    }

    /// Returns true if an object is replaced.
    pub fn is_replacement(self) -> bool {
        matches!(
            self,
            Action::DeleteThenCreate
                | Action::CreateThenDelete
                | Action::ForgetThenCreate
                | Action::CreateThenForget
        )
    }

    /// Returns true if an object goes.
    pub fn destroys(self) -> bool {
        matches!(self, Action::Delete | Action::DeleteThenCreate | Action::CreateThenDelete)
    }

    /// Returns true if an object stays and is no longer managed.
    pub fn lets_go(self) -> bool {
        matches!(self, Action::Forget | Action::ForgetThenCreate | Action::CreateThenForget)
    }

    /// Returns true if there is an object afterwards.
    pub fn leaves(self) -> bool {
        !matches!(self, Action::Delete | Action::Forget)
    }
}

/// One instance of a resource and what becomes of it. What many have in common stands in [`ChangeContext`], which it
/// reads as.
#[derive(Clone, Debug)]
pub struct Change {
    /// The instance; its value is what is planned, null where it goes.
    pub instance: ResourceInstance,
    /// The old object.
    pub before: Option<Value>,
    around: Arc<ChangeContext>,
}

/// By which id an object is taken over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ImportId {
    /// The id; nothing where it is not known, or is refused because it is sensitive.
    pub id: Option<Str>,
    /// True if it is not shown to people. Documents for programs hold it where the reference programs accept it.
    pub is_hidden: bool,
}

/// The part of changes that is mostly the same for all instances of a resource: they share one of these until one of
/// them differs.
#[derive(Clone, Debug)]
pub struct ChangeContext {
    pub(crate) owner: Arc<ChangeOwner>,
    /// The kind of object.
    pub mode: ResourceMode,
    /// Its type.
    pub kind: Str,
    /// Its name.
    pub name: Str,
    /// The action.
    pub action: Action,
    /// The reason why, where that is worth saying.
    pub reason: Option<ChangeReason>,
    /// The place where it was recorded, if that was somewhere else.
    pub previous: Option<String>,
    /// By which id an object is taken over, if one is.
    pub importing: Option<ImportId>,
    /// By what a deposed object is known.
    pub deposed: Option<Str>,
    /// The parts that cannot be changed in place.
    pub replace_paths: Vec<Path>,
    /// True if only the provider can say that it is so.
    pub is_open: bool,
    /// The private data that the provider keeps with the plan, where one was asked. It may hold secrets.
    pub private: Option<Str>,
}

impl ChangeContext {
    /// The address of the module instance that the object belongs to; empty for the root.
    pub fn module_address(&self) -> &str {
        &self.owner.module
    }
}

impl Deref for Change {
    type Target = ChangeContext;

    fn deref(&self) -> &ChangeContext {
        &self.around
    }
}

impl DerefMut for Change {
    fn deref_mut(&mut self) -> &mut ChangeContext {
        Arc::make_mut(&mut self.around)
    }
}

/// The circumstances of instances that come one after another: those of one resource are mostly the same.
#[derive(Default)]
pub struct ContextCache {
    kinds: Vec<Arc<ChangeContext>>,
    owner: Option<Arc<ChangeOwner>>,
}

impl ContextCache {
    /// The maximum number of kinds that are looked through.
    const KINDS: usize = 8;

    /// Lets a change share its circumstances with those before that have the same.
    pub fn share(&mut self, mut change: Change) -> Change {
        let is_other =
            |known: &Arc<ChangeContext>| !Arc::ptr_eq(&known.owner, &change.around.owner);
        if self.kinds.first().is_some_and(is_other) {
            self.kinds.clear();
        }
        match self.kinds.iter().find(|known| known.are(&change.around)) {
            Some(known) => change.around = known.clone(),
            None if self.kinds.len() < ContextCache::KINDS => {
                self.kinds.push(change.around.clone())
            }
            None => {}
        }
        change
    }

    /// The owner of what is only recorded.
    pub(crate) fn recorded(
        &mut self,
        path: &ModuleAddress,
        provider: &str,
        shape: Option<&Arc<BlockSchema>>,
    ) -> Arc<ChangeOwner> {
        let is_same = |known: &&Arc<ChangeOwner>| {
            let alike = match (&known.shape, shape) {
                (Some(one), Some(other)) => Arc::ptr_eq(one, other),
                (one, other) => one.is_none() && other.is_none(),
            };
            alike && known.path == *path && known.provider == provider
        };
        if let Some(known) = self.owner.as_ref().filter(is_same) {
            return known.clone();
        }
        let owner = ChangeOwner::recorded(path, provider.to_owned(), shape.cloned());
        self.owner = Some(owner.clone());
        owner
    }
}

impl ChangeContext {
    /// Nothing yet is done.
    pub(crate) fn of(
        owner: Arc<ChangeOwner>,
        mode: ResourceMode,
        kind: Str,
        name: Str,
    ) -> ChangeContext {
        ChangeContext {
            owner,
            mode,
            kind,
            name,
            action: Action::NoOp,
            reason: None,
            previous: None,
            importing: None,
            deposed: None,
            replace_paths: Vec::new(),
            is_open: false,
            private: None,
        }
    }

    fn are(&self, other: &ChangeContext) -> bool {
        Arc::ptr_eq(&self.owner, &other.owner)
            && (self.mode, self.action, self.reason, self.is_open)
                == (other.mode, other.action, other.reason, other.is_open)
            && (&self.kind, &self.name) == (&other.kind, &other.name)
            && (&self.previous, &self.importing, &self.deposed)
                == (&other.previous, &other.importing, &other.deposed)
            && self.replace_paths.is_empty()
            && other.replace_paths.is_empty()
    }
}

/// The part that all instances of a resource in one instance of its module share.
#[derive(Debug)]
pub(crate) struct ChangeOwner {
    module: String,
    path: ModuleAddress,
    provider: String,
    shape: Option<Arc<BlockSchema>>,
}

impl ChangeOwner {
    pub(crate) fn of(module: &ModuleInstance, resource: &Resource) -> Arc<ChangeOwner> {
        Arc::new(ChangeOwner {
            module: module.address().to_owned(),
            path: module.path().into(),
            provider: module.node().provider_named(resource.provider_name()),
            shape: resource.block(),
        })
    }

    fn recorded(
        path: &ModuleAddress,
        provider: String,
        shape: Option<Arc<BlockSchema>>,
    ) -> Arc<ChangeOwner> {
        let module = path.to_string();
        Arc::new(ChangeOwner { module, path: path.clone(), provider, shape })
    }
}

impl Change {
    /// The address of its module instance, empty for the root.
    pub fn module(&self) -> &str {
        &self.around.owner.module
    }

    /// The names and keys that lead to its module instance.
    pub fn path(&self) -> &ModuleAddress {
        &self.around.owner.path
    }

    /// The address of its provider.
    pub fn provider(&self) -> &str {
        &self.around.owner.provider
    }

    /// Returns what its body may hold, where that is known.
    pub fn shape(&self) -> Option<&Arc<BlockSchema>> {
        self.around.owner.shape.as_ref()
    }

    /// Returns true if carrying the plan out changes anything for it.
    pub fn is_change(&self) -> bool {
        self.previous.is_some()
            || self.importing.is_some()
            || !matches!(self.action, Action::NoOp | Action::Read)
    }

    pub(crate) fn new(
        owner: &Arc<ChangeOwner>,
        resource: &Resource,
        instance: ResourceInstance,
        action: Action,
        reason: Option<ChangeReason>,
    ) -> Change {
        let (kind, name) = (resource.kind.clone(), resource.name.clone());
        let around = ChangeContext::of(owner.clone(), resource.mode, kind, name);
        Change::made(instance, None, ChangeContext { action, reason, ..around })
    }

    pub(crate) fn made(
        instance: ResourceInstance,
        before: Option<Value>,
        around: ChangeContext,
    ) -> Change {
        let value = without_ephemeral(&instance.value);
        let instance = ResourceInstance { value, ..instance };
        Change { instance, before, around: Arc::new(around) }
    }

    /// Returns what becomes of data; nothing where it leaves no trace in a plan.
    pub(crate) fn of_data(
        owner: &Arc<ChangeOwner>,
        resource: &Resource,
        instance: ResourceInstance,
    ) -> Option<Change> {
        let reason = match instance.reading {
            Some(DataReading::ConfigUnknown) => ChangeReason::ConfigUnknown,
            Some(DataReading::DependencyPending) => ChangeReason::DependencyPending,
            Some(DataReading::Done | DataReading::Failed) if resource.check.is_some() => {
                ChangeReason::CheckNested
            }
            _ => return None,
        };
        Some(Change::new(owner, resource, instance, Action::Read, Some(reason)))
    }

    /// The order of lists: outer modules first, data before what is made, then names and keys.
    pub fn order(&self, other: &Change) -> Ordering {
        self.at(
            other.path(),
            (other.mode == ResourceMode::Data, &other.kind, &other.name, &other.instance.key),
        )
        .then_with(|| self.deposed.cmp(&other.deposed))
    }

    /// Returns how it stands in that order to the current object of an instance that is managed.
    pub(crate) fn stands(&self, target: &AddressPattern) -> Ordering {
        let Some(wanted) = &target.resource else { return Ordering::Less };
        self.at(&target.modules, (false, &wanted.kind, &wanted.name, &wanted.key))
            .then_with(|| self.deposed.cmp(&None))
    }

    fn at(&self, path: &ModuleAddress, own: (bool, &Str, &Str, &InstanceKey)) -> Ordering {
        let (is_data, kind, name, key) = own;
        (self.path().len().cmp(&path.len()))
            .then_with(|| self.path().cmp(path))
            // Data comes first.
            .then_with(|| is_data.cmp(&(self.mode == ResourceMode::Data)))
            .then_with(|| (&self.kind, &self.name).cmp(&(kind, name)))
            .then_with(|| self.instance.key.cmp(key))
    }
}
