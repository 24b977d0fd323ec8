//! The table of causes: unknown values hold ids, and the table holds the cause for each id. All evaluations of one project share
//! it; equal causes get one id, so repeating an evaluation adds none.

use std::sync::{Mutex, MutexGuard, PoisonError};

use groma_syntax::Place;
use groma_value::{CauseChanges, CauseId};
use rustc_hash::FxHashMap;

use crate::cause_address::CauseAddress;

/// The class of a cause: the value is unknown until apply, unknown because no provider or state was asked, or from a mock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CauseClass {
    /// Unknown in the plan of the reference program, too.
    Pending,
    /// Unknown only because no provider or state was asked.
    Offline,
    /// Known, but from a mock.
    Mocked,
}

impl CauseClass {
    /// Returns the machine-readable name of the class, such as `pending`.
    pub fn slug(self) -> &'static str {
        match self {
            CauseClass::Pending => "pending",
            CauseClass::Offline => "offline",
            CauseClass::Mocked => "mocked",
        }
    }
}

/// The reason why a value is unknown or mocked, such as a resource or a function, with its address and place.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cause {
    /// The class of the cause.
    pub class: CauseClass,
    /// The kind of the object: `resource`, `data`, `variable`, `function` …
    pub kind: &'static str,
    /// The object.
    pub address: CauseAddress,
    /// The place in the code where the object is written, if it is written.
    pub place: Option<Place>,
}

/// A thread-safe table of causes, in which each cause has an id.
#[derive(Default, Debug)]
pub struct CauseTable(Mutex<SharedTable>);

/// The content of a cause table: the causes in the order of their ids, and the id of each cause.
#[derive(Clone, Default, Debug)]
struct SharedTable {
    causes: Vec<Cause>,
    ids: FxHashMap<Cause, CauseId>,
}

impl CauseTable {
    /// Creates an empty cause table.
    pub fn new() -> CauseTable {
        CauseTable::default()
    }

    /// Returns the id of a cause, adding the cause if it is new; new causes get ascending ids.
    pub fn intern(&self, cause: Cause) -> CauseId {
        let mut table = self.table();
        if let Some(id) = table.ids.get(&cause) {
            return *id;
        }
        let id = CauseId(u32::try_from(table.causes.len()).unwrap_or(u32::MAX));
        table.causes.push(cause.clone());
        table.ids.insert(cause, id);
        id
    }

    /// Returns a copy of the table with only its first `count` causes.
    pub fn first(&self, count: usize) -> CauseTable {
        let mut first =
            SharedTable { causes: self.table().causes.clone(), ids: FxHashMap::default() };
        first.causes.truncate(count);
        let numbered = (0_u32..).zip(&first.causes);
        first.ids = numbered.map(|(id, cause)| (cause.clone(), CauseId(id))).collect();
        CauseTable(Mutex::new(first))
    }

    /// Returns the ids of causes whose places in the source differ between two tables, and all ids from `count` on; `None` if
    /// the first `count` causes differ in more than their places.
    pub fn changes(&self, other: &CauseTable, count: usize) -> Option<CauseChanges> {
        if std::ptr::eq(self, other) {
            return Some(CauseChanges::default());
        }
        let (mine, others) = (self.table(), other.table());
        let (mine, others) = (mine.causes.get(..count)?, others.causes.get(..count)?);
        let mut moved = Vec::new();
        for (id, (one, other)) in (0_u32..).zip(mine.iter().zip(others)) {
            let is_like =
                (one.class, one.kind) == (other.class, other.kind) && one.address == other.address;
            if !is_like {
                return None;
            }
            if one.place != other.place {
                moved.push(CauseId(id));
            }
        }
        let first = CauseId(u32::try_from(count).unwrap_or(u32::MAX));
        Some(CauseChanges::of(moved).from(first))
    }

    /// Returns a copy of the table in which each cause whose id is in `moves` has the place beside that id; `None` if two
    /// causes would then be equal, or if the keys that `order` gives for the places would no longer ascend.
    pub fn moved<K: Ord>(
        &self,
        moves: &[(CauseId, Place)],
        order: impl Fn(Place) -> K,
    ) -> Option<CauseTable> {
        let mut table = self.table().clone();
        for (id, to) in moves {
            let cause = table.causes.get_mut(id.0 as usize)?;
            table.ids.remove(cause);
            cause.place = Some(*to);
            if table.ids.insert(cause.clone(), *id).is_some() {
                return None;
            }
        }
        let stands = |cause: &Cause| order(cause.place.unwrap_or_default());
        let is_ordered = table
            .causes
            .is_sorted_by(|one, next| (stands(one), &one.address) <= (stands(next), &next.address));
        is_ordered.then(|| CauseTable(Mutex::new(table)))
    }

    /// Returns the cause with an id; `None` if the table has no such id.
    pub fn get(&self, id: CauseId) -> Option<Cause> {
        self.table().causes.get(id.0 as usize).cloned()
    }

    /// Returns the number of causes in the table.
    pub fn len(&self) -> usize {
        self.table().causes.len()
    }

    /// Returns true if the table has no causes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Locks the table of causes, also after a panic of another thread that held the lock.
    fn table(&self) -> MutexGuard<'_, SharedTable> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
