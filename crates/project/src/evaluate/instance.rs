//! A module instance and its memo cells: one for each declaration, filled once. Cells are read without a lock; only the
//! scheduler fills them.

use std::sync::{Arc, Mutex, OnceLock};

use groma_config::{InstanceKey, ModuleAddress, ResourceAddress};
use groma_module::declare::{Module, Resource};
use groma_module::resolve::Surroundings;
use groma_value::{Causes, Mark, Marks, Str, Type, Value};
use rustc_hash::FxHashMap;

use crate::evaluate::cell::{CellPart, CellState};
use crate::evaluate::object::{InstanceObject, Model};
use crate::tree::ModuleId;

/// The value of `count` or `each` in an instance of a repeated block.
#[derive(Clone, Default, Debug)]
pub(crate) enum RepeatKey {
    /// Neither `count` nor `each`.
    #[default]
    None,
    /// `count.index`
    Index(usize),
    /// `each.key` and `each.value`; the key is text.
    Each(Value, Value),
}

impl RepeatKey {
    /// Returns the surroundings in which `count` or `each` is visible.
    pub(crate) fn surroundings(&self) -> Surroundings {
        Surroundings {
            count: matches!(self, RepeatKey::Index(_)),
            each: matches!(self, RepeatKey::Each(..)),
            ..Surroundings::default()
        }
    }

    /// Returns `count` or `each` for an instance of which only the key is known.
    pub(crate) fn of_key(key: &InstanceKey) -> RepeatKey {
        match key {
            InstanceKey::None => RepeatKey::None,
            InstanceKey::Number(at) => RepeatKey::Index(*at),
            InstanceKey::Text(key) => {
                RepeatKey::Each(Value::String(key.clone()), Value::unknown(Type::Dynamic))
            }
        }
    }

    /// Returns the instance key that `count.index` or `each.key` denotes.
    pub(crate) fn key(&self) -> InstanceKey {
        match self {
            RepeatKey::None => InstanceKey::None,
            RepeatKey::Index(at) => InstanceKey::Number(*at),
            RepeatKey::Each(key, _) => match key.bare() {
                Value::String(key) => InstanceKey::Text(key.clone()),
                _ => InstanceKey::None,
            },
        }
    }
}

/// The instances that the `count`, `for_each` or `enabled` of a block yields, or the only instance without these.
#[derive(Clone, Debug)]
pub(crate) enum Expansion {
    /// A single instance without a key.
    One,
    /// No instance, because it is disabled.
    Never,
    /// Instances by number, from 0; the marks are the mocks that the number depends on.
    Numbered(usize, Marks),
    /// Instances by key, sorted; the marks are the mocks that the keys depend on.
    Keyed(Vec<(Str, Value)>, Marks),
    /// Unknown, for these reasons.
    Unknown(Causes),
}

impl Expansion {
    /// Returns the key of the instance at an index, and the value of `count` or `each` in it; `None` if there is no such
    /// instance.
    pub(crate) fn instance(&self, position: usize) -> Option<(InstanceKey, RepeatKey)> {
        match self {
            Expansion::One if position == 0 => Some((InstanceKey::None, RepeatKey::None)),
            Expansion::Numbered(count, _) if position < *count => {
                Some((InstanceKey::Number(position), RepeatKey::Index(position)))
            }
            Expansion::Keyed(all, marks) => {
                let (key, value) = all.get(position)?;
                let own = Value::String(key.clone()).mark(marks);
                Some((InstanceKey::Text(key.clone()), RepeatKey::Each(own, value.mark(marks))))
            }
            _ => None,
        }
    }

    /// Returns the key of the instance at an index of the expansion; `None` if there is no such instance.
    pub(crate) fn key(&self, position: usize) -> Option<InstanceKey> {
        match self {
            Expansion::One => (position == 0).then_some(InstanceKey::None),
            Expansion::Numbered(count, _) => {
                (position < *count).then_some(InstanceKey::Number(position))
            }
            Expansion::Keyed(all, _) => {
                all.get(position).map(|(key, _)| InstanceKey::Text(key.clone()))
            }
            Expansion::Never | Expansion::Unknown(_) => None,
        }
    }

