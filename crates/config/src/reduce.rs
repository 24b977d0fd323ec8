//! Reduction of a graph: paths through omitted nodes become edges, and edges that others imply are removed. Neither step
//! recurses, and reachability is computed for a part of the nodes at a time, so that memory stays small.

use groma_runtime::Budget;
use rustc_hash::FxHashSet;

/// Number of nodes for which reachability is computed at once: the bits of a word.
const LANES: usize = 64;

/// Returns the edges among the nodes in `kept` after the others are removed: one for each path through removed nodes, except
/// edges that other edges imply.
pub fn reduced(edges: &[(u32, u32)], kept: &[bool], budget: &Budget) -> Vec<(u32, u32)> {
    let all = EdgeLists::new(kept.len(), edges);
    let leads = leading(&all.reversed(), kept);
    let mut direct: Vec<(u32, u32)> = Vec::new();
    // The start node from which each node was visited last.
    let mut met = vec![u32::MAX; kept.len()];
    let mut waiting: Vec<u32> = Vec::new();
    for from in (0..kept.len() as u32).filter(|from| kept[*from as usize]) {
        waiting.push(from);
        let before = direct.len();
        while let Some(node) = waiting.pop() {
            for to in all.of(node) {
                let at = *to as usize;
                if !leads[at] || std::mem::replace(&mut met[at], from) == from {
                    continue;
                }
                match kept[at] {
                    true if *to != from => direct.push((from, *to)),
                    true => {}
                    false => waiting.push(*to),
                }
            }
        }
        // Each edge is stored in a list by nodes and in the result.
        let bytes = (direct.len() - before) * 3 * size_of::<(u32, u32)>();
        if budget.ended().is_some() || budget.take_bytes(bytes as u64).is_err() {
            return direct;
        }
    }
    without_implied(kept.len(), direct, budget)
}

/// Returns for each node true if it is kept or has a path to a kept node; `reversed` is the graph with its edges reversed.
fn leading(reversed: &EdgeLists, kept: &[bool]) -> Vec<bool> {
    let mut leads = kept.to_vec();
    let mut waiting: Vec<u32> =
        (0..kept.len() as u32).filter(|node| kept[*node as usize]).collect();
    while let Some(node) = waiting.pop() {
        for from in reversed.of(node) {
            if !std::mem::replace(&mut leads[*from as usize], true) {
                waiting.push(*from);
            }
        }
    }
    leads
}

/// Returns the edges among `count` nodes that no path along other edges implies (transitive reduction), or some more if the
/// budget is used up.
fn without_implied(count: usize, mut edges: Vec<(u32, u32)>, budget: &Budget) -> Vec<(u32, u32)> {
    edges.sort_unstable();
    edges.dedup();
    let lists = EdgeLists::new(count, &edges);
    let (order, ring) = lists.order_and_rings();
    let is_target = {
        let mut is_target = vec![false; count];
        edges.iter().for_each(|(_, to)| is_target[*to as usize] = true);
        is_target
    };
    let targets: Vec<u32> = (0..count as u32).filter(|node| is_target[*node as usize]).collect();
    let mut implied: FxHashSet<(u32, u32)> = FxHashSet::default();
    // The searched nodes that each node reaches by at least one edge.
    let mut reaches = vec![0_u64; count];
    let mut lane = vec![LANES; count];
    for part in targets.chunks(LANES) {
        if budget.ended().is_some() {
            return edges;
        }
        reaches.fill(0);
        for (at, node) in part.iter().enumerate() {
            lane[*node as usize] = at;
        }
        let bit = |node: u32| 1_u64.checked_shl(lane[node as usize] as u32).unwrap_or(0);
        // Successors come before a node, except in a cycle, which needs another pass.
        loop {
            let mut has_changed = false;
            for node in &order {
                let found = lists
                    .of(*node)
                    .iter()
                    .fold(0, |found, to| found | bit(*to) | reaches[*to as usize]);
                has_changed |= ring[*node as usize].1 && reaches[*node as usize] != found;
                reaches[*node as usize] = found;
            }
            if !has_changed {
                break;
            }
        }
        for node in &order {
            let own = lists.of(*node);
            let others = own.iter().filter(|to| ring[**to as usize].0 != ring[*node as usize].0);
            // Members of a cycle reach each other, which says nothing about edges into it.
            let beyond = others.fold(0, |found, to| found | reaches[*to as usize]);
            for to in own {
                let is_found = beyond & bit(*to) != 0;
                if is_found && is_reached_from_elsewhere(*node, *to, own, &ring, &reaches, bit(*to))
                {
                    implied.insert((*node, *to));
                }
            }
        }
        part.iter().for_each(|node| lane[*node as usize] = LANES);
    }
    edges.retain(|edge| !implied.contains(edge));
    edges
}

