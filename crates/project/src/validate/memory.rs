//! What an examination found, declaration by declaration, and which names each of them asked for: the next one takes over
//! what an edit has not touched. A declaration is untouched where it is the very same and every name that it asked for is
//! worth what it was; where the names of its module are others, nothing of the module is taken over.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

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

/// The examination of a project, as far as the next one may take it over. It holds no text and no value of an input.
pub struct ExaminedProject {
    basis: ExaminationBasis,
    /// By the addresses of modules.
    modules: FxHashMap<String, ExaminedModule>,
    /// The semantics, which know what has decided something.
    semantics: Arc<Semantics>,
}

/// What every finding of an examination rests on, beside the code.
#[derive(Clone, PartialEq)]
struct ExaminationBasis {
    edition: Edition,
    dir: Arc<str>,
    workspace: String,
    cwd: Option<String>,
    limits: groma_runtime::Limits,
    now: Option<Moment>,
    seed: Option<u64>,
}

/// A module that was examined at its place in the tree.
struct ExaminedModule {
    module: Arc<Module>,
    /// The directory seen from the root.
    at: String,
    /// For each call, whether its module is at hand.
    children: Box<[bool]>,
    /// The types of its outputs, where they were worked out.
    outputs: Option<OutputTypes>,
    looks: Arc<DeclarationLooks>,
}

/// The looks at the declarations of one module, by kind and position.
#[derive(Default)]
struct DeclarationLooks([Vec<Option<Arc<DeclarationLook>>>; Declaration::KINDS.len()]);

/// The types of a module's outputs, in their order.
pub(super) type OutputTypes = Arc<[Type]>;

/// One look at a declaration.
struct DeclarationLook {
    /// The findings, with places in parts of texts.
    found: Box<[Diagnostic]>,
    /// The names that were asked for.
    reads: Box<[GuessReading]>,
    /// The value, where other declarations see it.
    value: Option<Value>,
}

/// A name that was asked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum GuessReading {
    Variable(u32),
    Local(u32),
    Call(u32),
    Resource(u32),
    /// Something that is not worked out again in the same way: a file, a clock, a value of a ring.
    Unsettled,
}

fn slot(declaration: Declaration) -> (usize, usize) {
    let (kind, at) = match declaration {
        Declaration::Variable(at) => (0, at),
        Declaration::Local(at) => (1, at),
        Declaration::Call(at) => (2, at),
        Declaration::Resource(at) => (3, at),
        Declaration::Output(at) => (4, at),
        Declaration::Check(at) => (5, at),
        Declaration::Provider(at) => (6, at),
        Declaration::Import(at) => (7, at),
    };
    (kind, at as usize)
}

impl DeclarationLooks {
    fn get(&self, declaration: Declaration) -> Option<&Arc<DeclarationLook>> {
        let (kind, at) = slot(declaration);
        self.0[kind].get(at)?.as_ref()
    }

    fn keep(&mut self, declaration: Declaration, look: Arc<DeclarationLook>) {
        let (kind, at) = slot(declaration);
        let all = &mut self.0[kind];
        if all.len() <= at {
            all.resize(at + 1, None);
        }
        all[at] = Some(look);
    }
}

