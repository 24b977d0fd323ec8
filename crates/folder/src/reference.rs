//! Who refers to whom in a folder, for those who show it. A declaration stands once, however many instances it has.

use groma_syntax::Place;

/// A declaration in the graph.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Vertex {
    /// Its address, such as `module.a.local.b`; without instance keys.
    pub id: String,
    /// The address of the module that it stands in, empty for the root.
    pub module: String,
    /// The word for what it is: variable, local, module, resource, data, ephemeral, output, check.
    pub kind: &'static str,
    /// Where it stands.
    pub place: Place,
}

/// Who refers to whom in a project.
#[derive(Clone, Default, Debug)]
pub struct References {
    /// Sorted by address.
    pub vertices: Vec<Vertex>,
    /// Who refers, and to whom, as positions among the vertices; sorted, each once.
    pub edges: Vec<(usize, usize)>,
}
