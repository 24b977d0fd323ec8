//! The order of evaluation: a stack of cells that wait, made explicit, so that a chain of
//! references costs memory and no recursion. Where many cells wait at once several threads fill
//! them; which of them does so, and when, shows in no answer.

use std::sync::atomic::Ordering;
use std::sync::{Arc, MutexGuard, PoisonError};

use groma_runtime::Usage;
use groma_syntax::{Diagnostic, Diagnostics, Place};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::codes;
use crate::evaluate::cell::{Cell, CellPart, CellState};
use crate::evaluate::crew;
use crate::evaluate::crew::Crew;
use crate::evaluate::end::Replay;
use crate::evaluate::instance::Instance;
use crate::evaluate::older::Older;
use crate::evaluate::trouble::{Ahead, Driver, Settling, Trouble};
use crate::evaluate::wait::{AtWork, Entered, Turn, held};
use crate::evaluate::world::World;

/// How a walk ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ended {
    /// Everything that was asked for is filled.
    Filled,
    /// It came to something that one of several threads leaves to the one that called them.
    Left,
    /// The run has come to its end.
    Over,
}

impl Driver {
    /// Fills the cells and all that they need.
    pub(crate) fn settle(&self, world: &Arc<World>, goals: &[Cell]) {
        if world.has_ended() {
            return;
        }
        world.forget_end();
        let _asking = Asking::of(self);
        let settling = Settling::default();
        let mut walk = Walk::new(self, world, Way::Alone, &settling);
        while crew::is_worth_sharing(world, goals.len()) && !world.has_ended() {
            let wide = crew::share(self, world, goals, &settling);
            walk.records = true;
            if wide.is_empty() {
                break;
            }
            walk.settle(&wide);
        }
        let ended = walk.settle(goals);
        settling.ahead().extend(walk.into_taken());
        let ahead = std::mem::take(&mut *settling.ahead());
        let standing = settling.standing().take();
        if ended == Ended::Over
            && let Some(before) = standing
            && world.options.budget.is_used_up()
            // What others take at the same time could not be told from what this has taken.
            && self.askers.load(Ordering::Acquire) == 1
        {
            // Several threads may need more at the same time than one, and stop anywhere.
            world.options.budget.go_back(before);
            world.remember_end(None);
            Walk::new(self, world, Way::Again(Replay::of(ahead)), &settling).settle(goals);
        }
    }

    fn troubles(&self) -> MutexGuard<'_, FxHashMap<Cell, Trouble>> {
        self.troubles.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remember(
        &self,
        world: &World,
        instance: &Instance,
        cell: Cell,
        out: Diagnostics,
        given_up: bool,
    ) {
        if out.is_empty() && !self.has_troubles.load(Ordering::Acquire) {
            return;
        }
        let mut trouble = Trouble { own: out.into_vec(), from: Vec::new() };
        let mut needs = Vec::new();
        if !given_up {
            world.needs(instance, cell, &mut |need| needs.push(need));
        }
        let mut troubles = self.troubles();
        needs.retain(|need| troubles.contains_key(need));
        trouble.from = needs;
        if !trouble.own.is_empty() || !trouble.from.is_empty() {
            troubles.insert(cell, trouble);
            self.has_troubles.store(true, Ordering::Release);
        }
    }

    /// Why one of these cells is not filled, where the run goes on.
    fn unfilled(&self, world: &World, cells: &[Cell]) -> Option<Diagnostic> {
        const SHOWN: usize = 3;
        let is_open = |cell: &&Cell| {
            let instance = world.instance(cell.instance);
            instance.state(cell.part).is_some_and(|state| !state.is_done())
        };
        let cell = *cells.iter().find(is_open)?;
        let waiting = self.waiting();
        if waiting.is_empty() {
            let instance = world.instance(cell.instance);
            return Some(self::waiting(world, &instance, cell));
        }
        let more = if waiting.len() > SHOWN { " and others" } else { "" };
        let shown = waiting[..waiting.len().min(SHOWN)].join(", ");
        let detail = format!(
            "This is unknown until somebody has answered for {shown}{more}. Ask again then."
        );
        Some(Diagnostic::remark(&codes::FACTS_LATER, detail))
    }

    /// What was found in a cell itself.
    pub(super) fn found_in(&self, cell: Cell) -> Vec<Diagnostic> {
        if !self.has_troubles.load(Ordering::Acquire) {
            return Vec::new();
        }
        self.troubles().get(&cell).map(|trouble| trouble.own.clone()).unwrap_or_default()
    }

