//! A pool of threads that fill cells concurrently. Each thread walks one goal after another; where two walks meet, the second is
//! postponed, and waits only if nothing else is left. Cells that are unsuitable for one of several threads (a cycle, or very
//! many dependencies) are left to the coordinating thread.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Builder};

use crate::evaluate::cell::Cell;
use crate::evaluate::cell_diagnostics::{Scheduler, SharedGoals};
use crate::evaluate::scheduler::{CellWalk, WalkEnd, WalkFrame};
use crate::evaluate::wait::held;
use crate::evaluate::world::EvaluationState;

/// The number of dependencies, in multiples of the sharing threshold, from which those of one cell are shared among threads
/// instead of being left to one of them.
const TOO_WIDE: usize = 10;

/// The stack size of a thread in bytes: the deepest code needs one megabyte, and several times as much without optimization.
const STACK: usize = 16 << 20;

/// The number of threads that share the smallest number of cells worth sharing.
const FEW: usize = 4;

/// The number of portions of cells that each thread fetches on average before all are taken.
const TURNS: usize = 16;

/// The requested cells that several threads fill together, and the position up to which they have been fetched.
pub(super) struct WorkerPool<'g> {
    goals: &'g [Cell],
    /// The index of the next requested cell.
    next: AtomicUsize,
    /// The number of cells fetched at once: neighbours share dependencies.
    some: usize,
    /// The cells in progress on the coordinating thread.
    inherited: Arc<[Cell]>,
    /// Cells with so many dependencies that these are to be shared themselves.
    wide: Mutex<Vec<Cell>>,
    has_wide: AtomicBool,
}

/// Returns true if sharing this number of cells among threads is worth the overhead.
pub(super) fn is_worth_sharing(world: &EvaluationState, count: usize) -> bool {
    world.options.threads.most > 1 && count >= world.options.threads.from
}

/// Fills cells and their dependencies on as many threads as allowed. Returns the cells with very many dependencies, which the
/// caller shares by themselves before it shares the requested cells again.
pub(super) fn share(
    driver: &Scheduler,
    world: &Arc<EvaluationState>,
    goals: &[Cell],
    settling: &SharedGoals,
) -> Vec<Cell> {
    // The smallest set of goals keeps a few threads busy, and no more.
    let least = (world.options.threads.from / FEW).max(1);
    let threads = world.options.threads.most.min(goals.len() / least);
    if threads < 2 {
        return Vec::new();
    }
    let crew = WorkerPool {
        goals,
        next: AtomicUsize::new(0),
        some: (goals.len() / (threads * TURNS)).max(1),
        inherited: held(world.number()).into(),
        wide: Mutex::default(),
        has_wide: AtomicBool::new(false),
    };
    settling.standing().get_or_insert_with(|| world.options.budget.remainder());
    thread::scope(|scope| {
        for _ in 1..threads {
            let hand = Builder::new().stack_size(STACK);
            // Fewer threads only take longer.
            let _ = hand.spawn_scoped(scope, || crew.work(driver, world, settling, false));
        }
        crew.work(driver, world, settling, true);
    });
    let mut wide = crew.wide.into_inner().unwrap_or_else(PoisonError::into_inner);
    wide.sort_by_key(|cell| (cell.instance, cell.part));
    wide.dedup();
    wide
}

impl WorkerPool<'_> {
    /// Fills cells of the pool on one thread until none is left.
    fn work(
        &self,
        driver: &Scheduler,
        world: &Arc<EvaluationState>,
        settling: &SharedGoals,
        is_first: bool,
    ) {
        let mut walk = CellWalk::new(driver, world, WalkFrame::Crew(self, is_first), settling);
        let mut put_off: Vec<Cell> = Vec::new();
        'goals: loop {
            let from = self.next.fetch_add(self.some, Ordering::Relaxed);
            let Some(rest) = self.goals.get(from..).filter(|rest| !rest.is_empty()) else { break };
            for goal in &rest[..rest.len().min(self.some)] {
                match walk.settle_or_put_off(*goal) {
                    // The rest is left to the coordinating thread.
                    WalkEnd::Filled | WalkEnd::Left => {}
                    WalkEnd::PutOff => put_off.push(*goal),
                    WalkEnd::Over => break 'goals,
                }
            }
            // A few postponed goals are best left to the coordinating thread, which comes last. If most are postponed, they have
            // a common dependency that is worth waiting for.
            if put_off.len() > self.some / 2 {
                walk.await_met();
                for goal in put_off.drain(..) {
                    if walk.settle(&[goal]) == WalkEnd::Over {
                        break 'goals;
                    }
                }
            }
        }
        settling.ahead().extend(walk.into_taken());
    }

    /// Returns true if a cell is left to the coordinating thread because of its many dependencies.
    pub(super) fn leaves(&self, cell: Cell) -> bool {
        self.has_wide.load(Ordering::Acquire) && self.wide_cells().contains(&cell)
    }

    /// Leaves a cell to the coordinating thread if it has too many dependencies for one of several threads; returns true if so.
    pub(super) fn leave_if_wide(&self, world: &EvaluationState, cell: Cell, needs: usize) -> bool {
        let is_wide = needs >= world.options.threads.from.saturating_mul(TOO_WIDE);
        if is_wide {
            self.wide_cells().push(cell);
            self.has_wide.store(true, Ordering::Release);
        }
        is_wide
    }

    /// Locks the cells that have too many dependencies for one thread.
    fn wide_cells(&self) -> MutexGuard<'_, Vec<Cell>> {
        self.wide.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the cells in progress on the coordinating thread.
    pub(super) fn inherited(&self) -> &Arc<[Cell]> {
        &self.inherited
    }
}