    /// Returns the keys of all instances of the expansion.
    fn keys(&self) -> Arc<[InstanceKey]> {
        (0..self.len()).filter_map(|at| self.key(at)).collect()
    }

    /// Returns the expansion with these marks, which record the mocks that it depends on.
    pub(crate) fn with_mock_marks(self, marks: &Marks) -> Expansion {
        if !marks.is_mocked() {
            return self;
        }
        let mocks = marks.iter().filter(|mark| matches!(mark, Mark::Mocked(_)));
        let mocks = mocks.fold(Marks::NONE, |all, mark| all.union(&Marks::one(mark.clone())));
        match self {
            Expansion::Numbered(count, _) => Expansion::Numbered(count, mocks),
            Expansion::Keyed(all, _) => Expansion::Keyed(all, mocks),
            other => other,
        }
    }

    /// Returns the number of instances that the expansion has; 0 if they are unknown.
    pub(crate) fn len(&self) -> usize {
        match self {
            Expansion::One => 1,
            Expansion::Never | Expansion::Unknown(_) => 0,
            Expansion::Numbered(count, _) => *count,
            Expansion::Keyed(all, _) => all.len(),
        }
    }

    /// Returns the index of the instance whose key equals `key` without conversion, if any: a number selects only numbered
    /// instances.
    pub(crate) fn position_of_key(&self, key: &InstanceKey) -> Option<usize> {
        match (self, key) {
            (Expansion::One, InstanceKey::None) => Some(0),
            (Expansion::Numbered(count, _), InstanceKey::Number(at)) => {
                Some(*at).filter(|at| at < count)
            }
            (Expansion::Keyed(..), InstanceKey::Text(key)) => self.position(key),
            _ => None,
        }
    }

    /// Returns the index of the instance that a key, given as text, selects with conversion: as everywhere in the language,
    /// numeric strings select numbered instances, numbers keyed ones; `None` if there is none.
    pub(crate) fn position(&self, key: &str) -> Option<usize> {
        match self {
            Expansion::Numbered(count, _) => key.parse().ok().filter(|at| at < count),
            Expansion::Keyed(all, _) => all.binary_search_by(|(known, _)| (**known).cmp(key)).ok(),
            _ => None,
        }
    }
}

/// The evaluated instances of a module call, and their outputs combined into one value.
#[derive(Debug)]
pub(crate) struct CallCell {
    pub(crate) expansion: Expansion,
    /// The ids of the instances, in expansion order.
    pub(crate) instances: Vec<u32>,
    /// The state of each output combined over all instances, and last that of all outputs together.
    gathered: Box<[CellState]>,
    /// The value of all instances together, on first use.
    pub(crate) whole: OnceLock<Value>,
    /// The keys of all instances, on first use.
    keys: OnceLock<Arc<[InstanceKey]>>,
}

impl CallCell {
    /// Returns the cell of a module call that has the instances with the ids `instances`, and of whose outputs, `outputs` in
    /// number, none is combined over all instances yet.
    pub(crate) fn new(expansion: Expansion, instances: Vec<u32>, outputs: usize) -> CallCell {
        let gathered = CellState::many(outputs + 1);
        let (whole, keys) = (OnceLock::new(), OnceLock::new());
        CallCell { expansion, instances, gathered, whole, keys }
    }

    /// Returns the keys of all instances of the module call.
    pub(crate) fn keys(&self) -> Arc<[InstanceKey]> {
        self.keys.get_or_init(|| self.expansion.keys()).clone()
    }

    /// Returns the state of the cell that combines the values of an output (by index, or [`CellPart::ALL_OUTPUTS`]) in all
    /// instances; `None` without such an output.
    fn gathered(&self, output: u32) -> Option<&CellState> {
        match output {
            CellPart::ALL_OUTPUTS => self.gathered.last(),
            output => self.gathered.get(output as usize),
        }
    }
}

