//! Objects that stand in a text again and again, byte for byte: each is made once. A schema of two megabytes may hold
//! twenty thousand bytes that differ. An object ends where its text does, so one that begins with a known text is it.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::json::JsonReader;

/// Objects are told apart by so many bytes first.
const BEGINNING: usize = 64;

/// The maximum number of that begin alike that are kept: a text that is made to be slow is not compared with more.
const FEW: usize = 8;

/// What was read so far, by how its text begins.
pub(super) struct RepeatCache<'t, T>(FxHashMap<&'t [u8], Vec<RepeatedValue<'t, T>>>);

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
    fn beginning(rest: &'t [u8]) -> &'t [u8] {
        &rest[..rest.len().min(BEGINNING)]
    }

    /// Takes the object that comes next, if it is known and nests no deeper than that; also how deep it does.
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

    /// Keeps an object that was read from `rest` up to where the reader is.
    pub(super) fn keep(&mut self, text: &'t str, rest: &'t [u8], made: &Arc<T>, height: usize) {
        let alike = self.0.entry(Self::beginning(rest)).or_default();
        if alike.len() < FEW {
            alike.push(RepeatedValue { text, made: made.clone(), height });
        }
    }
}
