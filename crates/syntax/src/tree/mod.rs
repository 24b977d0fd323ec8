//! The syntax tree of a text as two flat lists: tokens in order, and nodes in postorder. A node's subtree is the `size` nodes
//! that end with it, so its last child is directly before it.

use std::sync::Arc;

use crate::kind::{NodeKind, TokenKind};
use crate::span::Span;

pub(crate) mod build;
mod node;
mod token;

pub(crate) use node::{Node, NodeList};
pub(crate) use token::TokenList;
pub use token::{Token, Tokens};

/// Maximum length in bytes of a text that is parsed: offsets and lengths have 26 bits.
pub const TEXT_LIMIT: usize = (1 << 26) - 1;

/// The number of a node in its syntax tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(crate) u32);

/// The syntax tree of a text: tokens and nodes. It is lossless: bytes outside tokens are blanks or a byte order mark.
#[derive(Debug)]
pub struct Tree {
    text: Arc<str>,
    tokens: TokenList,
    nodes: NodeList,
}

impl Tree {
    /// Creates a tree; a tree without nodes gets an error node as its root.
    pub(crate) fn new(text: Arc<str>, mut tokens: TokenList, mut nodes: NodeList) -> Self {
        if nodes.len() == 0 {
            let end = tokens.len() as u32;
            nodes.push(Node { kind: NodeKind::Error, first: 0, end, size: 1 });
        }
        tokens.shrink();
        nodes.shrink();
        Self { text, tokens, nodes }
    }

    /// Returns the source text of the tree.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// Returns all tokens; the last is [`TokenKind::End`].
    pub fn tokens(&self) -> Tokens<'_> {
        Tokens::all(&self.tokens)
    }

    /// Returns the memory that the tree's tokens and nodes use, in bytes.
    pub fn memory(&self) -> usize {
        self.tokens.memory() + self.nodes.memory()
    }

    /// Returns the number of the root node.
    pub fn root(&self) -> NodeId {
        NodeId(self.nodes.len() as u32 - 1)
    }

    /// Returns the node with the number `id`; an error node for a number out of range.
    pub(crate) fn node(&self, id: NodeId) -> Node {
        match self.nodes.get(id.0) {
            Some(node) => node,
            None => Node { kind: NodeKind::Error, first: 0, end: 0, size: 1 },
        }
    }

    /// Returns the kind of a node.
    pub fn kind(&self, id: NodeId) -> NodeKind {
        self.node(id).kind
    }

    /// Returns the range of the numbers of the tokens that a node covers.
    pub(crate) fn token_range(&self, id: NodeId) -> std::ops::Range<u32> {
        let node = self.node(id);
        node.first..node.end
    }

    /// Returns the source range of a node.
    pub fn span(&self, id: NodeId) -> Span {
        let node = self.node(id);
        self.tokens_span(node.first, node.end)
    }

    /// Returns the source range of the tokens from `first` up to, but not including, `end`.
    pub(crate) fn tokens_span(&self, first: u32, end: u32) -> Span {
        if first < end
            && let Some(span) = self.tokens.span(first as usize, end as usize - 1)
        {
            return span;
        }
        self.rare_span(first, end)
    }

    /// Returns the source range of the tokens from `first` up to `end`, for the rare cases of the caller: for no tokens an empty
    /// range at the end of the token before, and beyond the last token the empty end of the text.
    #[cold]
    fn rare_span(&self, first: u32, end: u32) -> Span {
        if first < end {
            self.token(first).span().join(self.token(end - 1).span())
        } else if first == 0 {
            Span::at(0)
        } else {
            Span::at(self.token(first - 1).span().end)
        }
    }

    /// Returns the token with the number `index`; an empty `End` at the end of the text beyond the last.
    pub(crate) fn token(&self, index: u32) -> Token {
        match self.tokens.get(index as usize) {
            Some(token) => token,
            None => Token::new(TokenKind::End, self.text.len() as u32, self.text.len() as u32),
        }
    }

    /// Returns the kind of the token with the number `index`; `End` beyond the last.
    #[inline]
    pub(crate) fn token_kind(&self, index: u32) -> TokenKind {
        self.tokens.kind(index as usize).unwrap_or(TokenKind::End)
    }

    /// Returns the text of the token with the number `index`; empty beyond the last.
    pub(crate) fn token_text(&self, index: u32) -> &str {
        match self.tokens.span(index as usize, index as usize) {
            Some(span) => span.of(&self.text),
            None => "",
        }
    }

    /// Returns the number of the first token at or after `index` that is neither a line end nor a comment.
    pub(crate) fn significant(&self, mut index: u32) -> u32 {
        while self.token_kind(index).is_trivia() {
            index += 1;
        }
        index
    }

    /// Returns the number of the last token before `index` that is neither a line end nor a comment; 0 if there is none.
    pub(crate) fn significant_before(&self, mut index: u32) -> u32 {
        while index > 0 {
            index -= 1;
            if !self.token_kind(index).is_trivia() {
                break;
            }
        }
        index
    }

    /// Returns the last child of a node; `None` if it has no children.
    pub(crate) fn last_child(&self, id: NodeId) -> Option<NodeId> {
        (self.node(id).size > 1).then(|| NodeId(id.0 - 1))
    }

    /// Returns the children of a node, in source order.
    pub fn children(&self, id: NodeId) -> Vec<NodeId> {
        let mut list = Vec::with_capacity(self.child_count(id));
        list.extend(self.children_backwards(id));
        list.reverse();
        list
    }

    /// Returns the number of children of a node.
    pub(crate) fn child_count(&self, id: NodeId) -> usize {
        self.children_backwards(id).count()
    }

    /// Iterates over the children of a node from the last one to the first, as stepping back in the postorder list finds them.
    pub(crate) fn children_backwards(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        let low = (id.0 + 1).saturating_sub(self.node(id).size);
        let mut at = id.0;
        std::iter::from_fn(move || {
            let child = NodeId(at.checked_sub(1).filter(|_| at > low)?);
            at = (child.0 + 1).saturating_sub(self.node(child).size.max(1));
            Some(child)
        })
    }

    /// Returns the last `N` children of a node, in source order. If there are fewer, the node itself takes the places of the
    /// missing ones.
    pub(crate) fn last_children<const N: usize>(&self, id: NodeId) -> [NodeId; N] {
        let mut list = [id; N];
        let low = (id.0 + 1).saturating_sub(self.node(id).size);
        let mut at = id.0;
        for child in list.iter_mut().rev() {
            if at <= low {
                break;
            }
            *child = NodeId(at - 1);
            at = at.saturating_sub(self.node(*child).size);
        }
        list
    }

    /// Returns the child of a node of a kind with at most one child; `None` if it has none.
    pub(crate) fn only_child(&self, id: NodeId) -> Option<NodeId> {
        self.last_child(id)
    }
}