/// The instances of a resource in one module instance, and their objects combined into one value.
#[derive(Debug)]
pub(crate) struct ResourceCell {
    /// The address that all instances share.
    pub(crate) address: ResourceAddress,
    pub(crate) expansion: Expansion,
    pub(crate) objects: Box<[OnceLock<InstanceObject>]>,
    /// The state of each instance.
    states: Box<[CellState]>,
    /// The value of all instances together, on first use.
    pub(crate) whole: OnceLock<Value>,
    /// The values of all instances reduced to one attribute, by its name, on first use.
    pub(crate) projected: Mutex<FxHashMap<Str, Value>>,
    /// The part that equal instances share.
    pub(crate) model: Model,
    /// The keys of all instances, on first use.
    keys: OnceLock<Arc<[InstanceKey]>>,
}

impl ResourceCell {
    /// Returns true if the object of every instance of the resource has been evaluated.
    pub(crate) fn is_filled(&self) -> bool {
        self.objects.iter().all(|object| object.get().is_some())
    }

    /// Returns the result of `of` for the object of every instance of the resource; unknown for an instance that is not
    /// evaluated yet.
    pub(crate) fn values(&self, of: &dyn Fn(&InstanceObject) -> Value) -> Vec<Value> {
        let unknown = || Value::unknown(Type::Dynamic);
        self.objects.iter().map(|object| object.get().map_or_else(unknown, of)).collect()
    }

    /// The approximate size of a resource instance in bytes, without its configured values.
    pub(crate) const BYTES: u64 = 2 * size_of::<OnceLock<InstanceObject>>() as u64;

    /// Returns the cell of a resource whose instances are not evaluated yet.
    pub(crate) fn new(address: ResourceAddress, expansion: Expansion) -> ResourceCell {
        ResourceCell {
            address,
            objects: cells(expansion.len()),
            states: CellState::many(expansion.len()),
            expansion,
            whole: OnceLock::new(),
            projected: Mutex::default(),
            model: Model::default(),
            keys: OnceLock::new(),
        }
    }

    /// Returns the keys of all instances of the resource.
    pub(crate) fn keys(&self) -> Arc<[InstanceKey]> {
        self.keys.get_or_init(|| self.expansion.keys()).clone()
    }
}

/// A module instance as a node in the tree of instances, with its parent and its memo cells.
#[derive(Debug)]
pub(crate) struct InstanceNode {
    pub(crate) id: u32,
    pub(crate) node: ModuleId,
    /// The calling instance and the index of the call.
    pub(crate) parent: Option<(Arc<InstanceNode>, u32)>,
    /// The index among the call's instances.
    position: u32,
    pub(crate) repeat: RepeatKey,
    pub(crate) path: ModuleAddress,
    /// The text of its address, such as `module.a[0].module.b`; empty for the root.
    pub(crate) address: String,
    pub(crate) variables: Box<[OnceLock<Value>]>,
    pub(crate) locals: Box<[OnceLock<Value>]>,
    pub(crate) outputs: Box<[OnceLock<Value>]>,
    pub(crate) calls: Box<[OnceLock<CallCell>]>,
    pub(crate) resources: Box<[OnceLock<ResourceCell>]>,
    /// The state of each declaration, grouped by kind.
    states: Box<[CellState]>,
    /// The index of the first state of each kind except the first kind.
    begins: [u32; 6],
}

/// The size in bytes counted for the heap part of a small value, and for the diagnostics of a cell and the outcome of its
/// conditions.
const CELL_OVERHEAD: usize = 32;

/// The maximum number of bytes that one value adds to an estimate of an instance's memory: large values mostly share their parts
/// with others.
const MAX_WEIGHT: u64 = 1 << 14;

/// Returns the approximate size of a value in bytes.
fn weight(value: &Value) -> u64 {
    value.measure().weight.min(MAX_WEIGHT)
}

/// Returns an array of `count` empty memo cells.
fn cells<T>(count: usize) -> Box<[OnceLock<T>]> {
    (0..count).map(|_| OnceLock::new()).collect()
}

