//! An evaluation of a project, and the queries that it answers. Values are computed lazily and at most once.

use std::sync::{Arc, OnceLock};

use groma_config::DeclarationAddress;
use groma_eval::{CauseTable, Context, Scope};
use groma_module::ProviderSchemas;
use groma_module::declare::Expression;
use groma_syntax::{Diagnostics, Place, Sources};
use groma_value::{Mark, Str, Type, Value};

use crate::evaluate::address::ScopeRef;
use crate::evaluate::cell::{Cell, CellPart, ROOT};
use crate::evaluate::instance::{InstanceNode, RepeatKey};
use crate::evaluate::world::EvaluationState;
use crate::facts::Facts;
use crate::options::RunOptions;
use crate::project::Project;
use crate::tree::ModuleId;

/// The handle of one evaluation of a project: answers queries about its values, which are computed on demand and at most once.
/// Clones share the values; threads may ask concurrently.
#[derive(Clone)]
pub struct Evaluation {
    pub(super) world: Arc<EvaluationState>,
}

/// An output of the root module with its value.
#[derive(Clone, Debug)]
pub struct OutputValue {
    /// The name of the output.
    pub name: Str,
    /// True if it is declared sensitive.
    pub sensitive: bool,
    /// True if it is declared ephemeral.
    pub ephemeral: bool,
    /// The description of its declaration.
    pub description: Option<Str>,
    /// The value of the output, with the marks of its parts.
    pub value: Value,
}

/// A variable or local value of the root module with its value.
#[derive(Clone, Debug)]
pub struct NamedValue {
    /// The name of the variable or local value.
    pub name: Str,
    /// The description; local values have none.
    pub description: Option<Str>,
    /// The value of the variable or local value, with the marks of its parts.
    pub value: Value,
}

impl Evaluation {
    /// Returns a new evaluation of `project`, with no values computed.
    pub fn new(project: Arc<Project>, facts: Facts, options: RunOptions) -> Evaluation {
        Evaluation { world: Arc::new(EvaluationState::new(project, facts, options)) }
    }

    /// Returns an evaluation of a reloaded project that reuses the still valid values of an older one.
    pub fn following(
        older: &Evaluation,
        project: Arc<Project>,
        facts: Facts,
        options: RunOptions,
    ) -> Evaluation {
        let world = EvaluationState::following(&older.world, project, facts, options, false);
        Evaluation { world: Arc::new(world) }
    }

    /// Returns an evaluation of a reloaded project that reuses the values of `older`, also those computed from files: none of the
    /// files that `older` had read when it was [superseded](Evaluation::supersede) may have changed.
    pub fn following_in_same_files(
        older: &Evaluation,
        project: Arc<Project>,
        facts: Facts,
        options: RunOptions,
    ) -> Evaluation {
        let world = EvaluationState::following(&older.world, project, facts, options, true);
        Evaluation { world: Arc::new(world) }
    }

    /// Makes every value that this evaluation still computes from files after this call unfit for reuse; to be called before the
    /// files that it has read are checked for changes, so that a following evaluation can reuse the values computed before if
    /// none has changed.
    pub fn supersede(&self) {
        self.world.set_superseded(true);
    }

    /// Withdraws [`Evaluation::supersede`], as no evaluation follows this one: values computed from files, such as by `file()`,
    /// may be reused again.
    pub fn resume(&self) {
        self.world.set_superseded(false);
    }

    /// Returns the project that is evaluated.
    pub fn project(&self) -> &Arc<Project> {
        &self.world.project
    }

    /// Returns the facts about resources that the evaluation uses.
    pub fn facts(&self) -> &Facts {
        &self.world.facts
    }

    /// Returns the absolute paths of the files that differ between the compared revisions and that a function call at a place,
    /// such as of `file`, may read as its path is unknown. Empty if fingerprints are not computed.
    pub fn may_read(&self, call: Place) -> Vec<String> {
        let trace = self.world.options.trace.as_ref();
        trace.map(|trace| trace.files.read_at(call)).unwrap_or_default()
    }

    /// Returns the texts that places refer to: the project's files, and the expressions of queries so far.
    pub fn sources(&self) -> Sources {
        self.world.sources().clone()
    }

    /// Evaluates the text of an expression in the root module; `name` is its file name in diagnostics. Diagnostics of the
    /// declarations it depends on are reported each time.
    pub fn evaluate_text(&self, text: &str, name: &str, out: &mut Diagnostics) -> Value {
        self.world.answer(&self.at_root(), text, name, out)
    }

    /// Evaluates the text of an expression in the module or resource instance `from`, as [`Evaluation::evaluate_text`] does.
    pub fn evaluate_text_at(
        &self,
        from: &ScopeRef,
        text: &str,
        name: &str,
        out: &mut Diagnostics,
    ) -> Value {
        self.world.answer(from, text, name, out)
    }

    /// Evaluates every declaration of every module instance and reports the diagnostics.
    pub fn evaluate_all(&self, out: &mut Diagnostics) {
        self.evaluate_where(None, out);
    }

