//! Selection ranges.

use groma_ide::selection_ranges;
use serde_json::{Value, json};

use super::inquiry::DocumentInquiry;
use crate::message::RequestError;
use crate::state::ServerState;

/// Answers `textDocument/selectionRange` with the nested syntax ranges around each of the positions.
pub(super) fn selection(server: &mut ServerState, params: &Value) -> Result<Value, RequestError> {
    let inquiry = DocumentInquiry::of(server, params)?;
    let request = inquiry.request();
    let positions = params["positions"].as_array();
    let positions = positions.ok_or_else(|| RequestError::parameter("positions"))?;
    let places = server.places(&request);
    let mut all = Vec::new();
    for position in positions {
        let at = inquiry.offset_of(&request, position)?;
        let mut whole = Value::Null;
        for span in selection_ranges(&request, &inquiry.file, at).iter().rev() {
            let mut range = json!({ "range": places.range(&inquiry.file, *span) });
            if !whole.is_null() {
                range["parent"] = whole;
            }
            whole = range;
        }
        if whole.is_null() {
            whole = json!({ "range": { "start": position, "end": position } });
        }
        all.push(whole);
    }
    Ok(all.into())
}
