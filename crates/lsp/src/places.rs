//! Conversion of places to the protocol: byte offsets in the texts of a request become lines and columns in the client's unit.

use std::collections::BTreeMap;

use groma::edit::TextEdit;
use groma::hosts::file_path;
use groma::syntax::{ColumnUnit, Span};
use groma_ide::{FileSpan, Request};
use serde_json::{Value, json};

use crate::points::{point_json, range_json};
use crate::uri::uri_of;

/// Converter of places in the texts of one request to the protocol's JSON.
pub(crate) struct Places<'r, 'w> {
    request: &'r Request<'w>,
    unit: ColumnUnit,
    /// The URIs of open documents, as the client writes them.
    uris: BTreeMap<String, String>,
}

impl<'r, 'w> Places<'r, 'w> {
    /// Creates a converter for the places in one request's files, with columns in the client's unit.
    pub(crate) fn new(request: &'r Request<'w>, unit: ColumnUnit) -> Places<'r, 'w> {
        Places { request, unit, uris: BTreeMap::new() }
    }

    /// Sets the URIs by which the client names open documents, so that answers name them equally.
    pub(crate) fn with_uris(self, uris: BTreeMap<String, String>) -> Places<'r, 'w> {
        Places { uris, ..self }
    }

    /// Returns the absolute path of a file whose name may be relative to the working directory.
    pub(crate) fn path(&self, file: &str) -> String {
        let is_absolute = file.starts_with('/') || file.as_bytes().get(1) == Some(&b':');
        match is_absolute {
            true => file.to_owned(),
            false => file_path::join(&self.request.workspace().host().current_dir(), file),
        }
    }

    /// Returns the URI of a file.
    pub(crate) fn uri(&self, file: &str) -> String {
        let path = self.path(file);
        self.uris.get(&path).cloned().unwrap_or_else(|| uri_of(&path))
    }

    /// Returns a span as a range; the start of the file if its text is not available.
    pub(crate) fn range(&self, file: &str, span: Span) -> Value {
        match self.request.document(file) {
            Some(document) => range_json(document.source(), span, self.unit),
            None => {
                let start = json!({ "line": 0, "character": 0 });
                json!({ "start": start, "end": start })
            }
        }
    }

    /// Returns an offset as a position; the start of the file if its text is not available.
    pub(crate) fn point(&self, file: &str, offset: u32) -> Value {
        match self.request.document(file) {
            Some(document) => point_json(document.source(), offset, self.unit),
            None => json!({ "line": 0, "character": 0 }),
        }
    }

    /// Returns a place in a file as the protocol's `Location`.
    pub(crate) fn location(&self, place: &FileSpan) -> Value {
        json!({ "uri": self.uri(&place.file), "range": self.range(&place.file, place.span) })
    }

    /// Returns text edits of a file as a JSON array of the protocol's `TextEdit`.
    pub(crate) fn edits(&self, file: &str, edits: &[TextEdit]) -> Vec<Value> {
        let edit = |edit: &TextEdit| {
            let span = Span::new(edit.start as u32, edit.end as u32);
            json!({ "range": self.range(file, span), "newText": edit.text })
        };
        edits.iter().map(edit).collect()
    }
}
