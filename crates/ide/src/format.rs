//! Formatting as edits. It needs the text alone, without a root; a text with syntax errors is left unchanged.

use groma::edit::{TextEdit, text_edits};
use groma_format::{OlderForms, format};
use groma_syntax::Span;

use groma::place::FileSyntax;

use crate::document::TextDocument;
use crate::file_kind::FileKind;
use crate::request::Request;

/// Returns the edits that format a file as `groma fmt` does; empty if it is formatted, in JSON, or has syntax errors.
pub fn formatting(request: &Request<'_>, file: &str) -> Vec<TextEdit> {
    request.document(file).map_or_else(Vec::new, |document| layout(&document))
}

/// Returns the formatting edits for the lines that a range touches.
pub fn range_formatting(request: &Request<'_>, file: &str, range: Span) -> Vec<TextEdit> {
    let Some(document) = request.document(file) else { return Vec::new() };
    let lines = document.lines_of(range);
    let touches =
        |edit: &TextEdit| edit.start <= lines.end as usize && lines.start as usize <= edit.end;
    layout(&document).into_iter().filter(touches).collect()
}

/// Returns the formatting edits for the lines of the bracket pair that closes just before `at`; empty after any other character.
pub fn closing_formatting(request: &Request<'_>, file: &str, at: u32) -> Vec<TextEdit> {
    let Some(document) = request.document(file) else { return Vec::new() };
    match document.brackets_closed_at(at) {
        Some(span) => range_formatting(request, file, span),
        None => Vec::new(),
    }
}

/// Returns the formatting edits of a document.
fn layout(document: &TextDocument) -> Vec<TextEdit> {
    let forms = match document.kind() {
        Some(FileKind::Packer | FileKind::PackerValues | FileKind::Other) => OlderForms::Kept,
        Some(kind) if kind.is_formatted() => OlderForms::New,
        _ => return Vec::new(),
    };
    let FileSyntax::Native(parse) = document.syntax() else { return Vec::new() };
    if !parse.diagnostics.is_empty() {
        return Vec::new();
    }
    match format(parse, forms) {
        Ok(Some(after)) => text_edits(document.text(), &after),
        Ok(None) | Err(_) => Vec::new(),
    }
}
