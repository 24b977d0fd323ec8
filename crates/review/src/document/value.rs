//! Values of a plan document, assembled from the known value and the two parallel structures that mark its unknown and sensitive
//! parts.

use groma_value::schema::BlockSchema;
use groma_value::{Fingerprint, Str, Type, Value};

use super::item::property;

/// Returns the attribute names of a value, if it is an object.
fn names(value: Option<&Value>) -> Option<Vec<&Str>> {
    match value?.bare() {
        Value::Object(object) => Some(object.names().as_slice().iter().collect()),
        _ => None,
    }
}

/// Returns true if a JSON value is `true`.
fn is_true(value: Option<&Value>) -> bool {
    matches!(value, Some(Value::Bool(true)))
}

/// Returns the element of a JSON array at a position, if any.
fn at(value: Option<&Value>, position: usize) -> Option<&Value> {
    match value?.bare() {
        Value::Tuple(tuple) => tuple.items().get(position),
        _ => None,
    }
}

/// Returns true if a part of `mirror`, the structure of flags beside a value, is `true`.
fn has_flag(mirror: &Value) -> bool {
    let mut found = false;
    mirror.visit(&mut |part| {
        found |= matches!(part, Value::Bool(true));
        !found
    });
    found
}

/// Assembles a value from the three parts of a plan document: the known parts, and two structures of flags for unknown and
/// sensitive parts.
pub(super) fn joined(
    known: Option<&Value>,
    unknown: Option<&Value>,
    sensitive: Option<&Value>,
) -> Value {
    let value = match known.map(Value::bare) {
        // A document does not identify unknowns.
        _ if is_true(unknown) => {
            Value::unknown(Type::Dynamic).traced(Fingerprint::of("not known in a document"))
        }
        Some(Value::Tuple(tuple)) => Value::tuple(
            tuple
                .items()
                .iter()
                .enumerate()
                .map(|(i, item)| joined(Some(item), at(unknown, i), at(sensitive, i)))
                .collect(),
        ),
        None | Some(Value::Null(_) | Value::Object(_)) => {
            // A wholly unknown value is present in the parallel structure only.
            let mut all = names(known).unwrap_or_default();
            let more = names(unknown).into_iter().flatten();
            let is_new = |name: &&Str| property_of(known, name).is_none();
            let is_shown = |name: &&Str| property_of(unknown, name).is_some_and(has_flag);
            all.extend(more.filter(is_new).filter(is_shown));
            match all.is_empty() && names(known).is_none() {
                true => Value::NULL,
                false => Value::object(all.into_iter().map(|name| {
                    let of = |side| property_of(side, name);
                    (name.clone(), joined(of(known), of(unknown), of(sensitive)))
                })),
            }
        }
        Some(plain) => plain.clone(),
    };
    if is_true(sensitive) { value.sensitive() } else { value }
}

/// Returns a property of a JSON object; `None` if it is missing or there is no object.
fn property_of<'v>(value: Option<&'v Value>, name: &str) -> Option<&'v Value> {
    property(value?, name)
}

/// Returns the values before and after a change converted to a schema, or unchanged if one of them does not conform to it.
pub(super) fn fitted(
    before: Option<Value>,
    after: Option<Value>,
    shape: Option<&BlockSchema>,
) -> (Option<Value>, Option<Value>) {
    let Some(shape) = shape else { return (before, after) };
    let fit = |side: &Option<Value>| match side {
        Some(value) => shape.coerce(value).map(Some),
        None => Ok(None),
    };
    match (fit(&before), fit(&after)) {
        (Ok(before), Ok(after)) => (before, after),
        _ => (before, after),
    }
}
