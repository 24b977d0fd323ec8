//! Subexpressions and their context. Local names shadow those of the module, so a rule that matches a root name checks its
//! binding.

use std::collections::VecDeque;

use groma_module::visit::{Declaration, VisitedExpression};
use groma_syntax::ast::{BinderKind, Bindings, ExprCase, ExprView};
use groma_syntax::{Expr, Place, Span};

/// The position of a subexpression in its parent, which determines if it needs parentheses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ExpressionUse {
    /// Delimited: a whole value, an element, an argument.
    Alone,
    /// The key of an object.
    Key,
    /// An operand of an operator, an attribute access or an index.
    Operand,
}

/// One subexpression of a declaration's expression, with its role in its parent and the bindings of its names, for lint
/// rules.
pub(crate) struct InnerExpression<'n> {
    pub(crate) view: ExprView<'n>,
    /// The case of the expression, computed once for all rules.
    pub(crate) case: &'n ExprCase<'n>,
    pub(crate) stands: ExpressionUse,
    /// True if it is the whole expression.
    pub(crate) is_whole: bool,
    /// True if it is a step after a splat.
    pub(crate) is_in_splat: bool,
    pub(crate) seen: &'n VisitedExpression<'n, 'n>,
    pub(crate) declaration: Declaration,
    /// The names in the whole expression with their bindings.
    bindings: &'n Bindings<'n>,
}

impl InnerExpression<'_> {
    /// Returns the source range of `view`, a part of the same expression.
    pub(crate) fn place(&self, view: ExprView<'_>) -> Place {
        Place::new(self.seen.expression.place().file, view.span())
    }

    /// Returns true if the name is bound by a `for` or by a `dynamic` block around it, so that it does not refer to the module.
    pub(crate) fn binds(&self, name: ExprView<'_>) -> bool {
        self.bindings.id_of(name).is_some()
    }

    /// Returns the collection over which a `for` iterates if `name` is bound to its elements; `None` for any other name.
    pub(crate) fn element_of(&self, name: ExprView<'_>) -> Option<ExprView<'_>> {
        let binder = self.bindings.binder_of(name)?;
        binder.collection.filter(|_| binder.kind == BinderKind::Value)
    }
}

/// Passes every subexpression of an expression in native syntax to `look`, outer ones first.
pub(crate) fn walk(
    declaration: Declaration,
    seen: &VisitedExpression<'_, '_>,
    look: &mut dyn FnMut(InnerExpression<'_>),
) {
    let Expr::Native(native) = &seen.expression.expr else { return };
    let whole = native.view();
    let iterators = seen.iterators().map(|name| (&**name, Span::at(0))).collect::<Vec<_>>();
    // Most expressions bind nothing.
    let bindings = match iterators.is_empty() && !whole.text().contains("for") {
        true => Bindings::default(),
        false => Bindings::within(whole, iterators),
    };
    let mut is_whole = true;
    each(whole, &mut |view, case, stands, is_in_splat| {
        look(InnerExpression {
            view,
            case,
            stands,
            is_whole,
            is_in_splat,
            seen,
            declaration,
            bindings: &bindings,
        });
        is_whole = false;
    });
}

/// Passes an expression and its subexpressions to `take`, outer ones first, each with its position in its parent, and true if it
/// is a step after a splat.
fn each<'t>(
    whole: ExprView<'t>,
    take: &mut dyn FnMut(ExprView<'t>, &ExprCase<'t>, ExpressionUse, bool),
) {
    // Most expressions have few parts.
    let mut waiting = VecDeque::with_capacity(8);
    waiting.push_back((whole, ExpressionUse::Alone, false));
    while let Some((view, stands, is_in_splat)) = waiting.pop_front() {
        let case = view.case();
        let each = match &case {
            ExprCase::Splat { each, .. } => Some(each.span()),
            _ => None,
        };
        parts(&case, &mut |part, stands| {
            let is_step = matches!(stands, ExpressionUse::Operand)
                && (is_in_splat || each.is_some_and(|each| each == part.span()));
            waiting.push_back((part, stands, is_step));
        });
        take(view, &case, stands, is_in_splat);
    }
}

/// Passes the direct subexpressions of an expression to `take`, each with its position.
fn parts<'t>(case: &ExprCase<'t>, take: &mut dyn FnMut(ExprView<'t>, ExpressionUse)) {
    use ExpressionUse::{Alone, Key, Operand};
    match case {
        ExprCase::Object(items) => {
            for item in items {
                take(item.key, Key);
                take(item.value, Alone);
            }
        }
        ExprCase::Index { object, key, .. } => {
            take(*object, Operand);
            take(*key, Alone);
        }
        ExprCase::Call(_)
        | ExprCase::Template(_)
        | ExprCase::Parenthesised(_)
        | ExprCase::Tuple(_) => {
            case.inner(|one| take(one, Alone));
        }
        _ => case.inner(|one| take(one, Operand)),
    }
}

/// Returns an expression without the parentheses around it.
pub(crate) fn bare(mut view: ExprView<'_>) -> ExprView<'_> {
    while let ExprCase::Parenthesised(inner) = view.case() {
        view = inner;
    }
    view
}

/// Returns the text of a quoted string without interpolations; `None` for any other expression.
pub(crate) fn plain(view: ExprView<'_>) -> Option<std::borrow::Cow<'_, str>> {
    match view.case() {
        ExprCase::Template(template) => template.plain(),
        _ => None,
    }
}
