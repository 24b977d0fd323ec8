//! Code lenses: the current root and inputs, and the instances of repeated blocks.

use groma_ide::{CodeLens, LensAction, code_lenses};
use serde_json::{Value, json};

use super::command;
use super::inquiry::DocumentInquiry;
use crate::message::RequestError;
use crate::places::Places;
use crate::state::ServerState;

/// Answers `textDocument/codeLens` with the code lenses of the document.
pub(super) fn lenses(server: &mut ServerState, params: &Value) -> Result<Value, RequestError> {
    let inquiry = DocumentInquiry::of(server, params)?;
    let request = inquiry.request();
    let found = code_lenses(&request, &inquiry.file);
    let places = server.places(&request);
    let uri = &params["textDocument"]["uri"];
    Ok(found.iter().map(|one| lens(one, uri, &inquiry.file, &places)).collect())
}

/// Answers `codeLens/resolve` with the lens and its title and command, or a title that says that its value is not known yet.
pub(super) fn resolve(server: &mut ServerState, params: &Value) -> Result<Value, RequestError> {
    let uri = &params["data"]["uri"];
    let inquiry = DocumentInquiry::of(server, &json!({ "textDocument": { "uri": uri } }))?;
    let request = inquiry.request();
    let found = code_lenses(&request, &inquiry.file);
    let places = server.places(&request);
    let all = found.iter().map(|one| lens(one, uri, &inquiry.file, &places));
    let known =
        all.filter(|one| !one["command"].is_null()).find(|one| one["range"] == params["range"]);
    Ok(known.unwrap_or_else(|| {
        let mut waiting = params.clone();
        waiting["command"] = json!({ "title": "instances are being worked out", "command": "" });
        waiting
    }))
}

/// Returns a code lens in the protocol's form, as JSON.
fn lens(one: &CodeLens, uri: &Value, file: &str, places: &Places<'_, '_>) -> Value {
    let range = places.range(file, one.span);
    let mut lens = json!({ "range": range, "data": { "uri": uri } });
    if let Some(title) = &one.title {
        let (command, arguments) = match &one.action {
            LensAction::ChooseInputs { .. } => (command::CHOOSE_INPUTS, json!([uri])),
            LensAction::ShowInstances { .. } => {
                (command::SHOW_INSTANCES, json!([uri, range["start"]]))
            }
        };
        lens["command"] = json!({ "title": title, "command": command, "arguments": arguments });
    }
    lens
}
