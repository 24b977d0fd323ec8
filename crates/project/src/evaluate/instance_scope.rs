//! Navigation between scopes: from a reference to its declaration, from a module call or resource to its instances, and to the
//! caller. Repetitions are evaluated as needed; their diagnostics are not reported here.

use std::sync::Arc;

use groma_config::InstanceKey;
use groma_eval::{Reference, Step};
use groma_module::declare::{Module, Referent};
use groma_value::{Causes, Value, ops};

use crate::evaluate::address::ScopeRef;
use crate::evaluate::cell::{Cell, CellPart};
use crate::evaluate::evaluation::Evaluation;
use crate::evaluate::instance::{CallCell, Expansion, InstanceNode, RepeatKey, ResourceCell};
use crate::evaluate::object::InstanceObject;
use crate::facts::RecordedObject;
use crate::tree::CalledModule;

/// The instances of a module call or resource, by their keys, or the reason why they are unknown.
#[derive(Clone, Debug)]
pub enum InstanceSet {
    /// A single instance without a key.
    One,
    /// Instances with these keys, possibly none.
    Keyed(Arc<[InstanceKey]>),
    /// The instances are not known, for these reasons.
    Unknown(Causes),
}

impl InstanceSet {
    /// Returns the known instances of an expansion; `keys` returns their keys.
    fn of(expansion: &Expansion, keys: impl FnOnce() -> Arc<[InstanceKey]>) -> InstanceSet {
        match expansion {
            Expansion::One => InstanceSet::One,
            Expansion::Unknown(causes) => InstanceSet::Unknown(causes.clone()),
            _ => InstanceSet::Keyed(keys()),
        }
    }

    /// Returns the number of instances; 0 if they are unknown.
    pub fn len(&self) -> usize {
        match self {
            InstanceSet::One => 1,
            InstanceSet::Keyed(keys) => keys.len(),
            InstanceSet::Unknown(_) => 0,
        }
    }

    /// Returns true if no instance is known: there is none, or the instances are unknown.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl ScopeRef {
    /// Returns the address of the containing module instance, empty for the root.
    pub fn module_address(&self) -> &str {
        &self.instance.address
    }

    /// Returns the indices of the resource and of its instance, if it is the scope of a resource instance.
    pub fn resource(&self) -> Option<(usize, usize)> {
        self.own.map(|(at, key)| (at as usize, key as usize))
    }

    /// Returns the instance key that `each` or `count` refers to in the scope.
    pub fn key(&self) -> InstanceKey {
        self.repeat.key()
    }

    /// Returns the value of `each.value` in the scope; `None` if the block has no `for_each`.
    pub fn element(&self) -> Option<&Value> {
        match &self.repeat {
            RepeatKey::Each(_, value) => Some(value),
            _ => None,
        }
    }

    /// Returns the scope of the module instance itself: without the resource instance, if this scope is that of one.
    pub fn of_module(&self) -> ScopeRef {
        ScopeRef { instance: self.instance.clone(), repeat: RepeatKey::None, own: None }
    }
}

impl Evaluation {
    /// Returns the module that the scope `at` belongs to.
    pub fn declared_at(&self, at: &ScopeRef) -> &Arc<Module> {
        &self.world.node(at.instance.node).module
    }

    /// Returns the scope of the calling module instance and the index of the module call in it; `None` for the root.
    pub fn caller(&self, at: &ScopeRef) -> Option<(ScopeRef, usize)> {
        let (parent, call) = at.instance.parent.clone()?;
        let repeat = at.instance.repeat.clone();
        Some((ScopeRef { instance: parent, repeat, own: None }, call as usize))
    }

    /// Returns the declaration that a reference in the scope `at` resolves to, if any.
    pub fn referent(&self, at: &ScopeRef, reference: &Reference) -> Option<Referent> {
        let names = &self.world.module(&at.instance).names;
        match names.resolve(reference, &at.surroundings(&self.world)).ok()? {
            Referent::Settled
            | Referent::TypeWord
            | Referent::Itself
            | Referent::Broken
            | Referent::News => None,
            referent => Some(referent),
        }
    }

    /// Returns the value of a variable or local value of the module instance `at`; `None` for other referents.
    pub fn value_of(&self, at: &ScopeRef, referent: &Referent) -> Option<Value> {
        let instance = &at.instance;
        let (part, cells, number) = match referent {
            Referent::Variable(at) => (CellPart::Variable(*at), &instance.variables, *at),
            Referent::Local(at) => (CellPart::Local(*at), &instance.locals, *at),
            _ => return None,
        };
        let cell = cells.get(number as usize)?;
        if cell.get().is_none() {
            self.fill(instance, part);
        }
        cell.get().cloned()
    }

    /// Returns the value of an output of the module instance `at`, by index; `None` if it could not be evaluated.
    pub fn output_of(&self, at: &ScopeRef, output: usize) -> Option<Value> {
        let cell = at.instance.outputs.get(output)?;
        if cell.get().is_none() {
            self.fill(&at.instance, CellPart::Output(output as u32));
        }
        cell.get().cloned()
    }

