//! Self-fed calls: an input of a module may depend on another output of it, directly or through other calls. The programs
//! distinguish the two, and so does the graph; treating a call as one node cannot.

use std::collections::BTreeSet;

use groma_module::visit::Declaration;
use rustc_hash::FxHashSet;

use crate::graph::{Graph, GraphEdges, cycle};
use crate::tree::{ModuleId, TreeModule};

/// The module calls whose inputs depend on their own outputs, and the graph in which that was found.
#[derive(Debug)]
pub(crate) struct SelfFedCalls {
    calls: FxHashSet<u32>,
    /// The dependencies if each call depended on all its inputs.
    edges: GraphEdges,
}

impl Graph {
    /// Finds the calls that would be in a cycle if each call depended on all its inputs.
    fn self_fed_calls(&self, nodes: &[TreeModule]) -> SelfFedCalls {
        let count = self.edges().count();
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        for from in 0..count as u32 {
            pairs.extend(self.edges().of(from).iter().map(|to| (from, *to)));
        }
        let mut calls = Vec::new();
        for (at, node) in nodes.iter().enumerate() {
            let id = ModuleId(at as u32);
            for (position, call) in node.module.calls.iter().enumerate() {
                let from = self.number(nodes, id, Declaration::Call(position as u32));
                calls.push(from);
                for used in call.inputs.iter().flat_map(|input| input.value.uses.iter()) {
                    self.targets(nodes, id, &used.target, &mut |to| pairs.push((from, to)));
                }
            }
        }
        let edges = GraphEdges::new(count, pairs);
        let in_cycles: FxHashSet<u32> = cycle::components(&edges).into_iter().flatten().collect();
        let calls = calls.into_iter().filter(|call| in_cycles.contains(call)).collect();
        SelfFedCalls { calls, edges }
    }

    /// Returns true if the inputs of a call depend on its own outputs. Computed for all calls at the first request.
    pub(crate) fn is_self_fed(&self, nodes: &[TreeModule], node: ModuleId, call: u32) -> bool {
        let all = &self.self_fed(nodes).calls;
        !all.is_empty() && all.contains(&self.number(nodes, node, Declaration::Call(call)))
    }

    /// Returns the module calls whose inputs depend on their own outputs, computed on first use.
    fn self_fed(&self, nodes: &[TreeModule]) -> &SelfFedCalls {
        self.self_fed.get_or_init(|| self.self_fed_calls(nodes))
    }

    /// Returns all declarations that the inputs of a call depend on, including the call, in graph order. Everything in a module
    /// depends on its repetition.
    pub(crate) fn input_dependencies(
        &self,
        nodes: &[TreeModule],
        node: ModuleId,
        call: u32,
    ) -> Vec<(ModuleId, Declaration)> {
        let edges = &self.self_fed(nodes).edges;
        let mut found: BTreeSet<u32> = BTreeSet::new();
        let mut waiting = vec![self.number(nodes, node, Declaration::Call(call))];
        while let Some(number) = waiting.pop() {
            if !found.insert(number) {
                continue;
            }
            waiting.extend(edges.of(number));
            let (within, _) = self.declaration(nodes, number);
            if let Some((above, call)) = nodes[within.0 as usize].parent {
                waiting.push(self.number(nodes, above, Declaration::Call(call)));
            }
        }
        found.into_iter().map(|number| self.declaration(nodes, number)).collect()
    }
}
