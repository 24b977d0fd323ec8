//! An expression inside an expression, and how it stands there. Inner names shadow outer ones, so a rule that goes by the
//! name of a root asks whether anything binds it there.

use std::collections::VecDeque;

use groma_module::visit::{Declaration, VisitedExpression};
use groma_syntax::ast::{BinderKind, Bindings, ExprCase, ExprView};
use groma_syntax::{Expr, Place, Span};

/// The use of an expression by the one around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ExpressionUse {
    /// Between signs that hold it together: a whole value, an element, an argument.
    Alone,
    /// It is the key of an object.
    Key,
    /// Beside an operator, a dot or an index.
    Operand,
}

/// An expression inside an expression of a declaration.
pub(crate) struct InnerExpression<'n> {
    pub(crate) view: ExprView<'n>,
    /// The case of the expression, worked out once for all rules.
    pub(crate) case: &'n ExprCase<'n>,
    pub(crate) stands: ExpressionUse,
    /// True if it is the whole expression.
    pub(crate) is_whole: bool,
    /// True if it is a step behind a splat.
    pub(crate) is_in_splat: bool,
    pub(crate) seen: &'n VisitedExpression<'n, 'n>,
    pub(crate) declaration: Declaration,
    /// The names of the whole expression with what binds them.
    bindings: &'n Bindings<'n>,
}

impl InnerExpression<'_> {
    /// Returns where a part of it stands.
    pub(crate) fn place(&self, view: ExprView<'_>) -> Place {
        Place::new(self.seen.expression.place().file, view.span())
    }

    /// Returns true if the expression or what is around it binds a name, so that it is none of the module.
    pub(crate) fn binds(&self, name: ExprView<'_>) -> bool {
        self.bindings.id_of(name).is_some()
    }

    /// The collection whose elements a name stands for.
    pub(crate) fn element_of(&self, name: ExprView<'_>) -> Option<ExprView<'_>> {
        let binder = self.bindings.binder_of(name)?;
        binder.collection.filter(|_| binder.kind == BinderKind::Value)
    }
}

/// Looks at every expression inside an expression in native syntax, outer ones first.
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

/// Takes every expression inside an expression, outer ones first, with how it stands there and whether it is a step behind
/// a splat.
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

/// The parts of an expression, each with how it stands there.
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

/// The expression without parentheses around it.
pub(crate) fn bare(mut view: ExprView<'_>) -> ExprView<'_> {
    while let ExprCase::Parenthesised(inner) = view.case() {
        view = inner;
    }
    view
}

/// The text of a string without interpolations.
pub(crate) fn plain(view: ExprView<'_>) -> Option<std::borrow::Cow<'_, str>> {
    match view.case() {
        ExprCase::Template(template) => template.plain(),
        _ => None,
    }
}
