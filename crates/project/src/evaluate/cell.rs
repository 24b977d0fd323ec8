//! Memo cells and their states. Threads share them; the thread that enters a new cell evaluates it, and its value is visible to
//! every thread that sees the cell as done.

use std::sync::atomic::{AtomicU8, Ordering};

use groma_module::visit::Declaration;

/// The id of the root module's instance, by which cells refer to it.
pub(super) const ROOT: u32 = 0;

/// The identity of a memo cell, which holds the value of a part of a declaration in one module instance.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Cell {
    /// The id of the module instance.
    pub(crate) instance: u32,
    pub(crate) part: CellPart,
}

/// The kind and index of the declaration whose value a cell holds, and which part of it the cell holds: for a resource, its
/// instance keys, the object of one instance, or the objects of all.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum CellPart {
    Variable(u32),
    Local(u32),
    Output(u32),
    /// The instance keys of a module call.
    Call(u32),
    /// One output of all instances of a module call, by call and output; the output [`CellPart::ALL_OUTPUTS`] means every output.
    Gathered(u32, u32),
    /// The instance keys of a resource.
    Expansion(u32),
    /// The object of one resource instance, by resource and position.
    Object(u32, u32),
    /// The objects of all instances of a resource as one value.
    Resource(u32),
    /// The assertions of a check.
    Check(u32),
}

impl CellPart {
    /// The index that stands for all outputs of a module call.
    pub(crate) const ALL_OUTPUTS: u32 = u32::MAX;

    /// Returns the declaration that a cell is a part of; `None` for parts that no reference can refer to.
    pub(super) fn declaration(self) -> Option<Declaration> {
        Some(match self {
            CellPart::Variable(at) => Declaration::Variable(at),
            CellPart::Local(at) => Declaration::Local(at),
            CellPart::Output(at) => Declaration::Output(at),
            CellPart::Call(at) | CellPart::Gathered(at, _) => Declaration::Call(at),
            CellPart::Expansion(at) | CellPart::Object(at, _) | CellPart::Resource(at) => {
                Declaration::Resource(at)
            }
            CellPart::Check(_) => return None,
        })
    }
}

/// The state of a cell that no thread has begun to fill.
const NEW: u8 = 0;
/// The state of a cell that is being filled.
const ENTERED: u8 = 1;
/// The state of a cell that is being filled while another thread waits.
const AWAITED: u8 = 2;
/// The state of a cell that holds its value.
const DONE: u8 = 3;
/// The state of a cell that took the value of an older evaluation.
const SAME: u8 = 4;
/// The bit of a cell that was filled after its evaluation had been superseded: files that it has read may have changed unnoticed.
const LATE: u8 = 8;

/// The state of a memo cell, such as new, entered or done, which threads change atomically.
#[derive(Default, Debug)]
pub(crate) struct CellState(AtomicU8);

impl CellState {
    /// Returns an array of `count` states of cells that no thread has begun to fill.
    pub(crate) fn many(count: usize) -> Box<[CellState]> {
        (0..count).map(|_| CellState::default()).collect()
    }

    /// Returns true if the cell holds its value.
    pub(crate) fn is_done(&self) -> bool {
        self.0.load(Ordering::Acquire) >= DONE
    }

    /// Returns true if a thread is evaluating the cell or its dependencies.
    pub(crate) fn is_entered(&self) -> bool {
        matches!(self.0.load(Ordering::Acquire), ENTERED | AWAITED)
    }

    /// Marks the cell as awaited; returns false if no thread is evaluating it.
    pub(crate) fn wait(&self) -> bool {
        let told = self.0.compare_exchange(ENTERED, AWAITED, Ordering::AcqRel, Ordering::Acquire);
        matches!(told, Ok(_) | Err(AWAITED))
    }

    /// Marks a new cell as being filled by this thread; returns false if it is not new, because another thread has entered it.
    pub(crate) fn enter(&self) -> bool {
        self.0.compare_exchange(NEW, ENTERED, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }

    /// Releases a cell that this thread has entered and not filled; returns true if another thread is waiting for it.
    pub(crate) fn leave(&self) -> bool {
        let give = |from| self.0.compare_exchange(from, NEW, Ordering::AcqRel, Ordering::Acquire);
        give(ENTERED) == Err(AWAITED) && give(AWAITED).is_ok()
    }

    /// Returns true if the cell took its value from an older evaluation.
    pub(crate) fn is_same(&self) -> bool {
        self.0.load(Ordering::Acquire) & !LATE == SAME
    }

    /// Returns true if the cell was filled after its evaluation had been superseded, so that its value cannot be reused if it
    /// depends on files.
    pub(crate) fn is_late(&self) -> bool {
        self.0.load(Ordering::Acquire) & LATE != 0
    }

    /// Marks the cell as filled: `same` if it has the value of an older evaluation, `late` if its evaluation has been superseded;
    /// returns true if a thread is waiting for it.
    pub(crate) fn finish(&self, same: bool, late: bool) -> bool {
        let state = if same { SAME } else { DONE };
        self.0.swap(if late { state | LATE } else { state }, Ordering::AcqRel) == AWAITED
    }
}
