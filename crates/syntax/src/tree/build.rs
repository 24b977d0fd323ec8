//! Tree builder: receives finished nodes from the parser. A node is finished after its children, so an operand becomes the child
//! of an operator without moving any node.

use crate::kind::NodeKind;
use crate::tree::{Node, NodeList};

/// A position in the tree builder's list of finished nodes: the nodes added after it can become the children of one node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodeMark(u32);

/// The builder of a syntax tree, with the nodes that are finished so far.
#[derive(Debug, Default)]
pub(crate) struct TreeBuilder {
    nodes: NodeList,
}

impl TreeBuilder {
    /// Returns a builder with room for `nodes` nodes.
    pub(crate) fn with_capacity(nodes: usize) -> Self {
        Self { nodes: NodeList::with_capacity(nodes) }
    }

    /// Returns the current position in the list of finished nodes.
    pub(crate) fn mark(&self) -> NodeMark {
        NodeMark(self.nodes.len() as u32)
    }

    /// Adds a node of kind `kind` over the tokens from `first` up to `end`, and makes the nodes added since `mark` its
    /// children.
    pub(crate) fn finish(&mut self, kind: NodeKind, mark: NodeMark, first: u32, end: u32) {
        let size = self.nodes.len() as u32 + 1 - mark.0;
        self.nodes.push(Node { kind, first, end, size });
    }

    /// Adds a node of kind `kind` without children for the tokens from `first` up to `end`.
    pub(crate) fn leaf(&mut self, kind: NodeKind, first: u32, end: u32) {
        self.nodes.push(Node { kind, first, end, size: 1 });
    }

    /// Removes all nodes added since `mark`.
    pub(crate) fn rewind(&mut self, mark: NodeMark) {
        self.nodes.truncate(mark.0);
    }

    /// Returns the finished nodes, in postorder.
    pub(crate) fn into_nodes(self) -> NodeList {
        self.nodes
    }
}
