//! Memo cells: which there are, and how far each is. Several threads may look at one; the thread that enters a new one
//! works on
//! it, and what the filled cell holds can be seen by all threads that see that it is done.

use std::sync::atomic::{AtomicU8, Ordering};

use groma_module::visit::Declaration;

/// The number of the root instance.
pub(super) const ROOT: u32 = 0;

/// One memo cell: a part of a declaration in one instance of its module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Cell {
    /// The module instance.
    pub(crate) instance: u32,
    pub(crate) part: CellPart,
}

/// The part of a declaration, by its position in the module's list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum CellPart {
    Variable(u32),
    Local(u32),
    Output(u32),
    /// The instances of a module call.
    Call(u32),
    /// One output of all instances of a module call; every output beyond the last one.
    Gathered(u32, u32),
    /// The instances of a resource.
    Spread(u32),
    /// One instance of a resource.
    Object(u32, u32),
    /// All instances of a resource.
    Resource(u32),
    /// The assertions of a check.
    Check(u32),
}

impl CellPart {
    /// Stands for all outputs of a call.
    pub(crate) const ALL: u32 = u32::MAX;

    /// Nothing for what no reference can lead to.
    pub(super) fn declaration(self) -> Option<Declaration> {
        Some(match self {
            CellPart::Variable(at) => Declaration::Variable(at),
            CellPart::Local(at) => Declaration::Local(at),
            CellPart::Output(at) => Declaration::Output(at),
            CellPart::Call(at) | CellPart::Gathered(at, _) => Declaration::Call(at),
            CellPart::Spread(at) | CellPart::Object(at, _) | CellPart::Resource(at) => {
                Declaration::Resource(at)
            }
            CellPart::Check(_) => return None,
        })
    }
}

const NEW: u8 = 0;
const ENTERED: u8 = 1;
/// Entered, and a thread waits until it is not.
const AWAITED: u8 = 2;
const DONE: u8 = 3;
/// Filled with what an older evaluation had.
const SAME: u8 = 4;

/// The progress of one cell.
#[derive(Default, Debug)]
pub(crate) struct CellState(AtomicU8);

impl CellState {
    /// As many new cells.
    pub(crate) fn many(count: usize) -> Box<[CellState]> {
        (0..count).map(|_| CellState::default()).collect()
    }

    /// Returns true if it is filled.
    pub(crate) fn is_done(&self) -> bool {
        self.0.load(Ordering::Acquire) >= DONE
    }

    /// Returns true if a thread works on it or on what it needs.
    pub(crate) fn is_entered(&self) -> bool {
        matches!(self.0.load(Ordering::Acquire), ENTERED | AWAITED)
    }

    /// Marks it as waited for, for the thread that works on it; false if there is none.
    pub(crate) fn wait(&self) -> bool {
        let told = self.0.compare_exchange(ENTERED, AWAITED, Ordering::AcqRel, Ordering::Acquire);
        matches!(told, Ok(_) | Err(AWAITED))
    }

    /// Takes a new cell; false if another thread has.
    pub(crate) fn enter(&self) -> bool {
        self.0.compare_exchange(NEW, ENTERED, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }

    /// Gives back a cell that was entered. Returns whether a thread waits for that.
    pub(crate) fn leave(&self) -> bool {
        let give = |from| self.0.compare_exchange(from, NEW, Ordering::AcqRel, Ordering::Acquire);
        give(ENTERED) == Err(AWAITED) && give(AWAITED).is_ok()
    }

    /// Returns true if it holds what an older evaluation had.
    pub(crate) fn is_same(&self) -> bool {
        self.0.load(Ordering::Acquire) == SAME
    }

    /// Marks it as filled, and whether with what an older evaluation had. Returns whether a thread waits for that.
    pub(crate) fn finish(&self, same: bool) -> bool {
        self.0.swap(if same { SAME } else { DONE }, Ordering::AcqRel) == AWAITED
    }
}
