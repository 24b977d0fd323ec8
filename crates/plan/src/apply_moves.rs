//! Applies `moved` blocks to the recorded state before planning. A block of a child module applies to every instance of that
//! module. Nothing moves onto an address that is taken: the object stays and a warning is reported.

use std::collections::{BTreeMap, BTreeSet};

use groma_config::{
    AddressPattern, InstanceAddress, InstanceKey, ModuleAddress, ResourceMode, ResourceTarget,
    first_of,
};
use groma_module::declare::Repetition;
use groma_project::{ModuleNode, Project};
use groma_syntax::{Diagnostic, Diagnostics, Place};
use groma_value::Str;

use crate::check_moves::{self, MovedEntry};
use crate::codes;
use crate::precedence::{self, AddressSegment};
use crate::prior::{MovingInstances, MovingObjects};

/// Maximum number of moves that a diagnostic about blocked moves lists; further ones are counted.
const MAX_LISTED: usize = 10;

/// Moves recorded objects to their new addresses, by explicit and implicit moves; returns the diagnostic for moves that form a
/// cycle, if any.
pub(crate) fn follow(
    project: &Project,
    instances: &mut MovingInstances,
    out: &mut Diagnostics,
) -> Option<Diagnostic> {
    let written = check_moves::collect(project);
    let mut moves: Vec<MoveStep> = written.iter().map(MoveStep::of).collect();
    let implied = implied(project, instances, &moves);
    let mut goals = BTreeMap::new();
    for (written, one) in
        written.iter().zip(&moves).filter(|(_, one)| one.extent == MoveExtent::Module)
    {
        goals.entry(one.end(&one.to)).or_insert(written);
    }
    for one in implied.iter().filter(|one| one.extent == MoveExtent::Module) {
        if let Some(other) = goals.get(&one.end(&one.to)) {
            let detail = format!(
                "{} moves to {} automatically because the repetition of the module call has changed, and nothing else can move there. Add a moved block for it.",
                one.from, one.to
            );
            let place = call_place(project, &one.from).unwrap_or(other.place);
            let twice = Diagnostic::error(&codes::AMBIGUOUS_MOVE, detail).at(place);
            out.push(twice.note_at("This is the moved block.", other.place));
        }
    }
    moves.extend(implied);
    // A move that is written twice is applied once.
    let mut seen = BTreeSet::new();
    let moves: Vec<&MoveStep> =
        moves.iter().filter(|one| seen.insert((&one.path, &one.from, &one.to))).collect();
    let ends: Vec<_> = moves.iter().map(|one| one.ends()).collect();
    let mut blocked = BTreeMap::new();
    for at in precedence::ordered(&ends) {
        moves[at].apply(instances, &mut blocked);
    }
    if blocked.is_empty() {
        return None;
    }
    let named: Vec<String> = blocked.iter().map(|(from, to)| format!("{from} to {to}")).collect();
    let detail = format!(
        "These cannot move because the state has objects at their new addresses: {}. Remove or move those objects, or remove the moved blocks.",
        first_of(&named, ", ", MAX_LISTED)
    );
    Some(Diagnostic::warning(&codes::MOVE_BLOCKED, detail))
}

/// Returns the source range of the module call that creates the instances of a module; `None` if it is not declared.
fn call_place(project: &Project, module: &AddressPattern) -> Option<Place> {
    let ((name, _), outer) = module.modules.split_last()?;
    Some(node(project.tree(), outer)?.module().call(name)?.place)
}

/// Returns the first `moved` block of a cycle of moves, if there is one. Moves of different modules only interact where one ends
/// at the start of another.
pub(crate) fn first_in_cycle(moves: &[MovedEntry]) -> Option<&MovedEntry> {
    let steps: Vec<_> = moves.iter().map(|one| MoveStep::of(one).ends()).collect();
    let whole: Vec<_> = moves.iter().map(MovedEntry::ends).collect();
    let interact = |a: usize, b: usize| moves[a].path == moves[b].path || whole[a].1 == whole[b].0;
    moves.get(precedence::first_in_cycle(&steps, interact)?)
}

/// Returns true if a project contains `moved` blocks. Implicit moves, such as adding or removing `count`, are not included.
pub fn has_moves(project: &Project) -> bool {
    !check_moves::collect(project).is_empty()
}

