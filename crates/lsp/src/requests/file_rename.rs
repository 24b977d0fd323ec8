//! Renamed files and folders: the paths in the code that refer to them are updated.

use groma_ide::{ChangeSet, file_renames};
use serde_json::Value;

use super::edits::{EditAnnotation, workspace_edit};
use crate::message::RequestError;
use crate::state::ServerState;
use crate::uri::path_of;

/// Answers `workspace/willRenameFiles` with the edits of module sources that refer to the renamed folders.
pub(super) fn will_rename(server: &mut ServerState, params: &Value) -> Result<Value, RequestError> {
    let files = params["files"].as_array().ok_or_else(|| RequestError::parameter("files"))?;
    let moved: Vec<(String, String)> = files
        .iter()
        .filter_map(|one| {
            Some((path_of(one["oldUri"].as_str()?), path_of(one["newUri"].as_str()?)))
        })
        .collect();
    let Some((first, _)) = moved.first() else { return Ok(Value::Null) };
    let context = server.context(first);
    let request = context.request();
    let mut changes = ChangeSet::default();
    for (from, to) in &moved {
        let more = file_renames(&request, from, to);
        for file in more.files {
            // Edits of one file for two renames may overlap: only the first ones are applied.
            if !changes.files.iter().any(|known| known.file == file.file) {
                changes.files.push(file);
            }
        }
    }
    if changes.files.is_empty() && changes.created.is_empty() {
        return Ok(Value::Null);
    }
    let annotation = EditAnnotation {
        label: "Follow the new names".to_owned(),
        description: "Paths in the code follow the files.".to_owned(),
    };
    Ok(workspace_edit(server, &changes, &server.places(&request), Some(&annotation)))
}
