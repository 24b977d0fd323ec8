//! One thread's way through the cells: a stack of cells that wait, made explicit, so that a chain of references costs
//! memory and no recursion. A thread that is one of several does not stand and wait where it meets another one: what
//! it came for is put off first.

use std::sync::Arc;

use groma_runtime::ResourceUsage;
use groma_syntax::Diagnostics;
use rustc_hash::FxHashSet;

use crate::evaluate::cell::{Cell, CellPart, CellState, ROOT};
use crate::evaluate::cell_diagnostics::{Ahead, Scheduler, SharedGoals};
use crate::evaluate::cells::waiting;
use crate::evaluate::incremental::PreviousEvaluation;
use crate::evaluate::instance::InstanceNode;
use crate::evaluate::stop::CellReplay;
use crate::evaluate::wait::{Entered, WaitOutcome, WalkGuard, held};
use crate::evaluate::workers;
use crate::evaluate::workers::WorkerPool;
use crate::evaluate::world::EvaluationState;

/// The end of a walk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum WalkEnd {
    /// Everything that was asked for is filled.
    Filled,
    /// It came to something that one of several threads leaves to the one that called them.
    Left,
    /// It came to a cell that another thread is at work on, and was put off.
    PutOff,
    /// The run has come to its end.
    Over,
}

/// One thread's way through the cells.
pub(super) struct CellWalk<'w> {
    driver: &'w Scheduler,
    settling: &'w SharedGoals,
    world: &'w Arc<EvaluationState>,
    way: WalkFrame<'w>,
    /// True if it is remembered what each cell has taken.
    records: bool,
    /// The usage of the cells that it has filled.
    taken: Ahead,
    stack: Vec<Cell>,
    /// The cells in progress: the way from the goal to the top of the stack.
    entered: Entered,
    /// The cells that this thread would have to wait for without end.
    rings: FxHashSet<Cell>,
    /// True if the work of other threads is put off, instead of being waited for.
    puts_off: bool,
    /// The cells on ways that were put off.
    put_off: FxHashSet<Cell>,
    /// The cell of another thread that put the last way off.
    met: Option<Cell>,
    /// An older evaluation.
    older: Option<Arc<PreviousEvaluation>>,
    /// The place where the last cell was.
    here: Option<CurrentInstance>,
    /// Others may see what is worked on, for as long as this is there.
    _at_work: WalkGuard,
}

/// A module instance.
struct CurrentInstance {
    instance: Arc<InstanceNode>,
    /// The same in the older evaluation.
    before: Option<Arc<InstanceNode>>,
}

/// The cells on the way.
pub(super) enum WalkFrame<'w> {
    /// One thread.
    Alone,
    /// One of several; the first of them says what it works on.
    Crew(&'w WorkerPool<'w>, bool),
    /// One thread, where cells were filled ahead.
    Again(CellReplay),
}

