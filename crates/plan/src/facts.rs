//! Facts of a plan about resources: their recorded state, their planned changes, and outputs in another configuration's state
//! file. They are consulted during evaluation, so that a reference to a resource sees its planned value. Answers are cached: a
//! change of one resource may decide about others.

mod triggers;

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, OnceLock, PoisonError};

use groma_config::{AddressPattern, InstanceAddress, InstanceKey, ResourceAddress, ResourceMode};
use groma_eval::Step;
use groma_module::declare::IgnoredChanges;
use groma_module::dialect::Conventions;
use groma_project::{
    Facts, PriorState, Project, ProviderAnswers, RecordedObject, ResourceFact, ResourceRequest,
};
use groma_syntax::{Diagnostic, Place};
use groma_value::schema::BlockSchema;
use groma_value::{Object, Str, Value, ops};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::built_in;
use crate::change::Action;
use crate::codes;
use crate::compare::hide;
use crate::decide::{ChangeDecision, ExistingObject};
use crate::options::{PlanGoal, PlanOptions, StateFile};
use crate::prior::Prior;
use crate::propose::without_ignored;
use crate::provider_answers::{self, StateExtras};
use crate::reason::ChangeReason;
use crate::remote::RemoteStates;
use crate::state::RecordedInstance;
use crate::targets::{TargetSelection, is_out_of_scope};

/// The facts about resources that a plan gives to its evaluation: recorded state, planned changes, providers' answers.
pub struct PlanFacts {
    remote: RemoteStates,
    /// The answers of providers, if any is asked.
    pub(crate) answers: Option<Arc<dyn ProviderAnswers>>,
    conventions: Conventions,
    pub(crate) options: PlanOptions,
    /// The prior objects, after moves.
    prior: OnceLock<Prior>,
    /// The imported objects, by address.
    imports: OnceLock<FxHashMap<InstanceAddress, ImportedObject>>,
    /// The objects imported by called modules, by address.
    inner_imports: OnceLock<FxHashMap<InstanceAddress, ImportedObject>>,
    /// The planned scope.
    pub(crate) scope: OnceLock<TargetSelection>,
    /// The evaluated scope, if it differs from the planned one.
    pub(crate) evaluated: OnceLock<TargetSelection>,
    /// The decisions about instances, by address.
    decisions: Mutex<FxHashMap<InstanceAddress, ChangeDecision>>,
    /// True for each resource (by address) with an instance that changes, filled on demand: all its instances are decided by
    /// then.
    changing: Mutex<FxHashMap<ResourceAddress, bool>>,
    /// True for each resource (by address) with a change that triggers replacement, filled on demand.
    triggering: Mutex<FxHashMap<ResourceAddress, bool>>,
    /// The addresses of instances to replace on request.
    replaces: FxHashSet<InstanceAddress>,
    /// The faults in recorded objects, by address.
    troubles: Mutex<FxHashMap<InstanceAddress, Diagnostic>>,
}

/// An object that an `import` block brings under management, with its id if known.
#[derive(Clone, Debug)]
pub(crate) struct ImportedObject {
    /// The import id.
    pub(crate) id: Option<Str>,
    /// True if the id is known.
    pub(crate) is_known: bool,
    /// True if the id is sensitive.
    pub(crate) is_hidden: bool,
}

impl PlanFacts {
    /// Creates facts for evaluating a project without a prior state and without provider answers.
    pub fn of(project: &Project) -> PlanFacts {
        PlanFacts::with(
            project,
            PlanOptions { state: StateFile::Nowhere, ..PlanOptions::default() },
            None,
        )
    }

