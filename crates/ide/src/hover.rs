//! Hover texts: the value at an offset, its type and origin, and its documentation from the manual or a schema. A sensitive
//! value never becomes text.

use std::rc::Rc;

use groma::functions::{FoundFunction, Function, FunctionLibrary};
use groma::place::{BlockStep, BodyLanguage, DeclarationId, InstanceValue, PlaceTarget};
use groma::root::{Root, RootDeclaration};
use groma::syntax::Place;
use groma::{Edition, RequestToken, hosts::file_path, manual, values::print};
use groma_syntax::Span;

use crate::complete::expected_in;
use crate::diagnostics::FileFinding;
use crate::document::TextDocument;
use crate::file_kind::FileKind;
use crate::request::Request;
use crate::rich_text::{RichText, code_span};
use crate::template_names::template_names;
use crate::value_text::{self, ShownValues};

/// The text that an editor shows for the code at an offset, and the span of that code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HoverText {
    /// The span that it refers to.
    pub span: Option<Span>,
    /// The text, as blocks.
    pub text: RichText,
    /// True if values are still being evaluated, so that a later request has a fuller answer.
    pub is_pending: bool,
}

/// Maximum number of instances whose values a hover text shows; a sentence says that there are more.
const MAX_INSTANCES: usize = 4;

/// Returns the hover text at an offset; `None` if nothing is known there.
pub fn hover(request: &Request<'_>, file: &str, at: u32) -> Option<HoverText> {
    let document = request.document(file)?;
    let mut hover =
        HoverText { span: document.name_at(at), text: RichText::new(), is_pending: false };
    match request.place(file, at) {
        Some((_, place)) => in_root(request, place, &mut hover),
        None if document.kind() == Some(FileKind::Template) => {
            in_template(request, &document, at, &mut hover);
        }
        None => in_other_root(request, &document, at, &mut hover),
    }
    (!hover.text.is_empty()).then_some(hover)
}

/// Returns the hover text at an offset, followed by the manual's text about the diagnostic codes of those `findings` whose
/// spans touch the offset; `None` if there is neither. The editor shows the messages of the findings itself.
pub fn hover_with_findings(
    request: &Request<'_>,
    file: &str,
    at: u32,
    findings: &[FileFinding],
) -> Option<HoverText> {
    let known = hover(request, file, at);
    let there = findings.iter().filter(|one| one.span.touches(at));
    let mut codes: Vec<&FileFinding> = there.collect();
    codes.sort_by_key(|one| one.code);
    codes.dedup_by_key(|one| one.code);
    let Some(first) = codes.first() else { return known };
    let mut hover = known.unwrap_or_else(|| HoverText {
        span: Some(first.span),
        text: RichText::new(),
        is_pending: false,
    });
    hover.text.rule();
    for one in codes {
        hover.text.text(format!("**{}** ({})", one.summary, code_span(one.code)));
        hover.text.text(one.about);
    }
    Some(hover)
}

/// Adds to the hover text the documentation and values of the name, argument or block at a place in the root's code.
fn in_root(request: &Request<'_>, place: Place, hover: &mut HoverText) {
    let Some(snapshot) = request.snapshot() else { return };
    let target = snapshot.target_at(place);
    match &target {
        Some(PlaceTarget::Declaration(id)) => {
            if is_block_word(request, place) {
                block_word(request, place, hover);
                return;
            }
            hover.is_pending = write_declaration(request, *id, &mut hover.text);
        }
        Some(PlaceTarget::Function(function)) => {
            values(request, place, hover);
            hover.text.rule();
            write_page(function, &mut hover.text);
        }
        Some(PlaceTarget::Reference { declaration, .. }) => {
            values(request, place, hover);
            declared(request, *declaration, &mut hover.text);
        }
        Some(PlaceTarget::Argument { blocks, name, declaration }) => {
            argument(request, place, blocks, name, *declaration, hover);
        }
        Some(PlaceTarget::Block(_)) => block_word(request, place, hover),
        Some(PlaceTarget::Label { blocks, text }) if blocks.len() == 1 => {
            label(request, place, blocks, text, &mut hover.text);
        }
        Some(PlaceTarget::FilePath(path)) => {
            hover.text.text(format!("File {}", code_span(&file_path::clean(path))));
        }
        _ => values(request, place, hover),
    }
}

/// Adds to a text the signature of a function and its manual page.
fn write_page(function: &Function, text: &mut RichText) {
    text.code(value_text::LANGUAGE, function.typed_signature());
    match manual::function_page(function.name) {
        Some(page) => text.page(page),
        None => text.text(function.doc),
    }
}

/// Returns true if a place is in the keyword that starts a declaration's block.
fn is_block_word(request: &Request<'_>, place: Place) -> bool {
    request.snapshot().is_some_and(|snapshot| snapshot.syntax_position(place).is_kind)
}

