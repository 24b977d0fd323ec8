//! What is known about resources from elsewhere: a state, a provider, a plan. Without facts a
//! resource is what is written in it, and the rest is unknown.

use std::sync::Arc;

use groma_config::{InstanceKey, ResourceMode};
use groma_eval::{Cause, CauseTable, Step};
use groma_module::built_in::BuiltInType;
use groma_module::declare::Resource;
use groma_value::schema::BlockSchema;
use groma_value::{Causes, Path, Str, Value};

use crate::{ModuleNode, ProviderUse};

/// A question about one instance of a resource.
#[derive(Clone, Copy)]
pub struct ResourceRequest<'a> {
    /// The address, with every instance key: `module.a[0].aws_instance.web["x"]`.
    pub address: &'a str,
    /// The kind of object.
    pub mode: ResourceMode,
    /// Its type.
    pub kind: &'a str,
    /// The module that it stands in, which says whose the provider is.
    pub node: ModuleNode<'a>,
    /// The declaration.
    pub declared: &'a Resource,
    /// The schema of its body, where that is known.
    pub schema: Option<&'a BlockSchema>,
    /// The arguments that are written, as an object. Nested blocks are lists of objects.
    pub config: &'a Value,
    /// The object if it were made now, where all its attributes are known; of data, the object if it is not read.
    pub made: Option<&'a Value>,
    /// The old object, where a plan asks; `None` where it is to be made.
    pub prior: Option<&'a PriorObject<'a>>,
    /// By which id an object that is there already is to be taken over.
    pub importing: Option<&'a str>,
    /// The reason why what the provider works out is unknown.
    pub computed: &'a Causes,
    /// The reason why what only the provider knows without working it out is unknown.
    pub left: &'a Causes,
    /// The triggers of its replacement.
    pub triggers: &'a [TriggeredBy],
    /// The meaning of causes, for facts that give some of their own.
    pub table: &'a CauseTable,
    /// A test for values whose unknown parts are unknown to the reference programs, too.
    pub is_pending: &'a dyn Fn(&Value) -> bool,
}

/// The old object, as a state records it, once everything has moved.
#[derive(Clone, Copy, Debug)]
pub struct PriorObject<'a> {
    /// The object, by what its resource looks like now. What was sensitive is marked.
    pub value: &'a Value,
    /// The object that a provider would be asked to agree to, without marks: what is written, and where nothing is,
    /// the old part of all that the provider may work out. Nothing where it is not known what the resource looks like.
    pub proposed: Option<&'a Value>,
    /// The private data that the provider keeps with it, as the state spells it.
    pub private: Option<&'a str>,
    /// By which version of its schema it is recorded.
    pub schema_version: u64,
    /// The address that it is recorded at, where that is another one.
    pub from: Option<&'a str>,
}

/// The old object of an instance, for answers about where a value comes from.
#[derive(Clone, Debug)]
pub struct RecordedObject {
    /// The object, by what its resource looks like now. What is not to be shown is marked.
    pub value: Value,
    /// The address that it is recorded at.
    pub address: String,
    /// The place where that is: the file and the line.
    pub place: String,
}

/// The planned object of a resource's instance, as the facts of its provider give it.
#[derive(Clone, Debug)]
pub struct PlannedObject {
    /// The whole object.
    pub value: Value,
    /// The present object, where it was read: it counts before the recorded one.
    pub before: Option<Value>,
    /// The parts that cannot be changed in place: where one of them is to change, the object is replaced.
    pub replaces: Vec<Path>,
    /// The private data that the provider keeps with the plan.
    pub private: Option<Str>,
}

impl PlannedObject {
    /// An object of which nothing more is said.
    pub fn new(value: Value) -> PlannedObject {
        PlannedObject { value, before: None, replaces: Vec::new(), private: None }
    }
}

impl<'a> ResourceRequest<'a> {
    /// The provider, and its configuration.
    pub fn provider(&self) -> ProviderUse<'a> {
        self.node.provider_of(self.declared)
    }

    /// Returns true if it is a resource of the provider that every program has built in.
    pub fn is_built_in(&self) -> bool {
        BuiltInType::of(self.kind) == Some(BuiltInType::Data)
    }
}

