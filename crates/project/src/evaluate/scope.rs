//! The scope of expressions in a module instance. A reference is followed by its literal steps, so that selecting one attribute
//! never builds the whole object.

mod construct;

use std::sync::{Arc, PoisonError};

use groma_config::{InstanceKey, ResourceMode, did_you_mean};
use groma_decode::AdvisedReference;
use groma_eval::{
    CauseAddress, LookupResult, ProvidedSignature, ProviderName, Reference, Scope, Step,
    UndefinedName, news,
};
use groma_module::declare::{Module, Referent, Resource};
use groma_module::resolve::{Surroundings, key_text};
use groma_syntax::Diagnostics;
use groma_value::schema::BlockSchema;
use groma_value::{Str, Type, Value};
use rustc_hash::FxHashSet;

use crate::evaluate::cell::Cell;
use crate::evaluate::instance::{CallCell, Expansion, InstanceNode, RepeatKey, ResourceCell};
use crate::evaluate::object::InstanceObject;
use crate::evaluate::world::EvaluationState;
use crate::tree::CalledModule;

/// A scope with the names of a module instance, whose values must have been evaluated before they are looked up.
pub(crate) struct InstanceScope {
    pub(crate) world: Arc<EvaluationState>,
    pub(crate) instance: Arc<InstanceNode>,
    pub(crate) repeat: RepeatKey,
    /// The check whose scoped data source is visible.
    pub(crate) check: Option<Str>,
    /// The resource being evaluated, which cannot refer to itself.
    pub(crate) resource: Option<u32>,
    /// True if faults of references have not been reported before.
    pub(crate) unchecked: bool,
}

/// A scope with the names of a module instance, in which looking up a name evaluates it.
pub(crate) struct OnDemandScope(pub(crate) InstanceScope);

/// The words with which references to names of a module begin.
const ROOTS: [&str; 6] = ["data", "ephemeral", "local", "module", "path", "var"];

/// Returns the result of looking up a name about which an error was reported already.
fn reported() -> LookupResult {
    LookupResult::Undefined(UndefinedName { reported: true, ..UndefinedName::default() })
}

/// Returns the error for an output that the called module does not have.
pub(crate) fn no_output(
    call: &str,
    name: &str,
    child: &Module,
    reference: &Reference,
) -> LookupResult {
    let hint = did_you_mean(name, child.output_names());
    let detail = Some(format!("The module \"{call}\" has no output \"{name}\".{hint}"));
    let keyed = matches!(reference.steps.get(1), Some(Step::Index(_)));
    LookupResult::Undefined(UndefinedName {
        detail,
        steps: if keyed { 3 } else { 2 },
        reported: false,
    })
}

/// Returns the sentence that a reference to the output `name` of the module call `called` lacks an instance key; `None` if the
/// call needs none or `name` is one.
fn missing_key(called: &Str, name: &Str, expansion: &Expansion) -> Option<String> {
    match expansion {
        Expansion::Numbered(..) => Some(unkeyed(called, name, None)),
        // A key may be written as an attribute.
        Expansion::Keyed(all, _) if expansion.position(name).is_none() => {
            let first = all.first().map_or_else(|| "key".into(), |(key, _)| key.clone());
            Some(unkeyed(called, name, Some(&InstanceKey::Text(first))))
        }
        _ => None,
    }
}

/// Returns the message for an output of a repeated module without an instance key; `first` is an existing key of a `for_each`,
/// `None` if the module has `count`.
pub(crate) fn unkeyed(call: &str, name: &str, first: Option<&InstanceKey>) -> String {
    let (setting, key) = match first {
        None => ("count", InstanceKey::Number(0)),
        Some(key) => ("for_each", key.clone()),
    };
    let key = key.suffix();
    format!(
        "The module \"{call}\" has \"{setting}\", so its instances have keys: choose one, as in module.{call}{key}.{name}."
    )
}

/// Returns the result of looking up a value that is not filled: unknown while fingerprints are computed, otherwise an error that
/// was reported already.
fn unfilled(world: &EvaluationState) -> LookupResult {
    match world.is_tracing() {
        // Unknown without a fingerprint, so values derived from it have none either.
        true => found(&Value::unknown(Type::Dynamic), 1),
        false => reported(),
    }
}