/// Returns the addresses of these resource instances after all moves of a project, in the same order, as if an object existed at
/// each.
pub fn followed(project: &Project, targets: &[InstanceAddress]) -> Vec<InstanceAddress> {
    let mut instances = MovingInstances::new();
    for (at, target) in targets.iter().enumerate() {
        let objects = MovingObjects { current: Some(at), ..MovingObjects::default() };
        instances.entry(target.module().clone()).or_default().insert(target.target(), objects);
    }
    // Faults in the moves themselves are reported by the plan.
    follow(project, &mut instances, &mut Diagnostics::new());
    let mut found = targets.to_vec();
    for (modules, inner) in instances {
        for (resource, moving) in inner {
            if let Some(target) = moving.current.and_then(|at| found.get_mut(at)) {
                *target = InstanceAddress::new(modules.clone(), resource);
            }
        }
    }
    found
}

/// Consecutive steps of a module address: the name of each module call with the instance key.
type ModuleSteps<'m> = &'m [(Str, InstanceKey)];

/// The kind of address that a move relocates: all instances of a module call or of a resource, or a single instance.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MoveExtent {
    /// Every instance of a module call; each keeps its instance key.
    Call,
    /// One instance of a module.
    Module,
    /// Every instance of a resource; each keeps its instance key.
    Resource,
    /// One instance of a resource.
    Instance,
}

/// A single move, explicit or implicit, in the module that contains it.
struct MoveStep {
    /// The names of the calls that lead to the module containing the block; it applies to every instance of that module.
    path: Vec<Str>,
    from: AddressPattern,
    to: AddressPattern,
    extent: MoveExtent,
}

impl MoveStep {
    /// Returns the move that a `moved` block describes.
    fn of(one: &MovedEntry) -> MoveStep {
        let extent = match (&one.from.resource, one.is_of_one()) {
            (Some(_), true) => MoveExtent::Instance,
            (Some(_), false) => MoveExtent::Resource,
            (None, true) => MoveExtent::Module,
            (None, false) => MoveExtent::Call,
        };
        MoveStep { path: one.path.clone(), from: one.from.clone(), to: one.to.clone(), extent }
    }

