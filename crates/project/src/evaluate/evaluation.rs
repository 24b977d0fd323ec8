//! An evaluation of a project, and what it can be asked. Nothing is evaluated before it is asked for, and nothing twice.

use std::sync::{Arc, OnceLock};

use groma_eval::{CauseTable, Context, Scope};
use groma_module::ProviderSchemas;
use groma_module::declare::Expression;
use groma_syntax::{Diagnostics, Place, Sources};
use groma_value::{Mark, Str, Type, Value};

use crate::evaluate::address::ScopeRef;
use crate::evaluate::cell::{Cell, CellPart, ROOT};
use crate::evaluate::instance::RepeatKey;
use crate::evaluate::world::EvaluationState;
use crate::facts::{Facts, RecordedObject};
use crate::options::RunOptions;
use crate::project::Project;
use crate::tree::ModuleId;

/// An evaluation of a project. Cloning shares it; it may be asked from several threads.
#[derive(Clone)]
pub struct Evaluation {
    pub(super) world: Arc<EvaluationState>,
}

/// An output of the root module.
#[derive(Clone, Debug)]
pub struct OutputValue {
    /// Its name.
    pub name: Str,
    /// True if its declaration says that it is not to be shown.
    pub sensitive: bool,
    /// True if its declaration says that it is not to be kept.
    pub ephemeral: bool,
    /// The description of its declaration.
    pub description: Option<Str>,
    /// Its value, with the marks of its parts.
    pub value: Value,
}

/// A variable or a local value of the root module.
#[derive(Clone, Debug)]
pub struct NamedValue {
    /// Its name.
    pub name: Str,
    /// The description of its declaration; local values have none.
    pub description: Option<Str>,
    /// Its value, with the marks of its parts.
    pub value: Value,
}

impl Evaluation {
    /// An evaluation of `project` in which nothing is evaluated yet.
    pub fn new(project: Arc<Project>, facts: Arc<dyn Facts>, options: RunOptions) -> Evaluation {
        Evaluation { world: Arc::new(EvaluationState::new(project, facts, options)) }
    }

    /// An evaluation of a project that was loaded again, with what still holds of an older one.
    pub fn following(
        older: &Evaluation,
        project: Arc<Project>,
        facts: Arc<dyn Facts>,
        options: RunOptions,
    ) -> Evaluation {
        Evaluation {
            world: Arc::new(EvaluationState::following(&older.world, project, facts, options)),
        }
    }

    /// The project.
    pub fn project(&self) -> &Arc<Project> {
        &self.world.project
    }

    /// Returns what was there before an instance, where the facts know that.
    pub fn recorded(&self, address: &str) -> Option<RecordedObject> {
        self.world.facts.recorded(address)
    }

    /// Returns the changed files that a call may read whose argument is not known, as absolute paths. Nothing is told where
    /// fingerprints are not worked out.
    pub fn may_read(&self, call: Place) -> Vec<String> {
        let trace = self.world.options.trace.as_ref();
        trace.map(|trace| trace.files.read_at(call)).unwrap_or_default()
    }

    /// Every text so far: the project's files and the questions asked.
    pub fn sources(&self) -> Sources {
        self.world.sources().clone()
    }

    /// The value of an expression in the root module; `name` is what its text is called in
    /// diagnostics. What was found in the declarations it needs is reported each time.
    pub fn evaluate_text(&self, text: &str, name: &str, out: &mut Diagnostics) -> Value {
        self.world.answer(&self.at_root(), text, name, out)
    }

    /// The same in another instance.
    pub fn evaluate_text_at(
        &self,
        from: &ScopeRef,
        text: &str,
        name: &str,
        out: &mut Diagnostics,
    ) -> Value {
        self.world.answer(from, text, name, out)
    }

    /// Evaluates every declaration of every module instance.
    pub fn evaluate_all(&self, out: &mut Diagnostics) {
        self.evaluate_where(None, out);
    }

