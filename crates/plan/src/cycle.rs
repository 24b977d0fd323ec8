//! Cycles among changes. With `create_before_destroy` an old object is destroyed last, and dependents must be destroyed before
//! it. A plan with a cycle cannot be applied and is refused. The order follows from the configuration and from the recorded
//! dependencies; many-to-many dependencies go through an intermediate step, so that the number of steps stays linear.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use groma_config::{DeclarationAddress, InstanceAddress, ModuleAddress, ResourceMode, first_of};
use groma_syntax::{Diagnostic, Diagnostics};
use rustc_hash::FxHashMap;

use crate::change::{Action, Change};
use crate::codes;
use crate::facts::PlanFacts;
use crate::order::DependencyOrder;
use crate::state::{RecordedInstance, StateProvider};
use crate::targets::RecordedNames;

/// Maximum number of changes that the diagnostic about a cycle lists; further ones are counted.
const MAX_LISTED: usize = 10;

/// Reports changes that depend on each other in a cycle, so that no order of applying them exists.
pub(crate) fn check(
    facts: &PlanFacts,
    needs: &DependencyOrder,
    changes: &[Change],
    out: &mut Diagnostics,
) {
    // If everything is destroyed before its successor is created, all edges point in one direction.
    let forgets_in_turn = !facts.conventions().forgets_at_once;
    let (waits, made) = (Vec::new(), Vec::new());
    let mut steps = PlanSteps { facts, changes, forgets_in_turn, waits, steps: made };
    if !changes.iter().any(|change| steps.is_removed_last(change)) {
        return;
    }
    steps.add_changes(needs);
    let Some(cycle) = steps.find_cycle() else { return };
    let named: Vec<String> = cycle.iter().filter_map(|at| steps.text(*at)).collect();
    let detail = format!(
        "These steps depend on each other in a cycle, so none can run first: {}. Apply the change in two steps: first without the objects to destroy, or without create_before_destroy, then the rest.",
        first_of(&named, "; ", MAX_LISTED)
    );
    out.push(Diagnostic::error(&codes::CHANGE_RING, detail));
}

/// A step of applying a plan: the creation or the destruction of one object, or a barrier, which has no effect and stands for
/// the dependencies of many steps on many others.
#[derive(Clone, Copy)]
enum PlanStep {
    /// The object of the change with this index is created or updated.
    Create(usize),
    /// The object of the change with this index is destroyed.
    Destroy(usize),
    /// A barrier: it is passed once all steps before it are done.
    Barrier,
}

/// The steps of applying a plan, as a graph: each step with the steps that it waits for.
struct PlanSteps<'p> {
    facts: &'p PlanFacts,
    changes: &'p [Change],
    /// True if a forgotten object is ordered like a destroyed one.
    forgets_in_turn: bool,
    steps: Vec<PlanStep>,
    waits: Vec<(u32, u32)>,
}

/// A resource in all instances of its module, or in the given module instance.
type ResourceIn = (DeclarationAddress, Option<ModuleAddress>);

/// The indices of barrier steps, through which other steps wait for each other, by resource and text of a provider
/// configuration; the text is empty where all configurations share one barrier.
type BarrierSteps = FxHashMap<(ResourceIn, String), u32>;

/// The barriers through which objects of a resource and their dependents wait for each other, one table for each condition that
/// a barrier waits for, such as the creation of all dependents.
#[derive(Default)]
struct StepBarriers {
    /// Waits for the destruction of all objects that are destroyed before their successors are created.
    destroyed: BarrierSteps,
    /// Waits for the creation of all dependents.
    dependents_created: BarrierSteps,
    /// Waits for the destruction of all dependents.
    dependents_destroyed: BarrierSteps,
    /// Waits for the destruction of all dependents that are not destroyed last.
    dependents_destroyed_first: BarrierSteps,
    /// Waits for the creation of all objects of the resource.
    created: BarrierSteps,
}