    /// Splits a module address after the module that contains the move; `None` if the address lies outside of that module.
    fn split_address<'m>(
        &self,
        modules: &'m ModuleAddress,
    ) -> Option<(ModuleSteps<'m>, ModuleSteps<'m>)> {
        let (outer, inner) = modules.split_at_checked(self.path.len())?;
        let is_meant = outer.iter().zip(&self.path).all(|((name, _), known)| name == known);
        is_meant.then_some((outer, inner))
    }

    /// Returns the new address of a module instance, if the move relocates it.
    fn module(&self, modules: &ModuleAddress) -> Option<ModuleAddress> {
        let (outer, inner) = self.split_address(modules)?;
        let (head, rest) = inner.split_at_checked(self.from.modules.len())?;
        let ((name, key), before) = head.split_last()?;
        let ((own, own_key), own_before) = self.from.modules.split_last()?;
        let fits = name == own && before == own_before;
        let mut to = self.to.modules.to_vec();
        match self.extent {
            MoveExtent::Call if fits => to.last_mut()?.1 = key.clone(),
            MoveExtent::Module if fits && key == own_key => {}
            _ => return None,
        }
        Some(outer.iter().cloned().chain(to).chain(rest.iter().cloned()).collect())
    }

    /// Returns the new module address of a resource in the module instance `modules`, if the move relocates resources from there.
    fn modules(&self, modules: &ModuleAddress) -> Option<ModuleAddress> {
        let (outer, inner) = self.split_address(modules)?;
        let fits = *inner == *self.from.modules;
        fits.then(|| outer.iter().cloned().chain(self.to.modules.iter().cloned()).collect())
    }

    /// Returns the module instances with recorded objects that the move may affect.
    fn affected_modules<'s>(
        &self,
        instances: &'s MovingInstances,
    ) -> impl Iterator<Item = &'s ModuleAddress> + use<'s> {
        let from = &self.from.modules;
        let (prefix, name): (ModuleAddress, Option<Str>) =
            match (self.path.first(), from.split_last()) {
                // The move applies to every instance of the module.
                (Some(name), _) => (ModuleAddress::ROOT, Some(name.clone())),
                (None, Some(((name, _), outer))) if self.extent == MoveExtent::Call => {
                    (outer.iter().cloned().collect(), Some(name.clone()))
                }
                _ => (from.clone(), None),
            };
        let exact = self.path.is_empty() && self.from.resource.is_some();
        let first = name.iter().map(|name| (name.clone(), InstanceKey::None));
        let start: ModuleAddress = prefix.iter().cloned().chain(first).collect();
        let is_meant = move |modules: &ModuleAddress| {
            modules.starts_with(&prefix)
                && name.as_ref().is_none_or(|name| {
                    modules.get(prefix.len()).is_some_and(|(known, _)| known == name)
                })
                && (!exact || modules.len() == prefix.len())
        };
        instances.range(start..).map(|(modules, _)| modules).take_while(move |one| is_meant(one))
    }

    /// Applies the move to the recorded objects; `blocked` collects source and target of each move whose target address is taken.
    fn apply(
        &self,
        instances: &mut MovingInstances,
        blocked: &mut BTreeMap<AddressPattern, AddressPattern>,
    ) {
        if matches!(self.extent, MoveExtent::Call | MoveExtent::Module) {
            let all: Vec<(ModuleAddress, ModuleAddress)> = self
                .affected_modules(instances)
                .filter_map(|modules| Some((modules.clone(), self.module(modules)?)))
                .collect();
            for (from, to) in all.into_iter().filter(|(from, to)| from != to) {
                let is_free = instances.get(&to).is_none_or(BTreeMap::is_empty);
                if !is_free {
                    let target = |modules| AddressPattern { modules, resource: None };
                    blocked.insert(target(from), target(to));
                    continue;
                }
                let Some(module) = instances.remove(&from) else { continue };
                let there = instances.entry(to).or_default();
                for (resource, mut moving) in module {
                    moving.record_origin(&from, &resource);
                    there.insert(resource, moving);
                }
            }
            return;
        }
        let (Some(from), Some(to)) = (&self.from.resource, &self.to.resource) else { return };
        let all: Vec<(ModuleAddress, ModuleAddress)> = self
            .affected_modules(instances)
            .filter_map(|modules| Some((modules.clone(), self.modules(modules)?)))
            .collect();
        for (before, after) in all {
            let keys = self.keys(&before, from, instances);
            if keys.is_empty() || before == after && from == to {
                continue;
            }
            let is_taken = match self.extent {
                MoveExtent::Instance => {
                    instances.get(&after).is_some_and(|all| all.contains_key(to))
                }
                _ => !self.keys(&after, to, instances).is_empty(),
            };
            for key in keys {
                let old = ResourceTarget { key: key.clone(), ..from.clone() };
                let key = if self.extent == MoveExtent::Instance { to.key.clone() } else { key };
                let new = ResourceTarget { key, ..to.clone() };
                if is_taken {
                    let target = |modules: &ModuleAddress, resource: ResourceTarget| {
                        AddressPattern { modules: modules.clone(), resource: Some(resource) }
                    };
                    blocked.insert(target(&before, old), target(&after, new));
                    continue;
                }
                let Some(there) = instances.get_mut(&before) else { continue };
                let Some(mut moving) = there.remove(&old) else { continue };
                if there.is_empty() {
                    instances.remove(&before);
                }
                moving.record_origin(&before, &old);
                instances.entry(after.clone()).or_default().insert(new, moving);
            }
        }
    }

    /// Returns the keys of those recorded instances of `resource` in a module instance that the move applies to.
    fn keys(
        &self,
        modules: &ModuleAddress,
        resource: &ResourceTarget,
        instances: &MovingInstances,
    ) -> Vec<InstanceKey> {
        let Some(all) = instances.get(modules) else { return Vec::new() };
        if self.extent == MoveExtent::Instance {
            return all.contains_key(resource).then(|| resource.key.clone()).into_iter().collect();
        }
        keys_of(all, resource).cloned().collect()
    }

    /// Returns the source and the target of the move, as address segments.
    fn ends(&self) -> (Vec<AddressSegment>, Vec<AddressSegment>) {
        (self.end(&self.from), self.end(&self.to))
    }

    /// Returns `target`, the source or the target of the move, as segments of the address from the root module. Steps that
    /// stand for any instance have no key.
    fn end(&self, target: &AddressPattern) -> Vec<AddressSegment> {
        let outer = self.path.iter().map(|name| AddressSegment::Module(name.clone(), None));
        let last = target.modules.len();
        let inner = target.modules.iter().enumerate().map(|(at, (name, key))| {
            let is_open = self.extent == MoveExtent::Call && at + 1 == last;
            AddressSegment::Module(name.clone(), (!is_open).then(|| key.clone()))
        });
        let own = target.resource.iter().map(|resource| {
            let key = (self.extent != MoveExtent::Resource).then(|| resource.key.clone());
            let whole = ResourceTarget { key: InstanceKey::None, ..resource.clone() };
            AddressSegment::Resource(whole, key)
        });
        outer.chain(inner).chain(own).collect()
    }
}

