//! Handles to bodies and expressions in native syntax: the shared tree and the number of a node.

use std::sync::Arc;

use crate::ast::ExprView;
use crate::body::{Argument, Block, Body, BodyItem, Expr, Label, Name, SharedText};
use crate::kind::{NodeKind, TokenKind};
use crate::lex::escape;
use crate::parse::Parse;
use crate::span::{FileId, Span};
use crate::tree::{NodeId, Tree};

/// A handle to a body in native syntax, which keeps its tree alive.
#[derive(Clone, Debug)]
pub struct NativeBody {
    tree: Arc<Tree>,
    file: FileId,
    id: NodeId,
}

/// A handle to an expression in native syntax, which keeps its tree alive.
#[derive(Clone, Debug)]
pub struct NativeExpr {
    tree: Arc<Tree>,
    file: FileId,
    id: NodeId,
    /// The number after its last token; for the first steps of a traversal less than the node's.
    end: u32,
}

impl NativeExpr {
    /// Returns the expression that is the whole of a parsed text.
    pub(crate) fn root(parse: &Parse) -> Self {
        Self::new(&parse.tree, parse.file, parse.tree.root())
    }

    /// Returns a handle to the expression at a node.
    fn new(tree: &Arc<Tree>, file: FileId, id: NodeId) -> Self {
        Self { tree: Arc::clone(tree), file, id, end: tree.token_range(id).end }
    }

    /// Sets the file that the expression's places refer to.
    pub(super) fn set_file(&mut self, file: FileId) {
        self.file = file;
    }

    /// Returns the typed view of the expression.
    pub fn view(&self) -> ExprView<'_> {
        ExprView::cut(&self.tree, self.id, self.end)
    }

    /// Returns a handle to an expression inside this one, by its view.
    pub fn inner(&self, expr: ExprView<'_>) -> Self {
        let (id, end) = expr.handle();
        Self { tree: Arc::clone(&self.tree), file: self.file, id, end }
    }

    /// Returns the source range of the expression in its file.
    pub fn span(&self) -> Span {
        self.view().span()
    }

    /// Returns the file that contains the expression.
    pub fn file(&self) -> FileId {
        self.file
    }

    /// Returns the source text of the expression.
    pub fn text(&self) -> SharedText {
        SharedText::slice(self.tree.text(), self.span())
    }

    /// Returns the syntax tree that contains the expression.
    pub fn tree(&self) -> &Arc<Tree> {
        &self.tree
    }
}

impl NativeBody {
    /// Returns the outermost body of a parsed file.
    pub(crate) fn root(parse: &Parse) -> Self {
        Self { tree: Arc::clone(&parse.tree), file: parse.file, id: parse.tree.root() }
    }

    /// Returns the file that contains the body.
    pub fn file(&self) -> FileId {
        self.file
    }

    /// Returns the source range of the body: between the braces of a block, or the whole file.
    pub fn span(&self) -> Span {
        if self.id == self.tree.root() {
            return Span::new(0, self.tree.text().len() as u32);
        }
        self.tree.span(self.id)
    }

    /// Returns the syntax tree that contains the body.
    pub fn tree(&self) -> &Arc<Tree> {
        &self.tree
    }

    /// Returns arguments and blocks in source order. Items with syntax errors, which are already reported, are omitted.
    pub fn items(&self) -> Vec<BodyItem> {
        let children = self.tree.children(self.id);
        children.into_iter().filter_map(|id| self.item(id)).collect()
    }

    /// Returns the argument or block at a node; `None` for any other node.
    fn item(&self, id: NodeId) -> Option<BodyItem> {
        let tree = &self.tree;
        let first = tree.node(id).first;
        let value = tree.only_child(id)?;
        match tree.kind(id) {
            NodeKind::Argument => Some(BodyItem::Argument(Argument {
                name: self.name(first),
                expr: Expr::Native(NativeExpr::new(tree, self.file, value)),
                span: tree.span(id),
            })),
            NodeKind::Block => {
                let open = tree.node(value).first.saturating_sub(1);
                let labels = (first + 1..open).filter_map(|at| self.label(at)).collect();
                let last = open.saturating_sub(1).max(first);
                Some(BodyItem::Block(Block {
                    kind: self.name(first),
                    labels,
                    body: Body::Native(Self { tree: Arc::clone(tree), file: self.file, id: value }),
                    header: tree.tokens_span(first, last + 1),
                    span: tree.span(id),
                }))
            }
            _ => None,
        }
    }

    /// Returns the name that is token `at`, without quotes, with its span.
    fn name(&self, at: u32) -> Name {
        let span = self.tree.token(at).span();
        if self.tree.token_kind(at) == TokenKind::String {
            let inner = Span::new(span.start + 1, span.end - 1);
            return Name { text: SharedText::slice(self.tree.text(), inner), span };
        }
        Name { text: SharedText::slice(self.tree.text(), span), span }
    }

    /// Returns the block label that is token `at`; `None` if the token cannot be a label.
    fn label(&self, at: u32) -> Option<Label> {
        let token = self.tree.token(at);
        let span = token.span();
        let whole = self.tree.text();
        match token.kind() {
            TokenKind::Identifier => {
                Some(Label { text: SharedText::slice(whole, span), span, quoted: false })
            }
            TokenKind::String => {
                let inner = Span::new(span.start + 1, span.end - 1);
                let text = SharedText::of(whole, inner, escape::quoted(inner.of(whole)));
                Some(Label { text, span, quoted: true })
            }
            _ => None,
        }
    }
}
