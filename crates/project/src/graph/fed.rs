//! Calls that are fed by what they give: an input of a module may use another output of it, or lead there through other
//! calls. The programs keep the two apart, and so does the graph; taking a call for one thing cannot.

use std::collections::BTreeSet;

use groma_module::visit::Declaration;
use rustc_hash::FxHashSet;

use crate::graph::{Graph, GraphEdges, ring};
use crate::tree::{ModuleId, TreeModule};

/// The calls that are fed by what they give.
#[derive(Debug)]
pub(crate) struct SelfFedCalls {
    calls: FxHashSet<u32>,
    /// The dependencies, where a call waits for all its inputs.
    edges: GraphEdges,
}

impl Graph {
    /// The numbers of the calls that would wait for themselves if a call waited for all its inputs.
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
        let in_rings: FxHashSet<u32> = ring::components(&edges).into_iter().flatten().collect();
        let calls = calls.into_iter().filter(|call| in_rings.contains(call)).collect();
        SelfFedCalls { calls, edges }
    }

    /// Returns true if a call of a module is fed by what it gives itself. It is worked out for all calls when it is
    /// asked first.
    pub(crate) fn is_self_fed(&self, nodes: &[TreeModule], node: ModuleId, call: u32) -> bool {
        let all = &self.self_fed(nodes).calls;
        !all.is_empty() && all.contains(&self.number(nodes, node, Declaration::Call(call)))
    }

    fn self_fed(&self, nodes: &[TreeModule]) -> &SelfFedCalls {
        self.self_fed.get_or_init(|| self.self_fed_calls(nodes))
    }

    /// Returns all that leads to the inputs of a call, the call itself among it, in the order of the graph. What says how
    /// many instances of a module there are leads to all that is in it.
    pub(crate) fn leading_to(
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
