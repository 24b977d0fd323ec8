//! Typed views of expressions. A traversal `a.b.c` is one node; its views are nested step by step, the last step outermost.

use std::borrow::Cow;

use crate::ast::TemplateView;
use crate::kind::{NodeKind, TokenKind};
use crate::span::Span;
use crate::tree::{NodeId, Tree};

/// A typed view of one expression in a syntax tree.
#[derive(Clone, Copy)]
pub struct ExprView<'t> {
    tree: &'t Tree,
    id: NodeId,
    /// The number after the last token of the expression; less than the node's for the inner steps of a traversal.
    end: u32,
}

/// The identifier of an expression within its text, for callers that cannot keep a borrow of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExprId {
    id: NodeId,
    end: u32,
}

/// A unary operator: `-` or `!`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `-`
    Negate,
    /// `!`
    Not,
}

/// A binary operator, such as `+` or `&&`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `||`
    Or,
    /// `&&`
    And,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Remainder,
}

impl BinaryOp {
    /// Returns the binary operator that a token denotes, or `None` if the token is not an operator.
    pub(crate) const fn of(kind: TokenKind) -> Option<Self> {
        Some(match kind {
            TokenKind::Or => Self::Or,
            TokenKind::And => Self::And,
            TokenKind::EqualEqual => Self::Equal,
            TokenKind::NotEqual => Self::NotEqual,
            TokenKind::Less => Self::Less,
            TokenKind::LessEqual => Self::LessOrEqual,
            TokenKind::Greater => Self::Greater,
            TokenKind::GreaterEqual => Self::GreaterOrEqual,
            TokenKind::Plus => Self::Add,
            TokenKind::Minus => Self::Subtract,
            TokenKind::Star => Self::Multiply,
            TokenKind::Slash => Self::Divide,
            TokenKind::Percent => Self::Remainder,
            _ => return None,
        })
    }

    /// Returns the precedence of the operator; a higher number binds tighter.
    pub(crate) const fn strength(self) -> u8 {
        match self {
            Self::Or => 1,
            Self::And => 2,
            Self::Equal | Self::NotEqual => 3,
            Self::Less | Self::LessOrEqual | Self::Greater | Self::GreaterOrEqual => 4,
            Self::Add | Self::Subtract => 5,
            Self::Multiply | Self::Divide | Self::Remainder => 6,
        }
    }
}

/// An item of an object expression: key and value.
#[derive(Clone, Copy, Debug)]
pub struct ObjectItem<'t> {
    /// The key: a bare name, [`ExprCase::Root`], is a literal key; `(k)` is [`ExprCase::Parenthesised`].
    pub key: ExprView<'t>,
    /// The value.
    pub value: ExprView<'t>,
}

/// A `for` expression: `[for v in c : e if t]` or `{for k, v in c : a => b... if t}`.
#[derive(Clone, Copy, Debug)]
pub struct ForView<'t> {
    /// The first of two names, with its place.
    pub key_name: Option<(&'t str, Span)>,
    /// The only or second name, with its place.
    pub value_name: (&'t str, Span),
    /// The collection iterated over.
    pub collection: ExprView<'t>,
    /// The key expression before `=>`, in the object form.
    pub key: Option<ExprView<'t>>,
    /// The result for each element.
    pub value: ExprView<'t>,
    /// True if `...` groups equal keys.
    pub group: bool,
    /// The condition after `if`.
    pub condition: Option<ExprView<'t>>,
    /// True for the object form, in braces.
    pub is_object: bool,
    /// The span from the opening bracket up to the colon.
    pub intro: Span,
}

/// A function call: `name(a, b...)`.
#[derive(Clone, Debug)]
pub struct CallView<'t> {
    /// The function's name, its parts joined with `::`.
    pub name: Cow<'t, str>,
    /// The span of the name.
    pub name_span: Span,
    /// The opening parenthesis.
    pub open_span: Span,
    /// The closing parenthesis; empty where it is missing.
    pub close_span: Span,
    /// The arguments.
    pub args: Vec<ExprView<'t>>,
    /// True if `...` follows the last argument.
    pub expand: bool,
    /// The span of that `...`; empty without.
    pub expand_span: Span,
}