/// Returns the successful result of a lookup: the value, and in `used` the number of steps of the reference that lead to it.
fn found(value: &Value, used: usize) -> LookupResult {
    LookupResult::Found { value: value.clone(), used }
}

impl EvaluationState {
    /// Returns the value of a resource with its deprecated parts marked: the result of `mark`, called with the address and
    /// schema of the resource.
    pub(super) fn with_deprecations(
        &self,
        resource: &Resource,
        block: &BlockSchema,
        mark: impl FnOnce(AdvisedReference) -> Value,
    ) -> Value {
        let marks_wholes = self.project.conventions.deprecation_follows_values;
        mark(AdvisedReference { resource, block, marks_wholes })
    }
}

impl EvaluationState {
    /// Returns an instance's object as its own references such as `self` see it: with deprecated parts marked, if the edition
    /// reports them where values are used.
    pub(super) fn own_with_deprecations(
        &self,
        resource: &Resource,
        object: InstanceObject,
    ) -> InstanceObject {
        let advises = self.project.conventions.advises_by_values();
        match (object, if advises { resource.block() } else { None }) {
            (InstanceObject::Whole(value), Some(block)) => {
                let marked = self.with_deprecations(resource, &block, |all| all.object(value));
                InstanceObject::Whole(marked)
            }
            (object, _) => object,
        }
    }
}

impl InstanceScope {
    /// Returns the surroundings of an expression in this scope: which names are visible besides those of the module.
    fn surroundings(&self) -> Surroundings {
        Surroundings {
            check: self.check.clone(),
            resource: self.resource,
            ..self.repeat.surroundings()
        }
    }

    /// Returns the declaration that a reference in this scope refers to, or an error.
    fn resolve(&self, reference: &Reference) -> Result<Referent, UndefinedName> {
        let names = &self.world.module(&self.instance).names;
        names.resolve(reference, &self.surroundings()).or_else(|problem| match problem.is_news() {
            true => Ok(Referent::News),
            false => Err(UndefinedName {
                detail: Some(problem.detail),
                steps: reference.steps.len().min(2),
                reported: false,
            }),
        })
    }

    /// Looks up the filled value of `target`, the declaration that a reference resolved to, with the number of steps to it.
    fn fetch(&self, target: &Referent, reference: &Reference) -> LookupResult {
        let instance = &self.instance;
        match target {
            Referent::Variable(at) => match instance.variables[*at as usize].get() {
                Some(value) => found(value, 1),
                None => unfilled(&self.world),
            },
            Referent::Local(at) => match instance.locals[*at as usize].get() {
                Some(value) => found(value, 1),
                None => unfilled(&self.world),
            },
            Referent::Call(call) => self.call(*call, None, reference),
            Referent::Output { call, name } => self.call(*call, Some(name), reference),
            Referent::Resource(at) => self.resource(*at, reference),
            Referent::Settled => self.static_value(reference),
            Referent::TypeWord => LookupResult::no_value_of_type_word(reference),
            Referent::News => {
                let path = CauseAddress::other(reference.path());
                LookupResult::root(news::unknown(self.world.causes(), path, None))
            }
            Referent::Itself | Referent::Broken => reported(),
        }
    }

