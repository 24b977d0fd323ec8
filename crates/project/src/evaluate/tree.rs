//! Evaluated module instances and their content, for views. Everything must be evaluated before; unfilled cells are omitted.

use std::sync::Arc;

use groma_config::{InstanceAddress, InstanceKey, ModuleAddress, ResourceAddress};
use groma_module::declare::{Expression, Module, Resource};
use groma_syntax::Diagnostics;
use groma_value::Value;

use crate::evaluate::cell::{Cell, CellPart, ROOT};
use crate::evaluate::evaluation::Evaluation;
use crate::evaluate::instance::{Expansion, InstanceNode, RepeatKey};
use crate::evaluate::object::InstanceObject;
use crate::evaluate::outcome::{ConditionOutcome, DataReading};
use crate::evaluate::world::EvaluationState;
use crate::project::ModuleNode;
use crate::tree::CalledModule;

/// An evaluated module instance, whose content can be listed.
#[derive(Clone)]
pub struct ModuleInstance {
    pub(super) world: Arc<EvaluationState>,
    pub(super) instance: Arc<InstanceNode>,
}

/// An evaluated resource instance: its value, and the outcome of its conditions.
#[derive(Clone, Debug)]
pub struct ResourceInstance {
    /// The address of the instance, with every key.
    pub address: InstanceAddress,
    /// The value: all attributes, or only the configured ones.
    pub value: Value,
    /// True if the value has all attributes.
    pub is_whole: bool,
    /// The read status of a data source.
    pub reading: Option<DataReading>,
    /// The outcome of its conditions, if it has any.
    pub outcome: Option<Box<ConditionOutcome>>,
}

/// The variable, output or check that conditions belong to, by its index in the module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConditionSubject {
    /// An input variable.
    Variable(usize),
    /// An output.
    Output(usize),
    /// A check.
    Check(usize),
}

impl Evaluation {
    /// Returns the evaluated instance of the root module.
    pub fn root(&self) -> ModuleInstance {
        ModuleInstance { world: self.world.clone(), instance: self.world.instance(ROOT) }
    }
}

impl ModuleInstance {
    /// Returns the address of the module instance, such as `module.a[0].module.b`; empty for the root.
    pub fn address(&self) -> &str {
        &self.instance.address
    }

    /// Returns the address of the module instance as the calls that lead to it, each with its key.
    pub fn path(&self) -> &ModuleAddress {
        &self.instance.path
    }

    /// Returns the address of a resource of the module.
    pub fn resource_address(&self, resource: &Resource) -> ResourceAddress {
        self.instance.resource_address(resource)
    }

    /// Returns the declarations of the module of which this is an instance.
    pub fn module(&self) -> &Arc<Module> {
        &self.world.node(self.instance.node).module
    }

