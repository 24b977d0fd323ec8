//! What came into being, for views: module instances and what is in them. Everything
//! has to be evaluated before; a cell that is not filled is left out.

use std::sync::Arc;

use groma_config::InstanceKey;
use groma_module::declare::{Expression, Module};
use groma_syntax::Diagnostics;
use groma_value::{Str, Value};

use crate::evaluate::cell::{Cell, CellPart, ROOT};
use crate::evaluate::evaluation::Evaluation;
use crate::evaluate::instance::{Expansion, InstanceNode, RepeatKey};
use crate::evaluate::object::InstanceObject;
use crate::evaluate::outcome::{ConditionOutcome, DataReading};
use crate::evaluate::world::EvaluationState;
use crate::project::ModuleNode;
use crate::tree::CalledModule;

/// One instance of a module.
#[derive(Clone)]
pub struct ModuleInstance {
    pub(super) world: Arc<EvaluationState>,
    pub(super) instance: Arc<InstanceNode>,
}

/// One instance of a resource.
#[derive(Clone, Debug)]
pub struct ResourceInstance {
    /// Its address, with every instance key.
    pub address: String,
    /// The key of the instance.
    pub key: InstanceKey,
    /// The value: all its attributes, or only those that are written.
    pub value: Value,
    /// True if all its attributes are there.
    pub is_whole: bool,
    /// The reading, if it is a data source.
    pub reading: Option<DataReading>,
    /// The outcome of its conditions, if it has any.
    pub outcome: Option<Box<ConditionOutcome>>,
}

/// The subject of conditions, by its position in the module's list.
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
    /// The instance of the root module.
    pub fn root(&self) -> ModuleInstance {
        ModuleInstance { world: self.world.clone(), instance: self.world.instance(ROOT) }
    }
}

impl ModuleInstance {
    /// `module.a[0].module.b`, empty for the root.
    pub fn address(&self) -> &str {
        &self.instance.address
    }

    /// The names and keys that lead here.
    pub fn path(&self) -> Vec<(Str, InstanceKey)> {
        let mut path = Vec::new();
        let mut at = &self.instance;
        while let Some((parent, call)) = &at.parent {
            let name = self.world.module(parent).calls[*call as usize].name.clone();
            path.push((name, at.repeat.key()));
            at = parent;
        }
        path.reverse();
        path
    }

    /// Returns what it is an instance of.
    pub fn module(&self) -> &Arc<Module> {
        &self.world.node(self.instance.node).module
    }

