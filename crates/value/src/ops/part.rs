//! The part of a value at a path. Paths are stricter than references, and nothing is converted on the way: an attribute is one of
//! an object, a number the position in a list or a tuple, a text the key of a map.

use crate::ops::{attribute, index, same};
use crate::{Path, PathStep, Type, Value};

/// Returns the part of a value at a path, with the marks of its containers; `None` if it does not exist. A step into an unknown
/// yields an unknown; an index into a set yields the equal element.
pub fn at(value: &Value, path: &Path) -> Option<Value> {
    path.0.iter().try_fold(value.clone(), |value, step| step_into(&value, step))
}

/// Returns the part of a value at one path step.
fn step_into(value: &Value, step: &PathStep) -> Option<Value> {
    match (value.bare(), step) {
        (Value::Set(set), PathStep::Index(key)) => {
            let marks = value.marks();
            set.items().iter().find(|one| same(one, key)).map(|one| one.mark(&marks))
        }
        (bare, PathStep::Attribute(name)) if has_attributes(bare) => attribute(value, name).ok(),
        (bare, PathStep::Index(key)) if has_elements(bare, key) => index(value, key).ok(),
        _ => None,
    }
}

/// True if a value is, or could be, an object.
fn has_attributes(value: &Value) -> bool {
    match value {
        Value::Object(_) => true,
        Value::Unknown(unknown) => matches!(unknown.ty, Type::Object(_) | Type::Dynamic),
        _ => false,
    }
}

/// Returns true if a value's elements are indexed by keys of this kind.
fn has_elements(value: &Value, key: &Value) -> bool {
    let (is_number, is_text) = (key.as_number().is_some(), matches!(key, Value::String(_)));
    match value {
        Value::List(_) | Value::Tuple(_) => is_number,
        Value::Map(_) => is_text,
        Value::Unknown(unknown) => match unknown.ty {
            Type::List(_) | Type::Tuple(_) => is_number,
            Type::Map(_) => is_text,
            Type::Dynamic => true,
            _ => false,
        },
        _ => false,
    }
}
