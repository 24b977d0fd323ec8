//! The reference graph of declarations, for display. A declaration is one vertex, however many instances it has.

use groma_address::DeclarationAddress;
use groma_syntax::Place;

/// A vertex of the reference graph: a declaration with its address, kind and place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GraphVertex {
    /// Its address, such as `module.a.local.b`.
    pub id: DeclarationAddress,
    /// The word for its kind: variable, local, module, resource, data, ephemeral, output, check.
    pub kind: &'static str,
    /// The place of its declaration.
    pub place: Place,
}

/// The graph of references among the declarations of a root.
#[derive(Clone, Default, Debug)]
pub struct ReferenceGraph {
    /// The declarations, sorted by the texts of their addresses.
    pub vertices: Vec<GraphVertex>,
    /// The references, as pairs of positions among the vertices; sorted, each once.
    pub edges: Vec<(usize, usize)>,
}

impl ReferenceGraph {
    /// Creates a graph from vertices in any order and references as pairs of their positions, possibly repeated.
    pub fn sorted(vertices: Vec<GraphVertex>, pairs: Vec<(usize, usize)>) -> ReferenceGraph {
        let mut numbered: Vec<(GraphVertex, usize)> = vertices.into_iter().zip(0..).collect();
        numbered
            .sort_by_cached_key(|(vertex, _)| (vertex.id.to_string(), vertex.kind, vertex.place));
        let mut position = vec![0; numbered.len()];
        for (new, (_, old)) in numbered.iter().enumerate() {
            position[*old] = new;
        }
        let pairs = pairs.into_iter();
        let mut edges: Vec<(usize, usize)> =
            pairs.map(|(from, to)| (position[from], position[to])).collect();
        edges.sort_unstable();
        edges.dedup();
        let vertices = numbered.into_iter().map(|(vertex, _)| vertex).collect();
        ReferenceGraph { vertices, edges }
    }

    /// Returns the subgraph of the vertices for which `kept` is true, by position.
    pub fn only(self, kept: &[bool]) -> ReferenceGraph {
        let is_kept = |at: usize| kept.get(at).copied().unwrap_or(false);
        let mut position = vec![0; self.vertices.len()];
        let mut vertices = Vec::new();
        for (at, vertex) in self.vertices.into_iter().enumerate().filter(|(at, _)| is_kept(*at)) {
            position[at] = vertices.len();
            vertices.push(vertex);
        }
        let among = self.edges.into_iter().filter(|(from, to)| is_kept(*from) && is_kept(*to));
        let edges = among.map(|(from, to)| (position[from], position[to])).collect();
        ReferenceGraph { vertices, edges }
    }
}
