//! Facts: values of resources from outside the code, such as a state, a provider or a plan. Without facts a resource has its
//! configured attributes, and all others are unknown.

use std::sync::Arc;

use groma_config::{InstanceKey, ResourceMode};
use groma_eval::{Cause, CauseTable, Step};
use groma_module::built_in::BuiltInType;
use groma_module::declare::Resource;
use groma_value::schema::BlockSchema;
use groma_value::{Causes, Path, Str, Value};

use crate::{ModuleNode, ProviderUse};

/// A request for facts about one resource instance.
#[derive(Clone, Copy)]
pub struct ResourceRequest<'a> {
    /// The instance address, with every key, such as `module.a[0].aws_instance.web["x"]`.
    pub address: &'a str,
    /// The resource mode.
    pub mode: ResourceMode,
    /// The resource type.
    pub kind: &'a str,
    /// The module that contains it, which determines the provider.
    pub node: ModuleNode<'a>,
    /// The declaration.
    pub declared: &'a Resource,
    /// The schema of its body, if known.
    pub schema: Option<&'a BlockSchema>,
    /// The configured arguments, as an object. Nested blocks are lists of objects.
    pub config: &'a Value,
    /// The object if it were created now, if all its attributes are known to the engine; for a data source, the object if it is
    /// not read.
    pub made: Option<&'a Value>,
    /// The prior object, in a plan; `None` if it is to be created.
    pub prior: Option<&'a PriorObject<'a>>,
    /// The id of an existing object to import.
    pub importing: Option<&'a str>,
    /// The causes of computed attributes that are unknown.
    pub computed: &'a Causes,
    /// The causes of unknown attributes that the provider knows without computing them.
    pub left: &'a Causes,
    /// The triggers of its replacement.
    pub triggers: &'a [TriggeredBy],
    /// The table of causes, for facts that add their own.
    pub table: &'a CauseTable,
    /// Returns true for a value whose unknown parts are unknown to the reference programs, too.
    pub is_pending: &'a dyn Fn(&Value) -> bool,
}

/// The prior object of a state, after all moves.
#[derive(Clone, Copy, Debug)]
pub struct PriorObject<'a> {
    /// The object in the present schema of its resource, with sensitive parts marked.
    pub value: &'a Value,
    /// The proposed object that a provider would be asked to accept, without marks: the configuration, and the prior value of
    /// every computed attribute that is not configured. `None` if the schema is not known.
    pub proposed: Option<&'a Value>,
    /// The provider's private data, as written in the state.
    pub private: Option<&'a str>,
    /// The schema version under which it is recorded.
    pub schema_version: u64,
    /// The address under which it is recorded, if it has moved.
    pub from: Option<&'a str>,
}

/// The recorded object of an instance, for provenance.
#[derive(Clone, Debug)]
pub struct RecordedObject {
    /// The object in the present schema of its resource, with sensitive parts marked.
    pub value: Value,
    /// The address under which it is recorded.
    pub address: String,
    /// The location of the record: file and line.
    pub place: String,
}

/// The planned object of a resource instance, as answered for its provider.
#[derive(Clone, Debug)]
pub struct PlannedObject {
    /// The whole object.
    pub value: Value,
    /// The present object, if it was read: it replaces the recorded one.
    pub before: Option<Value>,
    /// The paths that force replacement: if one of them changes, the object is replaced.
    pub replaces: Vec<Path>,
    /// The private data that the provider stores with the plan.
    pub private: Option<Str>,
}

impl PlannedObject {
    /// Returns a planned object without further details.
    pub fn new(value: Value) -> PlannedObject {
        PlannedObject { value, before: None, replaces: Vec::new(), private: None }
    }
}

impl<'a> ResourceRequest<'a> {
    /// Returns the provider configuration that the instance uses.
    pub fn provider(&self) -> ProviderUse<'a> {
        self.node.provider_of(self.declared)
    }

    /// Returns true if the resource belongs to the built-in provider.
    pub fn is_built_in(&self) -> bool {
        BuiltInType::of(self.kind) == Some(BuiltInType::Data)
    }
}

