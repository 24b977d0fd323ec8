//! Filling of cells on demand, and reporting of their diagnostics. If many cells are ready, several threads fill them; results
//! do not depend on which does, or when.

use std::sync::atomic::Ordering;
use std::sync::{Arc, MutexGuard, PoisonError};

use groma_syntax::{Diagnostic, Diagnostics, Place};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::codes;
use crate::evaluate::cell::Cell;
use crate::evaluate::cell_diagnostics::{CellFailure, Scheduler, SharedGoals};
use crate::evaluate::consequence::{FollowUps, consequences, is_broken_rule};
use crate::evaluate::instance::InstanceNode;
use crate::evaluate::scheduler::{CellWalk, WalkEnd, WalkRole};
use crate::evaluate::stop::CellReplay;
use crate::evaluate::workers;
use crate::evaluate::world::EvaluationState;

impl Scheduler {
    /// Fills the given cells and all cells that they depend on.
    pub(crate) fn fill_all(&self, world: &Arc<EvaluationState>, goals: &[Cell]) {
        if world.has_ended() {
            return;
        }
        world.forget_end();
        let _query = OpenQuery::of(self);
        let shared = SharedGoals::of_request();
        let mut walk = CellWalk::new(self, world, WalkRole::Alone, &shared);
        while workers::is_worth_sharing(world, goals.len())
            && !world.has_ended()
            && !shared.is_stopped()
        {
            let wide = workers::share(self, world, goals, &shared);
            walk.record();
            if wide.is_empty() {
                break;
            }
            walk.fill_all(&wide);
        }
        let ended = walk.fill_all(goals);
        shared.filled_cells().extend(walk.into_filled());
        let filled_cells = std::mem::take(&mut *shared.filled_cells());
        let budget_before = shared.budget_before().take();
        if ended == WalkEnd::RunEnded
            && let Some(before) = budget_before
            && world.options.budget.is_used_up()
            // Usage of concurrent questions could not be told apart.
            && self.open_queries.load(Ordering::Acquire) == 1
        {
            // Several threads may use more than one would, and stop anywhere.
            world.options.budget.restore(before);
            world.remember_end(None);
            CellWalk::new(self, world, WalkRole::Replay(CellReplay::of(filled_cells)), &shared)
                .fill_all(goals);
        }
    }

    /// Locks the diagnostics of all cells that have any.
    fn failures(&self) -> MutexGuard<'_, FxHashMap<Cell, CellFailure>> {
        self.failures.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores the diagnostics of a cell and, unless it was `given_up` because of a cycle, the failed cells that it depends on.
    pub(super) fn remember(
        &self,
        world: &EvaluationState,
        instance: &InstanceNode,
        cell: Cell,
        out: Diagnostics,
        given_up: bool,
    ) {
        if out.is_empty() && !self.has_failures.load(Ordering::Acquire) {
            return;
        }
        let mut failure = CellFailure { own: out.into_vec(), from: Vec::new() };
        let mut needs = Vec::new();
        if !given_up {
            world.needs(instance, cell, &mut |need| needs.push(need));
        }
        let mut failures = self.failures();
        needs.retain(|need| failures.contains_key(need));
        failure.from = needs;
        if !failure.own.is_empty() || !failure.from.is_empty() {
            failures.insert(cell, failure);
            self.has_failures.store(true, Ordering::Release);
        }
    }

    /// Returns a diagnostic that says why one of these cells is not filled although the run has not ended; `None` if all are
    /// filled.
    fn unfilled(&self, world: &EvaluationState, cells: &[Cell]) -> Option<Diagnostic> {
        /// Maximum number of instance addresses that the message about facts not available yet names.
        const SHOWN: usize = 3;
        let is_open = |cell: &&Cell| {
            let instance = world.instance(cell.instance);
            instance.state(cell.part).is_some_and(|state| !state.is_done())
        };
        let cell = *cells.iter().find(is_open)?;
        let waiting = self.waiting();
        if waiting.is_empty() {
            let instance = world.instance(cell.instance);
            return Some(self_dependency(world, &instance, cell));
        }
        let more = if waiting.len() > SHOWN { " and others" } else { "" };
        let shown = waiting[..waiting.len().min(SHOWN)].join(", ");
        let detail = format!(
            "This is unknown until the values of {shown}{more} have arrived. Evaluate it again then."
        );
        Some(Diagnostic::remark(&codes::FACTS_LATER, detail))
    }

    /// Returns the diagnostics of a cell, without those of its dependencies.
    pub(super) fn found_in(&self, cell: Cell) -> Vec<Diagnostic> {
        if !self.has_failures.load(Ordering::Acquire) {
            return Vec::new();
        }
        self.failures().get(&cell).map(|failure| failure.own.clone()).unwrap_or_default()
    }

