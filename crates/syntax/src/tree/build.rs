//! Tree builder: receives finished nodes from the parser.
//! A node is finished after its children, so wrapping an operand needs no shifting.

use crate::kind::NodeKind;
use crate::tree::{Node, NodeList};

/// A position in the builder's list of finished nodes: nodes added after it can become children of one parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodeMark(u32);

/// Builder of a syntax tree, with the nodes that are finished so far.
#[derive(Debug, Default)]
pub(crate) struct TreeBuilder {
    nodes: NodeList,
}

impl TreeBuilder {
    /// Returns a builder with room for `nodes` nodes.
    pub(crate) fn with_capacity(nodes: usize) -> Self {
        Self { nodes: NodeList::with_capacity(nodes) }
    }

    /// Returns a mark at the current end of the list.
    pub(crate) fn mark(&self) -> NodeMark {
        NodeMark(self.nodes.len() as u32)
    }

    /// Adds a node whose children are all nodes since `mark`.
    pub(crate) fn finish(&mut self, kind: NodeKind, mark: NodeMark, first: u32, end: u32) {
        let size = self.nodes.len() as u32 + 1 - mark.0;
        self.nodes.push(Node { kind, first, end, size });
    }

    /// Adds a node without children that covers the tokens from `first` up to `end`.
    pub(crate) fn leaf(&mut self, kind: NodeKind, first: u32, end: u32) {
        self.nodes.push(Node { kind, first, end, size: 1 });
    }

    /// Removes all nodes added since `mark`.
    pub(crate) fn rewind(&mut self, mark: NodeMark) {
        self.nodes.truncate(mark.0);
    }

    /// Returns the finished nodes in postorder.
    pub(crate) fn into_nodes(self) -> NodeList {
        self.nodes
    }
}
