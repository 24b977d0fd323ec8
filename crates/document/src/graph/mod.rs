//! Drawings of the reference graph: a part is selected and written as DOT, Mermaid, JSON or SVG. Every format groups the contents
//! of a module in a box, and escapes text from code.

mod choose;
mod layout;
mod picture;
mod text;

pub use choose::{GraphPart, NoSuchVertex};
pub use picture::svg;
pub use text::{dot, mermaid, write_json};

use groma_config::{GraphVertex, ModulePath, ReferenceGraph};

/// Returns each module's path with its vertices and their indices in the graph, sorted by the text of the path.
fn by_module(graph: &ReferenceGraph) -> Vec<(&ModulePath, Vec<(usize, &GraphVertex)>)> {
    let mut members: Vec<(usize, &GraphVertex)> = graph.vertices.iter().enumerate().collect();
    // A stable sort keeps the order of addresses within a module.
    members.sort_by_cached_key(|(_, vertex)| vertex.id.module().to_string());
    let groups = members.chunk_by(|(_, a), (_, b)| a.id.module() == b.id.module());
    groups.map(|group| (group[0].1.id.module(), group.to_vec())).collect()
}

/// Returns the address of a vertex within its module.
fn short(vertex: &GraphVertex) -> String {
    vertex.id.name().to_string()
}
