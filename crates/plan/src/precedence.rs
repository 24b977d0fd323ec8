//! The order in which moves are applied: those that end at an address before those that start there, and inner addresses before
//! the outer ones that contain them. Only moves with related addresses are compared, so the cost depends on the number of such
//! pairs.

use std::collections::{BTreeMap, BTreeSet};

use groma_config::{InstanceKey, ResourceTarget};
use groma_value::Str;

/// One segment of a move's address: a module call or a resource, with its instance key; without one it stands for all instances.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum AddressSegment {
    Module(Str, Option<InstanceKey>),
    /// A resource, with the key of its instance, if any.
    Resource(ResourceTarget, Option<InstanceKey>),
}

/// The name of an address segment, without its key.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum SegmentName<'p> {
    Module(&'p Str),
    Resource(&'p ResourceTarget),
}

impl AddressSegment {
    /// Returns the name of the address segment and its instance key, if it has one.
    fn parts(&self) -> (SegmentName<'_>, Option<&InstanceKey>) {
        match self {
            AddressSegment::Module(name, key) => (SegmentName::Module(name), key.as_ref()),
            AddressSegment::Resource(resource, key) => {
                (SegmentName::Resource(resource), key.as_ref())
            }
        }
    }

    /// Returns true if both segments may denote the same instance: equal names, and keys that are equal or missing.
    fn may_overlap(&self, other: &AddressSegment) -> bool {
        let ((name, key), (other, other_key)) = (self.parts(), other.parts());
        name == other && (key.is_none() || other_key.is_none() || key == other_key)
    }
}

/// Returns true if the address `inner` may denote something equal to `outer` or contained in it.
fn is_within(inner: &[AddressSegment], outer: &[AddressSegment]) -> bool {
    inner.len() >= outer.len() && inner.iter().zip(outer).all(|(a, b)| a.may_overlap(b))
}

/// The addresses of a move: source and target.
type Ends = (Vec<AddressSegment>, Vec<AddressSegment>);

/// Returns true if the first move must be applied before the second.
fn is_before((a_from, a_to): &Ends, (b_from, b_to): &Ends) -> bool {
    is_within(b_from, a_to)
        || is_within(a_to, b_from)
        || is_inside(a_from, b_from)
        || is_inside(b_to, a_to)
}

/// Returns true if one address is strictly contained in another: an instance is contained in the set of all instances.
fn is_inside(inner: &[AddressSegment], outer: &[AddressSegment]) -> bool {
    let is_part = || {
        let key = |end: &[AddressSegment]| end.last().is_some_and(|part| part.parts().1.is_some());
        inner.len() == outer.len() && key(inner) && !key(outer)
    };
    (inner.len() > outer.len() || is_part()) && is_within(inner, outer)
}

/// A prefix tree of the addresses at which moves start or end.
#[derive(Default)]
struct AddressTree<'p> {
    /// Nodes, each with the moves that start or end there.
    nodes: Vec<AddressNode<'p>>,
}

/// A node of the prefix tree: the moves that start or end at its address, and its children.
#[derive(Default)]
struct AddressNode<'p> {
    moves: Vec<usize>,
    below: BTreeMap<SegmentName<'p>, BTreeMap<Option<&'p InstanceKey>, usize>>,
}

