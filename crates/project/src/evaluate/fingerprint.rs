//! Fingerprints of values without an expression: objects completed by a provider, missing modules, and instances of unknown
//! number. The computed part of a resource has the same fingerprint as long as its address is equal; that of a data source also
//! depends on its arguments.

use std::sync::{Arc, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

use groma_config::{InstanceAddress, InstanceKey, ResourceMode};
use groma_eval::{NamedValues, Scope};
use groma_module::built_in::BuiltInType;
use groma_module::declare::{Expression, ModuleCall, Resource, SchemaBody};
use groma_module::visit::{Declaration, ExpressionRole};
use groma_value::{Fingerprint, Object, Str, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::evaluate::cell::{Cell, CellPart};
use crate::evaluate::instance::{InstanceNode, RepeatKey};
use crate::evaluate::object::InstanceObject;
use crate::evaluate::world::EvaluationState;
use crate::tree::{CalledModule, ModuleId, TreeModule};

/// Maximum nesting of requests for fingerprints: cells are filled in dependency order, so that the fingerprints needed are
/// usually known already.
const MAX_DEPTH: usize = 32;

impl EvaluationState {
    /// Returns true if this evaluation computes fingerprints of unknown values.
    pub(crate) fn is_tracing(&self) -> bool {
        self.options.trace.is_some()
    }

    /// Returns the address that stands for a resource instance in the fingerprints of both compared evaluations: that in the
    /// other evaluation if the instance has moved, else its own.
    fn shared_name<'a>(&'a self, address: &'a InstanceAddress) -> &'a InstanceAddress {
        let moved = self.options.trace.as_ref().and_then(|trace| trace.moved.get(address));
        moved.unwrap_or(address)
    }

    /// Returns the fingerprint of an expression: of its code and the values it refers to; `None` if one of these values has none,
    /// or the evaluation computes no fingerprints.
    fn of_code(&self, expression: &Expression, scope: &Arc<dyn Scope>) -> Option<Fingerprint> {
        groma_eval::fingerprint(&expression.located, &self.context(scope.clone()))
    }

    /// Returns the combined fingerprint of all expressions in a body, or of one argument or block type in it, independent of
    /// order; `None` if one of the expressions has none.
    fn of_content(
        &self,
        content: &SchemaBody,
        name: Option<&str>,
        scope: &Arc<dyn Scope>,
    ) -> Option<Fingerprint> {
        let mut found: Vec<(String, Option<Fingerprint>)> = Vec::new();
        content.visit(&mut |seen| {
            let own = match &seen.role {
                ExpressionRole::Argument(input) => &*input.name,
                ExpressionRole::BlockForEach => "for_each",
                _ => "",
            };
            let mut path: Vec<&str> = seen.blocks.iter().map(|block| &*block.kind).collect();
            path.push(own);
            if name.is_none_or(|name| path.first() == Some(&name)) {
                found.push((path.join("/"), self.of_code(seen.expression, scope)));
            }
        });
        found.sort_by(|one, other| one.0.cmp(&other.0));
        let all: Option<Vec<(String, Fingerprint)>> =
            found.into_iter().map(|(path, own)| Some((path, own?))).collect();
        Some(Fingerprint::of(all?))
    }

    /// Returns the fingerprint of everything that reading the data source at `address`, whose arguments refer to names in
    /// `scope`, may return; `None` if one of the arguments has none.
    fn of_data_result(
        &self,
        resource: &Resource,
        address: &InstanceAddress,
        scope: &Arc<dyn Scope>,
    ) -> Option<Fingerprint> {
        let written = self.of_content(&resource.content, None, scope)?;
        Some(Fingerprint::of(("read", address, &*resource.kind, written)))
    }

    /// Returns the object of a resource instance with a fingerprint for each of its unknown attributes.
    pub(super) fn trace_object(
        &self,
        resource: &Resource,
        address: &InstanceAddress,
        scope: &Arc<dyn Scope>,
        object: InstanceObject,
    ) -> InstanceObject {
        let address = self.shared_name(address);
        let rest = match resource.mode {
            ResourceMode::Managed => Some(Fingerprint::of(("object", address))),
            _ => self.of_data_result(resource, address, scope),
        };
        let Some(rest) = rest else { return object };
        let of_part = |name: &str| {
            let written = self.of_content(&resource.content, Some(name), scope)?;
            Some(Fingerprint::of(("written", address, name, written)))
        };
        match object {
            InstanceObject::Whole(value) if value.is_traced() => InstanceObject::Whole(value),
            InstanceObject::Whole(value) => {
                let (bare, marks) = value.unmark();
                let Value::Object(known) = &bare else {
                    return InstanceObject::Whole(bare.traced(rest).mark(&marks));
                };
                let whole = trace_attributes(resource, known, rest, &of_part);
                InstanceObject::Whole(whole.mark(&marks))
            }
            InstanceObject::Written(known) => {
                let written = known.written();
                let open = written.blocks.iter().filter(|(_, blocks)| blocks.is_none());
                let uncounted = open.map(|(kind, _)| (kind.clone(), of_part(kind))).collect();
                let mut written = written.clone();
                written.trace(rest, uncounted);
                InstanceObject::of(written)
            }
        }
    }

    /// Returns `value`, the unknown value of all instances of a resource, with its fingerprint, if one can be computed from their
    /// number and configuration.
    pub(super) fn trace_instances(
        self: &Arc<Self>,
        instance: &Arc<InstanceNode>,
        at: u32,
        value: Value,
    ) -> Value {
        let found = self.uncounted(instance, CellPart::Resource(at), |world| {
            let resource = &world.module(instance).resources[at as usize];
            let whole = instance.resource_address(resource).instance(InstanceKey::None);
            let scope = world.scope(instance, RepeatKey::None);
            let [_, body] = world.body_scopes(instance, RepeatKey::None, at);
            let number = match resource.repetition.expression() {
                Some(expression) => Some(world.of_code(expression, &scope)?),
                None => None,
            };
            let written = world.of_content(&resource.content, None, &body)?;
            Some(Fingerprint::of(("instances", world.shared_name(&whole), number, written)))
        });
        found.map_or_else(|| value.clone(), |basis| value.traced(basis))
    }

    /// Returns `value`, that of a module call whose module is missing or whose number of instances is unknown, with a fingerprint
    /// for each unknown output.
    pub(super) fn trace_call(
        self: &Arc<Self>,
        instance: &Arc<InstanceNode>,
        at: u32,
        value: Value,
    ) -> Value {
        let found = self.uncounted(instance, CellPart::Call(at), |world| {
            let call = &world.module(instance).calls[at as usize];
            let address = instance.address_of(&call.address());
            let given = match world.is_self_fed(instance, at) {
                true => world.of_input_code(instance.node, at)?,
                false => world.of_call(call, &world.scope(instance, RepeatKey::None))?,
            };
            let code = match world.node(instance.node).children[at as usize] {
                CalledModule::Module(child) => Some(world.of_modules(child.0)?),
                CalledModule::Absent => None,
            };
            Some(Fingerprint::of(("call", &*address, given, code)))
        });
        found.map_or_else(|| value.clone(), |basis| value.traced(basis))
    }

    /// Returns the fingerprint of a module call, made of its inputs and its repetition; `None` if one of these has none.
    fn of_call(&self, call: &ModuleCall, scope: &Arc<dyn Scope>) -> Option<Fingerprint> {
        let mut found: Vec<(&str, Option<Fingerprint>)> = Vec::new();
        call.visit(&mut |seen| {
            let name = match &seen.role {
                ExpressionRole::Argument(input) => &*input.name,
                ExpressionRole::DependsOn => return,
                _ => "",
            };
            found.push((name, self.of_code(seen.expression, scope)));
        });
        found.sort_by_key(|(name, _)| *name);
        let all: Option<Vec<(&str, Fingerprint)>> =
            found.into_iter().map(|(name, own)| Some((name, own?))).collect();
        Some(Fingerprint::of(all?))
    }

    /// Returns true if the inputs of a call depend on its outputs, so that the fingerprints of the inputs cannot identify the
    /// outputs.
    pub(crate) fn is_self_fed(&self, instance: &InstanceNode, call: u32) -> bool {
        self.project.graph.is_self_fed(&self.project.nodes, instance.node, call)
    }

    /// Returns the fingerprint of all code that the inputs of a module call depend on, and of the values given to the root
    /// variables among their dependencies; `None` if an expression in that code has none. Computed once.
    fn of_input_code(&self, node: ModuleId, call: u32) -> Option<Fingerprint> {
        let known = || self.self_fed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known().get(&(node.0, call)) {
            return *known;
        }
        let project = &self.project;
        let leading = project.graph.input_dependencies(&project.nodes, node, call);
        let root = &project.nodes[0].module;
        let given = leading.iter().filter_map(|(within, declaration)| match declaration {
            Declaration::Variable(at) if *within == ModuleId::ROOT => {
                let name = &*root.variables[*at as usize].name;
                Some((name, project.given_value(name)?.fingerprint()))
            }
            _ => None,
        });
        let given: Vec<_> = given.collect();
        let code = self.of_declarations(leading.iter().copied());
        let found = code.map(|code| Fingerprint::of((code, given)));
        known().insert((node.0, call), found);
        found
    }

    /// Returns the order-independent fingerprint of the code of declarations, without the values that names refer to; `None` if
    /// one of their expressions has none.
    fn of_declarations(
        &self,
        all: impl Iterator<Item = (ModuleId, Declaration)>,
    ) -> Option<Fingerprint> {
        let mut found: Vec<(String, String, Option<Fingerprint>)> = Vec::new();
        let mut scopes: FxHashMap<u32, Arc<dyn Scope>> = FxHashMap::default();
        for (at, declaration) in all {
            let node = &self.project.nodes[at.0 as usize];
            let scope = scopes.entry(at.0).or_insert_with(|| Arc::new(paths_of(node))).clone();
            let address = declaration.address(&node.module);
            node.module.visit_one(declaration, &mut |seen| {
                let code = self.of_code(seen.expression, &scope);
                found.push((node.address(), address.clone(), code));
            });
        }
        found.sort_by(|one, other| (&one.0, &one.1).cmp(&(&other.0, &other.1)));
        let all: Option<Vec<(String, String, Fingerprint)>> = found
            .into_iter()
            .map(|(module, address, code)| Some((module, address, code?)))
            .collect();
        Some(Fingerprint::of(all?))
    }

    /// Returns the fingerprint of the code of the module numbered `first` and all that it calls, without the values that names
    /// refer to; `None` if one of the expressions has none.
    fn of_modules(&self, first: u32) -> Option<Fingerprint> {
        let mut found: Vec<(ModuleId, Declaration)> = Vec::new();
        let mut rest = vec![first];
        while let Some(at) = rest.pop() {
            let node = &self.project.nodes[at as usize];
            found.extend(node.module.declarations().map(|one| (ModuleId(at), one)));
            rest.extend(node.children.iter().rev().filter_map(|child| match child {
                CalledModule::Module(id) => Some(id.0),
                CalledModule::Absent => None,
            }));
        }
        self.of_declarations(found.into_iter())
    }

    /// Returns the cached fingerprint of a declaration whose number of instances is unknown, or computes it with `make`; `None`
    /// if it has none or the evaluation computes no fingerprints.
    fn uncounted(
        self: &Arc<Self>,
        instance: &Arc<InstanceNode>,
        part: CellPart,
        make: impl FnOnce(&Arc<Self>) -> Option<Fingerprint>,
    ) -> Option<Fingerprint> {
        if !self.is_tracing() {
            return None;
        }
        let cell = Cell { instance: instance.id, part };
        if let Err(known) = self.uncounted_cache().begin(cell) {
            return known;
        }
        // Other cells may be evaluated meanwhile, so no lock is held.
        let found = make(self);
        self.uncounted_cache().end(cell, found);
        found
    }

    /// Locks the cached fingerprints of declarations whose number of instances is unknown.
    fn uncounted_cache(&self) -> MutexGuard<'_, UncountedFingerprints> {
        self.uncounted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A cache of fingerprints of declarations whose number of instances is unknown.
#[derive(Default)]
pub(super) struct UncountedFingerprints {
    found: FxHashMap<Cell, Fingerprint>,
    /// The requests in progress of each thread.
    requests: FxHashMap<ThreadId, FingerprintRequests>,
}

/// The fingerprint requests in progress on a thread: how deeply they are nested, and the cells in progress or failed.
#[derive(Default)]
struct FingerprintRequests {
    depth: usize,
    /// The cells in progress, and those that failed meanwhile.
    cells: FxHashSet<Cell>,
}

impl UncountedFingerprints {
    /// Starts a request for the fingerprint of a cell; `Err` with its result if that is known, which is `None` for a request that
    /// is cyclic, nested too deeply, or failed within the same outer request.
    fn begin(&mut self, cell: Cell) -> Result<(), Option<Fingerprint>> {
        if let Some(found) = self.found.get(&cell) {
            return Err(Some(*found));
        }
        let requests = self.requests.entry(thread::current().id()).or_default();
        if requests.depth >= MAX_DEPTH || !requests.cells.insert(cell) {
            return Err(None);
        }
        requests.depth += 1;
        Ok(())
    }

    /// Ends the request for the fingerprint of a cell, and caches what was found.
    fn end(&mut self, cell: Cell, found: Option<Fingerprint>) {
        let own = thread::current().id();
        let Some(requests) = self.requests.get_mut(&own) else { return };
        requests.depth -= 1;
        if let Some(found) = found {
            requests.cells.remove(&cell);
            self.found.insert(cell, found);
        }
        // A failed request may succeed later.
        if requests.depth == 0 {
            self.requests.remove(&own);
        }
    }
}

/// Returns a scope with the values of `path.module` and `path.root` in a module, since these identify the files that it reads.
fn paths_of(node: &TreeModule) -> NamedValues {
    let paths = [
        (Str::from("module"), Value::text(node.at.as_str())),
        (Str::from("root"), Value::text(".")),
    ];
    let mut names = NamedValues::new();
    names.insert("path", Value::object(paths));
    names
}

/// Returns a resource's object `known` with a fingerprint for each unknown attribute: from `of_part` if the attribute is
/// configured, otherwise made from `rest`. The object has a value for every attribute.
fn trace_attributes(
    resource: &Resource,
    known: &Object,
    rest: Fingerprint,
    of_part: &dyn Fn(&str) -> Option<Fingerprint>,
) -> Value {
    let content = &resource.content;
    let is_written = |name: &str| {
        content.arguments.iter().any(|one| &*one.name == name)
            || content.blocks.iter().any(|one| &*one.kind == name)
    };
    let all = known.iter().map(|(name, value)| {
        if let Some(mirrored) = BuiltInType::of(&resource.kind).and_then(|own| own.mirrored(name))
            && !value.is_traced()
            && let Some(input) = known.get(mirrored)
        {
            return (Str::clone(name), value.mirroring(&input.unmark_deep().0));
        }
        let basis = match &**name {
            _ if value.is_traced() => None,
            name if is_written(name) => of_part(name),
            name => Some(rest.with(name)),
        };
        (Str::clone(name), basis.map_or_else(|| value.clone(), |basis| value.traced(basis)))
    });
    Value::object(all.collect::<Vec<_>>())
}
