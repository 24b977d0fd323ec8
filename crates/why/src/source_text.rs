//! Source text of the part of an expression at a path, followed through parentheses, objects and tuples with literal keys.
//! Nothing is evaluated here. A text that could reveal a secret is not quoted.

use groma_syntax::ast::{ExprCase, ExprView as View, ObjectItem, TemplatePart, TemplateView};
use groma_syntax::json::{self, JsonCase as Json};
use groma_syntax::{Expr, FileId, Place, Source, Sources, parse_expression, parse_json};
use groma_value::Value;

use crate::cache::ObjectItems;
use crate::path::WhyStep;

/// The place and source text of an expression, with flags that decide if the text may be shown.
#[derive(Clone, Debug)]
pub(crate) struct WrittenPlace {
    pub(crate) place: Place,
    pub(crate) text: String,
    /// True if it contains literals, which are secrets if the value is one.
    pub(crate) has_literals: bool,
    /// True if it contains a literal inside of a call of `sensitive`.
    pub(crate) has_secrets: bool,
    /// True if it contains a call of `sensitive`.
    pub(crate) hides: bool,
}

impl WrittenPlace {
    /// Returns the source text, unless it contains a secret or the literals of a value that is sensitive or ephemeral.
    pub(crate) fn shown(&self, value: Option<&Value>) -> Option<String> {
        let hides = value.is_some_and(|value| value.has_marks() && value.deep_marks().hide());
        let withheld = self.has_secrets || hides && self.has_literals;
        (!withheld).then(|| self.text.clone())
    }
}

/// Returns the source text and the place of the part of an expression at a path.
pub(crate) fn written(expr: &Expr, path: &[WhyStep], items: &ObjectItems) -> WrittenPlace {
    match expr {
        Expr::Native(native) => {
            let view = narrow(native.view(), path, native.file(), items);
            of_view(view, native.file())
        }
        Expr::Json(one) => of_json(narrow_json(one.view(), path), one.file()),
    }
}

/// An expression parsed again from the source text at its place.
pub(crate) struct RereadExpression {
    expr: Expr,
    items: ObjectItems,
}

impl RereadExpression {
    /// Parses the expression at a place again; `None` if the place is withheld from display, because it contains a secret.
    pub(crate) fn at(place: Place, sources: &Sources) -> Option<RereadExpression> {
        let (source, at) = sources.at(place);
        if sources.is_withheld(place) {
            return None;
        }
        let text = source.text().get(at.span.start as usize..at.span.end as usize)?;
        let inner = Source::new("", text);
        let expr = match source.name().ends_with(".json") {
            true => Expr::json(&parse_json(inner.text(), FileId(0))),
            false => Expr::of(&parse_expression(inner.text(), FileId(0))),
        };
        Some(RereadExpression { expr, items: ObjectItems::default() })
    }

    /// Returns the source text of the part of the expression that `path` selects; `place` is that of the whole expression.
    pub(crate) fn written(&self, place: Place, path: &[WhyStep]) -> WrittenPlace {
        let found = written(&self.expr, path, &self.items);
        let span = found.place.span.shift(place.span.start);
        WrittenPlace { place: Place::new(place.file, span), ..found }
    }
}

/// Returns the source text and place of a native expression.
pub(crate) fn of_view(view: View<'_>, file: FileId) -> WrittenPlace {
    let ExpressionLiterals { any: has_literals, secret: has_secrets, hides } = literals(view);
    let text = view.text().to_owned();
    WrittenPlace { place: Place::new(file, view.span()), text, has_literals, has_secrets, hides }
}

/// Returns the source text and place of a JSON value.
pub(crate) fn of_json(value: json::JsonView<'_>, file: FileId) -> WrittenPlace {
    let text = value.text();
    // A search for the text avoids parsing the templates in JSON.
    let hides = text.contains("sensitive(");
    WrittenPlace {
        place: Place::new(file, value.span()),
        text: text.to_owned(),
        has_literals: !matches!(value.case(), Json::String(text) if is_lone(&text)),
        has_secrets: hides,
        hides,
    }
}

/// Returns true if the text of a string is a single interpolation, such as `${a.b}`.
fn is_lone(text: &str) -> bool {
    text.strip_prefix("${")
        .and_then(|rest| rest.strip_suffix('}'))
        .is_some_and(|inner| !inner.contains(['"', '{', '}']))
}

/// Returns the sub-expression for the part of a value at `path`, as far as object and tuple constructors contain it literally.
pub(crate) fn narrow<'t>(
    mut view: View<'t>,
    path: &[WhyStep],
    file: FileId,
    items: &ObjectItems,
) -> View<'t> {
    for step in path {
        let mut inside = view;
        let next = loop {
            let place = Place::new(file, inside.span());
            if let Some(found) = items.of(inside, place, &step.name()) {
                break found.last().copied();
            }
            match inside.case() {
                ExprCase::Parenthesised(inner) => inside = inner,
                ExprCase::Tuple(all) => break step.number().and_then(|at| all.get(at).copied()),
                ExprCase::Object(all) => {
                    items.keep(place, &all);
                    break item(&all, step);
                }
                _ => break None,
            }
        };
        match next {
            Some(next) => view = next,
            None => break,
        }
    }
    view
}