    /// Looks up the value of a module call, or of one of its outputs; both are unknown if its instances are.
    fn call(&self, call: u32, output: Option<&Str>, reference: &Reference) -> LookupResult {
        let Some(cell) = self.instance.calls[call as usize].get() else {
            return unfilled(&self.world);
        };
        let node = self.world.node(self.instance.node);
        if let Expansion::Unknown(causes) = &cell.expansion {
            let value = Value::unknown_because(Type::Dynamic, causes.clone());
            return found(&self.world.trace_call(&self.instance, call, value), 1);
        }
        let CalledModule::Module(child) = node.children[call as usize] else {
            return self.absent(call, cell, reference);
        };
        let module = &self.world.node(child).module;
        if let Some(name) = output {
            let Some(at) = module.names.output(name) else {
                let called = &node.module.calls[call as usize].name;
                return no_output(called, name, module, reference);
            };
            let (position, used) = match (&cell.expansion, reference.steps.get(1)) {
                (Expansion::One, _) => (Some(0), 2),
                (expansion, Some(Step::Index(key))) => {
                    (key_text(key).and_then(|key| expansion.position(&key)), 3)
                }
                _ => (None, 0),
            };
            if let Some(instance) = position.and_then(|at| cell.instances.get(at)) {
                return match self.output_value(*instance, at) {
                    Some(value) => LookupResult::Found { value, used },
                    None => unfilled(&self.world),
                };
            }
        }
        if let Some(Step::Attribute(name)) = reference.steps.get(1) {
            let called = &node.module.calls[call as usize].name;
            if let Some(detail) = missing_key(called, name, &cell.expansion) {
                return LookupResult::Undefined(UndefinedName {
                    detail: Some(detail),
                    steps: 2,
                    reported: false,
                });
            }
        }
        let whole = || self.filled_outputs(module, cell);
        match output {
            // Only some outputs are settled: this is for a message.
            Some(_) => found(&whole(), 1),
            None if cell.whole.get().is_some() => found(cell.whole.get_or_init(whole), 1),
            None => {
                let mut all =
                    cell.instances.iter().flat_map(|id| self.world.instance(*id).outputs_filled());
                match all.all(|is_filled| is_filled) {
                    true => found(cell.whole.get_or_init(whole), 1),
                    // Parts of it are pending.
                    false => found(&whole(), 1),
                }
            }
        }
    }

    /// Returns the value of an output of a module instance; `None` if it is not evaluated.
    fn output_value(&self, instance: u32, output: u32) -> Option<Value> {
        self.world.instance(instance).outputs[output as usize].get().cloned()
    }

    /// Returns the value of a module call with only the outputs that have been evaluated, in which a wrong key fails as it does
    /// in the whole value.
    fn filled_outputs(&self, module: &Module, cell: &CallCell) -> Value {
        let object = |instance: u32| {
            let all = (0_u32..).zip(&module.outputs);
            Value::object(all.filter_map(|(at, declared)| {
                Some((declared.name.clone(), self.output_value(instance, at)?))
            }))
        };
        let is_silent =
            module.outputs.is_empty() && self.world.project.conventions.silent_instances_vanish;
        match &cell.expansion {
            Expansion::Numbered(..) if is_silent => Value::tuple(Vec::new()),
            Expansion::Keyed(..) if is_silent => Value::object([]),
            expansion => gathered(expansion, cell.instances.iter().map(|id| object(*id)).collect()),
        }
    }

    /// Looks up an output of a missing module: unknown, unless mocked.
    fn absent(&self, call: u32, cell: &CallCell, reference: &Reference) -> LookupResult {
        let causes = self.world.call_causes(self.instance.node, call);
        let unknown = || {
            let value = Value::unknown_because(Type::Dynamic, causes.clone());
            self.world.trace_call(&self.instance, call, value)
        };
        if self.world.facts.overrides.is_none() {
            return found(&unknown(), 1);
        }
        let name = &self.world.module(&self.instance).calls[call as usize].name;
        let output = |key: &InstanceKey, output: &str| {
            let module = self.instance.path.with_call(name.clone(), key.clone());
            self.world.overridden_output(&module, output)
        };
        let one = |at: usize| cell.expansion.instance(at).map(|(key, _)| key);
        let (value, used) = match (&cell.expansion, &*reference.steps) {
            (Expansion::One, [_, Step::Attribute(name), ..]) => {
                (output(&InstanceKey::None, name), 2)
            }
            (expansion, [_, Step::Index(key), Step::Attribute(name), ..]) => {
                let at = key_text(key).and_then(|key| expansion.position(&key));
                (at.and_then(one).and_then(|key| output(&key, name)), 3)
            }
            (expansion, [_, Step::Splat | Step::Unknown, Step::Attribute(name), ..]) => {
                let keys = (0..expansion.len()).filter_map(one);
                let all: Option<Vec<Value>> = keys
                    .map(|key| Some(Value::object([(name.clone(), output(&key, name)?)])))
                    .collect();
                (all.map(|all| gathered(expansion, all)), 1)
            }
            _ => (None, 1),
        };
        match value {
            Some(value) => LookupResult::Found { value, used },
            None => found(&unknown(), 1),
        }
    }

