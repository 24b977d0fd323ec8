//! A thread's walk through the cells: a depth-first traversal with an explicit stack, so that a chain of references needs memory
//! and no recursion. If one of several threads meets another's cell, it postpones its goal instead of waiting.

use std::sync::Arc;

use groma_runtime::ResourceUsage;
use groma_syntax::Diagnostics;
use rustc_hash::FxHashSet;

use crate::evaluate::cell::{Cell, CellPart, CellState, ROOT};
use crate::evaluate::cell_diagnostics::{FilledCells, Scheduler, SharedGoals};
use crate::evaluate::cells::self_dependency;
use crate::evaluate::incremental::PreviousEvaluation;
use crate::evaluate::instance::InstanceNode;
use crate::evaluate::stop::CellReplay;
use crate::evaluate::wait::{Entered, WaitOutcome, WalkGuard, held};
use crate::evaluate::workers;
use crate::evaluate::workers::WorkerPool;
use crate::evaluate::world::EvaluationState;

/// The reason why a walk through the cells ended: all are filled, a part is left to another thread or postponed, or the run has
/// ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum WalkEnd {
    /// All requested cells are filled.
    Filled,
    /// The walk met something that is left to the coordinating thread.
    Left,
    /// The walk met a cell of another thread, and was postponed.
    Postponed,
    /// The run has ended.
    RunEnded,
}

/// A thread's depth-first walk through cells and their dependencies.
pub(super) struct CellWalk<'w> {
    scheduler: &'w Scheduler,
    shared: &'w SharedGoals,
    world: &'w Arc<EvaluationState>,
    role: WalkRole<'w>,
    /// True if the usage of each cell is recorded.
    records: bool,
    /// The usage of the cells that it has filled.
    filled: FilledCells,
    stack: Vec<Cell>,
    /// The cells in progress: the path from the requested cell to the top of the stack.
    entered: Entered,
    /// The cells that this thread would deadlock on.
    deadlocked: FxHashSet<Cell>,
    /// True if requested cells that need another thread's cell are postponed instead of waited for.
    postpones: bool,
    /// The cells on postponed paths.
    postponed: FxHashSet<Cell>,
    /// The other thread's cell because of which the last requested cell was postponed.
    blocking: Option<Cell>,
    /// The older evaluation from which values are reused, if any.
    older: Option<Arc<PreviousEvaluation>>,
    /// The module instance of the last cell.
    current: Option<CurrentInstance>,
    /// Registers the walk with the wait graph while it exists.
    _at_work: WalkGuard,
}

/// The module instance of the cell that a walk has reached, and its counterpart in the older evaluation whose values are
/// reused.
struct CurrentInstance {
    instance: Arc<InstanceNode>,
    /// The counterpart of the instance in the older evaluation.
    before: Option<Arc<InstanceNode>>,
}

/// The role of the thread that walks through cells: alone, one of several, or repeating a walk alone.
pub(super) enum WalkRole<'w> {
    /// The only thread.
    Alone,
    /// One of several; true for the coordinating one, which publishes its current cell.
    Worker(&'w WorkerPool<'w>, bool),
    /// The only thread, repeating a walk over cells that are filled already.
    Replay(CellReplay),
}

/// The next step of a walk through cells: to continue with the current cell, to take the next one, or to end.
enum WalkTurn {
    /// The next phase of the current cell.
    Proceed,
    /// The cell on top of the stack.
    Next,
    /// The end of the walk.
    End(WalkEnd),
}

/// The dependencies of a cell that are not filled, and the reasons why some of them cannot be.
#[derive(Default)]
struct MissingNeeds {
    missing: Vec<Cell>,
    /// True if the declaration is part of a cycle in the code.
    in_cycle: bool,
    /// True if a dependency waits for the cell.
    is_cyclic: bool,
    /// True if a dependency waits for pending facts.
    is_pending: bool,
    /// The cell whose dependencies were last offered to more threads.
    offered: Option<Cell>,
}

