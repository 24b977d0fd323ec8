//! The table of methods. What is not in it is answered as the protocol says: a request by an error, a notification by nothing.

use serde_json::Value;

use crate::message::{ErrorKind, MessageId, RequestError};
use crate::requests::REQUESTS;
use crate::server::{HandlerReply, Server};

/// A notification of the client and what it does.
struct NotificationRow {
    method: &'static str,
    run: fn(&mut Server, &Value),
}

const NOTIFICATIONS: &[NotificationRow] = &[
    NotificationRow { method: "initialized", run: |server, _| server.initialized() },
    NotificationRow { method: "textDocument/didOpen", run: Server::opened },
    NotificationRow { method: "textDocument/didChange", run: Server::changed },
    NotificationRow { method: "textDocument/didSave", run: Server::saved },
    NotificationRow { method: "textDocument/didClose", run: Server::closed },
    NotificationRow { method: "workspace/didChangeConfiguration", run: Server::settings_changed },
    NotificationRow { method: "workspace/didChangeWatchedFiles", run: Server::files_changed },
    NotificationRow { method: "workspace/didChangeWorkspaceFolders", run: Server::change_folders },
    NotificationRow { method: "workspace/didRenameFiles", run: Server::files_renamed },
    NotificationRow {
        method: "$/setTrace",
        run: |server, params| server.set_trace(&params["value"]),
    },
    NotificationRow { method: "window/workDoneProgress/cancel", run: |_, _| {} },
];

/// Answers a request.
pub(super) fn answer(
    server: &mut Server,
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

/// Takes note of a notification.
pub(super) fn hear(server: &mut Server, method: &str, params: &Value) {
    match NOTIFICATIONS.iter().find(|row| row.method == method) {
        Some(row) => (row.run)(server, params),
        // Those that begin so may be left alone.
        None if method.starts_with("$/") => {}
        None => server.log(format!("there is no notification {method}; it is ignored")),
    }
}
