//! What the cause ids of unknown values stand for. The table is shared by all that evaluates one
//! project; equal causes get one id, so that repeating an evaluation adds nothing.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use groma_syntax::Place;
use groma_value::CauseId;

/// How certain it is that the value stays unknown to a plan.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Class {
    /// Unknown to the reference's plan too.
    Pending,
    /// Unknown only because nothing was asked.
    Offline,
    /// Known, but from a mock.
    Mocked,
}

impl Class {
    /// The word for machines.
    pub fn slug(self) -> &'static str {
        match self {
            Class::Pending => "pending",
            Class::Offline => "offline",
            Class::Mocked => "mocked",
        }
    }
}

/// Why a value is unknown.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cause {
    /// How certain.
    pub class: Class,
    /// What kind of thing it is: `resource`, `data`, `variable`, `function` …
    pub kind: &'static str,
    /// Which one: `aws_instance.web`, `var.region`, `timestamp()`.
    pub address: String,
    /// Where it is written, if it is.
    pub place: Option<Place>,
}

/// The causes by their ids.
#[derive(Default, Debug)]
pub struct CauseTable(Mutex<Table>);

#[derive(Default, Debug)]
struct Table {
    causes: Vec<Cause>,
    ids: BTreeMap<Cause, CauseId>,
}

impl CauseTable {
    /// An empty table.
    pub fn new() -> CauseTable {
        CauseTable::default()
    }

    /// The id of a cause; new causes get ascending ids.
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

    /// Whether the same causes have the same ids in another table.
    pub fn is_like(&self, other: &CauseTable) -> bool {
        std::ptr::eq(self, other) || self.table().causes == other.table().causes
    }

    /// The cause behind an id.
    pub fn get(&self, id: CauseId) -> Option<Cause> {
        self.table().causes.get(id.0 as usize).cloned()
    }

    /// How many causes there are.
    pub fn len(&self) -> usize {
        self.table().causes.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