/// The syntactic form of an expression, with its parts.
#[derive(Clone, Debug)]
pub enum ExprCase<'t> {
    /// A number's text.
    Number(&'t str),
    /// A bare name: the root of a reference, or one of `true`, `false`, `null`, which the caller distinguishes.
    Root(&'t str),
    /// A quoted string or a heredoc.
    Template(TemplateView<'t>),
    /// `(e)`
    Parenthesised(ExprView<'t>),
    /// An operator before its operand.
    Unary {
        /// The operator.
        op: UnaryOp,
        /// The span of the operator.
        op_span: Span,
        /// The operand.
        operand: ExprView<'t>,
    },
    /// An operator between two operands.
    Binary {
        /// The operator.
        op: BinaryOp,
        /// The span of the operator.
        op_span: Span,
        /// The left operand.
        left: ExprView<'t>,
        /// The right operand.
        right: ExprView<'t>,
    },
    /// `condition ? then : otherwise`
    Conditional {
        /// The condition.
        condition: ExprView<'t>,
        /// The result when true.
        then: ExprView<'t>,
        /// The result when false.
        otherwise: ExprView<'t>,
    },
    /// `[a, b]`
    Tuple(Vec<ExprView<'t>>),
    /// `{ a = 1 }`
    Object(Vec<ObjectItem<'t>>),
    /// Either form of `for`.
    For(ForView<'t>),
    /// A function call.
    Call(CallView<'t>),
    /// `object.name`
    Attribute {
        /// The object that has the attribute.
        object: ExprView<'t>,
        /// Its name.
        name: &'t str,
        /// The span of the name.
        name_span: Span,
        /// The span from the dot to the end of the name.
        dot_span: Span,
    },
    /// `object[key]`
    Index {
        /// The collection that is indexed.
        object: ExprView<'t>,
        /// The index.
        key: ExprView<'t>,
        /// The span from the opening to the closing bracket.
        brackets: Span,
    },
    /// `object.0`
    LegacyIndex {
        /// The collection that is indexed.
        object: ExprView<'t>,
        /// The digits; an exponent may follow them, as in `1e0`.
        digits: &'t str,
        /// The span from the dot to the last digit.
        span: Span,
    },
    /// `source[*]…` or `source.*…`
    Splat {
        /// The collection iterated over.
        source: ExprView<'t>,
        /// True for the form `[*]`, false for `.*`.
        full: bool,
        /// The expression for each element; its innermost object is [`ExprCase::SplatItem`].
        each: ExprView<'t>,
        /// `[*]` or `.*`.
        marker: Span,
    },
    /// The current element of a splat.
    SplatItem,
    /// Something that could not be read; already reported.
    Missing,
}

impl<'t> ExprCase<'t> {
    /// Calls `take` for each direct sub-expression, in source order.
    pub fn inner(&self, mut take: impl FnMut(ExprView<'t>)) {
        match self {
            ExprCase::Template(template) => template.expressions().for_each(take),
            ExprCase::Call(call) => call.args.iter().for_each(|one| take(*one)),
            ExprCase::Tuple(items) => items.iter().for_each(|one| take(*one)),
            ExprCase::Object(items) => items.iter().for_each(|item| {
                take(item.key);
                take(item.value);
            }),
            ExprCase::For(each) => {
                take(each.collection);
                each.key.into_iter().for_each(&mut take);
                take(each.value);
                each.condition.into_iter().for_each(take);
            }
            ExprCase::Conditional { condition, then, otherwise } => {
                take(*condition);
                take(*then);
                take(*otherwise);
            }
            ExprCase::Binary { left: one, right: other, .. }
            | ExprCase::Index { object: one, key: other, .. }
            | ExprCase::Splat { source: one, each: other, .. } => {
                take(*one);
                take(*other);
            }
            ExprCase::Parenthesised(inner)
            | ExprCase::Unary { operand: inner, .. }
            | ExprCase::Attribute { object: inner, .. }
            | ExprCase::LegacyIndex { object: inner, .. } => take(*inner),
            ExprCase::Number(_) | ExprCase::Root(_) | ExprCase::SplatItem | ExprCase::Missing => {}
        }
    }
}

impl std::fmt::Debug for ExprView<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}({:?})", self.tree.kind(self.id), self.text())
    }
}

impl<'t> ExprView<'t> {
    /// Creates the view of the expression at a node; for the node of a whole text, of the expression inside it.
    pub(crate) fn new(tree: &'t Tree, id: NodeId) -> Self {
        let node = tree.node(id);
        if node.kind == NodeKind::Whole
            && let Some(inner) = tree.only_child(id)
        {
            return Self::new(tree, inner);
        }
        Self { tree, id, end: node.end }
    }

    /// Creates the view of the expression at a node, for a traversal only of the steps that end before token `end`.
    pub(crate) fn cut(tree: &'t Tree, id: NodeId, end: u32) -> Self {
        let whole = Self::new(tree, id);
        if tree.kind(whole.id) == NodeKind::Traversal {
            Self { end: whole.end.min(end), ..whole }
        } else {
            whole
        }
    }

    /// Returns the node and the end token of the expression, from which [`ExprView::cut`] restores this view.
    pub(crate) fn handle(self) -> (NodeId, u32) {
        (self.id, self.end)
    }

    /// Returns the identifier with which [`ExprView::other`] finds this expression in its text again.
    pub fn id(self) -> ExprId {
        ExprId { id: self.id, end: self.end }
    }

    /// Returns the view of another expression in the same text, by its identifier.
    pub fn other(self, id: ExprId) -> Self {
        Self { tree: self.tree, id: id.id, end: id.end }
    }

    /// Returns the source range of the expression in its text.
    pub fn span(self) -> Span {
        self.tree.tokens_span(self.tree.node(self.id).first, self.end)
    }

    /// Returns the source text of the expression.
    pub fn text(self) -> &'t str {
        self.span().of(self.tree.text())
    }

    /// Returns true if any part of the expression has a syntax error.
    pub fn is_broken(self) -> bool {
        let size = self.tree.node(self.id).size;
        (self.id.0 + 1 - size..=self.id.0).any(|at| {
            matches!(self.tree.kind(NodeId(at)), NodeKind::Error | NodeKind::DirectiveError)
        })
    }

    /// Returns the syntactic form of the expression, with its parts.
    pub fn case(self) -> ExprCase<'t> {
        let tree = self.tree;
        let node = tree.node(self.id);
        match node.kind {
            NodeKind::Number => ExprCase::Number(tree.token_text(node.first)),
            NodeKind::Traversal => self.traversal(),
            NodeKind::String | NodeKind::Quoted | NodeKind::Heredoc | NodeKind::Bare => {
                ExprCase::Template(TemplateView::new(tree, self.id))
            }
            NodeKind::Parenthesised => match tree.only_child(self.id) {
                Some(inner) => ExprCase::Parenthesised(Self::new(tree, inner)),
                None => ExprCase::Missing,
            },
            NodeKind::Unary => self.unary(),
            NodeKind::Binary => self.binary(),
            NodeKind::Conditional => {
                let [condition, then, otherwise] = tree.last_children(self.id);
                ExprCase::Conditional {
                    condition: Self::new(tree, condition),
                    then: Self::new(tree, then),
                    otherwise: Self::new(tree, otherwise),
                }
            }
            NodeKind::Tuple => ExprCase::Tuple(self.children()),
            NodeKind::Object => ExprCase::Object(self.items()),
            NodeKind::ForTuple | NodeKind::ForObject => self.comprehension(),
            NodeKind::Call => self.call(),
            NodeKind::Attribute => match tree.only_child(self.id) {
                Some(object) => {
                    let (name_span, dot_span) = self.step(self.end);
                    let name = name_span.of(tree.text());
                    ExprCase::Attribute {
                        object: Self::new(tree, object),
                        name,
                        name_span,
                        dot_span,
                    }
                }
                None => ExprCase::Missing,
            },
            NodeKind::Index => {
                let [object, key] = tree.last_children(self.id);
                let object = Self::new(tree, object);
                let open = tree.significant(object.end);
                let brackets = tree.tokens_span(open, self.end);
                ExprCase::Index { object, key: Self::new(tree, key), brackets }
            }
            NodeKind::LegacyIndex => match tree.only_child(self.id) {
                Some(object) => {
                    let digits = tree.token_text(self.end - 1);
                    let object = Self::new(tree, object);
                    let span = tree.tokens_span(tree.significant(object.end), self.end);
                    ExprCase::LegacyIndex { object, digits, span }
                }
                None => ExprCase::Missing,
            },
            NodeKind::SplatFull | NodeKind::SplatAttribute => self.splat(),
            NodeKind::SplatItem => ExprCase::SplatItem,
            _ => ExprCase::Missing,
        }
    }

    /// Returns the views of the child nodes, in source order.
    fn children(self) -> Vec<Self> {
        let mut list = vec![self; self.tree.child_count(self.id)];
        for (place, id) in list.iter_mut().rev().zip(self.tree.children_backwards(self.id)) {
            *place = Self::new(self.tree, id);
        }
        list
    }

    /// Returns the items of an object expression, in source order.
    fn items(self) -> Vec<ObjectItem<'t>> {
        let item = ObjectItem { key: self, value: self };
        let mut list = vec![item; self.tree.child_count(self.id) / 2];
        let mut children = self.tree.children_backwards(self.id).map(|id| Self::new(self.tree, id));
        for place in list.iter_mut().rev() {
            if let (Some(value), Some(key)) = (children.next(), children.next()) {
                *place = ObjectItem { key, value };
            }
        }
        list
    }

    /// Returns the source range of the opening token of a call (name and parenthesis), tuple, object or `for`; `None` for other
    /// expressions.
    pub fn opening(self) -> Option<Span> {
        let tree = self.tree;
        let node = tree.node(self.id);
        match node.kind {
            NodeKind::Tuple | NodeKind::Object | NodeKind::ForTuple | NodeKind::ForObject => {
                let start = tree.token(node.first).span().start;
                Some(Span::new(start, start + 1))
            }
            NodeKind::Call => {
                let (_, at) = self.name_of_call();
                Some(tree.tokens_span(node.first, at + 1))
            }
            _ => None,
        }
    }

    /// Returns the numbers of two tokens of a call: the last part of its name, and its opening parenthesis.
    fn name_of_call(self) -> (u32, u32) {
        let tree = self.tree;
        let mut last = tree.node(self.id).first;
        let mut at = tree.significant(last + 1);
        while tree.token_kind(at) == TokenKind::DoubleColon {
            last = tree.significant(at + 1);
            at = tree.significant(last + 1);
        }
        (last, at)
    }

    /// Returns two spans of the traversal step `.name` that ends before token `end`: the name, and the dot with the name.
    fn step(self, end: u32) -> (Span, Span) {
        let tree = self.tree;
        let last = end.saturating_sub(1);
        let span = tree.token(last).span();
        if tree.token_kind(last) == TokenKind::DotName {
            (Span::new(span.start + 1, span.end), span)
        } else {
            let dot = tree.token(tree.significant_before(last)).span();
            (span, dot.join(span))
        }
    }

    /// Returns the form of a traversal: its root name if it has no steps, otherwise the access to its last attribute.
    fn traversal(self) -> ExprCase<'t> {
        let first = self.tree.node(self.id).first;
        if self.end <= first + 1 {
            return ExprCase::Root(self.tree.token_text(first));
        }
        let (name_span, dot_span) = self.step(self.end);
        let object = Self { end: self.end - 1, ..self };
        let name = name_span.of(self.tree.text());
        ExprCase::Attribute { object, name, name_span, dot_span }
    }

    /// Returns the form of a unary operation: operator and operand.
    fn unary(self) -> ExprCase<'t> {
        let tree = self.tree;
        let token = tree.token(tree.node(self.id).first);
        let op = if token.kind() == TokenKind::Minus { UnaryOp::Negate } else { UnaryOp::Not };
        match tree.only_child(self.id) {
            Some(operand) => {
                ExprCase::Unary { op, op_span: token.span(), operand: Self::new(tree, operand) }
            }
            None => ExprCase::Missing,
        }
    }

    /// Returns the form of a binary operation: operator and operands.
    fn binary(self) -> ExprCase<'t> {
        let tree = self.tree;
        let [left, right] = tree.last_children(self.id);
        let left = Self::new(tree, left);
        let token = tree.token(tree.significant(left.end));
        match BinaryOp::of(token.kind()) {
            Some(op) => {
                ExprCase::Binary { op, op_span: token.span(), left, right: Self::new(tree, right) }
            }
            None => ExprCase::Missing,
        }
    }

    /// Returns the form of a splat: the collection, and the expression for each element.
    fn splat(self) -> ExprCase<'t> {
        let tree = self.tree;
        let [source, each] = tree.last_children(self.id);
        let source = Self::new(tree, source);
        let item = NodeId((each.0 + 1).saturating_sub(tree.node(each).size));
        let marker = tree.tokens_span(tree.significant(source.end), tree.node(item).first);
        let full = tree.kind(self.id) == NodeKind::SplatFull;
        ExprCase::Splat { source, full, each: Self::new(tree, each), marker }
    }

    /// Returns the form of a function call: its name, which may have several parts as in `a::b`, and its arguments.
    fn call(self) -> ExprCase<'t> {
        let tree = self.tree;
        let first = tree.node(self.id).first;
        let mut name = Cow::Borrowed(tree.token_text(first));
        let mut last = first;
        let mut at = tree.significant(first + 1);
        while tree.token_kind(at) == TokenKind::DoubleColon {
            last = tree.significant(at + 1);
            name = Cow::Owned(format!("{name}::{}", tree.token_text(last)));
            at = tree.significant(last + 1);
        }
        let name_span = tree.tokens_span(first, last + 1);
        let name = match name {
            Cow::Owned(joined) if joined == name_span.of(tree.text()) => {
                Cow::Borrowed(name_span.of(tree.text()))
            }
            other => other,
        };
        let close = self.end.saturating_sub(1);
        let closed = tree.token_kind(close) == TokenKind::CloseParen && close > at;
        let whole = self.span();
        let close_span = if closed { tree.token(close).span() } else { Span::at(whole.end) };
        let before = tree.significant_before(if closed { close } else { self.end });
        let expand = before > at && tree.token_kind(before) == TokenKind::Ellipsis;
        let expand_span =
            if expand { tree.token(before).span() } else { Span::at(close_span.start) };
        ExprCase::Call(CallView {
            name,
            name_span,
            open_span: tree.token(at).span(),
            close_span,
            args: self.children(),
            expand,
            expand_span,
        })
    }

    /// Returns the form of a `for` expression: its names, collection, result and condition.
    fn comprehension(self) -> ExprCase<'t> {
        let tree = self.tree;
        let is_object = tree.kind(self.id) == NodeKind::ForObject;
        let first = tree.node(self.id).first;
        let children = self.children();
        let mut rest = children.into_iter();
        let Some(collection) = rest.next() else { return ExprCase::Missing };
        let key = if is_object { rest.next() } else { None };
        let Some(value) = rest.next() else { return ExprCase::Missing };
        let condition = rest.next();
        let named = |at: u32| (tree.token_text(at), tree.token(at).span());
        let one = tree.significant(tree.significant(first + 1) + 1);
        let comma = tree.significant(one + 1);
        let (key_name, value_name) = if tree.token_kind(comma) == TokenKind::Comma {
            (Some(named(one)), named(tree.significant(comma + 1)))
        } else {
            (None, named(one))
        };
        let group =
            is_object && tree.token_kind(tree.significant(value.end)) == TokenKind::Ellipsis;
        let intro = Span::new(tree.token(first).span().start, collection.span().end);
        ExprCase::For(ForView {
            key_name,
            value_name,
            collection,
            key,
            value,
            group,
            condition,
            is_object,
            intro,
        })
    }
}
