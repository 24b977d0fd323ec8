//! The prior state by address: the objects of a state after moves. The values of an object are decoded on first use, with the
//! present schema of its resource.

use std::collections::BTreeMap;
use std::sync::Arc;

use groma_config::{AddressPattern, InstanceKey, ModuleAddress, ResourceMode, ResourceTarget};
use groma_module::ProviderSchemas;
use groma_module::built_in::{BuiltInType, data_schema};
use groma_runtime::Edition;
use groma_value::schema::{BlockSchema, Schema};
use groma_value::{Marks, Path, Str, Value, json, ops};
use rustc_hash::FxHashMap;

use crate::state::{
    AttributeMisfit, AttributeSource, RecordedInstance, RecordedOutput, State, TypedReader,
};

/// A state as the configuration sees it.
#[derive(Default, Debug)]
pub(crate) struct Prior {
    state: Option<Arc<State>>,
    /// Sorted by address.
    slots: Vec<StateSlot>,
    at: FxHashMap<String, usize>,
    /// The recorded keys of each resource, by its address without keys.
    keys: FxHashMap<String, Vec<InstanceKey>>,
    reader: TypedReader,
}

/// The recorded objects at an address.
#[derive(Clone, Default, Debug)]
pub(crate) struct StateSlot {
    pub(crate) address: String,
    pub(crate) target: Option<AddressPattern>,
    /// The current object, as an index into the state.
    pub(crate) current: Option<usize>,
    /// The deposed objects, as indices into the state.
    pub(crate) deposed: Vec<usize>,
    /// The previous address, if it has moved.
    pub(crate) from: Option<AddressPattern>,
}

/// The address of an instance of a module.
pub(crate) type Modules = ModuleAddress;

/// The slots of each module instance, while moves are applied.
pub(crate) type Slots = BTreeMap<Modules, BTreeMap<ResourceTarget, StateSlot>>;

impl StateSlot {
    /// Records the previous address of a moved slot, unless one is recorded.
    pub(crate) fn moves_from(&mut self, modules: &Modules, resource: &ResourceTarget) {
        self.from.get_or_insert_with(|| AddressPattern {
            modules: modules.clone(),
            resource: Some(resource.clone()),
        });
    }

    /// Returns every object in the slot, as indices into the state.
    pub(crate) fn objects(&self) -> impl Iterator<Item = usize> {
        self.current.iter().chain(&self.deposed).copied()
    }
}

/// Returns the recorded managed objects by address.
pub(crate) fn slots(state: &State) -> Slots {
    let mut slots = Slots::new();
    for (at, object) in state.objects.iter().enumerate() {
        let AddressPattern { modules, resource: Some(resource) } = object.target() else {
            continue;
        };
        // Data sources are read anew.
        if resource.mode != ResourceMode::Managed {
            continue;
        }
        let slot = slots.entry(modules).or_default().entry(resource).or_default();
        match object.deposed {
            Some(_) => slot.deposed.push(at),
            None => slot.current = Some(at),
        }
    }
    slots
}

impl Prior {
    /// Builds the prior state from the moved slots.
    pub(crate) fn of(state: Arc<State>, slots: Slots) -> Prior {
        let mut prior = Prior { state: Some(state), ..Prior::default() };
        let mut whole = String::new();
        let all = slots.into_iter().flat_map(|(modules, inner)| {
            inner.into_iter().map(move |(resource, slot)| {
                (AddressPattern { modules: modules.clone(), resource: Some(resource) }, slot)
            })
        });
        for (target, mut slot) in all {
            // A move back to the same address is no move.
            slot.from = slot.from.filter(|from| *from != target);
            let key =
                target.resource.as_ref().map_or(InstanceKey::None, |resource| resource.key.clone());
            // Slots of one resource are adjacent.
            let is_same =
                prior.slots.last().and_then(|slot| slot.target.as_ref()).is_some_and(|last| {
                    last.modules == target.modules && is_same_resource(last, &target)
                });
            if !is_same {
                whole = resource_of(&target).to_string();
                prior.keys.insert(whole.clone(), Vec::new());
            }
            slot.address = format!("{whole}{}", key.suffix());
            prior.keys.entry(whole.clone()).or_default().push(key);
            prior.at.insert(slot.address.clone(), prior.slots.len());
            prior.slots.push(StateSlot { target: Some(target), ..slot });
        }
        prior
    }

    /// Returns the recorded state, if any.
    pub(crate) fn state(&self) -> Option<&State> {
        self.state.as_deref()
    }

    /// Returns all slots, sorted by address.
    pub(crate) fn slots(&self) -> &[StateSlot] {
        &self.slots
    }

    /// Returns the slot at an address.
    pub(crate) fn slot(&self, address: &str) -> Option<&StateSlot> {
        self.slots.get(*self.at.get(address)?)
    }

