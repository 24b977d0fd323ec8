//! Matching of the older plan's instances with those of the newer plan: by address, once the newer code's moves are followed.

use std::cmp::Ordering;

use groma_config::{InstanceAddress, ResourceMode};
use groma_plan::{Change, Plan, followed, has_moves};
use rustc_hash::{FxHashMap, FxHashSet};

/// The instances of two plans, and the addresses to which the older ones have moved.
pub(crate) struct InstanceMatching {
    /// The instances of the older plan, in the order of a plan's changes.
    pub(crate) before: Vec<Change>,
    /// The instances of the newer plan, in the order of a plan's changes.
    pub(crate) after: Vec<Change>,
    /// The new address of each older instance; `None` if it does not move.
    pub(crate) moves: Vec<Option<InstanceAddress>>,
}

impl InstanceMatching {
    /// Returns the instances of two plans, with the addresses to which the older ones have moved.
    pub(crate) fn of(base: &Plan, head: &Plan) -> InstanceMatching {
        let (before, after) = (base.declared(), head.declared());
        let moves = moves(&before, &after, head);
        InstanceMatching { before, after, moves }
    }

    /// Returns the matching with another plan of the older revision in place of the first one; in `base`, the objects that have
    /// moved must already be at their new addresses.
    pub(crate) fn with_base(self, base: &Plan) -> InstanceMatching {
        InstanceMatching { before: base.declared(), ..self }
    }

    /// Returns the new addresses of the objects that have moved, by old address.
    pub(crate) fn moved_addresses(&self) -> FxHashMap<InstanceAddress, InstanceAddress> {
        let all = self.before.iter().zip(&self.moves);
        all.filter_map(|(change, to)| Some((change.instance.address.clone(), to.clone()?)))
            .collect()
    }
}

/// The instances of the older plan that are not matched yet.
pub(crate) struct EarlierInstances {
    /// In the order of a plan's changes, each with true if it has moved; `None` once matched.
    all: Vec<Option<(Change, bool)>>,
    /// Position by new address; empty if nothing has moved, because both lists have the same order then.
    at: FxHashMap<InstanceAddress, usize>,
    /// The number of instances before the current position.
    passed: usize,
}

impl EarlierInstances {
    /// Returns the older instances before any is matched; `moves` has the new address of each instance that moves.
    pub(crate) fn of(before: Vec<Change>, moves: Vec<Option<InstanceAddress>>) -> EarlierInstances {
        let mut at = FxHashMap::default();
        if moves.iter().any(Option::is_some) {
            for (number, (change, to)) in before.iter().zip(&moves).enumerate() {
                let address = to.clone().unwrap_or_else(|| change.instance.address.clone());
                at.insert(address, number);
            }
        }
        let all = before.into_iter().zip(moves).map(|(change, to)| {
            let is_moved = to.is_some_and(|to| to != change.instance.address);
            Some((change, is_moved))
        });
        EarlierInstances { all: all.collect(), at, passed: 0 }
    }

    /// Removes and returns the older instance that matches a newer one, with true if it has moved. Newer instances must be given
    /// in the order of a plan's changes.
    pub(crate) fn take(&mut self, change: &Change) -> Option<(Change, bool)> {
        if !self.at.is_empty() {
            return self.all[*self.at.get(&change.instance.address)?].take();
        }
        while let Some(next) = self.all.get_mut(self.passed) {
            let order = next.as_ref().map(|(was, _)| was.order(change));
            match order {
                Some(Ordering::Greater) => return None,
                Some(Ordering::Equal) => {
                    self.passed += 1;
                    return next.take();
                }
                Some(Ordering::Less) | None => self.passed += 1,
            }
        }
        None
    }

    /// Returns the older instances that no newer instance matches, in the order of a plan's changes.
    pub(crate) fn unmatched(self) -> impl Iterator<Item = Change> {
        self.all.into_iter().flatten().map(|(change, _)| change)
    }
}

/// Returns, for each instance of the older plan, the address to which the newer code moves it; `None` if it does not move.
fn moves(before: &[Change], after: &[Change], head: &Plan) -> Vec<Option<InstanceAddress>> {
    let there: FxHashSet<&InstanceAddress> =
        after.iter().map(|one| &one.instance.address).collect();
    let is_there = |one: &Change| there.contains(&one.instance.address);
    // An implicit move needs an instance whose address is gone.
    if !has_moves(head.evaluation().project()) && before.iter().all(is_there) {
        return vec![None; before.len()];
    }
    let managed = before.iter().filter(|one| one.mode == ResourceMode::Managed);
    let managed: Vec<InstanceAddress> = managed.map(|one| one.instance.address.clone()).collect();
    let mut followed = followed(head.evaluation().project(), &managed).into_iter();
    let mut written = managed.iter();
    let all = before.iter().map(|change| {
        if change.mode != ResourceMode::Managed {
            return None;
        }
        let (from, to) = (written.next()?, followed.next()?);
        (*from != to).then_some(to)
    });
    all.collect()
}
