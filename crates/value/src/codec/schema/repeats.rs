//! Sharing of objects that are repeated byte for byte in a JSON text: each is built once. A schema of two megabytes may contain
//! only twenty thousand distinct bytes. An object's text determines its own end, so unread text that begins with the text of a
//! cached object continues with that object.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::codec::json::JsonReader;

/// The number of leading bytes of a JSON object's text by which a [`RepeatCache`] finds it.
const BEGINNING: usize = 64;

/// Maximum number of objects with the same leading bytes in a [`RepeatCache`], so that lookups stay fast for any text.
const FEW: usize = 8;

/// A cache of what the JSON objects of a schema were parsed to, keyed by the first bytes of their text, so that equal text is
/// parsed once.
pub(super) struct RepeatCache<'t, T>(FxHashMap<&'t [u8], Vec<RepeatedValue<'t, T>>>);

/// An entry of a [`RepeatCache`]: the text of a JSON object, what it was parsed to, and its number of nesting levels.
struct RepeatedValue<'t, T> {
    text: &'t str,
    made: Arc<T>,
    /// The number of nesting levels inside the object.
    height: usize,
}

impl<T> Default for RepeatCache<'_, T> {
    fn default() -> Self {
        RepeatCache(FxHashMap::default())
    }
}

impl<'t, T> RepeatCache<'t, T> {
    /// Returns the leading bytes of the unread JSON text, which are the key in the cache of the object that begins there.
    fn beginning(rest: &'t [u8]) -> &'t [u8] {
        &rest[..rest.len().min(BEGINNING)]
    }

    /// Consumes the next object if it is cached and has at most `deepest` nesting levels; returns it and its number of levels, or
    /// `None`.
    pub(super) fn take(
        &self,
        reader: &mut JsonReader<'t>,
        deepest: usize,
    ) -> Option<(Arc<T>, usize)> {
        reader.peek();
        let known = self.0.get(Self::beginning(reader.rest()))?;
        let mut low = known.iter().filter(|known| known.height <= deepest);
        low.find(|known| reader.eat(known.text)).map(|known| (known.made.clone(), known.height))
    }

    /// Adds an object to the cache: its text, which is the beginning of `rest`, the parsed object and its number of nesting
    /// levels.
    pub(super) fn keep(&mut self, text: &'t str, rest: &'t [u8], made: &Arc<T>, height: usize) {
        let alike = self.0.entry(Self::beginning(rest)).or_default();
        if alike.len() < FEW {
            alike.push(RepeatedValue { text, made: made.clone(), height });
        }
    }
}