    /// Returns the known instances of a module call of the module `at`, by the call's index; `None` if the called module cannot
    /// be read.
    pub fn instances_of_call(&self, at: &ScopeRef, call: usize) -> Option<InstanceSet> {
        let cell = self.call_cell(at, call)?;
        Some(InstanceSet::of(&cell.expansion, || cell.keys()))
    }

    /// Returns the scope of one instance of a module call, by the indices of the call and of the instance; `None` if there is no
    /// such instance.
    pub fn at_call(&self, at: &ScopeRef, call: usize, position: usize) -> Option<ScopeRef> {
        let id = self.call_cell(at, call)?.instances.get(position)?;
        Some(ScopeRef { instance: self.world.instance(*id), repeat: RepeatKey::None, own: None })
    }

    /// Returns the known instances of a resource of the module `at`, by the resource's index; `None` if they could not be
    /// evaluated.
    pub fn instances_of_resource(&self, at: &ScopeRef, resource: usize) -> Option<InstanceSet> {
        let cell = self.resource_cell(at, resource)?;
        Some(InstanceSet::of(&cell.expansion, || cell.keys()))
    }

    /// Returns the scope of a resource instance, by the indices of the resource and of the instance; `None` if there is no such
    /// instance.
    pub fn at_resource(&self, at: &ScopeRef, resource: usize, position: usize) -> Option<ScopeRef> {
        let (_, repeat) = self.resource_cell(at, resource)?.expansion.instance(position)?;
        let own = Some((resource as u32, position as u32));
        Some(ScopeRef { instance: at.instance.clone(), repeat, own })
    }

    /// Returns the prior object of a resource instance, if the facts know it, by the indices of the resource and of the instance.
    pub fn recorded_at(
        &self,
        at: &ScopeRef,
        resource: usize,
        position: usize,
    ) -> Option<RecordedObject> {
        let cell = self.resource_cell(at, resource)?;
        let address = cell.address.instance(cell.expansion.key(position)?);
        self.world.facts.prior.as_ref()?.recorded_object(&address)
    }

    /// Returns the value of a resource instance, by the indices of the resource and of the instance; `None` if the engine does
    /// not know all of its attributes.
    pub fn object_of(&self, at: &ScopeRef, resource: usize, position: usize) -> Option<Value> {
        match self.instance_object(at, resource, position)? {
            InstanceObject::Whole(value) => Some(value.clone()),
            InstanceObject::Written(_) => None,
        }
    }

    /// Returns the value at a path in a resource instance, by the indices of the resource and of the instance; `None` if there is
    /// no such part. Attributes that the engine does not know are unknown.
    pub fn part_of(
        &self,
        at: &ScopeRef,
        resource: usize,
        position: usize,
        steps: &[Step],
    ) -> Option<Value> {
        let object = self.instance_object(at, resource, position)?;
        if steps.is_empty() {
            return Some(object.value());
        }
        let (mut value, used) = object.follow(steps);
        for step in steps.get(used..)? {
            value = match step {
                Step::Attribute(name) => ops::attribute(&value, name).ok()?,
                Step::Index(key) => ops::index(&value, key).ok()?,
                Step::Splat | Step::Unknown => return None,
            };
        }
        Some(value)
    }

    /// Returns the object of a resource instance, by the indices of the resource and of the instance; `None` if it does not exist
    /// or could not be evaluated.
    fn instance_object<'s>(
        &self,
        at: &'s ScopeRef,
        resource: usize,
        position: usize,
    ) -> Option<&'s InstanceObject> {
        let cell = at.instance.resources.get(resource)?;
        let object = || cell.get()?.objects.get(position)?.get();
        if object().is_none() {
            self.fill(&at.instance, CellPart::Object(resource as u32, position as u32));
        }
        object()
    }

    /// Evaluates the cell of a module call and returns it, by the call's index; `None` if the called module is absent or the cell
    /// could not be filled.
    fn call_cell<'s>(&self, at: &'s ScopeRef, call: usize) -> Option<&'s CallCell> {
        let node = self.world.node(at.instance.node);
        if matches!(node.children.get(call)?, CalledModule::Absent) {
            return None;
        }
        let cell = at.instance.calls.get(call)?;
        if cell.get().is_none() {
            self.fill(&at.instance, CellPart::Call(call as u32));
        }
        cell.get()
    }

    /// Evaluates the cell of a resource and returns it, by the resource's index; `None` if the cell could not be filled.
    fn resource_cell<'s>(&self, at: &'s ScopeRef, resource: usize) -> Option<&'s ResourceCell> {
        let cell = at.instance.resources.get(resource)?;
        if cell.get().is_none() {
            self.fill(&at.instance, CellPart::Expansion(resource as u32));
        }
        cell.get()
    }

    /// Evaluates a cell of a module instance without reporting its diagnostics.
    fn fill(&self, instance: &InstanceNode, part: CellPart) {
        self.world.scheduler().fill_all(&self.world, &[Cell { instance: instance.id, part }]);
    }
}
