//! Code actions at a selection. Listing yields titles; the edit of an action is computed when it is chosen, from the same
//! request.

use groma::syntax::Span;
use groma_ide::{
    ActionKind, ChangeSet, CodeAction, FileEdits, Request, code_actions, formatting, resolve_action,
};
use serde_json::{Value, json};

use super::edits::{EditAnnotation, workspace_edit};
use super::inquiry::DocumentInquiry;
use crate::message::RequestError;
use crate::state::ServerState;

/// The command that applies a code action, for clients that accept only commands.
pub(super) const APPLY: &str = "groma.applyAction";

/// The protocol's kind of the code action that formats the whole document.
const FORMAT_ALL: &str = "source.formatAll.groma";

/// The kinds of code actions that the server offers, as its capabilities list them.
pub(super) const KINDS: [&str; 6] = [
    "quickfix",
    "refactor.extract",
    "refactor.inline",
    "refactor.rewrite",
    "source.fixAll.groma",
    FORMAT_ALL,
];

/// Returns the protocol's name for a kind of code action, such as `quickfix`.
fn kind(kind: ActionKind) -> &'static str {
    match kind {
        ActionKind::Fix => "quickfix",
        ActionKind::FixAll => "source.fixAll.groma",
        ActionKind::Extract => "refactor.extract",
        ActionKind::Inline => "refactor.inline",
        ActionKind::Rewrite => "refactor.rewrite",
    }
}

/// Returns true if the client wants actions of a kind: `only` contains the kind or a prefix of it such as `source`, or is absent
/// and the kind is not below `source`.
fn is_asked(only: Option<&Vec<Value>>, kind: &str) -> bool {
    let Some(only) = only else { return !kind.starts_with("source.") };
    only.iter().filter_map(Value::as_str).any(|asked| {
        let rest = kind.strip_prefix(asked);
        rest.is_some_and(|rest| rest.is_empty() || asked.is_empty() || rest.starts_with('.'))
    })
}

/// Answers `textDocument/codeAction` with the actions for the range that are of a kind that the client wants.
pub(super) fn actions(server: &mut ServerState, params: &Value) -> Result<Value, RequestError> {
    let inquiry = DocumentInquiry::of(server, params)?;
    let request = inquiry.request();
    let span = inquiry.span(&request, params)?;
    let only = params["context"]["only"].as_array();
    let findings = server.file_findings(&inquiry.file);
    let found = code_actions(&request, &inquiry.file, span, &findings.0);
    let mut all = Vec::new();
    for one in found.iter().filter(|one| is_asked(only, kind(one.kind))) {
        let data = json!({
            "uri": params["textDocument"]["uri"],
            "range": params["range"],
            "title": one.title,
            "kind": kind(one.kind),
        });
        if !server.client.has_action_literals {
            all.push(json!({ "title": one.title, "command": APPLY, "arguments": [data] }));
            continue;
        }
        let mut action = json!({ "title": one.title, "kind": kind(one.kind), "data": data });
        if let Some(finding) = one.finding.and_then(|number| findings.1.get(number)) {
            action["diagnostics"] = json!([finding]);
        }
        if one.is_preferred {
            action["isPreferred"] = json!(true);
        }
        if !server.client.has_action_resolve {
            match resolve_action(&request, &inquiry.file, one) {
                Ok(changes) => action["edit"] = edit(server, &request, one, &changes),
                Err(why) => action["disabled"] = json!({ "reason": why }),
            }
        }
        all.push(action);
    }
    if only.is_some() && is_asked(only, FORMAT_ALL) {
        let edits = formatting(&request, &inquiry.file);
        if !edits.is_empty() {
            let files = vec![FileEdits { file: inquiry.file.clone(), edits }];
            let changes = ChangeSet { files, ..ChangeSet::default() };
            let edit = workspace_edit(server, &changes, &server.places(&request), None);
            all.push(json!({ "title": "Format the document", "kind": FORMAT_ALL, "edit": edit }));
        }
    }
    Ok(all.into())
}

/// Answers `codeAction/resolve` with the code action of the parameters and the edit that it makes.
pub(super) fn resolve(server: &mut ServerState, params: &Value) -> Result<Value, RequestError> {
    let mut resolved = params.clone();
    if params["data"].is_null() {
        return Ok(resolved);
    }
    resolved["edit"] = chosen(server, &params["data"])?.1;
    Ok(resolved)
}

/// Carries out the command that applies a code action: asks the client to apply its edit.
pub(super) fn apply(server: &mut ServerState, data: &Value) -> Result<Value, RequestError> {
    let (title, edit) = chosen(server, data)?;
    server.apply_edit(&title, edit);
    Ok(Value::Null)
}

/// Computes an offered code action again from its data, and returns its title and its edit as JSON; an error if it is not
/// offered any more.
fn chosen(server: &mut ServerState, data: &Value) -> Result<(String, Value), RequestError> {
    let about = json!({ "textDocument": { "uri": data["uri"] }, "range": data["range"] });
    let inquiry = DocumentInquiry::of(server, &about)?;
    let request = inquiry.request();
    let span: Span = inquiry.span(&request, &about)?;
    let findings = server.file_findings(&inquiry.file);
    let found = code_actions(&request, &inquiry.file, span, &findings.0);
    let is_it = |one: &&CodeAction| data["title"] == *one.title && data["kind"] == kind(one.kind);
    let Some(one) = found.iter().find(is_it) else {
        return Err(RequestError::failed(
            "the text has changed; the action is not offered any more",
        ));
    };
    let changes = resolve_action(&request, &inquiry.file, one).map_err(RequestError::failed)?;
    for note in &changes.notes {
        server.notify("window/showMessage", &json!({ "type": 3, "message": note }));
    }
    let edit = edit(server, &request, one, &changes);
    Ok((one.title.clone(), edit))
}

/// Returns the edit of a code action in the protocol's form. Edits of several files need confirmation, if the client supports
/// that.
fn edit(
    server: &ServerState,
    request: &Request<'_>,
    action: &CodeAction,
    changes: &ChangeSet,
) -> Value {
    let is_wide = changes.files.len() > 1 || !changes.created.is_empty();
    let annotation = EditAnnotation {
        label: action.title.clone(),
        description: "Several files change.".to_owned(),
    };
    let annotation = Some(&annotation).filter(|_| is_wide);
    workspace_edit(server, changes, &server.places(request), annotation)
}
