//! An expression inside an expression, and how it stands there. Inner names shadow outer ones, so a rule that goes by the
//! name of a root asks whether anything binds it.

use groma_module::visit::Seen;
use groma_syntax::ast::{Case, ExprView, ObjectItem, TemplatePart, TemplateView};
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
    let mut bound: FxHashSet<String> = seen.iterators().map(|name| name.to_string()).collect();
    let mut at = 0;
    while let Some((view, _)) = all.get(at).copied() {
        if let Case::For(each) = view.case() {
            bound.insert(each.value_name.0.to_owned());
            bound.extend(each.key_name.map(|(name, _)| name.to_owned()));
        }
        all.extend(parts(view));
        at += 1;
    }
    for (at, (view, stands)) in all.into_iter().enumerate() {
        look(Node { view, stands, is_whole: at == 0, seen, bound: &bound });
    }
}

fn parts(view: ExprView<'_>) -> Vec<(ExprView<'_>, Stands)> {
    use Stands::{Alone, Key, Operand};
    match view.case() {
        Case::Call(call) => call.args.into_iter().map(|one| (one, Alone)).collect(),
        Case::Template(template) => {
            interpolated(template).into_iter().map(|one| (one, Alone)).collect()
        }
        Case::Parenthesised(inner) => vec![(inner, Alone)],
        Case::Unary { operand, .. } => vec![(operand, Operand)],
        Case::Binary { left, right, .. } => vec![(left, Operand), (right, Operand)],
        Case::Conditional { condition, then, otherwise } => {
            vec![(condition, Operand), (then, Operand), (otherwise, Operand)]
        }
        Case::Tuple(items) => items.into_iter().map(|one| (one, Alone)).collect(),
        Case::Object(items) => items
            .into_iter()
            .flat_map(|ObjectItem { key, value }| [(key, Key), (value, Alone)])
            .collect(),
        Case::For(each) => {
            let mut all = vec![(each.collection, Operand), (each.value, Operand)];
            all.extend(each.key.into_iter().chain(each.condition).map(|one| (one, Operand)));
            all
        }
        Case::Attribute { object, .. } | Case::LegacyIndex { object, .. } => {
            vec![(object, Operand)]
        }
        Case::Index { object, key, .. } => vec![(object, Operand), (key, Alone)],
        Case::Splat { source, each, .. } => vec![(source, Operand), (each, Operand)],
        Case::Number(_) | Case::Root(_) | Case::SplatItem | Case::Missing => Vec::new(),
    }
}

fn interpolated(template: TemplateView<'_>) -> Vec<ExprView<'_>> {
    let mut found = Vec::new();
    let mut rest = template.parts();
    while let Some(part) = rest.pop() {
        match part {
            TemplatePart::Literal { .. } => {}
            TemplatePart::Interpolation { expr, .. } => found.push(expr),
            TemplatePart::If { condition, then, otherwise, .. } => {
                found.push(condition);
                rest.extend(then);
                rest.extend(otherwise.into_iter().flatten());
            }
            TemplatePart::For { collection, body, .. } => {
                found.push(collection);
                rest.extend(body);
            }
        }
    }
    found
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
