//! The shared state of one evaluation: the project, the facts, the module instances created so far, and the causes of unknowns,
//! which are numbered in source order before anything is evaluated.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};

use groma_config::{InstanceKey, ModuleAddress};
use groma_eval::{CauseClass, CauseTable, Context, EvaluationBasis, Scope};
use groma_functions::FunctionLibrary;
use groma_module::declare::{Expression, Module};
use groma_syntax::{Diagnostic, Diagnostics, InstanceContext, Place, Sources};
use groma_value::{CauseChanges, CauseId, Causes, Fingerprint, Value};
use rustc_hash::FxHashMap;

use crate::evaluate::cause_registry::CauseRegistry;
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

/// The shared state of one evaluation: its project, facts, module instances, scheduler and causes.
pub(crate) struct EvaluationState {
    pub(crate) project: Arc<Project>,
    pub(crate) facts: Facts,
    pub(crate) options: RunOptions,
    pub(crate) library: FunctionLibrary,
    /// The initial state, computed at the first query.
    initial: OnceLock<InitialState>,
    instances: RwLock<Vec<Arc<InstanceNode>>>,
    scheduler: Scheduler,
    ledger: Mutex<OutcomeLedger>,
    /// The older evaluation from which values are reused.
    older: Mutex<Option<Arc<PreviousEvaluation>>>,
    /// True if the files that it has read are being compared for an evaluation that follows.
    is_superseded: AtomicBool,
    /// The fingerprints of declarations whose number of instances is unknown.
    pub(super) uncounted: Mutex<UncountedFingerprints>,
    /// The fingerprints of the code that self-fed calls depend on, by module and call, on first use.
    pub(super) self_fed: Mutex<FxHashMap<(u32, u32), Option<Fingerprint>>>,
    /// The diagnostic for the end of the run, if it ended at a cell.
    end: Mutex<Option<Diagnostic>>,
    /// The project's texts and those of queries.
    sources: Mutex<Sources>,
}

/// The outcomes of conditions and the read statuses of data sources by cell, for the cells that have any.
#[derive(Default)]
pub(super) struct OutcomeLedger {
    pub(super) outcomes: FxHashMap<Cell, ConditionOutcome>,
    pub(super) readings: FxHashMap<Cell, DataReading>,
}

/// The state of an evaluation before any cell is filled: the context without names, and the causes that follow from the code.
struct InitialState {
    /// The evaluation context without names.
    basis: Arc<EvaluationBasis>,
    causes: Arc<CauseTable>,
    registry: Arc<CauseRegistry>,
    /// The number of causes registered from the code.
    count: usize,
}

/// Returns the causes of an older evaluation, moved to their present places, if the project's code has the same unknowns.
fn same_causes(
    older: &EvaluationState,
    project: &Project,
) -> Option<(Arc<CauseTable>, Arc<CauseRegistry>)> {
    let before = &older.project;
    let InitialState { causes, registry, count, .. } = older.initial.get()?;
    if before.nodes.len() != project.nodes.len() {
        return None;
    }
    // Causes that were met during the evaluation are numbered anew by each.
    let causes = &match causes.len() == *count {
        true => causes.clone(),
        false => Arc::new(causes.first(*count)),
    };
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
        if !Arc::ptr_eq(&old.names, &new.names)
            || has_own_causes(old, new)
            || has_own_causes(new, old)
        {
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
                moved(registry.unset.get(&key), new.place);
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
            let moved = causes.moved(&moves, |place| project.sources.place_key(place))?;
            Some((Arc::new(moved), registry.clone()))
        }
    }
}

impl InitialState {
    /// Registers all causes that the code contains and returns the initial state of an evaluation.
    fn of(project: &Project, facts: &Facts, options: &RunOptions) -> InitialState {
        let causes = Arc::new(CauseTable::new());
        let registry = Arc::new(CauseRegistry::of(project, facts, options.open_inputs, &causes));
        InitialState::with(project, options, causes, registry)
    }

    /// Returns the initial state of an evaluation of a project whose causes are registered already.
    fn with(
        project: &Project,
        options: &RunOptions,
        causes: Arc<CauseTable>,
        registry: Arc<CauseRegistry>,
    ) -> InitialState {
        let basis = EvaluationBasis {
            // Reads are charged to the budget of this run.
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
        InitialState { basis: Arc::new(basis), count: causes.len(), causes, registry }
    }
}

/// Returns true if one of the declarations in which two versions of a module differ has causes of unknown values of its own.
fn has_own_causes(module: &Module, other: &Module) -> bool {
    let mut found = false;
    module.visit_changed(other, &mut |_, seen| {
        if !seen.is_evaluated() {
            return;
        }
        let expression = seen.expression;
        expression.located.visit_causes(&mut |_| found = true);
    });
    found
}

/// Returns a copy of the given causes; the empty set for `None`.
fn causes_of(known: Option<&Causes>) -> Causes {
    known.cloned().unwrap_or(Causes::NONE)
}

impl EvaluationState {
    /// Returns the state of a new evaluation, in which no cell is filled.
    pub(crate) fn new(project: Arc<Project>, facts: Facts, options: RunOptions) -> EvaluationState {
        EvaluationState::with(project, facts, options, OnceLock::new())
    }

