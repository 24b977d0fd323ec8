//! Diagnostics of a document, for a client that pulls them.

use serde_json::Value;

use crate::message::{MessageId, RequestError};
use crate::state::{HandlerReply, ServerState};
use crate::uri::path_of;

/// Answers `textDocument/diagnostic` with the diagnostics of the document, after the check of its root if that is not finished.
pub(super) fn document_diagnostic(
    server: &mut ServerState,
    id: &MessageId,
    params: &Value,
) -> Result<HandlerReply, RequestError> {
    let uri = params["textDocument"]["uri"].as_str();
    let path = path_of(uri.ok_or_else(|| RequestError::parameter("textDocument"))?);
    let previous = params["previousResultId"].as_str().map(String::from);
    Ok(server.pull(id, &groma::hosts::file_path::clean(&path), previous))
}