/// The trigger of an instance's replacement: a resource, an instance of it, or a part of that.
#[derive(Clone, Debug)]
pub struct TriggeredBy {
    /// The address of the resource, without its own key.
    pub resource: String,
    /// The key of the instance; `None` for all of them.
    pub key: Option<InstanceKey>,
    /// The instances that are declared.
    pub declared: Arc<[InstanceKey]>,
    /// The way to the part that counts.
    pub path: Vec<Step>,
}

/// The answer.
#[derive(Clone, Debug)]
pub enum ResourceFact {
    /// The whole object. In a plan, all of it can be changed in place.
    Ready(Value),
    /// The planned object of a resource, with the other answers of its provider.
    Planned(Box<PlannedObject>),
    /// Of a resource whose schema is not at hand: these attributes are recorded and stay as they are. What is written counts
    /// beside them, and the rest is unknown.
    Partly(Vec<(Str, Value)>),
    /// It was asked for and could not be had, for this reason: a sentence that starts in lower
    /// case.
    Failed(String),
    /// Nothing is known beyond what is written.
    Unanswered,
    /// It will be known, and is not yet: the instance and what needs it stay open, all else goes on, and the next
    /// question again later goes on from there.
    Later,
}

/// The facts about resources. A plan asks about an instance that was there with what was there, and once more without
/// it
/// where the instance is to be replaced: the answer is then the object that is made. It may be asked in any order and about the same instance again, by several threads at the
/// same time, and may ask the evaluation that asks it: no lock is held. What then needs the answer itself is unknown, and
/// an error says so.
pub trait Facts: Send + Sync {
    /// Returns what the instance is.
    fn resource(&self, request: &ResourceRequest<'_>) -> ResourceFact;

    /// Returns true if anything is mocked on purpose; without that it is not asked for.
    fn makes_up(&self) -> bool {
        false
    }

    /// Returns what is made up on purpose for an instance: attributes that are other than all else says. `whole` is
    /// what it is so
    /// far, where all its attributes are known; else what is written in it counts, and this is said beside it.
    fn made_up(&self, _request: &ResourceRequest<'_>, _whole: Option<&Value>) -> Vec<(Str, Value)> {
        Vec::new()
    }

    /// Returns what is made up on purpose for an output of an instance of a module, by the address of that.
    fn output(&self, _module: &str, _name: &str, _table: &CauseTable) -> Option<Value> {
        None
    }

    /// Why something may be known that comes from nowhere but here, all of it: causes are numbered before anything is
    /// evaluated.
    fn foresee(&self, _visit: &mut dyn FnMut(Cause)) {}

    /// Returns true if carrying a plan out would change some instance of a resource, by its address without a key.
    /// `declared` are the keys of the instances that there are to be, which were asked about before.
    fn changes(&self, _resource: &str, declared: &mut dyn Iterator<Item = InstanceKey>) -> bool {
        declared.next().is_some()
    }

    /// Returns true if instances that are declared may be left out, so that some of them are not there: `absent` says
    /// which.
    fn leaves(&self) -> bool {
        false
    }

    /// Those of the declared instances of a resource that are not there, and are not to be made either. It is asked only
    /// where some may be left out.
    fn absent(
        &self,
        _resource: &str,
        _declared: &mut dyn Iterator<Item = InstanceKey>,
    ) -> Vec<InstanceKey> {
        Vec::new()
    }

    /// Returns what was there before an instance, and where that is recorded, by its address, once the instance was
    /// asked about.
    fn recorded(&self, _address: &str) -> Option<RecordedObject> {
        None
    }

    /// The instances of a resource that are not declared any more and stay all the same, with what they are. `declared`
    /// are the keys of those that are; `shape` is what the resource looks like, where that is known.
    fn staying(
        &self,
        _resource: &str,
        _declared: &mut dyn Iterator<Item = InstanceKey>,
        _shape: Option<&BlockSchema>,
    ) -> Vec<(InstanceKey, Value)> {
        Vec::new()
    }
}

/// Nothing is known.
#[derive(Clone, Copy, Default, Debug)]
pub struct NoFacts;

impl Facts for NoFacts {
    fn resource(&self, _request: &ResourceRequest<'_>) -> ResourceFact {
        ResourceFact::Unanswered
    }
}
