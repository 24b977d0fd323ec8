//! An expression inside an expression, and how it stands there. Inner names shadow outer ones, so a rule that goes by the
//! name of a root asks whether anything binds it.

use groma_module::visit::Seen;
use groma_syntax::ast::{Case, ExprView};
use groma_syntax::{Expr, Place};
use rustc_hash::FxHashSet;

/// How an expression stands in the one around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stands {
    /// Between signs that hold it together: a whole value, an element, an argument.
    Alone,
    /// It is the key of an object.
    Key,
    /// Beside an operator, a dot or an index.
    Operand,
}

/// An expression inside an expression of a declaration.
pub(crate) struct Node<'n> {
    pub(crate) view: ExprView<'n>,
    /// What it is, worked out once for all rules.
    pub(crate) case: &'n Case<'n>,
    pub(crate) stands: Stands,
    /// Whether it is the whole expression.
    pub(crate) is_whole: bool,
    pub(crate) seen: &'n Seen<'n, 'n>,
    bound: &'n FxHashSet<String>,
}

impl Node<'_> {
    /// Where a part of it stands.
    pub(crate) fn place(&self, view: ExprView<'_>) -> Place {
        Place::new(self.seen.expression.place().file, view.span())
    }

    /// Whether a name around it may mean something else than in the module.
    pub(crate) fn binds(&self, root: &str) -> bool {
        self.bound.contains(root)
    }
}

/// Looks at every expression inside an expression in native syntax, outer ones first.
pub(crate) fn walk(seen: &Seen<'_, '_>, look: &mut dyn FnMut(Node<'_>)) {
    let Expr::Native(native) = &seen.expression.expr else { return };
    let whole = native.view();
    let mut all = vec![(whole, Stands::Alone)];
    let mut cases = Vec::new();
    let mut bound: FxHashSet<String> = seen.iterators().map(|name| name.to_string()).collect();
    while let Some((view, _)) = all.get(cases.len()).copied() {
        let case = view.case();
        if let Case::For(each) = &case {
            bound.insert(each.value_name.0.to_owned());
            bound.extend(each.key_name.map(|(name, _)| name.to_owned()));
        }
        parts(&case, &mut |part, stands| all.push((part, stands)));
        cases.push(case);
    }
    for (at, ((view, stands), case)) in all.into_iter().zip(&cases).enumerate() {
        look(Node { view, case, stands, is_whole: at == 0, seen, bound: &bound });
    }
}

/// The parts of an expression, each with how it stands there.
fn parts<'t>(case: &Case<'t>, take: &mut dyn FnMut(ExprView<'t>, Stands)) {
    use Stands::{Alone, Key, Operand};
    match case {
        Case::Object(items) => {
            for item in items {
                take(item.key, Key);
                take(item.value, Alone);
            }
        }
        Case::Index { object, key, .. } => {
            take(*object, Operand);
            take(*key, Alone);
        }
        Case::Call(_) | Case::Template(_) | Case::Parenthesised(_) | Case::Tuple(_) => {
            case.inner(|one| take(one, Alone));
        }
        _ => case.inner(|one| take(one, Operand)),
    }
}

/// The expression without parentheses around it.
pub(crate) fn bare(mut view: ExprView<'_>) -> ExprView<'_> {
    while let Case::Parenthesised(inner) = view.case() {
        view = inner;
    }
    view
}

/// The text of a string without interpolations.
pub(crate) fn plain(view: ExprView<'_>) -> Option<std::borrow::Cow<'_, str>> {
    match view.case() {
        Case::Template(template) => template.plain(),
        _ => None,
    }
}
