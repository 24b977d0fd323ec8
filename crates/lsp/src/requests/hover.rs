//! Hover texts.

use groma_ide::hover_with_findings;
use serde_json::{Value, json};

use super::inquiry::DocumentInquiry;
use crate::message::RequestError;
use crate::state::ServerState;

/// Answers `textDocument/hover` with the documentation and values of the code at the position; null if nothing is known.
pub(super) fn hover(server: &mut ServerState, params: &Value) -> Result<Value, RequestError> {
    let inquiry = DocumentInquiry::of(server, params)?;
    let request = inquiry.request();
    let at = inquiry.offset(&request, params)?;
    let (findings, _) = server.file_findings(&inquiry.file);
    let found = hover_with_findings(&request, &inquiry.file, at, &findings);
    let Some(found) = found else { return Ok(Value::Null) };
    let mut all = json!({ "contents": server.rich_text(&found.text) });
    if let Some(span) = found.span {
        all["range"] = server.places(&request).range(&inquiry.file, span);
    }
    Ok(all)
}
