//! What is known about resources from elsewhere: a state, a provider, a plan. Without facts a
//! resource is what is written in it, and the rest is unknown.

use std::sync::Arc;

use groma_eval::{Cause, CauseTable, Step};
use groma_folder::{Key, Mode};
use groma_module::declare::Resource;
use groma_value::schema::BlockSchema;
use groma_value::{Causes, Path, Str, Value};

use crate::{ModuleNode, ProviderUse};

/// A question about one instance of a resource.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The address, with every instance key: `module.a[0].aws_instance.web["x"]`.
    pub address: &'a str,
    /// What kind of object it is.
    pub mode: Mode,
    /// Its type.
    pub kind: &'a str,
    /// The module that it stands in, which says whose the provider is.
    pub node: ModuleNode<'a>,
    /// What is written about it.
    pub declared: &'a Resource,
    /// What its body looks like, where that is known.
    pub schema: Option<&'a BlockSchema>,
    /// The arguments that are written, as an object. Nested blocks are lists of objects.
    pub config: &'a Value,
    /// What it would be if it were made now, where all its attributes are known; of data, what it is if nobody reads it.
    pub made: Option<&'a Value>,
    /// What was there before, where a plan asks; nothing where it is to be made.
    pub prior: Option<&'a PriorObject<'a>>,
    /// By which id an object that is there already is to be taken over.
    pub importing: Option<&'a str>,
    /// Why what the provider works out is unknown.
    pub computed: &'a Causes,
    /// Why what only the provider knows without working it out is unknown.
    pub left: &'a Causes,
    /// What triggers its replacement.
    pub triggers: &'a [TriggeredBy],
    /// What causes stand for, for those who give some of their own.
    pub table: &'a CauseTable,
    /// Whether what is unknown in a value is unknown to the reference programs, too.
    pub is_pending: &'a dyn Fn(&Value) -> bool,
}

/// What was there before, as a state records it, once everything has moved.
#[derive(Clone, Copy, Debug)]
pub struct PriorObject<'a> {
    /// The object, by what its resource looks like now. What was sensitive is marked.
    pub value: &'a Value,
    /// What a provider would be asked to agree to, without marks: what is written, and where nothing is, what was there of
    /// all that the provider may work out. Nothing where it is not known what the resource looks like.
    pub proposed: Option<&'a Value>,
    /// What the provider keeps with it for itself, as the state spells it.
    pub private: Option<&'a str>,
    /// By which version of its schema it is recorded.
    pub schema_version: u64,
    /// The address that it is recorded at, where that is another one.
    pub from: Option<&'a str>,
}

/// What was there before an instance, for who asks where a value comes from.
#[derive(Clone, Debug)]
pub struct RecordedObject {
    /// The object, by what its resource looks like now. What is not to be shown is marked.
    pub value: Value,
    /// The address that it is recorded at.
    pub address: String,
    /// Where that is: the file and the line.
    pub place: String,
}

/// What is planned of an instance of a resource, by whoever answers for its provider.
#[derive(Clone, Debug)]
pub struct Planned {
    /// The whole object.
    pub value: Value,
    /// What is there now, where somebody has looked: it counts before what is recorded.
    pub before: Option<Value>,
    /// The parts that cannot be changed in place: where one of them is to change, the object is replaced.
    pub replaces: Vec<Path>,
    /// What the provider keeps with the plan for itself.
    pub private: Option<Str>,
}

impl Planned {
    /// An object of which nothing more is said.
    pub fn new(value: Value) -> Planned {
        Planned { value, before: None, replaces: Vec::new(), private: None }
    }
}

impl<'a> Request<'a> {
    /// Whose it is, and with which configuration.
    pub fn provider(&self) -> ProviderUse<'a> {
        self.node.provider_of(self.declared)
    }

    /// Whether it is a resource of the provider that every program has built in.
    pub fn is_built_in(&self) -> bool {
        self.kind == "terraform_data"
    }
}

