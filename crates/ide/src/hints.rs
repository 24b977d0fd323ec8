//! Inlay hints: values of local values, and the number of instances of repeated blocks. A hint never repeats a literal in the
//! code, and never shows a sensitive value.

use std::collections::BTreeMap;

use groma::place::{DeclarationId, DeclarationSite, FileSyntax};
use groma::root::Root;
use groma_syntax::ast::{ExprCase, ExprView};
use groma_syntax::json::{JsonCase, JsonProperty, JsonView};
use groma_syntax::{BodyItem, Expr, Span};

use crate::document::TextDocument;
use crate::hover;
use crate::request::Request;
use crate::rich_text::RichText;
use crate::value_text;

/// An inlay hint: a value or a number of instances that an editor shows after the code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InlayHint {
    /// The offset after which it is shown.
    pub at: u32,
    /// The text, at most 30 columns wide.
    pub label: String,
    /// The subject of the hint.
    pub subject: HintSubject,
}

/// The subject of an inlay hint: a declaration of a module, or an address in another root.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HintSubject {
    /// A declaration in a module.
    Declaration(DeclarationId),
    /// A name of a root without modules, by its address.
    Address(String),
}

/// The inlay hints of some lines of a file, with a flag for hints that wait for evaluation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct InlayHints {
    /// The hints, sorted by place.
    pub hints: Vec<InlayHint>,
    /// True if hints are missing because their values are still being evaluated.
    pub is_pending: bool,
}

/// Maximum number of characters of a hint; a longer value is shortened.
const MAX_COLUMNS: usize = 30;

/// Returns the hints of the lines in `range`, except the line in which the user types.
pub fn inlay_hints(
    request: &Request<'_>,
    file: &str,
    range: Span,
    typed_at: Option<u32>,
) -> InlayHints {
    let mut found = InlayHints::default();
    let Some(document) = request.document(file) else { return found };
    let line = |at: u32| document.source().position(at).line;
    let typed = typed_at.map(line);
    let locals = local_values(&document);
    let Some(root) = request.root_of(file) else { return found };
    let Ok(snapshot) = root.module() else {
        return text_hints(&*root, request, &document, range, typed);
    };
    for site in snapshot.declarations_in(file) {
        let span = site.place.span;
        if span.start > range.end || request.token().is_over() {
            break;
        }
        let local = locals.get(&span.start);
        let end = match site.kind {
            "local" => local.map(|local| local.end),
            _ => Some(span.end),
        };
        let Some(end) = end.filter(|_| local.is_none_or(|local| !local.is_literal)) else {
            continue;
        };
        let touches = span.start <= range.end && range.start <= end;
        let is_typed = typed.is_some_and(|at| line(span.start) <= at && at <= line(end));
        if !touches || is_typed {
            continue;
        }
        let label = match site.kind {
            "local" => value_label(request, &site, &mut found.is_pending),
            _ => count_label(request, &site),
        };
        found.hints.extend(label.map(|label| InlayHint {
            at: end,
            label,
            subject: HintSubject::Declaration(site.id),
        }));
    }
    found
}

/// Returns the explanation of a hint. If the request may wait, it waits for values.
pub fn resolve_hint(request: &Request<'_>, hint: &InlayHint) -> RichText {
    let mut text = RichText::new();
    match &hint.subject {
        HintSubject::Declaration(id) => drop(hover::write_declaration(request, *id, &mut text)),
        HintSubject::Address(address) => {
            let Some(root) = request.root() else { return text };
            let all = root.declarations();
            if let Some(one) = all.iter().find(|one| one.address == *address) {
                hover::write_values(root, one, request, &mut text);
            }
        }
    }
    text
}

/// Returns the hints in `range` for the local values of a root without modules, such as a Packer template, without a hint for
/// the local value on whose lines the user types at the offset `typed`.
fn text_hints(
    root: &dyn Root,
    request: &Request<'_>,
    document: &TextDocument,
    range: Span,
    typed: Option<u32>,
) -> InlayHints {
    let mut found = InlayHints::default();
    let line = |at: u32| document.source().position(at).line;
    let all = root.declarations();
    for (start, local) in local_values(document) {
        let touches = start <= range.end && range.start <= local.end;
        let is_typed = typed.is_some_and(|at| line(start) <= at && at <= line(local.end));
        if local.is_literal || !touches || is_typed {
            continue;
        }
        let address = format!("local.{}", local.name);
        let Some(one) = all.iter().find(|one| one.address == address) else { continue };
        let Ok(known) = root.values_of(one, 1, request.token()) else { continue };
        let Some(value) = known.values.first().map(|one| &one.value) else { continue };
        let label = format!("= {}", value_text::brief_in(root, value, MAX_COLUMNS - 2));
        let subject = HintSubject::Address(address);
        found.hints.push(InlayHint { at: local.end, label, subject });
    }
    found
}