/// A trigger of an instance's replacement: a resource, an instance of it, or a part of that.
#[derive(Clone, Debug)]
pub struct TriggeredBy {
    /// The address of the resource, without its own key.
    pub resource: String,
    /// The key of the instance; `None` for all of them.
    pub key: Option<InstanceKey>,
    /// The declared instances.
    pub declared: Arc<[InstanceKey]>,
    /// The path of the relevant part.
    pub path: Vec<Step>,
}

/// The answer of facts about a resource instance.
#[derive(Clone, Debug)]
pub enum ResourceFact {
    /// The whole object. In a plan, all of its changes can be made in place.
    Ready(Value),
    /// The planned object with further answers for the provider.
    Planned(Box<PlannedObject>),
    /// For a resource without a schema: these attributes are recorded and stay the same. Configured ones are added, and the rest
    /// is unknown.
    Partly(Vec<(Str, Value)>),
    /// The object could not be read, for this reason: a phrase that starts in lower case.
    Failed(String),
    /// Nothing is known beyond the configuration.
    Unanswered,
    /// Pending: the instance and its dependents stay open, everything else continues, and a later question resumes.
    Later,
}

/// A source of facts about resources. A plan asks about an existing instance with its prior object, and again without it if the
/// instance is to be replaced: the answer is then the new object. It may be asked in any order and about the same instance
/// again, by several threads at the same time, and may ask the evaluation that asks it: no lock is held. A value that then
/// depends on the answer itself is unknown, and an error is reported.
pub trait Facts: Send + Sync {
    /// Returns the value of an instance.
    fn resource(&self, request: &ResourceRequest<'_>) -> ResourceFact;

    /// Returns true if there are any mocks; otherwise they are not asked for.
    fn makes_up(&self) -> bool {
        false
    }

    /// Returns the mocked attributes of an instance, which override all others. `whole` is its value so far, if all attributes
    /// are known to the engine; otherwise the mocked attributes are added to the configured ones.
    fn made_up(&self, _request: &ResourceRequest<'_>, _whole: Option<&Value>) -> Vec<(Str, Value)> {
        Vec::new()
    }

    /// Returns the mocked value of an output, given the address of the module instance.
    fn output(&self, _module: &str, _name: &str, _table: &CauseTable) -> Option<Value> {
        None
    }

    /// Visits every cause that these facts may add: causes are numbered before anything is evaluated.
    fn foresee(&self, _visit: &mut dyn FnMut(Cause)) {}

    /// Returns true if applying a plan would change an instance of a resource, given its address without key. `declared` are the
    /// keys of the declared instances, which have been asked about before.
    fn changes(&self, _resource: &str, declared: &mut dyn Iterator<Item = InstanceKey>) -> bool {
        declared.next().is_some()
    }

    /// Returns true if declared instances may be left out of the plan: `absent` lists them.
    fn leaves(&self) -> bool {
        false
    }

    /// Returns the declared instances of a resource that neither exist nor are to be created. Asked only if instances may be
    /// left out.
    fn absent(
        &self,
        _resource: &str,
        _declared: &mut dyn Iterator<Item = InstanceKey>,
    ) -> Vec<InstanceKey> {
        Vec::new()
    }

    /// Returns the recorded object of an instance, after the instance was asked about.
    fn recorded(&self, _address: &str) -> Option<RecordedObject> {
        None
    }

    /// Returns the instances of a resource that are no longer declared but kept, with their values. `declared` are the keys of
    /// declared ones; `shape` is the schema, if known.
    fn staying(
        &self,
        _resource: &str,
        _declared: &mut dyn Iterator<Item = InstanceKey>,
        _shape: Option<&BlockSchema>,
    ) -> Vec<(InstanceKey, Value)> {
        Vec::new()
    }
}

/// Empty facts.
#[derive(Clone, Copy, Default, Debug)]
pub struct NoFacts;

impl Facts for NoFacts {
    fn resource(&self, _request: &ResourceRequest<'_>) -> ResourceFact {
        ResourceFact::Unanswered
    }
}
