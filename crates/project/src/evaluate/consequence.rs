//! Consequential rule violations: an invalid value that is passed from module to module violates the rules of each. The
//! reference programs stop at the first violation; here evaluation continues, and further violations become notes of the first
//! error.

use groma_syntax::{Diagnostic, Note, Place};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::codes;
use crate::evaluate::cell::{Cell, CellPart};
use crate::evaluate::cell_diagnostics::CellFailure;

/// Returns true if a cell is that of a variable whose value violates one of the variable's `validation` rules.
fn is_refused(cell: Cell, failure: &CellFailure) -> bool {
    matches!(cell.part, CellPart::Variable(_)) && failure.own.iter().any(is_broken_rule)
}

/// Returns true if a diagnostic says that the value of a variable violates one of the variable's `validation` rules.
pub(super) fn is_broken_rule(found: &Diagnostic) -> bool {
    *found.code == codes::VALIDATION_FAILED
}

/// Returns each variable whose value violates a rule because it is computed from another variable that violates one, with the
/// variable at the origin of that chain. `cells` are those with diagnostics and their dependents, in report order.
pub(super) fn consequences(
    cells: &[Cell],
    failures: &FxHashMap<Cell, CellFailure>,
) -> FxHashMap<Cell, Cell> {
    let failure_of = |cell: &Cell| Some((*cell, failures.get(cell)?));
    let is_first = |(cell, failure): &(Cell, &CellFailure)| is_refused(*cell, failure);
    let refused: Vec<Cell> =
        cells.iter().filter_map(failure_of).filter(is_first).map(|(cell, _)| cell).collect();
    if refused.len() < 2 {
        return FxHashMap::default();
    }
    let mut dependents: FxHashMap<Cell, Vec<Cell>> = FxHashMap::default();
    for (cell, failure) in cells.iter().filter_map(failure_of) {
        for need in &failure.from {
            dependents.entry(*need).or_default().push(cell);
        }
    }
    let all: FxHashSet<Cell> = refused.iter().copied().collect();
    let mut first_of: FxHashMap<Cell, Cell> = FxHashMap::default();
    for first in refused {
        if first_of.contains_key(&first) {
            continue;
        }
        let mut rest = vec![first];
        while let Some(cell) = rest.pop() {
            for next in dependents.get(&cell).into_iter().flatten() {
                if *next != first && !first_of.contains_key(next) {
                    first_of.insert(*next, first);
                    rest.push(*next);
                }
            }
        }
    }
    // A first cell may turn out to follow from one that is reported later.
    let lead = |cell: Cell| {
        let mut first = cell;
        let mut passed: FxHashSet<Cell> = FxHashSet::default();
        while let Some(next) = first_of.get(&first).filter(|_| passed.insert(first)) {
            first = *next;
        }
        (cell, first)
    };
    let found = first_of.keys().copied().filter(|cell| all.contains(cell));
    found.map(lead).filter(|(cell, first)| cell != first).collect()
}

/// The notes on diagnostics of violated variable validations about further violations that follow because the value is passed
/// on to other variables: one note for each source range, whatever the number of instances.
#[derive(Default)]
pub(super) struct FollowUps {
    notes: FxHashMap<Cell, Vec<FollowUp>>,
    known: FxHashMap<(Cell, Option<Place>, String), usize>,
}

/// The violations of variable validations at one source range that follow from an earlier violation, because the value was
/// passed on.
struct FollowUp {
    place: Option<Place>,
    address: String,
    others: usize,
    detail: String,
}

impl FollowUps {
    /// Adds a violation that follows from that of the variable `first`; `address` is that of the module instance.
    pub(super) fn add(&mut self, first: Cell, found: &Diagnostic, address: &str) {
        let notes = self.notes.entry(first).or_default();
        let at = *self
            .known
            .entry((first, found.place, found.detail.clone()))
            .or_insert_with(|| notes.len());
        match notes.get_mut(at) {
            Some(known) => known.others += 1,
            None => notes.push(FollowUp {
                place: found.place,
                address: address.to_owned(),
                others: 0,
                detail: found.detail.clone(),
            }),
        }
    }

    /// Removes and returns the notes to add to the diagnostic of the variable `first`.
    pub(super) fn take(&mut self, first: Cell) -> Vec<Note> {
        let notes = self.notes.remove(&first).unwrap_or_default();
        notes.into_iter().map(FollowUp::into_note).collect()
    }
}

impl FollowUp {
    /// Returns the note that describes these violations, which follow from an earlier one because the value was passed on.
    fn into_note(self) -> Note {
        let others = match self.others {
            0 => String::new(),
            1 => " and 1 more instance".to_owned(),
            more => format!(" and {more} more instances"),
        };
        let text = format!(
            "The value is also passed to {}{others}, where it causes the same error: {}",
            self.address, self.detail
        );
        Note { text, place: self.place, excerpt: None }
    }
}
