//! Inlay hints. A hint records its document, and its explanation is computed from its position.

use groma::syntax::Span;
use groma_ide::{InlayHint, inlay_hints, resolve_hint};
use serde_json::{Value, json};

use super::inquiry::DocumentInquiry;
use crate::message::RequestError;
use crate::settings::HintSetting;
use crate::state::ServerState;

/// Answers `textDocument/inlayHint` with the hints for the lines of the requested range; empty if settings hide them.
pub(super) fn hints(server: &mut ServerState, params: &Value) -> Result<Value, RequestError> {
    if server.settings.hints == HintSetting::Off {
        return Ok(json!([]));
    }
    let inquiry = DocumentInquiry::of(server, params)?;
    let request = inquiry.request();
    let range = inquiry.span(&request, params)?;
    let document = server.documents.get(&inquiry.file);
    let typed = document.and_then(|document| {
        let line = document.typed_at?;
        Some(document.source.offset(groma::syntax::Point { line, column: 0 }, server.client.unit))
    });
    let found = inlay_hints(&request, &inquiry.file, range, typed);
    let places = server.places(&request);
    let hint = |one: &InlayHint| {
        json!({
            "position": places.point(&inquiry.file, one.at),
            "label": one.label,
            "paddingLeft": true,
            "data": { "uri": params["textDocument"]["uri"] },
        })
    };
    Ok(found.hints.iter().map(hint).collect())
}

/// Answers `inlayHint/resolve` with the hint of the parameters and its explanation.
pub(super) fn resolve(server: &mut ServerState, params: &Value) -> Result<Value, RequestError> {
    let about = json!({ "textDocument": { "uri": params["data"]["uri"] } });
    let inquiry = DocumentInquiry::of(server, &about)?;
    let request = inquiry.request();
    let at = inquiry.offset(&request, params)?;
    let found = inlay_hints(&request, &inquiry.file, Span::at(at), None);
    let mut resolved = params.clone();
    // The text may have changed since; then nothing is added.
    if let Some(one) = found.hints.iter().find(|one| one.at == at) {
        resolved["tooltip"] = server.rich_text(&resolve_hint(&request, one));
    }
    Ok(resolved)
}
