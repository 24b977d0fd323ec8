//! Formatting. It needs the text of the document alone, so it does not wait for a root.

use std::sync::Arc;

use groma::edit::TextEdit;
use groma::syntax::Span;
use groma::{MemoryHost, Workspace};
use groma_ide::{
    Request, closing_formatting, formatting as layout, range_formatting as layout_of_range,
};
use serde_json::{Value, json};

use crate::message::RequestError;
use crate::points::{offset_in, range_json, read_point, read_range, span_in};
use crate::state::ServerState;
use crate::uri::path_of;

/// Answers `textDocument/formatting` with the edits that format the document.
pub(super) fn formatting(server: &mut ServerState, params: &Value) -> Result<Value, RequestError> {
    edits(server, params, |request, file| Ok(layout(request, file)))
}

/// Answers `textDocument/rangeFormatting` with the edits that format the lines of the range.
pub(super) fn range_formatting(
    server: &mut ServerState,
    params: &Value,
) -> Result<Value, RequestError> {
    let unit = server.client.unit;
    edits(server, params, |request, file| {
        let range = read_range(&params["range"]).ok_or_else(|| RequestError::parameter("range"))?;
        let document = request.document(file);
        let span = document.and_then(|one| span_in(one.source(), range, unit));
        let span =
            span.ok_or_else(|| RequestError::failed("the range lies outside of the document"))?;
        Ok(layout_of_range(request, file, span))
    })
}

/// Answers `textDocument/onTypeFormatting`: formats the block that was just closed.
pub(super) fn on_type_formatting(
    server: &mut ServerState,
    params: &Value,
) -> Result<Value, RequestError> {
    let unit = server.client.unit;
    edits(server, params, |request, file| {
        let point = read_point(&params["position"]);
        let point = point.ok_or_else(|| RequestError::parameter("position"))?;
        let document = request.document(file);
        let at = document.and_then(|one| offset_in(one.source(), point, unit));
        let at =
            at.ok_or_else(|| RequestError::failed("the position lies outside of the document"))?;
        Ok(closing_formatting(request, file, at))
    })
}

/// Answers a formatting request with the edits that `ask` computes from the document's text.
fn edits(
    server: &ServerState,
    params: &Value,
    ask: impl FnOnce(&Request<'_>, &str) -> Result<Vec<TextEdit>, RequestError>,
) -> Result<Value, RequestError> {
    let uri = params["textDocument"]["uri"].as_str();
    let uri = uri.ok_or_else(|| RequestError::parameter("textDocument"))?;
    let file = groma::hosts::file_path::clean(&path_of(uri));
    let Some(document) = server.documents.get(&file).filter(|document| !document.is_lost) else {
        return Err(RequestError::failed("the document is not open, or its text is not known"));
    };
    let workspace = Workspace::over(Arc::new(MemoryHost::new()));
    let text = document.source.text();
    // A byte order mark is part of the file, and is not formatted.
    let (mark, text) = match text.strip_prefix('\u{feff}') {
        Some(rest) => (text.len() - rest.len(), rest),
        None => (0, &**text),
    };
    workspace.set(&file, text.as_bytes());
    let request = Request::new(&workspace);
    let found = ask(&request, &file)?;
    let edit = |one: &TextEdit| {
        let span = Span::new((one.start + mark) as u32, (one.end + mark) as u32);
        let range = range_json(&document.source, span, server.client.unit);
        json!({ "range": range, "newText": one.text })
    };
    Ok(found.iter().map(edit).collect())
}