    /// Returns the module of the instance as a node of the module tree.
    pub fn node(&self) -> ModuleNode<'_> {
        ModuleNode { project: &self.world.project, id: self.instance.node }
    }

    /// Returns the instances of all called modules, by call name and key.
    pub fn children(&self) -> impl Iterator<Item = ModuleInstance> {
        let cells = self.instance.calls.iter().filter_map(|cell| cell.get());
        cells.flat_map(|cell| &cell.instances).map(|id| ModuleInstance {
            world: self.world.clone(),
            instance: self.world.instance(*id),
        })
    }

    /// Returns the instances of a module call, by the call's index in the module.
    pub fn children_of(&self, call: usize) -> Vec<ModuleInstance> {
        let cell = self.instance.calls.get(call).and_then(|cell| cell.get());
        let ids = cell.map(|cell| cell.instances.as_slice()).unwrap_or_default();
        let instance = |id: &u32| ModuleInstance {
            world: self.world.clone(),
            instance: self.world.instance(*id),
        };
        ids.iter().map(instance).collect()
    }

    /// Returns the instance with a key of a module call, by the call's index; `None` if there is no such instance.
    pub fn child(&self, call: usize, key: &InstanceKey) -> Option<ModuleInstance> {
        let cell = self.instance.calls.get(call)?.get()?;
        let id = cell.instances.get(cell.expansion.position_of_key(key)?)?;
        Some(ModuleInstance { world: self.world.clone(), instance: self.world.instance(*id) })
    }

    /// Evaluates an expression in the module instance, with `each` bound to a key and value if given.
    pub fn evaluate(
        &self,
        expression: &Expression,
        each: Option<(Value, Value)>,
        out: &mut Diagnostics,
    ) -> Value {
        let repeat = each.map_or(RepeatKey::None, |(key, value)| RepeatKey::Each(key, value));
        self.world.fill_and_evaluate(&self.instance, repeat, expression, out)
    }

    /// Returns true if the instances of a resource are unknown, by the resource's index in the module.
    pub fn has_unknown_instances(&self, resource: usize) -> bool {
        let cell = self.instance.resources.get(resource).and_then(|cell| cell.get());
        cell.is_none_or(|cell| matches!(cell.expansion, Expansion::Unknown(_)))
    }

    /// Returns true if a resource has an instance with a key, by the resource's index.
    pub fn is_declared(&self, resource: usize, key: &InstanceKey) -> bool {
        let cell = self.instance.resources.get(resource).and_then(|cell| cell.get());
        cell.is_some_and(|cell| cell.expansion.position_of_key(key).is_some())
    }

    /// Returns true if the instances of a module call are unknown, by the call's index in the module.
    pub fn has_unknown_call_instances(&self, call: usize) -> bool {
        let cell = self.instance.calls.get(call).and_then(|cell| cell.get());
        cell.is_none_or(|cell| matches!(cell.expansion, Expansion::Unknown(_)))
    }

    /// Returns true if the module of a call can be read, by the call's index in the module.
    pub fn is_installed(&self, call: usize) -> bool {
        let node = self.world.node(self.instance.node);
        matches!(node.children.get(call), Some(CalledModule::Module(_)))
    }

    /// Returns the value of a variable of the module, by its index; `None` if it is not evaluated.
    pub fn variable(&self, at: usize) -> Option<&Value> {
        self.instance.variables.get(at)?.get()
    }

    /// Returns the value of an output of the module, by its index; `None` if it is not evaluated.
    pub fn output(&self, at: usize) -> Option<&Value> {
        self.instance.outputs.get(at)?.get()
    }

    /// Returns the number of known instances of a resource, by the resource's index in the module.
    pub fn instance_count(&self, resource: usize) -> usize {
        let cell = self.instance.resources.get(resource).and_then(|cell| cell.get());
        cell.map_or(0, |cell| cell.objects.len())
    }

    /// Returns the instances of a resource in the order of their keys, by the resource's index in the module.
    pub fn instances(&self, resource: usize) -> impl Iterator<Item = ResourceInstance> {
        let cell = self.instance.resources.get(resource).and_then(|cell| cell.get());
        let objects = cell.map(|cell| {
            let all = cell.objects.iter().enumerate();
            all.filter_map(move |(at, object)| {
                let address = cell.address.instance(cell.expansion.key(at)?);
                Some(self.resource(address, resource, at, object.get()?))
            })
        });
        objects.into_iter().flatten()
    }

    /// Returns the values of the instances of a resource, by the resource's index in the module.
    pub fn values(&self, resource: usize) -> impl Iterator<Item = Value> {
        let cell = self.instance.resources.get(resource).and_then(|cell| cell.get());
        let objects = cell.map(|cell| cell.objects.iter().filter_map(|object| object.get()));
        objects.into_iter().flatten().map(InstanceObject::shown)
    }

    /// Returns a resource instance, by the indices of the resource and of the instance, with its value, reading status and
    /// outcome of conditions.
    fn resource(
        &self,
        address: InstanceAddress,
        resource: usize,
        at: usize,
        object: &InstanceObject,
    ) -> ResourceInstance {
        let part = CellPart::Object(resource as u32, at as u32);
        let ledger = self.world.ledger();
        let cell = Cell { instance: self.instance.id, part };
        ResourceInstance {
            address,
            value: object.shown(),
            is_whole: matches!(object, InstanceObject::Whole(_)),
            reading: ledger.readings.get(&cell).copied(),
            outcome: ledger.outcomes.get(&cell).cloned().map(Box::new),
        }
    }

    /// Returns the outcome of the conditions of a variable, output or check; `None` if it has no conditions.
    pub fn outcome(&self, subject: ConditionSubject) -> Option<ConditionOutcome> {
        let part = match subject {
            ConditionSubject::Variable(at) => CellPart::Variable(at as u32),
            ConditionSubject::Output(at) => CellPart::Output(at as u32),
            ConditionSubject::Check(at) => CellPart::Check(at as u32),
        };
        self.world.outcome(&self.instance, part)
    }
}