/// Returns the keys of all recorded instances of a resource.
pub(crate) fn keys_of<'s, T>(
    all: &'s BTreeMap<ResourceTarget, T>,
    resource: &ResourceTarget,
) -> impl Iterator<Item = &'s InstanceKey> {
    let first = ResourceTarget { key: InstanceKey::None, ..resource.clone() };
    let is_same = move |one: &ResourceTarget, first: &ResourceTarget| {
        one.mode == first.mode && one.kind == first.kind && one.name == first.name
    };
    let start = first.clone();
    all.range(start..).take_while(move |(one, _)| is_same(one, &first)).map(|(one, _)| &one.key)
}

/// An index of the addresses that explicit moves start or end at.
#[derive(Default)]
struct MoveIndex<'m> {
    /// Resources: the module path of the block, and the module address and resource relative to it.
    resources: BTreeSet<(Vec<&'m Str>, ModuleSteps<'m>, ResourceTarget)>,
    /// Module instances, and those around resources: the module path of the block and the address relative to it. An entry does
    /// not cover the modules around it.
    modules: BTreeSet<(Vec<&'m Str>, ModuleSteps<'m>)>,
    /// Module calls with all their instances: the module path of the block, the address relative to it, and the name of the
    /// call.
    calls: BTreeSet<(Vec<&'m Str>, ModuleSteps<'m>, &'m Str)>,
}

