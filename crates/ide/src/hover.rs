//! What is known of the thing at an offset, as text: its value first, then its type, where it comes from, and what the language or a
//! schema says about it. A value that is not to be shown never gets here as text.

use groma::functions::{FoundFunction, FunctionLibrary};
use groma::place::{DeclarationId, PlaceTarget};
use groma::syntax::Place;
use groma::{Edition, RequestToken, file_path};
use groma_syntax::Span;

use crate::document::TextDocument;
use crate::request::Request;
use crate::rich_text::{RichText, code_span};
use crate::value_text::{self, ShownValues};

/// The text about what stands at an offset.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HoverText {
    /// The bytes that it is about.
    pub span: Option<Span>,
    /// The text.
    pub text: RichText,
    /// True if values are still being worked out, so that the same question will have a fuller answer.
    pub is_pending: bool,
}

/// Values of instances that are shown.
const MAX_INSTANCES: usize = 4;

/// What is known of the thing at an offset; nothing where there is nothing to say.
pub fn hover(request: &Request<'_>, file: &str, at: u32) -> Option<HoverText> {
    let document = request.document(file)?;
    let mut hover =
        HoverText { span: document.name_at(at), text: RichText::new(), is_pending: false };
    match request.place(file, at) {
        Some((_, place)) => in_root(request, place, &mut hover),
        None => in_text(&document, at, &mut hover),
    }
    (!hover.text.is_empty()).then_some(hover)
}

fn in_root(request: &Request<'_>, place: Place, hover: &mut HoverText) {
    let Some(snapshot) = request.snapshot() else { return };
    let target = snapshot.target_at(place);
    match &target {
        Some(PlaceTarget::Declaration(id)) => {
            hover.is_pending = write_declaration(request, *id, &mut hover.text);
        }
        Some(PlaceTarget::Function(function)) => {
            values(request, place, hover);
            hover.text.rule();
            hover.text.code(value_text::LANGUAGE, function.signature());
            hover.text.text(function.doc);
        }
        Some(PlaceTarget::Reference { declaration, .. }) => {
            values(request, place, hover);
            declared(request, *declaration, &mut hover.text);
        }
        Some(PlaceTarget::FilePath(path)) => {
            hover.text.text(format!("File {}", code_span(&file_path::clean(path))));
        }
        _ => values(request, place, hover),
    }
}

/// Adds the values of the expression at a place.
fn values(request: &Request<'_>, place: Place, hover: &mut HoverText) {
    let Some(snapshot) = request.snapshot() else { return };
    let token: &RequestToken = request.token();
    let Some(known) = snapshot.values_at(place, MAX_INSTANCES, token) else { return };
    hover.is_pending = known.is_pending;
    if !known.values.is_empty() {
        hover.span = request.span_of(known.place).map(|one| one.span);
    }
    let shown = ShownValues::new(&known.values, known.has_more, known.is_pending);
    shown.write(snapshot, &mut hover.text);
}

/// Adds what is said of a function: how it is called and what it does.
pub(crate) fn write_function(request: &Request<'_>, name: &str, text: &mut RichText) {
    let edition = request.snapshot().map(|snapshot| snapshot.edition());
    let library = FunctionLibrary::of(edition.unwrap_or(Edition::DEFAULT));
    if let FoundFunction::Function(function) = library.find(name) {
        text.code(value_text::LANGUAGE, function.signature());
        text.text(function.doc);
    }
}

/// Adds everything that is known of a declaration. Returns true if values are still being worked out.
pub(crate) fn write_declaration(
    request: &Request<'_>,
    id: DeclarationId,
    text: &mut RichText,
) -> bool {
    let Some(snapshot) = request.snapshot() else { return false };
    let known = snapshot.values_of(id, MAX_INSTANCES, request.token());
    let shown = ShownValues::new(&known.values, known.has_more, known.is_pending);
    shown.write(snapshot, text);
    declared(request, id, text);
    known.is_pending
}

/// Adds what is said of a declaration: its description and where it stands.
fn declared(request: &Request<'_>, id: DeclarationId, text: &mut RichText) {
    let Some(snapshot) = request.snapshot() else { return };
    let Some(site) = snapshot.declaration(id) else { return };
    if let Some(words) = snapshot.description_of(id) {
        text.text(words);
    }
    if let Some(at) = request.span_of(site.place) {
        let line = request.document(&at.file).map(|one| one.source().position(at.span.start).line);
        let line = line.map_or_else(String::new, |line| format!(":{line}"));
        let name = file_path::relative(snapshot.dir(), &at.file);
        text.text(format!("{} of {}{line}", code_span(&site.address), code_span(&name)));
    }
}

/// Adds what is known without a root: functions.
fn in_text(document: &TextDocument, at: u32, hover: &mut HoverText) {
    let Some(span) = document.name_at(at) else { return };
    let name = span.of(document.text());
    let is_call = document.text()[span.end as usize..].trim_start().starts_with('(');
    let library = FunctionLibrary::of(Edition::newest(document.dialect()));
    if let FoundFunction::Function(function) = library.find(name)
        && is_call
    {
        hover.text.code(value_text::LANGUAGE, function.signature());
        hover.text.text(function.doc);
    }
}
