//! Memory of a validation: the diagnostics of each declaration and the names that it looked up, so that the next validation
//! reuses those that an edit has not affected. A declaration is unaffected if it is identical and every name that it looked up
//! has the same value; if its module declares other names, nothing of the module is reused.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use groma_eval::ValueSources;
use groma_module::declare::{Module, Variable};
use groma_module::visit::Declaration;
use groma_runtime::{Edition, Moment, Semantics};
use groma_syntax::{Diagnostic, Diagnostics};
use groma_value::ops::same;
use groma_value::{Type, Value, identical};
use rustc_hash::FxHashMap;

use crate::options::ProjectOptions;
use crate::project::Project;
use crate::tree::{CalledModule, ModuleId, TreeModule};

/// The results of a validation by declaration, for reuse by the next validation. They contain no text and no input value.
pub struct ValidationResults {
    basis: ValidationBasis,
    /// The modules by address.
    modules: FxHashMap<String, ModuleResults>,
    /// The semantics, which record the differences between editions that had an effect.
    semantics: Arc<Semantics>,
}

/// The results of an older validation, with a flag: true if the files that it read are unchanged.
#[derive(Clone, Copy)]
pub struct OlderValidation<'o> {
    /// The older validation.
    pub results: &'o ValidationResults,
    /// True if none of the files that it had read has changed.
    pub has_same_files: bool,
}

impl ValidationResults {
    /// Returns an estimate of the bytes that the remembered results take.
    pub fn held_bytes(&self) -> usize {
        let results =
            self.modules.values().flat_map(|one| one.results.0.iter().flatten().flatten());
        let bytes = results.map(|results| {
            let found: usize = results.found.iter().map(Diagnostic::held_bytes).sum();
            size_of::<DeclarationResults>() + size_of_val(&*results.reads) + found
        });
        self.modules.len() * size_of::<ModuleResults>() + bytes.sum::<usize>()
    }
}

/// The settings besides the code that every diagnostic of a validation depends on.
#[derive(Clone, PartialEq)]
struct ValidationBasis {
    edition: Edition,
    dir: Arc<str>,
    workspace: String,
    cwd: Option<String>,
    limits: groma_runtime::Limits,
    now: Option<Moment>,
    seed: Option<u64>,
}

/// The remembered results of validating one module of the tree.
struct ModuleResults {
    module: Arc<Module>,
    /// The directory relative to the root.
    at: String,
    /// For each call, true if its module is available.
    children: Box<[bool]>,
    /// The types of its outputs, if computed.
    outputs: Option<OutputTypes>,
    results: Arc<ResultTable>,
}

/// The remembered results of the declarations of one module, by kind and index.
#[derive(Default)]
struct ResultTable([Vec<Option<Arc<DeclarationResults>>>; Declaration::KINDS.len()]);

/// The types of a module's outputs, in order.
pub(super) type OutputTypes = Arc<[Type]>;

/// The remembered results of validating a declaration: its diagnostics, the names and other sources that it read, and its value.
struct DeclarationResults {
    /// The diagnostics, with source ranges in parts of texts.
    found: Box<[Diagnostic]>,
    /// The names that it looked up.
    reads: Box<[UsedSource]>,
    /// The value, if other declarations can refer to it.
    value: Option<Value>,
}

/// A name or other source of values, such as a file, that was used while a declaration was validated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum UsedSource {
    Variable(u32),
    Local(u32),
    Call(u32),
    Resource(u32),
    /// A file or the environment.
    File,
    /// Something that may change without an edit: a clock, chance, a value in a cycle.
    Volatile,
}

impl ResultTable {
    /// Returns the remembered results of a declaration, if any.
    fn get(&self, declaration: Declaration) -> Option<&Arc<DeclarationResults>> {
        let (kind, at) = declaration.position();
        self.0[kind].get(at as usize)?.as_ref()
    }

