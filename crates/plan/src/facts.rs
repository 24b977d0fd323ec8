//! What a plan knows of resources: what a state records of them, what becomes of them, and the outputs in another
//! configuration's state file. It is asked while the code is evaluated, so that whoever refers to a resource sees
//! what is planned. It remembers its answers: whether something changes decides about others.

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, OnceLock, PoisonError};

use groma_eval::Step;
use groma_folder::{Key, Mode};
use groma_module::declare::Ignored;
use groma_project::{Fact, Facts, Project, RecordedObject, Request, TriggeredBy};
use groma_runtime::Dialect;
use groma_syntax::{Diagnostic, Place};
use groma_value::schema::BlockSchema;
use groma_value::{Object, Str, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::asked::{self, Beside};
use crate::built_in;
use crate::change::Action;
use crate::codes;
use crate::compare::{hide, part, same};
use crate::decide::{BY_REQUEST, Decision, Existing};
use crate::options::{Goal, PlanOptions, StateFile};
use crate::prior::Prior;
use crate::propose::without_ignored;
use crate::remote::RemoteStates;
use crate::state::Recorded;
use crate::targets::{Targeting, is_left};

/// What a plan knows.
pub struct PlanFacts {
    remote: RemoteStates,
    /// Who answers for providers, if somebody does.
    pub(crate) answers: Option<Arc<dyn Facts>>,
    dialect: Dialect,
    pub(crate) options: PlanOptions,
    /// What was there before, and has moved to where it is looked for.
    prior: OnceLock<Prior>,
    /// The objects that are taken over, by address.
    imports: OnceLock<FxHashMap<String, Imported>>,
    /// Those that called modules take over.
    inner_imports: OnceLock<FxHashMap<String, Imported>>,
    /// What is planned at all.
    pub(crate) scope: OnceLock<Targeting>,
    /// What is evaluated, where that is another part than the planned one.
    pub(crate) evaluated: OnceLock<Targeting>,
    /// What becomes of instances, by address.
    decisions: Mutex<FxHashMap<String, Decision>>,
    /// Whether some instance of a resource changes, by the address of the resource, once somebody has asked: everything
    /// about its instances is decided by then.
    changing: Mutex<FxHashMap<String, bool>>,
    /// The same, where it triggers a replacement.
    triggering: Mutex<FxHashMap<String, bool>>,
    /// The addresses of what is to be replaced.
    replaces: FxHashSet<String>,
    /// What is wrong with recorded objects.
    troubles: Mutex<FxHashMap<String, Diagnostic>>,
}

/// An object that is taken over.
#[derive(Clone, Debug)]
pub(crate) struct Imported {
    /// By which id.
    pub(crate) id: Option<Str>,
    /// Whether it is known.
    pub(crate) is_known: bool,
    /// Whether it is sensitive.
    pub(crate) is_hidden: bool,
}

impl PlanFacts {
    /// Facts for a project. What a state records counts once a plan is made.
    pub fn of(project: &Project) -> PlanFacts {
        PlanFacts::with(
            project,
            PlanOptions { state: StateFile::Nowhere, ..PlanOptions::default() },
            None,
        )
    }

    /// Facts for a plan. `answers` is who answers for providers: they are asked about every instance that is planned, and
    /// about data that is read.
    pub fn with(
        project: &Project,
        options: PlanOptions,
        answers: Option<Arc<dyn Facts>>,
    ) -> PlanFacts {
        PlanFacts {
            remote: RemoteStates::of(project),
            answers,
            replaces: options.replaces.iter().map(ToString::to_string).collect(),
            changing: Mutex::default(),
            triggering: Mutex::default(),
            dialect: project.edition().dialect,
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

    /// Whose program the plan is for.
    pub(crate) fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// What was there before.
    pub(crate) fn prior(&self) -> &Prior {
        static NOTHING: LazyLock<Prior> = LazyLock::new(Prior::default);
        self.prior.get().unwrap_or(&NOTHING)
    }

    /// Takes note of what was there before.
    pub(crate) fn begin_with(&self, prior: Prior) {
        let _ = self.prior.set(prior);
    }

    /// Takes note of what is taken over.
    pub(crate) fn take_over(&self, imports: FxHashMap<String, Imported>) {
        let _ = self.imports.set(imports);
    }

    /// The same of what called modules take over.
    pub(crate) fn take_over_inside(&self, imports: FxHashMap<String, Imported>) {
        let _ = self.inner_imports.set(imports);
    }

    fn all_imports(&self) -> impl Iterator<Item = &FxHashMap<String, Imported>> {
        self.imports.get().into_iter().chain(self.inner_imports.get())
    }

    /// How an instance is taken over, if it is.
    pub(crate) fn imported(&self, address: &str) -> Option<&Imported> {
        let is_there = self.prior().slot(address).is_some_and(|slot| slot.current.is_some());
        self.all_imports().find_map(|all| all.get(address)).filter(|_| !is_there)
    }

    /// What becomes of an instance, if it was asked about.
    pub(crate) fn decision(&self, address: &str) -> Option<Decision> {
        self.decisions().get(address).cloned()
    }

    /// What is to be done with it, if that was asked.
    pub(crate) fn action(&self, address: &str) -> Option<Action> {
        self.decisions().get(address).map(|decision| decision.action)
    }

    fn decisions(&self) -> MutexGuard<'_, FxHashMap<String, Decision>> {
        lock(&self.decisions)
    }

    /// What is wrong with recorded objects, by address.
    pub(crate) fn troubles(&self) -> Vec<Diagnostic> {
        let troubles = lock(&self.troubles);
        let mut all: Vec<(&String, &Diagnostic)> = troubles.iter().collect();
        all.sort_by(|a, b| a.0.cmp(b.0));
        all.into_iter().map(|(_, found)| found.clone()).collect()
    }

    /// Takes note that a recorded object cannot be read.
    pub(crate) fn report(&self, address: &str, why: &str, place: Option<Place>) {
        let detail = format!("What the state records of {address} cannot be used: {why}.");
        let found = Diagnostic::error(&codes::RECORDED_OBJECT, detail);
        let found = match place {
            Some(place) => found.at(place),
            None => found,
        };
        let mut troubles = lock(&self.troubles);
        // The first knows the place, if any does.
        troubles.entry(address.to_owned()).or_insert(found);
    }

    /// Whether what is recorded is read anew first. Where all is to go and nothing is recorded, nothing is looked at.
    pub(crate) fn refreshes(&self) -> bool {
        let is_empty = || {
            let state = self.prior().state();
            state.is_none_or(|state| state.objects.is_empty() && state.outputs.is_empty())
        };
        self.options.refreshes && !(self.options.goal == Goal::Destroy && is_empty())
    }

    /// The part that is evaluated; nothing where that is everything.
    pub(crate) fn evaluated_scope(&self) -> Option<&Targeting> {
        self.evaluated.get().or(self.scope.get())
    }

    /// Whether everything is yet to be made.
    fn knows_nothing(&self) -> bool {
        self.prior().state().is_none() && self.all_imports().all(FxHashMap::is_empty)
    }

    fn managed(&self, request: &Request<'_>) -> Fact {
        let scope = self.evaluated_scope();
        if self.knows_nothing() && scope.is_none() && self.options.goal != Goal::Refresh {
            return self.made(request, None);
        }
        let address = request.address;
        let is_left = is_left(scope, address);
        let recorded = self.prior().current(address);
        let read = recorded.map(|object| self.recorded(object, request));
        let before = match read.transpose() {
            Ok(before) => before.flatten(),
            Err(why) => {
                self.report(address, &why, Some(request.declared.place));
                let ty = request.made.map_or(groma_value::Type::Dynamic, Value::ty);
                return Fact::Ready(Value::unknown(ty));
            }
        };
        let Some(before) = before else {
            return self.fresh(request, is_left);
        };
        if is_left || self.options.goal == Goal::Refresh {
            return Fact::Ready(hide(&before, None));
        }
        let existing = Existing {
            request,
            is_tainted: recorded.is_some_and(|object| object.tainted),
            forced: self.forced(request),
            is_refreshed: self.options.refreshes,
            before,
        };
        let Some(answers) = &self.answers else { return self.decided(request, existing.decide()) };
        match existing.ask(&**answers, &self.beside(address)) {
            Ok(decision) if decision.is_open => self.decided(request, decision),
            Ok(decision) => self.answer(address, decision),
            Err(other) => other,
        }
    }

    /// What a state says of an object beside its value, for who answers for its provider.
    fn beside(&self, address: &str) -> Beside {
        let prior = self.prior();
        let Some((slot, object)) = prior.slot(address).zip(prior.current(address)) else {
            return Beside::default();
        };
        Beside {
            private: prior.state().and_then(|state| state.private_of(object)),
            schema_version: object.schema_version,
            from: slot.from.as_ref().map(ToString::to_string),
        }
    }

    /// An instance that is made, where somebody may answer for its provider.
    fn made(&self, request: &Request<'_>, reason: Option<&'static str>) -> Fact {
        let answer = self.answers.as_ref().map_or(Fact::Unanswered, |one| one.resource(request));
        match asked::planned(answer, request.schema) {
            Ok(Some(planned)) => {
                let decision = asked::made(request, planned);
                self.answer(request.address, Decision { reason, ..decision })
            }
            Ok(None) => self.held(request),
            Err(other) => other,
        }
    }

    /// What an instance is whose ignored parts stay as another revision of the code has them.
    fn held(&self, request: &Request<'_>) -> Fact {
        let ignored = &request.declared.lifecycle().ignored;
        let Some(held) = self.options.held.get(request.address) else { return Fact::Unanswered };
        match (request.made, held.bare(), request.config) {
            (Some(made), held, _) => {
                let kept = without_ignored(ignored, held, made);
                Fact::Ready(if request.is_built_in() {
                    built_in::with_output(kept, held)
                } else {
                    kept
                })
            }
            (None, Value::Object(before), Value::Object(written)) => {
                // What is written on one side only counts as a null on the other.
                let all = |own: &Object, other: &Object| {
                    let more = other.iter().filter(|(name, _)| own.get(name).is_none());
                    let more = more.map(|(name, value)| (name.clone(), Value::null(value.ty())));
                    let own = own.iter().map(|(name, value)| (name.clone(), value.clone()));
                    Value::object(own.chain(more).collect::<Vec<_>>())
                };
                let kept = without_ignored(ignored, &all(before, written), &all(written, before));
                let Value::Object(kept) = kept else { return Fact::Unanswered };
                let parts = kept.iter().filter(|(name, _)| names(ignored, name));
                Fact::Partly(parts.map(|(name, value)| (name.clone(), value.clone())).collect())
            }
            _ => Fact::Unanswered,
        }
    }

    /// What is recorded of an instance. It may have moved from a resource of another type, which only some providers
    /// understand.
    fn recorded(&self, object: &Recorded, request: &Request<'_>) -> Result<Option<Value>, String> {
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
        // The older kit for providers has no moves between types.
        let is_old = request.schema.is_some_and(BlockSchema::has_hidden_defaults);
        match request.is_built_in() || is_old {
            true => Err(format!(
                "it is a {}, and the provider does not turn such an object into a {}. Remove the moved block, or the old object from the state",
                &*object.entry.kind, request.kind
            )),
            false => self.prior().value(object, request.schema),
        }
    }

    /// An instance of which nothing is recorded.
    fn fresh(&self, request: &Request<'_>, is_left: bool) -> Fact {
        let is_refreshed = self.options.goal == Goal::Refresh;
        if is_left || is_refreshed && self.imported(request.address).is_none() {
            let ty = request.schema.map_or(groma_value::Type::Dynamic, |block| block.ty());
            return Fact::Ready(Value::unknown_because(ty, request.computed.clone()));
        }
        let Some(imported) = self.imported(request.address) else {
            let after = request.made.unwrap_or(request.config);
            // That is said even of what is not there yet.
            let reason = self.triggered(request);
            let fact = self.made(request, reason);
            if matches!(fact, Fact::Unanswered) {
                let decision = Decision { reason, ..Decision::create(after.clone()) };
                self.decisions().insert(request.address.to_owned(), decision);
            }
            return fact;
        };
        if let (true, true, Some(shape)) =
            (request.is_built_in(), imported.is_known, request.schema)
        {
            let id = imported.id.clone().map_or(Value::NULL, Value::String);
            let before = built_in::object_of(shape, &[("id", id)]);
            if is_refreshed {
                return Fact::Ready(before);
            }
            let forced = self.forced(request);
            let decision =
                Existing { request, before, is_tainted: false, forced, is_refreshed: true }
                    .decide();
            return self.answer(request.address, decision);
        }
        if let (Some(answers), Some(id)) = (&self.answers, &imported.id) {
            match self.found(request, id, &**answers) {
                Ok(Some(decision)) if is_refreshed => {
                    return Fact::Ready(decision.before.unwrap_or(Value::NULL));
                }
                Ok(Some(decision)) => return self.answer(request.address, decision),
                Ok(None) => {}
                Err(other) => return other,
            }
        }
        // What is there only the provider could read.
        let id = imported.id.clone().map(|id| (Str::from("id"), Value::String(id)));
        let after = match request.made {
            Some(made) => made.clone(),
            None => beside(request.config, id.clone()),
        };
        let mut decision = Decision::create(after);
        decision.action = Action::Update;
        decision.is_open = true;
        decision.before = Some(Value::object(id));
        if request.made.is_some() {
            return self.answer(request.address, decision);
        }
        // Many providers take another text for an id than the one that the object then has.
        self.decisions().insert(request.address.to_owned(), decision);
        Fact::Partly(Vec::new())
    }

    /// What becomes of an object that is taken over, where somebody has looked at it; nothing where nobody has.
    fn found(
        &self,
        request: &Request<'_>,
        id: &str,
        answers: &dyn Facts,
    ) -> Result<Option<Decision>, Fact> {
        let asked = Request { importing: Some(id), ..*request };
        let Some(planned) = asked::planned(answers.resource(&asked), request.schema)? else {
            return Ok(None);
        };
        let Some(before) = planned.before.clone() else { return Ok(None) };
        let (_, written) = request.config.unmark_deep_paths();
        let forced = self.forced(request);
        let existing = Existing { request, before, is_tainted: false, forced, is_refreshed: true };
        existing.settle(planned, &written, answers).map(Some)
    }

    /// What becomes of an instance that is recorded, for whoever refers to it.
    fn decided(&self, request: &Request<'_>, decision: Decision) -> Fact {
        if request.schema.is_some() || request.made.is_some() {
            return self.answer(request.address, decision);
        }
        let kept = match &decision.before {
            Some(before) if !decision.action.is_replacement() => kept(before, &decision.after),
            _ => Vec::new(),
        };
        self.decisions().insert(request.address.to_owned(), decision);
        Fact::Partly(kept)
    }

    fn answer(&self, address: &str, decision: Decision) -> Fact {
        let value = decision.after.clone();
        self.decisions().insert(address.to_owned(), decision);
        Fact::Ready(value)
    }

    /// Why an instance is replaced, whatever changes.
    fn forced(&self, request: &Request<'_>) -> Option<&'static str> {
        let is_asked = || self.replaces.contains(request.address).then_some(BY_REQUEST);
        self.triggered(request).or_else(is_asked)
    }

    fn triggered(&self, request: &Request<'_>) -> Option<&'static str> {
        let is_triggered = request.triggers.iter().any(|trigger| self.is_triggered(trigger));
        is_triggered.then_some("replace_by_triggers")
    }

    fn is_triggered(&self, trigger: &TriggeredBy) -> bool {
        if let Some(key) = &trigger.key {
            return self.triggers(trigger, key);
        }
        if let Some(known) = lock(&self.triggering).get(&trigger.resource) {
            return *known;
        }
        let recorded = self.prior().keys(&trigger.resource);
        let found = trigger.declared.iter().chain(recorded).any(|key| self.triggers(trigger, key));
        lock(&self.triggering).insert(trigger.resource.clone(), found);
        found
    }

    /// Whether one instance triggers a replacement.
    fn triggers(&self, trigger: &TriggeredBy, key: &Key) -> bool {
        let is_tofu = self.dialect == Dialect::OpenTofu;
        let decisions = self.decisions();
        let address = format!("{}{}", trigger.resource, key.suffix());
        let Some(decision) = decisions.get(&address) else { return false };
        let before = decision.before.as_ref();
        if trigger.path.is_empty() {
            let is_made = decision.action == Action::Create && is_tofu;
            return is_made
                || decision.action == Action::Update
                || decision.action.is_replacement();
        }
        if before.is_none() && !is_tofu {
            return false;
        }
        let was = before.and_then(|before| part(before, &trigger.path));
        let now = part(&decision.after, &trigger.path);
        match (was, now) {
            (Some(was), Some(now)) => !same(&was, &now),
            (was, now) => was.is_some() != now.is_some(),
        }
    }

    fn is_changing(&self, resource: &str, declared: &mut dyn Iterator<Item = Key>) -> bool {
        let mut gone: BTreeSet<&Key> = self.prior().keys(resource).iter().collect();
        let decisions = self.decisions();
        let is_changing = declared.fold(false, |changes, key| {
            gone.remove(&key);
            let decision = decisions.get(&format!("{resource}{}", key.suffix()));
            changes || decision.is_some_and(|decision| decision.action != Action::NoOp)
        });
        is_changing || !gone.is_empty()
    }
}

/// The attributes that an object keeps as they are recorded, with what hides them. What is written so that it is hidden
/// counts as written.
fn kept(before: &Value, after: &Value) -> Vec<(Str, Value)> {
    let ((before, marks), after) = (before.unmark(), after.bare());
    let (Value::Object(before), Value::Object(after)) = (&before, after) else { return Vec::new() };
    let kept = after.iter().filter(|(_, now)| !now.has_marks()).filter_map(|(name, now)| {
        let was = before.get(name).filter(|was| same(was, now))?;
        Some((name.clone(), was.mark(&marks)))
    });
    kept.collect()
}

/// What is written, and beside it an attribute that is not.
fn beside(config: &Value, more: Option<(Str, Value)>) -> Value {
    let (bare, marks) = config.unmark();
    let Value::Object(written) = &bare else { return config.clone() };
    let is_set = |name: &Str| written.get(name).is_some_and(|value| !value.is_null());
    let more = more.filter(|(name, _)| !is_set(name));
    let own = written.iter().filter(|(_, value)| !value.is_null());
    let own: Vec<(Str, Value)> = own.map(|(name, value)| (name.clone(), value.clone())).collect();
    Value::object(own.into_iter().chain(more)).mark(&marks)
}

fn lock<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Facts for PlanFacts {
    fn resource(&self, request: &Request<'_>) -> Fact {
        if request.mode == Mode::Managed {
            return self.managed(request);
        }
        let answer = self.answers.as_ref().map_or(Fact::Unanswered, |one| one.resource(request));
        match (answer, request.mode, request.kind) {
            (Fact::Unanswered, Mode::Data, "terraform_remote_state") => {
                self.remote.read(request.config)
            }
            (answer, ..) => answer,
        }
    }

    fn changes(&self, resource: &str, declared: &mut dyn Iterator<Item = Key>) -> bool {
        if self.options.goal == Goal::Refresh {
            return false;
        }
        if self.knows_nothing() {
            return declared.next().is_some();
        }
        if let Some(known) = lock(&self.changing).get(resource) {
            return *known;
        }
        let found = self.is_changing(resource, declared);
        lock(&self.changing).insert(resource.to_owned(), found);
        found
    }

    fn leaves(&self) -> bool {
        self.evaluated_scope().is_some() || self.options.goal == Goal::Refresh
    }

    fn absent(&self, resource: &str, declared: &mut dyn Iterator<Item = Key>) -> Vec<Key> {
        let scope = self.evaluated_scope();
        let is_left = |address: &str| self.options.goal == Goal::Refresh || is_left(scope, address);
        let is_absent = |key: &Key| {
            let address = format!("{resource}{}", key.suffix());
            is_left(&address) && self.prior().current(&address).is_none()
        };
        declared.filter(is_absent).collect()
    }

    fn recorded(&self, address: &str) -> Option<RecordedObject> {
        let value = self.decisions().get(address)?.before.clone()?;
        let prior = self.prior();
        let (slot, object) = prior.slot(address).zip(prior.current(address))?;
        let from = slot.from.as_ref().map(ToString::to_string);
        let place = prior.state()?.place_of(object);
        Some(RecordedObject { value, address: from.unwrap_or_else(|| address.to_owned()), place })
    }

    fn staying(
        &self,
        resource: &str,
        declared: &mut dyn Iterator<Item = Key>,
        shape: Option<&BlockSchema>,
    ) -> Vec<(Key, Value)> {
        if !self.leaves() {
            return Vec::new();
        }
        let scope = self.evaluated_scope();
        let declared: BTreeSet<Key> = declared.collect();
        let gone = self.prior().keys(resource).iter().filter(|key| !declared.contains(key));
        let stays = gone.filter_map(|key| {
            let address = format!("{resource}{}", key.suffix());
            if self.options.goal != Goal::Refresh && !is_left(scope, &address) {
                return None;
            }
            let object = self.prior().current(&address)?;
            Some((key.clone(), self.prior().value(object, shape).ok()??))
        });
        stays.collect()
    }
}

/// Whether a part of an attribute or of blocks is left to others.
fn names(ignored: &Ignored, name: &Str) -> bool {
    match ignored {
        Ignored::Nothing => false,
        Ignored::All => true,
        Ignored::Paths(paths) => paths.iter().any(|path| match path.first() {
            Some(Step::Attribute(first)) => first == name,
            _ => false,
        }),
    }
}