    /// Creates the facts for a plan with these options; the prior state is set later. `answers` are those of providers, which are
    /// asked about every planned instance and about data sources that are read.
    pub fn with(
        project: &Project,
        options: PlanOptions,
        answers: Option<Arc<dyn ProviderAnswers>>,
    ) -> PlanFacts {
        PlanFacts {
            remote: RemoteStates::of(project),
            answers,
            replaces: options.replaces.iter().filter_map(AddressPattern::instance).collect(),
            changing: Mutex::default(),
            triggering: Mutex::default(),
            conventions: *project.conventions(),
            options,
            prior: OnceLock::new(),
            imports: OnceLock::new(),
            inner_imports: OnceLock::new(),
            scope: OnceLock::new(),
            evaluated: OnceLock::new(),
            decisions: Mutex::default(),
            troubles: Mutex::default(),
        }
    }

    /// Wraps these facts for an evaluation, which then asks them about resources and about the prior state.
    pub fn facts(self: &Arc<PlanFacts>) -> Facts {
        Facts::answered_by(self.clone()).with_prior(self.clone())
    }

    /// Returns the conventions of the edition that the plan is for.
    pub(crate) fn conventions(&self) -> &Conventions {
        &self.conventions
    }

    /// Returns the prior state of the plan; without resources if none was read.
    pub(crate) fn prior(&self) -> &Prior {
        /// The prior state of a plan that has read none.
        static EMPTY: LazyLock<Prior> = LazyLock::new(Prior::default);
        self.prior.get().unwrap_or(&EMPTY)
    }

    /// Sets the prior state, once it has been read and moves have been applied.
    pub(crate) fn set_prior(&self, prior: Prior) {
        let _ = self.prior.set(prior);
    }

    /// Sets the objects imported by the root module, by address.
    pub(crate) fn set_imports(&self, imports: FxHashMap<InstanceAddress, ImportedObject>) {
        let _ = self.imports.set(imports);
    }

    /// Sets the objects imported by called modules, by address.
    pub(crate) fn set_inner_imports(&self, imports: FxHashMap<InstanceAddress, ImportedObject>) {
        let _ = self.inner_imports.set(imports);
    }

    /// Returns the tables of imported objects by address: that of the root module, then that of called modules.
    fn all_imports(&self) -> impl Iterator<Item = &FxHashMap<InstanceAddress, ImportedObject>> {
        self.imports.get().into_iter().chain(self.inner_imports.get())
    }

    /// Returns the object that is imported at the address of an instance, if any.
    pub(crate) fn imported(&self, address: &InstanceAddress) -> Option<&ImportedObject> {
        let is_there = self.prior().instance(address).is_some_and(|past| past.current.is_some());
        self.all_imports().find_map(|all| all.get(address)).filter(|_| !is_there)
    }

    /// Returns the planned change of an instance, if the instance has been evaluated.
    pub(crate) fn decision(&self, address: &InstanceAddress) -> Option<ChangeDecision> {
        self.decisions().get(address).cloned()
    }

    /// Returns the planned action on an instance, if the instance has been evaluated.
    pub(crate) fn action(&self, address: &InstanceAddress) -> Option<Action> {
        self.decisions().get(address).map(|decision| decision.action)
    }

