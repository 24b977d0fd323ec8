//! Dependencies among the declarations of a project. The graph is built once, before anything is evaluated: cycles are found in
//! it, and views can show it.

mod cycle;
mod draw;
mod fed;
mod view;

pub(crate) use cycle::DependencyCycle;
pub(crate) use draw::{Graph, describe, within};

/// The edges of a graph as adjacency lists: for each node, the nodes that it depends on.
#[derive(Clone, Debug, Default)]
pub(crate) struct GraphEdges {
    starts: Box<[u32]>,
    targets: Box<[u32]>,
}

impl GraphEdges {
    /// Returns the graph of `count` nodes with these edges, in any order and possibly repeated.
    pub(crate) fn new(count: usize, mut pairs: Vec<(u32, u32)>) -> GraphEdges {
        pairs.sort_unstable();
        pairs.dedup();
        let mut starts = vec![0u32; count + 1];
        for (from, _) in &pairs {
            starts[*from as usize + 1] += 1;
        }
        for at in 0..count {
            starts[at + 1] += starts[at];
        }
        GraphEdges { starts: starts.into(), targets: pairs.into_iter().map(|(_, to)| to).collect() }
    }

    /// Returns the graph with all edges reversed.
    pub(crate) fn reversed(&self) -> GraphEdges {
        let mut starts = vec![0_u32; self.starts.len().max(1)];
        for to in &self.targets {
            starts[*to as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut targets = vec![0_u32; self.targets.len()];
        for from in 0..self.count() as u32 {
            for to in self.of(from) {
                let at = &mut next[*to as usize];
                targets[*at as usize] = from;
                *at += 1;
            }
        }
        GraphEdges { starts: starts.into(), targets: targets.into() }
    }

    /// Returns the number of nodes of the graph.
    pub(crate) fn count(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Returns the numbers of the nodes that `node` depends on, ascending.
    pub(crate) fn of(&self, node: u32) -> &[u32] {
        let at = node as usize;
        match (self.starts.get(at), self.starts.get(at + 1)) {
            (Some(&from), Some(&to)) => &self.targets[from as usize..to as usize],
            _ => &[],
        }
    }
}
