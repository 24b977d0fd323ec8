//! Drawings of references: a part of the graph is chosen, and written as DOT, as Mermaid, as JSON or as a picture.
//! Every form boxes what stands in one module, and escapes what the code could say in it.

mod choose;
mod layout;
mod picture;
mod text;

pub use choose::{GraphPart, NoSuchVertex};
pub use picture::svg;
pub use text::{dot, mermaid, write_json};

use groma_config::{GraphVertex, ReferenceGraph};

/// The vertices of each module with their positions, in the order of addresses.
fn by_module(graph: &ReferenceGraph) -> Vec<(&str, Vec<(usize, &GraphVertex)>)> {
    let mut members: Vec<(usize, &GraphVertex)> = graph.vertices.iter().enumerate().collect();
    // The order within a module stays that of the addresses.
    members.sort_by(|(_, a), (_, b)| a.module.cmp(&b.module));
    let groups = members.chunk_by(|(_, a), (_, b)| a.module == b.module);
    groups.map(|group| (&*group[0].1.module, group.to_vec())).collect()
}

/// The address of a vertex within its module.
fn short(vertex: &GraphVertex) -> &str {
    vertex.id.strip_prefix(&*vertex.module).unwrap_or(&vertex.id).trim_start_matches('.')
}