    /// Looks up the value of a resource: of all its instances, or of the one whose key the reference gives.
    fn resource(&self, at: u32, reference: &Reference) -> LookupResult {
        let module = self.world.module(&self.instance);
        let resource = &module.resources[at as usize];
        let bare = resource.mode == ResourceMode::Managed && &*reference.root != "resource";
        let used = if bare { 1 } else { 2 };
        let Some(cell) = self.instance.resources[at as usize].get() else {
            // The `count` of a resource that refers to the resource itself.
            let nothing = match &resource.repetition {
                groma_module::declare::Repetition::Each(_) => Value::object([]),
                _ => Value::tuple(Vec::new()),
            };
            return found(&nothing, used);
        };
        if let Expansion::Unknown(causes) = &cell.expansion {
            let value = Value::unknown_because(Type::Dynamic, causes.clone());
            return found(&self.world.trace_instances(&self.instance, at, value), used);
        }
        let advises = self.world.project.conventions.advises_by_values();
        let block = if advises { resource.block() } else { None };
        let with_deprecations =
            |value: Value, mark: &dyn Fn(AdvisedReference, Value) -> Value| match &block {
                Some(block) => self
                    .world
                    .with_deprecations(resource, block, |reference| mark(reference, value)),
                None => value,
            };
        let rest = reference.steps.get(used..).unwrap_or_default();
        let (position, skip) = match (&cell.expansion, rest.first()) {
            (Expansion::One, Some(Step::Splat)) => (None, 0),
            (Expansion::One, _) => (Some(0), 0),
            (expansion, Some(Step::Index(key))) => {
                (key_text(key).and_then(|key| expansion.position(&key)), 1)
            }
            _ => (None, 0),
        };
        let exists = |at: &usize| self.exists(resource, &cell.expansion, *at);
        if let Some(object) = position.filter(exists).and_then(|at| cell.objects.get(at)) {
            let Some(object) = object.get() else { return unfilled(&self.world) };
            let steps = &rest[skip..];
            let (value, more) = object.follow(steps);
            let value = match steps.first() {
                Some(Step::Attribute(name)) if more == 1 => {
                    with_deprecations(value, &|all, v| all.part(v, name))
                }
                Some(Step::Attribute(name)) => {
                    with_deprecations(value, &|all, v| all.object_with(v, name))
                }
                _ => with_deprecations(value, &|all, v| all.object(v)),
            };
            return LookupResult::Found { value, used: used + skip + more };
        }
        if let [Step::Splat | Step::Unknown, Step::Attribute(name), ..] = rest {
            let value = |object: &InstanceObject| {
                with_deprecations(object.project(name), &|all, value| all.object_with(value, name))
            };
            return found(&self.attribute_of_all(resource, cell, name, &value), used);
        }
        if let Some(whole) = cell.whole.get() {
            return found(whole, used);
        }
        let value =
            |object: &InstanceObject| with_deprecations(object.value(), &|all, v| all.object(v));
        let whole = self.with_kept_instances(resource, &cell.expansion, cell.values(&value));
        match cell.is_filled() {
            true => found(cell.whole.get_or_init(|| whole), used),
            // Parts of it are pending.
            false => found(&whole, used),
        }
    }

    /// Returns the values of the attribute `name` in all instances of a resource, which `value` takes from an object, without
    /// evaluating the other attributes.
    fn attribute_of_all(
        &self,
        resource: &Resource,
        cell: &ResourceCell,
        name: &Str,
        value: &dyn Fn(&InstanceObject) -> Value,
    ) -> Value {
        // Facts are consulted meanwhile, without holding the lock.
        let projected = || cell.projected.lock().unwrap_or_else(PoisonError::into_inner);
        let known = projected().get(name).cloned();
        if let Some(value) = known {
            return value;
        }
        let value = self.with_kept_instances(resource, &cell.expansion, cell.values(value));
        if cell.is_filled() {
            projected().insert(name.clone(), value.clone());
        }
        value
    }