impl ExaminationBasis {
    fn of(project: &Project, options: &ProjectOptions) -> ExaminationBasis {
        ExaminationBasis {
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

/// An examination that takes over from an older one and is remembered for the next.
pub(super) struct RememberedExamination<'o> {
    older: Option<&'o ExaminedProject>,
    /// By the numbers of modules, the addresses of these.
    addresses: Vec<String>,
    /// By the numbers of modules, whether callers see what they saw.
    same_faces: Vec<bool>,
    modules: FxHashMap<String, ExaminedModule>,
}

impl<'o> RememberedExamination<'o> {
    /// Begins one; nothing where answers of a mock may decide.
    pub(super) fn begin(
        project: &Project,
        options: &ProjectOptions,
        older: Option<&'o ExaminedProject>,
    ) -> Option<RememberedExamination<'o>> {
        if project.is_mocked() {
            return None;
        }
        let basis = ExaminationBasis::of(project, options);
        let older = older.filter(|older| older.basis == basis);
        if let Some(older) = older {
            project.semantics.note_all(&older.semantics);
        }
        let addresses: Vec<String> = project.nodes.iter().map(TreeModule::address).collect();
        let mut same_faces = vec![false; project.nodes.len()];
        // A called module comes after its caller.
        for (at, node) in project.nodes.iter().enumerate().rev() {
            let before = older.and_then(|older| older.modules.get(&addresses[at]));
            same_faces[at] = before.is_some_and(|before| {
                let (new, old) = (&node.module, &before.module);
                let is_below_same = |id: &ModuleId| same_faces.get(id.0 as usize) == Some(&true);
                before.holds_names_of(node)
                    && is_all_same(&new.variables, &old.variables)
                    && is_all_same(&new.outputs, &old.outputs)
                    && node.children.len() == before.children.len()
                    && node.children.iter().zip(&before.children).all(|pair| match pair {
                        (CalledModule::Module(id), true) => is_below_same(id),
                        (CalledModule::Absent, false) => true,
                        _ => false,
                    })
            });
        }
        let modules = FxHashMap::default();
        Some(RememberedExamination { older, addresses, same_faces, modules })
    }

    /// What is known of a module. `called`: the types of the outputs of every call, where these are worked out.
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
                    is_there && self.same_faces[id.0 as usize] && {
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
            same_calls,
            same_locals: RefCell::new(locals),
            is_settled: Cell::new(true),
            now: RefCell::default(),
        }
    }

    /// Remembers an examined module. Without looks of its own it has those of one that is equal.
    pub(super) fn keep(
        &mut self,
        project: &Project,
        id: ModuleId,
        looks: ModuleLooks,
        outputs: Option<OutputTypes>,
    ) {
        let node = &project.nodes[id.0 as usize];
        let is_there = |child: &CalledModule| matches!(child, CalledModule::Module(_));
        let one = ExaminedModule {
            module: node.module.clone(),
            at: node.at.clone(),
            children: node.children.iter().map(is_there).collect(),
            outputs,
            looks: looks.0,
        };
        self.modules.insert(self.addresses[id.0 as usize].clone(), one);
    }

    /// Returns what the next examination may take over; nothing after a run that has ended.
    pub(super) fn finish(
        self,
        project: &Project,
        options: &ProjectOptions,
    ) -> Option<ExaminedProject> {
        let basis = ExaminationBasis::of(project, options);
        let (modules, semantics) = (self.modules, project.semantics.clone());
        let one = ExaminedProject { basis, modules, semantics };
        options.run.budget.ended().is_none().then_some(one)
    }
}

fn is_all_same<T>(new: &[Arc<T>], old: &[Arc<T>]) -> bool {
    new.len() == old.len() && new.iter().zip(old).all(|(new, old)| Arc::ptr_eq(new, old))
}

impl ExaminedModule {
    /// Returns true if names mean in a module what they meant in this one.
    fn holds_names_of(&self, node: &TreeModule) -> bool {
        Arc::ptr_eq(&self.module.names, &node.module.names) && self.at == node.at
    }
}

/// The looks at a module, shared by modules that are equal.
#[derive(Clone, Default)]
pub(super) struct ModuleLooks(Arc<DeclarationLooks>);

/// What is known of one module while it is examined.
pub(super) struct ModuleMemory<'o> {
    before: Option<&'o ExaminedModule>,
    same_calls: Vec<bool>,
    /// The local values that are worth what they were.
    same_locals: RefCell<Vec<bool>>,
    /// True if everything in the declaration at hand would be worked out again in the same way.
    is_settled: Cell<bool>,
    now: RefCell<DeclarationLooks>,
}

