//! Causes: the reasons why a value is unknown, as a small sorted set of opaque ids. They take no part in equality, hashing or
//! order, so two unknowns with different causes are the same value.

use std::sync::Arc;

/// The number of one reason why a value is unknown; the evaluator's table of causes maps it to a declaration or call and its
/// place in the code. Numbers follow source order, so the smallest are the first in the code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CauseId(pub u32);

/// The causes of an unknown value: their eight smallest ids at most, and a flag that is true if others were dropped. Merging is
/// order-independent.
#[derive(Clone, Default, Debug)]
pub struct Causes(Option<Arc<CauseList>>);

/// The stored causes of an unknown value: sorted ids, and a flag that is true if others were dropped.
#[derive(Debug)]
struct CauseList {
    ids: Vec<CauseId>,
    more: bool,
}

impl Causes {
    /// No causes, as for an unknown that is not the result of an evaluation.
    pub const NONE: Causes = Causes(None);
    /// Maximum number of causes stored for one value.
    pub const LIMIT: usize = 8;

    /// Returns the set that contains only the cause with this id.
    pub fn one(id: CauseId) -> Causes {
        Causes(Some(Arc::new(CauseList { ids: vec![id], more: false })))
    }

    /// Returns the ids of the causes in ascending order.
    pub fn ids(&self) -> &[CauseId] {
        self.0.as_ref().map_or(&[], |kept| &kept.ids)
    }

    /// Returns true if causes beyond [`LIMIT`](Self::LIMIT) were dropped.
    pub fn has_more(&self) -> bool {
        self.0.as_ref().is_some_and(|kept| kept.more)
    }

    /// Returns true if the set has no causes.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Adds the causes of another set to this one, as [`union`](Self::union) does; sharing the list costs nothing where it is the
    /// same or empty.
    pub fn add(&mut self, other: &Causes) {
        let Some(theirs) = &other.0 else { return };
        if !self.0.as_ref().is_some_and(|own| Arc::ptr_eq(own, theirs)) {
            *self = self.union(other);
        }
    }

    /// Returns the causes that are in either set, of which at most the [`LIMIT`](Self::LIMIT) smallest ids are kept.
    pub fn union(&self, other: &Causes) -> Causes {
        let (Some(a), Some(b)) = (&self.0, &other.0) else {
            return if self.0.is_some() { self.clone() } else { other.clone() };
        };
        if Arc::ptr_eq(a, b) {
            return self.clone();
        }
        let mut ids: Vec<CauseId> = a.ids.iter().chain(&b.ids).copied().collect();
        ids.sort_unstable();
        ids.dedup();
        let more = a.more || b.more || ids.len() > Causes::LIMIT;
        ids.truncate(Causes::LIMIT);
        Causes(Some(Arc::new(CauseList { ids, more })))
    }
}
