//! Objects that stand in a text again and again, byte for byte: each is made once. A schema of two megabytes may hold
//! twenty thousand bytes that differ. An object ends where its text does, so one that begins with a known text is it.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::json::JsonReader;

/// The number of leading bytes by which objects are compared first.
const BEGINNING: usize = 64;

/// The maximum number of objects stored with the same beginning, so that no text makes the cache slow.
const FEW: usize = 8;

/// A cache of parsed objects, keyed by the first bytes of their text.
pub(super) struct RepeatCache<'t, T>(FxHashMap<&'t [u8], Vec<RepeatedValue<'t, T>>>);

/// A parsed object with its text and its nesting height.
struct RepeatedValue<'t, T> {
    text: &'t str,
    made: Arc<T>,
    /// How much deeper it nests than where it stands.
    height: usize,
}

impl<T> Default for RepeatCache<'_, T> {
    fn default() -> Self {
        RepeatCache(FxHashMap::default())
    }
}

impl<'t, T> RepeatCache<'t, T> {
    /// Returns the prefix of a text that serves as cache key.
    fn beginning(rest: &'t [u8]) -> &'t [u8] {
        &rest[..rest.len().min(BEGINNING)]
    }

    /// Consumes the next object if it is cached and not higher than `deepest`; returns it with its nesting height.
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

    /// Adds an object that was read from the start of `rest` up to the reader's position.
    pub(super) fn keep(&mut self, text: &'t str, rest: &'t [u8], made: &Arc<T>, height: usize) {
        let alike = self.0.entry(Self::beginning(rest)).or_default();
        if alike.len() < FEW {
            alike.push(RepeatedValue { text, made: made.clone(), height });
        }
    }
}