/// Returns the document that contains a place, and the blocks around the place, outermost first; `None` if the document
/// cannot be read.
fn steps(request: &Request<'_>, place: Place) -> Option<(Rc<TextDocument>, Vec<BlockStep>)> {
    let at = request.span_of(place)?;
    let document = request.document(&at.file)?;
    let steps = document.blocks_at(at.span.start);
    Some((document, steps))
}

/// Adds to the hover text the documentation of the kind of block at a place: from its schema, its manual page or its row.
fn block_word(request: &Request<'_>, place: Place, hover: &mut HoverText) {
    let Some((document, mut steps)) = steps(request, place) else { return };
    let Some(step) = steps.pop() else { return };
    hover.text.code(value_text::LANGUAGE, header(&step));
    let words = request.snapshot().and_then(|snapshot| {
        let mut inner = steps.clone();
        inner.push(step.clone());
        snapshot.schema_description(document.name(), &inner, "").filter(|_| !steps.is_empty())
    });
    if let Some(words) = words {
        return hover.text.text(words);
    }
    let page = match document.language() {
        BodyLanguage::Packer => manual::template_page(&step.kind),
        _ => manual::block_page(&step.kind),
    };
    if let Some(page) = page.filter(|_| steps.is_empty() || step.kind == "lifecycle") {
        return hover.text.page(page);
    }
    let around = expected_in(request, &document, &steps);
    let row = around.and_then(|body| body.blocks.into_iter().find(|one| *one.name == *step.kind));
    if let Some(row) = row.filter(|row| !row.doc.is_empty()) {
        hover.text.text(row.doc);
    }
}

/// Returns the header of a block as code.
fn header(step: &BlockStep) -> String {
    let labels = step.labels.iter().map(|label| format!(" \"{label}\""));
    std::iter::once(step.kind.clone()).chain(labels).collect()
}

/// Adds to the text `out` the header of a block, made of its type, the first of `blocks`, and of the label `text` at a place,
/// and the description of the resource type `text` from the provider's schema.
fn label(request: &Request<'_>, place: Place, blocks: &[String], text: &str, out: &mut RichText) {
    let (Some(snapshot), Some(at)) = (request.snapshot(), request.span_of(place)) else { return };
    let Some(kind) = blocks.first() else { return };
    out.code(value_text::LANGUAGE, format!("{kind} \"{text}\""));
    let step = BlockStep { kind: kind.clone(), labels: vec![text.to_owned()] };
    if let Some(words) = snapshot.schema_description(&at.file, &[step], "") {
        out.text(words);
    }
}

/// Adds to the hover text the documentation of the argument `name` in blocks of the types `blocks`: its value, type and
/// requirement, and its description from the schema, the row or, if `declaration` is a module call, from the variable that it
/// sets.
fn argument(
    request: &Request<'_>,
    place: Place,
    blocks: &[String],
    name: &str,
    declaration: Option<DeclarationId>,
    hover: &mut HoverText,
) {
    let Some((document, steps)) = steps(request, place) else { return };
    let Some(snapshot) = request.snapshot() else { return };
    let body = expected_in(request, &document, &steps);
    let known = body.and_then(|body| body.arguments.into_iter().find(|one| *one.name == *name));
    let is_hidden = known.as_ref().is_some_and(|one| one.is_sensitive);
    // The name of an argument stands for its value, which begins after the equals sign.
    if !is_hidden && let Some(value) = document.value_start(place_start(request, place)) {
        let value = Place::new(place.file, Span::at(value));
        values(request, snapshot.project().sources().resolve(value), hover);
    }
    if let Some(known) = known {
        let needed = if known.is_required { "required" } else { "optional" };
        let hidden = if known.is_sensitive { ", sensitive" } else { "" };
        let old = if known.is_deprecated { ", deprecated" } else { "" };
        let ty = print::type_constraint(&known.ty);
        hover.text.text(format!("{} ({needed}{hidden}{old}): {}", code_span(name), code_span(&ty)));
        match (known.description, known.variable) {
            (Some(words), _) => hover.text.text(words.to_string()),
            (None, None) => {
                let words = snapshot.schema_description(document.name(), &steps, name);
                words.into_iter().for_each(|words| hover.text.text(words));
            }
            _ => {}
        }
    }
    if let (Some(call), ["module"]) =
        (declaration, &*blocks.iter().map(String::as_str).collect::<Vec<_>>())
        && let Some(variable) = snapshot.input_of(call, name)
    {
        declared_at(request, variable, &mut hover.text);
    }
}

/// Returns the offset at which a place begins.
fn place_start(request: &Request<'_>, place: Place) -> u32 {
    request.span_of(place).map_or(0, |at| at.span.start)
}

/// Adds to the hover text the values of the expression at a place.
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

/// Adds to a text the values of a declaration of a root; returns true if values are still being evaluated.
pub(crate) fn write_values(
    root: &dyn Root,
    declaration: &RootDeclaration,
    request: &Request<'_>,
    text: &mut RichText,
) -> bool {
    // A declaration without a value in this kind of root still has a place.
    let known = root.values_of(declaration, MAX_INSTANCES, request.token()).unwrap_or_default();
    let shown = ShownValues::new(&known.values, known.has_more, known.is_pending);
    shown.write(root, text);
    known.is_pending
}

