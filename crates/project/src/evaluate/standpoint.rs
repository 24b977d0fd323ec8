//! From one standpoint to the next: which declaration a reference leads to, which instances a call or a resource has, and
//! who calls a module. What has to be known for that is evaluated on the way, and what is wrong with it is not reported
//! here.

use std::sync::Arc;

use groma_eval::Reference;
use groma_folder::Key;
use groma_module::declare::{Module, Referent};
use groma_value::{Causes, Value};

use crate::evaluate::address::Standpoint;
use crate::evaluate::cell::{Cell, CellPart};
use crate::evaluate::evaluation::Evaluation;
use crate::evaluate::instance::{Instance, Repeat, Spread};
use crate::evaluate::object::InstanceObject;
use crate::tree::Child;

/// Which instances a call or a resource has.
#[derive(Clone, Debug)]
pub enum Instances {
    /// One without a key.
    One,
    /// These; there may be none.
    Keyed(Arc<[Key]>),
    /// Which there are is not known, for these reasons.
    Unsettled(Causes),
}

impl Instances {
    fn of(spread: &Spread, keys: impl FnOnce() -> Arc<[Key]>) -> Instances {
        match spread {
            Spread::One => Instances::One,
            Spread::Unsettled(causes) => Instances::Unsettled(causes.clone()),
            _ => Instances::Keyed(keys()),
        }
    }

    /// How many there are, as far as that is known.
    pub fn len(&self) -> usize {
        match self {
            Instances::One => 1,
            Instances::Keyed(keys) => keys.len(),
            Instances::Unsettled(_) => 0,
        }
    }

    /// Whether there are none, as far as that is known.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Standpoint {
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
    pub fn key(&self) -> Key {
        self.repeat.key()
    }

    /// The instance of the module alone.
    pub fn of_module(&self) -> Standpoint {
        Standpoint { instance: self.instance.clone(), repeat: Repeat::None, own: None }
    }
}

impl Evaluation {
    /// What is declared in the module of a standpoint.
    pub fn declared_at(&self, at: &Standpoint) -> &Arc<Module> {
        &self.world.node(at.instance.node).module
    }

    /// Where the inputs of a module's instance are worked out, and which of the calls there it is an instance of.
    pub fn caller(&self, at: &Standpoint) -> Option<(Standpoint, usize)> {
        let (parent, call) = at.instance.parent.clone()?;
        let repeat = at.instance.repeat.clone();
        Some((Standpoint { instance: parent, repeat, own: None }, call as usize))
    }

    /// The declaration that a reference leads to; nothing for what is none, or is not there.
    pub fn referent(&self, at: &Standpoint, reference: &Reference) -> Option<Referent> {
        let names = &self.world.module(&at.instance).names;
        match names.resolve(reference, &at.around(&self.world)).ok()? {
            Referent::Settled | Referent::Itself | Referent::Broken => None,
            referent => Some(referent),
        }
    }

    /// The value of a variable, a local value or an output that stands there.
    pub fn value_of(&self, at: &Standpoint, referent: &Referent) -> Option<Value> {
        let instance = &at.instance;
        let (part, cells, number) = match referent {
            Referent::Variable(at) => (CellPart::Variable(*at), &instance.variables, *at),
            Referent::Local(at) => (CellPart::Local(*at), &instance.locals, *at),
            _ => return None,
        };
        self.fill(instance, part);
        cells.get(number as usize)?.get().cloned()
    }

    /// The value of an output of the module that stands there, by its position in the module's list.
    pub fn output_of(&self, at: &Standpoint, output: usize) -> Option<Value> {
        self.fill(&at.instance, CellPart::Output(output as u32));
        at.instance.outputs.get(output)?.get().cloned()
    }

    /// Which instances a call has, by its position in the module's list, and where each of them stands; nothing where
    /// its module cannot be read.
    pub fn instances_of_call(
        &self,
        at: &Standpoint,
        call: usize,
    ) -> Option<(Instances, Vec<Standpoint>)> {
        let node = self.world.node(at.instance.node);
        if matches!(node.children.get(call)?, Child::Absent) {
            return None;
        }
        self.fill(&at.instance, CellPart::Call(call as u32));
        let cell = at.instance.calls.get(call)?.get()?;
        let standing = cell.instances.iter().map(|id| Standpoint {
            instance: self.world.instance(*id),
            repeat: Repeat::None,
            own: None,
        });
        let keys = || {
            let all = (0..cell.spread.len()).filter_map(|at| cell.spread.instance(at));
            all.map(|(key, _)| key).collect()
        };
        Some((Instances::of(&cell.spread, keys), standing.collect()))
    }

    /// Which instances a resource has, by its position in the module's list.
    pub fn instances_of_resource(&self, at: &Standpoint, resource: usize) -> Option<Instances> {
        self.fill(&at.instance, CellPart::Spread(resource as u32));
        let cell = at.instance.resources.get(resource)?.get()?;
        Some(Instances::of(&cell.spread, || cell.keys()))
    }

    /// The instance of a resource at a position among the instances that it has.
    pub fn at_resource(
        &self,
        at: &Standpoint,
        resource: usize,
        position: usize,
    ) -> Option<Standpoint> {
        self.fill(&at.instance, CellPart::Spread(resource as u32));
        let cell = at.instance.resources.get(resource)?.get()?;
        let (_, repeat) = cell.spread.instance(position)?;
        let own = Some((resource as u32, position as u32));
        Some(Standpoint { instance: at.instance.clone(), repeat, own })
    }

    /// What is known of an instance of a resource, at a position among those that it has; nothing where not all of its
    /// attributes are accounted for.
    pub fn object_of(&self, at: &Standpoint, resource: usize, position: usize) -> Option<Value> {
        let part = CellPart::Object(resource as u32, position as u32);
        self.fill(&at.instance, part);
        match at.instance.resources.get(resource)?.get()?.objects.get(position)?.get()? {
            InstanceObject::Whole(value) => Some(value.clone()),
            InstanceObject::Written(_) => None,
        }
    }

    fn fill(&self, instance: &Instance, part: CellPart) {
        self.world.driver().settle(&self.world, &[Cell { instance: instance.id, part }]);
    }
}
