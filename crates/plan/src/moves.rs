//! Following `moved` blocks through what is recorded, before anything is planned. A block of a child module speaks of
//! every instance of that module. Nothing moves to where something is: it stays, and that is said.

use std::collections::{BTreeMap, BTreeSet};

use groma_folder::{Key, Mode, ResourceTarget, Target};
use groma_module::declare::Repetition;
use groma_project::{ModuleNode, Project};
use groma_runtime::Dialect;
use groma_syntax::{Diagnostic, Diagnostics};
use groma_value::Str;

use crate::codes;
use crate::moved::{self, Move};
use crate::prior::{Modules, Slot, Slots};

/// So many are named in a sentence.
const NAMED: usize = 10;

/// Moves what is recorded to where the configuration looks for it.
pub(crate) fn follow(project: &Project, slots: &mut Slots, out: &mut Diagnostics) {
    let written = moved::collect(project);
    let mut moves: Vec<Step> = written.iter().map(Step::of).collect();
    let implied = implied(project, slots, &moves);
    for one in implied.iter().filter(|one| one.extent == Extent::Module) {
        let mut all = written.iter().zip(&moves);
        let meets =
            |known: &Step| known.extent == one.extent && known.end(&known.to) == one.end(&one.to);
        if let Some((other, _)) = all.find(|(_, known)| meets(known)) {
            let detail = format!(
                "{} moves to {} by itself, as how often the module is called has changed, and nothing else can go there too. Say with a moved block of its own where it goes.",
                one.from, one.to
            );
            out.push(Diagnostic::error(&codes::AMBIGUOUS_MOVE, detail).at(other.place));
        }
    }
    moves.extend(implied);
    let mut blocked = BTreeMap::new();
    for at in ordered(&moves) {
        moves[at].apply(slots, &mut blocked);
    }
    if blocked.is_empty() {
        return;
    }
    let count = blocked.len();
    let mut named: Vec<String> =
        blocked.iter().take(NAMED).map(|(from, to)| format!("{from} to {to}")).collect();
    if count > NAMED {
        named.push(format!("{} more", count - NAMED));
    }
    let detail = format!(
        "Something is recorded where these would move, so they stay where they are: {}. Remove or move what is there, or remove the moved blocks.",
        named.join(", ")
    );
    out.push(Diagnostic::warning(&codes::MOVE_BLOCKED, detail));
}

/// Where these addresses of resources lead once the moves of a project are followed, in the same order. Each stands for
/// something that is there.
pub fn followed(project: &Project, targets: &[Target]) -> Vec<Target> {
    let mut slots = Slots::new();
    for (at, target) in targets.iter().enumerate() {
        let Target { modules, resource: Some(resource) } = target else { continue };
        let slot = Slot { current: Some(at), ..Slot::default() };
        slots.entry(modules.clone()).or_default().insert(resource.clone(), slot);
    }
    // What is wrong with the moves is said where they are planned.
    follow(project, &mut slots, &mut Diagnostics::new());
    let mut found = targets.to_vec();
    for (modules, inner) in slots {
        for (resource, slot) in inner {
            if let Some(target) = slot.current.and_then(|at| found.get_mut(at)) {
                *target = Target { modules: modules.clone(), resource: Some(resource) };
            }
        }
    }
    found
}

/// A part of the address of a module.
type Way<'m> = &'m [(Str, Key)];

/// What moves together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// Every instance of a module call, with its key.
    Call,
    /// One instance of a module.
    Module,
    /// Every instance of a resource, with its key.
    Resource,
    /// One instance of a resource.
    Instance,
}

/// One move.
struct Step {
    /// The names of the calls that lead to the module it is said in, of which every instance is meant.
    path: Vec<Str>,
    from: Target,
    to: Target,
    extent: Extent,
}

impl Step {
    fn of(one: &Move) -> Step {
        let extent = match (&one.from.resource, one.is_of_one()) {
            (Some(_), true) => Extent::Instance,
            (Some(_), false) => Extent::Resource,
            (None, true) => Extent::Module,
            (None, false) => Extent::Call,
        };
        Step { path: one.path.clone(), from: one.from.clone(), to: one.to.clone(), extent }
    }

