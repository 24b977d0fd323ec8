//! All that one evaluation shares: the project, the facts, the instances that exist so far and the
//! causes of unknowns, numbered in source order before anything is evaluated.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};

use groma_config::{InstanceKey, ResourceMode};
use groma_eval::{Cause, CauseClass, CauseTable, Context, EvaluationBasis, Scope};
use groma_functions::FunctionLibrary;
use groma_module::built_in;
use groma_module::declare::{Expression, Module};
use groma_syntax::{Diagnostic, Diagnostics, InstanceContext, Place, Sources};
use groma_value::{CauseId, Causes, Fingerprint, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::evaluate::cell::{Cell, CellPart};
use crate::evaluate::cell_diagnostics::Scheduler;
use crate::evaluate::fingerprint::UncountedFingerprints;
use crate::evaluate::incremental::PreviousEvaluation;
use crate::evaluate::instance::{InstanceNode, RepeatKey};
use crate::evaluate::outcome::{ConditionOutcome, DataReading};
use crate::facts::Facts;
use crate::options::RunOptions;
use crate::project::Project;
use crate::tree::{CalledModule, ModuleId, TreeModule};

/// All that one evaluation shares.
pub(crate) struct EvaluationState {
    pub(crate) project: Arc<Project>,
    pub(crate) facts: Arc<dyn Facts>,
    pub(crate) options: RunOptions,
    pub(crate) library: FunctionLibrary,
    /// The unknowns that the code itself leaves; gathered when the first question is asked.
    foreseen: OnceLock<InitialAnswers>,
    instances: RwLock<Vec<Arc<InstanceNode>>>,
    driver: Scheduler,
    ledger: Mutex<OutcomeLedger>,
    /// The older evaluation that values may be taken from.
    older: Mutex<Option<Arc<PreviousEvaluation>>>,
    /// The fingerprints of what has instances that cannot be counted.
    pub(super) uncounted: Mutex<UncountedFingerprints>,
    /// The fingerprint of all code and of what is given, once it was asked for.
    pub(super) self_fed: Mutex<FxHashMap<(u32, u32), Option<Fingerprint>>>,
    /// The place where the run came to its end.
    end: Mutex<Option<Diagnostic>>,
    /// The project's texts and those of questions.
    sources: Mutex<Sources>,
}

/// The outcomes that only some cells have: most have no conditions and read nothing.
#[derive(Default)]
pub(super) struct OutcomeLedger {
    pub(super) outcomes: FxHashMap<Cell, ConditionOutcome>,
    pub(super) readings: FxHashMap<Cell, DataReading>,
}

/// The values that every evaluation begins with.
struct InitialAnswers {
    /// The basis of the evaluation beside names.
    basis: Arc<EvaluationBasis>,
    causes: Arc<CauseTable>,
    registry: Arc<CauseRegistry>,
    /// The number of causes that the code itself gives.
    count: usize,
}

/// The causes that the code itself gives, by what they stand for.
#[derive(Default)]
struct CauseRegistry {
    variables: FxHashMap<u32, Causes>,
    calls: FxHashMap<(ModuleId, u32), Causes>,
    resources: FxHashMap<(ModuleId, u32), Causes>,
    /// Data that is read only when something it depends on exists.
    deferred: FxHashMap<(ModuleId, u32), Causes>,
    /// The arguments that are not written, and may have a default that only a provider knows.
    left: FxHashMap<(ModuleId, u32), Causes>,
}

/// The declaration that a cause stands for.
enum CauseSubject {
    /// An expression says so by itself.
    Expression,
    Variable(u32),
    Call(ModuleId, u32),
    Resource(ModuleId, u32),
    Deferred(ModuleId, u32),
    Left(ModuleId, u32),
}

impl CauseRegistry {
    fn of(project: &Project, facts: &dyn Facts, open: bool, causes: &CauseTable) -> CauseRegistry {
        let mut found: Vec<(Place, Cause, CauseSubject)> = Vec::new();
        let mut seen: FxHashSet<usize> = FxHashSet::default();
        for (at, node) in project.nodes.iter().enumerate() {
            let id = ModuleId(at as u32);
            if seen.insert(Arc::as_ptr(&node.module).addr()) {
                node.module.visit(&mut |_, seen| {
                    if !seen.is_evaluated() {
                        return;
                    }
                    seen.expression.located.foresee(&mut |cause| {
                        found.push((
                            cause.place.unwrap_or_default(),
                            cause,
                            CauseSubject::Expression,
                        ));
                    });
                });
            }
            let mut add = |class, kind, inner: &str, place, subject| {
                let address = node.address_of(inner);
                let address = address.into();
                found.push((place, Cause { class, kind, address, place: Some(place) }, subject));
            };
            for (i, resource) in node.module.resources.iter().enumerate() {
                // The schema tells what is worked out only when it is made.
                let made = built_in::is_data(resource.mode, &resource.kind)
                    || resource.mode == ResourceMode::Managed && resource.schema.is_some();
                let class = if made { CauseClass::Pending } else { CauseClass::Offline };
                let kind = resource.mode.word();
                let subject = CauseSubject::Resource(id, i as u32);
                add(class, kind, &resource.address(), resource.place, subject);
                if resource.mode == ResourceMode::Managed && resource.schema.is_some() {
                    let subject = CauseSubject::Left(id, i as u32);
                    add(
                        CauseClass::Offline,
                        "default",
                        &resource.address(),
                        resource.place,
                        subject,
                    );
                }
                if resource.mode == ResourceMode::Data {
                    let subject = CauseSubject::Deferred(id, i as u32);
                    add(CauseClass::Pending, kind, &resource.address(), resource.place, subject);
                }
            }
            for (i, call) in node.module.calls.iter().enumerate() {
                if matches!(node.children[i], CalledModule::Absent) {
                    let address = format!("module.{}", &*call.name);
                    let subject = CauseSubject::Call(id, i as u32);
                    add(CauseClass::Offline, "module", &address, call.place, subject);
                }
            }
            if id == ModuleId::ROOT {
                for (i, variable) in node.module.variables.iter().enumerate() {
                    let given = project.values.contains_key(&variable.name);
                    if (variable.default.is_none() || open) && !given {
                        let address = format!("var.{}", &*variable.name);
                        let subject = CauseSubject::Variable(i as u32);
                        add(CauseClass::Offline, "variable", &address, variable.place, subject);
                    }
                }
            }
        }
        let mut add = |cause: Cause| {
            found.push((cause.place.unwrap_or_default(), cause, CauseSubject::Expression));
        };
        project.mocks.foresee(&mut add);
        facts.foresee(&mut add);
        let sources = &project.sources;
        if sources.part_count() > 0 {
            found.iter_mut().for_each(|(place, ..)| *place = sources.resolve(*place));
        }
        found.sort_by(|a, b| (a.0, &a.1.address).cmp(&(b.0, &b.1.address)));
        let mut registry = CauseRegistry::default();
        for (_, cause, subject) in found {
            let own = Causes::one(causes.intern(cause));
            match subject {
                CauseSubject::Expression => None,
                CauseSubject::Variable(at) => registry.variables.insert(at, own),
                CauseSubject::Call(node, at) => registry.calls.insert((node, at), own),
                CauseSubject::Resource(node, at) => registry.resources.insert((node, at), own),
                CauseSubject::Deferred(node, at) => registry.deferred.insert((node, at), own),
                CauseSubject::Left(node, at) => registry.left.insert((node, at), own),
            };
        }
        registry
    }
}

/// The causes of an older evaluation, if the code of the project leaves the same unknown; written where it is written now.
fn same_causes(
    older: &EvaluationState,
    project: &Project,
) -> Option<(Arc<CauseTable>, Arc<CauseRegistry>)> {
    let before = &older.project;
    let InitialAnswers { causes, registry, count, .. } = older.foreseen.get()?;
    if causes.len() != *count || before.nodes.len() != project.nodes.len() {
        return None;
    }
    let given = |of: &Project| -> Vec<bool> {
        let variables = of.nodes[0].module.variables.iter();
        variables.map(|variable| of.values.contains_key(&variable.name)).collect()
    };
    let mut moves: Vec<(CauseId, Place)> = Vec::new();
    for (at, (old, new)) in before.nodes.iter().zip(&project.nodes).enumerate() {
        let id = ModuleId(at as u32);
        let children = |node: &TreeModule| -> Vec<bool> {
            node.children.iter().map(|child| matches!(child, CalledModule::Absent)).collect()
        };
        if old.path != new.path || children(old) != children(new) {
            return None;
        }
        if Arc::ptr_eq(&old.module, &new.module) {
            continue;
        }
        let (old, new) = (&old.module, &new.module);
        if !Arc::ptr_eq(&old.names, &new.names) || foresees(old, new) || foresees(new, old) {
            return None;
        }
        let mut moved = |causes: Option<&Causes>, place| {
            let ids = causes.into_iter().flat_map(Causes::ids);
            moves.extend(ids.map(|id| (*id, place)));
        };
        for (i, (old, new)) in old.resources.iter().zip(&new.resources).enumerate() {
            if !Arc::ptr_eq(old, new) {
                if old.schema.is_some() != new.schema.is_some() {
                    return None;
                }
                let key = (id, i as u32);
                moved(registry.resources.get(&key), new.place);
                moved(registry.deferred.get(&key), new.place);
                moved(registry.left.get(&key), new.place);
            }
        }
        for (i, (old, new)) in old.calls.iter().zip(&new.calls).enumerate() {
            if !Arc::ptr_eq(old, new) {
                moved(registry.calls.get(&(id, i as u32)), new.place);
            }
        }
        for (i, (old, new)) in old.variables.iter().zip(&new.variables).enumerate() {
            if !Arc::ptr_eq(old, new) {
                if old.default.is_some() != new.default.is_some() {
                    return None;
                }
                if id == ModuleId::ROOT {
                    moved(registry.variables.get(&(i as u32)), new.place);
                }
            }
        }
    }
    if given(before) != given(project) {
        return None;
    }
    match moves.is_empty() {
        true => Some((causes.clone(), registry.clone())),
        false => {
            let place = |place| project.sources.resolve(place);
            Some((causes.moved(&moves, place).map(Arc::new)?, registry.clone()))
        }
    }
}

impl InitialAnswers {
    fn of(project: &Project, facts: &dyn Facts, options: &RunOptions) -> InitialAnswers {
        let causes = Arc::new(CauseTable::new());
        let registry = Arc::new(CauseRegistry::of(project, facts, options.open_inputs, &causes));
        InitialAnswers::with(project, options, causes, registry)
    }

    fn with(
        project: &Project,
        options: &RunOptions,
        causes: Arc<CauseTable>,
        registry: Arc<CauseRegistry>,
    ) -> InitialAnswers {
        let basis = EvaluationBasis {
            // What is read from is counted for this run.
            host: project.host_for(&options.budget),
            limits: options.limits,
            budget: options.budget.clone(),
            readings: options.readings.clone(),
            semantics: project.semantics.clone(),
            now: options.now,
            seed: options.seed,
            causes: causes.clone(),
            mocks: project.mocks.clone(),
            base: project.dir.clone(),
            samples: false,
            trace: options.trace.as_ref().map(|trace| trace.files.clone()),
        };
        InitialAnswers { basis: Arc::new(basis), count: causes.len(), causes, registry }
    }
}

/// Returns true if what a module declares otherwise than another says by itself that something is unknown.
fn foresees(module: &Module, other: &Module) -> bool {
    let mut found = false;
    module.visit_unlike(other, &mut |_, seen| {
        if !seen.is_evaluated() {
            return;
        }
        let expression = seen.expression;
        expression.located.foresee(&mut |_| found = true);
    });
    found
}

fn causes_of(known: Option<&Causes>) -> Causes {
    known.cloned().unwrap_or(Causes::NONE)
}

impl EvaluationState {
    pub(crate) fn new(
        project: Arc<Project>,
        facts: Arc<dyn Facts>,
        options: RunOptions,
    ) -> EvaluationState {
        EvaluationState::with(project, facts, options, OnceLock::new())
    }

    /// The same where an older one has been; what the code itself leaves unknown need not be gathered again where it is
    /// the same.
    pub(crate) fn following(
        older: &Arc<EvaluationState>,
        project: Arc<Project>,
        facts: Arc<dyn Facts>,
        options: RunOptions,
    ) -> EvaluationState {
        let no_mocks = !project.is_mocked() && !older.project.is_mocked();
        let causes = same_causes(older, &project).filter(|_| no_mocks);
        let foreseen = causes.map_or_else(OnceLock::new, |(causes, registry)| {
            OnceLock::from(InitialAnswers::with(&project, &options, causes, registry))
        });
        let world = EvaluationState::with(project, facts, options, foreseen);
        world.follow(older);
        world
    }

    fn with(
        project: Arc<Project>,
        facts: Arc<dyn Facts>,
        options: RunOptions,
        foreseen: OnceLock<InitialAnswers>,
    ) -> EvaluationState {
        let root = &project.nodes[0].module;
        let instance =
            InstanceNode::new(0, ModuleId::ROOT, root, None, 0, RepeatKey::None, String::new());
        EvaluationState {
            library: FunctionLibrary::of(project.edition),
            foreseen,
            instances: RwLock::new(vec![Arc::new(instance)]),
            driver: Scheduler::default(),
            ledger: Mutex::new(OutcomeLedger::default()),
            older: Mutex::default(),
            uncounted: Mutex::default(),
            self_fed: Mutex::default(),
            end: Mutex::default(),
            sources: Mutex::new(project.sources.clone()),
            project,
            facts,
            options,
        }
    }

    fn foreseen(&self) -> &InitialAnswers {
        let make = || InitialAnswers::of(&self.project, &*self.facts, &self.options);
        self.foreseen.get_or_init(make)
    }

    /// Returns what makes things unknown.
    pub(crate) fn causes(&self) -> &Arc<CauseTable> {
        &self.foreseen().causes
    }

    /// Returns true if it was asked anything.
    pub(super) fn was_asked(&self) -> bool {
        self.foreseen.get().is_some()
    }

    /// Takes what still holds from an older evaluation, which takes nothing more from its own.
    fn follow(&self, older: &Arc<EvaluationState>) {
        let found = PreviousEvaluation::of(older, self).map(Arc::new);
        drop(older.older().take());
        *self.older() = found;
    }

    pub(super) fn older(&self) -> MutexGuard<'_, Option<Arc<PreviousEvaluation>>> {
        self.older.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns how many instances of modules there are so far.
    pub(super) fn instance_count(&self) -> u32 {
        self.instances.read().unwrap_or_else(PoisonError::into_inner).len() as u32
    }

    pub(crate) fn node(&self, id: ModuleId) -> &TreeModule {
        &self.project.nodes[id.0 as usize]
    }

    /// The module of an instance.
    pub(crate) fn module(&self, instance: &InstanceNode) -> &Module {
        &self.node(instance.node).module
    }

    /// Returns what tells it from all others that there are at the same time.
    pub(super) fn number(&self) -> usize {
        std::ptr::from_ref(self).addr()
    }

    pub(crate) fn driver(&self) -> &Scheduler {
        &self.driver
    }

    /// Returns what only some cells have to tell.
    pub(super) fn ledger(&self) -> MutexGuard<'_, OutcomeLedger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn sources(&self) -> MutexGuard<'_, Sources> {
        self.sources.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns where the run came to its end, as far as that was at a cell.
    pub(super) fn end(&self) -> Option<Diagnostic> {
        self.end.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn remember_end(&self, found: Option<Diagnostic>) {
        *self.end.lock().unwrap_or_else(PoisonError::into_inner) = found;
    }

    /// Forgets where an older run came to its end.
    pub(super) fn forget_end(&self) {
        let mut end = self.end.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.has_ended() {
            *end = None;
        }
    }

    /// Fills a cell, unless the run has ended: what is worked out after that is nothing.
    pub(super) fn set<T>(&self, place: &OnceLock<T>, value: T) {
        if !self.has_ended() {
            // Only the driver comes here, and the thread that has entered the cell.
            let _ = place.set(value);
        }
    }

    /// The instance with that number. The root's is 0 and always there.
    pub(crate) fn instance(&self, id: u32) -> Arc<InstanceNode> {
        let instances = self.instances.read().unwrap_or_else(PoisonError::into_inner);
        instances.get(id as usize).or(instances.first()).cloned().expect("the root instance exists")
    }

    /// Makes an instance of the module that a call leads to.
    pub(crate) fn make_instance(
        &self,
        node: ModuleId,
        parent: &Arc<InstanceNode>,
        call: u32,
        position: u32,
        repeat: RepeatKey,
        address: String,
    ) -> u32 {
        let mut instances = self.instances.write().unwrap_or_else(PoisonError::into_inner);
        let id = instances.len() as u32;
        let module = &self.node(node).module;
        let parent = Some((parent.clone(), call));
        let made = InstanceNode::new(id, node, module, parent, position, repeat, address);
        instances.push(Arc::new(made));
        id
    }

    /// Returns why a root variable is unknown.
    pub(crate) fn variable_causes(&self, variable: u32) -> Causes {
        causes_of(self.foreseen().registry.variables.get(&variable))
    }

    /// Returns why the outputs of a call are unknown.
    pub(crate) fn call_causes(&self, node: ModuleId, call: u32) -> Causes {
        causes_of(self.foreseen().registry.calls.get(&(node, call)))
    }

    /// Returns why attributes of a resource are unknown.
    pub(crate) fn resource_causes(&self, node: ModuleId, resource: u32) -> Causes {
        causes_of(self.foreseen().registry.resources.get(&(node, resource)))
    }

    /// Returns why what is not written is unknown.
    pub(crate) fn left_causes(&self, node: ModuleId, resource: u32) -> Causes {
        causes_of(self.foreseen().registry.left.get(&(node, resource)))
    }

    /// Returns why data is not read before something else exists.
    pub(crate) fn deferred_causes(&self, node: ModuleId, resource: u32) -> Causes {
        causes_of(self.foreseen().registry.deferred.get(&(node, resource)))
    }

    /// Returns true if every cause is one that a plan of the reference shares.
    pub(crate) fn is_pending_only(&self, causes: &Causes) -> bool {
        let pending = |id: &CauseId| {
            self.causes().get(*id).is_some_and(|cause| cause.class == CauseClass::Pending)
        };
        !causes.is_empty() && !causes.has_more() && causes.ids().iter().all(pending)
    }

    /// In which instance a cell is, where its declaration may have several.
    pub(super) fn standing(&self, cell: Cell) -> Option<InstanceContext> {
        let instance = self.instance(cell.instance);
        let module = self.module(&instance);
        let mut address = instance.address.clone();
        if let CellPart::Object(at, key) = cell.part {
            let spread = &instance.resources.get(at as usize)?.get()?.spread;
            let (key, _) = spread.instance(key as usize)?;
            let inner = format!("{}{}", module.resources.get(at as usize)?.address(), key.suffix());
            if !address.is_empty() || key != InstanceKey::None {
                address = instance.address_of(&inner);
            }
        }
        let call = instance.parent.as_ref();
        let call = call.map(|(parent, call)| self.module(parent).calls[*call as usize].place);
        (!address.is_empty()).then_some(InstanceContext { address, call, others: 0 })
    }

    /// Returns what evaluating in a scope may look at.
    pub(crate) fn context(&self, scope: Arc<dyn Scope>) -> Context {
        Context { scope, tracer: None, basis: self.foreseen().basis.clone() }
    }

    /// The value of an expression whose needs are settled.
    pub(crate) fn evaluate(
        &self,
        expression: &Expression,
        scope: &Arc<dyn Scope>,
        out: &mut Diagnostics,
    ) -> Value {
        // Constants need no context.
        if let Some(value) = expression.located.code.constant() {
            return value.clone();
        }
        groma_eval::evaluate_to_keep(&expression.located, &self.context(scope.clone()), out)
    }
}