/// Adds to a text the documentation of the function with a name, if the edition has it.
pub(crate) fn write_function(request: &Request<'_>, name: &str, text: &mut RichText) {
    let edition = request.snapshot().map(|snapshot| snapshot.edition());
    let library = FunctionLibrary::of(edition.unwrap_or(Edition::DEFAULT));
    if let FoundFunction::Function(function) = library.find(name) {
        write_page(function, text);
    }
}

/// Adds to a text the values, description and place of a declaration; returns true if values are still being evaluated.
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

/// Adds to a text the description of a declaration, and its address, file and line.
fn declared(request: &Request<'_>, id: DeclarationId, text: &mut RichText) {
    let Some(snapshot) = request.snapshot() else { return };
    if let Some(words) = snapshot.description_of(id) {
        text.text(words);
    }
    declared_at(request, id, text);
}

/// Adds to a text the address of a declaration with the file and line that declare it.
fn declared_at(request: &Request<'_>, id: DeclarationId, text: &mut RichText) {
    let Some(snapshot) = request.snapshot() else { return };
    let Some(site) = snapshot.declaration(id) else { return };
    if let Some(at) = request.span_of(site.place) {
        let line = request.document(&at.file).map(|one| one.source().position(at.span.start).line);
        let line = line.map_or_else(String::new, |line| format!(":{line}"));
        let name = file_path::relative(snapshot.dir(), &at.file);
        text.text(format!("{} of {}{line}", code_span(&site.address), code_span(&name)));
    }
}

/// Adds the documentation at an offset of a Packer template, of a test file, or of a file that belongs to no root: a name's value
/// and place, a block's page, or a function.
fn in_other_root(request: &Request<'_>, document: &TextDocument, at: u32, hover: &mut HoverText) {
    let word = document.blocks_at(at).pop();
    let is_word = word.as_ref().is_some_and(|step| document.spelling_at(at, &step.kind).is_some());
    let is_packer = document.language() == BodyLanguage::Packer;
    if let Some(page) =
        word.filter(|_| is_word && is_packer).and_then(|step| manual::template_page(&step.kind))
    {
        return hover.text.page(page);
    }
    let root = request.root_of(document.name());
    let found = root.and_then(|root| Some((root.definition_at(document.name(), at)?, root)));
    let Some((declaration, root)) = found else { return in_text(document, at, hover) };
    hover.is_pending = write_values(&*root, &declaration, request, &mut hover.text);
    if let Some(words) = declaration.description() {
        hover.text.text(words);
    }
    let Some(site) = declaration.site() else { return };
    let line = request.document(&site.range.file);
    let line = line.map(|one| one.source().position(site.range.span.start).line);
    let line = line.map_or_else(String::new, |line| format!(":{line}"));
    let own = declaration.in_module().map_or(root.dir(), |(snapshot, _)| snapshot.dir());
    let own = if own == &*site.range.file { file_path::parent(own) } else { own.to_owned() };
    let name = file_path::relative(&own, &site.range.file);
    hover.text.text(format!("{} of {}{line}", code_span(&declaration.address), code_span(&name)));
}

/// Adds to a hover text the documentation at an offset of a template file: the value that its first caller passes for the name
/// there, or a function.
fn in_template(request: &Request<'_>, document: &TextDocument, at: u32, hover: &mut HoverText) {
    let name = document.name_at(at).map(|span| span.of(document.text()).to_owned());
    let names = template_names(request, document);
    let known = names.into_iter().find(|one| Some(&one.name) == name.as_ref());
    let (Some(known), Some(snapshot)) = (known, request.snapshot()) else {
        return in_text(document, at, hover);
    };
    hover.is_pending = known.is_pending;
    let instance = String::new();
    let values: Vec<InstanceValue> = known
        .value
        .into_iter()
        .map(|value| InstanceValue { instance: instance.clone(), value })
        .collect();
    let shown = ShownValues::new(&values, false, known.is_pending);
    shown.write(snapshot, &mut hover.text);
    if let Some(place) = known.place {
        let line =
            request.document(&place.file).map(|one| one.source().position(place.span.start).line);
        let name = file_path::relative(snapshot.dir(), &place.file);
        let line = line.map_or_else(String::new, |line| format!(":{line}"));
        hover.text.text(format!("Given by {}{line}", code_span(&name)));
    }
}

/// Adds the documentation of a function at an offset of a file that belongs to no root.
fn in_text(document: &TextDocument, at: u32, hover: &mut HoverText) {
    let Some(span) = document.name_at(at) else { return };
    let name = span.of(document.text());
    let is_call = document.text()[span.end as usize..].trim_start().starts_with('(');
    let library = FunctionLibrary::of(Edition::newest(document.dialect()));
    if let FoundFunction::Function(function) = library.find(name)
        && is_call
    {
        write_page(function, &mut hover.text);
    }
}