    /// Locks the planned changes of the instances evaluated so far.
    fn decisions(&self) -> MutexGuard<'_, FxHashMap<InstanceAddress, ChangeDecision>> {
        lock(&self.decisions)
    }

    /// Returns the diagnostics about unreadable recorded objects, in the order of their addresses.
    pub(crate) fn troubles(&self) -> Vec<Diagnostic> {
        let troubles = lock(&self.troubles);
        let mut all: Vec<(&InstanceAddress, &Diagnostic)> = troubles.iter().collect();
        all.sort_by_cached_key(|(address, _)| address.to_string());
        all.into_iter().map(|(_, found)| found.clone()).collect()
    }

    /// Records that the recorded object at an address cannot be read.
    pub(crate) fn report(&self, address: &InstanceAddress, why: &str, place: Option<Place>) {
        let detail = format!("The object of {address} in the state cannot be used: {why}.");
        let found = Diagnostic::error(&codes::RECORDED_OBJECT, detail);
        let found = match place {
            Some(place) => found.at(place),
            None => found,
        };
        let mut troubles = lock(&self.troubles);
        // The first report has the source range, if any does.
        troubles.entry(address.clone()).or_insert(found);
    }

    /// Returns true if recorded objects are refreshed before anything is planned. A destroy with an empty state reads nothing.
    pub(crate) fn refreshes(&self) -> bool {
        let is_empty = || {
            let state = self.prior().state();
            state.is_none_or(|state| state.objects.is_empty() && state.outputs.is_empty())
        };
        self.options.refreshes && !(self.options.goal == PlanGoal::Destroy && is_empty())
    }

    /// Returns the declarations and instances to which `-target` and `-exclude` limit the evaluation; `None` if everything is
    /// evaluated.
    pub(crate) fn evaluated_scope(&self) -> Option<&TargetSelection> {
        self.evaluated.get().or(self.scope.get())
    }

    /// Returns true if there is neither a prior state nor an import, so that everything is still to be created.
    fn has_no_prior_object(&self) -> bool {
        self.prior().state().is_none() && self.all_imports().all(FxHashMap::is_empty)
    }

    /// Returns the evaluation's fact about a managed resource instance: its planned value, computed from its prior object and
    /// the configuration.
    fn managed(&self, request: &ResourceRequest<'_>) -> ResourceFact {
        let scope = self.evaluated_scope();
        if self.has_no_prior_object() && scope.is_none() && self.options.goal != PlanGoal::Refresh {
            return self.answer_for_creation(request, None);
        }
        let address = request.address;
        let is_out_of_scope = is_out_of_scope(scope, address);
        let recorded = self.prior().current(address);
        let read = recorded.map(|object| self.recorded(object, request));
        let before = match read.transpose() {
            Ok(before) => before.flatten(),
            Err(why) => {
                self.report(address, &why, Some(request.declared.place));
                let ty = request.created.map_or(groma_value::Type::Dynamic, Value::ty);
                return ResourceFact::Ready(Value::unknown(ty));
            }
        };
        let Some(before) = before else {
            return self.answer_without_prior(request, is_out_of_scope);
        };
        if is_out_of_scope || self.options.goal == PlanGoal::Refresh {
            return ResourceFact::Ready(hide(&before, None));
        }
        let existing = ExistingObject {
            request,
            is_tainted: recorded.is_some_and(|object| object.tainted),
            forced: self.forced(request),
            is_refreshed: self.options.refreshes,
            before,
        };
        let Some(answers) = &self.answers else {
            return self.answer_with_prior(request, existing.decide());
        };
        match existing.ask(&**answers, &self.state_extras(address)) {
            Ok(decision) if decision.is_open => self.answer_with_prior(request, decision),
            Ok(decision) => self.answer(address, decision),
            Err(other) => other,
        }
    }

    /// Returns the private data, schema version and previous address that the state records of an object, for its provider.
    fn state_extras(&self, address: &InstanceAddress) -> StateExtras {
        let prior = self.prior();
        let Some((past, object)) = prior.instance(address).zip(prior.current(address)) else {
            return StateExtras::default();
        };
        StateExtras {
            private: prior.state().and_then(|state| state.private_of(object)),
            schema_version: object.schema_version,
            from: past.from.clone(),
        }
    }

    /// Returns the evaluation's fact about an instance to create: the object in the answer of its provider, or without an
    /// answer at most values kept from another revision of the code.
    fn answer_for_creation(
        &self,
        request: &ResourceRequest<'_>,
        reason: Option<ChangeReason>,
    ) -> ResourceFact {
        let answer =
            self.answers.as_ref().map_or(ResourceFact::Unanswered, |one| one.resource(request));
        match provider_answers::planned(answer, request.schema) {
            Ok(Some(planned)) => {
                let decision = provider_answers::creation(request, planned);
                self.answer(request.address, ChangeDecision { reason, ..decision })
            }
            Ok(None) => self.answer_with_held_values(request),
            Err(other) => other,
        }
    }

    /// Returns the evaluation's fact about an instance to create whose `ignore_changes` attributes keep the values that another
    /// revision of the code gives them.
    fn answer_with_held_values(&self, request: &ResourceRequest<'_>) -> ResourceFact {
        let ignored = &request.declared.lifecycle().ignored;
        let Some(held) = self.options.held.get(request.address) else {
            return ResourceFact::Unanswered;
        };
        match (request.created, held.bare(), request.config) {
            (Some(made), held, _) => {
                let kept = without_ignored(ignored, held, made);
                ResourceFact::Ready(if request.is_built_in() {
                    built_in::with_output(kept, held)
                } else {
                    kept
                })
            }
            (None, Value::Object(before), Value::Object(written)) => {
                // An attribute set on one side only counts as null on the other.
                let all = |own: &Object, other: &Object| {
                    let more = other.iter().filter(|(name, _)| own.get(name).is_none());
                    let more = more.map(|(name, value)| (name.clone(), Value::null(value.ty())));
                    let own = own.iter().map(|(name, value)| (name.clone(), value.clone()));
                    Value::object(own.chain(more).collect::<Vec<_>>())
                };
                let kept = without_ignored(ignored, &all(before, written), &all(written, before));
                let Value::Object(kept) = kept else { return ResourceFact::Unanswered };
                let parts = kept.iter().filter(|(name, _)| is_ignored(ignored, name));
                ResourceFact::Partly(
                    parts.map(|(name, value)| (name.clone(), value.clone())).collect(),
                )
            }
            _ => ResourceFact::Unanswered,
        }
    }

    /// Decodes the recorded object of an instance; `None` if it has no recorded attributes, an error if it cannot be read or
    /// converted. It may have moved from a resource of another type, which only some providers support.
    fn recorded(
        &self,
        object: &RecordedInstance,
        request: &ResourceRequest<'_>,
    ) -> Result<Option<Value>, String> {
        if *object.entry.kind == *request.kind {
            return self.prior().value(object, request.schema);
        }
        let is_null = object.entry.provider.source.ends_with("/hashicorp/null");
        if request.is_built_in() && is_null && &*object.entry.kind == "null_resource" {
            let was = self.prior().value(object, None)?;
            return Ok(was
                .zip(request.schema)
                .and_then(|(was, shape)| built_in::from_null_resource(&was, shape)));
        }
        // The older provider SDK has no moves between types.
        let is_old = request.schema.is_some_and(BlockSchema::has_hidden_defaults);
        match request.is_built_in() || is_old {
            true => Err(format!(
                "it is a {}, and the provider cannot convert that to a {}. Remove the moved block, or remove the old object from the state",
                &*object.entry.kind, request.kind
            )),
            false => self.prior().value(object, request.schema),
        }
    }

    /// Returns the evaluation's fact about an instance without a recorded object, which is imported or created; unknown if
    /// `-target` or `-exclude` leaves it out (`is_out_of_scope`).
    fn answer_without_prior(
        &self,
        request: &ResourceRequest<'_>,
        is_out_of_scope: bool,
    ) -> ResourceFact {
        let is_refreshed = self.options.goal == PlanGoal::Refresh;
        if is_out_of_scope || is_refreshed && self.imported(request.address).is_none() {
            let ty = request.schema.map_or(groma_value::Type::Dynamic, |block| block.ty());
            return ResourceFact::Ready(Value::unknown_because(ty, request.computed.clone()));
        }
        let Some(imported) = self.imported(request.address) else {
            let after = request.created.unwrap_or(request.config);
            // The reason is reported even if the object does not exist yet.
            let reason = self.triggered(request);
            let fact = self.answer_for_creation(request, reason);
            if matches!(fact, ResourceFact::Unanswered) {
                let decision = ChangeDecision { reason, ..ChangeDecision::create(after.clone()) };
                self.decisions().insert(request.address.clone(), decision);
            }
            return fact;
        };
        if let (true, true, Some(shape)) =
            (request.is_built_in(), imported.is_known, request.schema)
        {
            let id = imported.id.clone().map_or(Value::NULL, Value::String);
            let before = built_in::object_of(shape, &[("id", id)]);
            if is_refreshed {
                return ResourceFact::Ready(before);
            }
            let forced = self.forced(request);
            let decision =
                ExistingObject { request, before, is_tainted: false, forced, is_refreshed: true }
                    .decide();
            return self.answer(request.address, decision);
        }
        if let (Some(answers), Some(id)) = (&self.answers, &imported.id) {
            match self.import_decision(request, id, &**answers) {
                Ok(Some(decision)) if is_refreshed => {
                    return ResourceFact::Ready(decision.before.unwrap_or(Value::NULL));
                }
                Ok(Some(decision)) => return self.answer(request.address, decision),
                Ok(None) => {}
                Err(other) => return other,
            }
        }
        // Only the provider could read the existing object.
        let id = imported.id.clone().map(|id| (Str::from("id"), Value::String(id)));
        let after = match request.created {
            Some(made) => made.clone(),
            None => with_attribute(request.config, id.clone()),
        };
        let mut decision = ChangeDecision::create(after);
        decision.action = Action::Update;
        decision.is_open = true;
        decision.before = Some(Value::object(id));
        if request.created.is_some() {
            return self.answer(request.address, decision);
        }
        // Many providers accept an import id that differs from the object's final id.
        self.decisions().insert(request.address.clone(), decision);
        ResourceFact::Partly(Vec::new())
    }

    /// Returns the decision about an object to import, as its provider read it; `None` if it was not read, and the answer
    /// itself as the error if that is pending or a refusal.
    fn import_decision(
        &self,
        request: &ResourceRequest<'_>,
        id: &str,
        answers: &dyn ProviderAnswers,
    ) -> Result<Option<ChangeDecision>, ResourceFact> {
        let asked = ResourceRequest { importing: Some(id), ..*request };
        let Some(planned) = provider_answers::planned(answers.resource(&asked), request.schema)?
        else {
            return Ok(None);
        };
        let Some(before) = planned.before.clone() else { return Ok(None) };
        let (_, written) = request.config.unmark_deep_paths();
        let forced = self.forced(request);
        let existing =
            ExistingObject { request, before, is_tainted: false, forced, is_refreshed: true };
        existing.settle(planned, &written, answers).map(Some)
    }

    /// Stores the decision about a recorded instance and returns its planned value as the fact; for a resource without a schema,
    /// only the attributes that keep their prior values.
    fn answer_with_prior(
        &self,
        request: &ResourceRequest<'_>,
        decision: ChangeDecision,
    ) -> ResourceFact {
        if request.schema.is_some() || request.created.is_some() {
            return self.answer(request.address, decision);
        }
        let kept = match &decision.before {
            Some(before) if !decision.action.is_replacement() => kept(before, &decision.after),
            _ => Vec::new(),
        };
        self.decisions().insert(request.address.clone(), decision);
        ResourceFact::Partly(kept)
    }

    /// Stores the decision about an instance and returns its planned value as the fact.
    fn answer(&self, address: &InstanceAddress, decision: ChangeDecision) -> ResourceFact {
        let value = decision.after.clone();
        self.decisions().insert(address.clone(), decision);
        ResourceFact::Ready(value)
    }
}

