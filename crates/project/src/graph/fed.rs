//! Calls that are fed by what they give: an input of a module may use another output of it, or lead there through other
//! calls. The programs keep the two apart, and so does the graph; taking a call for one thing cannot.

use groma_module::visit::Declaration;
use rustc_hash::FxHashSet;

use crate::graph::{Graph, GraphEdges, ring};
use crate::tree::{ModuleId, TreeModule};

impl Graph {
    /// The numbers of the calls that would wait for themselves if a call waited for all its inputs.
    fn self_fed_calls(&self, nodes: &[TreeModule]) -> FxHashSet<u32> {
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
        let in_rings = ring::components(&GraphEdges::new(count, pairs));
        let in_rings: FxHashSet<u32> = in_rings.into_iter().flatten().collect();
        calls.into_iter().filter(|call| in_rings.contains(call)).collect()
    }

    /// Returns true if a call of a module is fed by what it gives itself. It is worked out for all calls when it is
    /// asked first.
    pub(crate) fn is_self_fed(&self, nodes: &[TreeModule], node: ModuleId, call: u32) -> bool {
        let all = self.self_fed.get_or_init(|| self.self_fed_calls(nodes));
        !all.is_empty() && all.contains(&self.number(nodes, node, Declaration::Call(call)))
    }
}