    /// The part of a module's address below which this speaks, if the address begins with it.
    fn around<'m>(&self, modules: &'m Modules) -> Option<(Way<'m>, Way<'m>)> {
        let (outer, inner) = modules.split_at_checked(self.path.len())?;
        let is_meant = outer.iter().zip(&self.path).all(|((name, _), known)| name == known);
        is_meant.then_some((outer, inner))
    }

    /// Where a module goes, if it does.
    fn module(&self, modules: &Modules) -> Option<Modules> {
        let (outer, inner) = self.around(modules)?;
        let (head, rest) = inner.split_at_checked(self.from.modules.len())?;
        let ((name, key), before) = head.split_last()?;
        let ((own, own_key), own_before) = self.from.modules.split_last()?;
        let fits = name == own && before == own_before;
        let mut to = self.to.modules.clone();
        match self.extent {
            Extent::Call if fits => to.last_mut()?.1 = key.clone(),
            Extent::Module if fits && key == own_key => {}
            _ => return None,
        }
        Some(outer.iter().cloned().chain(to).chain(rest.iter().cloned()).collect())
    }

    /// Where the module of a resource that goes lies before and after.
    fn modules(&self, modules: &Modules) -> Option<Modules> {
        let (outer, inner) = self.around(modules)?;
        let fits = inner == self.from.modules;
        fits.then(|| outer.iter().cloned().chain(self.to.modules.iter().cloned()).collect())
    }

    fn apply(&self, slots: &mut Slots, blocked: &mut BTreeMap<Target, Target>) {
        if matches!(self.extent, Extent::Call | Extent::Module) {
            let all: Vec<(Modules, Modules)> = slots
                .keys()
                .filter_map(|modules| Some((modules.clone(), self.module(modules)?)))
                .collect();
            for (from, to) in all.into_iter().filter(|(from, to)| from != to) {
                let is_free = slots.get(&to).is_none_or(BTreeMap::is_empty);
                if !is_free {
                    let target = |modules| Target { modules, resource: None };
                    blocked.insert(target(from), target(to));
                    continue;
                }
                let Some(moving) = slots.remove(&from) else { continue };
                let there = slots.entry(to).or_default();
                for (resource, mut slot) in moving {
                    slot.moves_from(&from, &resource);
                    there.insert(resource, slot);
                }
            }
            return;
        }
        let (Some(from), Some(to)) = (&self.from.resource, &self.to.resource) else { return };
        let all: Vec<(Modules, Modules)> = slots
            .keys()
            .filter_map(|modules| Some((modules.clone(), self.modules(modules)?)))
            .collect();
        for (before, after) in all {
            let keys = self.keys(&before, from, slots);
            if keys.is_empty() || before == after && from == to {
                continue;
            }
            let is_taken = match self.extent {
                Extent::Instance => slots.get(&after).is_some_and(|all| all.contains_key(to)),
                _ => !self.keys(&after, to, slots).is_empty(),
            };
            for key in keys {
                let old = ResourceTarget { key: key.clone(), ..from.clone() };
                let key = if self.extent == Extent::Instance { to.key.clone() } else { key };
                let new = ResourceTarget { key, ..to.clone() };
                if is_taken {
                    let target = |modules: &Modules, resource: ResourceTarget| Target {
                        modules: modules.clone(),
                        resource: Some(resource),
                    };
                    blocked.insert(target(&before, old), target(&after, new));
                    continue;
                }
                let Some(there) = slots.get_mut(&before) else { continue };
                let Some(mut slot) = there.remove(&old) else { continue };
                if there.is_empty() {
                    slots.remove(&before);
                }
                slot.moves_from(&before, &old);
                slots.entry(after.clone()).or_default().insert(new, slot);
            }
        }
    }

    /// The keys of what goes.
    fn keys(&self, modules: &Modules, resource: &ResourceTarget, slots: &Slots) -> Vec<Key> {
        let Some(all) = slots.get(modules) else { return Vec::new() };
        if self.extent == Extent::Instance {
            return all.contains_key(resource).then(|| resource.key.clone()).into_iter().collect();
        }
        keys_of(all, resource).cloned().collect()
    }

    /// The address of an end with the names of all modules; those that stand for any instance have none of the keys.
    fn end(&self, target: &Target) -> Vec<Segment> {
        let outer = self.path.iter().map(|name| Segment::Module(name.clone(), None));
        let last = target.modules.len();
        let inner = target.modules.iter().enumerate().map(|(at, (name, key))| {
            let is_open = self.extent == Extent::Call && at + 1 == last;
            Segment::Module(name.clone(), (!is_open).then(|| key.clone()))
        });
        let own = target.resource.iter().map(|resource| {
            let key = (self.extent != Extent::Resource).then(|| resource.key.clone());
            let whole = ResourceTarget { key: Key::None, ..resource.clone() };
            Segment::Resource(whole, key)
        });
        outer.chain(inner).chain(own).collect()
    }
}

