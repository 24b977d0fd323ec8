//! Search for equal values by hashing. Equal values have the same encoding in bytes; different values may share it, too,
//! so a match is verified by the equality of the language.

use std::hash::{BuildHasher, RandomState};
use std::num::NonZeroU32;

use groma_value::{Number, Value, ops};
use rustc_hash::FxHashMap;

/// The rule by which a [`ValueIndex`] compares numbers: `==`, the `==` of older editions by text, or the equality of set
/// elements.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum NumberSameness {
    /// As `==`: `0` and `-0` are equal.
    Equal,
    /// As `==` in editions that compare the shortest texts of numbers.
    EqualByText,
    /// As in sets: `0` and `-0` differ.
    Identical,
}

/// An index of known, unmarked values with their positions, to find one that equals a given value. All encodings are in one
/// buffer, hashed with a random key. Entries are small: with a hundred thousand values, memory access costs more than comparison.
pub(crate) struct ValueIndex<'v> {
    sameness: NumberSameness,
    hasher: RandomState,
    /// The number of the newest entry for each hash, from 1.
    last: FxHashMap<u32, u32>,
    entries: Vec<IndexEntry<'v>>,
    encodings: Vec<u8>,
}

/// A value in a [`ValueIndex`] with its position, the offset of its encoding in the index's buffer and the previous entry with
/// the same hash.
struct IndexEntry<'v> {
    value: &'v Value,
    /// The offset of its encoding in the buffer; it ends where that of the next entry begins. That of a string is empty, since
    /// the string itself is compared.
    start: usize,
    at: u32,
    /// The number of the previous entry with the same hash, from 1.
    earlier: Option<NonZeroU32>,
}

impl<'v> ValueIndex<'v> {
    /// Creates an empty index that compares numbers by `sameness`.
    pub(crate) fn new(sameness: NumberSameness) -> ValueIndex<'v> {
        ValueIndex {
            sameness,
            hasher: RandomState::new(),
            last: FxHashMap::default(),
            entries: Vec::new(),
            encodings: Vec::new(),
        }
    }

    /// Returns the position of the first value in the index that equals `value`; `None` if there is none.
    pub(crate) fn find(&self, value: &Value) -> Option<usize> {
        if let Value::String(text) = value {
            let last = self.last.get(&self.hash(text.as_bytes())).copied();
            return self.first(last, &self.encodings, &[], value);
        }
        let encoding = encode(value, self.sameness);
        let last = self.last.get(&self.hash(&encoding)).copied();
        self.first(last, &self.encodings, &encoding, value)
    }

    /// Adds a value with its position `at`; returns false if the index has an equal one already.
    pub(crate) fn insert(&mut self, at: usize, value: &'v Value) -> bool {
        let start = self.encodings.len();
        let hash = match value {
            Value::String(text) => self.hash(text.as_bytes()),
            _ => {
                write(value, self.sameness, &mut self.encodings);
                self.hash(&self.encodings[start..])
            }
        };
        let earlier = self.last.get(&hash).copied();
        let (known, encoding) = self.encodings.split_at(start);
        if self.first(earlier, known, encoding, value).is_some() {
            self.encodings.truncate(start);
            return false;
        }
        let at = u32::try_from(at).expect("invariant: no collection is that large");
        self.entries.push(IndexEntry {
            value,
            start,
            at,
            earlier: earlier.and_then(NonZeroU32::new),
        });
        // Counted from 1, so that `earlier` needs no additional space for `None`.
        let count = self.entries.len();
        self.last
            .insert(hash, u32::try_from(count).expect("invariant: no more entries than values"));
        true
    }

    /// Returns a 32-bit hash of a value's encoding ([`encode`]), by the index's random key.
    fn hash(&self, encoding: &[u8]) -> u32 {
        (self.hasher.hash_one(encoding) >> 32) as u32
    }

    /// Returns the position of the first indexed value equal to `value`, whose encoding is `encoding`, in a chain of entries
    /// with one hash, which leads from the number `last` (counted from 1) to earlier ones; `known` is the buffer of the
    /// entries' encodings; `None` if no value is equal.
    fn first(
        &self,
        last: Option<u32>,
        known: &[u8],
        encoding: &[u8],
        value: &Value,
    ) -> Option<usize> {
        let mut next = last;
        let mut found = None;
        while let Some(number) = next {
            let number = number as usize - 1;
            let entry = &self.entries[number];
            let end = self.entries.get(number + 1).map_or(known.len(), |following| following.start);
            if known[entry.start..end] == *encoding && same(self.sameness, entry.value, value) {
                found = Some(entry.at as usize);
            }
            next = entry.earlier.map(NonZeroU32::get);
        }
        found
    }
}

