//! What was found on the way through the cells, and what was done ahead. Only cells that have something to tell are here.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use groma_runtime::{Remainder, Usage};
use groma_syntax::Diagnostic;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::evaluate::cell::Cell;
use crate::evaluate::wait::Waits;

/// Work that was done ahead: cells that have taken something, with what.
pub(super) type Ahead = Vec<(Cell, Usage)>;

/// What went wrong in a cell or in one that it needed.
#[derive(Default, Debug)]
pub(super) struct Trouble {
    pub(super) own: Vec<Diagnostic>,
    pub(super) from: Vec<Cell>,
}

/// What was found on the way: only cells that have something to report, or need one that has. Several threads may ask at
/// the same time.
#[derive(Default, Debug)]
pub(crate) struct Driver {
    pub(super) troubles: Mutex<FxHashMap<Cell, Trouble>>,
    pub(super) has_troubles: AtomicBool,
    pub(super) waits: Waits,
    /// How many questions are being worked on.
    pub(super) askers: AtomicUsize,
    /// The addresses of instances whose facts were to come later.
    open: Mutex<FxHashMap<Cell, String>>,
    has_open: AtomicBool,
}

impl Driver {
    fn open(&self) -> MutexGuard<'_, FxHashMap<Cell, String>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes note that an instance waits for its facts.
    pub(super) fn waits_for(&self, cell: Cell, address: &str) {
        self.open().insert(cell, address.to_owned());
        self.has_open.store(true, Ordering::Release);
    }

    /// Takes note that an instance is filled.
    pub(super) fn has_come(&self, cell: Cell) {
        if self.has_open.load(Ordering::Acquire) {
            self.open().remove(&cell);
        }
    }

    /// The addresses of instances that wait for their facts, sorted.
    pub(super) fn waiting(&self) -> Vec<String> {
        if !self.has_open.load(Ordering::Acquire) {
            return Vec::new();
        }
        let mut all: Vec<String> = self.open().values().cloned().collect();
        all.sort();
        all
    }
}

/// What the threads share that fill the same goals.
#[derive(Default, Debug)]
pub(super) struct Settling {
    /// What is not filled this time, because facts are to come later.
    parked: Mutex<FxHashSet<Cell>>,
    has_parked: AtomicBool,
    /// What cells have taken that were filled since several threads were at work.
    ahead: Mutex<Ahead>,
    /// What was left before that.
    standing: Mutex<Option<Remainder>>,
}

impl Settling {
    /// Leaves a cell for another time.
    pub(super) fn park(&self, cell: Cell) {
        self.parked.lock().unwrap_or_else(PoisonError::into_inner).insert(cell);
        self.has_parked.store(true, Ordering::Release);
    }

    /// Whether a cell is left for another time.
    pub(super) fn is_parked(&self, cell: Cell) -> bool {
        self.has_parked.load(Ordering::Acquire)
            && self.parked.lock().unwrap_or_else(PoisonError::into_inner).contains(&cell)
    }

    /// What was left of the budget before several threads were at work.
    pub(super) fn standing(&self) -> MutexGuard<'_, Option<Remainder>> {
        self.standing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What cells have taken that one of several threads has filled.
    pub(super) fn ahead(&self) -> MutexGuard<'_, Ahead> {
        self.ahead.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
