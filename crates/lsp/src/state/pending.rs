//! Pending requests: those of the client that are answered later, and those of the server.

use std::sync::{Arc, Mutex};

use groma::RequestToken;
use groma::root::RootId;
use groma_ide::SymbolIndex;
use serde_json::Value;

use crate::message::MessageId;

/// A client's request that has not been answered yet: its cancellation token, and its progress indicator.
pub(crate) struct OpenRequest {
    /// The token that cancels its work.
    pub(crate) token: RequestToken,
    /// The client's progress token, once progress has begun.
    pub(crate) progress: Option<Value>,
}

/// A request for the diagnostics of a document that waits for a check.
pub(crate) struct WaitingPull {
    /// The id of the request.
    pub(crate) id: MessageId,
    /// The root that must be checked.
    pub(crate) root: RootId,
    /// The path of the document.
    pub(crate) path: String,
    /// The id of the diagnostics that the client has.
    pub(crate) previous: Option<String>,
}

/// A request that the server has sent to the client, by the action that its response is needed for.
pub(crate) enum ServerQuestion {
    /// The response is ignored.
    Nothing,
    /// The client's settings.
    Settings,
    /// An edit to apply, with a log line in case it fails.
    Edit(String),
    /// Permission to show progress of a root under a token.
    Progress(RootId, i64),
    /// The user's choice among the root and value files offered.
    Choice(Vec<(String, InputChoice)>),
}

/// A choice that the user is asked to make for a folder: its root, or its value files.
pub(crate) enum InputChoice {
    /// Use this root for the folder.
    Root { folder: String, root: String },
    /// Use these value files for the root; empty for those in the settings.
    Values { root: String, files: Vec<String> },
}

/// The index of declarations for symbol searches, shared between the server and its jobs.
pub(crate) type SharedIndex = Arc<Mutex<SymbolIndex>>;
