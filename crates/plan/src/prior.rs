//! What each address had before: the objects of a state, once they have moved to where the configuration looks for
//! them. The values of an object are read on first use, by the shape that its resource has now.

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
    /// By address.
    slots: Vec<StateSlot>,
    at: FxHashMap<String, usize>,
    /// The keys that a resource has, by its address without them.
    keys: FxHashMap<String, Vec<InstanceKey>>,
    reader: TypedReader,
}

/// The recorded objects at an address.
#[derive(Clone, Default, Debug)]
pub(crate) struct StateSlot {
    pub(crate) address: String,
    pub(crate) target: Option<AddressPattern>,
    /// The current object, by its place in the state.
    pub(crate) current: Option<usize>,
    /// Those that should be gone.
    pub(crate) deposed: Vec<usize>,
    /// The place where it was recorded, if that is somewhere else.
    pub(crate) from: Option<AddressPattern>,
}

/// The address of an instance of a module.
pub(crate) type Modules = ModuleAddress;

/// The slots while they move: those of each module instance.
pub(crate) type Slots = BTreeMap<Modules, BTreeMap<ResourceTarget, StateSlot>>;

impl StateSlot {
    /// Takes note of where it has come from, if that is not known yet.
    pub(crate) fn moves_from(&mut self, modules: &Modules, resource: &ResourceTarget) {
        self.from.get_or_insert_with(|| AddressPattern {
            modules: modules.clone(),
            resource: Some(resource.clone()),
        });
    }

    /// Every object in it.
    pub(crate) fn objects(&self) -> impl Iterator<Item = usize> {
        self.current.iter().chain(&self.deposed).copied()
    }
}

/// Everything that a state records, by address.
pub(crate) fn slots(state: &State) -> Slots {
    let mut slots = Slots::new();
    for (at, object) in state.objects.iter().enumerate() {
        let AddressPattern { modules, resource: Some(resource) } = object.target() else {
            continue;
        };
        // What was read is read anew.
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
    pub(crate) fn of(state: Arc<State>, slots: Slots) -> Prior {
        let mut prior = Prior { state: Some(state), ..Prior::default() };
        let mut whole = String::new();
        let all = slots.into_iter().flat_map(|(modules, inner)| {
            inner.into_iter().map(move |(resource, slot)| {
                (AddressPattern { modules: modules.clone(), resource: Some(resource) }, slot)
            })
        });
        for (target, mut slot) in all {
            // Somewhere else and back again is no move.
            slot.from = slot.from.filter(|from| *from != target);
            let key =
                target.resource.as_ref().map_or(InstanceKey::None, |resource| resource.key.clone());
            // Those of one resource stand together.
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

    /// The state itself.
    pub(crate) fn state(&self) -> Option<&State> {
        self.state.as_deref()
    }

    /// Everything that is recorded, by address.
    pub(crate) fn slots(&self) -> &[StateSlot] {
        &self.slots
    }

    /// Returns what is recorded at an address.
    pub(crate) fn slot(&self, address: &str) -> Option<&StateSlot> {
        self.slots.get(*self.at.get(address)?)
    }

    /// The current object at an address.
    pub(crate) fn current(&self, address: &str) -> Option<&RecordedInstance> {
        self.object(self.slot(address)?.current?)
    }

    /// The keys that are recorded of a resource, by its address without them.
    pub(crate) fn keys(&self, resource: &str) -> &[InstanceKey] {
        self.keys.get(resource).map(Vec::as_slice).unwrap_or_default()
    }

    /// An object by its place in the state.
    pub(crate) fn object(&self, at: usize) -> Option<&RecordedInstance> {
        self.state.as_ref()?.objects.get(at)
    }

    /// The recorded outputs.
    pub(crate) fn outputs(&self) -> &[(Str, RecordedOutput)] {
        self.state.as_ref().map(|state| state.outputs.as_slice()).unwrap_or_default()
    }

    /// The recorded output of that name.
    pub(crate) fn output(&self, name: &str) -> Option<&RecordedOutput> {
        let all = self.outputs();
        let at = all.binary_search_by(|(known, _)| (**known).cmp(name)).ok()?;
        Some(&all[at].1)
    }

    /// The value of an object by the shape that its resource has now, with what was sensitive marked; nothing where
    /// nothing is recorded of it.
    ///
    /// # Errors
    /// A part of a sentence that says why it cannot be read, without anything of what is recorded.
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

/// Every object that a state records as it is now, resources and data, by address; what was sensitive is marked. One that
/// cannot be read is left out.
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

/// The paths that lead somewhere.
fn marks(paths: &[Path], value: &Value) -> Vec<(Path, Marks)> {
    let leads = |path: &&Path| ops::at(value, path).is_some();
    paths.iter().filter(leads).map(|path| (path.clone(), Marks::sensitive())).collect()
}

/// Returns what an object that is only recorded looks like, where that is known.
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

fn is_same_resource(one: &AddressPattern, other: &AddressPattern) -> bool {
    match (&one.resource, &other.resource) {
        (Some(one), Some(other)) => {
            one.mode == other.mode && one.kind == other.kind && one.name == other.name
        }
        _ => false,
    }
}

/// The same address without the key of the instance.
pub(crate) fn resource_of(target: &AddressPattern) -> AddressPattern {
    let mut whole = target.clone();
    if let Some(resource) = &mut whole.resource {
        resource.key = InstanceKey::None;
    }
    whole
}