/// The keys that are recorded of a resource, by any of its instances.
pub(crate) fn keys_of<'s, T>(
    all: &'s BTreeMap<ResourceTarget, T>,
    resource: &ResourceTarget,
) -> impl Iterator<Item = &'s Key> {
    let first = ResourceTarget { key: Key::None, ..resource.clone() };
    let is_same = move |one: &ResourceTarget, first: &ResourceTarget| {
        one.mode == first.mode && one.kind == first.kind && one.name == first.name
    };
    let start = first.clone();
    all.range(start..).take_while(move |(one, _)| is_same(one, &first)).map(|(one, _)| &one.key)
}

/// One step of an address; without a key it stands for every instance.
#[derive(PartialEq)]
enum Segment {
    Module(Str, Option<Key>),
    Resource(ResourceTarget, Option<Key>),
}

impl Segment {
    fn meets(&self, other: &Segment) -> bool {
        let alike = |a: &Option<Key>, b: &Option<Key>| a.is_none() || b.is_none() || a == b;
        match (self, other) {
            (Segment::Module(a, k), Segment::Module(b, l)) => a == b && alike(k, l),
            (Segment::Resource(a, k), Segment::Resource(b, l)) => a == b && alike(k, l),
            _ => false,
        }
    }
}

/// Whether one address is the other, or lies in it.
fn is_within(inner: &[Segment], outer: &[Segment]) -> bool {
    inner.len() >= outer.len() && inner.iter().zip(outer).all(|(a, b)| a.meets(b))
}

/// The moves in the order in which they are followed: what comes to a place before what leaves it, and what lies inside
/// of something before that itself.
fn ordered(moves: &[Step]) -> Vec<usize> {
    let ends: Vec<(Vec<Segment>, Vec<Segment>)> =
        moves.iter().map(|one| (one.end(&one.from), one.end(&one.to))).collect();
    // Only moves that share a name at their root can have to do with each other.
    let root = |end: &[Segment]| match end.first() {
        Some(Segment::Module(name, _)) => format!("module.{}", &**name),
        Some(Segment::Resource(resource, _)) => format!("{}.{}", &*resource.kind, &*resource.name),
        None => String::new(),
    };
    let mut by_root: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    for (at, (from, to)) in ends.iter().enumerate() {
        by_root.entry(root(from)).or_default().insert(at);
        by_root.entry(root(to)).or_default().insert(at);
    }
    let is_before = |a: usize, b: usize| {
        let ((a_from, a_to), (b_from, b_to)) = (&ends[a], &ends[b]);
        is_within(b_from, a_to)
            || is_within(a_to, b_from)
            || a_from.len() > b_from.len() && is_within(a_from, b_from)
            || b_to.len() > a_to.len() && is_within(b_to, a_to)
    };
    let mut after: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); moves.len()];
    let mut waits = vec![0usize; moves.len()];
    for group in by_root.values() {
        for &a in group {
            for &b in group {
                if a != b && is_before(a, b) && !is_before(b, a) && after[a].insert(b) {
                    waits[b] += 1;
                }
            }
        }
    }
    let mut ready: BTreeSet<usize> = (0..moves.len()).filter(|at| waits[*at] == 0).collect();
    let mut order = Vec::with_capacity(moves.len());
    while let Some(at) = ready.pop_first() {
        order.push(at);
        for next in &after[at] {
            waits[*next] -= 1;
            if waits[*next] == 0 {
                ready.insert(*next);
            }
        }
    }
    // Those in a ring are refused elsewhere.
    let done: BTreeSet<usize> = order.iter().copied().collect();
    order.extend((0..moves.len()).filter(|at| !done.contains(at)));
    order
}

