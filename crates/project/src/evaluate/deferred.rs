//! Resources whose number of instances is unknown. The configuration applies to each instance, except that `each` and `count`
//! are unknown.

use std::sync::Arc;

use groma_config::{
    DeclarationName, ResourceMode, ResourceName, UndecidedAddress, UndecidedModule,
};
use groma_eval::{LayeredScope, NamedValues, Scope};
use groma_module::declare::{Repetition, Resource};
use groma_syntax::Diagnostics;
use groma_value::{Causes, Str, Type, Value};

use crate::evaluate::cell::ROOT;
use crate::evaluate::evaluation::Evaluation;
use crate::evaluate::instance::{Expansion, InstanceNode, RepeatKey};
use crate::project::ModuleNode;
use crate::tree::{CalledModule, ModuleId};

/// A resource whose number of instances is unknown, with its address, its provider and the value that each instance would have.
#[derive(Clone, Debug)]
pub struct DeferredResource {
    /// The address, with `[*]` in place of each unknown key.
    pub address: UndecidedAddress,
    /// Its mode, type and name.
    pub resource: ResourceName,
    /// The address of its provider.
    pub provider: String,
    /// The value that each instance would have, as far as that is known.
    pub value: Value,
}

impl Evaluation {
    /// Returns every resource and data source whose number of instances is unknown, outer modules first. Everything must be
    /// evaluated before.
    pub fn deferred(&self) -> Vec<DeferredResource> {
        let world = &self.world;
        let mut found = Vec::new();
        let mut rest = vec![world.instance(ROOT)];
        let mut at = 0;
        while let Some(instance) = rest.get(at).cloned() {
            at += 1;
            let module = world.module(&instance);
            let node = ModuleNode { project: &world.project, id: instance.node };
            for (position, cell) in instance.resources.iter().enumerate() {
                let (resource, Some(cell)) = (&module.resources[position], cell.get()) else {
                    continue;
                };
                let Expansion::Unknown(causes) = &cell.expansion else { continue };
                // Without a cause, it is the consequence of an error.
                if !causes.is_empty() {
                    let value = self.of_each(&instance, position as u32, causes);
                    let within = UndecidedModule::from(&instance.path);
                    found.extend(deferred(node, resource, &within, value));
                }
            }
            for (position, cell) in instance.calls.iter().enumerate() {
                let Some(cell) = cell.get() else { continue };
                rest.extend(cell.instances.iter().map(|id| world.instance(*id)));
                if let Expansion::Unknown(causes) = &cell.expansion
                    && !causes.is_empty()
                {
                    let name = DeclarationName::Call(module.calls[position].name.clone());
                    let address = UndecidedModule::from(&instance.path).declared(name, true);
                    self.inside(instance.node, position, address, causes, &mut found);
                }
            }
        }
        found
    }

    /// Returns the value that every instance of a resource with an unknown number of instances has: configured, with `count` and
    /// `each` unknown because of `causes`.
    fn of_each(&self, instance: &Arc<InstanceNode>, at: u32, causes: &Causes) -> Value {
        let world = &self.world;
        let unknown = |ty: Type| Value::unknown_because(ty, causes.clone());
        let object = |parts: &[(&str, Type)]| {
            Value::object(parts.iter().map(|(name, ty)| (Str::from(*name), unknown(ty.clone()))))
        };
        let mut names = NamedValues::new();
        match &world.module(instance).resources[at as usize].repetition {
            Repetition::Count(_) => names.insert("count", object(&[("index", Type::Number)])),
            Repetition::Each(_) => {
                names.insert("each", object(&[("key", Type::String), ("value", Type::Dynamic)]));
            }
            _ => {}
        }
        let [_, below] = world.body_scopes(instance, RepeatKey::None, at);
        let scope: Arc<dyn Scope> = Arc::new(LayeredScope { names, below });
        // Faults of an instance are reported once there is one.
        world.written_of(instance, at, scope, &mut Diagnostics::new())
    }

    /// Adds to `found` all resources in a called module, and in the modules it calls, when the number of instances of the call is
    /// unknown because of `causes`; the call has the index `call` in the module `node`, and the address `address`.
    fn inside(
        &self,
        node: ModuleId,
        call: usize,
        address: UndecidedAddress,
        causes: &Causes,
        found: &mut Vec<DeferredResource>,
    ) {
        let project = &self.world.project;
        let mut rest = vec![(node, call, address)];
        while let Some((node, call, address)) = rest.pop() {
            let CalledModule::Module(child) = project.nodes[node.0 as usize].children[call] else {
                continue;
            };
            let Some(called) = address.called() else { continue };
            let module = &project.nodes[child.0 as usize].module;
            let node = ModuleNode { project, id: child };
            for resource in &module.resources {
                let value = Value::unknown_because(Type::Dynamic, causes.clone());
                found.extend(deferred(node, resource, &called, value));
            }
            for (at, inner) in module.calls.iter().enumerate().rev() {
                let name = DeclarationName::Call(inner.name.clone());
                let is_repeated = inner.repetition.expression().is_some();
                rest.push((child, at, called.declared(name, is_repeated)));
            }
        }
    }
}

/// Returns the description of a resource whose number of instances is unknown, with the value that each has; `None` unless it is
/// a managed resource or a data source.
fn deferred(
    node: ModuleNode<'_>,
    resource: &Resource,
    module: &UndecidedModule,
    value: Value,
) -> Option<DeferredResource> {
    if !matches!(resource.mode, ResourceMode::Managed | ResourceMode::Data) {
        return None;
    }
    let (own, is_repeated) = (resource.own_name(), resource.repetition.expression().is_some());
    Some(DeferredResource {
        address: module.declared(DeclarationName::Resource(own.clone()), is_repeated),
        resource: own,
        provider: node.provider_named(resource.provider_name()),
        value,
    })
}
