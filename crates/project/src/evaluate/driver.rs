//! The order of evaluation: a stack of cells that wait, made explicit, so that a chain of
//! references costs memory and no recursion. Where many cells wait at once several threads fill
//! them; which of them does so, and when, shows in no answer.

use std::sync::atomic::Ordering;
use std::sync::{Arc, MutexGuard, PoisonError};

use groma_runtime::{Standing, Usage};
use groma_syntax::{Diagnostic, Diagnostics, Place};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::codes;
use crate::evaluate::cell::{Cell, Part, State};
use crate::evaluate::crew;
use crate::evaluate::crew::Crew;
use crate::evaluate::end::Replay;
use crate::evaluate::instance::Instance;
use crate::evaluate::older::Older;
use crate::evaluate::trouble::{Ahead, Driver, Trouble};
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
        world.remember_end(None);
        let mut walk = Walk::new(self, world, Way::Alone);
        while crew::is_worth_sharing(world, goals.len()) && !world.has_ended() {
            let wide = crew::share(self, world, goals);
            walk.records = true;
            if wide.is_empty() {
                break;
            }
            walk.settle(&wide);
        }
        let ended = walk.settle(goals);
        self.took_ahead(walk.taken);
        let ahead = std::mem::take(&mut *self.ahead());
        let standing = self.standing().take();
        if ended == Ended::Over
            && let Some(before) = standing
            && world.options.budget.is_used_up()
        {
            // Several threads may need more at the same time than one, and stop anywhere.
            world.options.budget.go_back(before);
            world.remember_end(None);
            Walk::new(self, world, Way::Again(Replay::of(ahead))).settle(goals);
        }
    }

    fn standing(&self) -> MutexGuard<'_, Option<Standing>> {
        self.standing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says that several threads are about to be at work.
    pub(super) fn goes_ahead(&self, world: &World) {
        self.standing().get_or_insert_with(|| world.options.budget.standing());
    }

    fn ahead(&self) -> MutexGuard<'_, Ahead> {
        self.ahead.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes in what cells have taken that one of several threads has filled.
    pub(super) fn took_ahead(&self, cells: Ahead) {
        self.ahead().extend(cells);
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

/// One thread's way through the cells.
pub(super) struct Walk<'w> {
    driver: &'w Driver,
    world: &'w Arc<World>,
    way: Way<'w>,
    /// Whether it is remembered what each cell has taken.
    records: bool,
    /// What the cells have taken that it has filled.
    taken: Ahead,
    stack: Vec<Cell>,
    /// What is worked on: the way from the goal to the top of the stack.
    entered: Vec<Cell>,
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
    pub(super) fn new(driver: &'w Driver, world: &'w Arc<World>, way: Way<'w>) -> Walk<'w> {
        let here = world.instance(crate::evaluate::cell::ROOT);
        let records = matches!(way, Way::Crew(..));
        let (stack, entered, taken) = (Vec::new(), Vec::new(), Ahead::new());
        let older = world.older().clone();
        let before = older.as_ref().and_then(|older| older.instance(world, &here));
        Walk { driver, world, way, records, taken, stack, entered, here, older, before }
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
            if self.entered.last() != Some(&cell) {
                if self.is_passed(cell, state.is_done()) {
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
                    match self.crew() {
                        Some(crew) if crew.wait(state) => {}
                        Some(_) => return self.leave(),
                        // Nobody else is on the way, and what is on it is never asked for again.
                        None => drop(self.stack.pop()),
                    }
                    continue;
                }
                self.entered.push(cell);
            }
            missing.clear();
            let stuck = self.world.is_stuck(&instance, cell);
            let mut ring = false;
            if !stuck {
                self.world.needs(&instance, cell, &mut |need| {
                    let (is_done, is_entered) = self.world.state(&instance, need);
                    if !self.is_passed(need, is_done) {
                        missing.push(need);
                        // The graph has no rings left; should one appear all the same, it must end here.
                        ring |= is_entered && self.entered.contains(&need);
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
                        let wide = crew::share(self.driver, self.world, &missing);
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
            self.entered.pop();
            if state.is_done() {
                // It was filled ahead: all that is left to do is to count it.
                if let Way::Again(replay) = &mut self.way
                    && self.world.options.budget.take_all(replay.usage(cell)).is_err()
                {
                    return self.over(cell);
                }
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
            } else {
                self.world.fill(&instance, cell, &mut out);
                same = self.is_unchanged(&instance, cell);
            }
            if self.world.has_ended() {
                state.leave();
                return self.over(cell);
            }
            if self.records {
                let usage = Usage::since_last();
                if !usage.is_nothing() {
                    self.taken.push((cell, usage));
                }
            }
            self.driver.remember(self.world, &instance, cell, out, stuck || ring);
            state.finish(same);
        }
        Ended::Filled
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
            && (!matches!(cell.part, Part::Resource(_) | Part::Gathered(..))
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
    pub(super) fn into_taken(self) -> Ahead {
        self.taken
    }

    /// Gives up the way: others may enter what is on it.
    fn leave(&mut self) -> Ended {
        self.stack.clear();
        for cell in self.entered.drain(..) {
            let instance = self.world.instance(cell.instance);
            if let Some(state) = instance.state(cell.part) {
                state.leave();
            }
        }
        Ended::Left
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
            Part::Gathered(..) => false,
            part => part.declaration().is_some_and(stuck),
        }
    }

    /// Whether a cell that one of `near` needs holds what it held before.
    fn holds_same(&self, near: &Instance, cell: Cell) -> bool {
        let told = |instance: &Instance| instance.state(cell.part).is_some_and(State::is_same);
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
