//! Several threads that fill cells at the same time. Each goes its own way through the needs of one goal after another;
//! where two ways meet, the second puts its goal off, and waits only where nothing better is left to do. What makes no
//! sense on one of several threads (a ring, a cell that needs very many) is left to the one that called them.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Builder};

use crate::evaluate::cell::Cell;
use crate::evaluate::cell_diagnostics::{Scheduler, SharedGoals};
use crate::evaluate::scheduler::{CellWalk, WalkEnd, WalkFrame};
use crate::evaluate::wait::held;
use crate::evaluate::world::EvaluationState;

/// A goal that needs so many times what is worth sharing is shared anew, instead of being left to one thread.
const TOO_WIDE: usize = 10;

/// Code as deep as may be needs one megabyte; without optimization frames are several times as large.
const STACK: usize = 16 << 20;

/// The maximum number of threads share the least that that is worth sharing.
const FEW: usize = 4;

/// The number of times that each thread comes back for more goals.
const TURNS: usize = 16;

/// Threads at work on the same goals.
pub(super) struct WorkerPool<'g> {
    goals: &'g [Cell],
    /// The first goal that is not taken.
    next: AtomicUsize,
    /// The number of goals taken at once: neighbours share much of what they need.
    some: usize,
    /// The cells in progress on the thread that called them.
    inherited: Arc<[Cell]>,
    /// Cells that need so many others that they are to be shared on their own.
    wide: Mutex<Vec<Cell>>,
    has_wide: AtomicBool,
}

/// Returns true if so many cells at once are worth sharing.
pub(super) fn is_worth_sharing(world: &EvaluationState, count: usize) -> bool {
    world.options.threads.most > 1 && count >= world.options.threads.from
}

/// Fills what can be filled of these cells and of what they need, on as many threads as are allowed.
/// Gives what is to be shared first, before the same goals are worth sharing again.
pub(super) fn share(
    driver: &Scheduler,
    world: &Arc<EvaluationState>,
    goals: &[Cell],
    settling: &SharedGoals,
) -> Vec<Cell> {
    // The least that is worth sharing keeps a few threads busy, and no more.
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
    settling.standing().get_or_insert_with(|| world.options.budget.standing());
    thread::scope(|scope| {
        for _ in 1..threads {
            let hand = Builder::new().stack_size(STACK);
            // With fewer hands it only takes longer.
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
                    // What is left is the caller's.
                    WalkEnd::Filled | WalkEnd::Left => {}
                    WalkEnd::PutOff => put_off.push(*goal),
                    WalkEnd::Over => break 'goals,
                }
            }
            // A few goals that are in the way of others are best left to the caller, which comes last. Where it is
            // most of them, they need something in common, and it is worth waiting for that.
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

    /// Returns true if a cell is known to be left to the thread that called this crew.
    pub(super) fn leaves(&self, cell: Cell) -> bool {
        self.has_wide.load(Ordering::Acquire) && self.wide().contains(&cell)
    }

    /// Leaves a cell that needs so many others, if they are too many for one of several threads.
    pub(super) fn leave_if_wide(&self, world: &EvaluationState, cell: Cell, needs: usize) -> bool {
        let is_wide = needs >= world.options.threads.from.saturating_mul(TOO_WIDE);
        if is_wide {
            self.wide().push(cell);
            self.has_wide.store(true, Ordering::Release);
        }
        is_wide
    }

    fn wide(&self) -> MutexGuard<'_, Vec<Cell>> {
        self.wide.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns what the thread works on that called this crew.
    pub(super) fn inherited(&self) -> &Arc<[Cell]> {
        &self.inherited
    }
}
