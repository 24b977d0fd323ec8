//! Defaults of optional attributes. They are put into a value before it is converted, so that an attribute that is missing or
//! null gets its default, and a whole object that is null stays null.

use std::collections::BTreeMap;

use groma_value::{Str, Type, Value, convert, identical, unify};

/// The defaults of the optional attributes in a type, at any depth: of attributes, tuple positions and elements.
#[derive(Clone, Default, Debug)]
pub struct TypeDefaults {
    values: BTreeMap<Str, Value>,
    attributes: BTreeMap<Str, TypeDefaults>,
    positions: BTreeMap<usize, TypeDefaults>,
    elements: Option<Box<TypeDefaults>>,
}

impl TypeDefaults {
    /// Returns true if no attribute in the type has a default.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
            && self.attributes.is_empty()
            && self.positions.is_empty()
            && self.elements.is_none()
    }

    /// Returns every default value with its path in the type, such as `.ports[*].name`.
    pub fn all(&self) -> Vec<(String, &Value)> {
        let own = self.values.iter().map(|(name, value)| (format!(".{}", &**name), value));
        let attributes =
            self.attributes.iter().map(|(name, inner)| (format!(".{}", &**name), inner));
        let positions = self.positions.iter().map(|(at, inner)| (format!("[{at}]"), inner));
        let elements = self.elements.iter().map(|inner| ("[*]".to_owned(), &**inner));
        let below = attributes.chain(positions).chain(elements).flat_map(|(step, inner)| {
            inner.all().into_iter().map(move |(path, value)| (format!("{step}{path}"), value))
        });
        own.chain(below).collect()
    }

    /// Returns the defaults inside the elements of the type, if the type has no others; `None` otherwise.
    pub fn element_defaults(&self) -> Option<&TypeDefaults> {
        let alone =
            self.values.is_empty() && self.attributes.is_empty() && self.positions.is_empty();
        self.elements.as_deref().filter(|_| alone)
    }

    /// Sets the defaults inside the elements of a collection type.
    pub(crate) fn set_element_defaults(&mut self, inner: TypeDefaults) {
        if !inner.is_empty() {
            self.elements = Some(Box::new(inner));
        }
    }

    /// Sets the defaults inside the element at a position of a tuple type.
    pub(crate) fn set_position_defaults(&mut self, index: usize, inner: TypeDefaults) {
        if !inner.is_empty() {
            self.positions.insert(index, inner);
        }
    }

    /// Sets the default of the attribute `name` of an object type, `None` for none, and the defaults `inner` inside of the
    /// attribute's own type.
    pub(crate) fn set_attribute_defaults(
        &mut self,
        name: Str,
        default: Option<Value>,
        inner: TypeDefaults,
    ) {
        if let Some(default) = default {
            self.values.insert(name.clone(), default);
        }
        if !inner.is_empty() {
            self.attributes.insert(name, inner);
        }
    }

    /// Returns the value with the defaults filled in for missing and null attributes, before its conversion to the type.
    pub fn apply(&self, value: &Value) -> Value {
        if self.is_empty() {
            return value.clone();
        }
        let (bare, marks) = value.unmark();
        let filled = match &bare {
            Value::Null(_) | Value::Unknown(_) => bare,
            Value::List(list) => {
                let items = self.apply_items(list.items());
                collection(items, list.element(), Value::list)
            }
            Value::Set(set) => {
                let items = self.apply_items(set.items());
                collection(items, set.element(), Value::set)
            }
            Value::Tuple(tuple) => Value::tuple(self.apply_items(tuple.items())),
            Value::Map(map) => self.apply_map(map.entries(), map.element()),
            Value::Object(object) => Value::object(self.apply_entries(object.iter())),
            _ => bare,
        };
        filled.mark(&marks)
    }

    /// Returns the value without the parts that [`apply`](Self::apply) would add. Collections become tuples and objects, since
    /// their elements may lose their common type.
    pub fn without_defaults(&self, value: &Value) -> Value {
        let item = |at: usize, item: &Value| {
            let inner = self.elements.as_deref().or_else(|| self.positions.get(&at));
            inner.map_or_else(|| item.clone(), |inner| inner.without_defaults(item))
        };
        let items = |all: &[Value]| {
            Value::tuple(all.iter().enumerate().map(|(at, one)| item(at, one)).collect())
        };
        let entry = |name: &Str, value: &Value| {
            let inner = self.elements.as_deref().or_else(|| self.attributes.get(name));
            (
                name.clone(),
                inner.map_or_else(|| value.clone(), |inner| inner.without_defaults(value)),
            )
        };
        let (bare, marks) = value.unmark();
        let left = match &bare {
            Value::List(list) => items(list.items()),
            Value::Set(set) => items(set.items()),
            Value::Tuple(tuple) => items(tuple.items()),
            Value::Map(map) => {
                let all = map.entries().iter().map(|(name, value)| entry(name, value));
                Value::object(all.collect::<Vec<_>>())
            }
            Value::Object(object) => {
                let is_default = |name: &Str, value: &Value| {
                    self.values.get(name).is_some_and(|default| identical(default, value))
                };
                let all = object.iter().filter(|(name, value)| !is_default(name, value));
                Value::object(all.map(|(name, value)| entry(name, value)).collect::<Vec<_>>())
            }
            _ => bare,
        };
        left.mark(&marks)
    }

    /// Returns the elements of a list, set or tuple with the defaults applied to each.
    fn apply_items(&self, items: &[Value]) -> Vec<Value> {
        let of = |index: usize| self.elements.as_deref().or_else(|| self.positions.get(&index));
        let apply = |(index, item): (usize, &Value)| match of(index) {
            Some(inner) => inner.apply(item),
            None => item.clone(),
        };
        items.iter().enumerate().map(apply).collect()
    }

    /// Returns the entries of a map or object with defaults applied, and with the missing attributes that have a default.
    fn apply_entries<'v>(
        &self,
        entries: impl Iterator<Item = (&'v Str, &'v Value)>,
    ) -> BTreeMap<Str, Value> {
        let of = |name: &Str| self.elements.as_deref().or_else(|| self.attributes.get(name));
        let mut filled: BTreeMap<Str, Value> = entries
            .map(|(name, value)| {
                let value = of(name).map_or_else(|| value.clone(), |inner| inner.apply(value));
                (name.clone(), value)
            })
            .collect();
        for (name, default) in &self.values {
            if filled.get(name).is_none_or(Value::is_null) {
                let inner = self.attributes.get(name);
                let default = inner.map_or_else(|| default.clone(), |inner| inner.apply(default));
                filled.insert(name.clone(), default);
            }
        }
        filled
    }

    /// Returns the entries of a map with the defaults applied: as a map if their values still have a common type, otherwise as
    /// an object; without entries, as an empty map of the former type `element`.
    fn apply_map(&self, entries: &[(Str, Value)], element: &Type) -> Value {
        let filled = self.apply_entries(entries.iter().map(|(key, value)| (key, value)));
        if filled.is_empty() {
            return Value::map(element.clone(), filled);
        }
        let values: Vec<Value> = filled.values().cloned().collect();
        match one_type(&values) {
            Some((element, values)) => Value::map(element, filled.into_keys().zip(values)),
            None => Value::object(filled),
        }
    }
}

/// Returns items to which defaults were applied: as a collection built by `make` if they still have a common type, otherwise as a
/// tuple; without items, by the former type `element`.
fn collection(items: Vec<Value>, element: &Type, make: fn(Type, Vec<Value>) -> Value) -> Value {
    if items.is_empty() {
        return make(element.clone(), items);
    }
    match one_type(&items) {
        Some((element, items)) => make(element, items),
        None => Value::tuple(items),
    }
}

/// Returns the common type of the items, and the items converted to it; `None` if they have none.
fn one_type(items: &[Value]) -> Option<(Type, Vec<Value>)> {
    let types: Vec<Type> = items.iter().map(Value::ty).collect();
    let element = unify(&types.iter().collect::<Vec<_>>())?;
    let items = items.iter().map(|item| convert(item, &element).ok()).collect::<Option<_>>()?;
    Some((element, items))
}
