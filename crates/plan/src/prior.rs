//! What each address had before: the objects of a state, once they have moved to where the configuration looks for
//! them. The values of an object are read when somebody asks, by the shape that its resource has now.

use std::collections::BTreeMap;
use std::sync::Arc;

use groma_folder::{Key, Mode, ResourceTarget, Target};
use groma_module::Schemas;
use groma_module::schema::built_in::data_block;
use groma_value::schema::{AttributeSchema, BlockSchema, NestedBlock, Nesting, Schema};
use groma_value::{Marks, Path, PathStep, Str, Type, Value, convert, json, ops};
use rustc_hash::FxHashMap;

use crate::state::{Attributes, Recorded, RecordedOutput, State, type_of, typed};

/// A state as the configuration sees it.
#[derive(Default, Debug)]
pub(crate) struct Prior {
    state: Option<Arc<State>>,
    /// By address.
    slots: Vec<Slot>,
    at: FxHashMap<String, usize>,
    /// The keys that a resource has, by its address without them.
    keys: FxHashMap<String, Vec<Key>>,
}

/// What is recorded at an address.
#[derive(Clone, Default, Debug)]
pub(crate) struct Slot {
    pub(crate) address: String,
    pub(crate) target: Option<Target>,
    /// The current object, by its place in the state.
    pub(crate) current: Option<usize>,
    /// Those that should be gone.
    pub(crate) deposed: Vec<usize>,
    /// Where it was recorded, if that is somewhere else.
    pub(crate) from: Option<Target>,
}

/// The address of an instance of a module.
pub(crate) type Modules = Vec<(Str, Key)>;

/// The slots while they move: those of each module instance.
pub(crate) type Slots = BTreeMap<Modules, BTreeMap<ResourceTarget, Slot>>;

impl Slot {
    /// Takes note of where it has come from, if that is not known yet.
    pub(crate) fn moves_from(&mut self, modules: &Modules, resource: &ResourceTarget) {
        self.from.get_or_insert_with(|| Target {
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
        let Target { modules, resource: Some(resource) } = object.target() else { continue };
        // What was read is read anew.
        if resource.mode != Mode::Managed {
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
                (Target { modules: modules.clone(), resource: Some(resource) }, slot)
            })
        });
        for (target, mut slot) in all {
            // Somewhere else and back again is no move.
            slot.from = slot.from.filter(|from| *from != target);
            let key = target.resource.as_ref().map_or(Key::None, |resource| resource.key.clone());
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
            prior.slots.push(Slot { target: Some(target), ..slot });
        }
        prior
    }

    /// The state itself.
    pub(crate) fn state(&self) -> Option<&State> {
        self.state.as_deref()
    }

    /// Everything that is recorded, by address.
    pub(crate) fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// What is recorded at an address.
    pub(crate) fn slot(&self, address: &str) -> Option<&Slot> {
        self.slots.get(*self.at.get(address)?)
    }

    /// The current object at an address.
    pub(crate) fn current(&self, address: &str) -> Option<&Recorded> {
        self.object(self.slot(address)?.current?)
    }

    /// The keys that are recorded of a resource, by its address without them.
    pub(crate) fn keys(&self, resource: &str) -> &[Key] {
        self.keys.get(resource).map(Vec::as_slice).unwrap_or_default()
    }

    /// An object by its place in the state.
    pub(crate) fn object(&self, at: usize) -> Option<&Recorded> {
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
        object: &Recorded,
        shape: Option<&BlockSchema>,
    ) -> Result<Option<Value>, String> {
        let (Some(state), Attributes::Json(range)) = (&self.state, &object.attributes) else {
            return match object.attributes {
                Attributes::Flat => Err("its attributes are recorded in the form of programs before 0.12, which only its provider can read. Let a newer program write the state first".to_owned()),
                _ => Ok(None),
            };
        };
        let written = json::decode_loose(state.text_of(range))
            .map_err(|_| "its attributes are no JSON that can be read".to_owned())?;
        if written.is_null() {
            return Ok(None);
        }
        let value = match shape {
            Some(block) => of_block(&written, block).map_err(|name| {
                format!("\"{name}\" is recorded as what its resource type does not take there")
            })?,
            None => written,
        };
        let hidden = marks(&object.sensitive, &value);
        Ok(Some(value.mark_paths(&hidden)))
    }
}

/// Every object that a state records as it is now, resources and data, by address; what was sensitive is marked. One that
/// cannot be read is left out.
pub fn recorded(state: State, schemas: &Schemas) -> Vec<(String, Value)> {
    let prior = Prior { state: Some(Arc::new(state)), ..Prior::default() };
    let all = prior.state.iter().flat_map(|state| &state.objects);
    let current = all.filter(|object| object.deposed.is_none()).filter_map(|object| {
        let Target { resource: Some(resource), .. } = object.target() else { return None };
        let source = &object.entry.provider.source;
        let shape = match resource.mode {
            Mode::Managed => shape(object, &resource.kind, schemas),
            mode => schemas.of_type(source, mode, &resource.kind),
        };
        let block = shape.as_ref().map(|shape| &*shape.block);
        Some((object.target().to_string(), prior.value(object, block).ok()??))
    });
    current.collect()
}

