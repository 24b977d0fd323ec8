//! Finding equal values by hashing. A fingerprint is a text that equal values share; values that
//! differ may share it too, so a match is checked with the language's own equality.

use groma_value::{Number, Value, ops};
use rustc_hash::FxHashMap;

/// How numbers are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sameness {
    /// As `==` does: `0` and `-0` are one.
    Equal,
    /// As `==` does where shortest texts decide.
    EqualByText,
    /// As sets do: `0` and `-0` are two.
    Identical,
}

/// Known, unmarked values by what they equal, each with the position it was put in at.
pub(crate) struct Index<'v> {
    sameness: Sameness,
    found: FxHashMap<Vec<u8>, Vec<(usize, &'v Value)>>,
}

impl<'v> Index<'v> {
    /// Nothing yet.
    pub(crate) fn new(sameness: Sameness) -> Index<'v> {
        Index { sameness, found: FxHashMap::default() }
    }

    /// The position of the first value that equals `value`.
    pub(crate) fn find(&self, value: &Value) -> Option<usize> {
        let candidates = self.found.get(&fingerprint(value, self.sameness))?;
        candidates.iter().find(|(_, known)| self.same(known, value)).map(|(at, _)| *at)
    }

    /// Puts a value in; false if an equal one is there already.
    pub(crate) fn insert(&mut self, at: usize, value: &'v Value) -> bool {
        let sameness = self.sameness;
        let candidates = self.found.entry(fingerprint(value, sameness)).or_default();
        if candidates.iter().any(|(_, known)| same(sameness, known, value)) {
            return false;
        }
        candidates.push((at, value));
        true
    }

    fn same(&self, known: &Value, value: &Value) -> bool {
        same(self.sameness, known, value)
    }
}

fn same(sameness: Sameness, left: &Value, right: &Value) -> bool {
    match (left, right) {
        // Texts are written out in full.
        (Value::String(left), Value::String(right)) => left == right,
        _ if sameness == Sameness::EqualByText => true,
        _ => matches!(ops::equal(left, right), Value::Bool(true)),
    }
}

fn fingerprint(value: &Value, sameness: Sameness) -> Vec<u8> {
    let mut out = Vec::new();
    write(value, sameness, &mut out);
    out
}

fn write(value: &Value, sameness: Sameness, out: &mut Vec<u8>) {
    match value.bare() {
        Value::Null(_) => out.push(b'0'),
        Value::Unknown(_) | Value::Marked(_) => out.push(b'?'),
        Value::Bool(value) => out.push(if *value { b't' } else { b'f' }),
        Value::Number(number) => {
            out.push(b'n');
            out.extend_from_slice(number_text(number, sameness).as_bytes());
        }
        Value::String(text) => write_text(text, out),
        Value::List(list) => write_all(list.items(), sameness, out),
        Value::Tuple(tuple) => write_all(tuple.items(), sameness, out),
        // Elements of equal sets may stand in different order where their order has ties.
        Value::Set(set) => {
            let mut items: Vec<Vec<u8>> =
                set.items().iter().map(|item| fingerprint(item, sameness)).collect();
            items.sort_unstable();
            out.push(b'(');
            items.iter().for_each(|item| out.extend_from_slice(item));
            out.push(b')');
        }
        Value::Map(map) => write_pairs(map.entries().iter().map(|(k, v)| (k, v)), sameness, out),
        Value::Object(object) => write_pairs(object.iter(), sameness, out),
    }
}

fn write_all(items: &[Value], sameness: Sameness, out: &mut Vec<u8>) {
    out.push(b'[');
    items.iter().for_each(|item| write(item, sameness, out));
    out.push(b']');
}

fn write_pairs<'v>(
    pairs: impl Iterator<Item = (&'v groma_value::Str, &'v Value)>,
    sameness: Sameness,
    out: &mut Vec<u8>,
) {
    out.push(b'{');
    for (name, value) in pairs {
        write_text(name, out);
        write(value, sameness, out);
    }
    out.push(b'}');
}

fn write_text(text: &str, out: &mut Vec<u8>) {
    out.push(b's');
    out.extend_from_slice(&text.len().to_le_bytes());
    out.extend_from_slice(text.as_bytes());
}

fn number_text(number: &Number, sameness: Sameness) -> String {
    if number.is_zero() && sameness != Sameness::Identical {
        return "0".to_owned();
    }
    number.to_text()
}
