//! One thread's way through the cells: a stack of cells that wait, made explicit, so that a chain of references costs
//! memory and no recursion. A thread that is one of several does not stand and wait where it meets another one: what
//! it came for is put off first.

use std::sync::Arc;

use groma_runtime::Usage;
use groma_syntax::Diagnostics;
use rustc_hash::FxHashSet;

use crate::evaluate::cell::{Cell, CellPart, CellState, ROOT};
use crate::evaluate::crew;
use crate::evaluate::crew::Crew;
use crate::evaluate::driver::waiting;
use crate::evaluate::end::Replay;
use crate::evaluate::instance::Instance;
use crate::evaluate::older::Older;
use crate::evaluate::trouble::{Ahead, Driver, Settling};
use crate::evaluate::wait::{AtWork, Entered, Turn, held};
use crate::evaluate::world::World;

/// How a walk ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ended {
    /// Everything that was asked for is filled.
    Filled,
    /// It came to something that one of several threads leaves to the one that called them.
    Left,
    /// It came to something that somebody else is at work on, and was put off.
    PutOff,
    /// The run has come to its end.
    Over,
}

/// One thread's way through the cells.
pub(super) struct Walk<'w> {
    driver: &'w Driver,
    settling: &'w Settling,
    world: &'w Arc<World>,
    way: Way<'w>,
    /// Whether it is remembered what each cell has taken.
    records: bool,
    /// What the cells have taken that it has filled.
    taken: Ahead,
    stack: Vec<Cell>,
    /// What is worked on: the way from the goal to the top of the stack.
    entered: Entered,
    /// What this thread would have to wait for for ever.
    rings: FxHashSet<Cell>,
    /// Whether what somebody else works on is put off, instead of being waited for.
    puts_off: bool,
    /// What stood on ways that were put off.
    put_off: FxHashSet<Cell>,
    /// What somebody else worked on when the last way was put off.
    met: Option<Cell>,
    /// An older evaluation.
    older: Option<Arc<Older>>,
    /// Where the last cell was.
    here: Option<Here>,
    /// Others may see what is worked on, for as long as this is there.
    _at_work: AtWork,
}

/// A module instance.
struct Here {
    instance: Arc<Instance>,
    /// The same in the older evaluation.
    before: Option<Arc<Instance>>,
}

/// Who is on the way.
pub(super) enum Way<'w> {
    /// One thread.
    Alone,
    /// One of several; the first of them says what it works on.
    Crew(&'w Crew<'w>, bool),
    /// One thread, where cells were filled ahead.
    Again(Replay),
}