/// The paths that lead somewhere.
fn marks(paths: &[Path], value: &Value) -> Vec<(Path, Marks)> {
    let leads = |path: &&Path| {
        let mut at = Some(value.clone());
        for step in &path.0 {
            at = at.and_then(|value| match (step, value.bare()) {
                (PathStep::Attribute(name), Value::Object(object)) => object.get(name).cloned(),
                (PathStep::Index(key), bare) => ops::index(bare, key).ok(),
                _ => None,
            });
        }
        at.is_some()
    };
    paths.iter().filter(leads).map(|path| (path.clone(), Marks::sensitive())).collect()
}

/// What an object that is only recorded looks like, where that is known.
pub(crate) fn shape(object: &Recorded, kind: &str, schemas: &Schemas) -> Option<Arc<Schema>> {
    if object.is_built_in() {
        let block = (kind == "terraform_data").then(data_block)?;
        return Some(Arc::new(Schema { version: 0, block }));
    }
    schemas.of_recorded(&object.entry.provider.source, kind)
}

fn is_same_resource(one: &Target, other: &Target) -> bool {
    match (&one.resource, &other.resource) {
        (Some(one), Some(other)) => {
            one.mode == other.mode && one.kind == other.kind && one.name == other.name
        }
        _ => false,
    }
}

/// The same address without the key of the instance.
pub(crate) fn resource_of(target: &Target) -> Target {
    let mut whole = target.clone();
    if let Some(resource) = &mut whole.resource {
        resource.key = Key::None;
    }
    whole
}

/// An object as a body reads it: what is not recorded is null, and what there is no place for is left out. The error is
/// the name of what does not fit.
fn of_block(written: &Value, block: &BlockSchema) -> Result<Value, String> {
    let Value::Object(object) = written.bare() else {
        return match written.is_null() {
            true => Ok(Value::Null(block.ty())),
            false => Err("attributes".to_owned()),
        };
    };
    let mut fields = Vec::with_capacity(block.attributes().len() + block.blocks().len());
    for attribute in block.attributes() {
        let name = &attribute.name;
        fields.push((name.clone(), of_attribute(object.get(name), attribute)?));
    }
    for nested in block.blocks() {
        fields.push((nested.name.clone(), of_blocks(object.get(&nested.name), nested)?));
    }
    Ok(Value::object(fields))
}

fn of_attribute(written: Option<&Value>, attribute: &AttributeSchema) -> Result<Value, String> {
    let ty = attribute.ty();
    match written {
        None => Ok(Value::Null(ty)),
        Some(written) => of_type(written, &ty).ok_or_else(|| attribute.name.to_string()),
    }
}

fn of_blocks(written: Option<&Value>, nested: &NestedBlock) -> Result<Value, String> {
    let Some(written) = written.filter(|written| !written.is_null()) else {
        return Ok(nested.nesting.none(&nested.block));
    };
    let bodies: Vec<(Str, &Value)> = match (nested.nesting, written.bare()) {
        (Nesting::Single | Nesting::Group, one) => vec![(Str::default(), one)],
        (Nesting::List | Nesting::Set, Value::Tuple(all)) => {
            all.items().iter().map(|one| (Str::default(), one)).collect()
        }
        (Nesting::Map, Value::Object(all)) => {
            all.iter().map(|(name, one)| (name.clone(), one)).collect()
        }
        _ => return Err(nested.name.to_string()),
    };
    let mut made = Vec::with_capacity(bodies.len());
    for (label, body) in bodies {
        made.push((label, of_block(body, &nested.block)?));
    }
    Ok(nested.nesting.gather(&nested.block, made))
}

/// Recorded JSON as a value of a type; nothing if it is none.
fn of_type(written: &Value, ty: &Type) -> Option<Value> {
    let items = |ty: &Type| match written.bare() {
        Value::Tuple(all) => all.items().iter().map(|one| of_type(one, ty)).collect(),
        _ => None,
    };
    Some(match (ty, written.bare()) {
        (_, Value::Null(_)) => Value::Null(ty.clone()),
        // What may be of any type is recorded with the one that it had.
        (Type::Dynamic, Value::Object(object)) => {
            let (value, ty) = (object.get("value")?, type_of(object.get("type")?)?);
            typed(value, &ty).filter(|_| object.len() == 2)?
        }
        (Type::Dynamic, _) => return None,
        (Type::List(element), _) => Value::list((**element).clone(), items(element)?),
        (Type::Set(element), _) => Value::set((**element).clone(), items(element)?),
        (Type::Map(element), Value::Object(all)) => {
            let all = all.iter().map(|(key, one)| Some((key.clone(), of_type(one, element)?)));
            Value::map((**element).clone(), all.collect::<Option<Vec<_>>>()?)
        }
        (Type::Object(object), Value::Object(all)) => {
            let parts = object.attributes().iter().map(|part| {
                let value = match all.get(&part.name) {
                    Some(value) => of_type(value, &part.ty)?,
                    None => Value::Null(part.ty.clone()),
                };
                Some((part.name.clone(), value))
            });
            Value::object(parts.collect::<Option<Vec<_>>>()?)
        }
        (Type::Tuple(tuple), Value::Tuple(all)) if tuple.elements().len() == all.items().len() => {
            let pairs = tuple.elements().iter().zip(all.items());
            Value::tuple(pairs.map(|(ty, one)| of_type(one, ty)).collect::<Option<_>>()?)
        }
        (Type::String | Type::Number | Type::Bool, _) => convert(written, ty).ok()?,
        _ => return None,
    })
}
