//! Parts of values, independent of the kind of collection, and the test for hidden values.

use std::sync::Arc;

use groma_value::{Mark, Str, Value};

/// Returns true if the value itself is sensitive or ephemeral.
pub(crate) fn is_hidden(value: &Value) -> bool {
    match value {
        Value::Marked(marked) => {
            marked.marks().contains(&Mark::Sensitive) || marked.marks().contains(&Mark::Ephemeral)
        }
        _ => false,
    }
}

/// Returns true if two values share one collection in memory, and so are equal.
pub(super) fn is_shared(before: &Value, after: &Value) -> bool {
    match (before, after) {
        (Value::List(a), Value::List(b)) => Arc::ptr_eq(a, b),
        (Value::Set(a), Value::Set(b)) => Arc::ptr_eq(a, b),
        (Value::Map(a), Value::Map(b)) => Arc::ptr_eq(a, b),
        (Value::Tuple(a), Value::Tuple(b)) => Arc::ptr_eq(a, b),
        (Value::Object(a), Value::Object(b)) => Arc::ptr_eq(a, b),
        (Value::Marked(a), Value::Marked(b)) => Arc::ptr_eq(a, b),
        _ => false,
    }
}

/// Returns the entries of an object or a map; `None` for other values.
pub(super) fn fields(value: &Value) -> Option<Vec<(&Str, &Value)>> {
    match value {
        Value::Object(object) => Some(object.iter().collect()),
        Value::Map(map) => Some(map.entries().iter().map(|(key, value)| (key, value)).collect()),
        _ => None,
    }
}

/// Returns the elements of a list, tuple or set; `None` for other values.
pub(super) fn items(value: &Value) -> Option<&[Value]> {
    match value {
        Value::List(list) => Some(list.items()),
        Value::Tuple(tuple) => Some(tuple.items()),
        Value::Set(set) => Some(set.items()),
        _ => None,
    }
}

/// Returns the names that occur in either of two objects or maps, in order, each with its value in the first and in the
/// second, `None` where it is missing.
pub(super) fn both<'v>(
    before: &[(&'v Str, &'v Value)],
    after: &[(&'v Str, &'v Value)],
) -> Vec<(&'v Str, Option<&'v Value>, Option<&'v Value>)> {
    let mut all = Vec::with_capacity(before.len().max(after.len()));
    let (mut was, mut now) = (before.iter().peekable(), after.iter().peekable());
    loop {
        match (was.peek(), now.peek()) {
            (None, None) => return all,
            (Some((name, value)), other)
                if other.is_none_or(|(next, _)| name.as_str() < next.as_str()) =>
            {
                all.push((*name, Some(*value), None));
                was.next();
            }
            (other, Some((name, value)))
                if other.is_none_or(|(next, _)| name.as_str() < next.as_str()) =>
            {
                all.push((*name, None, Some(*value)));
                now.next();
            }
            (Some((name, one)), Some((_, other))) => {
                all.push((*name, Some(*one), Some(*other)));
                was.next();
                now.next();
            }
            _ => return all,
        }
    }
}
