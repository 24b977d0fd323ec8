//! Waiting for cells that are worked on elsewhere, on another thread or further out on the same one: facts may ask the
//! evaluation that asks them. A wait that would never end, because in the end it is for itself, is refused.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustc_hash::FxHashSet;

use crate::evaluate::cell::{Cell, CellState};

/// The interval at which a waiting thread looks whether the run has ended, which nothing signals.
const PATIENCE: Duration = Duration::from_millis(50);

/// The way of one walk, from the goal to where it is.
pub(super) type Entered = Rc<RefCell<Vec<Cell>>>;

/// The outcome of a wait.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum WaitOutcome {
    /// The cell is filled or given back.
    Free,
    /// It would never be: the thread that works on it waits for this thread.
    Never,
    /// The run has come to its end.
    Over,
}

/// The cells that threads wait for, and the cells that wait for them.
#[derive(Default, Debug)]
pub(super) struct WaitGraph {
    waiters: Mutex<Vec<WaitingThread>>,
    woken: Condvar,
    next: AtomicUsize,
}

#[derive(Debug)]
struct WaitingThread {
    number: usize,
    wants: Cell,
    holds: Vec<Cell>,
}

impl WaitGraph {
    fn waiters(&self) -> MutexGuard<'_, Vec<WaitingThread>> {
        self.waiters.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until no thread works on a cell any more. `holds` are the cells that this thread works on.
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
            // The thread that is done with the cell learns from this that another is to be woken, and has to wait for
            // the lock.
            if !state.wait() {
                break WaitOutcome::Free;
            }
            if is_over() {
                break WaitOutcome::Over;
            }
            if is_for_itself(&waiters, number, cell, &holds) {
                break WaitOutcome::Never;
            }
            if waiters.iter().all(|waiter| waiter.number != number) {
                waiters.push(WaitingThread { number, wants: cell, holds: holds.clone() });
            }
            let woken = self.woken.wait_timeout(waiters, PATIENCE);
            waiters = woken.unwrap_or_else(PoisonError::into_inner).0;
        };
        waiters.retain(|waiter| waiter.number != number);
        turn
    }

    /// Signals that a cell is filled or given back, where a thread waits for that.
    pub(super) fn wake(&self) {
        // A thread that said so before now waits already.
        drop(self.waiters());
        self.woken.notify_all();
    }
}

/// Returns true if the way from a cell over the threads that work on it and wait leads to what this thread works on.
fn is_for_itself(waiters: &[WaitingThread], own: usize, wanted: Cell, holds: &[Cell]) -> bool {
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

/// A walk at work on this thread.
struct OuterWalk {
    /// The number of the evaluation.
    evaluation: usize,
    entered: Entered,
    /// The cells in progress on the thread that called this one for help.
    inherited: Arc<[Cell]>,
}

thread_local! {
    static OUTER: RefCell<Vec<OuterWalk>> = const { RefCell::new(Vec::new()) };
}

/// Says that a walk is at work on this thread, for as long as it is there.
pub(super) struct WalkGuard;

impl WalkGuard {
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

/// All cells that this thread works on, those of walks further out and of the thread that called it for help among
/// them.
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
