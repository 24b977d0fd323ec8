//! The graph for views: every declaration by its address, and the references among them. A declaration is one vertex, regardless
//! of its instances; checks are included, although nothing can refer to them.

use groma_config::{DeclarationAddress, GraphVertex, ReferenceGraph, ResourceMode, reduced};
use groma_module::visit::Declaration;

use crate::project::{ModuleNode, Project};
use crate::tree::TreeModule;

impl Project {
    /// Returns the declaration with an address without instance keys, and the module that contains it; `None` if it is missing.
    pub fn declared(&self, address: &DeclarationAddress) -> Option<(ModuleNode<'_>, Declaration)> {
        let mut node = self.tree();
        for name in address.module().names() {
            node = node.child(node.module().call_position(name)?)?;
        }
        Some((node, node.module().named(address.name())?))
    }

    /// Returns every declaration of the project, and the references among them.
    pub fn references(&self) -> ReferenceGraph {
        let mut vertices: Vec<GraphVertex> = Vec::new();
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        // The vertex of each declaration.
        let mut shown: Vec<Option<usize>> = Vec::new();
        for number in 0..self.graph.edges().count() as u32 {
            let (node, declaration) = self.graph.declaration(&self.nodes, number);
            let node = &self.nodes[node.0 as usize];
            let vertex = vertex(node, declaration);
            shown.push(vertex.as_ref().map(|_| vertices.len()));
            vertices.extend(vertex);
        }
        for (number, from) in shown.iter().enumerate() {
            let Some(from) = *from else { continue };
            let needed = self.graph.edges().of(number as u32).iter();
            pairs.extend(needed.filter_map(|to| Some((from, (*shown.get(*to as usize)?)?))));
        }
        ReferenceGraph::sorted(vertices, pairs)
    }

    /// Returns the resources and data sources with their mutual dependencies, direct or through local values, module
    /// arguments, provider configurations, or the completion of whole modules. Edges implied by others are omitted.
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
            vertices.extend(vertex(node, declaration));
            numbers.push(number);
            kept[number as usize] = true;
        }
        let pairs: Vec<(usize, usize)> = reduced(&edges, &kept, &self.budget)
            .into_iter()
            .filter_map(|(from, to)| {
                let [from, to] = [from, to].map(|number| numbers.binary_search(&number).ok());
                Some((from?, to?))
            })
            .collect();
        ReferenceGraph::sorted(vertices, pairs)
    }
}

/// Returns the vertex of a declaration in a graph for display; `None` if the declaration has no address.
fn vertex(node: &TreeModule, declaration: Declaration) -> Option<GraphVertex> {
    let module = &node.module;
    let id = node.declared(declaration.name(module)?);
    Some(GraphVertex { id, kind: declaration.word(module), place: declaration.place(module) })
}
