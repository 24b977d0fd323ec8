//! The graph for views: every declaration by its address, and the references among them. A declaration is one vertex, regardless
//! of its instances; checks are included, although nothing can refer to them.

use groma_config::{GraphVertex, ReferenceGraph, ResourceMode, reduced};
use groma_module::visit::Declaration;

use crate::graph::describe;
use crate::project::{ModuleNode, Project};
use crate::tree::TreeModule;

impl Project {
    /// Returns the declaration with an address, without instance keys, and its module; `None` if the module is missing.
    pub fn declared(&self, address: &str) -> Option<(ModuleNode<'_>, Declaration)> {
        let mut node = self.tree();
        let mut rest = address;
        while let Some((name, inner)) =
            rest.strip_prefix("module.").and_then(|rest| rest.split_once('.'))
        {
            node = node.child(node.module().call_position(name)?)?;
            rest = inner;
        }
        Some((node, node.module().declaration(rest)?))
    }

    /// Returns every declaration of the project, and the references among them.
    pub fn references(&self) -> ReferenceGraph {
        let mut vertices: Vec<GraphVertex> = Vec::new();
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        // The vertex of each declaration.
        let mut shown: Vec<Option<u32>> = Vec::new();
        for number in 0..self.graph.edges().count() as u32 {
            let (node, declaration) = self.graph.declaration(&self.nodes, number);
            let node = &self.nodes[node.0 as usize];
            let kind = kind(node, declaration);
            shown.push(kind.map(|_| vertices.len() as u32));
            if let Some(kind) = kind {
                let (id, place) = describe(node, declaration);
                vertices.push(GraphVertex { id, module: node.address(), kind, place });
            }
        }
        for (number, from) in shown.iter().enumerate() {
            let Some(from) = *from else { continue };
            let needed = self.graph.edges().of(number as u32).iter();
            pairs.extend(needed.filter_map(|to| Some((from, (*shown.get(*to as usize)?)?))));
        }
        sorted(vertices, &pairs)
    }

    /// Returns the resources and data sources with their mutual dependencies, direct or through local values, module arguments,
    /// module ends or provider configurations. Edges implied by others are omitted.
    pub fn resource_references(&self) -> ReferenceGraph {
        let mut edges = self.graph.order(&self.nodes);
        let count = self.graph.edges().count() + self.nodes.len();
        let mut kept = vec![false; count];
        let mut vertices: Vec<GraphVertex> = Vec::new();
        let mut numbers: Vec<u32> = Vec::new();
        for number in 0..self.graph.edges().count() as u32 {
            let (id, declaration) = self.graph.declaration(&self.nodes, number);
            let Declaration::Resource(at) = declaration else { continue };
            let node = &self.nodes[id.0 as usize];
            let resource = &node.module.resources[at as usize];
            // Resources without state have no place in an order of operations.
            if matches!(resource.mode, ResourceMode::Action | ResourceMode::List) {
                continue;
            }
            let used = ModuleNode { project: self, id }.provider_of(resource);
            let provider = used.node.module().provider_position(&used.name, used.alias.as_deref());
            edges.extend(provider.map(|at| {
                let configured = Declaration::Provider(at as u32);
                (number, self.graph.number(&self.nodes, used.node.id, configured))
            }));
            let (address, place) = describe(node, declaration);
            let kind = resource.mode.word();
            vertices.push(GraphVertex { id: address, module: node.address(), kind, place });
            numbers.push(number);
            kept[number as usize] = true;
        }
        let pairs: Vec<(u32, u32)> = reduced(&edges, &kept, &self.budget)
            .into_iter()
            .filter_map(|(from, to)| {
                let [from, to] = [from, to].map(|number| numbers.binary_search(&number).ok());
                Some((from? as u32, to? as u32))
            })
            .collect();
        sorted(vertices, &pairs)
    }
}

/// Returns the vertex kind of a declaration; `None` if it has no address.
fn kind(node: &TreeModule, declaration: Declaration) -> Option<&'static str> {
    match declaration {
        Declaration::Provider(_) | Declaration::Import(_) => None,
        declaration => Some(declaration.word(&node.module)),
    }
}

/// Returns the graph with vertices sorted by address, because declaration numbers depend on lists that are not visible.
fn sorted(vertices: Vec<GraphVertex>, pairs: &[(u32, u32)]) -> ReferenceGraph {
    let mut position = vec![0; vertices.len()];
    let mut numbered: Vec<(GraphVertex, usize)> = vertices.into_iter().zip(0..).collect();
    numbered.sort();
    for (new, (_, old)) in numbered.iter().enumerate() {
        position[*old] = new;
    }
    let mut edges: Vec<(usize, usize)> =
        pairs.iter().map(|(a, b)| (position[*a as usize], position[*b as usize])).collect();
    edges.sort_unstable();
    edges.dedup();
    ReferenceGraph { vertices: numbered.into_iter().map(|(vertex, _)| vertex).collect(), edges }
}