    /// Reports the diagnostics of cells and of all their dependencies, sorted by place.
    pub(crate) fn report(&self, world: &EvaluationState, cells: &[Cell], out: &mut Diagnostics) {
        if world.has_ended() {
            report_end(world, out);
            return;
        }
        if let Some(open) = self.unfilled(world, cells)
            && out.iter().all(|one| *one.code != *open.code)
        {
            out.push(open);
        }
        let mut found = self.with_dependencies(world, cells);
        found.resolve(&world.project.sources);
        world.project.sources.sort(&mut found);
        report_new(found, out);
    }

    /// Returns the diagnostics of cells and of all their dependencies. An invalid value that follows from another invalid value
    /// is only a note of that one.
    fn with_dependencies(&self, world: &EvaluationState, cells: &[Cell]) -> Diagnostics {
        let failures = self.failures();
        let mut visited: FxHashSet<Cell> = FxHashSet::default();
        let mut rest: Vec<Cell> = cells.to_vec();
        let mut failed = Vec::new();
        while let Some(cell) = rest.pop() {
            if let Some(failure) = failures.get(&cell)
                && visited.insert(cell)
            {
                rest.extend(&failure.from);
                failed.push((world.instance(cell.instance).call_path(), cell, &failure.own));
            }
        }
        // Instance ids depend on the order of creation, which threads affect.
        failed.sort_by(|a, b| (&a.0, a.1.part).cmp(&(&b.0, b.1.part)));
        let in_order: Vec<Cell> = failed.iter().map(|(_, cell, _)| *cell).collect();
        let consequences = consequences(&in_order, &failures);
        let mut follow_ups = FollowUps::default();
        for (_, cell, own) in &failed {
            let Some(first) = consequences.get(cell) else { continue };
            let address = &world.instance(cell.instance).address;
            let broken = own.iter().filter(|one| is_broken_rule(one));
            broken.for_each(|one| follow_ups.add(*first, one, address));
        }
        let mut found = Diagnostics::new();
        for (_, cell, own) in failed {
            let instance = world.instance_context(cell).map(Box::new);
            let is_consequence = consequences.contains_key(&cell);
            let mut notes = follow_ups.take(cell);
            let own = own.iter().filter(|one| !is_consequence || !is_broken_rule(one)).cloned();
            found.extend(own.map(|mut one| {
                if is_broken_rule(&one) {
                    one.notes.append(&mut notes);
                }
                one.instance = one.instance.or_else(|| instance.clone());
                one
            }));
        }
        found
    }
}

/// Reports why the run ended early, if it did. Which other diagnostics were found until then may depend on threads.
fn report_end(world: &EvaluationState, out: &mut Diagnostics) {
    let is_reported = |end: &Diagnostic| out.iter().any(|one| one.code == end.code);
    let of_budget = || {
        let budget = &world.options.budget;
        budget.ended().map(|bound| groma_eval::ended(bound, &budget.initial_quota(), ""))
    };
    if let Some(end) = world.run_end().or_else(of_budget).filter(|end| !is_reported(end)) {
        out.push(end);
    }
}

/// Adds the diagnostics that `out` does not have yet. One that occurs in several instances is added once, with their number.
fn report_new(found: Diagnostics, out: &mut Diagnostics) {
    /// The identity of a diagnostic for deduplication: place, code and message.
    type DiagnosticKey = (Option<Place>, &'static str, String);
    let key =
        |one: &Diagnostic| -> DiagnosticKey { (one.place, one.code.slug, one.detail.clone()) };
    let known: FxHashSet<DiagnosticKey> = out.iter().map(key).collect();
    let mut first: FxHashMap<DiagnosticKey, usize> = FxHashMap::default();
    let mut fresh: Vec<Diagnostic> = Vec::new();
    for diagnostic in found {
        let key = key(&diagnostic);
        if known.contains(&key) {
            continue;
        }
        match first.get(&key) {
            Some(first) => {
                if let Some(instance) = &mut fresh[*first].instance {
                    instance.others += 1;
                }
            }
            None => {
                first.insert(key, fresh.len());
                fresh.push(diagnostic);
            }
        }
    }
    out.extend(fresh);
}

/// A guard that counts a query to an evaluation as in progress until it is dropped.
struct OpenQuery<'d>(&'d Scheduler);

impl<'d> OpenQuery<'d> {
    /// Counts a query to an evaluation as in progress, and returns the guard that ends this when it is dropped.
    fn of(scheduler: &'d Scheduler) -> OpenQuery<'d> {
        scheduler.open_queries.fetch_add(1, Ordering::AcqRel);
        OpenQuery(scheduler)
    }
}

impl Drop for OpenQuery<'_> {
    fn drop(&mut self) {
        self.0.open_queries.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Returns the diagnostic for a cell whose value depends on itself.
pub(super) fn self_dependency(
    world: &EvaluationState,
    instance: &InstanceNode,
    cell: Cell,
) -> Diagnostic {
    let node = world.node(instance.node);
    let described = cell.part.declaration().map(|d| crate::graph::describe(node, d));
    let (name, place) = described.unzip();
    let name = name.unwrap_or_default();
    let detail = format!("{name} depends on itself, so it is unknown.");
    let mut diagnostic = Diagnostic::error(&codes::EVALUATION_RING, detail);
    diagnostic.place = place;
    diagnostic
}
