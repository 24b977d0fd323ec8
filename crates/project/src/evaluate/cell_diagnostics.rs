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
pub(super) type FilledCells = Vec<(Cell, ResourceUsage)>;

/// The diagnostics of a cell itself (`own`), and the cells with diagnostics that it depends on (`from`).
#[derive(Default, Debug)]
pub(super) struct CellFailure {
    pub(super) own: Vec<Diagnostic>,
    pub(super) from: Vec<Cell>,
}

/// The state that threads share while they fill the cells of one evaluation: diagnostics of cells, waiting threads, the number
/// of queries, and the resource instances about which facts are pending, which means requested and not available yet. Threads
/// may use it concurrently.
#[derive(Default, Debug)]
pub(crate) struct Scheduler {
    pub(super) failures: Mutex<FxHashMap<Cell, CellFailure>>,
    pub(super) has_failures: AtomicBool,
    pub(super) wait_graph: WaitGraph,
    /// The number of queries in progress.
    pub(super) open_queries: AtomicUsize,
    /// The addresses of instances whose facts are pending.
    pending: Mutex<FxHashMap<Cell, InstanceAddress>>,
    has_pending: AtomicBool,
}

impl Scheduler {
    /// Locks the addresses of the resource instances about which facts are pending: requested, and not available yet.
    fn pending(&self) -> MutexGuard<'_, FxHashMap<Cell, InstanceAddress>> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records that a resource instance cannot be evaluated now, because the facts requested about it are not available yet.
    pub(super) fn record_pending(&self, cell: Cell, address: InstanceAddress) {
        self.pending().insert(cell, address);
        self.has_pending.store(true, Ordering::Release);
    }

    /// Records that a resource instance is evaluated and no longer waits for facts about it.
    pub(super) fn clear_pending(&self, cell: Cell) {
        if self.has_pending.load(Ordering::Acquire) {
            self.pending().remove(&cell);
        }
    }

    /// Returns the addresses of the resource instances about which facts are pending (requested, and not available yet),
    /// sorted.
    pub(super) fn waiting(&self) -> Vec<String> {
        if !self.has_pending.load(Ordering::Acquire) {
            return Vec::new();
        }
        let mut all: Vec<String> = self.pending().values().map(ToString::to_string).collect();
        all.sort();
        all
    }
}

/// What the threads that fill the same requested cells share: their request, the cells filled and postponed, and the budget left
/// before.
#[derive(Default, Debug)]
pub(super) struct SharedGoals {
    /// The cells not filled this time because facts are pending.
    parked: Mutex<FxHashSet<Cell>>,
    has_parked: AtomicBool,
    /// The cells filled since several threads are at work, with the budget that each has used.
    filled_cells: Mutex<FilledCells>,
    /// The budget that was left before several threads started.
    budget_before: Mutex<Option<BudgetRemainder>>,
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

    /// Postpones the cell of a resource instance to a later request, because the facts about the instance are not available
    /// yet.
    pub(super) fn park(&self, cell: Cell) {
        self.parked.lock().unwrap_or_else(PoisonError::into_inner).insert(cell);
        self.has_parked.store(true, Ordering::Release);
    }

    /// Returns true if a cell is postponed to a later request, because the facts that it needs are not available yet.
    pub(super) fn is_parked(&self, cell: Cell) -> bool {
        self.has_parked.load(Ordering::Acquire)
            && self.parked.lock().unwrap_or_else(PoisonError::into_inner).contains(&cell)
    }

    /// Locks the budget that was left before several threads started; `None` if they have not.
    pub(super) fn budget_before(&self) -> MutexGuard<'_, Option<BudgetRemainder>> {
        self.budget_before.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks the list of cells that several threads have filled, each with the part of the budget that it has used.
    pub(super) fn filled_cells(&self) -> MutexGuard<'_, FilledCells> {
        self.filled_cells.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