/// A local value as a file declares it: its name, the end of its expression, and true if that is a literal.
struct LocalText {
    /// The name of the local value.
    name: String,
    /// True if the expression is a literal, which needs no hint.
    is_literal: bool,
    /// The end of the expression.
    end: u32,
}

/// Returns all local values that a file declares, by the offset at which their names begin.
fn local_values(document: &TextDocument) -> BTreeMap<u32, LocalText> {
    if let FileSyntax::Json(parse) = document.syntax() {
        return json_values(parse.document.root());
    }
    let mut found = BTreeMap::new();
    for item in document.syntax().body().items() {
        let BodyItem::Block(block) = item else { continue };
        if &*block.kind.text != "locals" {
            continue;
        }
        for item in block.body.items() {
            if let BodyItem::Argument(argument) = item
                && let Expr::Native(value) = &argument.expr
            {
                let text = LocalText {
                    name: argument.name.text.to_string(),
                    is_literal: is_literal(value.view()),
                    end: value.span().end,
                };
                found.insert(argument.span.start, text);
            }
        }
    }
    found
}

/// Returns all local values that a JSON file declares, by the offset at which their names begin.
fn json_values(root: JsonView<'_>) -> BTreeMap<u32, LocalText> {
    let mut found = BTreeMap::new();
    let blocks = json_objects(root).into_iter().filter(|one| one.name == "locals");
    for local in blocks.flat_map(|block| json_objects(block.value)) {
        let text = LocalText {
            name: local.name.to_string(),
            is_literal: is_json_literal(local.value),
            end: local.value.span().end,
        };
        found.insert(local.name_span.start, text);
    }
    found
}

/// Returns the properties of an object, or of each object in a list.
fn json_objects(view: JsonView<'_>) -> Vec<JsonProperty<'_>> {
    match view.case() {
        JsonCase::Object(all) => all,
        JsonCase::Array(all) => all.into_iter().flat_map(json_objects).collect(),
        _ => Vec::new(),
    }
}

/// Returns true if a JSON value contains no interpolation.
fn is_json_literal(view: JsonView<'_>) -> bool {
    let mut waiting = vec![view];
    while let Some(view) = waiting.pop() {
        match view.case() {
            JsonCase::String(text) if text.contains("${") || text.contains("%{") => return false,
            JsonCase::Array(all) => waiting.extend(all),
            JsonCase::Object(all) => waiting.extend(all.iter().map(|one| one.value)),
            _ => {}
        }
    }
    true
}

/// Returns true if an expression consists of literals only, possibly in tuples and objects.
fn is_literal(view: ExprView<'_>) -> bool {
    let mut waiting = vec![view];
    while let Some(view) = waiting.pop() {
        match view.case() {
            ExprCase::Number(_) | ExprCase::Root("true" | "false" | "null") => {}
            ExprCase::Template(template) if template.plain().is_some() => {}
            ExprCase::Tuple(all) => waiting.extend(all),
            ExprCase::Object(all) => waiting.extend(all.iter().map(|item| item.value)),
            ExprCase::Parenthesised(inner) => waiting.push(inner),
            _ => return false,
        }
    }
    true
}

/// Returns the hint for a local value, `= VALUE`; `None` without a value, and `is_pending` becomes true if that is still
/// being evaluated.
fn value_label(
    request: &Request<'_>,
    site: &DeclarationSite,
    is_pending: &mut bool,
) -> Option<String> {
    let snapshot = request.snapshot()?;
    let known = snapshot.values_of(site.id, 1, request.token());
    *is_pending |= known.is_pending && known.values.is_empty();
    let value = &known.values.first()?.value;
    let more = if known.has_more { " …" } else { "" };
    let room = MAX_COLUMNS - 2 - more.chars().count();
    Some(format!("= {}{more}", value_text::brief(value, room)))
}

/// Returns the hint for a repeated block, `× COUNT`; `None` if the block is not repeated or no instance of its module is
/// known.
fn count_label(request: &Request<'_>, site: &DeclarationSite) -> Option<String> {
    let counts = request.snapshot()?.counts_of(site.id, 2, request.token());
    let [(_, count), rest @ ..] = &*counts else { return None };
    let count = count.map_or_else(|| "?".to_owned(), |count| count.to_string());
    let more = if rest.is_empty() { "" } else { " …" };
    Some(format!("× {count}{more}"))
}