/// Returns the attributes whose planned value equals the prior one, with the prior marks. Attributes whose planned value has
/// marks are omitted.
fn kept(before: &Value, after: &Value) -> Vec<(Str, Value)> {
    let ((before, marks), after) = (before.unmark(), after.bare());
    let (Value::Object(before), Value::Object(after)) = (&before, after) else { return Vec::new() };
    let kept = after.iter().filter(|(_, now)| !now.has_marks()).filter_map(|(name, now)| {
        let was = before.get(name).filter(|was| ops::surely_same(was, now))?;
        Some((name.clone(), was.mark(&marks)))
    });
    kept.collect()
}

/// Returns the configured object without its null attributes, and with the attribute `more` unless that is configured.
fn with_attribute(config: &Value, more: Option<(Str, Value)>) -> Value {
    let (bare, marks) = config.unmark();
    let Value::Object(written) = &bare else { return config.clone() };
    let is_set = |name: &Str| written.get(name).is_some_and(|value| !value.is_null());
    let more = more.filter(|(name, _)| !is_set(name));
    let own = written.iter().filter(|(_, value)| !value.is_null());
    let own: Vec<(Str, Value)> = own.map(|(name, value)| (name.clone(), value.clone())).collect();
    Value::object(own.into_iter().chain(more)).mark(&marks)
}

