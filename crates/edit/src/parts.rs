//! The parts of objects and lists, as they are written.

use groma_syntax::ast::{ExprCase, ExprView, ObjectItem};
use groma_syntax::{Expr, Span};

/// A part of an object or a list.
#[derive(Clone, Debug)]
pub(crate) struct CollectionPart {
    /// The collection that it is a part of.
    pub(crate) of: Expr,
    /// Its number.
    pub(crate) at: usize,
    /// All of it, the name included.
    pub(crate) whole: Span,
    pub(crate) value: Expr,
}

/// Brackets around an expression do not count.
pub(crate) fn bare(mut view: ExprView<'_>) -> ExprView<'_> {
    while let ExprCase::Parenthesised(within) = view.case() {
        view = within;
    }
    view
}

fn attribute_list(view: ExprView<'_>) -> Vec<ObjectItem<'_>> {
    match bare(view).case() {
        ExprCase::Object(items) => items,
        _ => Vec::new(),
    }
}

fn element_list(view: ExprView<'_>) -> Vec<ExprView<'_>> {
    match bare(view).case() {
        ExprCase::Tuple(items) => items,
        _ => Vec::new(),
    }
}

/// The attributes of an object.
pub(crate) fn attributes(expr: &Expr) -> Vec<ObjectItem<'_>> {
    match expr {
        Expr::Native(native) => attribute_list(native.view()),
        Expr::Json(_) => Vec::new(),
    }
}

/// The elements of a list.
pub(crate) fn elements(expr: &Expr) -> Vec<ExprView<'_>> {
    match expr {
        Expr::Native(native) => element_list(native.view()),
        Expr::Json(_) => Vec::new(),
    }
}