    /// Stores the results of validating a declaration.
    fn keep(&mut self, declaration: Declaration, results: Arc<DeclarationResults>) {
        let (kind, at) = declaration.position();
        let (all, at) = (&mut self.0[kind], at as usize);
        if all.len() <= at {
            all.resize(at + 1, None);
        }
        all[at] = Some(results);
    }
}

impl ValidationBasis {
    /// Returns the settings that the diagnostics of this validation depend on.
    fn of(project: &Project, options: &ProjectOptions) -> ValidationBasis {
        ValidationBasis {
            edition: project.edition,
            dir: project.dir.clone(),
            workspace: project.workspace.clone(),
            cwd: options.run.cwd.clone(),
            limits: options.run.limits,
            now: options.run.now,
            seed: options.run.seed,
        }
    }
}

/// The memory of a validation in progress: the older results that it reuses, and the results for the next one.
pub(super) struct ValidationMemory<'o> {
    older: Option<&'o ValidationResults>,
    /// True if everything that the older one had read is unchanged.
    has_same_files: bool,
    /// The addresses of modules, by number.
    addresses: Vec<String>,
    /// For each module by number, true if its callers see the same variables and outputs as before.
    same_interfaces: Vec<bool>,
    modules: FxHashMap<String, ModuleResults>,
}

impl<'o> ValidationMemory<'o> {
    /// Returns the memory for a new validation, which reuses `older` results if there are any; `None` if mocks may affect the
    /// results.
    pub(super) fn begin(
        project: &Project,
        options: &ProjectOptions,
        older: Option<OlderValidation<'o>>,
    ) -> Option<ValidationMemory<'o>> {
        if project.is_mocked() {
            return None;
        }
        let basis = ValidationBasis::of(project, options);
        // A random number depends on its place, and a template may call for one.
        let has_same_files =
            older.is_some_and(|older| older.has_same_files) && basis.seed.is_none();
        let older = older.map(|older| older.results).filter(|older| older.basis == basis);
        if let Some(older) = older {
            project.semantics.note_all(&older.semantics);
        }
        let addresses: Vec<String> = project.nodes.iter().map(TreeModule::address).collect();
        let mut same_interfaces = vec![false; project.nodes.len()];
        // A called module comes after its caller.
        for (at, node) in project.nodes.iter().enumerate().rev() {
            let before = older.and_then(|older| older.modules.get(&addresses[at]));
            same_interfaces[at] = before.is_some_and(|before| {
                let (new, old) = (&node.module, &before.module);
                let is_below_same =
                    |id: &ModuleId| same_interfaces.get(id.0 as usize) == Some(&true);
                before.holds_names_of(node)
                    && new.shares_variables(old)
                    && new.shares_outputs(old)
                    && node.children.len() == before.children.len()
                    && node.children.iter().zip(&before.children).all(|pair| match pair {
                        (CalledModule::Module(id), true) => is_below_same(id),
                        (CalledModule::Absent, false) => true,
                        _ => false,
                    })
            });
        }
        let modules = FxHashMap::default();
        Some(ValidationMemory { older, has_same_files, addresses, same_interfaces, modules })
    }

    /// Returns the memory for validating one module, given for each of its calls the types of the outputs, if computed: `called`.
    pub(super) fn of_module(
        &self,
        project: &Project,
        id: ModuleId,
        called: &[Option<OutputTypes>],
    ) -> ModuleMemory<'o> {
        let at = id.0 as usize;
        let node = &project.nodes[at];
        let older = self.older.and_then(|older| older.modules.get(&self.addresses[at]));
        let before = older.filter(|before| before.holds_names_of(node));
        let same_calls = node.children.iter().enumerate().map(|(call, child)| {
            let Some(before) = before else { return false };
            let is_there = before.children.get(call) == Some(&true);
            let is_same_child = match child {
                CalledModule::Module(id) => {
                    is_there && self.same_interfaces[id.0 as usize] && {
                        let address = &self.addresses[id.0 as usize];
                        let known = self.older.and_then(|older| older.modules.get(address));
                        let types = called.get(call).and_then(Option::as_ref);
                        known.is_some_and(|known| known.outputs.as_ref() == types)
                    }
                }
                CalledModule::Absent => !is_there,
            };
            is_same_child && node.module.shares(&before.module, Declaration::Call(call as u32))
        });
        let same_calls = same_calls.collect();
        let locals = vec![false; node.module.locals.len()];
        ModuleMemory {
            before,
            has_same_files: self.has_same_files,
            same_calls,
            same_locals: RefCell::new(locals),
            sources: Cell::new(ValueSources::Names),
            now: RefCell::default(),
        }
    }

    /// Stores the results of a validated module and the types of its `outputs` for the next validation; a module that equals
    /// another one has that one's results.
    pub(super) fn keep(
        &mut self,
        project: &Project,
        id: ModuleId,
        results: SharedResults,
        outputs: Option<OutputTypes>,
    ) {
        let node = &project.nodes[id.0 as usize];
        let is_there = |child: &CalledModule| matches!(child, CalledModule::Module(_));
        let one = ModuleResults {
            module: node.module.clone(),
            at: node.at.clone(),
            children: node.children.iter().map(is_there).collect(),
            outputs,
            results: results.0,
        };
        self.modules.insert(self.addresses[id.0 as usize].clone(), one);
    }

    /// Returns the results to remember for the next validation; `None` if the run has ended early.
    pub(super) fn finish(
        self,
        project: &Project,
        options: &ProjectOptions,
    ) -> Option<ValidationResults> {
        let basis = ValidationBasis::of(project, options);
        let (modules, semantics) = (self.modules, project.semantics.clone());
        let one = ValidationResults { basis, modules, semantics };
        options.run.budget.ended().is_none().then_some(one)
    }
}

