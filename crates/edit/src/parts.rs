//! The attributes of objects and the elements of lists, as expressions in source.

use groma_syntax::ast::{ExprCase, ExprView, ObjectItem};
use groma_syntax::{Expr, Span};

/// An attribute of an object expression or an element of a list expression, with its span and index.
#[derive(Clone, Debug)]
pub(crate) struct CollectionPart {
    /// The object or list that contains it.
    pub(crate) of: Expr,
    /// The index in that object or list.
    pub(crate) at: usize,
    /// The span of the whole, with an attribute's name.
    pub(crate) whole: Span,
    /// The value of the attribute or element.
    pub(crate) value: Expr,
}

/// Returns the expression without surrounding parentheses.
pub(crate) fn bare(mut view: ExprView<'_>) -> ExprView<'_> {
    while let ExprCase::Parenthesised(within) = view.case() {
        view = within;
    }
    view
}

/// Returns the attributes of an object expression; empty for any other expression.
fn attribute_list(view: ExprView<'_>) -> Vec<ObjectItem<'_>> {
    match bare(view).case() {
        ExprCase::Object(items) => items,
        _ => Vec::new(),
    }
}

/// Returns the elements of a list expression; empty for any other expression.
fn element_list(view: ExprView<'_>) -> Vec<ExprView<'_>> {
    match bare(view).case() {
        ExprCase::Tuple(items) => items,
        _ => Vec::new(),
    }
}

/// Returns the attributes of an object expression in native syntax; empty for any other expression.
pub(crate) fn attributes(expr: &Expr) -> Vec<ObjectItem<'_>> {
    match expr {
        Expr::Native(native) => attribute_list(native.view()),
        Expr::Json(_) => Vec::new(),
    }
}

/// Returns the elements of a list expression in native syntax; empty for any other expression.
pub(crate) fn elements(expr: &Expr) -> Vec<ExprView<'_>> {
    match expr {
        Expr::Native(native) => element_list(native.view()),
        Expr::Json(_) => Vec::new(),
    }
}