    /// Returns true if a declared instance, given by its index `at`, exists or is planned; false if it is absent and the
    /// plan, limited by targets or to a refresh, leaves it out.
    fn exists(&self, resource: &Resource, expansion: &Expansion, at: usize) -> bool {
        let prior = self.world.facts.partial_prior();
        let is_repeated = matches!(expansion, Expansion::Numbered(..) | Expansion::Keyed(..));
        let Some(prior) = prior.filter(|_| is_repeated) else { return true };
        let address = self.instance.resource_address(resource);
        let mut key = expansion.instance(at).map(|(key, _)| key).into_iter();
        prior.omitted_instances(&address, &mut key).is_empty()
    }

    /// Returns the combined value of all instances of a resource, from the `values` of those declared: it includes undeclared
    /// ones that a plan limited by targets or to a refresh does not delete, and leaves out declared ones that neither exist nor
    /// are planned.
    fn with_kept_instances(
        &self,
        resource: &Resource,
        expansion: &Expansion,
        mut values: Vec<Value>,
    ) -> Value {
        let prior = self.world.facts.partial_prior();
        let is_repeated = matches!(expansion, Expansion::Numbered(..) | Expansion::Keyed(..));
        let Some(prior) = prior.filter(|_| is_repeated) else { return gathered(expansion, values) };
        let address = self.instance.resource_address(resource);
        let declared =
            || (0..expansion.len()).filter_map(|at| expansion.instance(at)).map(|(key, _)| key);
        let kept = prior.kept_instances(&address, &mut declared(), resource.block().as_deref());
        let absent: FxHashSet<InstanceKey> =
            prior.omitted_instances(&address, &mut declared()).into_iter().collect();
        if kept.is_empty() && absent.is_empty() {
            return gathered(expansion, values);
        }
        match expansion {
            Expansion::Keyed(all, marks) => {
                let more = kept.into_iter().filter_map(|(key, value)| match key {
                    InstanceKey::Text(key) => Some((key, value)),
                    _ => None,
                });
                let own = all.iter().map(|(key, _)| key.clone()).zip(values);
                let own = own.filter(|(key, _)| !absent.contains(&InstanceKey::Text(key.clone())));
                Value::object(own.chain(more).collect::<Vec<_>>()).marked(marks)
            }
            _ => {
                // A missing instance between others is unknown; at the end it is omitted.
                let last = declared().enumerate().filter(|(_, key)| !absent.contains(key)).last();
                values.truncate(last.map_or(0, |(at, _)| at + 1));
                for (key, value) in kept {
                    let InstanceKey::Number(at) = key else { continue };
                    // Instances in between never existed.
                    values.resize_with(values.len().max(at + 1), || Value::unknown(Type::Dynamic));
                    values[at] = value;
                }
                Value::tuple(values)
            }
        }
    }

    /// Looks up a value that needs no evaluation, such as `path.module`.
    fn static_value(&self, reference: &Reference) -> LookupResult {
        let Some(Step::Attribute(name)) = reference.steps.first() else { return reported() };
        let node = self.world.node(self.instance.node);
        let project = &self.world.project;
        let value = match (&*reference.root, &**name) {
            ("path", "module") => Value::text(node.at.as_str()),
            ("path", "root") => Value::text("."),
            ("path", "cwd") => match &self.world.options.cwd {
                Some(cwd) => Value::text(cwd.as_str()),
                None => Value::text(project.host.current_dir()),
            },
            ("terraform" | "tofu", "workspace") => Value::text(project.workspace.as_str()),
            ("terraform" | "tofu", "applying") => {
                Value::FALSE.mark(&groma_value::Marks::one(groma_value::Mark::Ephemeral))
            }
            ("count", "index") => match &self.repeat {
                RepeatKey::Index(at) => Value::int(*at as i64),
                _ => return reported(),
            },
            ("each", "key") => match &self.repeat {
                RepeatKey::Each(key, _) => key.clone(),
                _ => return reported(),
            },
            ("each", "value") => match &self.repeat {
                RepeatKey::Each(_, value) => value.clone(),
                _ => return reported(),
            },
            _ => return reported(),
        };
        LookupResult::Found { value, used: 1 }
    }
}

