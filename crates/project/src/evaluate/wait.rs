//! Waiting for cells in progress on another thread, or in an outer walk on the same thread: facts may ask the evaluation that
//! asks them. A wait that would deadlock is refused.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustc_hash::FxHashSet;

use crate::evaluate::cell::{Cell, CellState};

/// The interval at which a waiting thread checks if the run has ended, which is not signalled.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The cells that a walk is evaluating, each of which waits for the next one in the list; the requested cell is first.
pub(super) type Entered = Rc<RefCell<Vec<Cell>>>;

/// The result of waiting for a cell of another thread: it is free, waiting would deadlock, or the run has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum WaitOutcome {
    /// The cell is filled or released.
    Free,
    /// Waiting would deadlock: the thread that evaluates the cell waits for this thread.
    Deadlock,
    /// The run has ended.
    RunEnded,
}

/// The threads that wait for cells of other threads, with the cells that each holds, for deadlock detection.
#[derive(Default, Debug)]
pub(super) struct WaitGraph {
    waiters: Mutex<Vec<WaitingThread>>,
    woken: Condvar,
    next: AtomicUsize,
}

/// A waiting thread: the cell it waits for, and the cells it is evaluating.
#[derive(Debug)]
struct WaitingThread {
    number: usize,
    wants: Cell,
    holds: Vec<Cell>,
}

impl WaitGraph {
    /// Locks the list of threads that wait for cells.
    fn waiters(&self) -> MutexGuard<'_, Vec<WaitingThread>> {
        self.waiters.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until no thread is evaluating a cell, until the run `is_over`, or until this would deadlock, given the cells in
    /// progress that this thread `holds`.
    pub(super) fn wait(
        &self,
        cell: Cell,
        state: &CellState,
        holds: Vec<Cell>,
        is_over: &dyn Fn() -> bool,
    ) -> WaitOutcome {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let mut waiters = self.waiters();
        let turn = loop {
            // This tells the thread that finishes the cell to wake another, for which it needs the lock.
            if !state.wait() {
                break WaitOutcome::Free;
            }
            if is_over() {
                break WaitOutcome::RunEnded;
            }
            if would_deadlock(&waiters, number, cell, &holds) {
                break WaitOutcome::Deadlock;
            }
            if waiters.iter().all(|waiter| waiter.number != number) {
                waiters.push(WaitingThread { number, wants: cell, holds: holds.clone() });
            }
            let woken = self.woken.wait_timeout(waiters, POLL_INTERVAL);
            waiters = woken.unwrap_or_else(PoisonError::into_inner).0;
        };
        waiters.retain(|waiter| waiter.number != number);
        turn
    }

    /// Wakes waiting threads, because an awaited cell is filled or released.
    pub(super) fn wake(&self) {
        // A thread that has marked the cell before is waiting by now.
        drop(self.waiters());
        self.woken.notify_all();
    }
}

/// Returns true if the thread with the number `own` would deadlock by waiting for the cell `wanted`, because through the threads
/// `waiters`, which wait already, that cell waits for one of those that the thread itself `holds`.
fn would_deadlock(waiters: &[WaitingThread], own: usize, wanted: Cell, holds: &[Cell]) -> bool {
    let holds: FxHashSet<Cell> = holds.iter().copied().collect();
    let mut seen: FxHashSet<usize> = FxHashSet::default();
    let mut rest = vec![wanted];
    while let Some(cell) = rest.pop() {
        if holds.contains(&cell) {
            return true;
        }
        for waiter in waiters.iter().filter(|waiter| waiter.number != own) {
            if waiter.holds.contains(&cell) && seen.insert(waiter.number) {
                rest.push(waiter.wants);
            }
        }
    }
    false
}

/// A walk through cells in progress on this thread, with the cells that it is evaluating.
struct OuterWalk {
    /// The number that identifies the evaluation.
    evaluation: usize,
    entered: Entered,
    /// The cells in progress on the coordinating thread.
    inherited: Arc<[Cell]>,
}

thread_local! {
    /// The walks on this thread that have been interrupted by an inner walk.
    static OUTER: RefCell<Vec<OuterWalk>> = const { RefCell::new(Vec::new()) };
}

/// A guard that registers a walk on this thread until it is dropped.
pub(super) struct WalkGuard;

impl WalkGuard {
    /// Registers a cell walk on this thread until the guard is dropped: `evaluation` is the number of its evaluation, `entered`
    /// the cells in progress in this walk, `inherited` those in progress on the coordinating thread.
    pub(super) fn on(evaluation: usize, entered: &Entered, inherited: Arc<[Cell]>) -> WalkGuard {
        let entered = entered.clone();
        OUTER.with_borrow_mut(|all| all.push(OuterWalk { evaluation, entered, inherited }));
        WalkGuard
    }
}

impl Drop for WalkGuard {
    fn drop(&mut self) {
        OUTER.with_borrow_mut(|all| drop(all.pop()));
    }
}

/// Returns all cells of an evaluation in progress on this thread, including those of outer walks and, on a worker thread, those
/// of the thread that shares cells with it.
pub(super) fn held(evaluation: usize) -> Vec<Cell> {
    OUTER.with_borrow(|all| {
        let own = all.iter().filter(|outer| outer.evaluation == evaluation);
        let cells = own.flat_map(|outer| {
            let entered = outer.entered.borrow();
            outer.inherited.iter().chain(entered.iter()).copied().collect::<Vec<Cell>>()
        });
        cells.collect()
    })
}
