//! References to a declaration.

use groma_ide::references as places_of;
use serde_json::Value;

use super::inquiry::DocumentInquiry;
use crate::message::RequestError;
use crate::state::ServerState;

/// Answers `textDocument/references` with the places that name the declaration at the position.
pub(super) fn references(server: &mut ServerState, params: &Value) -> Result<Value, RequestError> {
    let inquiry = DocumentInquiry::of(server, params)?;
    let request = inquiry.request();
    let at = inquiry.offset(&request, params)?;
    let declares = params["context"]["includeDeclaration"].as_bool().unwrap_or(true);
    let found = places_of(&request, &inquiry.file, at, declares);
    let places = server.places(&request);
    Ok(found.iter().map(|place| places.location(place)).collect())
}