    /// Evaluates some declarations of every module instance, and what they need: those whose addresses in the graph are
    /// wanted.
    pub fn evaluate_where(&self, wanted: Option<&dyn Fn(&str) -> bool>, out: &mut Diagnostics) {
        let world = &self.world;
        let driver = world.driver();
        let mut goals: Vec<Cell> = Vec::new();
        let mut instances = vec![ROOT];
        let mut next = 0;
        // Instances come into being while their calls are evaluated.
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
                    declared
                        .is_some_and(|declared| wanted(&crate::graph::describe(node, declared).0))
                })
            };
            let from = goals.len();
            goals.extend(all(module.calls.len(), CellPart::Call));
            driver.settle(world, &goals[from..]);
            let calls = instance.calls.iter().filter_map(|cell| cell.get());
            instances.extend(calls.flat_map(|cell| &cell.instances));
            goals.extend(all(module.variables.len(), CellPart::Variable));
            goals.extend(all(module.locals.len(), CellPart::Local));
            goals.extend(all(module.outputs.len(), CellPart::Output));
            let resources = all(module.resources.len(), CellPart::Resource);
            goals.extend(resources.map(|cell| world.of_itself(&instance, cell)));
            goals.extend(all(module.checks.len(), CellPart::Check));
        }
        driver.settle(world, &goals);
        driver.report(world, &goals, out);
    }

    /// Returns true if a value is unknown and the reference programs do not know it either.
    pub fn is_pending(&self, value: &Value) -> bool {
        !value.is_known() && self.world.is_pending_only(&value.deep_causes())
    }

    /// Returns true if some part of a value is unknown, and the reference programs know no more.
    pub fn has_pending(&self, value: &Value) -> bool {
        !value.is_wholly_known() && self.world.is_pending_only(&value.deep_causes())
    }

    /// Evaluates the cells of the root instance and reports what was found.
    fn settle(&self, parts: impl Iterator<Item = CellPart>, out: &mut Diagnostics) {
        let goals: Vec<Cell> = parts.map(|part| Cell { instance: ROOT, part }).collect();
        let driver = self.world.driver();
        driver.settle(&self.world, &goals);
        driver.report(&self.world, &goals, out);
    }

    /// Every output of the root module, by name.
    pub fn outputs(&self, out: &mut Diagnostics) -> Vec<OutputValue> {
        let count = self.world.module(&self.world.instance(ROOT)).outputs.len() as u32;
        self.settle((0..count).map(CellPart::Output), out);
        (0..count).filter_map(|at| self.output_at(at)).collect()
    }

    /// The output of that name, if the root module declares it.
    pub fn output(&self, name: &str, out: &mut Diagnostics) -> Option<OutputValue> {
        let at = self.world.module(&self.world.instance(ROOT)).names.output(name)?;
        self.settle(std::iter::once(CellPart::Output(at)), out);
        self.output_at(at)
    }

    /// Returns true if facts are still to answer for an instance: what needs it is not known before.
    pub fn is_waiting(&self) -> bool {
        !self.waiting().is_empty()
    }

    /// The addresses of the instances that facts are still to answer for, sorted. Asking again goes on from there.
    pub fn waiting(&self) -> Vec<String> {
        self.world.driver().waiting()
    }

    /// Returns what is in a cell that was to be filled; unknown where it waits for an answer.
    fn value_in(&self, cell: Option<&OnceLock<Value>>) -> Option<Value> {
        let open = || self.is_waiting().then(|| Value::unknown(Type::Dynamic));
        cell?.get().cloned().or_else(open)
    }

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

    /// Every variable of the root module, by name.
    pub fn variables(&self, out: &mut Diagnostics) -> Vec<NamedValue> {
        let root = self.world.instance(ROOT);
        let declared = &self.world.module(&root).variables;
        self.settle((0..declared.len() as u32).map(CellPart::Variable), out);
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

    /// Every local value of the root module, by name.
    pub fn locals(&self, out: &mut Diagnostics) -> Vec<NamedValue> {
        let root = self.world.instance(ROOT);
        let declared = &self.world.module(&root).locals;
        self.settle((0..declared.len() as u32).map(CellPart::Local), out);
        let values = declared.iter().zip(&root.locals);
        values
            .filter_map(|(local, cell)| {
                let (name, value) = (local.name.clone(), self.value_in(Some(cell))?);
                Some(NamedValue { name, description: None, value })
            })
            .collect()
    }

    /// The value of an expression of a module, worked out in the first instance of it.
    pub(crate) fn fixed(
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
            world.driver().settle(world, &[Cell { instance: id, part: CellPart::Call(call) }]);
            id = *world.instance(id).calls.get(call as usize)?.get()?.instances.first()?;
        }
        let instance = world.instance(id);
        Some(world.settle_and_evaluate(&instance, RepeatKey::None, expression, out))
    }

    /// The names of the root module as a scope; what is looked up is evaluated then.
    pub fn scope(&self) -> Arc<dyn Scope> {
        self.scope_at(&self.at_root())
    }

    /// The names of an instance as a scope; what is looked up is evaluated then.
    pub fn scope_at(&self, from: &ScopeRef) -> Arc<dyn Scope> {
        self.world.asking_scope(from)
    }

    /// Returns what evaluating an expression in the root module may look at.
    pub fn context(&self) -> Context {
        self.world.context(self.scope())
    }

    /// The schemas that it knows.
    pub fn schemas(&self) -> &ProviderSchemas {
        &self.world.project.schemas
    }

    /// Returns what the causes of unknown values stand for.
    pub fn causes(&self) -> &Arc<CauseTable> {
        self.world.causes()
    }

    /// Returns what may be typed at a console: `var.name`, `local.name`, `module.call.output` and the like,
    /// sorted.
    pub fn completions(&self) -> Vec<String> {
        self.completions_at(&self.at_root())
    }

    /// The same in another instance.
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
            let address = format!("module.{}", &*call.name);
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
