//! The order of places in several texts. File numbers do not define it if roots share texts: a number depends on the texts read
//! before.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::diagnostic::Diagnostics;
use crate::sources::Sources;
use crate::span::{FileId, Place};

/// The sort key of a place: the position of its file in the order given to [`Sources::ordered`], then file number and span.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PlaceKey {
    /// The rank of the file; a file without a rank comes after all others.
    rank: u32,
    place: Place,
}

impl Sources {
    /// Returns the same sources, which then sort places by the order of their files in `files`. Files that are not in it come
    /// last, in the order of their numbers.
    #[must_use]
    pub fn ordered(mut self, files: impl IntoIterator<Item = FileId>) -> Sources {
        let mut ranks = BTreeMap::new();
        for file in files {
            let next = ranks.len() as u32;
            ranks.entry(self.file_of(file)).or_insert(next);
        }
        self.ranks = Some(Arc::new(ranks));
        self
    }

    /// Returns the key by which a place is sorted among places of all files.
    pub fn place_key(&self, place: Place) -> PlaceKey {
        let place = self.resolve(place);
        let rank = self.ranks.as_ref().map(|ranks| ranks.get(&place.file));
        PlaceKey { rank: rank.flatten().copied().unwrap_or(u32::MAX), place }
    }

    /// Sorts diagnostics by the order of their files (see [`Sources::ordered`]) and by span, stably; those without a place come
    /// last.
    pub fn sort(&self, found: &mut Diagnostics) {
        found
            .sort_by_key(|one| (one.place.is_none(), one.place.map(|place| self.place_key(place))));
    }
}