impl<'p> AddressTree<'p> {
    /// Builds the prefix tree of these addresses, each the source or the target of one move, in the order of the moves.
    fn of(ends: impl Iterator<Item = &'p Vec<AddressSegment>>) -> AddressTree<'p> {
        let mut places = AddressTree { nodes: vec![AddressNode::default()] };
        for (number, end) in ends.enumerate() {
            let mut at = 0;
            for part in end {
                let (name, key) = part.parts();
                let next = places.nodes.len();
                let known = places.nodes[at].below.entry(name).or_default();
                let found = *known.entry(key).or_insert(next);
                if found == next {
                    places.nodes.push(AddressNode::default());
                }
                at = found;
            }
            places.nodes[at].moves.push(number);
        }
        places
    }

    /// Appends the indices of the moves that start or end at this address, inside of it, or around it.
    fn add_overlapping_moves(&self, end: &[AddressSegment], found: &mut Vec<usize>) {
        let mut rest = vec![(0, 0)];
        while let Some((at, depth)) = rest.pop() {
            let place = &self.nodes[at];
            found.extend(&place.moves);
            let Some(part) = end.get(depth) else {
                let all = place.below.values().flat_map(BTreeMap::values);
                rest.extend(all.map(|next| (*next, depth)));
                continue;
            };
            let (name, key) = part.parts();
            let Some(keys) = place.below.get(&name) else { continue };
            match key {
                None => rest.extend(keys.values().map(|next| (*next, depth + 1))),
                Some(_) => {
                    let both = [keys.get(&key), keys.get(&None)].into_iter().flatten();
                    rest.extend(both.map(|next| (*next, depth + 1)));
                }
            }
        }
    }
}

/// Returns for each move, by index, the moves that must be applied after it. Two moves may each have to precede the other.
fn after(ends: &[Ends]) -> Vec<Vec<usize>> {
    let from = AddressTree::of(ends.iter().map(|(from, _)| from));
    let to = AddressTree::of(ends.iter().map(|(_, to)| to));
    let each = ends.iter().enumerate().map(|(a, own)| {
        let mut found = Vec::new();
        from.add_overlapping_moves(&own.1, &mut found);
        from.add_overlapping_moves(&own.0, &mut found);
        to.add_overlapping_moves(&own.1, &mut found);
        found.sort_unstable();
        found.dedup();
        found.retain(|&b| a != b && is_before(own, &ends[b]));
        found
    });
    each.collect()
}

/// Returns the indices of moves in the order in which they are applied. Moves in a cycle, which are refused elsewhere, come last.
pub(crate) fn ordered(ends: &[Ends]) -> Vec<usize> {
    let mut after = after(ends);
    for (a, own) in ends.iter().enumerate() {
        after[a].retain(|&b| !is_before(&ends[b], own));
    }
    let mut order = topological_order(&after);
    let done: BTreeSet<usize> = order.iter().copied().collect();
    order.extend((0..ends.len()).filter(|at| !done.contains(at)));
    order
}

/// Returns the indices of moves in topological order, without those in a cycle and those after one; `after` holds for each
/// move those that must follow it.
fn topological_order(after: &[Vec<usize>]) -> Vec<usize> {
    let mut waits = vec![0usize; after.len()];
    after.iter().flatten().for_each(|&next| waits[next] += 1);
    let mut ready: BTreeSet<usize> = (0..after.len()).filter(|at| waits[*at] == 0).collect();
    let mut order = Vec::with_capacity(after.len());
    while let Some(at) = ready.pop_first() {
        order.push(at);
        for next in &after[at] {
            waits[*next] -= 1;
            if waits[*next] == 0 {
                ready.insert(*next);
            }
        }
    }
    order
}

/// Returns the index of the first move of a cycle, in which each must be applied before the next and `interact` is true for
/// the indices of the two; `None` without a cycle.
pub(crate) fn first_in_cycle(
    ends: &[Ends],
    interact: impl Fn(usize, usize) -> bool,
) -> Option<usize> {
    let mut after = after(ends);
    for (a, all) in after.iter_mut().enumerate() {
        all.retain(|&b| interact(a, b));
    }
    let done: BTreeSet<usize> = topological_order(&after).into_iter().collect();
    // Each remaining move waits for another remaining one, so following the predecessors ends in a cycle.
    let mut before = vec![None; ends.len()];
    for (at, all) in after.iter().enumerate().filter(|(at, _)| !done.contains(at)) {
        for &next in all {
            before[next] = before[next].or(Some(at));
        }
    }
    let mut at = (0..ends.len()).find(|at| !done.contains(at))?;
    let mut way = Vec::new();
    let mut seen = vec![false; ends.len()];
    while !seen[at] {
        seen[at] = true;
        way.push(at);
        at = before[at]?;
    }
    way.iter().skip_while(|one| **one != at).min().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the address in a text as segments.
    fn end(text: &str) -> Vec<AddressSegment> {
        let target = crate::read_target(text).unwrap();
        let modules = target.modules.iter();
        let parts =
            modules.map(|(name, key)| AddressSegment::Module(name.clone(), Some(key.clone())));
        let own = target.resource.iter().map(|one| {
            let key = Some(one.key.clone()).filter(|key| *key != InstanceKey::None);
            AddressSegment::Resource(ResourceTarget { key: InstanceKey::None, ..one.clone() }, key)
        });
        parts.chain(own).collect()
    }

    #[test]
    fn what_arrives_comes_before_what_leaves_and_parts_before_the_whole() {
        let moves = [
            ("module.a", "module.z"),
            ("a.c", "a.d"),
            ("a.b[0]", "a.c[0]"),
            ("module.a.x.y", "x.y"),
            ("module.b", "module.a"),
        ];
        let ends = moves.map(|(from, to)| (end(from), end(to)));
        assert_eq!(ordered(&ends), [2, 1, 4, 3, 0]);
        assert_eq!(first_in_cycle(&ends, |_, _| true), None);
    }

    #[test]
    fn moves_that_each_come_before_the_other_are_a_ring() {
        for (moves, first) in [
            (vec![("a.b", "a.c"), ("a.x", "a.y"), ("a.c", "a.b")], Some(0)),
            (vec![("a.z", "a.r"), ("a.r", "a.s"), ("a.s", "a.r")], Some(1)),
            (vec![("module.a", "module.b"), ("module.a.x.y", "module.b.x.y")], Some(0)),
            (vec![("module.a", "module.b"), ("module.a.x.y", "x.y")], None),
        ] {
            let ends: Vec<Ends> = moves.iter().map(|(from, to)| (end(from), end(to))).collect();
            assert_eq!(first_in_cycle(&ends, |_, _| true), first, "{moves:?}");
        }
    }
}
