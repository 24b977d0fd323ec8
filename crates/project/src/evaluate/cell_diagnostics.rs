//! Diagnostics of cells, and usage of speculative work. Only cells with diagnostics are stored.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use groma_config::InstanceAddress;
use groma_runtime::{BudgetRemainder, ResourceUsage};
use groma_syntax::Diagnostic;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::evaluate::cell::Cell;
use crate::evaluate::request::RequestToken;
use crate::evaluate::wait::WaitGraph;

/// Cells that several threads have filled, each with the part of the budget that filling it has used.
pub(super) type Ahead = Vec<(Cell, ResourceUsage)>;

/// The diagnostics of a cell itself (`own`), and the cells with diagnostics that it depends on (`from`).
#[derive(Default, Debug)]
pub(super) struct CellFailure {
    pub(super) own: Vec<Diagnostic>,
    pub(super) from: Vec<Cell>,
}

/// The shared state of filling cells: diagnostics of cells, waiting threads, the number of queries and pending facts. Threads may
/// use it concurrently.
#[derive(Default, Debug)]
pub(crate) struct Scheduler {
    pub(super) troubles: Mutex<FxHashMap<Cell, CellFailure>>,
    pub(super) has_troubles: AtomicBool,
    pub(super) waits: WaitGraph,
    /// The number of queries in progress.
    pub(super) askers: AtomicUsize,
    /// The addresses of instances whose facts are pending.
    open: Mutex<FxHashMap<Cell, InstanceAddress>>,
    has_open: AtomicBool,
}

impl Scheduler {
    /// Locks the addresses of instances with pending facts.
    fn open(&self) -> MutexGuard<'_, FxHashMap<Cell, InstanceAddress>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records that an instance cannot be filled before pending facts have arrived.
    pub(super) fn waits_for(&self, cell: Cell, address: InstanceAddress) {
        self.open().insert(cell, address);
        self.has_open.store(true, Ordering::Release);
    }

    /// Records that an instance is filled and no longer waits for facts.
    pub(super) fn has_come(&self, cell: Cell) {
        if self.has_open.load(Ordering::Acquire) {
            self.open().remove(&cell);
        }
    }

    /// Returns the addresses of instances whose facts are pending, sorted.
    pub(super) fn waiting(&self) -> Vec<String> {
        if !self.has_open.load(Ordering::Acquire) {
            return Vec::new();
        }
        let mut all: Vec<String> = self.open().values().map(ToString::to_string).collect();
        all.sort();
        all
    }
}

/// The state shared by the threads that fill the same requested cells.
#[derive(Default, Debug)]
pub(super) struct SharedGoals {
    /// The cells not filled this time because facts are pending.
    parked: Mutex<FxHashSet<Cell>>,
    has_parked: AtomicBool,
    /// The cells filled since several threads are at work, with the budget that each has used.
    ahead: Mutex<Ahead>,
    /// The budget that was left before several threads started.
    standing: Mutex<Option<BudgetRemainder>>,
    /// The request for which the cells are filled.
    request: Option<RequestToken>,
}

impl SharedGoals {
    /// Creates the state shared by the threads that fill cells for the current thread's request.
    pub(super) fn of_request() -> SharedGoals {
        SharedGoals { request: RequestToken::current(), ..SharedGoals::default() }
    }

    /// Returns true if the request is over, so that no more cells are filled for it.
    pub(super) fn is_stopped(&self) -> bool {
        self.request.as_ref().is_some_and(|one| one.is_ready_only() || one.is_over())
    }

    /// Postpones a cell whose facts are pending to a later request.
    pub(super) fn park(&self, cell: Cell) {
        self.parked.lock().unwrap_or_else(PoisonError::into_inner).insert(cell);
        self.has_parked.store(true, Ordering::Release);
    }

    /// Returns true if a cell is postponed to a later request.
    pub(super) fn is_parked(&self, cell: Cell) -> bool {
        self.has_parked.load(Ordering::Acquire)
            && self.parked.lock().unwrap_or_else(PoisonError::into_inner).contains(&cell)
    }

    /// Locks the budget that was left before several threads started; `None` if they have not.
    pub(super) fn standing(&self) -> MutexGuard<'_, Option<BudgetRemainder>> {
        self.standing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks the list of cells that several threads have filled, each with the part of the budget that it has used.
    pub(super) fn ahead(&self) -> MutexGuard<'_, Ahead> {
        self.ahead.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