    /// Returns the state of an evaluation that follows an older one and reuses its causes if the code has the same unknowns;
    /// `same_files` says that all that the older one had read when it was superseded is unchanged.
    pub(crate) fn following(
        older: &Arc<EvaluationState>,
        project: Arc<Project>,
        facts: Facts,
        options: RunOptions,
        same_files: bool,
    ) -> EvaluationState {
        let no_mocks = !project.is_mocked() && !older.project.is_mocked();
        let causes = same_causes(older, &project).filter(|_| no_mocks);
        let initial = causes.map_or_else(OnceLock::new, |(causes, registry)| {
            OnceLock::from(InitialState::with(&project, &options, causes, registry))
        });
        let world = EvaluationState::with(project, facts, options, initial);
        world.follow(older, same_files);
        world
    }

    /// Returns a state of the project with only the root instance and no filled cell; `initial` is the initial state, if
    /// computed already.
    fn with(
        project: Arc<Project>,
        facts: Facts,
        options: RunOptions,
        initial: OnceLock<InitialState>,
    ) -> EvaluationState {
        let root = &project.nodes[0].module;
        let instance = InstanceNode::new(
            0,
            ModuleId::ROOT,
            root,
            None,
            0,
            RepeatKey::None,
            ModuleAddress::ROOT,
        );
        EvaluationState {
            library: FunctionLibrary::of(project.edition),
            initial,
            instances: RwLock::new(vec![Arc::new(instance)]),
            scheduler: Scheduler::default(),
            ledger: Mutex::new(OutcomeLedger::default()),
            older: Mutex::default(),
            is_superseded: AtomicBool::new(false),
            uncounted: Mutex::default(),
            self_fed: Mutex::default(),
            end: Mutex::default(),
            sources: Mutex::new(project.sources.clone()),
            project,
            facts,
            options,
        }
    }

    /// Returns the state of the evaluation before any cell is filled, computed on first use.
    fn initial_state(&self) -> &InitialState {
        let make = || InitialState::of(&self.project, &self.facts, &self.options);
        self.initial.get_or_init(make)
    }

    /// Returns the table of causes of unknown values.
    pub(crate) fn causes(&self) -> &Arc<CauseTable> {
        &self.initial_state().causes
    }

    /// Returns which causes of unknown values differ in place or number in the evaluation `other`; `None` if they cannot be
    /// matched, as the code has other unknowns.
    pub(super) fn cause_changes(&self, other: &EvaluationState) -> Option<CauseChanges> {
        let (mine, others) = (self.initial_state(), other.initial_state());
        if mine.count != others.count {
            return None;
        }
        mine.causes.changes(&others.causes, mine.count)
    }

    /// Returns true if the evaluation has answered a query, or is about to.
    pub(super) fn has_been_queried(&self) -> bool {
        self.initial.get().is_some()
    }

    /// Makes this evaluation follow `older` and reuse its unchanged values, with `same_files` also those computed from files;
    /// `older` drops the evaluation that it follows itself, so that no chain arises.
    fn follow(&self, older: &Arc<EvaluationState>, same_files: bool) {
        let found = PreviousEvaluation::of(older, self, same_files).map(Arc::new);
        drop(older.older().take());
        *self.older() = found;
    }

    /// Marks the evaluation as superseded, because the files that it has read are being checked for changes, so that another
    /// evaluation can follow, or withdraws the mark. What a cell reads is recorded before the cell is filled, so a comparison
    /// of files that begins after this mark includes the files of every cell that is not late.
    pub(crate) fn set_superseded(&self, is_superseded: bool) {
        self.is_superseded.store(is_superseded, Ordering::SeqCst);
    }

    /// Returns true if the files that this evaluation has read are perhaps being checked for changes already, so that values
    /// that it still computes from files are not reused.
    pub(super) fn is_superseded(&self) -> bool {
        self.is_superseded.load(Ordering::SeqCst)
    }

    /// Locks the older evaluation whose values are reused.
    pub(super) fn older(&self) -> MutexGuard<'_, Option<Arc<PreviousEvaluation>>> {
        self.older.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the number of module instances created so far.
    pub(super) fn instance_count(&self) -> u32 {
        self.instances.read().unwrap_or_else(PoisonError::into_inner).len() as u32
    }

    /// Returns a module of the module tree, by its number.
    pub(crate) fn node(&self, id: ModuleId) -> &TreeModule {
        &self.project.nodes[id.0 as usize]
    }

    /// Returns the declarations of the module that an instance belongs to.
    pub(crate) fn module(&self, instance: &InstanceNode) -> &Module {
        &self.node(instance.node).module
    }

    /// Returns a number that differs from those of all other evaluations alive at the same time.
    pub(super) fn number(&self) -> usize {
        std::ptr::from_ref(self).addr()
    }

    /// Returns the scheduler, which fills the cells of this evaluation.
    pub(crate) fn scheduler(&self) -> &Scheduler {
        &self.scheduler
    }

