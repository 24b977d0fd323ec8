//! Drawings of the reference graph: a part is selected and written as DOT, Mermaid, JSON or SVG. Every format groups the contents
//! of a module in a box, and escapes text from code.

mod choose;
mod layout;
mod picture;
mod text;

pub use choose::{GraphPart, NoSuchVertex};
pub use picture::svg;
pub use text::{dot, mermaid, write_json};

use groma_config::{GraphVertex, ReferenceGraph};

/// Returns the vertices of each module with their positions, in the order of addresses.
fn by_module(graph: &ReferenceGraph) -> Vec<(&str, Vec<(usize, &GraphVertex)>)> {
    let mut members: Vec<(usize, &GraphVertex)> = graph.vertices.iter().enumerate().collect();
    // A stable sort keeps the order of addresses within a module.
    members.sort_by(|(_, a), (_, b)| a.module.cmp(&b.module));
    let groups = members.chunk_by(|(_, a), (_, b)| a.module == b.module);
    groups.map(|group| (&*group[0].1.module, group.to_vec())).collect()
}

/// Returns the address of a vertex within its module.
fn short(vertex: &GraphVertex) -> &str {
    vertex.id.strip_prefix(&*vertex.module).unwrap_or(&vertex.id).trim_start_matches('.')
}
