//! The scope of a validation without inputs: variables are unknown values of their types, resources and instance keys are
//! unknown, local values have their configured values.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use groma_config::ResourceMode;
use groma_eval::{
    LookupResult, ProvidedSignature, ProviderName, Reference, Scope, Step, UndefinedName,
};
use groma_module::declare::{Output, Referent, Resource, Variable};
use groma_module::resolve::{Multiplicity, Surroundings};
use groma_value::{Mark, Marks, Str, Type, Value};

use crate::evaluate::{no_output, unkeyed};
use crate::project::Project;
use crate::tree::{CalledModule, ModuleId, TreeModule};
use crate::validate::memory::{OutputTypes, UsedSource};
use groma_decode::deprecation;
use groma_decode::{AdvisedReference, unknown_object};

/// The values that the names of a module have in a validation without inputs.
pub(super) struct UnknownInputValues {
    project: Arc<Project>,
    node: ModuleId,
    cwd: Option<String>,
    locals: Box<[OnceLock<Value>]>,
    /// The output types of every call, if computed.
    outputs: Box<[Option<OutputTypes>]>,
    /// A variable with a known value.
    given: Option<(u32, Value)>,
    /// The names and other sources used so far by the current declaration.
    reads: Mutex<Vec<UsedSource>>,
}

/// A scope in which the names of a module have their values without inputs.
pub(super) struct UnknownInputScope {
    pub(super) values: Arc<UnknownInputValues>,
    pub(super) around: Surroundings,
}

/// Returns an unknown value of a variable's type, with the marks of its declaration.
pub(super) fn variable(variable: &Variable) -> Value {
    Value::unknown(variable.value_type().clone()).mark(&marks(variable))
}

/// Returns the marks that a variable's declaration puts on its values.
pub(super) fn marks(variable: &Variable) -> Marks {
    let marks = [(variable.sensitive, Mark::Sensitive), (variable.ephemeral, Mark::Ephemeral)];
    marks.into_iter().filter_map(|(is, mark)| is.then_some(mark)).collect()
}

/// Returns an unknown value of dynamic type.
fn unknown() -> Value {
    Value::unknown(Type::Dynamic)
}

impl UnknownInputValues {
    /// Returns the values of a module's names, of which none is evaluated yet; `cwd` is the value of `path.cwd`, unknown for
    /// `None`.
    pub(super) fn new(
        project: Arc<Project>,
        node: ModuleId,
        cwd: Option<String>,
    ) -> UnknownInputValues {
        let count = project.nodes[node.0 as usize].module.locals.len();
        let locals = (0..count).map(|_| OnceLock::new()).collect();
        let (outputs, reads) = (Box::default(), Mutex::default());
        UnknownInputValues { project, node, cwd, locals, outputs, given: None, reads }
    }

    /// Returns these values with the outputs of module calls of the types in `outputs`, by call index: `None` for a call whose
    /// output types have not been computed.
    pub(super) fn with_outputs(self, outputs: Box<[Option<OutputTypes>]>) -> UnknownInputValues {
        UnknownInputValues { outputs, ..self }
    }

    /// Returns the number of the module whose names have these values.
    pub(super) fn module(&self) -> ModuleId {
        self.node
    }

    /// Returns the values of the names of the called module `node`, in which only the variable with the index `at` is known: it
    /// has the value `value`.
    pub(super) fn of_child(&self, node: ModuleId, at: u32, value: Value) -> UnknownInputValues {
        let (project, cwd) = (self.project.clone(), self.cwd.clone());
        let given = Some((at, value));
        let (locals, outputs, reads) = (Box::default(), Box::default(), Mutex::default());
        UnknownInputValues { project, node, cwd, locals, outputs, given, reads }
    }

    /// Locks the list of names and other sources that the declaration being validated has read so far.
    fn reads(&self) -> MutexGuard<'_, Vec<UsedSource>> {
        self.reads.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Clears the list of names and other sources that the declaration validated last has read, before another is validated.
    pub(super) fn forget_reads(&self) {
        self.reads().clear();
    }

    /// Returns the names and other sources that the validated declaration has read since [`UnknownInputValues::forget_reads`],
    /// and clears the list.
    pub(super) fn take_reads(&self) -> Vec<UsedSource> {
        std::mem::take(&mut *self.reads())
    }

