//! The prior state by address: the objects of a state after moves. The values of an object are decoded on first use, with the
//! present schema of its resource.

use std::collections::BTreeMap;
use std::sync::Arc;

use groma_config::{
    InstanceAddress, InstanceKey, ModuleAddress, ResourceAddress, ResourceMode, ResourceName,
    ResourceTarget,
};
use groma_module::ProviderSchemas;
use groma_module::built_in::{BuiltInType, data_schema};
use groma_runtime::Edition;
use groma_value::schema::{BlockSchema, Schema};
use groma_value::{Marks, Path, Str, Value, json, ops};
use rustc_hash::FxHashMap;

use crate::state::{
    AttributeMisfit, AttributeSource, RecordedInstance, RecordedOutput, State, TypedReader,
};

/// The recorded state of a plan, with objects at their addresses after moves.
#[derive(Default, Debug)]
pub(crate) struct Prior {
    state: Option<Arc<State>>,
    /// Sorted by address.
    instances: Vec<PriorInstance>,
    at: FxHashMap<InstanceAddress, usize>,
    /// The keys of the recorded instances of each resource.
    keys: FxHashMap<ResourceAddress, Vec<InstanceKey>>,
    reader: TypedReader,
}

/// An instance in the prior state: its address, and the recorded objects at it, the current one and the deposed ones.
#[derive(Clone, Debug)]
pub(crate) struct PriorInstance {
    pub(crate) address: InstanceAddress,
    /// The current object, as an index into the state.
    pub(crate) current: Option<usize>,
    /// The deposed objects, as indices into the state.
    pub(crate) deposed: Vec<usize>,
    /// The previous address, if it has moved.
    pub(crate) from: Option<InstanceAddress>,
}

/// The recorded objects of one instance while moves are applied to its address.
#[derive(Clone, Default, Debug)]
pub(crate) struct MovingObjects {
    /// The current object, as an index into the state.
    pub(crate) current: Option<usize>,
    /// The deposed objects, as indices into the state.
    pub(crate) deposed: Vec<usize>,
    /// The previous address, if it has moved.
    pub(crate) from: Option<InstanceAddress>,
}

/// The recorded objects of each module instance and resource instance, while moves are applied.
pub(crate) type MovingInstances = BTreeMap<ModuleAddress, BTreeMap<ResourceTarget, MovingObjects>>;

impl MovingObjects {
    /// Records the address that the objects move from, unless an earlier one is recorded.
    pub(crate) fn record_origin(&mut self, modules: &ModuleAddress, resource: &ResourceTarget) {
        self.from.get_or_insert_with(|| InstanceAddress::new(modules.clone(), resource.clone()));
    }
}

impl PriorInstance {
    /// Returns the current and the deposed objects of the instance, as indices into the state.
    pub(crate) fn objects(&self) -> impl Iterator<Item = usize> {
        self.current.iter().chain(&self.deposed).copied()
    }
}

/// Returns the recorded managed objects by module and resource, before any moves.
pub(crate) fn moving_instances(state: &State) -> MovingInstances {
    let mut instances = MovingInstances::new();
    for (at, object) in state.objects.iter().enumerate() {
        let modules = object.entry.modules.clone();
        let resource = object.address().target();
        // Data sources are read anew.
        if resource.mode != ResourceMode::Managed {
            continue;
        }
        let moving = instances.entry(modules).or_default().entry(resource).or_default();
        match object.deposed {
            Some(_) => moving.deposed.push(at),
            None => moving.current = Some(at),
        }
    }
    instances
}

impl Prior {
    /// Returns the prior state with the objects at the addresses that moves have led to.
    pub(crate) fn of(state: Arc<State>, instances: MovingInstances) -> Prior {
        let mut prior = Prior { state: Some(state), ..Prior::default() };
        for (modules, inner) in instances {
            for (target, MovingObjects { current, deposed, from }) in inner {
                let ResourceTarget { mode, kind, name, key } = target;
                let last = prior.instances.last().map(|past| past.address.resource());
                // Instances of one resource are adjacent.
                let is_same = |last: &&ResourceAddress| {
                    let known = last.name();
                    *last.module() == modules
                        && (known.mode, &known.kind, &known.name) == (mode, &kind, &name)
                };
                let resource = last.filter(is_same).cloned().unwrap_or_else(|| {
                    ResourceAddress::new(modules.clone(), ResourceName { mode, kind, name })
                });
                prior.keys.entry(resource.clone()).or_default().push(key.clone());
                let address = resource.instance(key);
                prior.at.insert(address.clone(), prior.instances.len());
                // A move back to the same address is no move.
                let from = from.filter(|from| *from != address);
                prior.instances.push(PriorInstance { address, current, deposed, from });
            }
        }
        prior
    }

    /// Returns the state as it was read, if there is one.
    pub(crate) fn state(&self) -> Option<&State> {
        self.state.as_deref()
    }

    /// Returns all instances of the prior state, sorted by address.
    pub(crate) fn instances(&self) -> &[PriorInstance] {
        &self.instances
    }

    /// Returns the instance of the prior state at an address; `None` if nothing is recorded there.
    pub(crate) fn instance(&self, address: &InstanceAddress) -> Option<&PriorInstance> {
        self.instances.get(*self.at.get(address)?)
    }

    /// Returns the recorded current object of an instance, if any.
    pub(crate) fn current(&self, address: &InstanceAddress) -> Option<&RecordedInstance> {
        self.object(self.instance(address)?.current?)
    }

    /// Returns the keys of the recorded instances of a resource.
    pub(crate) fn keys(&self, resource: &ResourceAddress) -> &[InstanceKey] {
        self.keys.get(resource).map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns a recorded object by its index in the state.
    pub(crate) fn object(&self, at: usize) -> Option<&RecordedInstance> {
        self.state.as_ref()?.objects.get(at)
    }

    /// Returns the recorded outputs of the root module.
    pub(crate) fn outputs(&self) -> &[(Str, RecordedOutput)] {
        self.state.as_ref().map(|state| state.outputs.as_slice()).unwrap_or_default()
    }

    /// Returns a recorded output of the root module by name, if any.
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

/// Returns the address and the value of every current object of a state, resources and data sources, with sensitive parts marked.
/// Unreadable objects are omitted.
pub fn recorded(state: State, schemas: &ProviderSchemas, edition: Edition) -> Vec<(String, Value)> {
    let prior = Prior { state: Some(Arc::new(state)), ..Prior::default() };
    let all = prior.state.iter().flat_map(|state| &state.objects);
    let current = all.filter(|object| object.deposed.is_none()).filter_map(|object| {
        let source = &object.entry.provider.source;
        let kind = &object.entry.kind;
        let shape = match object.entry.mode {
            ResourceMode::Managed => shape(object, kind, schemas, edition),
            mode => schemas.of_type(source, mode, kind),
        };
        let block = shape.as_ref().map(|shape| &*shape.block);
        Some((object.address().to_string(), prior.value(object, block).ok()??))
    });
    current.collect()
}

/// Returns those of `paths` that lead to a part of the value, each with the mark for sensitive values.
fn marks(paths: &[Path], value: &Value) -> Vec<(Path, Marks)> {
    let leads = |path: &&Path| ops::at(value, path).is_some();
    paths.iter().filter(leads).map(|path| (path.clone(), Marks::sensitive())).collect()
}

/// Returns the schema by which a recorded object is decoded, if it is known.
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
