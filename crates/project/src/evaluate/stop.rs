//! Early end of a run. Cells filled by several threads are speculative work: if a counted budget is used up, the budget is reset
//! and one thread repeats the walk alone, so that the run ends at the same cell for any number of threads.

use groma_eval::ended;
use groma_runtime::{Budget, ResourceUsage, RunEnd};
use groma_syntax::{Diagnostic, Place};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::evaluate::cell::{Cell, CellPart};
use crate::evaluate::cell_diagnostics::FilledCells;
use crate::evaluate::instance::InstanceNode;
use crate::evaluate::world::EvaluationState;
use crate::graph::within;

/// A walk that one thread repeats after several threads have filled the cells, to find the cell at which the budget is used up.
#[derive(Default, Debug)]
pub(super) struct CellReplay {
    usages: FxHashMap<Cell, ResourceUsage>,
    /// The cells that the walk has passed.
    passed: FxHashSet<Cell>,
}

impl CellReplay {
    /// Creates the record of a walk that one thread repeats; `usages` are the cells filled before, with their use of the budget.
    pub(super) fn of(usages: FilledCells) -> CellReplay {
        CellReplay { usages: usages.into_iter().collect(), passed: FxHashSet::default() }
    }

    /// Returns true if the repeated walk has passed the cell.
    pub(super) fn has_passed(&self, cell: Cell) -> bool {
        self.passed.contains(&cell)
    }

    /// Marks the cell as passed by the repeated walk.
    pub(super) fn pass(&mut self, cell: Cell) {
        self.passed.insert(cell);
    }

    /// Returns the budget that was recorded for filling the cell.
    pub(super) fn usage(&mut self, cell: Cell) -> ResourceUsage {
        self.usages.remove(&cell).unwrap_or_default()
    }
}

impl EvaluationState {
    /// Returns true if the run has ended, so that nothing more is filled.
    pub(crate) fn has_ended(&self) -> bool {
        self.options.budget.ended().is_some()
    }

    /// Records the cell at which the run ended.
    pub(super) fn end_at(&self, instance: &InstanceNode, cell: Cell) {
        let Some(bound) = self.options.budget.ended() else { return };
        let (name, place) = match self.options.budget.work() {
            // It may have ended during work that is no cell here.
            Some(work) if !self.options.budget.is_used_up() => self.published_work(work),
            _ => self.name_of(instance, cell),
        };
        let mut found = ended(bound, &self.options.budget.initial_quota(), &name);
        found.place = place;
        self.remember_end(Some(found));
    }

    /// Returns the diagnostic for the end of the run, at a cell or after the last one; `None` while it goes on.
    pub(super) fn run_end(&self) -> Option<Diagnostic> {
        let bound = self.options.budget.ended()?;
        self.end().or_else(|| {
            let (name, place) = self.current_work()?;
            let mut found = ended(bound, &self.options.budget.initial_quota(), &name);
            found.place = place;
            Some(found)
        })
    }

    /// Returns the address and source range of the declaration that is being evaluated, if any.
    fn current_work(&self) -> Option<(String, Option<Place>)> {
        let number = self.options.budget.work()?;
        Some(self.published_work(number)).filter(|(name, _)| !name.is_empty())
    }

    /// Publishes which cell is being evaluated, so that another thread can show it.
    pub(super) fn publish_cell(&self, cell: Cell) {
        let (kind, at) = match cell.part {
            CellPart::Variable(at) => (0, at),
            CellPart::Local(at) => (1, at),
            CellPart::Output(at) => (2, at),
            CellPart::Call(at) | CellPart::Gathered(at, _) => (3, at),
            CellPart::Expansion(at) | CellPart::Object(at, _) | CellPart::Resource(at) => (4, at),
            CellPart::Check(at) => (5, at),
        };
        let number = u64::from(cell.instance) << 32 | kind << 28 | u64::from(at & 0x0fff_ffff);
        self.options.budget.work_on(number);
    }

    /// Returns the address and source range of the declaration whose number [`EvaluationState::publish_cell`] has published.
    pub(super) fn published_work(&self, number: u64) -> (String, Option<Place>) {
        let at = (number & 0x0fff_ffff) as u32;
        let part = match number >> 28 & 0xf {
            0 => CellPart::Variable(at),
            1 => CellPart::Local(at),
            2 => CellPart::Output(at),
            3 => CellPart::Call(at),
            4 => CellPart::Resource(at),
            _ => CellPart::Check(at),
        };
        let instance = self.instance((number >> 32) as u32);
        let is_there = instance.state(part).is_some();
        let cell = Cell { instance: instance.id, part };
        if is_there { self.name_of(&instance, cell) } else { (String::new(), None) }
    }

    /// Returns the address of a cell's declaration in its module instance, and its source range, or only the address of the
    /// instance for a cell without a declaration.
    fn name_of(&self, instance: &InstanceNode, cell: Cell) -> (String, Option<Place>) {
        let module = self.module(instance);
        let (inner, place) = match (cell.part, cell.part.declaration()) {
            (CellPart::Check(at), _) => {
                let check = &module.checks[at as usize];
                (format!("check.{}", &*check.name), check.place)
            }
            (CellPart::Object(at, key), _) => {
                let resource = &module.resources[at as usize];
                let cell = instance.resources[at as usize].get();
                let key = cell.and_then(|cell| cell.expansion.instance(key as usize));
                let suffix = key.map(|(key, _)| key.suffix()).unwrap_or_default();
                (format!("{}{suffix}", resource.address()), resource.place)
            }
            (_, Some(declaration)) => within(module, declaration),
            (_, None) => return (instance.address.clone(), None),
        };
        (instance.address_of(&inner), Some(place))
    }
}

/// A token that ends an evaluation from another thread. Clones share it.
#[derive(Clone, Debug)]
pub struct CancelToken(Budget);

impl CancelToken {
    /// Ends all evaluations with the same budget: nothing new is started, and each question is answered with the diagnostic
    /// `limit-cancelled`.
    pub fn cancel(&self) {
        self.0.end(RunEnd::Cancelled);
    }

    /// Returns true if the evaluation was ended by this token or a clone of it, and had not ended before for another reason.
    pub fn is_cancelled(&self) -> bool {
        self.0.ended() == Some(RunEnd::Cancelled)
    }
}

impl crate::evaluate::evaluation::Evaluation {
    /// Returns a token that ends the evaluation from another thread.
    pub fn cancel(&self) -> CancelToken {
        CancelToken(self.world.options.budget.clone())
    }

    /// Returns the diagnostic for the end of the run, with the value at which it ended; `None` while it goes on, or if it ended
    /// outside of any evaluation.
    pub fn end(&self) -> Option<Diagnostic> {
        self.world.run_end()
    }

    /// Returns the address and source range of the value being evaluated, for monitoring by another thread; `None` if there is
    /// none.
    pub fn current_work(&self) -> Option<(String, Option<Place>)> {
        self.world.current_work()
    }
}