/// Returns the values of all instances of a repeated declaration as one value: a tuple for `count`, an object for `for_each`.
fn gathered(expansion: &Expansion, values: Vec<Value>) -> Value {
    match expansion {
        Expansion::One => values.into_iter().next().unwrap_or(Value::NULL),
        Expansion::Never => Value::NULL,
        Expansion::Numbered(_, marks) => Value::tuple(values).marked(marks),
        Expansion::Keyed(all, marks) => {
            Value::object(all.iter().map(|(key, _)| key.clone()).zip(values)).marked(marks)
        }
        Expansion::Unknown(causes) => Value::unknown_because(Type::Dynamic, causes.clone()),
    }
}

/// Returns the words with which references in expressions of a module instance may begin.
fn roots(world: &EvaluationState, instance: &InstanceNode, repeat: &RepeatKey) -> Vec<Arc<str>> {
    let run_roots = world.module(instance).names.run_roots;
    let mut names: Vec<Arc<str>> =
        ROOTS.iter().chain(run_roots).map(|root| Arc::from(*root)).collect();
    match repeat {
        RepeatKey::None => {}
        RepeatKey::Index(_) => names.push("count".into()),
        RepeatKey::Each(..) => names.push("each".into()),
    }
    let resources = world.module(instance).resources.iter();
    names
        .extend(resources.filter(|r| r.mode == ResourceMode::Managed).map(|r| Arc::from(&*r.kind)));
    names.sort();
    names.dedup();
    names
}

impl Scope for InstanceScope {
    fn borrowed(&self, reference: &Reference) -> Option<(&Value, usize)> {
        let module = self.world.module(&self.instance);
        let cell = match &*reference.root {
            "local" => {
                let name = |at: usize| module.locals.get(at).map(|local| &*local.name);
                let at = reference.position(name, |name| Some(module.names.local(name)? as usize));
                self.instance.locals.get(at?)
            }
            "var" => {
                let name = |at: usize| module.variables.get(at).map(|variable| &*variable.name);
                let at =
                    reference.position(name, |name| Some(module.names.variable(name)? as usize));
                self.instance.variables.get(at?)
            }
            _ => None,
        };
        Some((cell?.get()?, 1))
    }

    fn lookup(&self, reference: &Reference) -> LookupResult {
        match self.resolve(reference) {
            Ok(target) => self.fetch(&target, reference),
            Err(undefined) if self.unchecked => LookupResult::Undefined(undefined),
            Err(_) => reported(),
        }
    }

    fn provider(&self, name: &str) -> ProviderName {
        let requirements = &self.world.module(&self.instance).names.requirements;
        match self.unchecked {
            true => requirements.find(name),
            false => requirements.find_checked(name),
        }
    }

    fn described(&self, provider: &str, function: &str) -> ProvidedSignature {
        self.world.module(&self.instance).names.requirements.described(provider, function)
    }

    fn root_names(&self) -> Vec<Arc<str>> {
        roots(&self.world, &self.instance, &self.repeat)
    }
}

impl Scope for OnDemandScope {
    fn lookup(&self, reference: &Reference) -> LookupResult {
        let scope = &self.0;
        let target = match scope.resolve(reference) {
            Ok(target) => target,
            Err(undefined) => return LookupResult::Undefined(undefined),
        };
        let mut goals: Vec<Cell> = Vec::new();
        scope.world.fill_target(&scope.instance, &target, &mut goals, &mut Diagnostics::new());
        if scope.world.has_ended() {
            // An unfilled value must not be taken for the final one.
            return reported();
        }
        scope.fetch(&target, reference)
    }

    fn provider(&self, name: &str) -> ProviderName {
        self.0.provider(name)
    }

    fn described(&self, provider: &str, function: &str) -> ProvidedSignature {
        self.0.described(provider, function)
    }

    fn root_names(&self) -> Vec<Arc<str>> {
        self.0.root_names()
    }
}