    /// Locks the table of condition outcomes and data source statuses.
    pub(super) fn ledger(&self) -> MutexGuard<'_, OutcomeLedger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks the texts that places in diagnostics refer to.
    pub(crate) fn sources(&self) -> MutexGuard<'_, Sources> {
        self.sources.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the diagnostic for the early end of the run, if it ended at a cell.
    pub(super) fn end(&self) -> Option<Diagnostic> {
        self.end.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Stores the diagnostic for the early end of the run.
    pub(super) fn remember_end(&self, found: Option<Diagnostic>) {
        *self.end.lock().unwrap_or_else(PoisonError::into_inner) = found;
    }

    /// Drops the stored diagnostic for the early end of the run, unless the run has ended.
    pub(super) fn forget_end(&self) {
        let mut end = self.end.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.has_ended() {
            *end = None;
        }
    }

    /// Stores the value of a cell, unless the run has ended: which values are computed after that may depend on the timing of
    /// threads.
    pub(super) fn set<T>(&self, place: &OnceLock<T>, value: T) {
        if !self.has_ended() {
            // Only the scheduler calls this, on the thread that has entered the cell.
            let _ = place.set(value);
        }
    }

    /// Returns the module instance with an id. The root's is 0 and always exists.
    pub(crate) fn instance(&self, id: u32) -> Arc<InstanceNode> {
        let instances = self.instances.read().unwrap_or_else(PoisonError::into_inner);
        instances.get(id as usize).or(instances.first()).cloned().expect("the root instance exists")
    }

    /// Creates an instance of the called module `node`, the one at the index `position` among the instances of the call, and
    /// returns its id.
    pub(crate) fn make_instance(
        &self,
        node: ModuleId,
        parent: &Arc<InstanceNode>,
        call: u32,
        position: u32,
        repeat: RepeatKey,
        path: ModuleAddress,
    ) -> u32 {
        let mut instances = self.instances.write().unwrap_or_else(PoisonError::into_inner);
        let id = instances.len() as u32;
        let module = &self.node(node).module;
        let parent = Some((parent.clone(), call));
        let made = InstanceNode::new(id, node, module, parent, position, repeat, path);
        instances.push(Arc::new(made));
        id
    }

    /// Returns the causes for the unknown value of a root variable that has no value.
    pub(crate) fn variable_causes(&self, variable: u32) -> Causes {
        causes_of(self.initial_state().registry.variables.get(&variable))
    }

    /// Returns the causes for the unknown outputs of a module call.
    pub(crate) fn call_causes(&self, node: ModuleId, call: u32) -> Causes {
        causes_of(self.initial_state().registry.calls.get(&(node, call)))
    }

    /// Returns the causes for the unknown attributes of a resource.
    pub(crate) fn resource_causes(&self, node: ModuleId, resource: u32) -> Causes {
        causes_of(self.initial_state().registry.resources.get(&(node, resource)))
    }

    /// Returns the causes of the unknown values of a resource's attributes that its block does not set, since a provider may have
    /// defaults for them.
    pub(crate) fn unset_causes(&self, node: ModuleId, resource: u32) -> Causes {
        causes_of(self.initial_state().registry.unset.get(&(node, resource)))
    }

    /// Returns the causes for the unknown attributes of a data source that is read only once a dependency exists.
    pub(crate) fn deferred_causes(&self, node: ModuleId, resource: u32) -> Causes {
        causes_of(self.initial_state().registry.deferred.get(&(node, resource)))
    }

    /// Returns true if every cause also applies to a plan of the reference program; false without causes.
    pub(crate) fn is_pending_only(&self, causes: &Causes) -> bool {
        let pending = |id: &CauseId| {
            self.causes().get(*id).is_some_and(|cause| cause.class == CauseClass::Pending)
        };
        !causes.is_empty() && !causes.has_more() && causes.ids().iter().all(pending)
    }

    /// Returns the instance to name in diagnostics of a cell; `None` if its declaration has a single instance in the root module.
    pub(super) fn instance_context(&self, cell: Cell) -> Option<InstanceContext> {
        let instance = self.instance(cell.instance);
        let module = self.module(&instance);
        let mut address = instance.address.clone();
        if let CellPart::Object(at, key) = cell.part {
            let expansion = &instance.resources.get(at as usize)?.get()?.expansion;
            let (key, _) = expansion.instance(key as usize)?;
            let inner = format!("{}{}", module.resources.get(at as usize)?.address(), key.suffix());
            if !address.is_empty() || key != InstanceKey::None {
                address = instance.address_of(&inner);
            }
        }
        let call = instance.parent.as_ref();
        let call = call.map(|(parent, call)| self.module(parent).calls[*call as usize].place);
        (!address.is_empty()).then_some(InstanceContext { address, call, others: 0 })
    }

    /// Returns the context for evaluating expressions in the given scope.
    pub(crate) fn context(&self, scope: Arc<dyn Scope>) -> Context {
        Context { scope, tracer: None, basis: self.initial_state().basis.clone() }
    }

    /// Evaluates an expression in the given scope; its dependencies must have been filled.
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