impl ModuleMemory<'_> {
    /// Says that something was asked whose answer may be another the next time.
    pub(super) fn unsettle(&self) {
        self.is_settled.set(false);
    }

    /// Returns what is remembered of the module.
    pub(super) fn into_looks(self) -> ModuleLooks {
        ModuleLooks(Arc::new(self.now.into_inner()))
    }

    /// Tells what was found in a declaration before and gives its value, if another look would see the same.
    pub(super) fn tell(
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

    /// Begins a look at a declaration.
    pub(super) fn begin(&self) {
        self.is_settled.set(true);
    }

    /// Remembers the look that was begun: the findings, the names that were asked for, and the value.
    pub(super) fn finish(
        &self,
        declaration: Declaration,
        found: &Diagnostics,
        mut reads: Vec<GuessReading>,
        value: Option<Value>,
    ) {
        if let Declaration::Call(at) = declaration {
            // Its inputs are judged by what its module declares.
            reads.push(GuessReading::Call(at));
        }
        let has_cause = value.as_ref().is_some_and(|value| !value.deep_causes().ids().is_empty());
        if has_cause || !self.is_settled.get() {
            reads = vec![GuessReading::Unsettled];
        }
        reads.sort_unstable();
        reads.dedup();
        let found = found.iter().cloned().collect();
        self.keep(declaration, Arc::new(DeclarationLook { found, reads: reads.into(), value }));
    }

    /// The look at a declaration, if another one would see the same.
    fn take(&self, module: &Module, declaration: Declaration) -> Option<Arc<DeclarationLook>> {
        let before = self.before?;
        let look = before.looks.get(declaration)?;
        let shares = |declaration| module.shares(&before.module, declaration);
        let is_silent = look.found.is_empty();
        let holds = |read: &GuessReading| match *read {
            GuessReading::Variable(at) => {
                let pair = (module.variables.get(at as usize), before.variable(at));
                shares(Declaration::Variable(at))
                    || is_silent && matches!(pair, (Some(new), Some(old)) if is_alike(new, old))
            }
            GuessReading::Local(at) => self.same_locals.borrow().get(at as usize) == Some(&true),
            GuessReading::Call(at) => self.same_calls.get(at as usize) == Some(&true),
            // Equal names have resources of equal types. A finding may tell where one stands.
            GuessReading::Resource(at) => is_silent || shares(Declaration::Resource(at)),
            GuessReading::Unsettled => false,
        };
        (shares(declaration) && look.reads.iter().all(holds)).then(|| look.clone())
    }

    /// Remembers a look, and whether the value is what it was.
    fn keep(&self, declaration: Declaration, look: Arc<DeclarationLook>) {
        if let Declaration::Local(at) = declaration {
            let known = self.before.and_then(|before| before.looks.get(declaration));
            let is_same = known.is_some_and(|known| match (&known.value, &look.value) {
                (Some(old), Some(new)) => Arc::ptr_eq(known, &look) || is_same_guess(new, old),
                _ => false,
            });
            if let Some(same) = self.same_locals.borrow_mut().get_mut(at as usize) {
                *same = is_same;
            }
        }
        self.now.borrow_mut().keep(declaration, look);
    }
}

impl ExaminedModule {
    fn variable(&self, at: u32) -> Option<&Arc<Variable>> {
        self.module.variables.get(at as usize)
    }
}

/// Returns true if nothing that is said of the one variable's value is not said of the other's.
fn is_alike(new: &Variable, old: &Variable) -> bool {
    new.value_type() == old.value_type()
        && (new.sensitive, new.ephemeral) == (old.sensitive, old.ephemeral)
}

/// Returns true if the two cannot be told apart.
fn is_same_guess(new: &Value, old: &Value) -> bool {
    let has_no_cause = |value: &Value| value.deep_causes().ids().is_empty();
    let is_plain = match (new.bare(), old.bare()) {
        (Value::Unknown(_), Value::Unknown(_)) => has_no_cause(new) && has_no_cause(old),
        (new, old) => new.is_wholly_known() && old.is_wholly_known() && identical(new, old),
    };
    is_plain && same(new, old)
}
