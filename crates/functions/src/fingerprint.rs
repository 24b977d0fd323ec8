//! Finding equal values by hashing. A fingerprint is a text that equal values share; values that
//! differ may share it too, so a match is checked with the language's own equality.

use std::hash::{BuildHasher, RandomState};
use std::ops::Range;

use groma_value::{Number, Value, ops};
use rustc_hash::{FxBuildHasher, FxHashMap};

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

/// Known, unmarked values by what they equal, each with the position it was put in at. All fingerprints stand in one buffer,
/// and who knows the hash of one cannot make others that have it too.
pub(crate) struct Index<'v> {
    sameness: Sameness,
    hasher: RandomState,
    /// The entry that was put in last under a hash.
    last: FxHashMap<u64, usize>,
    entries: Vec<Entry<'v>>,
    fingerprints: Vec<u8>,
}

struct Entry<'v> {
    at: usize,
    value: &'v Value,
    fingerprint: Range<usize>,
    /// The entry before it under the same hash.
    earlier: Option<usize>,
}

impl<'v> Index<'v> {
    /// Nothing yet, with room for so many.
    pub(crate) fn new(sameness: Sameness, room: usize) -> Index<'v> {
        Index {
            sameness,
            hasher: RandomState::new(),
            last: FxHashMap::with_capacity_and_hasher(room, FxBuildHasher),
            entries: Vec::with_capacity(room),
            fingerprints: Vec::new(),
        }
    }

    /// The position of the first value that equals `value`.
    pub(crate) fn find(&self, value: &Value) -> Option<usize> {
        let fingerprint = fingerprint(value, self.sameness);
        let last = self.last.get(&self.hasher.hash_one(&*fingerprint)).copied();
        self.first(last, &fingerprint, value)
    }

    /// Puts a value in; false if an equal one is there already.
    pub(crate) fn insert(&mut self, at: usize, value: &'v Value) -> bool {
        let start = self.fingerprints.len();
        write(value, self.sameness, &mut self.fingerprints);
        let fingerprint = &self.fingerprints[start..];
        let hash = self.hasher.hash_one(fingerprint);
        let earlier = self.last.get(&hash).copied();
        if self.first(earlier, fingerprint, value).is_some() {
            self.fingerprints.truncate(start);
            return false;
        }
        self.last.insert(hash, self.entries.len());
        let fingerprint = start..self.fingerprints.len();
        self.entries.push(Entry { at, value, fingerprint, earlier });
        true
    }

    /// The position of the first equal value among the entry `last` and those before it.
    fn first(&self, last: Option<usize>, fingerprint: &[u8], value: &Value) -> Option<usize> {
        let mut next = last;
        let mut found = None;
        while let Some(entry) = next.and_then(|at| self.entries.get(at)) {
            if self.fingerprints[entry.fingerprint.clone()] == *fingerprint
                && same(self.sameness, entry.value, value)
            {
                found = Some(entry.at);
            }
            next = entry.earlier;
        }
        found
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
