//! Equivalence of values for a reviewer: kinds of collections do not count, only their contents and what is hidden. Unknown
//! values are equal to each other.

use std::hash::{Hash, Hasher};

use groma_value::{Value, print};
use rustc_hash::FxHasher;

use super::parts::{fields, is_hidden, is_shared, items};

/// Returns true if two values are displayed in the same way: the kinds of collections do not count, and unknown values are equal.
pub(crate) fn alike(left: &Value, right: &Value) -> bool {
    if is_hidden(left) != is_hidden(right) {
        return false;
    }
    let (left, right) = (left.bare(), right.bare());
    if let (Some(a), Some(b)) = (left.as_number(), right.as_number()) {
        return a.equals(&b);
    }
    match (left, right) {
        (Value::Null(_), Value::Null(_)) | (Value::Unknown(_), Value::Unknown(_)) => true,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::String(a), Value::String(b)) => a == b,
        (a, b) if is_shared(a, b) => true,
        (a, b) => match (fields(a), fields(b), items(a), items(b)) {
            (Some(a), Some(b), ..) => {
                a.len() == b.len() && a.iter().zip(&b).all(|((k, a), (l, b))| k == l && alike(a, b))
            }
            (_, _, Some(a), Some(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| alike(a, b))
            }
            _ => false,
        },
    }
}

/// Returns a hash that is equal for values that are displayed in the same way.
pub(super) fn digest(value: &Value) -> u64 {
    let mut state = FxHasher::default();
    write(value, &mut state);
    state.finish()
}

/// Adds a value to the hash `state`; values that are displayed in the same way add the same.
fn write(value: &Value, state: &mut FxHasher) {
    match value.bare() {
        Value::Null(_) => 0_u8.hash(state),
        Value::Unknown(_) => 1_u8.hash(state),
        Value::Bool(truth) => truth.hash(state),
        known if let Some(number) = known.as_number() => print::number(&number).hash(state),
        Value::String(text) => text.hash(state),
        other => {
            for (name, value) in fields(other).unwrap_or_default() {
                name.hash(state);
                write(value, state);
            }
            for item in items(other).unwrap_or_default() {
                2_u8.hash(state);
                write(item, state);
            }
        }
    }
}