    /// Records the referent of a reference among what the validation of the current declaration has read.
    fn note(&self, target: &Referent) {
        let read = match *target {
            Referent::Variable(at) => UsedSource::Variable(at),
            Referent::Local(at)
                if self.locals.get(at as usize).is_some_and(|one| one.get().is_some()) =>
            {
                UsedSource::Local(at)
            }
            Referent::Local(_) => UsedSource::Volatile,
            Referent::Call(call) | Referent::Output { call, .. } => UsedSource::Call(call),
            Referent::Resource(at) => UsedSource::Resource(at),
            Referent::Settled
            | Referent::TypeWord
            | Referent::News
            | Referent::Itself
            | Referent::Broken => return,
        };
        self.reads().push(read);
    }

    /// Returns the module whose names have these values, as a node of the module tree.
    fn node(&self) -> &TreeModule {
        &self.project.nodes[self.node.0 as usize]
    }

    /// Returns true if a local value has been evaluated.
    pub(super) fn has_local(&self, at: u32) -> bool {
        self.locals[at as usize].get().is_some()
    }

    /// Stores the value of the local value with an index, which is evaluated once.
    pub(super) fn set_local(&self, at: u32, value: Value) {
        // Each is evaluated once.
        let _ = self.locals[at as usize].set(value);
    }

    /// Returns the unknown value of a module call, in which the names and types of the outputs are known.
    fn call(&self, call: u32) -> Value {
        let CalledModule::Module(child) = self.node().children[call as usize] else {
            return unknown();
        };
        let outputs = &self.project.nodes[child.0 as usize].module.outputs;
        let types = self.outputs.get(call as usize).and_then(Option::as_ref);
        let type_of = |(at, output): (usize, &Arc<Output>)| {
            let known = types.and_then(|types| types.get(at));
            (output.name.clone(), known.cloned().unwrap_or_else(|| output.known_type()))
        };
        if self.project.conventions.deprecation_follows_values
            && self.node().module.names.call_shape(call) == Multiplicity::One
        {
            let called = &self.node().module.calls[call as usize].name;
            return Value::object(outputs.iter().enumerate().map(|(at, output)| {
                let value = Value::unknown(type_of((at, output)).1);
                let value = match &output.deprecated {
                    Some(advice) => value.mark(&deprecation::mark(&output.name, called, advice)),
                    None => value,
                };
                (output.name.clone(), value)
            }));
        }
        let one = Type::object(outputs.iter().enumerate().map(type_of));
        Value::unknown(match self.node().module.names.call_shape(call) {
            Multiplicity::One => one,
            Multiplicity::Numbered => Type::List(Arc::new(one)),
            Multiplicity::Keyed => Type::Map(Arc::new(one)),
        })
    }

    /// Returns the error of looking up an output that the called module does not have; `None` if it has it.
    fn missing_output(&self, call: u32, name: &str, reference: &Reference) -> Option<LookupResult> {
        let CalledModule::Module(child) = self.node().children[call as usize] else { return None };
        let child = &self.project.nodes[child.0 as usize].module;
        let absent = child.names.output(name).is_none();
        let called = &self.node().module.calls[call as usize].name;
        absent.then(|| no_output(called, name, child, reference))
    }

    /// Returns the error for a reference to an output of a module with `count` that lacks the instance key; `None` if it is
    /// correct.
    fn missing_call_key(&self, call: u32, reference: &Reference) -> Option<LookupResult> {
        let CalledModule::Module(_) = self.node().children[call as usize] else { return None };
        let Some(Step::Attribute(name)) = reference.steps.get(1) else { return None };
        if !matches!(self.node().module.names.call_shape(call), Multiplicity::Numbered) {
            return None;
        }
        let detail = unkeyed(&self.node().module.calls[call as usize].name, name, None);
        Some(LookupResult::Undefined(UndefinedName {
            detail: Some(detail),
            steps: 2,
            reported: false,
        }))
    }

    /// Returns the value of a resource in a validation; unknown as a whole if it is repeated.
    fn object(&self, resource: &Resource) -> Value {
        match Multiplicity::of(&resource.repetition) {
            Multiplicity::One => self.body(resource),
            Multiplicity::Numbered | Multiplicity::Keyed => unknown(),
        }
    }

    /// Returns the value of one instance of a resource in a validation: an unknown, or an object of its schema with unknown
    /// attributes.
    fn body(&self, resource: &Resource) -> Value {
        // In other editions nothing is known of a resource's type before it exists.
        let conventions = &self.project.conventions;
        if !conventions.types_unknown_objects || resource.mode == ResourceMode::List {
            return unknown();
        }
        let Some(block) = resource.block() else { return unknown() };
        let object = unknown_object(&block, conventions.hides_unknown_objects);
        let marks_wholes = conventions.deprecation_follows_values;
        match conventions.advises_by_values() {
            true => AdvisedReference { resource, block: &block, marks_wholes }.object(object),
            false => object,
        }
    }