impl<'w> CellWalk<'w> {
    /// Returns a walk through cells for one thread, which has not begun.
    pub(super) fn new(
        scheduler: &'w Scheduler,
        world: &'w Arc<EvaluationState>,
        role: WalkRole<'w>,
        shared: &'w SharedGoals,
    ) -> CellWalk<'w> {
        let entered = Entered::default();
        let inherited = match &role {
            WalkRole::Worker(pool, _) => pool.inherited().clone(),
            WalkRole::Alone | WalkRole::Replay(_) => Arc::default(),
        };
        CellWalk {
            scheduler,
            shared,
            world,
            records: matches!(role, WalkRole::Worker(..)),
            role,
            filled: FilledCells::new(),
            stack: Vec::new(),
            _at_work: WalkGuard::on(world.number(), &entered, inherited),
            entered,
            deadlocked: FxHashSet::default(),
            postpones: false,
            postponed: FxHashSet::default(),
            blocking: None,
            older: world.older().clone(),
            current: None,
        }
    }

    /// Returns the pool of worker threads, if the thread is one of several.
    fn pool(&self) -> Option<&'w WorkerPool<'w>> {
        match self.role {
            WalkRole::Worker(pool, _) => Some(pool),
            WalkRole::Alone | WalkRole::Replay(_) => None,
        }
    }

    /// Makes the walk record how much of the budget filling each cell uses.
    pub(super) fn record(&mut self) {
        self.records = true;
    }

    /// Returns true if the walk skips a cell: a repeated walk one that it has passed already, any other walk one that is filled,
    /// as `is_done` says.
    fn is_passed(&self, cell: Cell, is_done: bool) -> bool {
        match &self.role {
            WalkRole::Replay(replay) => replay.has_passed(cell),
            WalkRole::Alone | WalkRole::Worker(..) => is_done,
        }
    }

    /// Returns true if a cell is filled.
    fn is_filled(&self, cell: Cell) -> bool {
        let instance = self.world.instance(cell.instance);
        instance.state(cell.part).is_none_or(CellState::is_done)
    }

    /// Returns a module instance, by its id, with its counterpart in the older evaluation whose values are reused.
    fn at(&self, instance: u32) -> CurrentInstance {
        let instance = self.world.instance(instance);
        let before = self.older.as_ref().and_then(|older| older.instance(self.world, &instance));
        CurrentInstance { instance, before }
    }

    /// Fills cells and all their dependencies; returns the reason why the walk ended.
    pub(super) fn fill_all(&mut self, goals: &[Cell]) -> WalkEnd {
        let mut current = self.current.take().unwrap_or_else(|| self.at(ROOT));
        let ended = self.traverse(goals, &mut current);
        self.current = Some(current);
        ended
    }

    /// Fills a cell and its dependencies, but postpones it if another thread is evaluating one of them; returns the reason why
    /// the walk ended.
    pub(super) fn fill_or_postpone(&mut self, goal: Cell) -> WalkEnd {
        self.postpones = true;
        let ended = self.fill_all(&[goal]);
        self.postpones = false;
        ended
    }

    /// Waits for the cell of another thread because of which this walk last postponed a requested cell, and forgets which
    /// cells it has postponed.
    pub(super) fn await_blocking(&mut self) {
        self.postponed.clear();
        if let Some(cell) = self.blocking.take()
            && let Some(state) = self.world.instance(cell.instance).state(cell.part)
        {
            self.wait(cell, state);
        }
    }

    /// Waits until the cell that another thread is evaluating is filled or released.
    fn wait(&self, cell: Cell, state: &CellState) -> WaitOutcome {
        let is_over = || self.world.has_ended() || self.shared.is_stopped();
        self.scheduler.wait_graph.wait(cell, state, held(self.world.number()), &is_over)
    }

    /// Fills the requested cells depth first: a cell is entered, its dependencies are filled, then itself; returns why it ended.
    fn traverse(&mut self, goals: &[Cell], current: &mut CurrentInstance) -> WalkEnd {
        self.stack.extend(goals.iter().rev());
        let mut needs = MissingNeeds::default();
        while let Some(&cell) = self.stack.last() {
            if self.world.has_ended() {
                return self.abandon_at_end(cell);
            }
            if self.shared.is_stopped() && !self.is_filled(cell) {
                self.leave();
                return WalkEnd::RunEnded;
            }
            if current.instance.id != cell.instance {
                *current = self.at(cell.instance);
            }
            let instance = &current.instance;
            let Some(state) = instance.state(cell.part) else {
                self.stack.pop();
                continue;
            };
            let mut turn = self.enter(cell, state);
            if let WalkTurn::Proceed = turn {
                self.gather_needs(instance, cell, &mut needs);
                turn = self.push_missing(cell, &mut needs);
            }
            if let WalkTurn::Proceed = turn {
                self.stack.pop();
                turn = self.finish(current, cell, state, &needs);
            }
            if let WalkTurn::End(end) = turn {
                return end;
            }
        }
        WalkEnd::Filled
    }

    /// Marks a cell as in progress on this thread, unless it is filled or another thread is evaluating it.
    fn enter(&mut self, cell: Cell, state: &CellState) -> WalkTurn {
        if self.entered.borrow().last() == Some(&cell) {
            return WalkTurn::Proceed;
        }
        if self.is_passed(cell, state.is_done()) || self.shared.is_parked(cell) {
            self.stack.pop();
            return WalkTurn::Next;
        }
        if let Some(pool) = self.pool() {
            if pool.is_left(cell) {
                return WalkTurn::End(self.leave());
            }
            if self.postpones && self.postponed.contains(&cell) {
                return WalkTurn::End(self.postpone());
            }
        }
        if let WalkRole::Replay(replay) = &mut self.role {
            replay.pass(cell);
        }
        if state.is_done() || state.enter() {
            self.entered.borrow_mut().push(cell);
            return WalkTurn::Proceed;
        }
        if self.postpones && state.is_entered() {
            self.blocking = Some(cell);
            return WalkTurn::End(self.postpone());
        }
        match self.wait(cell, state) {
            WaitOutcome::Free | WaitOutcome::RunEnded => {}
            WaitOutcome::Deadlock if self.pool().is_some() => return WalkTurn::End(self.leave()),
            WaitOutcome::Deadlock => {
                self.stack.pop();
                self.deadlocked.insert(cell);
            }
        }
        WalkTurn::Next
    }

    /// Adds the dependencies of a cell that are not filled to `needs`.
    fn gather_needs(&self, instance: &InstanceNode, cell: Cell, needs: &mut MissingNeeds) {
        needs.missing.clear();
        (needs.is_cyclic, needs.is_pending) = (false, false);
        needs.in_cycle = self.world.is_in_cycle(instance, cell);
        if needs.in_cycle {
            return;
        }
        let entered = self.entered.borrow();
        self.world.needs(instance, cell, &mut |need| {
            let (is_done, is_entered) = self.world.state(instance, need);
            if !is_done && self.shared.is_parked(need) {
                needs.is_pending = true;
            } else if !self.is_passed(need, is_done) {
                needs.missing.push(need);
                // The graph is acyclic, but facts may ask for a value that depends on their answer: the walk must end here.
                needs.is_cyclic |= is_entered && entered.contains(&need);
                needs.is_cyclic |= !is_done && self.deadlocked.contains(&need);
            }
        });
    }

    /// Puts the missing dependencies of a cell before it on the stack, or shares them with more threads if there are many.
    fn push_missing(&mut self, cell: Cell, needs: &mut MissingNeeds) -> WalkTurn {
        if needs.is_cyclic && self.pool().is_some() {
            return WalkTurn::End(self.leave());
        }
        if needs.missing.is_empty() || needs.is_cyclic {
            return WalkTurn::Proceed;
        }
        let missing = &needs.missing;
        match self.pool() {
            None if matches!(self.role, WalkRole::Alone)
                && needs.offered != Some(cell)
                && workers::is_worth_sharing(self.world, missing.len()) =>
            {
                let wide = workers::share(self.scheduler, self.world, missing, self.shared);
                self.records = true;
                if wide.is_empty() {
                    needs.offered = Some(cell);
                }
                self.stack.extend(wide.iter().rev());
            }
            Some(pool) if pool.leave_if_wide(self.world, cell, missing.len()) => {
                return WalkTurn::End(self.leave());
            }
            _ => self.stack.extend(missing.iter().rev()),
        }
        WalkTurn::Next
    }

    /// Finishes a cell whose dependencies are filled as far as they can be: fills it, charges the budget if a repeated walk
    /// finds it filled, or postpones it if facts are not available yet.
    fn finish(
        &mut self,
        current: &CurrentInstance,
        cell: Cell,
        state: &CellState,
        needs: &MissingNeeds,
    ) -> WalkTurn {
        if needs.is_pending && !needs.is_cyclic {
            // All its other dependencies are filled by now.
            self.park(cell, state);
            return WalkTurn::Next;
        }
        if state.is_done() {
            // It was filled before by several threads: only its usage must be charged.
            if let WalkRole::Replay(replay) = &mut self.role
                && self.world.options.budget.take_all(replay.usage(cell)).is_err()
            {
                return WalkTurn::End(self.abandon_at_end(cell));
            }
            self.entered.borrow_mut().pop();
            return WalkTurn::Next;
        }
        if !matches!(self.role, WalkRole::Worker(_, false)) {
            self.world.publish_cell(cell);
        }
        if self.records {
            ResourceUsage::since_last();
        }
        let Some((out, same)) = self.fill(current, cell, needs) else {
            self.park(cell, state);
            return WalkTurn::Next;
        };
        if self.world.has_ended() {
            return WalkTurn::End(self.abandon_at_end(cell));
        }
        if self.records {
            let usage = ResourceUsage::since_last();
            if !usage.is_nothing() {
                self.filled.push((cell, usage));
            }
        }
        self.scheduler.remember(
            self.world,
            &current.instance,
            cell,
            out,
            needs.in_cycle || needs.is_cyclic,
        );
        // It was in progress until now: facts may ask for it.
        self.entered.borrow_mut().pop();
        if state.finish(same, self.world.is_superseded()) {
            self.scheduler.wait_graph.wake();
        }
        WalkTurn::Next
    }

    /// Fills a cell with its value from an older evaluation or by evaluating it; returns its diagnostics, and true if the
    /// value is the same as in the older evaluation; `None` if facts about it are not available yet. A cell in a cycle becomes
    /// unknown.
    fn fill(
        &self,
        current: &CurrentInstance,
        cell: Cell,
        needs: &MissingNeeds,
    ) -> Option<(Diagnostics, bool)> {
        let instance = &current.instance;
        let mut out = Diagnostics::new();
        if needs.in_cycle || needs.is_cyclic {
            if needs.is_cyclic {
                out.push(self_dependency(self.world, instance, cell));
            }
            self.world.give_up(instance, cell);
            return Some((out, false));
        }
        if let Some(found) = self.reuse(current, cell) {
            return Some((found, true));
        }
        let is_filled = self.world.fill(instance, cell, &mut out);
        is_filled.then(|| (out, self.is_unchanged(current, cell)))
    }

    /// Releases the cell of a resource instance about which facts are not available yet, so that it can be evaluated later.
    fn park(&self, cell: Cell, state: &CellState) {
        self.shared.park(cell);
        self.entered.borrow_mut().pop();
        if state.leave() {
            self.scheduler.wait_graph.wake();
        }
    }

    /// Fills a cell with its value from the older evaluation that this one follows, and returns the diagnostics from there;
    /// `None` if its code or a dependency has changed.
    fn reuse(&self, current: &CurrentInstance, cell: Cell) -> Option<Diagnostics> {
        let (older, before) = (self.older.as_ref()?, current.before.as_ref()?);
        if !self.has_same_needs(&current.instance, cell) {
            return None;
        }
        older.reuse(self.world, (&current.instance, before), cell)
    }

    /// Returns true if a filled cell has the same value as in the older evaluation that this one follows.
    fn is_unchanged(&self, current: &CurrentInstance, cell: Cell) -> bool {
        let (Some(older), Some(before)) = (&self.older, &current.before) else { return false };
        older.is_same(self.world, (&current.instance, before), cell.part)
            && (!matches!(cell.part, CellPart::Resource(_) | CellPart::Gathered(..))
                || self.has_same_needs(&current.instance, cell))
    }

    /// Returns true if all dependencies of a cell have the same values as in the older evaluation that this one follows.
    fn has_same_needs(&self, instance: &InstanceNode, cell: Cell) -> bool {
        let mut same = true;
        self.world.needs(instance, cell, &mut |need| {
            same = same && self.world.holds_same(instance, need);
        });
        same
    }

    /// Abandons the walk at a cell, at which the run has ended.
    fn abandon_at_end(&mut self, cell: Cell) -> WalkEnd {
        if self.pool().is_none() && self.world.end().is_none() {
            let instance = self.world.instance(cell.instance);
            self.world.end_at(&instance, cell);
        }
        self.leave();
        WalkEnd::RunEnded
    }

    /// Returns the cells filled by the walk, with the budget that each has used.
    pub(super) fn into_filled(mut self) -> FilledCells {
        std::mem::take(&mut self.filled)
    }

    /// Abandons the path of dependencies that starts at the requested cell, because another thread is evaluating a cell on it.
    /// Everything that depends on its cells is postponed, too.
    fn postpone(&mut self) -> WalkEnd {
        self.postponed.extend(self.entered.borrow().iter());
        self.postponed.extend(self.stack.first());
        self.leave();
        WalkEnd::Postponed
    }

    /// Abandons the path of dependencies that starts at the requested cell, so that other threads may evaluate its cells.
    fn leave(&mut self) -> WalkEnd {
        self.stack.clear();
        let entered = std::mem::take(&mut *self.entered.borrow_mut());
        let mut awaited = false;
        for cell in entered {
            let instance = self.world.instance(cell.instance);
            awaited |= instance.state(cell.part).is_some_and(CellState::leave);
        }
        if awaited {
            self.scheduler.wait_graph.wake();
        }
        WalkEnd::Left
    }
}

