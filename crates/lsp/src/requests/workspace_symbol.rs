//! Search for declarations by name in all folders. The index is kept between requests and updated in a job, since the first
//! request in a large folder takes time.

use std::sync::PoisonError;

use groma::Workspace;
use groma_ide::{Request, WorkspaceSymbol};
use serde_json::{Value, json};

use super::symbols::kind;
use crate::message::{MessageId, RequestError};
use crate::places::Places;
use crate::state::{HandlerReply, ServerState};

/// Answers `workspace/symbol` with the declarations whose names match the query, searched by a job in all folders that the
/// client has opened.
pub(super) fn workspace_symbols(
    server: &mut ServerState,
    id: &MessageId,
    params: &Value,
) -> Result<HandlerReply, RequestError> {
    let query =
        params["query"].as_str().ok_or_else(|| RequestError::parameter("query"))?.to_owned();
    let folders: Vec<(String, Workspace)> = server.workspaces_of_folders();
    let (index, unit, uris) = (server.index.clone(), server.client.unit, server.uris());
    let question = Box::new(move |token: &groma::RequestToken| {
        let mut index = index.lock().unwrap_or_else(PoisonError::into_inner);
        for (folder, workspace) in &folders {
            if token.is_over() {
                break;
            }
            index.read_below(workspace, folder);
        }
        let found = index.find(&query);
        let mut all: Vec<Value> = Vec::new();
        for one in &found {
            let around =
                folders.iter().find(|(folder, _)| crate::root::is_below(&one.place.file, folder));
            let Some((folder, workspace)) = around else { continue };
            let request = Request::new(workspace);
            let places = Places::new(&request, unit).with_uris(uris.clone());
            all.push(symbol(one, folder, &places));
        }
        Ok(Value::from(all).into())
    });
    Ok(server.answer_later(id, question))
}

/// Returns a declaration as the protocol's `WorkspaceSymbol`, whose container is the declaration's folder relative to the
/// client's folder `top`.
fn symbol(one: &WorkspaceSymbol, top: &str, places: &Places<'_, '_>) -> Value {
    json!({
        "name": one.name,
        "kind": kind(one.kind),
        "containerName": groma::hosts::file_path::relative(top, &one.folder),
        "location": places.location(&one.place),
    })
}
