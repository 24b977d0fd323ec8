//! What is not answered yet: requests of the client that a job answers, and questions of the server.

use std::sync::{Arc, Mutex};

use groma::RequestToken;
use groma_ide::SymbolIndex;

use crate::message::MessageId;
use crate::root::RootName;

/// A request that is answered later.
pub(crate) struct OpenRequest {
    /// The token that cancels it.
    pub(crate) token: RequestToken,
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
}

/// The index of names, shared with jobs.
pub(crate) type SharedIndex = Arc<Mutex<SymbolIndex>>;
