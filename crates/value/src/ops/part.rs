//! The part of a value at a path. Paths are stricter than references, and nothing is converted on the way: an attribute step
//! leads into an object, a number into a list or tuple, a string into a map.

use crate::ops::{attribute, index, same};
use crate::{Path, PathStep, Str, Type, Value};

/// Returns the part of a value at a path, with the marks of its containers; `None` if it does not exist. A step into an unknown
/// yields an unknown; an index into a set yields the equal element.
pub fn at(value: &Value, path: &Path) -> Option<Value> {
    path.0.iter().try_fold(value.clone(), |value, step| at_step(&value, step))
}

/// Returns the path step that a name or number denotes in a value, by its type: an attribute of an object, a position in a list
/// or tuple, or a key of a map; `None` if the value has no such parts. Elements of sets have neither name nor number.
pub fn step_by(value: &Value, key: &Value) -> Option<PathStep> {
    let name = |key: &Value| match key {
        Value::String(name) => Some(name.clone()),
        key => Some(Str::from(key.as_number()?.to_text())),
    };
    let position = |key: &Value| match key {
        Value::String(digits) => digits.parse().ok(),
        key => key.as_position(),
    };
    match value.bare() {
        Value::List(_) | Value::Tuple(_) => Some(PathStep::Index(Value::position(position(key)?))),
        Value::Map(_) => Some(PathStep::Index(Value::String(name(key)?))),
        Value::Object(_) => Some(PathStep::Attribute(name(key)?)),
        Value::Unknown(unknown) => match (&unknown.ty, key) {
            (Type::List(_) | Type::Tuple(_), _) => {
                Some(PathStep::Index(Value::position(position(key)?)))
            }
            (Type::Map(_), _) => Some(PathStep::Index(Value::String(name(key)?))),
            (Type::Object(_), _) => Some(PathStep::Attribute(name(key)?)),
            (Type::Dynamic, Value::String(name)) => Some(PathStep::Attribute(name.clone())),
            (Type::Dynamic, key) => Some(PathStep::Index(key.clone())),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the part of a value at one path step, with the marks of its container; `None` if it does not exist.
pub fn at_step(value: &Value, step: &PathStep) -> Option<Value> {
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

/// Returns true if a value is an object, or an unknown that may become one.
fn has_attributes(value: &Value) -> bool {
    match value {
        Value::Object(_) => true,
        Value::Unknown(unknown) => matches!(unknown.ty, Type::Object(_) | Type::Dynamic),
        _ => false,
    }
}

/// Returns true if `value` is, or may become, a collection with keys of the kind of `key`: positions in a list or tuple for a
/// number, keys of a map for a string. The element itself need not exist.
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
