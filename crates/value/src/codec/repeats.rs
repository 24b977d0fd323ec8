//! Sharing of objects that are repeated in a text byte for byte: each is built once. A schema of two megabytes may contain
//! twenty thousand different bytes. An object ends where its text does, so text that begins with that of a known object is that
//! object.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::json::JsonReader;

/// The number of leading bytes by which objects are looked up.
const BEGINNING: usize = 64;

/// Maximum number of objects stored for one beginning, so that no text makes lookups slow.
const FEW: usize = 8;

/// A cache of parsed objects, keyed by the first bytes of their text.
pub(super) struct RepeatCache<'t, T>(FxHashMap<&'t [u8], Vec<RepeatedValue<'t, T>>>);

/// An object read from JSON, with its text and its number of nesting levels.
struct RepeatedValue<'t, T> {
    text: &'t str,
    made: Arc<T>,
    /// The number of nesting levels in it.
    height: usize,
}

impl<T> Default for RepeatCache<'_, T> {
    fn default() -> Self {
        RepeatCache(FxHashMap::default())
    }
}

impl<'t, T> RepeatCache<'t, T> {
    /// Returns the leading bytes of a text that serve as its key in the cache.
    fn beginning(rest: &'t [u8]) -> &'t [u8] {
        &rest[..rest.len().min(BEGINNING)]
    }

    /// Consumes the next object if it is cached and has at most `deepest` nesting levels; returns it with its number of levels.
    pub(super) fn take(
        &self,
        reader: &mut JsonReader<'t>,
        deepest: usize,
    ) -> Option<(Arc<T>, usize)> {
        reader.peek();
        let known = self.0.get(Self::beginning(reader.rest()))?;
        let mut low = known.iter().filter(|known| known.height <= deepest);
        low.find(|known| reader.passes(known.text)).map(|known| (known.made.clone(), known.height))
    }

    /// Adds an object with the text `text`, which is the beginning of `rest`, and its number of nesting levels.
    pub(super) fn keep(&mut self, text: &'t str, rest: &'t [u8], made: &Arc<T>, height: usize) {
        let alike = self.0.entry(Self::beginning(rest)).or_default();
        if alike.len() < FEW {
            alike.push(RepeatedValue { text, made: made.clone(), height });
        }
    }
}
