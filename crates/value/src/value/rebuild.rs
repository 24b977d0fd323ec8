//! Making a value anew from changed children, and dropping deep ones without deep recursion.

use std::sync::Arc;

use super::Value;
use super::node::{List, Map, Object, Tuple};
use crate::{Step, Type};

/// Whether the children's types may change.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rebuild {
    /// Every child keeps its type: element types stay as they are.
    SameTypes,
    /// Element types are taken from the changed children.
    NewTypes,
}

impl Value {
    /// The collection, tuple or object with each child replaced by `change(step, child)`, in
    /// order; the step is made only when asked for. Other values are returned as they are.
    pub(crate) fn rebuild(
        &self,
        mode: Rebuild,
        change: &mut dyn FnMut(&dyn Fn() -> Step, &Value) -> Value,
    ) -> Value {
        let element = |old: &Arc<Type>, items: &mut dyn Iterator<Item = &Value>| match mode {
            Rebuild::SameTypes => (**old).clone(),
            Rebuild::NewTypes => items
                .map(Value::ty)
                .find(|ty| *ty != Type::Dynamic)
                .unwrap_or_else(|| (**old).clone()),
        };
        match self {
            Value::Tuple(t) => Value::Tuple(Arc::new(Tuple::new(numbered(t.items(), change)))),
            Value::List(l) => {
                let items = numbered(l.items(), change);
                let element = element(l.element_arc(), &mut items.iter());
                Value::List(Arc::new(List::new(element, items)))
            }
            Value::Set(s) => {
                let items: Vec<Value> = s
                    .items()
                    .iter()
                    .map(|item| change(&|| Step::Index(item.clone()), item))
                    .collect();
                let element = element(s.element_arc(), &mut items.iter());
                Value::set(element, items)
            }
            Value::Map(m) => {
                let entries: Vec<_> = m
                    .entries()
                    .iter()
                    .map(|(key, child)| {
                        let step = || Step::Index(Value::String(key.clone()));
                        (key.clone(), change(&step, child))
                    })
                    .collect();
                let element = element(m.element_arc(), &mut entries.iter().map(|(_, v)| v));
                Value::Map(Arc::new(Map::new(element, entries)))
            }
            Value::Object(o) => {
                let values = o
                    .iter()
                    .map(|(name, child)| change(&|| Step::Attribute(name.clone()), child))
                    .collect();
                Value::Object(Arc::new(Object::with_names(o.names().clone(), values)))
            }
            other => other.clone(),
        }
    }
}

fn numbered(
    items: &[Value],
    change: &mut dyn FnMut(&dyn Fn() -> Step, &Value) -> Value,
) -> Vec<Value> {
    items
        .iter()
        .enumerate()
        .map(|(at, child)| change(&|| Step::Index(Value::position(at)), child))
        .collect()
}
