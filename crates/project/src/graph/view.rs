//! The graph for those who show it: every declaration by its address, and who refers to whom. A
//! declaration stands once, however many instances it has; checks are here too, though nothing can
//! refer to them.

use groma_folder::{References, Vertex};
use groma_module::declare::Condition;

use crate::graph::{Declaration, describe};
use crate::project::Project;
use crate::tree::{ModuleId, TreeModule};

impl Project {
    /// Every declaration of the project, and who refers to whom.
    pub fn references(&self) -> References {
        let mut vertices: Vec<Vertex> = Vec::new();
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        for number in 0..self.graph.edges().count() as u32 {
            let (node, declaration) = self.graph.declaration(&self.nodes, number);
            let node = &self.nodes[node.0 as usize];
            let (id, place) = describe(node, declaration);
            let kind = kind(node, declaration);
            vertices.push(Vertex { id, module: node.address(), kind, place });
            pairs.extend(self.graph.edges().of(number).iter().map(|to| (number, *to)));
        }
        for (at, node) in self.nodes.iter().enumerate() {
            for check in &node.module.checks {
                let from = vertices.len() as u32;
                let id = node.address_of(&format!("check.{}", &*check.name));
                let (module, place) = (node.address(), check.place);
                vertices.push(Vertex { id, module, kind: "check", place });
                let needed = check.assertions.iter().flat_map(Condition::expressions);
                for used in needed.flat_map(|expression| &expression.uses) {
                    let at = ModuleId(at as u32);
                    self.graph.targets(&self.nodes, at, &used.target, &mut |to| {
                        pairs.push((from, to));
                    });
                }
            }
        }
        sorted(vertices, &pairs)
    }
}

fn kind(node: &TreeModule, declaration: Declaration) -> &'static str {
    match declaration {
        Declaration::Variable(_) => "variable",
        Declaration::Local(_) => "local",
        Declaration::Call(_) => "module",
        Declaration::Output(_) => "output",
        Declaration::Resource(at) => node.module.resources[at as usize].mode.word(),
    }
}

/// The same by address: numbers follow from lists that nobody sees.
fn sorted(vertices: Vec<Vertex>, pairs: &[(u32, u32)]) -> References {
    let mut order: Vec<usize> = (0..vertices.len()).collect();
    order.sort_by(|a, b| vertices[*a].cmp(&vertices[*b]));
    let mut position = vec![0; vertices.len()];
    for (new, old) in order.iter().enumerate() {
        position[*old] = new;
    }
    let mut edges: Vec<(usize, usize)> =
        pairs.iter().map(|(a, b)| (position[*a as usize], position[*b as usize])).collect();
    edges.sort_unstable();
    edges.dedup();
    let mut vertices = vertices;
    vertices.sort();
    References { vertices, edges }
}
