//! The flat tree of one text: tokens in order, nodes in postorder.
//! A node's subtree is the `size` entries that end with it, so its last child stands right before it.

use std::sync::Arc;

use crate::kind::{NodeKind, TokenKind};
use crate::span::Span;

pub(crate) mod build;
mod node;
mod token;

pub(crate) use node::{Node, NodeList};
pub(crate) use token::TokenList;
pub use token::{Token, Tokens};

/// The longest text that is parsed, in bytes: offsets and lengths keep to 26 bits.
pub const TEXT_LIMIT: usize = (1 << 26) - 1;

/// The number of a node in its tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(crate) u32);

/// A text with its tokens and nodes. Nothing of the text is lost: what no token covers is blanks or a byte order mark.
#[derive(Debug)]
pub struct Tree {
    text: Arc<str>,
    tokens: TokenList,
    nodes: NodeList,
}

impl Tree {
    pub(crate) fn new(text: Arc<str>, mut tokens: TokenList, mut nodes: NodeList) -> Self {
        if nodes.len() == 0 {
            let end = tokens.len() as u32;
            nodes.push(Node { kind: NodeKind::Error, first: 0, end, size: 1 });
        }
        tokens.shrink();
        nodes.shrink();
        Self { text, tokens, nodes }
    }

    /// The whole text.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// All tokens; the last is [`TokenKind::End`].
    pub fn tokens(&self) -> Tokens<'_> {
        Tokens::all(&self.tokens)
    }

    /// Returns how many bytes tokens and nodes take.
    pub fn memory(&self) -> usize {
        self.tokens.memory() + self.nodes.memory()
    }

    /// The node that covers everything.
    pub fn root(&self) -> NodeId {
        NodeId(self.nodes.len() as u32 - 1)
    }

    pub(crate) fn node(&self, id: NodeId) -> Node {
        match self.nodes.get(id.0) {
            Some(node) => node,
            None => Node { kind: NodeKind::Error, first: 0, end: 0, size: 1 },
        }
    }

    /// Returns what a node is.
    pub fn kind(&self, id: NodeId) -> NodeKind {
        self.node(id).kind
    }

    /// The numbers of the tokens of a node.
    pub(crate) fn token_range(&self, id: NodeId) -> std::ops::Range<u32> {
        let node = self.node(id);
        node.first..node.end
    }

    /// Returns which bytes a node covers.
    pub fn span(&self, id: NodeId) -> Span {
        let node = self.node(id);
        self.tokens_span(node.first, node.end)
    }

    pub(crate) fn tokens_span(&self, first: u32, end: u32) -> Span {
        if first < end
            && let Some(span) = self.tokens.span(first as usize, end as usize - 1)
        {
            return span;
        }
        self.rare_span(first, end)
    }

    /// The same where there is no token, or one that is not in the list.
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

    pub(crate) fn token(&self, index: u32) -> Token {
        match self.tokens.get(index as usize) {
            Some(token) => token,
            None => Token::new(TokenKind::End, self.text.len() as u32, self.text.len() as u32),
        }
    }

    #[inline]
    pub(crate) fn token_kind(&self, index: u32) -> TokenKind {
        self.tokens.kind(index as usize).unwrap_or(TokenKind::End)
    }

    pub(crate) fn token_text(&self, index: u32) -> &str {
        match self.tokens.span(index as usize, index as usize) {
            Some(span) => span.of(&self.text),
            None => "",
        }
    }

    /// The first token at or after `index` that is neither a line end nor a comment.
    pub(crate) fn significant(&self, mut index: u32) -> u32 {
        while self.token_kind(index).is_trivia() {
            index += 1;
        }
        index
    }

    /// The last token before `index` that is neither a line end nor a comment.
    pub(crate) fn significant_before(&self, mut index: u32) -> u32 {
        while index > 0 {
            index -= 1;
            if !self.token_kind(index).is_trivia() {
                break;
            }
        }
        index
    }

    /// The last child of a node.
    pub(crate) fn last_child(&self, id: NodeId) -> Option<NodeId> {
        (self.node(id).size > 1).then(|| NodeId(id.0 - 1))
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
        let low = (id.0 + 1).saturating_sub(self.node(id).size);
        let mut at = id.0;
        std::iter::from_fn(move || {
            let child = NodeId(at.checked_sub(1).filter(|_| at > low)?);
            at = (child.0 + 1).saturating_sub(self.node(child).size.max(1));
            Some(child)
        })
    }

    /// The last `N` children of a node, in source order. Where there are fewer, the node itself stands in.
    pub(crate) fn last_children<const N: usize>(&self, id: NodeId) -> [NodeId; N] {
        let mut list = [id; N];
        let low = (id.0 + 1).saturating_sub(self.node(id).size);
        let mut at = id.0;
        for slot in list.iter_mut().rev() {
            if at <= low {
                break;
            }
            *slot = NodeId(at - 1);
            at = at.saturating_sub(self.node(*slot).size);
        }
        list
    }

    /// The only child of a node, or `None`.
    pub(crate) fn only_child(&self, id: NodeId) -> Option<NodeId> {
        self.last_child(id)
    }
}