/// Returns true if two values with equal encodings in a [`ValueIndex`] that compares numbers by `sameness` are equal themselves.
fn same(sameness: NumberSameness, left: &Value, right: &Value) -> bool {
    match (left, right) {
        // Strings have empty encodings, so they are compared themselves.
        (Value::String(left), Value::String(right)) => left == right,
        _ if sameness == NumberSameness::EqualByText => true,
        _ => matches!(ops::equal(left, right), Value::Bool(true)),
    }
}

/// Returns the encoding by which a [`ValueIndex`] looks up a value: bytes that are the same for equal values, with numbers
/// compared as `sameness` says.
fn encode(value: &Value, sameness: NumberSameness) -> Vec<u8> {
    let mut out = Vec::new();
    write(value, sameness, &mut out);
    out
}

/// Appends the encoding by which a [`ValueIndex`] that compares numbers by `sameness` looks up a value to `out`: a byte for its
/// kind, then its content.
fn write(value: &Value, sameness: NumberSameness, out: &mut Vec<u8>) {
    match value.bare() {
        Value::Null(_) => out.push(b'0'),
        Value::Unknown(_) | Value::Marked(_) => out.push(b'?'),
        Value::Bool(value) => out.push(if *value { b't' } else { b'f' }),
        Value::Decimal(decimal) => write_number(&decimal.number(), sameness, out),
        Value::Real(real) => write_number(&real.number(), sameness, out),
        Value::String(text) => write_text(text, out),
        Value::List(list) => write_all(list.items(), sameness, out),
        Value::Tuple(tuple) => write_all(tuple.items(), sameness, out),
        // Equal sets may have their elements in different order, where these sort as equal.
        Value::Set(set) => {
            let mut items: Vec<Vec<u8>> =
                set.items().iter().map(|item| encode(item, sameness)).collect();
            items.sort_unstable();
            out.push(b'(');
            items.iter().for_each(|item| out.extend_from_slice(item));
            out.push(b')');
        }
        Value::Map(map) => write_pairs(map.entries().iter().map(|(k, v)| (k, v)), sameness, out),
        Value::Object(object) => write_pairs(object.iter(), sameness, out),
    }
}

/// Appends the look-up encodings ([`encode`]) of the items of a list or tuple to `out`, in brackets, for an index that compares
/// numbers by `sameness`.
fn write_all(items: &[Value], sameness: NumberSameness, out: &mut Vec<u8>) {
    out.push(b'[');
    items.iter().for_each(|item| write(item, sameness, out));
    out.push(b']');
}

/// Appends the look-up encodings ([`encode`]) of the names and values of a map or object to `out`, in braces, for an index that
/// compares numbers by `sameness`.
fn write_pairs<'v>(
    pairs: impl Iterator<Item = (&'v groma_value::Str, &'v Value)>,
    sameness: NumberSameness,
    out: &mut Vec<u8>,
) {
    out.push(b'{');
    for (name, value) in pairs {
        write_text(name, out);
        write(value, sameness, out);
    }
    out.push(b'}');
}

/// Appends the look-up encoding ([`encode`]) of a string to `out`: its length, then its bytes.
fn write_text(text: &str, out: &mut Vec<u8>) {
    out.push(b's');
    out.extend_from_slice(&text.len().to_le_bytes());
    out.extend_from_slice(text.as_bytes());
}

/// Appends the look-up encoding ([`encode`]) of a number to `out`; `0` and `-0` have the same unless `sameness` distinguishes
/// them.
fn write_number(number: &Number, sameness: NumberSameness, out: &mut Vec<u8>) {
    out.push(b'n');
    match number.is_zero() && sameness != NumberSameness::Identical {
        true => out.push(b'0'),
        false => out.extend_from_slice(number.to_text().as_bytes()),
    }
}
