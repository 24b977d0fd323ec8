//! Facts: values of resources from outside the code, in three roles: answers of providers, a prior state, and overrides. Without
//! facts a resource has its configured attributes, and all others are unknown.

use std::sync::Arc;

use groma_config::{InstanceAddress, InstanceKey, ModuleAddress, ResourceAddress, ResourceMode};
use groma_eval::{Cause, CauseTable, Step};
use groma_module::built_in::BuiltInType;
use groma_module::declare::Resource;
use groma_value::schema::BlockSchema;
use groma_value::{Causes, Path, Str, Value};

use crate::{ModuleNode, ProviderUse};

/// A request for facts about one resource instance: its address, declaration, configuration and prior object.
#[derive(Clone, Copy)]
pub struct ResourceRequest<'a> {
    /// The instance address, with every key, such as `module.a[0].aws_instance.web["x"]`.
    pub address: &'a InstanceAddress,
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
    pub created: Option<&'a Value>,
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

/// The prior object of a resource instance, at its address after moves.
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
    pub from: Option<&'a InstanceAddress>,
}

/// The object that a state records of a resource instance, with the place of the record.
#[derive(Clone, Debug)]
pub struct RecordedObject {
    /// The object in the present schema of its resource, with sensitive parts marked.
    pub value: Value,
    /// The address under which it is recorded.
    pub address: InstanceAddress,
    /// The location of the record: file and line.
    pub place: String,
}

/// The planned object of a resource instance, with the provider's further answers: the object as it is now, the paths that force
/// replacement, and private data.
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
    /// Returns a planned object with this value, without a prior object, replacements or private data.
    pub fn new(value: Value) -> PlannedObject {
        PlannedObject { value, before: None, replaces: Vec::new(), private: None }
    }
}

impl<'a> ResourceRequest<'a> {
    /// Returns the provider configuration that the instance uses.
    pub fn provider(&self) -> ProviderUse<'a> {
        self.node.provider_of(self.declared)
    }

    /// Returns true if the requested resource belongs to the built-in provider.
    pub fn is_built_in(&self) -> bool {
        BuiltInType::of(self.kind) == Some(BuiltInType::Data)
    }
}

/// One entry of `replace_triggered_by`, resolved: a resource, an instance of it, or a part of that instance.
#[derive(Clone, Debug)]
pub struct TriggeredBy {
    /// The resource.
    pub resource: ResourceAddress,
    /// The key of the instance; `None` for all of them.
    pub key: Option<InstanceKey>,
    /// The declared instances.
    pub declared: Arc<[InstanceKey]>,
    /// The path of the relevant part.
    pub path: Vec<Step>,
}

/// The answer to a request for facts about a resource instance: its object, recorded attributes, a failure, or nothing yet.
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

/// The source of providers' answers about resource instances, such as their planned objects. A plan asks about an existing
/// instance with its prior object, and again without it if the instance is to be replaced: the answer is then the new object. It
/// may be asked in any order and about the same instance again, by several threads at the same time, and may ask the evaluation
/// that asks it: no lock is held. A value that then depends on the answer itself is unknown, and an error is reported.
pub trait ProviderAnswers: Send + Sync {
    /// Returns the provider's answer about a resource instance.
    fn resource(&self, _request: &ResourceRequest<'_>) -> ResourceFact {
        ResourceFact::Unanswered
    }
}

/// The prior state of a plan: which objects it records of resource instances, and which instances the plan changes, omits or
/// keeps. An evaluation without one plans nothing.
pub trait PriorState: Send + Sync {
    /// Returns true if applying a plan would change an instance of a resource, given the keys of its declared instances; the
    /// facts about these have been requested before.
    fn has_changes(
        &self,
        _resource: &ResourceAddress,
        declared: &mut dyn Iterator<Item = InstanceKey>,
    ) -> bool {
        declared.next().is_some()
    }

    /// Returns true if the plan may leave out declared instances, as one limited by targets may; otherwise the evaluation asks
    /// for neither omitted nor kept instances.
    fn is_partial(&self) -> bool {
        false
    }

