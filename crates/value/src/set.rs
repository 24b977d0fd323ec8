//! The order and distinctness of set elements, as in the reference programs. Strings, bools and numbers have their natural
//! order; all others are ordered by a text in which numbers have ten digits, so `{ n = 10 }` comes before `{ n = 9 }`.
//! Distinctness is exact.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use rustc_hash::FxHasher;

use crate::{Set, Type, Value};

/// A hash set with a fast hasher, which is not cryptographic.
type FastHashSet<T> = HashSet<T, BuildHasherDefault<FxHasher>>;

/// Sorts unmarked items of the type `element` into the iteration order of sets and removes duplicates. Items that are not wholly
/// known are all kept, since each may become another value.
pub(crate) fn arrange(element: &Type, items: Vec<Value>) -> Vec<Value> {
    if items.len() < 2 {
        return items;
    }
    match element {
        Type::String | Type::Bool | Type::Number => {
            let mut items = distinct(items);
            items.sort_by(natural);
            items
        }
        _ => {
            let mut keyed: Vec<(Vec<u8>, Value)> = distinct(items)
                .into_iter()
                .map(|item| {
                    let mut text = Vec::new();
                    write_order(&item, &mut text);
                    (text, item)
                })
                .collect();
            keyed.sort_by(|(a, left), (b, right)| rank(left).cmp(&rank(right)).then(a.cmp(b)));
            keyed.into_iter().map(|(_, item)| item).collect()
        }
    }
}

/// Returns the items without duplicates; those that contain unknowns are all kept.
fn distinct(items: Vec<Value>) -> Vec<Value> {
    let mut seen: FastHashSet<SetMember<'_>> = HashSet::default();
    let keep: Vec<bool> =
        items.iter().map(|item| !item.is_wholly_known() || seen.insert(SetMember(item))).collect();
    drop(seen);
    if keep.iter().all(|keep| *keep) {
        return items;
    }
    let mut keep = keep.into_iter();
    items.into_iter().filter(|_| keep.next().unwrap_or(true)).collect()
}

/// Returns the primary sort key of set elements: 0 for known values, 1 for unknowns, 2 for null.
fn rank(value: &Value) -> u8 {
    match value {
        Value::Unknown(_) => 1,
        Value::Null(_) => 2,
        _ => 0,
    }
}

/// Compares two primitive set elements of the same type by their natural order; unknowns and nulls come last.
fn natural(left: &Value, right: &Value) -> Ordering {
    match (left, right) {
        (Value::String(a), Value::String(b)) => a.cmp(b),
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        _ => match (left.as_number(), right.as_number()) {
            // `-0` comes before `0`, which it equals.
            (Some(a), Some(b)) => a.compare(&b).then_with(|| b.is_negative().cmp(&a.is_negative())),
            _ => rank(left).cmp(&rank(right)),
        },
    }
}

/// A known, unmarked value as an element of a hash set, with the equality and hash of set elements ([`identical`]).
struct SetMember<'v>(&'v Value);

impl PartialEq for SetMember<'_> {
    fn eq(&self, other: &Self) -> bool {
        identical(self.0, other.0)
    }
}
impl Eq for SetMember<'_> {}

impl Hash for SetMember<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        hash(self.0, state);
    }
}

/// Returns true if two values count as one element of a set; values that are or contain unknowns or marks never do.
pub fn identical(left: &Value, right: &Value) -> bool {
    let all = |a: &[Value], b: &[Value]| {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| identical(a, b))
    };
    match (left, right) {
        (Value::Null(_), Value::Null(_)) => true,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::String(a), Value::String(b)) => a == b,
        (Value::List(a), Value::List(b)) => all(a.items(), b.items()),
        (Value::Set(a), Value::Set(b)) => all(a.items(), b.items()),
        (Value::Tuple(a), Value::Tuple(b)) => all(a.items(), b.items()),
        (Value::Object(a), Value::Object(b)) => {
            a.names() == b.names() && all(a.values(), b.values())
        }
        (Value::Map(a), Value::Map(b)) => {
            a.entries().len() == b.entries().len()
                && a.entries()
                    .iter()
                    .zip(b.entries())
                    .all(|((k, a), (l, b))| k == l && identical(a, b))
        }
        _ => match (left.as_number(), right.as_number()) {
            (Some(a), Some(b)) => a.is_same(&b),
            _ => false,
        },
    }
}

