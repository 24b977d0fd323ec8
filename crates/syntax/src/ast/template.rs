//! Typed views of templates: their parts, with escapes decoded and strip markers and `<<-` indentation applied. A strip marker
//! trims one literal piece only, which in a heredoc or template file is one line.

use std::borrow::Cow;

use crate::ast::ExprView;
use crate::kind::{NodeKind, TokenKind};
use crate::lex::escape;
use crate::span::Span;
use crate::tree::{NodeId, Tree};

/// A typed view of a quoted string, a heredoc or a template file.
#[derive(Clone, Copy)]
pub struct TemplateView<'t> {
    tree: &'t Tree,
    id: NodeId,
}

/// The notation of a template: quoted, heredoc or template file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TemplateKind {
    /// A quoted string.
    Quoted,
    /// A heredoc.
    Heredoc {
        /// True for `<<-`, which removes the common indentation.
        flush: bool,
    },
    /// The text of a template file.
    Bare,
}

/// One part of a template: literal text, an interpolation or a directive with its nested parts.
#[derive(Clone, Debug)]
pub enum TemplatePart<'t> {
    /// Literal text. Never empty.
    Literal {
        /// The text with escapes decoded.
        text: Cow<'t, str>,
        /// The span of the text in the source.
        span: Span,
    },
    /// `${ … }`
    Interpolation {
        /// The expression.
        expr: ExprView<'t>,
        /// The span with the braces.
        span: Span,
    },
    /// `%{ if … } … %{ else } … %{ endif }`
    If {
        /// The condition.
        condition: ExprView<'t>,
        /// The parts when true.
        then: Vec<TemplatePart<'t>>,
        /// The parts when false, where there is an `else`.
        otherwise: Option<Vec<TemplatePart<'t>>>,
        /// The span from the first directive to the last.
        span: Span,
    },
    /// `%{ for … } … %{ endfor }`
    For {
        /// The first of two names, with its place.
        key_name: Option<(&'t str, Span)>,
        /// The only or second name, with its place.
        value_name: (&'t str, Span),
        /// The collection iterated over.
        collection: ExprView<'t>,
        /// The parts for each element.
        body: Vec<TemplatePart<'t>>,
        /// The span from the first directive to the last.
        span: Span,
    },
}

impl std::fmt::Debug for TemplateView<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{:?}({:?})",
            self.tree.kind(self.id),
            self.tree.span(self.id).of(self.tree.text())
        )
    }
}

/// A piece of a template before directives are nested: literal text, or a `${…}` or `%{…}` sequence.
enum TemplatePiece<'t> {
    Text { text: Cow<'t, str>, span: Span },
    Sequence(NodeId),
}

impl<'t> TemplateView<'t> {
    /// Creates the view of the template at a node of a tree.
    pub(crate) fn new(tree: &'t Tree, id: NodeId) -> Self {
        Self { tree, id }
    }

    /// Returns the source range of the template.
    pub fn span(self) -> Span {
        self.tree.span(self.id)
    }

    /// Returns the notation of the template.
    pub fn kind(self) -> TemplateKind {
        match self.tree.kind(self.id) {
            NodeKind::Heredoc => {
                let open = self.tree.token_text(self.tree.node(self.id).first);
                TemplateKind::Heredoc { flush: open.starts_with("<<-") }
            }
            NodeKind::Bare => TemplateKind::Bare,
            _ => TemplateKind::Quoted,
        }
    }