/// Locks a mutex, even if a thread panicked while it held the lock.
fn lock<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ProviderAnswers for PlanFacts {
    fn resource(&self, request: &ResourceRequest<'_>) -> ResourceFact {
        if request.mode == ResourceMode::Managed {
            return self.managed(request);
        }
        let answer =
            self.answers.as_ref().map_or(ResourceFact::Unanswered, |one| one.resource(request));
        match (answer, request.mode, request.kind) {
            (ResourceFact::Unanswered, ResourceMode::Data, "terraform_remote_state") => {
                self.remote.read(request.config)
            }
            (answer, ..) => answer,
        }
    }
}

impl PriorState for PlanFacts {
    fn has_changes(
        &self,
        resource: &ResourceAddress,
        declared: &mut dyn Iterator<Item = InstanceKey>,
    ) -> bool {
        if self.options.goal == PlanGoal::Refresh {
            return false;
        }
        if self.has_no_prior_object() {
            return declared.next().is_some();
        }
        if let Some(known) = lock(&self.changing).get(resource) {
            return *known;
        }
        let found = self.is_changing(resource, declared);
        lock(&self.changing).insert(resource.clone(), found);
        found
    }

    fn is_partial(&self) -> bool {
        self.evaluated_scope().is_some() || self.options.goal == PlanGoal::Refresh
    }