impl<'m> MoveIndex<'m> {
    /// Returns an index of the addresses at which these moves start or end.
    fn of(moves: &'m [MoveStep]) -> MoveIndex<'m> {
        let mut said = MoveIndex::default();
        for one in moves {
            let path: Vec<&Str> = one.path.iter().collect();
            for end in [&one.from, &one.to] {
                if let Some(resource) = &end.resource {
                    said.resources.insert((path.clone(), &end.modules, whole(resource)));
                }
                match (end.modules.split_last(), one.extent) {
                    (Some(((name, _), outer)), MoveExtent::Call) => {
                        said.calls.insert((path.clone(), outer, name));
                    }
                    _ => {
                        said.modules.insert((path.clone(), &*end.modules));
                    }
                }
            }
        }
        said
    }

    /// Returns true if an explicit move starts or ends at this resource in this module instance, or at an instance of the
    /// resource.
    fn names_resource(&self, modules: &'m [(Str, InstanceKey)], whole: &ResourceTarget) -> bool {
        (0..=modules.len()).any(|split| {
            let (path, inner) = modules.split_at(split);
            let path = path.iter().map(|(name, _)| name).collect();
            self.resources.contains(&(path, inner, whole.clone()))
        })
    }

    /// Returns true if an explicit move starts or ends at this module instance, at a resource in it, or at all instances of its
    /// call.
    fn names_module(&self, modules: &'m [(Str, InstanceKey)]) -> bool {
        (0..=modules.len()).any(|split| {
            let (path, inner) = modules.split_at(split);
            let path: Vec<&Str> = path.iter().map(|(name, _)| name).collect();
            let is_call = inner.split_last().is_some_and(|((name, _), outer)| {
                self.calls.contains(&(path.clone(), outer, name))
            });
            is_call || self.modules.contains(&(path, inner))
        })
    }
}

/// Returns the address of a resource, given that of one of its instances.
fn whole(resource: &ResourceTarget) -> ResourceTarget {
    ResourceTarget { key: InstanceKey::None, ..resource.clone() }
}

/// Returns the implicit moves of resources, and in some editions of modules, that no `explicit` move names: from a single
/// instance to the first instance of a `count`, or the reverse.
fn implied(project: &Project, instances: &MovingInstances, explicit: &[MoveStep]) -> Vec<MoveStep> {
    let mut found = Vec::new();
    let mut moved = BTreeSet::new();
    let said = MoveIndex::of(explicit);
    let moves_modules = project.conventions().modules_move_implicitly;
    for (modules, resources) in instances {
        if moves_modules {
            for one in implied_modules(project, modules, &said) {
                if moved.insert(one.from.clone()) {
                    found.push(one);
                }
            }
        }
        let Some(node) = node(project.tree(), modules) else { continue };
        let mut rest = resources.keys().peekable();
        while let Some(target) = rest.next() {
            let whole = whole(target);
            // The instances of one resource are adjacent.
            let is_other = |next: &&ResourceTarget| {
                next.mode == whole.mode && next.kind == whole.kind && next.name == whole.name
            };
            while rest.next_if(is_other).is_some() {}
            if target.mode != ResourceMode::Managed {
                continue;
            }
            let at = node.module().resource_position(target.mode, &target.kind, &target.name);
            let Some(declared) = at.map(|at| &node.module().resources[at]) else { continue };
            let (from, to) = match declared.repetition {
                Repetition::Count(_) => (InstanceKey::None, InstanceKey::Number(0)),
                Repetition::Single | Repetition::Enabled(_) => {
                    (InstanceKey::Number(0), InstanceKey::None)
                }
                Repetition::Each(_) => continue,
            };
            let end = |key: &InstanceKey| AddressPattern {
                modules: modules.clone(),
                resource: Some(ResourceTarget { key: key.clone(), ..whole.clone() }),
            };
            let is_there =
                resources.contains_key(&ResourceTarget { key: from.clone(), ..whole.clone() });
            if is_there && !said.names_resource(modules, &whole) {
                found.push(MoveStep {
                    path: Vec::new(),
                    from: end(&from),
                    to: end(&to),
                    extent: MoveExtent::Instance,
                });
            }
        }
    }
    found
}

/// Returns the implicit moves of the module instances on the way to `modules`, except those that an explicit move in `said`
/// names: from a single instance to the first instance of a `count`, or the reverse.
fn implied_modules<'m>(
    project: &Project,
    modules: &'m ModuleAddress,
    said: &MoveIndex<'m>,
) -> Vec<MoveStep> {
    let mut found = Vec::new();
    for depth in 1..=modules.len() {
        let (inner, outer) = (&modules[..depth], &modules[..depth - 1]);
        let Some((name, key)) = inner.last() else { continue };
        let Some(node) = node(project.tree(), outer) else { continue };
        let Some(call) = node.module().call(name) else { continue };
        let to = match (&call.repetition, key) {
            (Repetition::Count(_), InstanceKey::None) => InstanceKey::Number(0),
            (Repetition::Single | Repetition::Enabled(_), InstanceKey::Number(0)) => {
                InstanceKey::None
            }
            _ => continue,
        };
        if said.names_module(inner) {
            continue;
        }
        let end = |key: InstanceKey| AddressPattern {
            modules: outer.iter().cloned().chain([(name.clone(), key)]).collect(),
            resource: None,
        };
        let (from, to) = (end(key.clone()), end(to));
        found.push(MoveStep { path: Vec::new(), from, to, extent: MoveExtent::Module });
    }
    found
}

/// Returns the module node reached by a list of calls, ignoring their keys; `None` if a call is not declared or its module is
/// missing.
pub(crate) fn node<'p>(
    mut node: ModuleNode<'p>,
    modules: &[(Str, InstanceKey)],
) -> Option<ModuleNode<'p>> {
    for (name, _) in modules {
        node = node.child(node.module().call_position(name)?)?;
    }
    Some(node)
}
