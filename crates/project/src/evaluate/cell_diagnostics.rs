//! Findings on the way through the cells, and work that was done ahead. Only cells with something to report are here.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use groma_runtime::{BudgetRemainder, ResourceUsage};
use groma_syntax::Diagnostic;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::evaluate::cell::Cell;
use crate::evaluate::request::RequestToken;
use crate::evaluate::wait::WaitGraph;

/// Work that was done ahead: cells that have taken something, with what.
pub(super) type Ahead = Vec<(Cell, ResourceUsage)>;

/// The failure of a cell or of one that it needed.
#[derive(Default, Debug)]
pub(super) struct CellFailure {
    pub(super) own: Vec<Diagnostic>,
    pub(super) from: Vec<Cell>,
}

/// The state of settling cells: the failures of those that have any, or need one that has, the threads that wait, and facts
/// that come later. Several threads may ask at the same time.
#[derive(Default, Debug)]
pub(crate) struct Scheduler {
    pub(super) troubles: Mutex<FxHashMap<Cell, CellFailure>>,
    pub(super) has_troubles: AtomicBool,
    pub(super) waits: WaitGraph,
    /// The number of questions in progress.
    pub(super) askers: AtomicUsize,
    /// The addresses of instances whose facts were to come later.
    open: Mutex<FxHashMap<Cell, String>>,
    has_open: AtomicBool,
}

impl Scheduler {
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

/// The state that the threads share that fill the same goals.
#[derive(Default, Debug)]
pub(super) struct SharedGoals {
    /// The cells that are not filled this time, because facts are to come later.
    parked: Mutex<FxHashSet<Cell>>,
    has_parked: AtomicBool,
    /// The usage of cells that were filled since several threads were at work.
    ahead: Mutex<Ahead>,
    /// The budget that was left before that.
    standing: Mutex<Option<BudgetRemainder>>,
    /// The request that they are filled for.
    request: Option<RequestToken>,
}

impl SharedGoals {
    /// Goals of the request that this thread works for.
    pub(super) fn of_request() -> SharedGoals {
        SharedGoals { request: RequestToken::current(), ..SharedGoals::default() }
    }

    /// Returns true if nothing more is to be filled for the request.
    pub(super) fn is_stopped(&self) -> bool {
        self.request.as_ref().is_some_and(|one| one.is_ready_only() || one.is_over())
    }

    /// Leaves a cell for another time.
    pub(super) fn park(&self, cell: Cell) {
        self.parked.lock().unwrap_or_else(PoisonError::into_inner).insert(cell);
        self.has_parked.store(true, Ordering::Release);
    }

    /// Returns true if a cell is left for another time.
    pub(super) fn is_parked(&self, cell: Cell) -> bool {
        self.has_parked.load(Ordering::Acquire)
            && self.parked.lock().unwrap_or_else(PoisonError::into_inner).contains(&cell)
    }

    /// Returns what was left of the budget before several threads were at work.
    pub(super) fn standing(&self) -> MutexGuard<'_, Option<BudgetRemainder>> {
        self.standing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns what cells have taken that one of several threads has filled.
    pub(super) fn ahead(&self) -> MutexGuard<'_, Ahead> {
        self.ahead.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
