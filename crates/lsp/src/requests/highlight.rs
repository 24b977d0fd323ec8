//! Occurrences of a name in its document, and linked editing ranges.

use groma_ide::{NameHighlight, highlights, linked_ranges};
use serde_json::{Value, json};

use super::inquiry::DocumentInquiry;
use crate::message::RequestError;
use crate::state::ServerState;

/// Answers `textDocument/documentHighlight` with the ranges of all occurrences of the name at the position in the document.
pub(super) fn highlight(server: &mut ServerState, params: &Value) -> Result<Value, RequestError> {
    let inquiry = DocumentInquiry::of(server, params)?;
    let request = inquiry.request();
    let at = inquiry.offset(&request, params)?;
    let found = highlights(&request, &inquiry.file, at);
    let places = server.places(&request);
    let one = |one: &NameHighlight| {
        let kind = if one.declares { 3 } else { 2 };
        json!({ "range": places.range(&inquiry.file, one.span), "kind": kind })
    };
    Ok(found.iter().map(one).collect())
}

/// Answers `textDocument/linkedEditingRange` with the ranges of the two heredoc markers of which one is at the position.
pub(super) fn linked(server: &mut ServerState, params: &Value) -> Result<Value, RequestError> {
    let inquiry = DocumentInquiry::of(server, params)?;
    let request = inquiry.request();
    let at = inquiry.offset(&request, params)?;
    let found = linked_ranges(&request, &inquiry.file, at);
    let places = server.places(&request);
    let ranges: Vec<Value> = found.iter().map(|span| places.range(&inquiry.file, *span)).collect();
    Ok(if ranges.is_empty() { Value::Null } else { json!({ "ranges": ranges }) })
}