impl InstanceNode {
    /// Returns a module instance whose cells are empty: the one at the index `position` of those of the call in `parent`, with
    /// `count` or `each` as in `repeat`.
    pub(crate) fn new(
        id: u32,
        node: ModuleId,
        module: &Module,
        parent: Option<(Arc<InstanceNode>, u32)>,
        position: u32,
        repeat: RepeatKey,
        path: ModuleAddress,
    ) -> InstanceNode {
        let resources = module.resources.len();
        // A resource has two states: its expansion and the value of all instances.
        let counts = [
            module.variables.len(),
            module.locals.len(),
            module.outputs.len(),
            module.calls.len(),
            resources,
            resources,
        ];
        let mut states = 0;
        let begins = counts.map(|count| {
            states += count;
            states as u32
        });
        let states = states + module.checks.len();
        InstanceNode {
            id,
            node,
            parent,
            position,
            repeat,
            address: path.to_string(),
            path,
            variables: cells(module.variables.len()),
            locals: cells(module.locals.len()),
            outputs: cells(module.outputs.len()),
            calls: cells(module.calls.len()),
            resources: cells(resources),
            states: CellState::many(states),
            begins,
        }
    }

    /// Returns the approximate size in bytes of a new instance of `module`, without values; `parent` is the address of the
    /// calling instance.
    pub(crate) fn bytes(module: &Module, parent: &str) -> u64 {
        let values = module.variables.len() + module.locals.len() + module.outputs.len();
        let sizes = [
            size_of::<InstanceNode>() + 3 * parent.len() + 128,
            values * (size_of::<OnceLock<Value>>() + CELL_OVERHEAD),
            module.calls.len() * (size_of::<OnceLock<CallCell>>() + CELL_OVERHEAD),
            module.resources.len() * (size_of::<OnceLock<ResourceCell>>() + CELL_OVERHEAD),
        ];
        sizes.iter().sum::<usize>() as u64
    }

    /// Returns the approximate size of the filled cells in bytes.
    pub(crate) fn filled_bytes(&self) -> u64 {
        let values = self.variables.iter().chain(&self.locals).chain(&self.outputs);
        let values = values.filter_map(|cell| cell.get()).map(weight);
        let calls = self.calls.iter().filter_map(|cell| cell.get());
        let calls =
            calls.map(|call| call.whole.get().map_or(0, weight) + call.instances.len() as u64 * 4);
        let resources = self.resources.iter().filter_map(|cell| cell.get());
        let resources = resources.map(|resource| {
            let objects = resource.objects.iter().filter_map(|object| object.get());
            let objects: u64 = objects.map(|one| one.measured().weight.min(MAX_WEIGHT)).sum();
            resource.objects.len() as u64 * ResourceCell::BYTES + objects
        });
        values.chain(calls).chain(resources).sum()
    }

    /// Returns the state of a cell of this module instance; `None` if it has no such cell.
    pub(crate) fn state(&self, part: CellPart) -> Option<&CellState> {
        let [locals, outputs, calls, expansions, resources, checks] = self.begins;
        let at = match part {
            CellPart::Variable(at) => at,
            CellPart::Local(at) => locals + at,
            CellPart::Output(at) => outputs + at,
            CellPart::Call(at) => calls + at,
            CellPart::Expansion(at) => expansions + at,
            CellPart::Resource(at) => resources + at,
            CellPart::Check(at) => checks + at,
            CellPart::Object(at, key) => {
                return self.resources.get(at as usize)?.get()?.states.get(key as usize);
            }
            CellPart::Gathered(call, output) => {
                return self.calls.get(call as usize)?.get()?.gathered(output);
            }
        };
        self.states.get(at as usize)
    }

    /// Returns a flag for each output, by index: true if it is filled.
    pub(crate) fn outputs_filled(&self) -> Vec<bool> {
        self.outputs.iter().map(|cell| cell.get().is_some()).collect()
    }

    /// Returns the path from the root to this module instance: for each module call, the index of the call and that of its
    /// instance.
    pub(crate) fn call_path(&self) -> Vec<(u32, u32)> {
        let mut way = Vec::new();
        let mut at = self;
        while let Some((parent, call)) = &at.parent {
            way.push((*call, at.position));
            at = parent;
        }
        way.reverse();
        way
    }

    /// Returns the address of a resource in this module instance.
    pub(crate) fn resource_address(&self, resource: &Resource) -> ResourceAddress {
        ResourceAddress::new(self.path.clone(), resource.own_name())
    }

    /// Returns the absolute address of a declaration in this module instance, given its address `inner` in the module.
    pub(crate) fn address_of(&self, inner: &str) -> String {
        match self.address.is_empty() {
            true => inner.to_owned(),
            false => format!("{}.{inner}", self.address),
        }
    }
}