    fn omitted_instances(
        &self,
        resource: &ResourceAddress,
        declared: &mut dyn Iterator<Item = InstanceKey>,
    ) -> Vec<InstanceKey> {
        let scope = self.evaluated_scope();
        let is_out_of_scope = |address: &InstanceAddress| {
            self.options.goal == PlanGoal::Refresh || is_out_of_scope(scope, address)
        };
        let is_absent = |key: &InstanceKey| {
            let address = resource.instance(key.clone());
            is_out_of_scope(&address) && self.prior().current(&address).is_none()
        };
        declared.filter(is_absent).collect()
    }

    fn recorded_object(&self, address: &InstanceAddress) -> Option<RecordedObject> {
        let value = self.decisions().get(address)?.before.clone()?;
        let prior = self.prior();
        let (past, object) = prior.instance(address).zip(prior.current(address))?;
        let from = past.from.as_ref().unwrap_or(address).clone();
        let place = prior.state()?.place_of(object);
        Some(RecordedObject { value, address: from, place })
    }

    fn kept_instances(
        &self,
        resource: &ResourceAddress,
        declared: &mut dyn Iterator<Item = InstanceKey>,
        shape: Option<&BlockSchema>,
    ) -> Vec<(InstanceKey, Value)> {
        if !self.is_partial() {
            return Vec::new();
        }
        let scope = self.evaluated_scope();
        let declared: BTreeSet<InstanceKey> = declared.collect();
        let gone = self.prior().keys(resource).iter().filter(|key| !declared.contains(key));
        let stays = gone.filter_map(|key| {
            let address = resource.instance(key.clone());
            if self.options.goal != PlanGoal::Refresh && !is_out_of_scope(scope, &address) {
                return None;
            }
            let object = self.prior().current(&address)?;
            Some((key.clone(), self.prior().value(object, shape).ok()??))
        });
        stays.collect()
    }
}

/// Returns true if `ignore_changes` names an attribute or block type, or a part of it.
fn is_ignored(ignored: &IgnoredChanges, name: &Str) -> bool {
    match ignored {
        IgnoredChanges::Nothing => false,
        IgnoredChanges::All => true,
        IgnoredChanges::Paths(paths) => paths.iter().any(|path| match path.first() {
            Some(Step::Attribute(first)) => first == name,
            _ => false,
        }),
    }
}
