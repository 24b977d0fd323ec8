//! Nodes of a syntax tree, and the list of all nodes of a text, in eight bytes each. The few nodes that cover too many tokens or
//! nodes for this encoding have their sizes in a second list.

use crate::kind::NodeKind;

/// The number of bits for the kind of a node in its encoding.
const KIND_BITS: u32 = 6;
/// The number of bits of each of two fields in the encoding of a node: its token count, and its size, which is the number of
/// nodes in its subtree.
const BITS: u32 = 13;
/// The smallest size or token count of a node that the encoding has no room for; stored in place of the size, it means that both
/// numbers are in the list of large nodes.
const LARGE: u32 = (1 << BITS) - 1;

/// A node of a syntax tree: its kind, the tokens from `first` up to `end`, and the number of nodes in its subtree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) kind: NodeKind,
    pub(crate) first: u32,
    pub(crate) end: u32,
    pub(crate) size: u32,
}

/// The eight-byte encoding of a node: its first token, and as bit fields its kind, its token count and the number of nodes
/// in its subtree.
#[derive(Clone, Copy, Debug)]
struct PackedNode {
    first: u32,
    /// From the lowest bit: the kind, the number of tokens, the size. With a size of [`LARGE`] both numbers are in the list of
    /// large nodes.
    bits: u32,
}

impl PackedNode {
    /// Encodes a node from its first token, its count of tokens and its `size`, the number of nodes in its subtree, where
    /// these numbers fit the bit fields.
    fn small(kind: NodeKind, first: u32, tokens: u32, size: u32) -> PackedNode {
        PackedNode { first, bits: size << (BITS + KIND_BITS) | tokens << KIND_BITS | kind as u32 }
    }
}

/// The nodes of a text in postorder, eight bytes each; nodes too large for this encoding have their sizes in a second list.
#[derive(Debug, Default)]
pub(crate) struct NodeList {
    list: Vec<PackedNode>,
    /// The nodes that are too large for the encoding, by ascending number.
    large: Vec<LargeNode>,
}

/// The end and the size (the number of nodes in the subtree) of a node that is too large for the eight-byte encoding, by the
/// node's number.
#[derive(Clone, Copy, Debug)]
struct LargeNode {
    number: u32,
    end: u32,
    size: u32,
}

impl NodeList {
    /// Returns an empty list with room for `nodes` nodes.
    pub(crate) fn with_capacity(nodes: usize) -> NodeList {
        NodeList { list: Vec::with_capacity(nodes), large: Vec::new() }
    }

    /// Returns the number of nodes in the list.
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// Appends a node to the list.
    #[inline]
    pub(crate) fn push(&mut self, node: Node) {
        let Node { kind, first, end, size } = node;
        let tokens = end.wrapping_sub(first);
        // One comparison for both numbers; a few smaller nodes take the slow path, too.
        if tokens | size >= LARGE || self.list.len() == self.list.capacity() {
            return self.push_slowly(kind, first, end, size);
        }
        self.list.push(PackedNode::small(kind, first, tokens, size));
    }

    /// Appends a node over the tokens from `first` up to `end`, with `size` nodes in its subtree, that is large or for which the
    /// list must grow. A separate function, so that the fast path saves no registers.
    #[cold]
    #[inline(never)]
    fn push_slowly(&mut self, kind: NodeKind, first: u32, end: u32, size: u32) {
        let tokens = end.wrapping_sub(first);
        if tokens | size < LARGE {
            return self.list.push(PackedNode::small(kind, first, tokens, size));
        }
        self.large.push(LargeNode { number: self.list.len() as u32, end, size });
        let bits = LARGE << (BITS + KIND_BITS) | kind as u32;
        self.list.push(PackedNode { first, bits });
    }

    /// Removes all nodes from the number `number` on.
    pub(crate) fn truncate(&mut self, number: u32) {
        self.list.truncate(number as usize);
        self.large.retain(|large| large.number < number);
    }

    /// Releases the unused capacity of the list of nodes.
    pub(crate) fn shrink(&mut self) {
        self.list.shrink_to_fit();
        self.large.shrink_to_fit();
    }

    /// Returns the memory that the list of nodes uses, in bytes.
    pub(crate) fn memory(&self) -> usize {
        size_of_val(&*self.list) + size_of_val(&*self.large)
    }

    /// Returns the node with the number `number`, decoded; `None` if there is none.
    #[inline]
    pub(crate) fn get(&self, number: u32) -> Option<Node> {
        let PackedNode { first, bits } = *self.list.get(number as usize)?;
        let kind = NodeKind::from_bits((bits & ((1 << KIND_BITS) - 1)) as u8);
        let size = bits >> (BITS + KIND_BITS);
        if size == LARGE {
            return self.get_large(number, kind, first);
        }
        Some(Node { kind, first, end: first + (bits >> KIND_BITS & LARGE), size })
    }

    /// Returns the node with the number `number`, the kind and the first token, with its end and size from the list of large
    /// nodes; `None` if that list lacks it.
    #[cold]
    fn get_large(&self, number: u32, kind: NodeKind, first: u32) -> Option<Node> {
        let found = self.large.binary_search_by_key(&number, |large| large.number).ok()?;
        let LargeNode { end, size, .. } = self.large[found];
        Some(Node { kind, first, end, size })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_list_gives_every_node_back(
            parts in prop::collection::vec((0u8..20, 0u32..1 << 26, 0u32..1 << 14, 1u32..1 << 14), 1..40),
            kept in 0usize..40,
        ) {
            let node = |(kind, first, tokens, size)| {
                Node { kind: NodeKind::from_bits(kind), first, end: first + tokens, size }
            };
            let mut nodes: Vec<Node> = parts.into_iter().map(node).collect();
            let mut list = NodeList::default();
            nodes.iter().for_each(|node| list.push(*node));
            nodes.truncate(kept);
            list.truncate(kept as u32);
            nodes.push(Node { kind: NodeKind::Body, first: 0, end: 1 << 20, size: 1 << 20 });
            list.push(nodes[nodes.len() - 1]);
            let all: Vec<Node> = (0..list.len() as u32).filter_map(|at| list.get(at)).collect();
            prop_assert_eq!(all, nodes);
        }
    }
}