    /// Returns the expression of a template that consists of a single interpolation, without even text removed by a strip
    /// marker; `None` for other templates. Such a template keeps the expression's type.
    pub fn lone_interpolation(self) -> Option<ExprView<'t>> {
        let node = self.tree.node(self.id);
        let only = self.tree.last_child(self.id)?;
        let inner = self.tree.node(only);
        let (before, after) = match node.kind {
            NodeKind::Quoted => (1, 1),
            NodeKind::Bare => (0, 1),
            _ => return None,
        };
        let alone = inner.kind == NodeKind::Interpolation
            && inner.first == node.first + before
            && inner.end + after == node.end;
        if !alone {
            return None;
        }
        self.tree.only_child(only).map(|expr| ExprView::new(self.tree, expr))
    }

    /// Returns true if the template consists of one interpolation and nothing else.
    pub fn is_lone_interpolation(self) -> bool {
        self.lone_interpolation().is_some()
    }

    /// Returns the text of a template that has no interpolations and directives; `None` for other templates.
    pub fn plain(self) -> Option<Cow<'t, str>> {
        let node = self.tree.node(self.id);
        if node.kind == NodeKind::String {
            return Some(self.string_text());
        }
        if node.size > 1 {
            return None;
        }
        let mut parts = self.parts();
        match (parts.pop(), parts.is_empty()) {
            (None, _) => Some(Cow::Borrowed("")),
            (Some(TemplatePart::Literal { text, .. }), true) => Some(text),
            _ => None,
        }
    }

    /// Returns the content of a quoted string without template sequences, unescaped.
    fn string_text(self) -> Cow<'t, str> {
        let token = self.tree.token(self.tree.node(self.id).first).span();
        escape::quoted(Span::new(token.start + 1, token.end - 1).of(self.tree.text()))
    }

    /// Returns true if the template contains a `%{ for }` directive.
    pub(crate) fn has_loop(self) -> bool {
        let children = self.tree.children_backwards(self.id);
        children.into_iter().any(|id| self.tree.kind(id) == NodeKind::DirectiveFor)
    }

    /// Iterates over the expressions directly inside the template, in source order, including those in branches that may not be
    /// taken.
    pub fn expressions(self) -> impl Iterator<Item = ExprView<'t>> {
        let tree = self.tree;
        tree.children(self.id).into_iter().filter_map(move |id| match tree.kind(id) {
            NodeKind::Interpolation | NodeKind::DirectiveIf | NodeKind::DirectiveFor => {
                tree.only_child(id).map(|expr| ExprView::new(tree, expr))
            }
            _ => None,
        })
    }

    /// Returns the parts of the template in order; those between the directives of an `if` or `for` are nested in it.
    pub fn parts(self) -> Vec<TemplatePart<'t>> {
        if self.tree.kind(self.id) == NodeKind::String {
            let span = self.span();
            let text = self.string_text();
            if text.is_empty() {
                return Vec::new();
            }
            return vec![TemplatePart::Literal {
                text,
                span: Span::new(span.start + 1, span.end - 1),
            }];
        }
        let mut pieces = self.pieces();
        self.strip(&mut pieces);
        if matches!(self.kind(), TemplateKind::Heredoc { flush: true }) {
            flush(&mut pieces);
        }
        self.nest(pieces)
    }

    /// Returns the pieces of the template in order, not nested: text line by line (a quoted string's as a whole), and each
    /// `${…}` or `%{…}`.
    fn pieces(self) -> Vec<TemplatePiece<'t>> {
        let tree = self.tree;
        let node = tree.node(self.id);
        let mut list = Vec::new();
        let mut sequences = tree.children(self.id).into_iter();
        let quoted = node.kind == NodeKind::Quoted;
        let mut at = node.first;
        while at < node.end {
            match tree.token_kind(at) {
                TokenKind::Literal => {
                    let span = tree.token(at).span();
                    let text = span.of(tree.text());
                    if quoted {
                        list.push(TemplatePiece::Text { text: escape::quoted(text), span });
                    } else {
                        let mut start = span.start;
                        for line in text.split_inclusive('\n') {
                            let span = Span::new(start, start + line.len() as u32);
                            list.push(TemplatePiece::Text { text: escape::bare(line), span });
                            start = span.end;
                        }
                    }
                    at += 1;
                }
                TokenKind::InterpolationOpen | TokenKind::DirectiveOpen => match sequences.next() {
                    Some(id) => {
                        list.push(TemplatePiece::Sequence(id));
                        at = tree.node(id).end.max(at + 1);
                    }
                    None => at += 1,
                },
                _ => at += 1,
            }
        }
        list
    }

    /// Applies the strip markers of `${~ … ~}` and `%{~ … ~}`: trims white space from the literal text before or after.
    fn strip(self, pieces: &mut [TemplatePiece<'t>]) {
        let tree = self.tree;
        for at in 0..pieces.len() {
            let TemplatePiece::Sequence(id) = pieces[at] else { continue };
            let node = tree.node(id);
            if tree.token(node.first).len() == 3
                && let Some(TemplatePiece::Text { text, .. }) =
                    at.checked_sub(1).map(|i| &mut pieces[i])
            {
                trim(text, str::trim_end);
            }
            let close = tree.token(node.end.saturating_sub(1));
            if close.kind() == TokenKind::SequenceClose
                && close.len() == 2
                && let Some(TemplatePiece::Text { text, .. }) = pieces.get_mut(at + 1)
            {
                trim(text, str::trim_start);
            }
        }
    }

    /// Converts pieces to parts: nests the pieces between the directives of an `if` or `for` in it.
    fn nest(self, pieces: Vec<TemplatePiece<'t>>) -> Vec<TemplatePart<'t>> {
        let tree = self.tree;
        let mut open: Vec<OpenDirective<'t>> = Vec::new();
        let mut list: Vec<TemplatePart<'t>> = Vec::new();
        for piece in pieces {
            let id = match piece {
                TemplatePiece::Text { text, span } => {
                    push_text(tree, &mut list, text, span);
                    continue;
                }
                TemplatePiece::Sequence(id) => id,
            };
            let span = tree.span(id);
            let inner = || tree.only_child(id).map(|expr| ExprView::new(tree, expr));
            match tree.kind(id) {
                NodeKind::Interpolation => {
                    if let Some(expr) = inner() {
                        list.push(TemplatePart::Interpolation { expr, span });
                    }
                }
                NodeKind::DirectiveIf | NodeKind::DirectiveFor => {
                    if let Some(head) = inner() {
                        let outer = std::mem::take(&mut list);
                        open.push(OpenDirective { id, head, outer, then: None, start: span.start });
                    }
                }
                NodeKind::DirectiveElse => {
                    if let Some(top) = open.last_mut()
                        && tree.kind(top.id) == NodeKind::DirectiveIf
                        && top.then.is_none()
                    {
                        top.then = Some(std::mem::take(&mut list));
                    }
                }
                kind @ (NodeKind::DirectiveEndIf | NodeKind::DirectiveEndFor) => {
                    let wanted = match kind {
                        NodeKind::DirectiveEndIf => NodeKind::DirectiveIf,
                        _ => NodeKind::DirectiveFor,
                    };
                    if open.last().is_some_and(|top| tree.kind(top.id) == wanted)
                        && let Some(top) = open.pop()
                    {
                        top.close(tree, &mut list, span.end);
                    }
                }
                _ => {}
            }
        }
        while let Some(top) = open.pop() {
            top.close(tree, &mut list, self.span().end);
        }
        list
    }
}

/// An `if` or `for` directive whose end has not been reached yet, with the parts before it.
struct OpenDirective<'t> {
    id: NodeId,
    head: ExprView<'t>,
    outer: Vec<TemplatePart<'t>>,
    then: Option<Vec<TemplatePart<'t>>>,
    start: u32,
}

