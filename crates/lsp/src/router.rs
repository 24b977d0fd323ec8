//! The tables of methods. An unknown request is answered with an error; an unknown notification is ignored.

use serde_json::Value;

use crate::message::{ErrorKind, MessageId, RequestError};
use crate::requests::REQUESTS;
use crate::state::{HandlerReply, ServerState};

/// A notification method with its handler.
struct NotificationRow {
    method: &'static str,
    run: fn(&mut ServerState, &Value),
}

/// All notification methods except those of the server's life cycle.
const NOTIFICATIONS: &[NotificationRow] = &[
    NotificationRow { method: "initialized", run: |server, _| server.initialized() },
    NotificationRow { method: "textDocument/didOpen", run: ServerState::opened },
    NotificationRow { method: "textDocument/didChange", run: ServerState::changed },
    NotificationRow { method: "textDocument/didSave", run: ServerState::saved },
    NotificationRow { method: "textDocument/didClose", run: ServerState::closed },
    NotificationRow {
        method: "workspace/didChangeConfiguration",
        run: ServerState::settings_changed,
    },
    NotificationRow { method: "workspace/didChangeWatchedFiles", run: ServerState::files_changed },
    NotificationRow {
        method: "workspace/didChangeWorkspaceFolders",
        run: ServerState::change_folders,
    },
    NotificationRow { method: "workspace/didRenameFiles", run: ServerState::files_renamed },
    NotificationRow {
        method: "$/setTrace",
        run: |server, params| server.set_trace(&params["value"]),
    },
    NotificationRow { method: "window/workDoneProgress/cancel", run: ServerState::cancel_progress },
];

/// Answers a request by the handler of its method.
pub(crate) fn answer(
    server: &mut ServerState,
    id: &MessageId,
    method: &str,
    params: &Value,
) -> Result<HandlerReply, RequestError> {
    match REQUESTS.iter().find(|row| row.method == method) {
        Some(row) => (row.run)(server, id, params),
        None => {
            let message = format!("there is no method {method}");
            Err(RequestError::new(ErrorKind::MethodNotFound, message))
        }
    }
}

/// Passes a notification to the handler of its method; an unknown one is ignored.
pub(crate) fn handle_notification(server: &mut ServerState, method: &str, params: &Value) {
    match NOTIFICATIONS.iter().find(|row| row.method == method) {
        Some(row) => (row.run)(server, params),
        // The protocol allows to ignore notifications with this prefix.
        None if method.starts_with("$/") => {}
        None => server.log(format!("there is no notification {method}; it is ignored")),
    }
}
