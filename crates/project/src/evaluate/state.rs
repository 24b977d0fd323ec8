//! How far each cell is. Several threads may look at one; whoever enters a new one works on it, and
//! what the filled cell holds can be seen by all who see that it is done.

use std::sync::atomic::{AtomicU8, Ordering};

const NEW: u8 = 0;
const ENTERED: u8 = 1;
const DONE: u8 = 2;

/// How far one cell is.
#[derive(Default, Debug)]
pub(crate) struct State(AtomicU8);

impl State {
    /// As many new cells.
    pub(crate) fn many(count: usize) -> Box<[State]> {
        (0..count).map(|_| State::default()).collect()
    }

    /// Whether it is filled.
    pub(crate) fn is_done(&self) -> bool {
        self.0.load(Ordering::Acquire) == DONE
    }

    /// Whether somebody works on it or on what it needs.
    pub(crate) fn is_entered(&self) -> bool {
        self.0.load(Ordering::Acquire) == ENTERED
    }

    /// Takes a new cell; false if somebody else has.
    pub(crate) fn enter(&self) -> bool {
        self.0.compare_exchange(NEW, ENTERED, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }

    /// Gives back a cell that was entered.
    pub(crate) fn leave(&self) {
        let _ = self.0.compare_exchange(ENTERED, NEW, Ordering::AcqRel, Ordering::Acquire);
    }

    /// Says that it is filled.
    pub(crate) fn finish(&self) {
        self.0.store(DONE, Ordering::Release);
    }
}