/// What is to trigger the replacement of an instance: a resource, an instance of it, or a part of that.
#[derive(Clone, Debug)]
pub struct TriggeredBy {
    /// The address of the resource, without its own key.
    pub resource: String,
    /// Which of its instances; nothing for all of them.
    pub key: Option<Key>,
    /// The instances that are declared.
    pub declared: Arc<[Key]>,
    /// The way to the part that counts.
    pub path: Vec<Step>,
}

/// The answer.
#[derive(Clone, Debug)]
pub enum Fact {
    /// The whole object. In a plan, all of it can be changed in place.
    Ready(Value),
    /// What is planned of a resource, with what else its provider says.
    Planned(Box<Planned>),
    /// Of a resource whose schema is not at hand: these attributes are recorded and stay as they are. What is written counts
    /// beside them, and the rest is unknown.
    Partly(Vec<(Str, Value)>),
    /// It was asked for and could not be had, for this reason: a sentence that starts in lower
    /// case.
    Failed(String),
    /// Nothing is known beyond what is written.
    Unanswered,
    /// It will be known, and is not yet: the instance and what needs it stay open, all else goes on, and whoever asks
    /// again later goes on from there.
    Later,
}

/// Who answers for resources. A plan asks about an instance that was there with what was there, and once more without it
/// where the instance is to be replaced: the answer is then the object that is made. It may be asked in any order and about the same instance again, by several threads at the
/// same time, and may ask the evaluation that asks it: no lock is held. What then needs the answer itself is unknown, and
/// an error says so.
pub trait Facts: Send + Sync {
    /// What the instance is.
    fn resource(&self, request: &Request<'_>) -> Fact;

    /// Whether anything is made up on purpose; without that nobody asks for it.
    fn makes_up(&self) -> bool {
        false
    }

    /// What is made up on purpose for an instance: attributes that are other than all else says. `whole` is what it is so
    /// far, where all its attributes are known; else what is written in it counts, and this is said beside it.
    fn made_up(&self, _request: &Request<'_>, _whole: Option<&Value>) -> Vec<(Str, Value)> {
        Vec::new()
    }

    /// What is made up on purpose for an output of an instance of a module, by the address of that.
    fn output(&self, _module: &str, _name: &str, _table: &CauseTable) -> Option<Value> {
        None
    }

    /// Why something may be known that comes from nowhere but here, all of it: causes are numbered before anything is
    /// evaluated.
    fn foresee(&self, _visit: &mut dyn FnMut(Cause)) {}

    /// Whether carrying a plan out would change some instance of a resource, by its address without a key. `declared`
    /// are the keys of the instances that there are to be, which were asked about before.
    fn changes(&self, _resource: &str, declared: &mut dyn Iterator<Item = Key>) -> bool {
        declared.next().is_some()
    }

    /// Whether instances that are declared may be left out, so that some of them are not there: `absent` says which.
    fn leaves(&self) -> bool {
        false
    }

    /// Those of the declared instances of a resource that are not there, and are not to be made either. It is asked only
    /// where some may be left out.
    fn absent(&self, _resource: &str, _declared: &mut dyn Iterator<Item = Key>) -> Vec<Key> {
        Vec::new()
    }

    /// What was there before an instance, and where that is recorded, by its address, once the instance was asked about.
    fn recorded(&self, _address: &str) -> Option<RecordedObject> {
        None
    }

    /// The instances of a resource that are not declared any more and stay all the same, with what they are. `declared`
    /// are the keys of those that are; `shape` is what the resource looks like, where that is known.
    fn staying(
        &self,
        _resource: &str,
        _declared: &mut dyn Iterator<Item = Key>,
        _shape: Option<&BlockSchema>,
    ) -> Vec<(Key, Value)> {
        Vec::new()
    }
}

/// Nothing is known.
#[derive(Clone, Copy, Default, Debug)]
pub struct NoFacts;

impl Facts for NoFacts {
    fn resource(&self, _request: &Request<'_>) -> Fact {
        Fact::Unanswered
    }
}
