//! Variables of a template file: the arguments that its callers in the root pass, with the values of the first call.

use groma::place::{FileSyntax, PlaceTarget, members};
use groma::{Value, hosts::file_path};
use groma_syntax::ast::{CallView, ExprCase, ExprView};
use groma_syntax::{Body, BodyItem, Expr};

use crate::document::TextDocument;
use crate::file_span::FileSpan;
use crate::request::Request;

/// A variable that the calls of `templatefile` pass to a template file, by name.
pub(crate) struct TemplateName {
    pub(crate) name: String,
    /// The value in the first call that passes one.
    pub(crate) value: Option<Value>,
    /// The place where a caller names it.
    pub(crate) place: Option<FileSpan>,
    /// True if the value is still being evaluated.
    pub(crate) is_pending: bool,
}

/// Maximum number of variables of a call of `templatefile` that are listed; further ones are left out.
const MAX_NAMES: usize = 500;

/// Returns the variables that callers pass to a template file, sorted by name, each once.
pub(crate) fn template_names(request: &Request<'_>, template: &TextDocument) -> Vec<TemplateName> {
    let Some(snapshot) = request.snapshot() else { return Vec::new() };
    let mut found = Vec::new();
    for file in snapshot.file_names() {
        let Some(document) = request.document(file) else { continue };
        let FileSyntax::Native(parse) = document.syntax() else { continue };
        if !document.text().contains("templatefile") {
            continue;
        }
        calls(&Body::of(parse), &mut |call| {
            let [path, given, ..] = &*call.args else { return };
            let inside = path.span().end.saturating_sub(1);
            let Some((snapshot, place)) = request.place(file, inside) else { return };
            match snapshot.target_at(place) {
                Some(PlaceTarget::FilePath(path)) if file_path::clean(&path) == template.name() => {
                }
                _ => return,
            }
            given_names(request, file, *given, &mut found);
        });
    }
    found.sort_by(|a: &TemplateName, b| a.name.cmp(&b.name));
    found.dedup_by(|a, b| a.name == b.name);
    found
}

/// Visits the calls of `templatefile` in a body.
fn calls(body: &Body, see: &mut dyn FnMut(&CallView<'_>)) {
    let mut bodies = vec![body.clone()];
    while let Some(body) = bodies.pop() {
        for item in body.items() {
            let value = match item {
                BodyItem::Block(block) => {
                    bodies.push(block.body);
                    continue;
                }
                BodyItem::Argument(argument) => argument.expr,
            };
            let Expr::Native(value) = value else { continue };
            let mut waiting = vec![value.view()];
            while let Some(view) = waiting.pop() {
                let case = view.case();
                if let ExprCase::Call(call) = &case
                    && call.name.ends_with("templatefile")
                {
                    see(call);
                }
                case.inner(|inner| waiting.push(inner));
            }
        }
    }
}

/// Adds to `found` the attributes of the object `given` that a call of `templatefile` in `file` passes as the template's
/// variables.
fn given_names(
    request: &Request<'_>,
    file: &str,
    given: ExprView<'_>,
    found: &mut Vec<TemplateName>,
) {
    // A place at the opening brace of an object stands for the whole object.
    let place = request.place(file, given.span().start);
    let known = place.and_then(|(one, place)| one.values_at(place, 1, request.token()));
    let is_pending = known.as_ref().is_some_and(|known| known.is_pending);
    let value = known.and_then(|mut known| known.values.pop()).map(|one| one.value);
    let mut all = value.iter().flat_map(|value| members(value, MAX_NAMES)).collect::<Vec<_>>();
    if let ExprCase::Object(items) = given.case() {
        for item in items {
            let name = item.key.text().trim_matches('"').to_owned();
            let at = all.iter().position(|(own, _)| **own == *name);
            let value = at.map(|at| all.swap_remove(at).1);
            let place = FileSpan { file: file.into(), span: item.key.span() };
            found.push(TemplateName { name, value, place: Some(place), is_pending });
        }
        return;
    }
    for (name, value) in all {
        let (name, value) = (name.to_string(), Some(value));
        found.push(TemplateName { name, value, place: None, is_pending });
    }
}