    /// Returns a value that needs no evaluation, such as `path.module`, or its unknown stand-in; `None` without an attribute
    /// name.
    fn static_value(&self, reference: &Reference) -> Option<Value> {
        let Some(Step::Attribute(name)) = reference.steps.first() else { return None };
        Some(match (&*reference.root, &**name) {
            ("path", "module") => Value::text(self.node().at.as_str()),
            ("path", "root") => Value::text("."),
            ("path", "cwd") => match &self.cwd {
                Some(cwd) => Value::text(cwd.as_str()),
                None => Value::text(self.project.host.current_dir()),
            },
            ("terraform" | "tofu", "workspace") => Value::text(self.project.workspace.as_str()),
            ("terraform" | "tofu", "applying") => {
                Value::unknown(Type::Bool).mark(&Marks::one(Mark::Ephemeral))
            }
            ("count", "index") => Value::unknown(Type::Number),
            ("each", "key") => Value::unknown(Type::String),
            _ => unknown(),
        })
    }
}

impl Scope for UnknownInputScope {
    fn provider(&self, name: &str) -> ProviderName {
        self.values.node().module.names.requirements.find_during_check(name)
    }

    fn described(&self, provider: &str, function: &str) -> ProvidedSignature {
        self.values.node().module.names.requirements.described_during_check(provider, function)
    }

    fn lookup(&self, reference: &Reference) -> LookupResult {
        let reported =
            LookupResult::Undefined(UndefinedName { reported: true, ..UndefinedName::default() });
        let found = |value: Value, used: usize| LookupResult::Found { value, used };
        let values = &self.values;
        let module = &values.node().module;
        let Ok(target) = module.names.resolve(reference, &self.around) else { return reported };
        if let ("self" | "caller", Some(callers)) = (&*reference.root, &self.around.callers) {
            let mut all = callers.iter().filter_map(|at| module.resources.get(*at as usize));
            let (first, mut others) = (all.next(), all);
            // If callers have different types, nothing is known of their common attributes.
            let is_alike = |first: &&Arc<Resource>| others.all(|other| other.kind == first.kind);
            let one = first.filter(is_alike);
            return LookupResult::root(one.map_or_else(unknown, |resource| values.body(resource)));
        }
        if &*reference.root == "self" && self.around.own.is_some() {
            let own = self.around.own.and_then(|at| module.resources.get(at as usize));
            return LookupResult::root(own.map_or_else(unknown, |resource| values.body(resource)));
        }
        values.note(&target);
        match target {
            Referent::Variable(at) => match &values.given {
                Some((given, value)) if *given == at => found(value.clone(), 1),
                _ => found(variable(&module.variables[at as usize]), 1),
            },
            Referent::Local(at) => {
                let local = values.locals.get(at as usize).and_then(OnceLock::get);
                found(local.cloned().unwrap_or_else(unknown), 1)
            }
            Referent::Call(call) => values
                .missing_call_key(call, reference)
                .unwrap_or_else(|| found(values.call(call), 1)),
            Referent::Output { call, name } => values
                .missing_output(call, &name, reference)
                .unwrap_or_else(|| found(values.call(call), 1)),
            Referent::Resource(at) => {
                let resource = &module.resources[at as usize];
                let bare = resource.mode == ResourceMode::Managed && &*reference.root != "resource";
                let marks = match resource.mode {
                    ResourceMode::Ephemeral => Marks::one(Mark::Ephemeral),
                    _ => Marks::default(),
                };
                found(values.object(resource).mark(&marks), if bare { 1 } else { 2 })
            }
            Referent::Settled => match values.static_value(reference) {
                Some(value) => found(value, 1),
                None => reported,
            },
            Referent::TypeWord => LookupResult::no_value_of_type_word(reference),
            Referent::News => LookupResult::root(unknown()),
            Referent::Itself | Referent::Broken => reported,
        }
    }

    fn root_names(&self) -> Vec<Arc<str>> {
        let roots = ["data", "ephemeral", "local", "module", "path", "var"];
        let module = &self.values.node().module;
        let all = roots.iter().chain(module.names.run_roots);
        let mut names: Vec<Arc<str>> = all.map(|root| Arc::from(*root)).collect();
        let resources = module.resources.iter();
        let managed = resources.filter(|resource| resource.mode == ResourceMode::Managed);
        names.extend(managed.map(|resource| Arc::from(&*resource.kind)));
        names.extend(self.around.iterators.iter().map(|name: &Str| Arc::from(&**name)));
        names.sort();
        names.dedup();
        names
    }
}
