//! A pool of threads that fill cells concurrently. Each thread walks one goal after another; where two walks meet, the second is
//! postponed, and waits only if nothing else is left. Cells that are unsuitable for one of several threads (a cycle, or very
//! many dependencies) are left to the coordinating thread.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Builder};

use groma_runtime::EVALUATION_STACK;

use crate::evaluate::cell::Cell;
use crate::evaluate::cell_diagnostics::{Scheduler, SharedGoals};
use crate::evaluate::scheduler::{CellWalk, WalkEnd, WalkRole};
use crate::evaluate::wait::held;
use crate::evaluate::world::EvaluationState;

/// The number of a cell's dependencies from which threads share them instead of leaving them to one thread, as a multiple of the
/// number of requested cells from which these are shared (`ThreadCount::from`).
const WIDE_FACTOR: usize = 10;

/// The number of threads that are used if the cells to fill are just numerous enough to be shared; more cells get more threads.
const MIN_THREADS: usize = 4;

/// The number of portions of cells that each thread fetches on average before all are taken.
const PORTIONS_PER_THREAD: usize = 16;

/// The requested cells that several threads fill together, and the position up to which they have been fetched.
pub(super) struct WorkerPool<'g> {
    goals: &'g [Cell],
    /// The index of the next requested cell.
    next: AtomicUsize,
    /// The number of cells fetched at once: neighbours share dependencies.
    portion: usize,
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

/// Fills the cells `goals` and their dependencies on as many threads as allowed, whose common state is `shared`; returns the
/// cells with too many dependencies for one thread. The caller shares these by themselves before it shares the requested cells
/// again.
pub(super) fn share(
    scheduler: &Scheduler,
    world: &Arc<EvaluationState>,
    goals: &[Cell],
    shared: &SharedGoals,
) -> Vec<Cell> {
    // The smallest set of goals keeps a few threads busy, and no more.
    let least = (world.options.threads.from / MIN_THREADS).max(1);
    let threads = world.options.threads.most.min(goals.len() / least);
    if threads < 2 {
        return Vec::new();
    }
    let pool = WorkerPool {
        goals,
        next: AtomicUsize::new(0),
        portion: (goals.len() / (threads * PORTIONS_PER_THREAD)).max(1),
        inherited: held(world.number()).into(),
        wide: Mutex::default(),
        has_wide: AtomicBool::new(false),
    };
    shared.budget_before().get_or_insert_with(|| world.options.budget.remainder());
    thread::scope(|scope| {
        for _ in 1..threads {
            let helper = Builder::new().stack_size(EVALUATION_STACK);
            // Fewer threads only take longer.
            let _ = helper.spawn_scoped(scope, || pool.work(scheduler, world, shared, false));
        }
        pool.work(scheduler, world, shared, true);
    });
    let mut wide = pool.wide.into_inner().unwrap_or_else(PoisonError::into_inner);
    wide.sort_by_key(|cell| (cell.instance, cell.part));
    wide.dedup();
    wide
}

impl WorkerPool<'_> {
    /// Fills cells of the pool on one thread until none is left; `is_first` is true for the coordinating thread, which publishes
    /// its current cell.
    fn work(
        &self,
        scheduler: &Scheduler,
        world: &Arc<EvaluationState>,
        shared: &SharedGoals,
        is_first: bool,
    ) {
        let mut walk = CellWalk::new(scheduler, world, WalkRole::Worker(self, is_first), shared);
        let mut postponed: Vec<Cell> = Vec::new();
        'goals: loop {
            let from = self.next.fetch_add(self.portion, Ordering::Relaxed);
            let Some(rest) = self.goals.get(from..).filter(|rest| !rest.is_empty()) else { break };
            for goal in &rest[..rest.len().min(self.portion)] {
                match walk.fill_or_postpone(*goal) {
                    // The rest is left to the coordinating thread.
                    WalkEnd::Filled | WalkEnd::Left => {}
                    WalkEnd::Postponed => postponed.push(*goal),
                    WalkEnd::RunEnded => break 'goals,
                }
            }
            // A few postponed goals are best left to the coordinating thread, which comes last. If most are postponed, they have
            // a common dependency that is worth waiting for.
            if postponed.len() > self.portion / 2 {
                walk.await_blocking();
                for goal in postponed.drain(..) {
                    if walk.fill_all(&[goal]) == WalkEnd::RunEnded {
                        break 'goals;
                    }
                }
            }
        }
        shared.filled_cells().extend(walk.into_filled());
    }

    /// Returns true if a cell is left to the thread that coordinates the pool, because of its many dependencies.
    pub(super) fn is_left(&self, cell: Cell) -> bool {
        self.has_wide.load(Ordering::Acquire) && self.wide_cells().contains(&cell)
    }

    /// Leaves a cell to the thread that coordinates the pool if it has too many dependencies for one of several threads; returns
    /// true if so.
    pub(super) fn leave_if_wide(&self, world: &EvaluationState, cell: Cell, needs: usize) -> bool {
        let is_wide = needs >= world.options.threads.from.saturating_mul(WIDE_FACTOR);
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

    /// Returns the cells in progress on the thread that coordinates the pool; a worker counts them as its own when deadlocks are
    /// detected.
    pub(super) fn inherited(&self) -> &Arc<[Cell]> {
        &self.inherited
    }
}
