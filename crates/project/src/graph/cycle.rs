//! Cycles in a graph: nodes that can never be evaluated because they depend on themselves. The algorithms are iterative, so a
//! chain of a hundred thousand nodes is only a long list.

use std::collections::VecDeque;

use crate::graph::GraphEdges;

/// A dependency cycle: all nodes of its strongly connected component, and a shortest path that leads around it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct DependencyCycle {
    /// The path around the cycle, starting at the smallest node; each node depends on the next, the last on the first.
    pub(crate) path: Vec<u32>,
    /// Every node of the strongly connected component, ascending.
    pub(crate) members: Vec<u32>,
}

/// Returns one cycle for each strongly connected component that contains any, sorted by their smallest nodes. The result does not
/// depend on the order of edges.
pub(crate) fn cycles(edges: &GraphEdges) -> Vec<DependencyCycle> {
    let mut cycles: Vec<DependencyCycle> = components(edges)
        .into_iter()
        .map(|mut members| {
            members.sort_unstable();
            DependencyCycle { path: shortest(edges, &members), members }
        })
        .collect();
    cycles.sort_by_key(|cycle| cycle.members[0]);
    cycles
}

/// Returns the strongly connected components that contain a cycle (Tarjan's algorithm with an explicit stack).
pub(super) fn components(edges: &GraphEdges) -> Vec<Vec<u32>> {
    /// The mark of a node that has not been visited.
    const NEW: u32 = u32::MAX;
    let count = edges.count();
    let mut index = vec![NEW; count];
    let mut low = vec![0u32; count];
    let mut on_stack = vec![false; count];
    let mut stack: Vec<u32> = Vec::new();
    let mut calls: Vec<(u32, usize)> = Vec::new();
    let mut next = 0;
    let mut found = Vec::new();
    for root in 0..count as u32 {
        if index[root as usize] != NEW {
            continue;
        }
        calls.push((root, 0));
        while let Some((node, at)) = calls.pop() {
            let n = node as usize;
            if at == 0 {
                index[n] = next;
                low[n] = next;
                next += 1;
                stack.push(node);
                on_stack[n] = true;
            }
            if let Some(&target) = edges.of(node).get(at) {
                let t = target as usize;
                calls.push((node, at + 1));
                if index[t] == NEW {
                    calls.push((target, 0));
                } else if on_stack[t] {
                    low[n] = low[n].min(index[t]);
                }
                continue;
            }
            if let Some(&(parent, _)) = calls.last() {
                let p = parent as usize;
                low[p] = low[p].min(low[n]);
            }
            if low[n] == index[n] {
                let from = stack.iter().rposition(|&s| s == node).unwrap_or(0);
                for &member in &stack[from..] {
                    on_stack[member as usize] = false;
                }
                if stack.len() - from > 1 || edges.of(node).contains(&node) {
                    found.push(stack.split_off(from));
                }
                stack.truncate(from);
            }
        }
    }
    found
}

/// Returns the shortest path from the smallest node of a component back to itself; among equally short ones the lexicographically
/// smallest.
fn shortest(edges: &GraphEdges, members: &[u32]) -> Vec<u32> {
    let start = members[0];
    let mut came_from: Vec<Option<u32>> = vec![None; members.len()];
    let mut queue = VecDeque::from([start]);
    while let Some(node) = queue.pop_front() {
        for &target in edges.of(node) {
            if target == start {
                let mut path = vec![node];
                while let Some(&last) = path.last()
                    && last != start
                    && let Ok(at) = members.binary_search(&last)
                    && let Some(before) = came_from[at]
                {
                    path.push(before);
                }
                path.reverse();
                return path;
            }
            if let Ok(at) = members.binary_search(&target)
                && came_from[at].is_none()
            {
                came_from[at] = Some(node);
                queue.push_back(target);
            }
        }
    }
    vec![start]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the cycles of a graph of `count` nodes with these edges.
    fn of(count: usize, pairs: &[(u32, u32)]) -> Vec<DependencyCycle> {
        cycles(&GraphEdges::new(count, pairs.to_vec()))
    }

    #[test]
    fn finds_every_ring_once() {
        let pairs = [(0, 1), (1, 2), (2, 0), (3, 3), (4, 0), (5, 6)];
        let found = of(7, &pairs);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].path, [0, 1, 2]);
        assert_eq!(found[1].path, [3]);
    }

    #[test]
    fn the_shortest_way_and_all_members() {
        let pairs = [(0, 1), (1, 2), (2, 3), (3, 0), (1, 0)];
        let mut turned = pairs;
        turned.reverse();
        let found = of(4, &pairs);
        assert_eq!(found[0].path, [0, 1]);
        assert_eq!(found[0].members, [0, 1, 2, 3]);
        assert_eq!(of(4, &turned), found);
    }

    #[test]
    fn a_long_chain_and_a_long_ring() {
        let n = 200_000;
        let mut pairs: Vec<(u32, u32)> = (0..n - 1).map(|i| (i, i + 1)).collect();
        assert!(of(n as usize, &pairs).is_empty());
        pairs.push((n - 1, 0));
        assert_eq!(of(n as usize, &pairs)[0].path.len(), n as usize);
    }
}