/// Returns the value of the last item of an object whose key is the name of `step`; `None` if there is none or a key is computed.
fn item<'t>(items: &[ObjectItem<'t>], step: &WhyStep) -> Option<View<'t>> {
    let name = step.name();
    let mut found = None;
    for item in items {
        // A computed key may equal the name.
        let known = plain_key(item.key)?;
        if *known == *name {
            found = Some(item.value);
        }
    }
    found
}

/// Returns true if an expression is a reference with literal keys only.
pub(crate) fn is_reference(mut view: View<'_>) -> bool {
    loop {
        view = match view.case() {
            ExprCase::Root(_) => return true,
            ExprCase::Attribute { object, .. } | ExprCase::LegacyIndex { object, .. } => object,
            ExprCase::Index { object, key, .. } if is_plain(key) => object,
            ExprCase::Parenthesised(inner) => inner,
            _ => return false,
        };
    }
}

/// Returns true if the key of an object's item is a literal.
pub(crate) fn is_plain(key: View<'_>) -> bool {
    match key.case() {
        ExprCase::Number(_) => true,
        ExprCase::Template(template) => template.plain().is_some(),
        _ => false,
    }
}

/// Returns the key of an object's item if it is a literal.
pub(crate) fn plain_key(key: View<'_>) -> Option<std::borrow::Cow<'_, str>> {
    match key.case() {
        ExprCase::Root(name) => Some(name.into()),
        ExprCase::Number(digits) => Some(digits.into()),
        ExprCase::Template(template) => template.plain(),
        _ => None,
    }
}

/// Returns the part of a JSON value at a path, as far as the value contains it.
fn narrow_json<'d>(mut value: json::JsonView<'d>, path: &[WhyStep]) -> json::JsonView<'d> {
    for step in path {
        match inside_json(value, step) {
            Some(next) => value = next,
            None => break,
        }
    }
    value
}

/// Returns the property or element of a JSON value at one path step, if any.
pub(crate) fn inside_json<'d>(
    value: json::JsonView<'d>,
    step: &WhyStep,
) -> Option<json::JsonView<'d>> {
    match value.case() {
        Json::Array(items) => step.number().and_then(|at| items.get(at).copied()),
        Json::Object(properties) => {
            let name = step.name();
            properties.iter().find(|one| *one.name == *name).map(|one| one.value)
        }
        _ => None,
    }
}

/// Whether an expression contains literals and calls of `sensitive`, which decides if its source text may be shown.
struct ExpressionLiterals {
    /// True if there are literals that could be a value.
    any: bool,
    /// True if a literal is inside of a call of `sensitive`.
    secret: bool,
    /// True if there is a call of `sensitive`.
    hides: bool,
}

/// Searches an expression for literals, calls of `sensitive` and literals inside of such calls.
fn literals(view: View<'_>) -> ExpressionLiterals {
    let (mut any, mut secret, mut hides) = (false, false, false);
    let mut rest: Vec<(View<'_>, bool)> = vec![(view, false)];
    let mut templates: Vec<(TemplateView<'_>, bool)> = Vec::new();
    while let Some((view, hidden)) = rest.pop() {
        let mut literal = || {
            any = true;
            secret |= hidden;
        };
        match view.case() {
            ExprCase::Number(_) => literal(),
            ExprCase::Template(template) => templates.push((template, hidden)),
            ExprCase::Object(items) => {
                for item in items {
                    rest.push((item.value, hidden));
                    if plain_key(item.key).is_none() {
                        rest.push((item.key, hidden));
                    }
                }
            }
            ExprCase::Call(call) => {
                let hidden = hidden || call.name.trim_start_matches("core::") == "sensitive";
                hides |= hidden;
                rest.extend(call.args.into_iter().map(|one| (one, hidden)));
            }
            ExprCase::Index { object, key, .. } => {
                rest.push((object, hidden));
                // A literal key names a part, and is not a value.
                if !is_plain(key) {
                    rest.push((key, hidden));
                }
            }
            case => case.inner(|one| rest.push((one, hidden))),
        }
        while let Some((template, hidden)) = templates.pop() {
            let mut parts = template.parts();
            while let Some(part) = parts.pop() {
                match part {
                    TemplatePart::Literal { .. } => {
                        any = true;
                        secret |= hidden;
                    }
                    TemplatePart::Interpolation { expr, .. } => rest.push((expr, hidden)),
                    TemplatePart::If { condition, then, otherwise, .. } => {
                        rest.push((condition, hidden));
                        parts.extend(then);
                        parts.extend(otherwise.into_iter().flatten());
                    }
                    TemplatePart::For { collection, body, .. } => {
                        rest.push((collection, hidden));
                        parts.extend(body);
                    }
                }
            }
        }
    }
    ExpressionLiterals { any, secret, hides }
}