    /// Evaluates the declarations whose addresses `wanted` accepts, all if it is `None`, in every module instance, and their
    /// dependencies.
    pub fn evaluate_where(
        &self,
        wanted: Option<&dyn Fn(&DeclarationAddress) -> bool>,
        out: &mut Diagnostics,
    ) {
        let world = &self.world;
        let scheduler = world.scheduler();
        let mut goals: Vec<Cell> = Vec::new();
        let mut instances = vec![ROOT];
        let mut next = 0;
        // Module instances are created while their calls are evaluated.
        while let Some(&id) = instances.get(next) {
            if world.has_ended() {
                break;
            }
            next += 1;
            let instance = world.instance(id);
            let module = world.module(&instance);
            let node = world.node(instance.node);
            let all = |count: usize, part: fn(u32) -> CellPart| {
                let cells = (0..count as u32).map(move |at| Cell { instance: id, part: part(at) });
                cells.filter(|cell| {
                    let Some(wanted) = wanted else { return true };
                    let declared = cell.part.declaration();
                    let name = declared.and_then(|declared| declared.name(&node.module));
                    name.is_some_and(|name| wanted(&node.declared(name)))
                })
            };
            let from = goals.len();
            goals.extend(all(module.calls.len(), CellPart::Call));
            scheduler.fill_all(world, &goals[from..]);
            let calls = instance.calls.iter().filter_map(|cell| cell.get());
            instances.extend(calls.flat_map(|cell| &cell.instances));
            goals.extend(all(module.variables.len(), CellPart::Variable));
            goals.extend(all(module.locals.len(), CellPart::Local));
            goals.extend(all(module.outputs.len(), CellPart::Output));
            let resources = all(module.resources.len(), CellPart::Resource);
            goals.extend(resources.map(|cell| world.requested_cell(&instance, cell)));
            goals.extend(all(module.checks.len(), CellPart::Check));
        }
        scheduler.fill_all(world, &goals);
        scheduler.report(world, &goals, out);
        let is_done = |cell: &Cell| {
            world.instance(cell.instance).state(cell.part).is_some_and(|state| state.is_done())
        };
        // Where everything is worked out, nothing is left to be taken over, and the older tables need not be held.
        if wanted.is_none() && !world.has_ended() && goals.iter().all(is_done) {
            let older = world.older().take();
            drop(older);
        }
    }

    /// Returns an estimate of the bytes that the evaluation's module instances and values hold. Values that share parts count as
    /// if each had its own, up to a few kilobytes each.
    pub fn held_bytes(&self) -> u64 {
        let world = &self.world;
        let instances = (0..world.instance_count()).map(|id| world.instance(id));
        let bytes = instances
            .map(|one| InstanceNode::bytes(world.module(&one), &one.address) + one.filled_bytes());
        bytes.sum()
    }

    /// Returns true if a value is unknown in a plan of the reference programs, too.
    pub fn is_pending(&self, value: &Value) -> bool {
        !value.is_known() && self.world.is_pending_only(&value.deep_causes())
    }

    /// Returns true if a part of a value is unknown in a plan of the reference programs, too.
    pub fn has_pending(&self, value: &Value) -> bool {
        !value.is_wholly_known() && self.world.is_pending_only(&value.deep_causes())
    }

    /// Evaluates cells of the root module's instance and reports their diagnostics.
    fn evaluate_cells(&self, parts: impl Iterator<Item = CellPart>, out: &mut Diagnostics) {
        let goals: Vec<Cell> = parts.map(|part| Cell { instance: ROOT, part }).collect();
        let scheduler = self.world.scheduler();
        scheduler.fill_all(&self.world, &goals);
        scheduler.report(&self.world, &goals, out);
    }

    /// Returns every output of the root module, sorted by name.
    pub fn outputs(&self, out: &mut Diagnostics) -> Vec<OutputValue> {
        let count = self.world.module(&self.world.instance(ROOT)).outputs.len() as u32;
        self.evaluate_cells((0..count).map(CellPart::Output), out);
        (0..count).filter_map(|at| self.output_at(at)).collect()
    }

    /// Returns an output of the root module, if it is declared.
    pub fn output(&self, name: &str, out: &mut Diagnostics) -> Option<OutputValue> {
        let at = self.world.module(&self.world.instance(ROOT)).names.output(name)?;
        self.evaluate_cells(std::iter::once(CellPart::Output(at)), out);
        self.output_at(at)
    }

    /// Returns true if facts requested about any resource instance are not available yet, so that values that depend on them
    /// are not known yet.
    pub fn is_waiting(&self) -> bool {
        !self.waiting().is_empty()
    }

    /// Returns the addresses of the resource instances about which requested facts are not available yet, sorted. The next
    /// evaluation asks for these facts again.
    pub fn waiting(&self) -> Vec<String> {
        self.world.scheduler().waiting()
    }

    /// Returns the value in a cell after its evaluation; for a cell that is not filled, an unknown value while any requested
    /// facts are not available yet, else `None`.
    fn value_in(&self, cell: Option<&OnceLock<Value>>) -> Option<Value> {
        let open = || self.is_waiting().then(|| Value::unknown(Type::Dynamic));
        cell?.get().cloned().or_else(open)
    }

