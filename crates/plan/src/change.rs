//! The planned change of one resource instance, or of a recorded object that is no longer declared.

use std::cmp::Ordering;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use groma_config::{InstanceAddress, InstanceKey, ModuleAddress, ResourceMode};
use groma_module::declare::Resource;
use groma_project::{DataReading, ModuleInstance, ResourceInstance};
use groma_value::schema::BlockSchema;
use groma_value::{Mark, Path, Str, Value};

use crate::reason::ChangeReason;

/// The action that a plan takes on an instance, such as to create, update or replace its object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// Nothing is done.
    NoOp,
    /// The object is created.
    Create,
    /// The data source is read during apply.
    Read,
    /// The object is updated in place.
    Update,
    /// The object is destroyed, then a new one is created.
    DeleteThenCreate,
    /// A new object is created, then the old one is destroyed.
    CreateThenDelete,
    /// The object is destroyed.
    Delete,
    /// The object is kept but no longer managed.
    Forget,
    /// The object is no longer managed, then a new one is created.
    ForgetThenCreate,
    /// A new object is created, then the old one is no longer managed.
    CreateThenForget,
}

impl Action {
    /// Returns the names of the action in JSON plans, in order of execution, such as `delete` and `create`.
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

    /// Returns true if the action creates a new object in place of one that it destroys or forgets.
    pub fn is_replacement(self) -> bool {
        matches!(
            self,
            Action::DeleteThenCreate
                | Action::CreateThenDelete
                | Action::ForgetThenCreate
                | Action::CreateThenForget
        )
    }

    /// Returns true if the action destroys an object, with or without a new one in its place.
    pub fn destroys(self) -> bool {
        matches!(self, Action::Delete | Action::DeleteThenCreate | Action::CreateThenDelete)
    }

    /// Returns true if the action stops managing an object without destroying it.
    pub fn forgets(self) -> bool {
        matches!(self, Action::Forget | Action::ForgetThenCreate | Action::CreateThenForget)
    }

    /// Returns true if a managed object exists after the action.
    pub fn leaves_object(self) -> bool {
        !matches!(self, Action::Delete | Action::Forget)
    }
}

/// A resource instance and its planned action. Properties that many changes share are in [`ChangeContext`], to which this
/// dereferences.
#[derive(Clone, Debug)]
pub struct Change {
    /// The instance; its value is the planned one, null if it is destroyed.
    pub instance: ResourceInstance,
    /// The prior object.
    pub before: Option<Value>,
    around: Arc<ChangeContext>,
}

/// The import id of an object: its text, missing if it is unknown or if the reference program refuses it as sensitive, and a
/// flag that hides it from display.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ImportId {
    /// The id; `None` if it is unknown, or refused because it is sensitive.
    pub id: Option<Str>,
    /// True if the id is not displayed to people. Documents for programs contain it where the reference programs accept it.
    pub is_hidden: bool,
}

/// The properties of a change besides its instance and prior value: resource, action and reason, previous address, import id,
/// and what forces replacement. They are mostly equal for all instances of a resource, which share them until one differs.
#[derive(Clone, Debug)]
pub struct ChangeContext {
    pub(crate) owner: Arc<ChangeOwner>,
    /// The resource mode: managed or data.
    pub mode: ResourceMode,
    /// The resource type.
    pub kind: Str,
    /// The resource name.
    pub name: Str,
    /// The action.
    pub action: Action,
    /// The reason for the action, if it has one.
    pub reason: Option<ChangeReason>,
    /// The address from which the object has moved, if it has.
    pub previous: Option<InstanceAddress>,
    /// The id by which an object is imported, if any.
    pub importing: Option<ImportId>,
    /// The key of the deposed object that changes; `None` for the current object.
    pub deposed: Option<Str>,
    /// The paths that force replacement.
    pub replace_paths: Vec<Path>,
    /// True if only the provider can decide the action.
    pub is_open: bool,
    /// The private data that the provider stores with the plan, if it was asked. May contain secrets.
    pub private: Option<Str>,
}

impl ChangeContext {
    /// Returns the address of the module instance that contains the object; empty for the root.
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

/// A cache by which consecutive changes share equal `ChangeContext`s in memory: those of one resource are mostly equal.
#[derive(Default)]
pub struct ContextCache {
    contexts: Vec<Arc<ChangeContext>>,
    owner: Option<Arc<ChangeOwner>>,
}

impl ContextCache {
    /// Maximum number of different `ChangeContext`s that the cache holds for one resource in one module instance; further
    /// changes are not shared.
    const MAX_CONTEXTS: usize = 8;

    /// Returns the change with its `ChangeContext` replaced by an equal one of an earlier change, if there is one.
    pub fn share(&mut self, mut change: Change) -> Change {
        let is_other =
            |known: &Arc<ChangeContext>| !Arc::ptr_eq(&known.owner, &change.around.owner);
        if self.contexts.first().is_some_and(is_other) {
            self.contexts.clear();
        }
        match self.contexts.iter().find(|known| known.equals(&change.around)) {
            Some(known) => change.around = known.clone(),
            None if self.contexts.len() < ContextCache::MAX_CONTEXTS => {
                self.contexts.push(change.around.clone())
            }
            None => {}
        }
        change
    }