impl<'t> OpenDirective<'t> {
    /// Ends the directive at byte offset `end`: makes it a part that contains the parts in `list`, and sets `list` to the
    /// parts before the directive with this one appended.
    fn close(self, tree: &'t Tree, list: &mut Vec<TemplatePart<'t>>, end: u32) {
        let span = Span::new(self.start, end);
        let inner = std::mem::replace(list, self.outer);
        if tree.kind(self.id) == NodeKind::DirectiveIf {
            let (then, otherwise) = match self.then {
                Some(then) => (then, Some(inner)),
                None => (inner, None),
            };
            list.push(TemplatePart::If { condition: self.head, then, otherwise, span });
            return;
        }
        let named = |at: u32| (tree.token_text(at), tree.token(at).span());
        let first = tree.node(self.id).first;
        let one = tree.significant(tree.significant(first + 1) + 1);
        let comma = tree.significant(one + 1);
        let (key_name, value_name) = if tree.token_kind(comma) == TokenKind::Comma {
            (Some(named(one)), named(tree.significant(comma + 1)))
        } else {
            (None, named(one))
        };
        list.push(TemplatePart::For {
            key_name,
            value_name,
            collection: self.head,
            body: inner,
            span,
        });
    }
}

/// Trims a text with the function `how`, such as `str::trim_end`; a borrowed text stays borrowed.
fn trim(text: &mut Cow<'_, str>, how: for<'a> fn(&'a str) -> &'a str) {
    match text {
        Cow::Borrowed(text) => *text = how(text),
        Cow::Owned(text) => *text = how(text).to_owned(),
    }
}

/// Appends literal text to a list of parts, merging it with a literal at the end of the list.
fn push_text<'t>(tree: &'t Tree, list: &mut Vec<TemplatePart<'t>>, text: Cow<'t, str>, span: Span) {
    if text.is_empty() {
        return;
    }
    if let Some(TemplatePart::Literal { text: last, span: covered }) = list.last_mut() {
        let whole = covered.join(span);
        let as_written = |text: &Cow<'_, str>, span: Span| {
            matches!(text, Cow::Borrowed(_)) && text.len() == span.len() as usize
        };
        if as_written(last, *covered) && as_written(&text, span) && covered.end == span.start {
            *last = Cow::Borrowed(whole.of(tree.text()));
        } else {
            last.to_mut().push_str(&text);
        }
        *covered = whole;
    } else {
        list.push(TemplatePart::Literal { text, span });
    }
}

/// Removes the common indentation of a `<<-` heredoc. Blank lines neither limit nor lose indentation; a piece counts as the
/// start of a line only if the text before it still ends with a line end.
fn flush(pieces: &mut [TemplatePiece<'_>]) {
    let blanks = |text: &str| text.chars().take_while(|c| c.is_whitespace()).count();
    let is_blank = |text: &str| text.ends_with('\n') && text.trim_start().is_empty();
    let mut least = usize::MAX;
    let mut starts = Vec::new();
    let mut at_start = true;
    for (at, piece) in pieces.iter().enumerate() {
        let fresh = std::mem::take(&mut at_start);
        match piece {
            TemplatePiece::Text { text, .. } => {
                if fresh && !is_blank(text) {
                    least = least.min(blanks(text));
                    starts.push(at);
                }
                at_start = text.ends_with('\n');
            }
            TemplatePiece::Sequence(_) if fresh => least = 0,
            TemplatePiece::Sequence(_) => {}
        }
    }
    for at in starts {
        if let TemplatePiece::Text { text, .. } = &mut pieces[at] {
            let cut = text.char_indices().nth(least).map_or(text.len(), |(byte, _)| byte);
            match text {
                Cow::Borrowed(text) => *text = &text[cut..],
                Cow::Owned(text) => drop(text.drain(..cut)),
            }
        }
    }
}
