//! Changes that wait for each other: what is made first goes last, and what was made from it has to go before it. Such a
//! plan could never be carried out, and is refused. The order of waiting follows from what is written and from what the
//! state says an object was made from; where many wait for many, they do so through a step of their own in between, so the
//! steps stay as many as there are changes.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use groma_address::text::{module_and_rest, without_keys};
use groma_config::{ResourceMode, first_of};
use groma_syntax::{Diagnostic, Diagnostics};

use crate::change::{Action, Change};
use crate::codes;
use crate::facts::PlanFacts;
use crate::order::DependencyOrder;
use crate::state::{RecordedInstance, StateProvider};

/// Maximum number of names in a sentence.
const NAMED: usize = 10;

/// Reports changes that wait for each other.
pub(crate) fn check(
    facts: &PlanFacts,
    needs: &DependencyOrder,
    changes: &[Change],
    out: &mut Diagnostics,
) {
    // Where everything goes before its successor comes, all wait in one direction.
    let forgets_in_turn = !facts.conventions().forgets_at_once;
    let (waits, made) = (Vec::new(), Vec::new());
    let mut steps = PlanSteps { facts, changes, forgets_in_turn, waits, steps: made };
    if !changes.iter().any(|change| steps.goes_last(change)) {
        return;
    }
    steps.draw(needs);
    let Some(ring) = steps.ring() else { return };
    let named: Vec<String> = ring.iter().filter_map(|at| steps.text(*at)).collect();
    let detail = format!(
        "These steps depend on each other in a cycle, so none can run first: {}. Apply the change in two steps: first without the objects to destroy, or without create_before_destroy, then the rest.",
        first_of(&named, "; ", NAMED)
    );
    out.push(Diagnostic::error(&codes::CHANGE_RING, detail));
}

/// A step of carrying one change out.
#[derive(Clone, Copy)]
enum PlanStep {
    /// The object is made or changed.
    Make(usize),
    /// The object goes.
    Go(usize),
    /// Something that only stands between others.
    Between,
}

/// The steps of a plan, and for each those that it waits for.
struct PlanSteps<'p> {
    facts: &'p PlanFacts,
    changes: &'p [Change],
    /// True if what is forgotten waits as if it were to go.
    forgets_in_turn: bool,
    steps: Vec<PlanStep>,
    waits: Vec<(u32, u32)>,
}

/// A resource by the module that it stands in: every instance of that, or one.
type ResourceIn = (String, Option<String>);

/// The steps of the objects of a resource that belong to one configuration of a provider: the steps that wait for
/// their going, and whose going waits for them.
type Meetings = BTreeMap<(ResourceIn, String), u32>;

/// The steps between the objects of a resource and those that were made from them.
#[derive(Default)]
struct StepBarriers {
    /// Waits until all have gone that go before their successors come.
    gone: Meetings,
    /// Waits until all are made that were made from one of these.
    made_from: Meetings,
    /// Waits until all have gone that were made from one of these.
    users_gone: Meetings,
    /// The same, without those that go last.
    users_gone_first: Meetings,
    /// Waits until all of these are made.
    made: Meetings,
}

impl<'p> PlanSteps<'p> {
    fn add(&mut self, step: PlanStep) -> u32 {
        self.steps.push(step);
        self.steps.len() as u32 - 1
    }

    fn wait(&mut self, who: u32, whom: u32) {
        self.waits.push((who, whom));
    }

    /// The step in between of a kind, made when it is first asked for.
    fn meeting(&mut self, all: &mut Meetings, place: ResourceIn, provider: &str) -> u32 {
        let key = (place, provider.to_owned());
        if let Some(known) = all.get(&key) {
            return *known;
        }
        let at = self.add(PlanStep::Between);
        all.insert(key, at);
        at
    }