impl ModuleResults {
    /// Returns true if names in the module `node` have the same meaning as in the module of these results, when it was validated.
    fn holds_names_of(&self, node: &TreeModule) -> bool {
        Arc::ptr_eq(&self.module.names, &node.module.names) && self.at == node.at
    }
}

/// The remembered results for a module, shared by equal modules.
#[derive(Clone, Default)]
pub(super) struct SharedResults(Arc<ResultTable>);

/// The memory of one module while it is validated: the older results, and those for the next validation.
pub(super) struct ModuleMemory<'o> {
    before: Option<&'o ModuleResults>,
    /// True if everything that the older validation had read is unchanged.
    has_same_files: bool,
    same_calls: Vec<bool>,
    /// For each local value, true if it has its older value.
    same_locals: RefCell<Vec<bool>>,
    /// What the current declaration depends on besides names.
    sources: Cell<ValueSources>,
    now: RefCell<ResultTable>,
}

impl ModuleMemory<'_> {
    /// Records the sources of values outside of the code, such as files, that the declaration being validated depends on.
    pub(super) fn note_sources(&self, sources: ValueSources) {
        self.sources.set(self.sources.get().max(sources));
    }

    /// Returns the results of validating the module's declarations, which the next validation may reuse.
    pub(super) fn into_results(self) -> SharedResults {
        SharedResults(Arc::new(self.now.into_inner()))
    }

    /// Reports the remembered diagnostics of a declaration and returns its remembered value, if it has one; `None` if the results
    /// are no longer valid.
    pub(super) fn report_again(
        &self,
        module: &Module,
        declaration: Declaration,
        out: &mut Diagnostics,
    ) -> Option<Option<Value>> {
        let known = self.take(module, declaration)?;
        out.extend(known.found.iter().cloned());
        let value = known.value.clone();
        self.keep(declaration, known);
        Some(value)
    }

    /// Begins a validation of a declaration: no source of values outside of the code, such as a file, is recorded for it yet.
    pub(super) fn begin(&self) {
        self.sources.set(ValueSources::Names);
    }

    /// Stores the results of the declaration that has just been validated: the diagnostics `found`, the names and other sources
    /// that it `reads`, and its value.
    pub(super) fn finish(
        &self,
        declaration: Declaration,
        found: &Diagnostics,
        mut reads: Vec<UsedSource>,
        value: Option<Value>,
    ) {
        if let Declaration::Call(at) = declaration {
            // Its inputs are checked against the called module's declarations.
            reads.push(UsedSource::Call(at));
        }
        let has_cause = value.as_ref().is_some_and(|value| !value.deep_causes().ids().is_empty());
        match self.sources.get() {
            ValueSources::Names if !has_cause => {}
            ValueSources::Files if !has_cause => reads.push(UsedSource::File),
            _ => reads = vec![UsedSource::Volatile],
        }
        reads.sort_unstable();
        reads.dedup();
        let found = found.iter().cloned().collect();
        self.keep(declaration, Arc::new(DeclarationResults { found, reads: reads.into(), value }));
    }

    /// Returns the remembered results for a declaration, if they are still valid.
    fn take(&self, module: &Module, declaration: Declaration) -> Option<Arc<DeclarationResults>> {
        let before = self.before?;
        let results = before.results.get(declaration)?;
        let shares = |declaration| module.shares(&before.module, declaration);
        let is_silent = results.found.is_empty();
        let holds = |read: &UsedSource| match *read {
            UsedSource::Variable(at) => {
                let pair = (module.variables.get(at as usize), before.variable(at));
                shares(Declaration::Variable(at))
                    || is_silent && matches!(pair, (Some(new), Some(old)) if is_alike(new, old))
            }
            UsedSource::Local(at) => self.same_locals.borrow().get(at as usize) == Some(&true),
            UsedSource::Call(at) => self.same_calls.get(at as usize) == Some(&true),
            // Equal names have resources of equal types. A diagnostic may contain the place of one.
            UsedSource::Resource(at) => is_silent || shares(Declaration::Resource(at)),
            UsedSource::File => self.has_same_files,
            UsedSource::Volatile => false,
        };
        (shares(declaration) && results.reads.iter().all(holds)).then(|| results.clone())
    }

    /// Stores the results of a declaration, and records if its value is unchanged.
    fn keep(&self, declaration: Declaration, results: Arc<DeclarationResults>) {
        if let Declaration::Local(at) = declaration {
            let known = self.before.and_then(|before| before.results.get(declaration));
            let is_same = known.is_some_and(|known| match (&known.value, &results.value) {
                (Some(old), Some(new)) => Arc::ptr_eq(known, &results) || is_same_value(new, old),
                _ => false,
            });
            if let Some(same) = self.same_locals.borrow_mut().get_mut(at as usize) {
                *same = is_same;
            }
        }
        self.now.borrow_mut().keep(declaration, results);
    }
}

impl ModuleResults {
    /// Returns a variable of the module as it was when validated, by its index; `None` if it had none there.
    fn variable(&self, at: u32) -> Option<&Arc<Variable>> {
        self.module.variables.get(at as usize)
    }
}

/// Returns true if two versions of a variable have the same type and give their values the same marks.
fn is_alike(new: &Variable, old: &Variable) -> bool {
    new.value_type() == old.value_type()
        && (new.sensitive, new.ephemeral) == (old.sensitive, old.ephemeral)
}

/// Returns true if two values in a validation without inputs are indistinguishable.
fn is_same_value(new: &Value, old: &Value) -> bool {
    let has_no_cause = |value: &Value| value.deep_causes().ids().is_empty();
    let is_plain = match (new.bare(), old.bare()) {
        (Value::Unknown(_), Value::Unknown(_)) => has_no_cause(new) && has_no_cause(old),
        (new, old) => new.is_wholly_known() && old.is_wholly_known() && identical(new, old),
    };
    is_plain && same(new, old)
}
