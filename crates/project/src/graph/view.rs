//! The graph for those who show it: every declaration by its address, and who refers to whom. A
//! declaration stands once, however many instances it has; checks are here too, though nothing can
//! refer to them.

use groma_folder::{References, Vertex};
use groma_module::visit::Declaration;

use crate::graph::describe;
use crate::project::Project;
use crate::tree::TreeModule;

impl Project {
    /// Every declaration of the project, and who refers to whom.
    pub fn references(&self) -> References {
        let mut vertices: Vec<Vertex> = Vec::new();
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        // Which vertex a declaration is.
        let mut shown: Vec<Option<u32>> = Vec::new();
        for number in 0..self.graph.edges().count() as u32 {
            let (node, declaration) = self.graph.declaration(&self.nodes, number);
            let node = &self.nodes[node.0 as usize];
            let kind = kind(node, declaration);
            shown.push(kind.map(|_| vertices.len() as u32));
            if let Some(kind) = kind {
                let (id, place) = describe(node, declaration);
                vertices.push(Vertex { id, module: node.address(), kind, place });
            }
        }
        for (number, from) in shown.iter().enumerate() {
            let Some(from) = *from else { continue };
            let needed = self.graph.edges().of(number as u32).iter();
            pairs.extend(needed.filter_map(|to| Some((from, (*shown.get(*to as usize)?)?))));
        }
        sorted(vertices, &pairs)
    }
}

/// What kind of vertex a declaration is; nothing for what has no address.
fn kind(node: &TreeModule, declaration: Declaration) -> Option<&'static str> {
    Some(match declaration {
        Declaration::Variable(_) => "variable",
        Declaration::Local(_) => "local",
        Declaration::Call(_) => "module",
        Declaration::Output(_) => "output",
        Declaration::Resource(at) => node.module.resources[at as usize].mode.word(),
        Declaration::Check(_) => "check",
        Declaration::Provider(_) | Declaration::Import(_) => return None,
    })
}

/// The same by address: numbers follow from lists that nobody sees.
fn sorted(vertices: Vec<Vertex>, pairs: &[(u32, u32)]) -> References {
    let mut position = vec![0; vertices.len()];
    let mut numbered: Vec<(Vertex, usize)> = vertices.into_iter().zip(0..).collect();
    numbered.sort();
    for (new, (_, old)) in numbered.iter().enumerate() {
        position[*old] = new;
    }
    let mut edges: Vec<(usize, usize)> =
        pairs.iter().map(|(a, b)| (position[*a as usize], position[*b as usize])).collect();
    edges.sort_unstable();
    edges.dedup();
    References { vertices: numbered.into_iter().map(|(vertex, _)| vertex).collect(), edges }
}