impl<'w> Walk<'w> {
    pub(super) fn new(
        driver: &'w Driver,
        world: &'w Arc<World>,
        way: Way<'w>,
        settling: &'w Settling,
    ) -> Walk<'w> {
        let entered = Entered::default();
        let inherited = match &way {
            Way::Crew(crew, _) => crew.inherited().clone(),
            Way::Alone | Way::Again(_) => Arc::default(),
        };
        Walk {
            driver,
            settling,
            world,
            records: matches!(way, Way::Crew(..)),
            way,
            taken: Ahead::new(),
            stack: Vec::new(),
            _at_work: AtWork::on(world.number(), &entered, inherited),
            entered,
            rings: FxHashSet::default(),
            puts_off: false,
            put_off: FxHashSet::default(),
            met: None,
            older: world.older().clone(),
            here: None,
        }
    }

    fn crew(&self) -> Option<&'w Crew<'w>> {
        match self.way {
            Way::Crew(crew, _) => Some(crew),
            Way::Alone | Way::Again(_) => None,
        }
    }

    /// From now on it is remembered what each cell takes.
    pub(super) fn record(&mut self) {
        self.records = true;
    }

    /// Whether there is nothing to do about a cell on this way.
    fn is_passed(&self, cell: Cell, is_done: bool) -> bool {
        match &self.way {
            Way::Again(replay) => replay.has_passed(cell),
            Way::Alone | Way::Crew(..) => is_done,
        }
    }

    fn at(&self, instance: u32) -> Here {
        let instance = self.world.instance(instance);
        let before = self.older.as_ref().and_then(|older| older.instance(self.world, &instance));
        Here { instance, before }
    }

    /// Fills the cells and all that they need.
    pub(super) fn settle(&mut self, goals: &[Cell]) -> Ended {
        let mut here = self.here.take().unwrap_or_else(|| self.at(ROOT));
        let ended = self.go(goals, &mut here);
        self.here = Some(here);
        ended
    }

    /// The same, but where somebody else is at work on something that is needed the goal is put off.
    pub(super) fn settle_or_put_off(&mut self, goal: Cell) -> Ended {
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

    fn wait(&self, cell: Cell, state: &CellState) -> Turn {
        let is_over = || self.world.has_ended();
        self.driver.waits.wait(cell, state, held(self.world.number()), &is_over)
    }

    fn go(&mut self, goals: &[Cell], here: &mut Here) -> Ended {
        self.stack.extend(goals.iter().rev());
        let mut missing: Vec<Cell> = Vec::new();
        // The cell whose needs no more threads are started for.
        let mut shared: Option<Cell> = None;
        while let Some(&cell) = self.stack.last() {
            if self.world.has_ended() {
                return self.over(cell);
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
                if let Way::Again(replay) = &mut self.way {
                    replay.pass(cell);
                }
                if !state.is_done() && !state.enter() {
                    if self.puts_off && state.is_entered() {
                        self.met = Some(cell);
                        return self.put_off();
                    }
                    match self.wait(cell, state) {
                        Turn::Free | Turn::Over => {}
                        Turn::Never if self.crew().is_some() => return self.leave(),
                        Turn::Never => {
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
                    None if matches!(self.way, Way::Alone)
                        && shared != Some(cell)
                        && crew::is_worth_sharing(self.world, missing.len()) =>
                    {
                        let wide = crew::share(self.driver, self.world, &missing, self.settling);
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
                if let Way::Again(replay) = &mut self.way
                    && self.world.options.budget.take_all(replay.usage(cell)).is_err()
                {
                    return self.over(cell);
                }
                self.entered.borrow_mut().pop();
                continue;
            }
            if !matches!(self.way, Way::Crew(_, false)) {
                self.world.work_on(cell);
            }
            if self.records {
                Usage::since_last();
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
                let usage = Usage::since_last();
                if !usage.is_nothing() {
                    self.taken.push((cell, usage));
                }
            }
            self.driver.remember(self.world, instance, cell, out, stuck || ring);
            // Until now it was in work: whoever is asked for facts may ask for it.
            self.entered.borrow_mut().pop();
            if state.finish(same) {
                self.driver.waits.wake();
            }
        }
        Ended::Filled
    }

    /// Gives a cell back, to be filled another time.
    fn park(&self, cell: Cell, state: &CellState) {
        self.settling.park(cell);
        self.entered.borrow_mut().pop();
        if state.leave() {
            self.driver.waits.wake();
        }
    }

    /// What was found in a cell that holds what it held before, where all that it needs does.
    fn taken_over(&self, here: &Here, cell: Cell) -> Option<Diagnostics> {
        let (older, before) = (self.older.as_ref()?, here.before.as_ref()?);
        if !self.has_same_needs(&here.instance, cell) {
            return None;
        }
        older.take(self.world, (&here.instance, before), cell)
    }

    /// Whether a cell that was filled holds what it held before.
    fn is_unchanged(&self, here: &Here, cell: Cell) -> bool {
        let (Some(older), Some(before)) = (&self.older, &here.before) else { return false };
        older.is_same(self.world, (&here.instance, before), cell.part)
            && (!matches!(cell.part, CellPart::Resource(_) | CellPart::Gathered(..))
                || self.has_same_needs(&here.instance, cell))
    }

    fn has_same_needs(&self, instance: &Instance, cell: Cell) -> bool {
        let mut same = true;
        self.world.needs(instance, cell, &mut |need| {
            same = same && self.world.holds_same(instance, need);
        });
        same
    }

    /// Gives up the way because the run is over; the cell is where that was seen.
    fn over(&mut self, cell: Cell) -> Ended {
        if self.crew().is_none() && self.world.end().is_none() {
            let instance = self.world.instance(cell.instance);
            self.world.end_at(&instance, cell);
        }
        self.leave();
        Ended::Over
    }

    /// What the cells have taken that it has filled.
    pub(super) fn into_taken(mut self) -> Ahead {
        std::mem::take(&mut self.taken)
    }

    /// Gives up the way because somebody else is on it. Whatever needs what stands on it is put off too, at once.
    fn put_off(&mut self) -> Ended {
        self.put_off.extend(self.entered.borrow().iter());
        self.put_off.extend(self.stack.first());
        self.leave();
        Ended::PutOff
    }

    /// Gives up the way: others may enter what is on it.
    fn leave(&mut self) -> Ended {
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
        Ended::Left
    }
}

impl Drop for Walk<'_> {
    fn drop(&mut self) {
        // Whoever is asked for facts may panic: nobody is to wait for that.
        if !self.entered.borrow().is_empty() {
            self.leave();
        }
    }
}

impl World {
    fn is_stuck(&self, instance: &Instance, cell: Cell) -> bool {
        let project = &self.project;
        let stuck = |d| project.graph.is_stuck(&project.nodes, instance.node, d);
        match cell.part {
            // What is gathered is stuck where its parts are.
            CellPart::Gathered(..) => false,
            part => part.declaration().is_some_and(stuck),
        }
    }

    /// Whether a cell that one of `near` needs holds what it held before.
    fn holds_same(&self, near: &Instance, cell: Cell) -> bool {
        let told = |instance: &Instance| instance.state(cell.part).is_some_and(CellState::is_same);
        if near.id == cell.instance { told(near) } else { told(&self.instance(cell.instance)) }
    }

    /// Whether a cell that one of `near` needs is filled, and whether somebody works on it.
    fn state(&self, near: &Instance, cell: Cell) -> (bool, bool) {
        let told = |instance: &Instance| {
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
