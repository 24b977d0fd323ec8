//! The order of places in several texts. Their numbers do not give it where roots share texts: a number depends on what was read
//! before.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::diagnostic::Diagnostics;
use crate::sources::Sources;
use crate::span::{FileId, Place};

/// The sort key of a place: the order of its file, then its offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PlaceKey {
    /// The rank of the file; that of a file without one comes after all others.
    rank: u32,
    place: Place,
}

impl Sources {
    /// Returns the same texts with an order of files for sorting. Files that are not in `files` come last, in the order of
    /// their numbers.
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

    /// Returns the sort key of a place.
    pub fn place_key(&self, place: Place) -> PlaceKey {
        let place = self.resolve(place);
        let rank = self.ranks.as_ref().map(|ranks| ranks.get(&place.file));
        PlaceKey { rank: rank.flatten().copied().unwrap_or(u32::MAX), place }
    }

    /// Sorts diagnostics by place, stably; those without a place come last.
    pub fn sort(&self, found: &mut Diagnostics) {
        found
            .sort_by_key(|one| (one.place.is_none(), one.place.map(|place| self.place_key(place))));
    }
}
