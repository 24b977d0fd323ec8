//! Rebuilding of values with changed children, their summaries included.

use std::sync::Arc;

use super::Value;
use super::node::{List, Map, Object, Set};
use crate::{PathStep, Type};

/// The effect of [`Value::rebuild`], which replaces a value's children, on types: children keep theirs, or the element types are
/// derived anew.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum RebuildMode {
    /// Every child keeps its type, so element types are unchanged.
    SameTypes,
    /// Element types are taken from the changed children.
    NewTypes,
}

/// A function that returns the replacement of a child of a value, from the path step to the child and the child itself; the step
/// is built only when called.
pub(crate) type ChildChange<'c> = &'c mut dyn FnMut(&dyn Fn() -> PathStep, &Value) -> Value;

// Plain loops and a function for each kind keep stack frames small: these recurse with the depth of the value.
impl Value {
    /// Returns the collection, tuple or object with each child replaced by the result of `change`, in order; `mode` says
    /// whether element types stay or are derived anew. Other values are returned unchanged.
    pub(crate) fn rebuild(&self, mode: RebuildMode, change: ChildChange<'_>) -> Value {
        match self {
            Value::Tuple(t) => Value::tuple(numbered(t.items(), change)),
            Value::List(l) => list(l, mode, change),
            Value::Set(s) => set(s, mode, change),
            Value::Map(m) => map(m, mode, change),
            Value::Object(o) => object(o, change),
            other => other.clone(),
        }
    }
}

/// Returns a list with each element replaced by the result of `change` for it, and with the element type that `mode` demands.
fn list(list: &List, mode: RebuildMode, change: ChildChange<'_>) -> Value {
    let items = numbered(list.items(), change);
    Value::list(element(list.element(), mode, &mut items.iter()), items)
}

/// Returns a set with each element replaced by the result of `change` for it, and with the element type that `mode` demands.
fn set(set: &Set, mode: RebuildMode, change: ChildChange<'_>) -> Value {
    let mut items = Vec::with_capacity(set.items().len());
    for item in set.items() {
        items.push(change(&|| PathStep::Index(item.clone()), item));
    }
    Value::set(element(set.element(), mode, &mut items.iter()), items)
}

/// Returns a map with each value replaced by the result of `change` for it, and with the element type that `mode` demands.
fn map(map: &Map, mode: RebuildMode, change: ChildChange<'_>) -> Value {
    let mut entries = Vec::with_capacity(map.entries().len());
    for (key, child) in map.entries() {
        let step = || PathStep::Index(Value::String(key.clone()));
        entries.push((key.clone(), change(&step, child)));
    }
    Value::map(element(map.element(), mode, &mut entries.iter().map(|(_, v)| v)), entries)
}

/// Returns an object with each value replaced by the result of `change` for it.
fn object(object: &Object, change: ChildChange<'_>) -> Value {
    let mut values = Vec::with_capacity(object.len());
    for (name, child) in object.iter() {
        values.push(change(&|| PathStep::Attribute(name.clone()), child));
    }
    Value::Object(Arc::new(Object::with_names(object.names().clone(), values)))
}

/// Returns the results of `change` for the items of a list or tuple, with their positions as path steps.
fn numbered(items: &[Value], change: ChildChange<'_>) -> Vec<Value> {
    let mut new = Vec::with_capacity(items.len());
    for (at, child) in items.iter().enumerate() {
        new.push(change(&|| PathStep::Index(Value::position(at)), child));
    }
    new
}

/// Returns the element type of a rebuilt collection: the old one, or with [`RebuildMode::NewTypes`] that of the new items.
fn element(old: &Type, mode: RebuildMode, items: &mut dyn Iterator<Item = &Value>) -> Type {
    if mode == RebuildMode::SameTypes {
        return old.clone();
    }
    items.map(Value::ty).find(|ty| *ty != Type::Dynamic).unwrap_or_else(|| old.clone())
}
