//! The resource attributes that planned values depend on, through any number of locals, variables and outputs: each once,
//! sorted.

use std::collections::BTreeSet;

use groma_config::{
    AddressPattern, InstanceKey, ModuleAddress, ResourceAddress, ResourceMode, ResourceTarget,
};
use groma_eval::{Reference, Step};
use groma_module::declare::{Expression, ModuleCall, Resource};
use groma_module::dialect::Conventions;
use groma_project::ModuleInstance;
use groma_value::{Type, Value, json};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::change::{Action, Change};
use crate::output::OutputChange;
use crate::plan::Plan;

/// The address of a resource, and the path of one of its attributes as JSON steps.
pub(super) type Relevant = (String, Vec<String>);

/// Returns the resource attributes that the changes and outputs of a plan depend on.
pub(super) fn relevant(
    plan: &Plan,
    changes: &[Change],
    outputs: &[OutputChange],
) -> BTreeSet<Relevant> {
    let modules = plan.modules();
    let by_address: FxHashMap<ModuleAddress, usize> =
        modules.iter().enumerate().map(|(at, m)| (m.path().clone(), at)).collect();
    let scopes = modules.iter().enumerate().map(|(at, module)| {
        let path = module.path();
        let caller = path.split_last().and_then(|((call, _), around)| {
            let parent = *by_address.get(around)?;
            Some((parent, modules[parent].module().call(call)?))
        });
        RelevantScope { at, address: path.clone(), caller }
    });
    let mut walk = RelevantWalk {
        scopes: scopes.collect(),
        modules: &modules,
        whole: FxHashMap::default(),
        by_address,
        is_typed: Conventions::of(plan.evaluation().project().edition()).grounds_end_at_dynamic,
        seen: BTreeSet::new(),
        rest: Vec::new(),
        found: BTreeSet::new(),
    };
    // Unchanged objects depend on nothing.
    let changed: FxHashSet<&ResourceAddress> = changes
        .iter()
        .filter(|change| change.action != Action::NoOp)
        .map(|change| change.instance.address.resource())
        .collect();
    let told: BTreeSet<&str> = outputs
        .iter()
        .filter(|output| output.action != Action::NoOp)
        .map(|output| &*output.name)
        .collect();
    for (at, module) in modules.iter().enumerate() {
        let declared = module.module();
        for resource in &declared.resources {
            if changed.contains(&module.resource_address(resource)) {
                resource.content.visit(&mut |seen| walk.push(at, seen.expression));
            }
        }
        for (position, output) in declared.outputs.iter().enumerate() {
            let is_null = module.output(position).is_some_and(Value::is_null);
            let counts = at > 0 || told.contains(&*output.name);
            if let (Some(value), false, true) = (&output.value, is_null, counts) {
                walk.push(at, value);
            }
        }
    }
    while let Some((at, expression)) = walk.rest.pop() {
        for reference in expression.located.code.references() {
            walk.reference(at, reference);
        }
    }
    walk.found
}

/// The module instance, or all instances of a module at once, in which the references of an expression are followed.
struct RelevantScope<'m> {
    /// The index of the module instance; of any instance if all are meant, because their code is the same.
    at: usize,
    /// The address of the module; a step has no key if all instances are meant.
    address: ModuleAddress,
    /// The calling scope, and the module call.
    caller: Option<(usize, &'m ModuleCall)>,
}

/// A depth-first walk from expressions to the resource attributes that they depend on.
struct RelevantWalk<'m> {
    modules: &'m [ModuleInstance],
    by_address: FxHashMap<ModuleAddress, usize>,
    /// One scope per module instance first, in the same order.
    scopes: Vec<RelevantScope<'m>>,
    /// The scopes that stand for all instances of a module call, by address.
    whole: FxHashMap<ModuleAddress, usize>,
    /// True if the path to an attribute ends before the first value of dynamic type.
    is_typed: bool,
    seen: BTreeSet<(usize, usize)>,
    rest: Vec<(usize, &'m Expression)>,
    found: BTreeSet<Relevant>,
}

impl<'m> RelevantWalk<'m> {
    /// Adds an expression of the scope at index `scope` to those to visit, unless it was visited in this scope.
    fn push(&mut self, scope: usize, expression: &'m Expression) {
        if self.seen.insert((scope, std::ptr::from_ref(expression).addr())) {
            self.rest.push((scope, expression));
        }
    }