    /// Returns the root output at an index, if its cell is filled.
    fn output_at(&self, at: u32) -> Option<OutputValue> {
        let root = self.world.instance(ROOT);
        let declared = self.world.module(&root).outputs.get(at as usize)?;
        let value = self.value_in(root.outputs.get(at as usize))?;
        Some(OutputValue {
            name: declared.name.clone(),
            sensitive: declared.sensitive,
            ephemeral: declared.ephemeral || value.marks().contains(&Mark::Ephemeral),
            description: declared.description.clone(),
            value,
        })
    }

    /// Returns every variable of the root module, sorted by name.
    pub fn variables(&self, out: &mut Diagnostics) -> Vec<NamedValue> {
        let root = self.world.instance(ROOT);
        let declared = &self.world.module(&root).variables;
        self.evaluate_cells((0..declared.len() as u32).map(CellPart::Variable), out);
        let values = declared.iter().zip(&root.variables);
        values
            .filter_map(|(variable, cell)| {
                Some(NamedValue {
                    name: variable.name.clone(),
                    description: variable.description.clone(),
                    value: self.value_in(Some(cell))?,
                })
            })
            .collect()
    }

    /// Returns every local value of the root module, sorted by name.
    pub fn locals(&self, out: &mut Diagnostics) -> Vec<NamedValue> {
        let root = self.world.instance(ROOT);
        let declared = &self.world.module(&root).locals;
        self.evaluate_cells((0..declared.len() as u32).map(CellPart::Local), out);
        let values = declared.iter().zip(&root.locals);
        values
            .filter_map(|(local, cell)| {
                let (name, value) = (local.name.clone(), self.value_in(Some(cell))?);
                Some(NamedValue { name, description: None, value })
            })
            .collect()
    }

    /// Evaluates an expression of the module `at` in the first instance of that module; `None` if it has no instance.
    pub(crate) fn evaluate_in_first(
        &self,
        at: ModuleId,
        expression: &Expression,
        out: &mut Diagnostics,
    ) -> Option<Value> {
        let world = &self.world;
        let mut way = Vec::new();
        let mut node = world.node(at);
        while let Some((parent, call)) = node.parent {
            way.push(call);
            node = world.node(parent);
        }
        let mut id = ROOT;
        for call in way.into_iter().rev() {
            world.scheduler().fill_all(world, &[Cell { instance: id, part: CellPart::Call(call) }]);
            id = *world.instance(id).calls.get(call as usize)?.get()?.instances.first()?;
        }
        let instance = world.instance(id);
        Some(world.fill_and_evaluate(&instance, RepeatKey::None, expression, out))
    }

    /// Returns the names of the root's variables that have been evaluated.
    pub(crate) fn evaluated_variables(&self) -> Vec<Str> {
        let root = self.world.instance(ROOT);
        let declared = self.world.module(&root).variables.iter().zip(&root.variables);
        declared.filter(|(_, cell)| cell.get().is_some()).map(|(one, _)| one.name.clone()).collect()
    }

    /// Returns the root module's names as a scope that evaluates on demand.
    pub fn scope(&self) -> Arc<dyn Scope> {
        self.scope_at(&self.at_root())
    }

    /// Returns the names visible in the module or resource instance `from` as a scope that evaluates on demand.
    pub fn scope_at(&self, from: &ScopeRef) -> Arc<dyn Scope> {
        self.world.on_demand_scope(from)
    }

    /// Returns the context in which expressions of the root module are evaluated.
    pub fn context(&self) -> Context {
        self.world.context(self.scope())
    }

    /// Returns the provider schemas of the project.
    pub fn schemas(&self) -> &ProviderSchemas {
        &self.world.project.schemas
    }

    /// Returns the table of causes, to which unknown values refer by id.
    pub fn causes(&self) -> &Arc<CauseTable> {
        self.world.causes()
    }

    /// Returns completions for expressions in the root module: `var.name`, `local.name`, `module.call.output` and the like,
    /// sorted.
    pub fn completions(&self) -> Vec<String> {
        self.completions_at(&self.at_root())
    }

    /// Returns completions for expressions in the module or resource instance `from`, sorted.
    pub fn completions_at(&self, from: &ScopeRef) -> Vec<String> {
        let nodes = &self.world.project.nodes;
        let node = self.world.node(from.instance.node);
        let module = &node.module;
        let mut names: Vec<String> =
            ["path.cwd", "path.module", "path.root", "terraform.workspace"]
                .map(str::to_owned)
                .to_vec();
        names.extend(from.own_names().map(str::to_owned));
        names.extend(module.variable_names().map(|name| format!("var.{name}")));
        names.extend(module.local_names().map(|name| format!("local.{name}")));
        names.extend(module.resource_addresses());
        for (call, child) in module.calls.iter().zip(&node.children) {
            let address = call.address();
            if let crate::tree::CalledModule::Module(id) = child
                && matches!(call.repetition, groma_module::declare::Repetition::Single)
            {
                let outputs = nodes[id.0 as usize].module.output_names();
                names.extend(outputs.map(|output| format!("{address}.{output}")));
            }
            names.push(address);
        }
        names.sort();
        names
    }
}