/// Adds a value to a hash, such that values that are [`identical`] have the same hash.
fn hash<H: Hasher>(value: &Value, state: &mut H) {
    if let Some(number) = value.as_number() {
        return number.hash(state);
    }
    std::mem::discriminant(value).hash(state);
    match value {
        Value::Bool(b) => b.hash(state),
        Value::String(s) => s.hash(state),
        Value::List(l) => l.items().iter().for_each(|item| hash(item, state)),
        Value::Set(s) => s.items().iter().for_each(|item| hash(item, state)),
        Value::Tuple(t) => t.items().iter().for_each(|item| hash(item, state)),
        Value::Object(o) => o.iter().for_each(|(name, item)| {
            name.hash(state);
            hash(item, state);
        }),
        Value::Map(m) => m.entries().iter().for_each(|(key, item)| {
            key.hash(state);
            hash(item, state);
        }),
        Value::Decimal(_) | Value::Real(_) => {}
        Value::Null(_) | Value::Unknown(_) | Value::Marked(_) => {}
    }
}

/// A hash set of known values that tests membership in constant time. Values with unknowns are not members.
pub struct MemberIndex<'v>(FastHashSet<SetMember<'v>>);

impl<'v> MemberIndex<'v> {
    /// Builds the index of the wholly known ones among these unmarked items.
    pub fn of(items: &'v [Value]) -> MemberIndex<'v> {
        MemberIndex(items.iter().filter(|item| item.is_wholly_known()).map(SetMember).collect())
    }

    /// Returns true if the unmarked `item` is a member; false for one with unknowns, even if it may become a member.
    pub fn contains(&self, item: &Value) -> bool {
        item.is_wholly_known() && self.0.contains(&SetMember(item))
    }
}

impl Set {
    /// Returns true if `item` is an element of the set, ignoring marks; `None` if that depends on unknowns.
    pub fn contains(&self, item: &Value) -> Option<bool> {
        let (item, _) = item.unmark_deep();
        if !item.is_wholly_known() {
            return if self.items().is_empty() { Some(false) } else { None };
        }
        let mut open = false;
        for element in self.items() {
            if identical(element, &item) {
                return Some(true);
            }
            open |= !element.is_wholly_known();
        }
        if open { None } else { Some(false) }
    }
}

/// Appends to `out` the text by which set elements other than strings, bools and numbers are sorted.
fn write_order(value: &Value, out: &mut Vec<u8>) {
    let sequence = |items: &[Value], open: u8, close: u8, out: &mut Vec<u8>| {
        out.push(open);
        for item in items {
            write_order(item, out);
            out.push(b';');
        }
        out.push(close);
    };
    match value {
        Value::Unknown(_) => out.push(b'?'),
        Value::Null(_) => out.push(b'~'),
        Value::Bool(true) => out.push(b'T'),
        Value::Bool(false) => out.push(b'F'),
        Value::Decimal(n) => out.extend_from_slice(n.number().to_text_10().as_bytes()),
        Value::Real(n) => out.extend_from_slice(n.number().to_text_10().as_bytes()),
        Value::String(s) => out.extend_from_slice(crate::print::quoted(s).as_bytes()),
        Value::List(l) => sequence(l.items(), b'[', b']', out),
        Value::Set(s) => sequence(s.items(), b'[', b']', out),
        Value::Tuple(t) => sequence(t.items(), b'<', b'>', out),
        Value::Object(o) => sequence(o.values(), b'<', b'>', out),
        Value::Map(m) => {
            out.push(b'{');
            for (key, item) in m.entries() {
                out.extend_from_slice(crate::print::quoted(key).as_bytes());
                out.push(b':');
                write_order(item, out);
                out.push(b';');
            }
            out.push(b'}');
        }
        Value::Marked(m) => write_order(m.value(), out),
    }
}