    /// Adds the resource attribute that a reference in the scope at index `scope` names to those found; for a variable, local
    /// value or module call, adds the expressions of its values to those to visit.
    fn reference(&mut self, scope: usize, reference: &Reference) {
        let modules = self.modules;
        let module = &modules[self.scopes[scope].at];
        let steps = &*reference.steps;
        let name = |position: usize| match steps.get(position) {
            Some(Step::Attribute(name)) => Some(&**name),
            _ => None,
        };
        match &*reference.root {
            "path" | "terraform" | "tofu" | "each" | "count" | "self" => {}
            "local" => {
                if let Some(local) = name(0).and_then(|name| module.module().local(name)) {
                    self.push(scope, &local.value);
                }
            }
            "var" => {
                let Some((parent, call)) = self.scopes[scope].caller else { return };
                if let Some(input) = name(0).and_then(|name| call.input(name)) {
                    self.push(parent, &input.value);
                }
            }
            "module" => self.call(scope, steps),
            root => {
                let is_word = matches!(root, "data" | "ephemeral" | "resource");
                let mode = ResourceMode::of(root).filter(|_| is_word);
                let from = usize::from(mode.is_some());
                let kind = if from == 0 { Some(root) } else { name(0) };
                let Some((kind, own)) = kind.zip(name(from)) else { return };
                let mode = mode.unwrap_or(ResourceMode::Managed);
                let after = &steps[from + 1..];
                let (key, rest) = key_and_rest(after).unwrap_or((InstanceKey::None, after));
                let mut declared = module
                    .module()
                    .resources
                    .iter()
                    .filter(|one| (one.mode, &*one.kind, &*one.name) == (mode, kind, own));
                // The iterator of a dynamic block may have the name of a type.
                let Some(declared) = declared.next() else { return };
                let most = if self.is_typed { typed_steps(declared, rest) } else { usize::MAX };
                let way = rest.iter().take(most).map_while(|step| match step {
                    Step::Attribute(name) => Some(json::string(name)),
                    Step::Index(key) => Some(plain(key)),
                    _ => None,
                });
                let way = way.collect();
                let (kind, name) = (declared.kind.clone(), declared.name.clone());
                let modules = self.scopes[scope].address.clone();
                let resource = Some(ResourceTarget { mode, kind, name, key });
                self.found.insert((AddressPattern { modules, resource }.to_string(), way));
            }
        }
    }

    /// Adds the expressions of the outputs that a reference to a module call names, made in the scope at index `scope`, to
    /// those to visit: without an output name all outputs, without a key those of all instances.
    fn call(&mut self, scope: usize, steps: &[Step]) {
        let modules = self.modules;
        let around = self.scopes[scope].at;
        let Some(Step::Attribute(call)) = steps.first() else { return };
        let Some(position) = modules[around].module().call_position(call) else { return };
        let (key, rest) = match key_and_rest(&steps[1..]) {
            Some((key, rest)) => (Some(key), rest),
            None => (None, &steps[1..]),
        };
        let output = match rest {
            [Step::Attribute(output), ..] => Some(output),
            _ => None,
        };
        let children = modules[around].children_of(position);
        let is_one = scope < modules.len();
        let mut inner: Vec<usize> = Vec::new();
        let mut is_keyed = false;
        for child in &children {
            let own = child.path().last().map(|(_, own)| own);
            let own = own.filter(|own| **own != InstanceKey::None);
            is_keyed |= own.is_some();
            if is_one && (key.is_none() || own == key.as_ref()) {
                inner.extend(self.by_address.get(child.path()));
            }
        }
        // All instances together have another address than each of them.
        let first = children.first().and_then(|child| self.by_address.get(child.path()));
        if let Some(&first) = first
            && (!is_one || is_keyed && key.is_none())
        {
            let key = key.unwrap_or(InstanceKey::None);
            let address = self.scopes[scope].address.with_call(call.clone(), key);
            let caller = modules[around].module().call(call).map(|call| (scope, call));
            let next = self.scopes.len();
            let number = *self.whole.entry(address.clone()).or_insert(next);
            if number == next {
                self.scopes.push(RelevantScope { at: first, address, caller });
            }
            inner.push(number);
        }
        for scope in inner {
            for declared in &modules[self.scopes[scope].at].module().outputs {
                if let (Some(value), true) =
                    (&declared.value, output.is_none_or(|output| *output == declared.name))
                {
                    self.push(scope, value);
                }
            }
        }
    }
}

/// Returns the instance key at the beginning of steps, and the steps after it; `None` if they do not begin with a key.
fn key_and_rest(steps: &[Step]) -> Option<(InstanceKey, &[Step])> {
    let (Step::Index(key), rest) = steps.split_first()? else { return None };
    Some((InstanceKey::of(key)?, rest))
}

/// Returns the number of steps before the first value of dynamic type in a resource's schema: all if there is none,
/// `usize::MAX` if there is no schema or the steps do not fit it.
fn typed_steps(resource: &Resource, steps: &[Step]) -> usize {
    let Some(shape) = resource.block() else { return usize::MAX };
    let mut ty = shape.ty();
    for (at, step) in steps.iter().enumerate() {
        ty = match (&ty, step) {
            (Type::Dynamic, _) => return at,
            (Type::Object(object), Step::Attribute(name)) => {
                match object.attributes().iter().find(|one| one.name == *name) {
                    Some(inner) => inner.ty.clone(),
                    None => return usize::MAX,
                }
            }
            (Type::List(inner) | Type::Set(inner) | Type::Map(inner), _) => (**inner).clone(),
            _ => return usize::MAX,
        };
    }
    steps.len()
}

/// Returns the key of an index step as JSON text: a number as its digits, a string in quotes.
fn plain(key: &Value) -> String {
    json::plain(key)
}