impl<'p> PlanSteps<'p> {
    /// Adds a step of applying the plan and returns its index.
    fn add(&mut self, step: PlanStep) -> u32 {
        self.steps.push(step);
        self.steps.len() as u32 - 1
    }

    /// Adds a dependency between two steps: the first waits for the second.
    fn wait(&mut self, step: u32, earlier: u32) {
        self.waits.push((step, earlier));
    }

    /// Returns the index, in the steps of the plan, of the barrier for a resource and a provider configuration: a step
    /// through which other steps wait for each other; it is added to the steps and to `all` on first use.
    fn barrier(&mut self, all: &mut BarrierSteps, place: ResourceIn, provider: &str) -> u32 {
        let key = (place, provider.to_owned());
        if let Some(known) = all.get(&key) {
            return *known;
        }
        let at = self.add(PlanStep::Barrier);
        all.insert(key, at);
        at
    }

    /// Returns the recorded object that is changed: the current one or a deposed one; `None` if the change has no recorded
    /// object.
    fn object(&self, change: &Change) -> Option<&'p RecordedInstance> {
        let prior = self.facts.prior();
        let past = prior.instance(&change.instance.address)?;
        match &change.deposed {
            None => prior.object(past.current?),
            Some(key) => past
                .deposed
                .iter()
                .filter_map(|at| prior.object(*at))
                .find(|object| object.deposed.as_ref() == Some(key)),
        }
    }

    /// Returns true if the change destroys an object, or forgets it and the reference program orders forgetting like
    /// destroying.
    fn removes_object(&self, change: &Change) -> bool {
        let is_forgotten = change.action == Action::Forget && self.forgets_in_turn;
        change.action.destroys() || is_forgotten
    }

    /// Returns true if the change removes its object in the order of `create_before_destroy`, after a replacement: by its
    /// action, as a deposed object, or because the state records it so.
    fn is_removed_last(&self, change: &Change) -> bool {
        change.action == Action::CreateThenDelete
            || self.removes_object(change)
                && (change.deposed.is_some()
                    // For a declared object the declaration decides.
                    || !change.action.is_replacement()
                        && self.object(change).is_some_and(|object| object.is_made_first))
    }

    /// Adds the steps of all changes, and the dependencies between them that determine their order.
    fn add_changes(&mut self, needs: &DependencyOrder) {
        let declared = needs.count() as u32;
        // Declarations depend on what they refer to: one step before each resource, one for the whole of it.
        for _ in 0..2 * declared {
            self.add(PlanStep::Barrier);
        }
        for (from, to) in needs.edges() {
            self.wait(from as u32, declared + to as u32);
        }
        (0..declared).for_each(|at| self.wait(declared + at, at));
        let mut made: FxHashMap<&InstanceAddress, u32> = FxHashMap::default();
        let groups = self.groups();
        for (resource, numbers) in &groups {
            for number in numbers.clone() {
                let change = &self.changes[number];
                let creates =
                    matches!(change.action, Action::Create | Action::Update | Action::Read);
                if !creates && !change.action.is_replacement() {
                    continue;
                }
                let at = self.add(PlanStep::Create(number));
                made.insert(&change.instance.address, at);
                if let Some(position) = needs.position(resource) {
                    self.wait(at, position as u32);
                    self.wait(declared + position as u32, at);
                }
            }
        }
        let mut barriers = StepBarriers::default();
        for (resource, numbers) in &groups {
            let written = OnceCell::new();
            let mut names = RecordedNames::default();
            for number in numbers.clone() {
                let change = &self.changes[number];
                let create = made.get(&change.instance.address).copied();
                let destroy =
                    self.removes_object(change).then(|| self.add(PlanStep::Destroy(number)));
                let is_last = self.is_removed_last(change);
                match (create, destroy, is_last) {
                    (Some(create), Some(destroy), true) => self.wait(destroy, create),
                    (Some(create), Some(destroy), false) => self.wait(create, destroy),
                    _ => {}
                }
                let own = create.filter(|_| change.deposed.is_none());
                if change.mode == ResourceMode::Managed && (own.is_some() || destroy.is_some()) {
                    let written = || &**written.get_or_init(|| needs.resources_of(resource));
                    let from = self.recorded_dependencies(change, written);
                    let from = from.into_iter().filter_map(|one| names.read(one)).collect();
                    self.connect_barriers(
                        change,
                        resource,
                        [own, destroy],
                        is_last,
                        from,
                        &mut barriers,
                    );
                }
            }
        }
    }

    /// Returns the recorded dependencies of the current object of an instance, to which a refresh adds the configured ones from
    /// `written`. It drops the rest if nothing else changes.
    fn recorded_dependencies<'a>(
        &self,
        change: &Change,
        written: impl Fn() -> &'a [Arc<str>],
    ) -> BTreeSet<&'a str>
    where
        'p: 'a,
    {
        let prior = self.facts.prior();
        let address = &change.instance.address;
        let current = prior.instance(address).and_then(|past| prior.object(past.current?));
        let Some(object) = current else { return BTreeSet::new() };
        let recorded = object.dependencies.iter().map(|one| &**one);
        let action = self.facts.action(address).filter(|_| self.facts.refreshes());
        match action {
            None => recorded.collect(),
            Some(Action::NoOp) => written().iter().map(|one| &**one).collect(),
            Some(_) => recorded.chain(written().iter().map(|one| &**one)).collect(),
        }
    }

    /// Returns the ranges of consecutive changes that belong to one resource of a module instance, each with the resource's
    /// address.
    fn groups(&self) -> Vec<(DeclarationAddress, Range<usize>)> {
        let is_same = |a: &Change, b: &Change| {
            (a.path(), a.mode, &a.kind, &a.name) == (b.path(), b.mode, &b.kind, &b.name)
        };
        let mut groups: Vec<(DeclarationAddress, Range<usize>)> = Vec::new();
        for group in self.changes.chunk_by(is_same) {
            let start = groups.last().map_or(0, |(_, range)| range.end);
            let resource = group[0].instance.address.resource();
            groups.push((resource.into(), start..start + group.len()));
        }
        groups
    }

    /// Adds the dependencies between the steps of an object and the barriers of its dependencies and of its dependents;
    /// `create` and `destroy` are the indices of these steps, if it has them.
    fn connect_barriers(
        &mut self,
        change: &Change,
        resource: &DeclarationAddress,
        [create, destroy]: [Option<u32>; 2],
        is_last: bool,
        dependencies: Vec<DeclarationAddress>,
        barriers: &mut StepBarriers,
    ) {
        let object = self.object(change);
        let provider = object.map_or_else(|| change.provider().to_owned(), provider_of);
        let module = change.instance.address.module();
        // As a dependency of other objects.
        for place in [(resource.clone(), None), (resource.clone(), Some(module.clone()))] {
            if let Some(destroy) = destroy {
                let destroyed = self.barrier(&mut barriers.destroyed, place.clone(), "");
                let dependents_created =
                    self.barrier(&mut barriers.dependents_created, place.clone(), "");
                match is_last {
                    true => self.wait(destroy, dependents_created),
                    false => self.wait(destroyed, destroy),
                }
                let dependents =
                    self.barrier(&mut barriers.dependents_destroyed, place.clone(), &provider);
                self.wait(destroy, dependents);
            }
            if let Some(create) = create {
                let dependents = self.barrier(
                    &mut barriers.dependents_destroyed_first,
                    place.clone(),
                    &provider,
                );
                self.wait(create, dependents);
                let created = self.barrier(&mut barriers.created, place, &provider);
                self.wait(created, create);
            }
        }
        // As a dependent of other objects.
        let own_module = module.without_keys();
        for from in dependencies {
            // Instances of one module are independent of each other.
            let is_same_module = *from.module() == own_module;
            let place = (from, is_same_module.then(|| module.clone()));
            if let Some(create) = create {
                let destroyed = self.barrier(&mut barriers.destroyed, place.clone(), "");
                let dependents_created =
                    self.barrier(&mut barriers.dependents_created, place.clone(), "");
                self.wait(create, destroyed);
                self.wait(dependents_created, create);
            }
            if let Some(destroy) = destroy {
                let dependents =
                    self.barrier(&mut barriers.dependents_destroyed, place.clone(), &provider);
                self.wait(dependents, destroy);
                match is_last {
                    true => {
                        let created = self.barrier(&mut barriers.created, place, &provider);
                        self.wait(destroy, created);
                    }
                    false => {
                        let all = &mut barriers.dependents_destroyed_first;
                        let dependents = self.barrier(all, place, &provider);
                        self.wait(dependents, destroy);
                    }
                }
            }
        }
    }

    /// Returns the indices of steps that wait for each other in a cycle, if any.
    fn find_cycle(&self) -> Option<Vec<usize>> {
        let count = self.steps.len();
        let mut left = vec![0u32; count];
        let mut by_earlier: Vec<(u32, u32)> = self.waits.iter().map(|(a, b)| (*b, *a)).collect();
        by_earlier.sort_unstable();
        for (step, _) in &self.waits {
            left[*step as usize] += 1;
        }
        let mut ready: Vec<u32> = (0..count as u32).filter(|at| left[*at as usize] == 0).collect();
        let mut done = 0;
        while let Some(at) = ready.pop() {
            done += 1;
            let first = by_earlier.partition_point(|(earlier, _)| *earlier < at);
            for (_, step) in by_earlier[first..].iter().take_while(|(earlier, _)| *earlier == at) {
                left[*step as usize] -= 1;
                if left[*step as usize] == 0 {
                    ready.push(*step);
                }
            }
        }
        if done == count {
            return None;
        }
        // Each remaining step depends on another remaining one.
        let mut next: BTreeMap<u32, u32> = BTreeMap::new();
        for (step, earlier) in &self.waits {
            if left[*step as usize] > 0 && left[*earlier as usize] > 0 {
                next.entry(*step).or_insert(*earlier);
            }
        }
        let mut way: Vec<u32> = Vec::new();
        let mut seen: BTreeMap<u32, usize> = BTreeMap::new();
        let mut at = *next.keys().next()?;
        loop {
            if let Some(start) = seen.insert(at, way.len()) {
                return Some(way[start..].iter().map(|at| *at as usize).collect());
            }
            way.push(at);
            at = *next.get(&at)?;
        }
    }

    /// Returns the description of a step in a diagnostic; `None` for barriers.
    fn text(&self, at: usize) -> Option<String> {
        let address = |number: usize| self.changes.get(number).map(|one| &one.instance.address);
        match self.steps.get(at)? {
            PlanStep::Create(number) => Some(format!("{} is created", address(*number)?)),
            PlanStep::Destroy(number) => {
                let change = self.changes.get(*number)?;
                let address = &change.instance.address;
                Some(match (&change.deposed, change.action.leaves_object()) {
                    (Some(key), _) => format!("{address} (deposed {}) is destroyed", &**key),
                    (None, true) => format!("the replaced object of {address} is destroyed"),
                    (None, false) if change.action == Action::Forget => {
                        format!("{address} is forgotten")
                    }
                    (None, false) => format!("{address} is destroyed"),
                })
            }
            PlanStep::Barrier => None,
        }
    }
}

/// Returns a text that identifies the provider configuration of a recorded object: source, module path and alias.
fn provider_of(object: &RecordedInstance) -> String {
    let StateProvider { modules, source, alias } = &object.entry.provider;
    let mut text = source.clone();
    for part in modules.iter().chain(alias) {
        text.push(' ');
        text.push_str(part);
    }
    text
}