    /// Returns where that stands in the tree of modules.
    pub fn node(&self) -> ModuleNode<'_> {
        ModuleNode { project: &self.world.project, id: self.instance.node }
    }

    /// The instances of the modules it calls, by the calls' names and by their keys.
    pub fn children(&self) -> impl Iterator<Item = ModuleInstance> {
        let cells = self.instance.calls.iter().filter_map(|cell| cell.get());
        cells.flat_map(|cell| &cell.instances).map(|id| ModuleInstance {
            world: self.world.clone(),
            instance: self.world.instance(*id),
        })
    }

    /// The instances of a call, by its position in the module's list.
    pub fn children_of(&self, call: usize) -> Vec<ModuleInstance> {
        let cell = self.instance.calls.get(call).and_then(|cell| cell.get());
        let ids = cell.map(|cell| cell.instances.as_slice()).unwrap_or_default();
        let instance = |id: &u32| ModuleInstance {
            world: self.world.clone(),
            instance: self.world.instance(*id),
        };
        ids.iter().map(instance).collect()
    }

    /// The instance of a call that has that key, by the call's position in the module's list.
    pub fn child(&self, call: usize, key: &InstanceKey) -> Option<ModuleInstance> {
        let cell = self.instance.calls.get(call)?.get()?;
        let id = cell.instances.get(cell.spread.exactly(key)?)?;
        Some(ModuleInstance { world: self.world.clone(), instance: self.world.instance(*id) })
    }

    /// The value of an expression that the module declares, for one element of what it repeats over, if it does.
    pub fn evaluate(
        &self,
        expression: &Expression,
        each: Option<(Value, Value)>,
        out: &mut Diagnostics,
    ) -> Value {
        let repeat = each.map_or(RepeatKey::None, |(key, value)| RepeatKey::Each(key, value));
        self.world.settle_and_evaluate(&self.instance, repeat, expression, out)
    }

    /// Returns true if it is not known which instances a resource has, by its position in the module's list.
    pub fn is_unsettled(&self, resource: usize) -> bool {
        let cell = self.instance.resources.get(resource).and_then(|cell| cell.get());
        cell.is_none_or(|cell| matches!(cell.spread, Expansion::Unsettled(_)))
    }

    /// Returns true if a resource has an instance of that key, by its position in the module's list.
    pub fn is_declared(&self, resource: usize, key: &InstanceKey) -> bool {
        let cell = self.instance.resources.get(resource).and_then(|cell| cell.get());
        cell.is_some_and(|cell| cell.spread.exactly(key).is_some())
    }

    /// Returns true if it is not known which instances a call has.
    pub fn is_call_unsettled(&self, call: usize) -> bool {
        let cell = self.instance.calls.get(call).and_then(|cell| cell.get());
        cell.is_none_or(|cell| matches!(cell.spread, Expansion::Unsettled(_)))
    }

    /// Returns true if a call leads to a module that can be read.
    pub fn is_installed(&self, call: usize) -> bool {
        let node = self.world.node(self.instance.node);
        matches!(node.children.get(call), Some(CalledModule::Module(_)))
    }

    /// The value of a variable, by its position in the module's list.
    pub fn variable(&self, at: usize) -> Option<&Value> {
        self.instance.variables.get(at)?.get()
    }

    /// The value of an output, by its position in the module's list.
    pub fn output(&self, at: usize) -> Option<&Value> {
        self.instance.outputs.get(at)?.get()
    }

    /// Returns how many instances a resource has, as far as that is known.
    pub fn instance_count(&self, resource: usize) -> usize {
        let cell = self.instance.resources.get(resource).and_then(|cell| cell.get());
        cell.map_or(0, |cell| cell.objects.len())
    }

    /// The instances of a resource, by its position in the module's list and by their keys.
    pub fn instances(&self, resource: usize) -> impl Iterator<Item = ResourceInstance> {
        let cell = self.instance.resources.get(resource).and_then(|cell| cell.get());
        let declared = self.module().resources.get(resource);
        let objects = cell.zip(declared).map(|(cell, declared)| {
            let address = self.instance.address_of(&declared.address());
            let all = cell.objects.iter().enumerate();
            all.filter_map(move |(at, object)| {
                Some(self.resource(&address, resource, at, cell.spread.key(at)?, object.get()?))
            })
        });
        objects.into_iter().flatten()
    }

    /// Returns what is known about each of these, for callers that need no more than that.
    pub fn values(&self, resource: usize) -> impl Iterator<Item = Value> {
        let cell = self.instance.resources.get(resource).and_then(|cell| cell.get());
        let objects = cell.map(|cell| cell.objects.iter().filter_map(|object| object.get()));
        objects.into_iter().flatten().map(InstanceObject::shown)
    }

    /// One instance of the resource with this address.
    fn resource(
        &self,
        address: &str,
        resource: usize,
        at: usize,
        key: InstanceKey,
        object: &InstanceObject,
    ) -> ResourceInstance {
        let part = CellPart::Object(resource as u32, at as u32);
        let ledger = self.world.ledger();
        let cell = Cell { instance: self.instance.id, part };
        ResourceInstance {
            address: [address, &key.suffix()].concat(),
            key,
            value: object.shown(),
            is_whole: matches!(object, InstanceObject::Whole(_)),
            reading: ledger.readings.get(&cell).copied(),
            outcome: ledger.outcomes.get(&cell).cloned().map(Box::new),
        }
    }

    /// Returns what became of conditions; nothing where there are none.
    pub fn outcome(&self, subject: ConditionSubject) -> Option<ConditionOutcome> {
        let part = match subject {
            ConditionSubject::Variable(at) => CellPart::Variable(at as u32),
            ConditionSubject::Output(at) => CellPart::Output(at as u32),
            ConditionSubject::Check(at) => CellPart::Check(at as u32),
        };
        self.world.outcome(&self.instance, part)
    }
}