    /// Returns the keys of the declared instances of a resource that neither exist nor are created by the plan, which leaves
    /// them out.
    fn omitted_instances(
        &self,
        _resource: &ResourceAddress,
        _declared: &mut dyn Iterator<Item = InstanceKey>,
    ) -> Vec<InstanceKey> {
        Vec::new()
    }

    /// Returns the instances of a resource that the plan does not delete though their keys are not among those `declared`, each
    /// with its key and value. `shape` is the schema, if known.
    fn kept_instances(
        &self,
        _resource: &ResourceAddress,
        _declared: &mut dyn Iterator<Item = InstanceKey>,
        _shape: Option<&BlockSchema>,
    ) -> Vec<(InstanceKey, Value)> {
        Vec::new()
    }

    /// Returns the object that the prior state records for an instance, if any; called after the facts about the instance were
    /// requested.
    fn recorded_object(&self, _address: &InstanceAddress) -> Option<RecordedObject> {
        None
    }
}

/// Values that replace those of all other origins, such as mocks and the overrides of a test.
pub trait ValueOverrides: Send + Sync {
    /// Returns the attributes of a resource instance that these overrides, such as mocks, set, given its value so far if the
    /// engine knows all its attributes. Otherwise the overridden attributes are added to the configured ones.
    fn attributes(
        &self,
        _request: &ResourceRequest<'_>,
        _whole: Option<&Value>,
    ) -> Vec<(Str, Value)> {
        Vec::new()
    }

    /// Returns the value that these overrides, such as mocks, give to an output of the module instance with an address, if
    /// any.
    fn output(&self, _module: &ModuleAddress, _name: &str, _table: &CauseTable) -> Option<Value> {
        None
    }

    /// Visits every cause that unknown values in these overrides may have: causes are numbered before anything is evaluated.
    fn visit_causes(&self, _visit: &mut dyn FnMut(Cause)) {}
}

/// The facts about resources from outside of the code that an evaluation uses, by role. By default there are none.
#[derive(Clone)]
pub struct Facts {
    /// The answers of providers.
    pub answers: Arc<dyn ProviderAnswers>,
    /// The prior state, in a plan.
    pub prior: Option<Arc<dyn PriorState>>,
    /// The overrides, if there are any.
    pub overrides: Option<Arc<dyn ValueOverrides>>,
}

impl Facts {
    /// Creates facts that consist of the answers of providers, without a prior state and overrides.
    pub fn answered_by(answers: Arc<dyn ProviderAnswers>) -> Facts {
        Facts { answers, prior: None, overrides: None }
    }

    /// Returns the facts with a prior state.
    pub fn with_prior(self, prior: Arc<dyn PriorState>) -> Facts {
        Facts { prior: Some(prior), ..self }
    }

    /// Returns the facts with overrides, if there are any.
    pub fn with_overrides(self, overrides: Option<Arc<dyn ValueOverrides>>) -> Facts {
        Facts { overrides, ..self }
    }

    /// Returns true if both sets of facts have the same answers, prior state and overrides, compared by address in memory.
    pub(crate) fn is_same(&self, other: &Facts) -> bool {
        let same_prior = match (&self.prior, &other.prior) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (one, other) => one.is_none() && other.is_none(),
        };
        let same_overrides = match (&self.overrides, &other.overrides) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (one, other) => one.is_none() && other.is_none(),
        };
        Arc::ptr_eq(&self.answers, &other.answers) && same_prior && same_overrides
    }

    /// Returns the prior state, if the plan that it belongs to may leave out declared instances.
    pub(crate) fn partial_prior(&self) -> Option<&dyn PriorState> {
        self.prior.as_deref().filter(|prior| prior.is_partial())
    }
}

impl Default for Facts {
    fn default() -> Facts {
        Facts::answered_by(Arc::new(NoAnswers))
    }
}

/// The provider answers of an evaluation without providers: every request stays unanswered.
struct NoAnswers;

impl ProviderAnswers for NoAnswers {}