/// Returns true if the edge from `from` to `to` is implied by a path through another of the nodes `own`, to which edges of `from`
/// lead: one that reaches `to` (the bit `bit` in its entry of `reaches`) and is in a cycle with neither end; `ring` has for each
/// node its strongly connected component, and true if that is a cycle.
fn is_reached_from_elsewhere(
    from: u32,
    to: u32,
    own: &[u32],
    ring: &[(u32, bool)],
    reaches: &[u64],
    bit: u64,
) -> bool {
    let ring_of = |node: u32| ring[node as usize].0;
    if ring_of(from) == ring_of(to) {
        return false;
    }
    if !ring[to as usize].1 {
        return true;
    }
    own.iter().any(|other| {
        ring_of(*other) != ring_of(from)
            && ring_of(*other) != ring_of(to)
            && reaches[*other as usize] & bit != 0
    })
}

/// The edges of a graph by their start nodes (adjacency lists).
struct EdgeLists {
    /// The position of each node's first edge in the targets.
    starts: Vec<usize>,
    /// The end nodes of all edges, by start node.
    targets: Vec<u32>,
}

impl EdgeLists {
    /// Builds the adjacency lists of a graph with `count` nodes.
    fn new(count: usize, edges: &[(u32, u32)]) -> EdgeLists {
        let mut starts = vec![0; count + 1];
        for (from, _) in edges {
            starts[*from as usize + 1] += 1;
        }
        for at in 0..count {
            starts[at + 1] += starts[at];
        }
        let mut next = starts.clone();
        let mut targets = vec![0; edges.len()];
        for (from, to) in edges {
            let at = &mut next[*from as usize];
            targets[*at] = *to;
            *at += 1;
        }
        EdgeLists { starts, targets }
    }

    /// Returns the nodes to which the edges of a node lead.
    fn of(&self, node: u32) -> &[u32] {
        let at = node as usize;
        &self.targets[self.starts[at]..self.starts[at + 1]]
    }

    /// Returns the number of nodes in the graph.
    fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the graph with every edge reversed.
    fn reversed(&self) -> EdgeLists {
        let pairs: Vec<(u32, u32)> = (0..self.count() as u32)
            .flat_map(|from| self.of(from).iter().map(move |to| (*to, from)))
            .collect();
        EdgeLists::new(self.count(), &pairs)
    }