impl<'w> CellWalk<'w> {
    pub(super) fn new(
        driver: &'w Scheduler,
        world: &'w Arc<EvaluationState>,
        way: WalkFrame<'w>,
        settling: &'w SharedGoals,
    ) -> CellWalk<'w> {
        let entered = Entered::default();
        let inherited = match &way {
            WalkFrame::Crew(crew, _) => crew.inherited().clone(),
            WalkFrame::Alone | WalkFrame::Again(_) => Arc::default(),
        };
        CellWalk {
            driver,
            settling,
            world,
            records: matches!(way, WalkFrame::Crew(..)),
            way,
            taken: Ahead::new(),
            stack: Vec::new(),
            _at_work: WalkGuard::on(world.number(), &entered, inherited),
            entered,
            rings: FxHashSet::default(),
            puts_off: false,
            put_off: FxHashSet::default(),
            met: None,
            older: world.older().clone(),
            here: None,
        }
    }

    fn crew(&self) -> Option<&'w WorkerPool<'w>> {
        match self.way {
            WalkFrame::Crew(crew, _) => Some(crew),
            WalkFrame::Alone | WalkFrame::Again(_) => None,
        }
    }

    /// From now on it is remembered what each cell takes.
    pub(super) fn record(&mut self) {
        self.records = true;
    }

    /// Returns true if there is nothing to do about a cell on this way.
    fn is_passed(&self, cell: Cell, is_done: bool) -> bool {
        match &self.way {
            WalkFrame::Again(replay) => replay.has_passed(cell),
            WalkFrame::Alone | WalkFrame::Crew(..) => is_done,
        }
    }

    fn is_filled(&self, cell: Cell) -> bool {
        let instance = self.world.instance(cell.instance);
        instance.state(cell.part).is_none_or(CellState::is_done)
    }

    fn at(&self, instance: u32) -> CurrentInstance {
        let instance = self.world.instance(instance);
        let before = self.older.as_ref().and_then(|older| older.instance(self.world, &instance));
        CurrentInstance { instance, before }
    }

    /// Fills the cells and all that they need.
    pub(super) fn settle(&mut self, goals: &[Cell]) -> WalkEnd {
        let mut here = self.here.take().unwrap_or_else(|| self.at(ROOT));
        let ended = self.go(goals, &mut here);
        self.here = Some(here);
        ended
    }

    /// The same, but where another thread is at work on something that is needed the goal is put off.
    pub(super) fn settle_or_put_off(&mut self, goal: Cell) -> WalkEnd {
        self.puts_off = true;
        let ended = self.settle(&[goal]);
        self.puts_off = false;
        ended
    }

    /// Waits for what was in the way of the goal that was put off last, and puts off nothing more for its sake.
    pub(super) fn await_met(&mut self) {
        self.put_off.clear();
        if let Some(cell) = self.met.take()
            && let Some(state) = self.world.instance(cell.instance).state(cell.part)
        {
            self.wait(cell, state);
        }
    }

    fn wait(&self, cell: Cell, state: &CellState) -> WaitOutcome {
        let is_over = || self.world.has_ended() || self.settling.is_stopped();
        self.driver.waits.wait(cell, state, held(self.world.number()), &is_over)
    }

    fn go(&mut self, goals: &[Cell], here: &mut CurrentInstance) -> WalkEnd {
        self.stack.extend(goals.iter().rev());
        let mut missing: Vec<Cell> = Vec::new();
        // The cell whose needs no more threads are started for.
        let mut shared: Option<Cell> = None;
        while let Some(&cell) = self.stack.last() {
            if self.world.has_ended() {
                return self.over(cell);
            }
            if self.settling.is_stopped() && !self.is_filled(cell) {
                self.leave();
                return WalkEnd::Over;
            }
            if here.instance.id != cell.instance {
                *here = self.at(cell.instance);
            }
            let instance = &here.instance;
            let Some(state) = instance.state(cell.part) else {
                self.stack.pop();
                continue;
            };
            if self.entered.borrow().last() != Some(&cell) {
                if self.is_passed(cell, state.is_done()) || self.settling.is_parked(cell) {
                    self.stack.pop();
                    continue;
                }
                if let Some(crew) = self.crew() {
                    if crew.leaves(cell) {
                        return self.leave();
                    }
                    if self.puts_off && self.put_off.contains(&cell) {
                        return self.put_off();
                    }
                }
                if let WalkFrame::Again(replay) = &mut self.way {
                    replay.pass(cell);
                }
                if !state.is_done() && !state.enter() {
                    if self.puts_off && state.is_entered() {
                        self.met = Some(cell);
                        return self.put_off();
                    }
                    match self.wait(cell, state) {
                        WaitOutcome::Free | WaitOutcome::Over => {}
                        WaitOutcome::Never if self.crew().is_some() => return self.leave(),
                        WaitOutcome::Never => {
                            self.stack.pop();
                            self.rings.insert(cell);
                        }
                    }
                    continue;
                }
                self.entered.borrow_mut().push(cell);
            }
            missing.clear();
            let stuck = self.world.is_stuck(instance, cell);
            let (mut ring, mut waits) = (false, false);
            if !stuck {
                let entered = self.entered.borrow();
                self.world.needs(instance, cell, &mut |need| {
                    let (is_done, is_entered) = self.world.state(instance, need);
                    if !is_done && self.settling.is_parked(need) {
                        waits = true;
                    } else if !self.is_passed(need, is_done) {
                        missing.push(need);
                        // The graph has no rings, yet facts may ask for what needs their answer: it must end here.
                        ring |= is_entered && entered.contains(&need);
                        ring |= !is_done && self.rings.contains(&need);
                    }
                });
            }
            if ring && self.crew().is_some() {
                return self.leave();
            }
            if !missing.is_empty() && !ring {
                match self.crew() {
                    None if matches!(self.way, WalkFrame::Alone)
                        && shared != Some(cell)
                        && workers::is_worth_sharing(self.world, missing.len()) =>
                    {
                        let wide = workers::share(self.driver, self.world, &missing, self.settling);
                        self.records = true;
                        if wide.is_empty() {
                            shared = Some(cell);
                        }
                        self.stack.extend(wide.iter().rev());
                    }
                    Some(crew) if crew.leave_if_wide(self.world, cell, missing.len()) => {
                        return self.leave();
                    }
                    _ => self.stack.extend(missing.iter().rev()),
                }
                continue;
            }
            self.stack.pop();
            if waits && !ring {
                // All else that it needs is there by now.
                self.park(cell, state);
                continue;
            }
            if state.is_done() {
                // It was filled ahead: all that is left to do is to count it.
                if let WalkFrame::Again(replay) = &mut self.way
                    && self.world.options.budget.take_all(replay.usage(cell)).is_err()
                {
                    return self.over(cell);
                }
                self.entered.borrow_mut().pop();
                continue;
            }
            if !matches!(self.way, WalkFrame::Crew(_, false)) {
                self.world.work_on(cell);
            }
            if self.records {
                ResourceUsage::since_last();
            }
            let mut out = Diagnostics::new();
            let mut same = false;
            if stuck || ring {
                if ring {
                    out.push(waiting(self.world, instance, cell));
                }
                self.world.give_up(instance, cell);
            } else if let Some(found) = self.taken_over(here, cell) {
                out = found;
                same = true;
            } else if self.world.fill(instance, cell, &mut out) {
                same = self.is_unchanged(here, cell);
            } else {
                self.park(cell, state);
                continue;
            }
            if self.world.has_ended() {
                return self.over(cell);
            }
            if self.records {
                let usage = ResourceUsage::since_last();
                if !usage.is_nothing() {
                    self.taken.push((cell, usage));
                }
            }
            self.driver.remember(self.world, instance, cell, out, stuck || ring);
            // Until now it was in work: facts may ask for it.
            self.entered.borrow_mut().pop();
            if state.finish(same) {
                self.driver.waits.wake();
            }
        }
        WalkEnd::Filled
    }

    /// Gives a cell back, to be filled another time.
    fn park(&self, cell: Cell, state: &CellState) {
        self.settling.park(cell);
        self.entered.borrow_mut().pop();
        if state.leave() {
            self.driver.waits.wake();
        }
    }

    /// Returns what was found in a cell that holds what it held before, where all that it needs does.
    fn taken_over(&self, here: &CurrentInstance, cell: Cell) -> Option<Diagnostics> {
        let (older, before) = (self.older.as_ref()?, here.before.as_ref()?);
        if !self.has_same_needs(&here.instance, cell) {
            return None;
        }
        older.take(self.world, (&here.instance, before), cell)
    }

    /// Returns true if a cell that was filled holds what it held before.
    fn is_unchanged(&self, here: &CurrentInstance, cell: Cell) -> bool {
        let (Some(older), Some(before)) = (&self.older, &here.before) else { return false };
        older.is_same(self.world, (&here.instance, before), cell.part)
            && (!matches!(cell.part, CellPart::Resource(_) | CellPart::Gathered(..))
                || self.has_same_needs(&here.instance, cell))
    }

    fn has_same_needs(&self, instance: &InstanceNode, cell: Cell) -> bool {
        let mut same = true;
        self.world.needs(instance, cell, &mut |need| {
            same = same && self.world.holds_same(instance, need);
        });
        same
    }

    /// Gives up the way because the run is over; the cell is where that was seen.
    fn over(&mut self, cell: Cell) -> WalkEnd {
        if self.crew().is_none() && self.world.end().is_none() {
            let instance = self.world.instance(cell.instance);
            self.world.end_at(&instance, cell);
        }
        self.leave();
        WalkEnd::Over
    }

    /// Returns what the cells have taken that it has filled.
    pub(super) fn into_taken(mut self) -> Ahead {
        std::mem::take(&mut self.taken)
    }

    /// Gives up the way because another thread is on it. Whatever needs what stands on it is put off too, at once.
    fn put_off(&mut self) -> WalkEnd {
        self.put_off.extend(self.entered.borrow().iter());
        self.put_off.extend(self.stack.first());
        self.leave();
        WalkEnd::PutOff
    }

    /// Gives up the way: others may enter what is on it.
    fn leave(&mut self) -> WalkEnd {
        self.stack.clear();
        let entered = std::mem::take(&mut *self.entered.borrow_mut());
        let mut awaited = false;
        for cell in entered {
            let instance = self.world.instance(cell.instance);
            awaited |= instance.state(cell.part).is_some_and(CellState::leave);
        }
        if awaited {
            self.driver.waits.wake();
        }
        WalkEnd::Left
    }
}

