//! Workspace edits. They contain the versions of the documents that they were made for, and the client applies them: the server
//! writes no files.

use groma_ide::ChangeSet;
use serde_json::{Value, json};

use crate::places::Places;
use crate::state::ServerState;

/// An annotation of edits, with which the client asks the user for confirmation.
pub(super) struct EditAnnotation {
    /// The title shown to the user.
    pub(super) label: String,
    /// A sentence about the edits; may be empty.
    pub(super) description: String,
}

/// Returns changes as a workspace edit, in the form that the client supports; with `annotation`, the client asks the user
/// for confirmation. For clients that create no files on request, a new file is an edit of an empty document.
pub(super) fn workspace_edit(
    server: &ServerState,
    changes: &ChangeSet,
    places: &Places<'_, '_>,
    annotation: Option<&EditAnnotation>,
) -> Value {
    let start = json!({ "line": 0, "character": 0 });
    let whole = |text: &str| json!({ "range": { "start": start, "end": start }, "newText": text });
    if !server.client.has_document_changes {
        let mut all = serde_json::Map::new();
        for (file, text) in &changes.created {
            all.insert(places.uri(file), json!([whole(text)]));
        }
        for file in &changes.files {
            all.insert(places.uri(&file.file), json!(places.edits(&file.file, &file.edits)));
        }
        return json!({ "changes": all });
    }
    let annotation = annotation.filter(|_| server.client.has_annotations);
    let annotated = |mut edit: Value| {
        if annotation.is_some() {
            edit["annotationId"] = json!("groma");
        }
        edit
    };
    let mut all = Vec::new();
    for (file, text) in &changes.created {
        let uri = places.uri(file);
        if server.client.creates_files {
            let options = json!({ "ignoreIfExists": true });
            all.push(json!({ "kind": "create", "uri": uri, "options": options }));
        }
        all.push(json!({
            "textDocument": { "uri": uri, "version": null },
            "edits": [annotated(whole(text))],
        }));
    }
    for file in &changes.files {
        let edits = places.edits(&file.file, &file.edits).into_iter().map(annotated);
        all.push(json!({
            "textDocument": { "uri": places.uri(&file.file), "version": server.version_json(&places.path(&file.file)) },
            "edits": edits.collect::<Vec<_>>(),
        }));
    }
    let mut edit = json!({ "documentChanges": all });
    if let Some(EditAnnotation { label, description }) = annotation {
        let told = json!({ "label": label, "description": description, "needsConfirmation": true });
        edit["changeAnnotations"] = json!({ "groma": told });
    }
    edit
}