impl Drop for CellWalk<'_> {
    fn drop(&mut self) {
        // Facts may panic: no thread must wait forever.
        if !self.entered.borrow().is_empty() {
            self.leave();
        }
    }
}

impl EvaluationState {
    /// Returns true if the declaration of a cell is part of a dependency cycle.
    fn is_in_cycle(&self, instance: &InstanceNode, cell: Cell) -> bool {
        let project = &self.project;
        let in_cycle = |d| project.graph.is_in_cycle(&project.nodes, instance.node, d);
        match cell.part {
            // A gathered value is stuck where its parts are.
            CellPart::Gathered(..) => false,
            part => part.declaration().is_some_and(in_cycle),
        }
    }

    /// Returns true if `cell`, on which a cell of the instance `near` depends, has the same value as in the older evaluation
    /// that this one follows.
    fn holds_same(&self, near: &InstanceNode, cell: Cell) -> bool {
        let read =
            |instance: &InstanceNode| instance.state(cell.part).is_some_and(CellState::is_same);
        if near.id == cell.instance { read(near) } else { read(&self.instance(cell.instance)) }
    }

    /// Returns two flags about `cell`, on which a cell of the instance `near` depends: true if it is filled, and true if a thread
    /// is evaluating it.
    fn state(&self, near: &InstanceNode, cell: Cell) -> (bool, bool) {
        let read = |instance: &InstanceNode| {
            let state = instance.state(cell.part);
            state.map_or((false, false), |state| (state.is_done(), state.is_entered()))
        };
        if near.id == cell.instance {
            return read(near);
        }
        match &near.parent {
            Some((parent, _)) if parent.id == cell.instance => read(parent),
            _ => read(&self.instance(cell.instance)),
        }
    }
}
