//! Renaming of declarations and bound names.

use groma_ide::{prepare_rename as site, rename as changes};
use serde_json::{Value, json};

use super::edits::workspace_edit;
use super::inquiry::DocumentInquiry;
use crate::message::RequestError;
use crate::state::ServerState;

/// Answers `textDocument/prepareRename` with the name at the position and its range; an error if it cannot be renamed.
pub(super) fn prepare_rename(
    server: &mut ServerState,
    params: &Value,
) -> Result<Value, RequestError> {
    let inquiry = DocumentInquiry::of(server, params)?;
    let request = inquiry.request();
    let at = inquiry.offset(&request, params)?;
    let found = site(&request, &inquiry.file, at).map_err(RequestError::failed)?;
    let range = server.places(&request).range(&inquiry.file, found.span);
    Ok(json!({ "range": range, "placeholder": found.name }))
}

/// Answers `textDocument/rename` with the edits that rename the declaration at the position and all references to it.
pub(super) fn rename(server: &mut ServerState, params: &Value) -> Result<Value, RequestError> {
    let inquiry = DocumentInquiry::of(server, params)?;
    let request = inquiry.request();
    let at = inquiry.offset(&request, params)?;
    let name = params["newName"].as_str().ok_or_else(|| RequestError::parameter("newName"))?;
    let made = changes(&request, &inquiry.file, at, name).map_err(RequestError::failed)?;
    let edit = workspace_edit(server, &made, &server.places(&request), None);
    for note in &made.notes {
        server.notify("window/showMessage", &json!({ "type": 3, "message": note }));
    }
    Ok(edit)
}
