//! What was found on the way through the cells, and what was done ahead. Only cells that have something to tell are here.

use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use groma_runtime::{Standing, Usage};
use groma_syntax::Diagnostic;
use rustc_hash::FxHashMap;

use crate::evaluate::cell::Cell;

/// Work that was done ahead: cells that have taken something, with what.
pub(super) type Ahead = Vec<(Cell, Usage)>;

/// What went wrong in a cell or in one that it needed.
#[derive(Default, Debug)]
pub(super) struct Trouble {
    pub(super) own: Vec<Diagnostic>,
    pub(super) from: Vec<Cell>,
}

/// What was found on the way: only cells that have something to report, or need one that has.
#[derive(Default, Debug)]
pub(crate) struct Driver {
    pub(super) troubles: Mutex<FxHashMap<Cell, Trouble>>,
    pub(super) has_troubles: AtomicBool,
    /// What cells have taken that were filled since several threads were at work.
    pub(super) ahead: Mutex<Ahead>,
    /// What was left before that.
    pub(super) standing: Mutex<Option<Standing>>,
}