    /// Returns the nodes in reverse topological order as far as cycles allow, and for each node the number of its strongly
    /// connected component and true if that has several nodes.
    fn order_and_rings(&self) -> (Vec<u32>, Vec<(u32, bool)>) {
        let count = self.count();
        let mut order = Vec::with_capacity(count);
        let mut seen = vec![false; count];
        let mut calls: Vec<(u32, usize)> = Vec::new();
        for root in 0..count as u32 {
            if std::mem::replace(&mut seen[root as usize], true) {
                continue;
            }
            calls.push((root, 0));
            while let Some((node, at)) = calls.pop() {
                match self.of(node).get(at) {
                    None => order.push(node),
                    Some(to) => {
                        calls.push((node, at + 1));
                        if !std::mem::replace(&mut seen[*to as usize], true) {
                            calls.push((*to, 0));
                        }
                    }
                }
            }
        }
        // Everything that reaches the last finished node and has no component yet is in a cycle with it.
        let reversed = self.reversed();
        let mut ring = vec![(u32::MAX, false); count];
        let mut members: Vec<u32> = Vec::new();
        for root in order.iter().rev() {
            if ring[*root as usize].0 != u32::MAX {
                continue;
            }
            members.clear();
            members.push(*root);
            ring[*root as usize].0 = *root;
            let mut at = 0;
            while let Some(node) = members.get(at).copied() {
                at += 1;
                for from in reversed.of(node) {
                    if ring[*from as usize].0 == u32::MAX {
                        ring[*from as usize].0 = *root;
                        members.push(*from);
                    }
                }
            }
            if members.len() > 1 {
                members.iter().for_each(|node| ring[*node as usize].1 = true);
            }
        }
        (order, ring)
    }
}

#[cfg(test)]
mod tests {
    use groma_runtime::Budget;

    use super::reduced;

    /// Returns the edges of a graph reduced to the nodes in `kept`; `count` is the number of all nodes.
    fn of(edges: &[(u32, u32)], kept: &[u32], count: usize) -> Vec<(u32, u32)> {
        let kept: Vec<bool> = (0..count as u32).map(|node| kept.contains(&node)).collect();
        reduced(edges, &kept, &Budget::default())
    }

    /// Checks that paths through removed nodes become edges.
    #[test]
    fn ways_through_what_is_left_out_become_edges() {
        assert_eq!(of(&[(0, 1), (1, 2), (2, 3)], &[0, 3], 4), [(0, 3)]);
        assert_eq!(of(&[(0, 1), (1, 0), (1, 2)], &[0, 2], 3), [(0, 2)]);
        assert!(of(&[(0, 1), (2, 1)], &[0, 2], 3).is_empty());
    }

    /// Checks that edges implied by others are removed.
    #[test]
    fn what_follows_from_others_is_left_out() {
        assert_eq!(of(&[(0, 1), (1, 2), (0, 2)], &[0, 1, 2], 3), [(0, 1), (1, 2)]);
        assert_eq!(of(&[(0, 1), (0, 2)], &[0, 1, 2], 3), [(0, 1), (0, 2)]);
    }

    /// Checks that the edges in and around cycles are kept unless a node outside of the cycle implies them.
    #[test]
    fn rings_keep_their_edges_and_those_that_lead_out() {
        let ring = [(0, 1), (1, 0)];
        assert_eq!(of(&ring, &[0, 1], 2), ring);
        let both = [(0, 1), (0, 2), (1, 0), (1, 2)];
        assert_eq!(of(&both, &[0, 1, 2], 3), both);
        let into = [(0, 1), (0, 2), (1, 2), (2, 1)];
        assert_eq!(of(&into, &[0, 1, 2], 3), into);
        // By way of a node beside the ring both edges into it follow.
        let beside = [(0, 1), (0, 2), (0, 3), (1, 2), (2, 1), (3, 1)];
        assert_eq!(of(&beside, &[0, 1, 2, 3], 4), [(0, 3), (1, 2), (2, 1), (3, 1)]);
    }

    /// Checks the reduction of a graph with more nodes than are processed at once.
    #[test]
    fn many_nodes_take_several_rounds() {
        let chain: Vec<(u32, u32)> = (1..300).map(|node| (node, node - 1)).collect();
        let mut edges = chain.clone();
        edges.extend((2..300).map(|node| (node, 0)));
        let all: Vec<u32> = (0..300).collect();
        let mut found = of(&edges, &all, 300);
        found.sort_unstable();
        assert_eq!(found, chain);
    }
}
