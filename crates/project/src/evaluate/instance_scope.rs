//! From one standpoint to the next: which declaration a reference leads to, which instances a call or a resource has, and
//! the caller. What has to be known for that is evaluated on the way, and what is wrong with it is not reported
//! here.

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
use crate::tree::CalledModule;

/// The instances of a call or a resource.
#[derive(Clone, Debug)]
pub enum InstanceSet {
    /// One without a key.
    One,
    /// These; there may be none.
    Keyed(Arc<[InstanceKey]>),
    /// The instances are not known, for these reasons.
    Unsettled(Causes),
}

impl InstanceSet {
    fn of(spread: &Expansion, keys: impl FnOnce() -> Arc<[InstanceKey]>) -> InstanceSet {
        match spread {
            Expansion::One => InstanceSet::One,
            Expansion::Unsettled(causes) => InstanceSet::Unsettled(causes.clone()),
            _ => InstanceSet::Keyed(keys()),
        }
    }

    /// Returns how many there are, as far as that is known.
    pub fn len(&self) -> usize {
        match self {
            InstanceSet::One => 1,
            InstanceSet::Keyed(keys) => keys.len(),
            InstanceSet::Unsettled(_) => 0,
        }
    }

    /// Returns true if there are none, as far as that is known.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl ScopeRef {
    /// The address of the instance of a module that it is in, empty for the root.
    pub fn module_address(&self) -> &str {
        &self.instance.address
    }

    /// The resource and which of its instances, where it is in one: positions in the module's list and among the
    /// instances.
    pub fn resource(&self) -> Option<(usize, usize)> {
        self.own.map(|(at, key)| (at as usize, key as usize))
    }

    /// The key of the instance that `each` and `count` belong to there.
    pub fn key(&self) -> InstanceKey {
        self.repeat.key()
    }

    /// Returns what `each.value` is worth there, where there is one.
    pub fn element(&self) -> Option<&Value> {
        match &self.repeat {
            RepeatKey::Each(_, value) => Some(value),
            _ => None,
        }
    }

    /// The instance of the module alone.
    pub fn of_module(&self) -> ScopeRef {
        ScopeRef { instance: self.instance.clone(), repeat: RepeatKey::None, own: None }
    }
}

impl Evaluation {
    /// Returns what is declared in the module of a standpoint.
    pub fn declared_at(&self, at: &ScopeRef) -> &Arc<Module> {
        &self.world.node(at.instance.node).module
    }

    /// Returns where the inputs of a module's instance are worked out, and which of the calls there it is an instance
    /// of.
    pub fn caller(&self, at: &ScopeRef) -> Option<(ScopeRef, usize)> {
        let (parent, call) = at.instance.parent.clone()?;
        let repeat = at.instance.repeat.clone();
        Some((ScopeRef { instance: parent, repeat, own: None }, call as usize))
    }

    /// The declaration that a reference leads to; nothing for what is none, or is not there.
    pub fn referent(&self, at: &ScopeRef, reference: &Reference) -> Option<Referent> {
        let names = &self.world.module(&at.instance).names;
        match names.resolve(reference, &at.around(&self.world)).ok()? {
            Referent::Settled
            | Referent::TypeWord
            | Referent::Itself
            | Referent::Broken
            | Referent::News => None,
            referent => Some(referent),
        }
    }

    /// The value of a variable, a local value or an output that stands there.
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

    /// The value of an output of the module that stands there, by its position in the module's list.
    pub fn output_of(&self, at: &ScopeRef, output: usize) -> Option<Value> {
        let cell = at.instance.outputs.get(output)?;
        if cell.get().is_none() {
            self.fill(&at.instance, CellPart::Output(output as u32));
        }
        cell.get().cloned()
    }

    /// Returns which instances a call has, by its position in the module's list; nothing where its module cannot be
    /// read.
    pub fn instances_of_call(&self, at: &ScopeRef, call: usize) -> Option<InstanceSet> {
        let cell = self.call_cell(at, call)?;
        Some(InstanceSet::of(&cell.spread, || cell.keys()))
    }

    /// Returns where the instance of a call stands at a position among those that it has.
    pub fn at_call(&self, at: &ScopeRef, call: usize, position: usize) -> Option<ScopeRef> {
        let id = self.call_cell(at, call)?.instances.get(position)?;
        Some(ScopeRef { instance: self.world.instance(*id), repeat: RepeatKey::None, own: None })
    }

    /// Returns which instances a resource has, by its position in the module's list.
    pub fn instances_of_resource(&self, at: &ScopeRef, resource: usize) -> Option<InstanceSet> {
        let cell = self.resource_cell(at, resource)?;
        Some(InstanceSet::of(&cell.spread, || cell.keys()))
    }

    /// The instance of a resource at a position among the instances that it has.
    pub fn at_resource(&self, at: &ScopeRef, resource: usize, position: usize) -> Option<ScopeRef> {
        let (_, repeat) = self.resource_cell(at, resource)?.spread.instance(position)?;
        let own = Some((resource as u32, position as u32));
        Some(ScopeRef { instance: at.instance.clone(), repeat, own })
    }

    /// Returns what is known of an instance of a resource, at a position among those that it has; nothing where not
    /// all of its attributes are accounted for.
    pub fn object_of(&self, at: &ScopeRef, resource: usize, position: usize) -> Option<Value> {
        match self.instance_object(at, resource, position)? {
            InstanceObject::Whole(value) => Some(value.clone()),
            InstanceObject::Written(_) => None,
        }
    }

    /// Returns what a part of an instance of a resource is worth, at a position among those that it has; nothing where
    /// there is no such part. Of what is not accounted for this is unknown.
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

    fn resource_cell<'s>(&self, at: &'s ScopeRef, resource: usize) -> Option<&'s ResourceCell> {
        let cell = at.instance.resources.get(resource)?;
        if cell.get().is_none() {
            self.fill(&at.instance, CellPart::Spread(resource as u32));
        }
        cell.get()
    }

    fn fill(&self, instance: &InstanceNode, part: CellPart) {
        self.world.driver().settle(&self.world, &[Cell { instance: instance.id, part }]);
    }
}
