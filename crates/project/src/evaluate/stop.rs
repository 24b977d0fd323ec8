//! How a run comes to its end before it is done. What several threads have worked out is work done ahead: where
//! something that is counted is used up, the counts go back to where they stood, and one thread takes the same way
//! alone, so that the run ends at the same cell whatever the threads were.

use groma_eval::ended;
use groma_runtime::{Budget, ResourceUsage, RunEnd};
use groma_syntax::{Diagnostic, Place};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::evaluate::cell::{Cell, CellPart};
use crate::evaluate::cell_diagnostics::Ahead;
use crate::evaluate::instance::InstanceNode;
use crate::evaluate::world::EvaluationState;
use crate::graph::within;

/// The way that one thread takes through cells of which many are filled already.
#[derive(Default, Debug)]
pub(super) struct CellReplay {
    ahead: FxHashMap<Cell, ResourceUsage>,
    /// The cells that this way has passed.
    passed: FxHashSet<Cell>,
}

impl CellReplay {
    pub(super) fn of(ahead: Ahead) -> CellReplay {
        CellReplay { ahead: ahead.into_iter().collect(), passed: FxHashSet::default() }
    }

    pub(super) fn has_passed(&self, cell: Cell) -> bool {
        self.passed.contains(&cell)
    }

    pub(super) fn pass(&mut self, cell: Cell) {
        self.passed.insert(cell);
    }

    /// Returns what filling the cell has taken.
    pub(super) fn usage(&mut self, cell: Cell) -> ResourceUsage {
        self.ahead.remove(&cell).unwrap_or_default()
    }
}

impl EvaluationState {
    /// Returns true if the run has come to its end, so that nothing is filled any more.
    pub(crate) fn has_ended(&self) -> bool {
        self.options.budget.ended().is_some()
    }

    /// Remembers at which cell the run came to its end.
    pub(super) fn end_at(&self, instance: &InstanceNode, cell: Cell) {
        let Some(bound) = self.options.budget.ended() else { return };
        let (name, place) = match self.options.budget.work() {
            // It may have ended while something was being worked on that is not here.
            Some(work) if !self.options.budget.is_used_up() => self.work_named(work),
            _ => self.name_of(instance, cell),
        };
        let mut found = ended(bound, &self.options.budget.told(), &name);
        found.place = place;
        self.remember_end(Some(found));
    }

    /// That the run has come to its end: at a cell, or between cells after the last one.
    pub(super) fn whole_end(&self) -> Option<Diagnostic> {
        let bound = self.options.budget.ended()?;
        self.end().or_else(|| {
            let (name, place) = self.at_work_on()?;
            let mut found = ended(bound, &self.options.budget.told(), &name);
            found.place = place;
            Some(found)
        })
    }

    fn at_work_on(&self) -> Option<(String, Option<Place>)> {
        let number = self.options.budget.work()?;
        Some(self.work_named(number)).filter(|(name, _)| !name.is_empty())
    }

    /// Publishes what is being worked on, for the watch.
    pub(super) fn work_on(&self, cell: Cell) {
        let (kind, at) = match cell.part {
            CellPart::Variable(at) => (0, at),
            CellPart::Local(at) => (1, at),
            CellPart::Output(at) => (2, at),
            CellPart::Call(at) | CellPart::Gathered(at, _) => (3, at),
            CellPart::Spread(at) | CellPart::Object(at, _) | CellPart::Resource(at) => (4, at),
            CellPart::Check(at) => (5, at),
        };
        let number = u64::from(cell.instance) << 32 | kind << 28 | u64::from(at & 0x0fff_ffff);
        self.options.budget.work_on(number);
    }

    /// The name of what a number of [`EvaluationState::work_on`] stands for, and where it is declared.
    pub(super) fn work_named(&self, number: u64) -> (String, Option<Place>) {
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
                let key = cell.and_then(|cell| cell.spread.instance(key as usize));
                let suffix = key.map(|(key, _)| key.suffix()).unwrap_or_default();
                (format!("{}{suffix}", resource.address()), resource.place)
            }
            (_, Some(declaration)) => within(module, declaration),
            (_, None) => return (instance.address.clone(), None),
        };
        (instance.address_of(&inner), Some(place))
    }
}

/// Ends an evaluation from another thread. Cloning shares it.
#[derive(Clone, Debug)]
pub struct CancelToken(Budget);

impl CancelToken {
    /// Ends whatever is worked out, and all that has the same budget: soon nothing is begun any more, and each question
    /// is answered with the finding `limit-cancelled`.
    pub fn cancel(&self) {
        self.0.end(RunEnd::Cancelled);
    }

    /// Returns true if this has ended it, and nothing else before.
    pub fn is_cancelled(&self) -> bool {
        self.0.ended() == Some(RunEnd::Cancelled)
    }
}

impl crate::evaluate::evaluation::Evaluation {
    /// A way to end it from another thread.
    pub fn cancel(&self) -> CancelToken {
        CancelToken(self.world.options.budget.clone())
    }

    /// That the run has come to its end, and at which value; nothing while it goes on, or where it has ended outside
    /// of any.
    pub fn end(&self) -> Option<Diagnostic> {
        self.world.whole_end()
    }

    /// The address of what is being worked on in this evaluation, for a watch on another thread.
    pub fn at_work_on(&self) -> Option<(String, Option<Place>)> {
        self.world.at_work_on()
    }
}