    /// Returns the properties that recorded, no longer declared objects of a module instance share: those that this function
    /// returned last if they are equal, else new ones.
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
    /// Returns the properties of a change whose action is *no-op* and whose optional properties, such as the reason, are
    /// missing.
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

    /// Returns true if two changes of one resource in one module instance have equal properties besides their instances and
    /// prior values.
    fn equals(&self, other: &ChangeContext) -> bool {
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

/// The properties that all instances of a resource in one module instance share: module, provider and schema.
#[derive(Debug)]
pub(crate) struct ChangeOwner {
    module: String,
    path: ModuleAddress,
    provider: String,
    shape: Option<Arc<BlockSchema>>,
}

impl ChangeOwner {
    /// Returns the properties that all instances of a declared resource in a module instance share.
    pub(crate) fn of(module: &ModuleInstance, resource: &Resource) -> Arc<ChangeOwner> {
        Arc::new(ChangeOwner {
            module: module.address().to_owned(),
            path: module.path().clone(),
            provider: module.node().provider_named(resource.provider_name()),
            shape: resource.block(),
        })
    }

    /// Creates the shared properties of the objects that are recorded in the module instance at `path` and no longer
    /// declared.
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
    /// Returns the address of the module instance that contains the changed instance, empty for the root.
    pub fn module(&self) -> &str {
        &self.around.owner.module
    }

    /// Returns the module instance that contains the changed instance, as names and keys of calls.
    pub fn path(&self) -> &ModuleAddress {
        &self.around.owner.path
    }

    /// Returns the address of the provider of the changed instance.
    pub fn provider(&self) -> &str {
        &self.around.owner.provider
    }

    /// Returns the schema of the changed instance's resource type, if it is known.
    pub fn shape(&self) -> Option<&Arc<BlockSchema>> {
        self.around.owner.shape.as_ref()
    }

    /// Returns true if applying the plan would change anything about the instance.
    pub fn is_change(&self) -> bool {
        self.previous.is_some()
            || self.importing.is_some()
            || !matches!(self.action, Action::NoOp | Action::Read)
    }

    /// Returns a change of a declared instance with an action and a reason, without a prior object.
    pub(crate) fn new(
        owner: &Arc<ChangeOwner>,
        resource: &Resource,
        instance: ResourceInstance,
        action: Action,
        reason: Option<ChangeReason>,
    ) -> Change {
        let (kind, name) = (resource.kind.clone(), resource.name.clone());
        let around = ChangeContext::of(owner.clone(), resource.mode, kind, name);
        Change::with_context(instance, None, ChangeContext { action, reason, ..around })
    }

    /// Returns the change of an instance with its prior object and its other properties `around`. Ephemeral parts of the
    /// planned value become null.
    pub(crate) fn with_context(
        instance: ResourceInstance,
        before: Option<Value>,
        around: ChangeContext,
    ) -> Change {
        let value = stored(&instance.value);
        let instance = ResourceInstance { value, ..instance };
        Change { instance, before, around: Arc::new(around) }
    }

    /// Returns the change of a data source instance, with the module, provider and schema of `owner`; `None` if a plan does
    /// not list it, because it has been read already.
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

    /// Compares changes in the order in which plans list them: outer modules first, data before managed resources, then by names
    /// and keys.
    pub fn order(&self, other: &Change) -> Ordering {
        self.order_to(
            other.path(),
            (
                other.mode == ResourceMode::Data,
                &other.kind,
                &other.name,
                other.instance.address.key(),
            ),
        )
        .then_with(|| self.deposed.cmp(&other.deposed))
    }

    /// Compares where two changes stand in the order of [`Change::order`]: this one, and one of the current object of the
    /// managed instance at `address`.
    pub(crate) fn order_to_address(&self, address: &InstanceAddress) -> Ordering {
        let wanted = address.resource().name();
        self.order_to(address.module(), (false, &wanted.kind, &wanted.name, address.key()))
            .then_with(|| self.deposed.cmp(&None))
    }

    /// Compares this change, in the order of [`Change::order`], with an instance given by its module address and `own`: true for
    /// a data source, the type, the name and the key.
    fn order_to(&self, path: &ModuleAddress, own: (bool, &Str, &Str, &InstanceKey)) -> Ordering {
        let (is_data, kind, name, key) = own;
        (self.path().len().cmp(&path.len()))
            .then_with(|| self.path().cmp(path))
            // Data sources come first.
            .then_with(|| is_data.cmp(&(self.mode == ResourceMode::Data)))
            .then_with(|| (&self.kind, &self.name).cmp(&(kind, name)))
            .then_with(|| self.instance.address.key().cmp(key))
    }
}

/// Returns a planned value with every ephemeral part replaced by null, because such parts are never stored.
fn stored(value: &Value) -> Value {
    let is_ephemeral = |part: &Value| part.has_marks() && part.marks().contains(&Mark::Ephemeral);
    if !value.has_marks() || !value.deep_marks().contains(&Mark::Ephemeral) {
        return value.clone();
    }
    value.transform(&mut |part| match is_ephemeral(part) {
        true => Value::null(part.ty()),
        false => part.clone(),
    })
}
