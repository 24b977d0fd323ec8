//! The flat tree of one text: tokens in order, nodes in postorder.
//! A node's subtree is the `size` entries that end with it, so its last child stands right before it.

use std::sync::Arc;

use crate::kind::{NodeKind, TokenKind};
use crate::span::Span;

pub(crate) mod build;

/// The longest text that is parsed, in bytes: offsets and lengths keep to 26 bits.
pub const TEXT_LIMIT: usize = (1 << 26) - 1;

const KIND_BITS: u32 = 6;

/// A token: where it starts, how long it is and what it is, in eight bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Token {
    start: u32,
    bits: u32,
}

impl Token {
    pub(crate) fn new(kind: TokenKind, start: u32, end: u32) -> Self {
        Self { start, bits: (end.wrapping_sub(start) << KIND_BITS) | kind as u32 }
    }

    /// What it is.
    pub fn kind(self) -> TokenKind {
        TokenKind::from_bits((self.bits & ((1 << KIND_BITS) - 1)) as u8)
    }

    /// How many bytes it covers.
    pub fn len(self) -> u32 {
        self.bits >> KIND_BITS
    }

    /// Whether it covers nothing.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Which bytes it covers.
    pub fn span(self) -> Span {
        Span::new(self.start, self.start + self.len())
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}@{}..{}", self.kind(), self.start, self.start + self.len())
    }
}

/// A node: its tokens, its kind and the size of its subtree, in twelve bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) first: u32,
    pub(crate) end: u32,
    bits: u32,
}

impl Node {
    pub(crate) fn new(kind: NodeKind, first: u32, end: u32, size: u32) -> Self {
        Self { first, end, bits: (size << KIND_BITS) | kind as u32 }
    }

    pub(crate) fn kind(self) -> NodeKind {
        NodeKind::from_bits((self.bits & ((1 << KIND_BITS) - 1)) as u8)
    }

    pub(crate) fn size(self) -> u32 {
        self.bits >> KIND_BITS
    }
}

/// The number of a node in its tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(crate) u32);

/// A text with its tokens and nodes. Nothing of the text is lost: what no token covers is blanks or a byte order mark.
#[derive(Debug)]
pub struct Tree {
    text: Arc<str>,
    tokens: Box<[Token]>,
    nodes: Box<[Node]>,
}

impl Tree {
    pub(crate) fn new(text: Arc<str>, tokens: Vec<Token>, nodes: Vec<Node>) -> Self {
        let nodes = if nodes.is_empty() {
            vec![Node::new(NodeKind::Error, 0, tokens.len() as u32, 1)]
        } else {
            nodes
        };
        Self { text, tokens: tokens.into(), nodes: nodes.into() }
    }

    /// The whole text.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// All tokens; the last is [`TokenKind::End`].
    pub fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    /// How many bytes tokens and nodes take.
    pub fn memory(&self) -> usize {
        size_of_val(&*self.tokens) + size_of_val(&*self.nodes)
    }

    /// The node that covers everything.
    pub fn root(&self) -> NodeId {
        NodeId(self.nodes.len() as u32 - 1)
    }

    pub(crate) fn node(&self, id: NodeId) -> Node {
        match self.nodes.get(id.0 as usize) {
            Some(node) => *node,
            None => Node::new(NodeKind::Error, 0, 0, 1),
        }
    }

    /// What a node is.
    pub fn kind(&self, id: NodeId) -> NodeKind {
        self.node(id).kind()
    }

    /// The numbers of the tokens of a node.
    pub(crate) fn token_range(&self, id: NodeId) -> std::ops::Range<u32> {
        let node = self.node(id);
        node.first..node.end
    }

    /// Which bytes a node covers.
    pub fn span(&self, id: NodeId) -> Span {
        let node = self.node(id);
        self.tokens_span(node.first, node.end)
    }

    pub(crate) fn tokens_span(&self, first: u32, end: u32) -> Span {
        if first < end {
            self.token(first).span().join(self.token(end - 1).span())
        } else if first == 0 {
            Span::at(0)
        } else {
            Span::at(self.token(first - 1).span().end)
        }
    }

    pub(crate) fn token(&self, index: u32) -> Token {
        match self.tokens.get(index as usize) {
            Some(token) => *token,
            None => Token::new(TokenKind::End, self.text.len() as u32, self.text.len() as u32),
        }
    }

    pub(crate) fn token_text(&self, index: u32) -> &str {
        self.token(index).span().of(&self.text)
    }

    /// The first token at or after `index` that is neither a line end nor a comment.
    pub(crate) fn significant(&self, mut index: u32) -> u32 {
        while self.token(index).kind().is_trivia() {
            index += 1;
        }
        index
    }

    /// The last token before `index` that is neither a line end nor a comment.
    pub(crate) fn significant_before(&self, mut index: u32) -> u32 {
        while index > 0 {
            index -= 1;
            if !self.token(index).kind().is_trivia() {
                break;
            }
        }
        index
    }

    /// The last child of a node.
    pub(crate) fn last_child(&self, id: NodeId) -> Option<NodeId> {
        (self.node(id).size() > 1).then(|| NodeId(id.0 - 1))
    }

    /// The nodes that a node consists of, in source order.
    pub fn children(&self, id: NodeId) -> Vec<NodeId> {
        let mut list = Vec::with_capacity(self.child_count(id));
        list.extend(self.children_backwards(id));
        list.reverse();
        list
    }

    pub(crate) fn child_count(&self, id: NodeId) -> usize {
        self.children_backwards(id).count()
    }

    /// The nodes that a node consists of, the last one first, which is how they are found.
    pub(crate) fn children_backwards(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        let low = (id.0 + 1).saturating_sub(self.node(id).size());
        let mut at = id.0;
        std::iter::from_fn(move || {
            let child = NodeId(at.checked_sub(1).filter(|_| at > low)?);
            at = (child.0 + 1).saturating_sub(self.node(child).size().max(1));
            Some(child)
        })
    }

    /// The last `N` children of a node, in source order. Where there are fewer, the node itself stands in.
    pub(crate) fn last_children<const N: usize>(&self, id: NodeId) -> [NodeId; N] {
        let mut list = [id; N];
        let low = (id.0 + 1).saturating_sub(self.node(id).size());
        let mut at = id.0;
        for slot in list.iter_mut().rev() {
            if at <= low {
                break;
            }
            *slot = NodeId(at - 1);
            at = at.saturating_sub(self.node(*slot).size());
        }
        list
    }

    /// The only child of a node, or `None`.
    pub(crate) fn only_child(&self, id: NodeId) -> Option<NodeId> {
        self.last_child(id)
    }
}