    /// Returns the current object at an address.
    pub(crate) fn current(&self, address: &str) -> Option<&RecordedInstance> {
        self.object(self.slot(address)?.current?)
    }

    /// Returns the recorded keys of a resource, given its address without keys.
    pub(crate) fn keys(&self, resource: &str) -> &[InstanceKey] {
        self.keys.get(resource).map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns an object by its index in the state.
    pub(crate) fn object(&self, at: usize) -> Option<&RecordedInstance> {
        self.state.as_ref()?.objects.get(at)
    }

    /// Returns the recorded outputs.
    pub(crate) fn outputs(&self) -> &[(Str, RecordedOutput)] {
        self.state.as_ref().map(|state| state.outputs.as_slice()).unwrap_or_default()
    }

    /// Returns a recorded output by name.
    pub(crate) fn output(&self, name: &str) -> Option<&RecordedOutput> {
        let all = self.outputs();
        let at = all.binary_search_by(|(known, _)| (**known).cmp(name)).ok()?;
        Some(&all[at].1)
    }

    /// Returns the value of an object, decoded with the present schema of its resource, with sensitive parts marked; `None` if
    /// it has no recorded attributes.
    ///
    /// # Errors
    /// A phrase that says why it cannot be read and contains nothing of its content.
    pub(crate) fn value(
        &self,
        object: &RecordedInstance,
        shape: Option<&BlockSchema>,
    ) -> Result<Option<Value>, String> {
        if let Some(why) = object.newer() {
            return Err(why);
        }
        let (Some(state), AttributeSource::Json(range)) = (&self.state, &object.attributes) else {
            return match object.attributes {
                AttributeSource::Flat => Err("its attributes are recorded in the format of versions before 0.12, which only its provider can read. Let a newer version write the state first".to_owned()),
                _ => Ok(None),
            };
        };
        let text = state.text_of(range);
        let value = match shape {
            Some(block) => self.reader.read(text, block),
            None => json::decode_loose(text).map_err(|_| AttributeMisfit::Broken),
        };
        let value = value.map_err(|why| match why {
            AttributeMisfit::Broken => "its attributes are not valid JSON".to_owned(),
            AttributeMisfit::Of(name) => {
                format!("\"{name}\" is recorded with a value that does not fit the schema of its resource type")
            }
        })?;
        if value.is_null() {
            return Ok(None);
        }
        let hidden = marks(&object.sensitive, &value);
        Ok(Some(if hidden.is_empty() { value } else { value.mark_paths(&hidden) }))
    }
}

/// Returns every object of a state, resources and data sources, by address, with sensitive parts marked. Unreadable objects are
/// omitted.
pub fn recorded(state: State, schemas: &ProviderSchemas, edition: Edition) -> Vec<(String, Value)> {
    let prior = Prior { state: Some(Arc::new(state)), ..Prior::default() };
    let all = prior.state.iter().flat_map(|state| &state.objects);
    let current = all.filter(|object| object.deposed.is_none()).filter_map(|object| {
        let AddressPattern { resource: Some(resource), .. } = object.target() else { return None };
        let source = &object.entry.provider.source;
        let shape = match resource.mode {
            ResourceMode::Managed => shape(object, &resource.kind, schemas, edition),
            mode => schemas.of_type(source, mode, &resource.kind),
        };
        let block = shape.as_ref().map(|shape| &*shape.block);
        Some((object.target().to_string(), prior.value(object, block).ok()??))
    });
    current.collect()
}

/// Returns those marked paths that exist in a value.
fn marks(paths: &[Path], value: &Value) -> Vec<(Path, Marks)> {
    let leads = |path: &&Path| ops::at(value, path).is_some();
    paths.iter().filter(leads).map(|path| (path.clone(), Marks::sensitive())).collect()
}

/// Returns the schema of a recorded object, if known.
pub(crate) fn shape(
    object: &RecordedInstance,
    kind: &str,
    schemas: &ProviderSchemas,
    edition: Edition,
) -> Option<Arc<Schema>> {
    if object.is_built_in() {
        return (BuiltInType::of(kind) == Some(BuiltInType::Data)).then(|| data_schema(edition));
    }
    schemas.of_recorded(&object.entry.provider.source, kind)
}

/// Returns true if both are instances of the same resource.
fn is_same_resource(one: &AddressPattern, other: &AddressPattern) -> bool {
    match (&one.resource, &other.resource) {
        (Some(one), Some(other)) => {
            one.mode == other.mode && one.kind == other.kind && one.name == other.name
        }
        _ => false,
    }
}

/// Returns an instance address without its instance key.
pub(crate) fn resource_of(target: &AddressPattern) -> AddressPattern {
    let mut whole = target.clone();
    if let Some(resource) = &mut whole.resource {
        resource.key = InstanceKey::None;
    }
    whole
}