    /// What was found in these cells and in all that they needed, by place.
    pub(crate) fn report(&self, world: &World, cells: &[Cell], out: &mut Diagnostics) {
        if world.has_ended() {
            // How much was found by then says nothing, and may depend on threads.
            let told = |end: &Diagnostic| out.iter().any(|one| one.code == end.code);
            let plain = || {
                let budget = &world.options.budget;
                budget.ended().map(|bound| groma_eval::ended(bound, budget.quota(), ""))
            };
            if let Some(end) = world.whole_end().or_else(plain).filter(|end| !told(end)) {
                out.push(end);
            }
            return;
        }
        if let Some(open) = self.unfilled(world, cells)
            && out.iter().all(|one| *one.code != *open.code)
        {
            out.push(open);
        }
        let troubles = self.troubles();
        let mut seen: FxHashSet<Cell> = FxHashSet::default();
        let mut rest: Vec<Cell> = cells.to_vec();
        let mut told = Vec::new();
        while let Some(cell) = rest.pop() {
            if let Some(trouble) = troubles.get(&cell)
                && seen.insert(cell)
            {
                rest.extend(&trouble.from);
                if !trouble.own.is_empty() {
                    told.push((world.instance(cell.instance).way(), cell, &trouble.own));
                }
            }
        }
        // The numbers of instances say who was made first, which is nobody's business.
        told.sort_by(|a, b| (&a.0, a.1.part).cmp(&(&b.0, b.1.part)));
        let mut found = Diagnostics::new();
        for (_, cell, own) in told {
            let standing = world.standing(cell).map(Box::new);
            found.extend(own.iter().cloned().map(|mut one| {
                one.standing = one.standing.or_else(|| standing.clone());
                one
            }));
        }
        found.resolve(&world.project.sources);
        found.sort_by_place();
        let key = |one: &Diagnostic| (one.place, one.code.slug, one.detail.clone());
        let known: FxHashSet<(Option<Place>, &'static str, String)> = out.iter().map(key).collect();
        let mut told: FxHashMap<(Option<Place>, &'static str, String), usize> =
            FxHashMap::default();
        let mut fresh: Vec<Diagnostic> = Vec::new();
        for diagnostic in found {
            let key = key(&diagnostic);
            if known.contains(&key) {
                continue;
            }
            match told.get(&key) {
                // The same in another instance is said once.
                Some(first) => {
                    if let Some(standing) = &mut fresh[*first].standing {
                        standing.others += 1;
                    }
                }
                None => {
                    told.insert(key, fresh.len());
                    fresh.push(diagnostic);
                }
            }
        }
        out.extend(fresh);
    }
}

/// Counts a question for as long as it is worked on.
struct Asking<'d>(&'d Driver);

impl<'d> Asking<'d> {
    fn of(driver: &'d Driver) -> Asking<'d> {
        driver.askers.fetch_add(1, Ordering::AcqRel);
        Asking(driver)
    }
}

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        self.0.askers.fetch_sub(1, Ordering::AcqRel);
    }
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
    /// The instance of the last cell.
    here: Arc<Instance>,
    /// An older evaluation, and the instance there.
    older: Option<Arc<Older>>,
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
        let here = world.instance(crate::evaluate::cell::ROOT);
        let records = matches!(way, Way::Crew(..));
        let (stack, entered, taken) = (Vec::new(), Entered::default(), Ahead::new());
        let rings = FxHashSet::default();
        let older = world.older().clone();
        let before = older.as_ref().and_then(|older| older.instance(world, &here));
        Walk {
            driver,
            settling,
            world,
            way,
            records,
            taken,
            stack,
            entered,
            rings,
            here,
            older,
            before,
        }
    }

    fn crew(&self) -> Option<&'w Crew<'w>> {
        match self.way {
            Way::Crew(crew, _) => Some(crew),
            Way::Alone | Way::Again(_) => None,
        }
    }

    /// Whether there is nothing to do about a cell on this way.
    fn is_passed(&self, cell: Cell, is_done: bool) -> bool {
        match &self.way {
            Way::Again(replay) => replay.has_passed(cell),
            Way::Alone | Way::Crew(..) => is_done,
        }
    }

    /// Fills the cells and all that they need.
    pub(super) fn settle(&mut self, goals: &[Cell]) -> Ended {
        let inherited = match &self.way {
            Way::Crew(crew, _) => crew.inherited().clone(),
            Way::Alone | Way::Again(_) => Arc::default(),
        };
        let _at_work = AtWork::on(self.world.number(), &self.entered, &inherited);
        self.stack.extend(goals.iter().rev());
        let mut missing: Vec<Cell> = Vec::new();
        // The cell whose needs no more threads are started for.
        let mut shared: Option<Cell> = None;
        while let Some(&cell) = self.stack.last() {
            if self.world.has_ended() {
                return self.over(cell);
            }
            if self.here.id != cell.instance {
                self.here = self.world.instance(cell.instance);
                let older = self.older.as_ref();
                self.before = older.and_then(|older| older.instance(self.world, &self.here));
            }
            let instance = self.here.clone();
            let Some(state) = instance.state(cell.part) else {
                self.stack.pop();
                continue;
            };
            if self.entered.borrow().last() != Some(&cell) {
                if self.is_passed(cell, state.is_done()) || self.settling.is_parked(cell) {
                    self.stack.pop();
                    continue;
                }
                if self.crew().is_some_and(|crew| crew.leaves(cell)) {
                    return self.leave();
                }
                if let Way::Again(replay) = &mut self.way {
                    replay.pass(cell);
                }
                if !state.is_done() && !state.enter() {
                    let is_over = || self.world.has_ended();
                    let holds = held(self.world.number());
                    let turn = self.driver.waits.wait(cell, state, holds, &is_over);
                    match turn {
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
            let stuck = self.world.is_stuck(&instance, cell);
            let (mut ring, mut waits) = (false, false);
            if !stuck {
                let entered = self.entered.borrow();
                self.world.needs(&instance, cell, &mut |need| {
                    let (is_done, is_entered) = self.world.state(&instance, need);
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
                    out.push(waiting(self.world, &instance, cell));
                }
                self.world.give_up(&instance, cell);
            } else if let Some(found) = self.taken_over(&instance, cell) {
                out = found;
                same = true;
            } else if self.world.fill(&instance, cell, &mut out) {
                same = self.is_unchanged(&instance, cell);
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
            self.driver.remember(self.world, &instance, cell, out, stuck || ring);
            // Until now it was in work: whoever is asked for facts may ask for it.
            self.entered.borrow_mut().pop();
            state.finish(same);
            self.driver.waits.wake();
        }
        Ended::Filled
    }

    /// Gives a cell back, to be filled another time.
    fn park(&self, cell: Cell, state: &CellState) {
        self.settling.park(cell);
        self.entered.borrow_mut().pop();
        state.leave();
        self.driver.waits.wake();
    }

    /// What was found in a cell that holds what it held before, where all that it needs does.
    fn taken_over(&self, instance: &Instance, cell: Cell) -> Option<Diagnostics> {
        let (older, before) = (self.older.as_ref()?, self.before.as_ref()?);
        if !self.has_same_needs(instance, cell) {
            return None;
        }
        older.take(self.world, (instance, before), cell)
    }

    /// Whether a cell that was filled holds what it held before.
    fn is_unchanged(&self, instance: &Instance, cell: Cell) -> bool {
        let (Some(older), Some(before)) = (&self.older, &self.before) else { return false };
        older.is_same(self.world, (instance, before), cell.part)
            && (!matches!(cell.part, CellPart::Resource(_) | CellPart::Gathered(..))
                || self.has_same_needs(instance, cell))
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

    /// Gives up the way: others may enter what is on it.
    fn leave(&mut self) -> Ended {
        self.stack.clear();
        let entered = std::mem::take(&mut *self.entered.borrow_mut());
        for cell in entered {
            let instance = self.world.instance(cell.instance);
            if let Some(state) = instance.state(cell.part) {
                state.leave();
            }
        }
        self.driver.waits.wake();
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

fn waiting(world: &World, instance: &Instance, cell: Cell) -> Diagnostic {
    let node = world.node(instance.node);
    let described = cell.part.declaration().map(|d| crate::graph::describe(node, d));
    let (name, place) = described.unzip();
    let name = name.unwrap_or_default();
    let detail = format!("{name} is needed to work out itself, so it stays unknown.");
    let mut diagnostic = Diagnostic::error(&codes::EVALUATION_RING, detail);
    diagnostic.place = place;
    diagnostic
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
