//! Signature help for the call that is being typed.

use groma_ide::{SignatureParameter, signature_help};
use serde_json::{Value, json};

use super::inquiry::DocumentInquiry;
use crate::message::RequestError;
use crate::state::ServerState;

/// Answers `textDocument/signatureHelp` with the signature of the function that is called around the position; null if none is.
pub(super) fn signature(server: &mut ServerState, params: &Value) -> Result<Value, RequestError> {
    let inquiry = DocumentInquiry::of(server, params)?;
    let request = inquiry.request();
    let at = inquiry.offset(&request, params)?;
    let Some(found) = signature_help(&request, &inquiry.file, at) else { return Ok(Value::Null) };
    let parameter = |one: &SignatureParameter| json!({ "label": one.span.of(&found.label), "documentation": one.ty });
    let mut signature = json!({
        "label": found.label,
        "documentation": server.rich_text(&found.text),
        "parameters": found.parameters.iter().map(parameter).collect::<Vec<_>>(),
    });
    let mut all = json!({ "activeSignature": 0 });
    // Past the last parameter none is active, which an index out of range expresses.
    let active = found.active.unwrap_or(found.parameters.len());
    signature["activeParameter"] = json!(active);
    all["activeParameter"] = json!(active);
    all["signatures"] = json!([signature]);
    Ok(all)
}
