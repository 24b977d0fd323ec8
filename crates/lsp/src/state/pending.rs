//! What is not answered yet: requests of the client that a job answers, and questions of the server.

use std::sync::{Arc, Mutex};

use groma::RequestToken;
use groma_ide::SymbolIndex;
use serde_json::Value;

use crate::message::MessageId;
use crate::root::RootName;

/// A request that is answered later.
pub(crate) struct OpenRequest {
    /// The token that cancels it.
    pub(crate) token: RequestToken,
    /// The client's token for progress, once that was begun.
    pub(crate) progress: Option<Value>,
}

/// A request for the findings of a document, which waits for a check.
pub(crate) struct WaitingPull {
    /// The request.
    pub(crate) id: MessageId,
    /// The root that is checked.
    pub(crate) root: RootName,
    /// The path of the document.
    pub(crate) path: String,
    /// The findings that the client has, by the name that they were given.
    pub(crate) previous: Option<String>,
}

/// A question of the server.
pub(crate) enum ServerQuestion {
    /// The answer does not matter.
    Nothing,
    /// The settings.
    Settings,
    /// Whether an edit was made, with the sentence for the log where it was not.
    Edit(String),
    /// Whether progress may be shown of a root, under a token.
    Progress(RootName, i64),
    /// Which of some choices the user makes for a folder.
    Choice(Vec<(String, InputChoice)>),
}

/// A choice of the root and the values that count for a folder.
pub(crate) enum InputChoice {
    /// The root whose values count.
    Root { folder: String, root: String },
    /// The value files of a root, in place of those of the settings; none for those of the settings again.
    Values { root: String, files: Vec<String> },
}

/// The index of names, shared with jobs.
pub(crate) type SharedIndex = Arc<Mutex<SymbolIndex>>;