impl Drop for CellWalk<'_> {
    fn drop(&mut self) {
        // Facts may panic: no thread is to wait for that.
        if !self.entered.borrow().is_empty() {
            self.leave();
        }
    }
}

impl EvaluationState {
    fn is_stuck(&self, instance: &InstanceNode, cell: Cell) -> bool {
        let project = &self.project;
        let stuck = |d| project.graph.is_stuck(&project.nodes, instance.node, d);
        match cell.part {
            // What is gathered is stuck where its parts are.
            CellPart::Gathered(..) => false,
            part => part.declaration().is_some_and(stuck),
        }
    }

    /// Returns true if a cell that one of `near` needs holds what it held before.
    fn holds_same(&self, near: &InstanceNode, cell: Cell) -> bool {
        let told =
            |instance: &InstanceNode| instance.state(cell.part).is_some_and(CellState::is_same);
        if near.id == cell.instance { told(near) } else { told(&self.instance(cell.instance)) }
    }

    /// Returns whether a cell that one of `near` needs is filled, and whether a thread works on it.
    fn state(&self, near: &InstanceNode, cell: Cell) -> (bool, bool) {
        let told = |instance: &InstanceNode| {
            let state = instance.state(cell.part);
            state.map_or((false, false), |state| (state.is_done(), state.is_entered()))
        };
        if near.id == cell.instance {
            return told(near);
        }
        match &near.parent {
            Some((parent, _)) if parent.id == cell.instance => told(parent),
            _ => told(&self.instance(cell.instance)),
        }
    }
}