    /// Returns what is recorded of the object of a change.
    fn object(&self, change: &Change) -> Option<&'p RecordedInstance> {
        let prior = self.facts.prior();
        let slot = prior.slot(&change.instance.address)?;
        match &change.deposed {
            None => prior.object(slot.current?),
            Some(key) => slot
                .deposed
                .iter()
                .filter_map(|at| prior.object(*at))
                .find(|object| object.deposed.as_ref() == Some(key)),
        }
    }

    /// Returns true if an object goes, or is forgotten, which one of the programs does at the same time.
    fn goes(&self, change: &Change) -> bool {
        let is_forgotten = change.action == Action::Forget && self.forgets_in_turn;
        change.action.destroys() || is_forgotten
    }

    /// Returns true if an object goes only once what comes after it is made.
    fn goes_last(&self, change: &Change) -> bool {
        change.action == Action::CreateThenDelete
            || self.goes(change)
                && (change.deposed.is_some()
                    // Of what is declared the declaration counts.
                    || !change.action.is_replacement()
                        && self.object(change).is_some_and(|object| object.is_made_first))
    }

    /// Draws the order of waiting.
    fn draw(&mut self, needs: &DependencyOrder) {
        let declared = needs.count() as u32;
        // What is written waits for what it refers to: a step for what comes before a resource, one for the whole of it.
        for _ in 0..2 * declared {
            self.add(PlanStep::Between);
        }
        for (from, to) in needs.edges() {
            self.wait(from as u32, declared + to as u32);
        }
        (0..declared).for_each(|at| self.wait(declared + at, at));
        let mut made: BTreeMap<&str, u32> = BTreeMap::new();
        let groups = self.groups();
        for (resource, numbers) in &groups {
            for number in numbers.clone() {
                let change = &self.changes[number];
                let makes = matches!(change.action, Action::Create | Action::Update | Action::Read);
                if !makes && !change.action.is_replacement() {
                    continue;
                }
                let at = self.add(PlanStep::Make(number));
                made.insert(&change.instance.address, at);
                if let Some(position) = needs.position(resource) {
                    self.wait(at, position as u32);
                    self.wait(declared + position as u32, at);
                }
            }
        }
        let mut between = StepBarriers::default();
        for (resource, numbers) in &groups {
            let written = OnceCell::new();
            for number in numbers.clone() {
                let change = &self.changes[number];
                let make = made.get(change.instance.address.as_str()).copied();
                let go = self.goes(change).then(|| self.add(PlanStep::Go(number)));
                let is_last = self.goes_last(change);
                match (make, go, is_last) {
                    (Some(make), Some(go), true) => self.wait(go, make),
                    (Some(make), Some(go), false) => self.wait(make, go),
                    _ => {}
                }
                let own = make.filter(|_| change.deposed.is_none());
                if change.mode == ResourceMode::Managed && (own.is_some() || go.is_some()) {
                    let written = || written.get_or_init(|| needs.resources_of(resource));
                    let from = self.made_from(change, written);
                    self.meet(change, resource, [own, go], is_last, &from, &mut between);
                }
            }
        }
    }

    /// The objects from which those of an instance were made, the old ones too: what is recorded of the current one. A
    /// refresh adds what is written now, and drops the rest where nothing else changes.
    fn made_from<'a>(
        &self,
        change: &Change,
        written: impl Fn() -> &'a BTreeSet<&'a str>,
    ) -> BTreeSet<&'a str>
    where
        'p: 'a,
    {
        let prior = self.facts.prior();
        let address = change.instance.address.as_str();
        let current = prior.slot(address).and_then(|slot| prior.object(slot.current?));
        let Some(object) = current else { return BTreeSet::new() };
        let recorded = object.dependencies.iter().map(|one| &**one);
        let action = self.facts.action(address).filter(|_| self.facts.refreshes());
        match action {
            None => recorded.collect(),
            Some(Action::NoOp) => written().clone(),
            Some(_) => recorded.chain(written().iter().copied()).collect(),
        }
    }

    /// The changes of each resource in an instance of its module, by its address without any key.
    fn groups(&self) -> Vec<(String, Range<usize>)> {
        let is_same = |a: &Change, b: &Change| {
            (a.path(), a.mode, &a.kind, &a.name) == (b.path(), b.mode, &b.kind, &b.name)
        };
        let mut groups: Vec<(String, Range<usize>)> = Vec::new();
        for group in self.changes.chunk_by(is_same) {
            let start = groups.last().map_or(0, |(_, range)| range.end);
            groups.push((whole(&group[0]), start..start + group.len()));
        }
        groups
    }

    /// Lets an object meet those that it was made from, and those that were made from it.
    fn meet(
        &mut self,
        change: &Change,
        resource: &str,
        [make, go]: [Option<u32>; 2],
        is_last: bool,
        made_from: &BTreeSet<&str>,
        between: &mut StepBarriers,
    ) {
        let object = self.object(change);
        let provider = object.map_or_else(|| change.provider().to_owned(), provider_of);
        let module = change.module();
        // As one of those that others were made from.
        for place in [(resource.to_owned(), None), (resource.to_owned(), Some(module.to_owned()))] {
            if let Some(go) = go {
                let gone = self.meeting(&mut between.gone, place.clone(), "");
                let made_from = self.meeting(&mut between.made_from, place.clone(), "");
                match is_last {
                    true => self.wait(go, made_from),
                    false => self.wait(gone, go),
                }
                let users = self.meeting(&mut between.users_gone, place.clone(), &provider);
                self.wait(go, users);
            }
            if let Some(make) = make {
                let users = self.meeting(&mut between.users_gone_first, place.clone(), &provider);
                self.wait(make, users);
                let made = self.meeting(&mut between.made, place, &provider);
                self.wait(made, make);
            }
        }
        // As one that was made from others.
        let own_module = without_keys(module);
        for from in made_from {
            // Instances of one module have nothing to do with each other.
            let is_same_module = module_and_rest(from).0 == own_module;
            let place = (from.to_string(), is_same_module.then(|| module.to_owned()));
            if let Some(make) = make {
                let gone = self.meeting(&mut between.gone, place.clone(), "");
                let made_from = self.meeting(&mut between.made_from, place.clone(), "");
                self.wait(make, gone);
                self.wait(made_from, make);
            }
            if let Some(go) = go {
                let users = self.meeting(&mut between.users_gone, place.clone(), &provider);
                self.wait(users, go);
                match is_last {
                    true => {
                        let made = self.meeting(&mut between.made, place, &provider);
                        self.wait(go, made);
                    }
                    false => {
                        let all = &mut between.users_gone_first;
                        let users = self.meeting(all, place, &provider);
                        self.wait(users, go);
                    }
                }
            }
        }
    }

    /// Steps of which each waits for the next and the last for the first, if there are such.
    fn ring(&self) -> Option<Vec<usize>> {
        let count = self.steps.len();
        let mut left = vec![0u32; count];
        let mut by_whom: Vec<(u32, u32)> = self.waits.iter().map(|(a, b)| (*b, *a)).collect();
        by_whom.sort_unstable();
        for (who, _) in &self.waits {
            left[*who as usize] += 1;
        }
        let mut ready: Vec<u32> = (0..count as u32).filter(|at| left[*at as usize] == 0).collect();
        let mut done = 0;
        while let Some(at) = ready.pop() {
            done += 1;
            let first = by_whom.partition_point(|(whom, _)| *whom < at);
            for (_, who) in by_whom[first..].iter().take_while(|(whom, _)| *whom == at) {
                left[*who as usize] -= 1;
                if left[*who as usize] == 0 {
                    ready.push(*who);
                }
            }
        }
        if done == count {
            return None;
        }
        // Each step that is left waits for another that is left.
        let mut next: BTreeMap<u32, u32> = BTreeMap::new();
        for (who, whom) in &self.waits {
            if left[*who as usize] > 0 && left[*whom as usize] > 0 {
                next.entry(*who).or_insert(*whom);
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

    fn text(&self, at: usize) -> Option<String> {
        let address = |number: usize| self.changes.get(number).map(|one| &one.instance.address);
        match self.steps.get(at)? {
            PlanStep::Make(number) => Some(format!("{} is created", address(*number)?)),
            PlanStep::Go(number) => {
                let change = self.changes.get(*number)?;
                let address = &change.instance.address;
                Some(match (&change.deposed, change.action.leaves()) {
                    (Some(key), _) => format!("{address} (deposed {}) is destroyed", &**key),
                    (None, true) => format!("the replaced object of {address} is destroyed"),
                    (None, false) if change.action == Action::Forget => {
                        format!("{address} is forgotten")
                    }
                    (None, false) => format!("{address} is destroyed"),
                })
            }
            PlanStep::Between => None,
        }
    }
}

/// The address of the resource of a change, without any key.
fn whole(change: &Change) -> String {
    let modules = without_keys(change.module());
    let own = format!("{}{}.{}", change.mode.prefix(), &*change.kind, &*change.name);
    if modules.is_empty() { own } else { format!("{modules}.{own}") }
}

/// The configuration of a provider that an object belongs to, as text.
fn provider_of(object: &RecordedInstance) -> String {
    let StateProvider { modules, source, alias } = &object.entry.provider;
    let mut text = source.clone();
    for part in modules.iter().chain(alias) {
        text.push(' ');
        text.push_str(part);
    }
    text
}
