//! Diagnostics of all files in the workspace.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use crate::job::JobTask;
use crate::message::{MessageId, RequestError};
use crate::state::{HandlerReply, ServerState};
use crate::survey::WorkspaceSurvey;

/// Answers `workspace/diagnostic` with the diagnostics of all files, by a job that checks one folder after another.
pub(super) fn workspace_diagnostic(
    server: &mut ServerState,
    id: &MessageId,
    params: &Value,
) -> Result<HandlerReply, RequestError> {
    let previous = params["previousResultIds"].as_array().into_iter().flatten();
    let previous: BTreeMap<String, String> = previous
        .filter_map(|one| Some((one["uri"].as_str()?.into(), one["value"].as_str()?.into())))
        .collect();
    let open = server.documents.iter().filter(|(_, document)| !document.is_lost);
    let texts: Vec<(String, Arc<str>)> =
        open.map(|(path, document)| (path.to_owned(), document.source.text().clone())).collect();
    let survey = WorkspaceSurvey {
        id: id.clone(),
        previous,
        found: BTreeMap::new(),
        host: server.host.clone(),
        settings: server.settings.clone(),
        folders: server.folders.clone(),
        texts,
        unit: server.client.unit,
        cache: server.survey.clone(),
        left: None,
        count: 0,
    };
    Ok(server.begin_job(id, JobTask::Survey(Box::new(survey))))
}
