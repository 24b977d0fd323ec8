//! Why a value is unknown: a small sorted set of opaque ids. Causes never take part in equality,
//! hashing or order, so two unknowns with different causes are the same value.

use std::sync::Arc;

/// One reason for an unknown; the evaluator's table says which object and place it stands for.
/// Ids follow source order, so the smallest ids are the first in the code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CauseId(pub u32);

/// At most eight causes, the smallest ids, and whether there were more. Merging is
/// order-independent: the same ids give the same set, whichever came first.
#[derive(Clone, Default, Debug)]
pub struct Causes(Option<Arc<CauseList>>);

#[derive(Debug)]
struct CauseList {
    ids: Vec<CauseId>,
    more: bool,
}

impl Causes {
    /// No causes. An unknown given by hand has none.
    pub const NONE: Causes = Causes(None);
    /// How many are kept.
    pub const LIMIT: usize = 8;

    /// The set of one cause.
    pub fn one(id: CauseId) -> Causes {
        Causes(Some(Arc::new(CauseList { ids: vec![id], more: false })))
    }

    /// The ids, ascending.
    pub fn ids(&self) -> &[CauseId] {
        self.0.as_ref().map_or(&[], |kept| &kept.ids)
    }

    /// Returns true if causes beyond the kept ones were dropped.
    pub fn has_more(&self) -> bool {
        self.0.as_ref().is_some_and(|kept| kept.more)
    }

    /// Returns true if there is no cause at all.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Both sets together.
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
