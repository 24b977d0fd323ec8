//! Several threads that fill cells at the same time. Each goes its own way through the needs of one
//! goal after another; where two ways meet, the second waits for the first. What makes no sense on
//! one of several threads (a ring, a cell that needs very many) is left to the one that called them.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Builder};

use crate::evaluate::cell::{Cell, State};
use crate::evaluate::driver::{Ended, Walk, Way};
use crate::evaluate::trouble::Driver;
use crate::evaluate::world::World;

/// A goal that needs so many times what is worth sharing is shared anew, instead of being left to one thread.
const TOO_WIDE: usize = 10;

/// Code as deep as may be needs one megabyte; without optimization frames are several times as large.
const STACK: usize = 16 << 20;

/// So many threads share the least that is worth sharing.
const FEW: usize = 4;

/// How often each thread comes back for more goals.
const TURNS: usize = 16;

/// Threads at work on the same goals.
pub(super) struct Crew<'g> {
    goals: &'g [Cell],
    /// The first goal that nobody has taken.
    next: AtomicUsize,
    /// How many goals are taken at once: neighbours share much of what they need.
    some: usize,
    /// How many threads are not waiting.
    working: AtomicUsize,
    /// Whether one of them has panicked, so that what it entered is never done.
    has_failed: AtomicBool,
    /// Cells that need so many others that they are to be shared on their own.
    wide: Mutex<Vec<Cell>>,
    has_wide: AtomicBool,
}

/// Whether so many cells at once are worth sharing.
pub(super) fn is_worth_sharing(world: &World, count: usize) -> bool {
    world.options.threads.most > 1 && count >= world.options.threads.from
}

/// Fills what can be filled of these cells and of what they need, on as many threads as are allowed.
/// Gives what is to be shared first, before the same goals are worth sharing again.
pub(super) fn share(driver: &Driver, world: &Arc<World>, goals: &[Cell]) -> Vec<Cell> {
    // The least that is worth sharing keeps a few threads busy, and no more.
    let least = (world.options.threads.from / FEW).max(1);
    let threads = world.options.threads.most.min(goals.len() / least);
    if threads < 2 {
        return Vec::new();
    }
    let crew = Crew {
        goals,
        next: AtomicUsize::new(0),
        some: (goals.len() / (threads * TURNS)).max(1),
        working: AtomicUsize::new(threads),
        has_failed: AtomicBool::new(false),
        wide: Mutex::default(),
        has_wide: AtomicBool::new(false),
    };
    driver.goes_ahead(world);
    thread::scope(|scope| {
        for _ in 1..threads {
            let hand = Builder::new().stack_size(STACK);
            if hand.spawn_scoped(scope, || crew.work(driver, world, false)).is_err() {
                crew.working.fetch_sub(1, Ordering::AcqRel);
            }
        }
        crew.work(driver, world, true);
    });
    let mut wide = crew.wide.into_inner().unwrap_or_else(PoisonError::into_inner);
    wide.sort_by_key(|cell| (cell.instance, cell.part));
    wide.dedup();
    wide
}

impl Crew<'_> {
    fn work(&self, driver: &Driver, world: &Arc<World>, is_first: bool) {
        let _present = Presence(self);
        let mut walk = Walk::new(driver, world, Way::Crew(self, is_first));
        'goals: loop {
            let from = self.next.fetch_add(self.some, Ordering::Relaxed);
            let Some(rest) = self.goals.get(from..).filter(|rest| !rest.is_empty()) else { break };
            for goal in &rest[..rest.len().min(self.some)] {
                // What is left is the caller's.
                if walk.settle(std::slice::from_ref(goal)) == Ended::Over {
                    break 'goals;
                }
            }
        }
        driver.took_ahead(walk.into_taken());
    }

    /// Whether a cell is known to be left to the thread that called this crew.
    pub(super) fn leaves(&self, cell: Cell) -> bool {
        self.has_wide.load(Ordering::Acquire) && self.wide().contains(&cell)
    }

    /// Leaves a cell that needs so many others, if they are too many for one of several threads.
    pub(super) fn leave_if_wide(&self, world: &World, cell: Cell, needs: usize) -> bool {
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

    /// Waits until somebody else is done with a cell, or gives it back. False where nobody is left
    /// who could be: each waits for another, or what it waits for is given up.
    pub(super) fn wait(&self, state: &State) -> bool {
        self.working.fetch_sub(1, Ordering::AcqRel);
        let mut looks = 0_u32;
        let is_free = loop {
            if !state.is_entered() {
                break true;
            }
            if self.working.load(Ordering::Acquire) == 0 || self.has_failed.load(Ordering::Acquire)
            {
                break !state.is_entered();
            }
            looks += 1;
            if looks < 100 {
                std::hint::spin_loop();
            } else {
                thread::yield_now();
            }
        };
        self.working.fetch_add(1, Ordering::AcqRel);
        is_free
    }
}

/// A thread of a crew, until it has gone.
struct Presence<'c, 'g>(&'c Crew<'g>);

impl Drop for Presence<'_, '_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.has_failed.store(true, Ordering::Release);
        }
        self.0.working.fetch_sub(1, Ordering::AcqRel);
    }
}
