//! JSON of planned values: the known parts, and two mirrors of the structure that mark unknown and sensitive parts. Unknown
//! attributes are omitted, unknown elements are null.

use groma_value::json::{JsonObject, JsonText, array};
use groma_value::{Mark, Number, Type, Value, json};

/// Returns true if a value is not wholly unknown, so that JSON of its known parts is written.
pub(super) fn is_shown(value: &Value) -> bool {
    !matches!(value.bare(), Value::Unknown(_))
}

/// Writes the known parts of a planned value; returns false and writes nothing if the whole is unknown. Numbers are written as a
/// plan stores them: zero without a sign, 64-bit floats with the shortest digits.
pub(super) fn planned(value: &Value, out: &mut JsonText<'_>) -> bool {
    let mut is_kept = true;
    value.visit(&mut |part| {
        is_kept &= part.as_number().is_none_or(|number| stored_number(&number).is_none());
        is_kept
    });
    if is_kept {
        return known(value, out);
    }
    let plain = value.transform(&mut |part| match part
        .as_number()
        .and_then(|number| stored_number(&number))
    {
        Some(number) => Value::from(number),
        None => part.clone(),
    });
    known(&plain, out)
}

/// Returns the number as a plan stores it, if that differs from the given one: zero without a sign, and fractions in the
/// precision of a 64-bit float.
fn stored_number(number: &Number) -> Option<Number> {
    match number.to_exact_i64() {
        Some(0) if number.is_negative() => Some(Number::from(0)),
        Some(_) => None,
        None if number.is_integer() => None,
        None => number.to_exact_f64().and_then(Number::from_f64),
    }
}

/// Writes the known parts of a value; returns false and writes nothing if the whole is unknown.
pub(super) fn known(value: &Value, out: &mut JsonText<'_>) -> bool {
    if value.is_wholly_known() {
        json::write_plain(value, out);
        return true;
    }
    match value.bare() {
        Value::Unknown(_) => return false,
        Value::List(list) => array(list.items(), out, item),
        Value::Set(set) => array(set.items(), out, item),
        Value::Tuple(tuple) => array(tuple.items(), out, item),
        Value::Map(map) => {
            let entries = map.entries().iter().map(|(key, value)| (&**key, value));
            properties(entries, out, &mut known);
        }
        Value::Object(object) => {
            properties(object.iter().map(|(name, value)| (&**name, value)), out, &mut known);
        }
        plain => json::write_plain(plain, out),
    }
    true
}

/// Writes an element of a list; an unknown one is null.
fn item(value: &Value, out: &mut JsonText<'_>) {
    if !known(value, out) {
        out.push_str("null");
    }
}

/// Writes the value's structure with true for each unknown part; returns false if all it has written is `false`.
pub(super) fn unknown(value: &Value, out: &mut JsonText<'_>) -> bool {
    match value.bare() {
        Value::Unknown(_) => {
            out.push_str("true");
            true
        }
        bare => mirror(bare, out, &mut unknown),
    }
}

/// Writes the value's structure with true for each sensitive part; returns false if all it has written is `false`.
pub(super) fn sensitive(value: &Value, out: &mut JsonText<'_>) -> bool {
    if value.marks().contains(&Mark::Sensitive) {
        out.push_str("true");
        return true;
    }
    match value.bare() {
        Value::Unknown(unknown) => match &unknown.ty {
            Type::List(_) | Type::Set(_) | Type::Tuple(_) => out.push_str("[]"),
            Type::Map(_) | Type::Object(_) => out.push_str("{}"),
            _ => {
                out.push_str("false");
                return false;
            }
        },
        bare => return mirror(bare, out, &mut sensitive),
    }
    true
}

/// Writes the structure of a collection or object as JSON, each part by `write`, without the attributes and map elements for
/// which it returns false; for a value without parts, writes `false` and returns false.
fn mirror(
    bare: &Value,
    out: &mut JsonText<'_>,
    write: &mut dyn FnMut(&Value, &mut JsonText<'_>) -> bool,
) -> bool {
    let mut each = |value: &Value, out: &mut JsonText<'_>| {
        write(value, out);
    };
    match bare {
        Value::List(list) => array(list.items(), out, &mut each),
        Value::Set(set) => array(set.items(), out, &mut each),
        Value::Tuple(tuple) => array(tuple.items(), out, &mut each),
        Value::Map(map) => {
            let entries = map.entries().iter().map(|(key, value)| (&**key, value));
            properties(entries, out, write);
        }
        Value::Object(object) => {
            properties(object.iter().map(|(name, value)| (&**name, value)), out, write);
        }
        _ => {
            out.push_str("false");
            return false;
        }
    }
    true
}

/// Writes these entries as a JSON object, without those for whose value `write` returns false.
fn properties<'v>(
    entries: impl Iterator<Item = (&'v str, &'v Value)>,
    out: &mut JsonText<'_>,
    write: &mut dyn FnMut(&Value, &mut JsonText<'_>) -> bool,
) {
    let mut object = JsonObject::open(out);
    for (name, value) in entries {
        object.key_if(name, |out| write(value, out));
    }
    object.close();
}

/// Writes the old and the new value of a comparison's change, each as three properties such as `before`, `before_unknown` and
/// `before_sensitive`; a missing value is null.
pub fn write_change_values(
    out: &mut JsonObject<'_, '_>,
    before: Option<&Value>,
    after: Option<&Value>,
) {
    let sides = [
        (before, ["before", "before_unknown", "before_sensitive"]),
        (after, ["after", "after_unknown", "after_sensitive"]),
    ];
    for (value, [key, unknowns, hidden]) in sides {
        let Some(value) = value.filter(|value| !value.is_null()) else {
            out.raw(key, "null");
            out.raw(unknowns, "{}");
            out.flag(hidden, false);
            continue;
        };
        if is_shown(value) {
            planned(value, out.key(key));
        }
        match value.is_wholly_known() {
            true => out.raw(unknowns, "{}"),
            false => drop(unknown(value, out.key(unknowns))),
        }
        sensitive(value, out.key(hidden));
    }
}