/// Moves that nobody has to write: between a single instance and the first of a count.
fn implied(project: &Project, slots: &Slots, explicit: &[Step]) -> Vec<Step> {
    let mut found = Vec::new();
    for (modules, resources) in slots {
        let mut seen = BTreeSet::new();
        if project.edition().dialect == Dialect::OpenTofu {
            implied_modules(project, modules, slots, explicit, &mut found);
        }
        let Some(node) = node(project.tree(), modules) else { continue };
        for target in resources.keys() {
            let whole = ResourceTarget { key: Key::None, ..target.clone() };
            if target.mode != Mode::Managed || !seen.insert(whole.clone()) {
                continue;
            }
            let declared = node.module().resources.iter().find(|one| {
                one.mode == whole.mode && one.kind == whole.kind && one.name == whole.name
            });
            let Some(declared) = declared else { continue };
            let (from, to) = match declared.repetition {
                Repetition::Count(_) => (Key::None, Key::Number(0)),
                Repetition::Single | Repetition::Enabled(_) => (Key::Number(0), Key::None),
                Repetition::Each(_) => continue,
            };
            let end = |key: &Key| Target {
                modules: modules.clone(),
                resource: Some(ResourceTarget { key: key.clone(), ..whole.clone() }),
            };
            let is_there =
                resources.contains_key(&ResourceTarget { key: from.clone(), ..whole.clone() });
            if is_there && !is_mentioned(modules, &whole, explicit) {
                found.push(Step {
                    path: Vec::new(),
                    from: end(&from),
                    to: end(&to),
                    extent: Extent::Instance,
                });
            }
        }
    }
    found
}

/// The same for the instances of a module call.
fn implied_modules(
    project: &Project,
    modules: &Modules,
    slots: &Slots,
    explicit: &[Step],
    found: &mut Vec<Step>,
) {
    for depth in 1..=modules.len() {
        let (inner, outer) = (&modules[..depth], &modules[..depth - 1]);
        let Some((name, key)) = inner.last() else { continue };
        let Some(node) = node(project.tree(), outer) else { continue };
        let Some(call) = node.module().call(name) else { continue };
        let to = match (&call.repetition, key) {
            (Repetition::Count(_), Key::None) => Key::Number(0),
            (Repetition::Single | Repetition::Enabled(_), Key::Number(0)) => Key::None,
            _ => continue,
        };
        let end = |key: Key| Target {
            modules: outer.iter().cloned().chain([(name.clone(), key)]).collect(),
            resource: None,
        };
        let (from, to) = (end(key.clone()), end(to));
        let is_known = found.iter().any(|one| one.from == from);
        let is_said = explicit.iter().any(|one| {
            let depth = inner.len().checked_sub(one.path.len());
            depth.and_then(|depth| one.from.modules.get(..depth)).is_some_and(|from| {
                let path = one.path.iter();
                path.eq(inner.iter().map(|(name, _)| name).take(one.path.len()))
                    && inner[one.path.len()..] == *from
                    && (one.extent != Extent::Call || from.len() < one.from.modules.len())
            })
        });
        if !is_known && !is_said && slots.contains_key(modules) {
            found.push(Step { path: Vec::new(), from, to, extent: Extent::Module });
        }
    }
}

/// Whether some move speaks of a resource, of whichever instance.
fn is_mentioned(modules: &Modules, resource: &ResourceTarget, moves: &[Step]) -> bool {
    moves.iter().any(|one| {
        [&one.from, &one.to].into_iter().any(|end| {
            let names = one.path.iter().chain(end.modules.iter().map(|(name, _)| name));
            let is_here = names.eq(modules.iter().map(|(name, _)| name));
            let whole =
                end.resource.as_ref().map(|own| ResourceTarget { key: Key::None, ..own.clone() });
            is_here && whole.as_ref() == Some(resource)
        })
    })
}

/// The module that calls lead to, whatever their keys.
pub(crate) fn node<'p>(mut node: ModuleNode<'p>, modules: &[(Str, Key)]) -> Option<ModuleNode<'p>> {
    for (name, _) in modules {
        let call = node.module().calls.iter().position(|call| call.name == *name)?;
        node = node.child(call)?;
    }
    Some(node)
}
