//! The state of a server: the client's profile and settings, open documents and roots, and pending output. The handlers of
//! requests and notifications are in other files.

mod background;
mod configuration;
mod lifecycle;
mod pending;
mod progress;
mod questions;
mod roots;
mod synchronization;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use groma::RequestToken;
use groma::root::RootId;
use groma_ide::RichText;
use serde_json::{Value, json};

use crate::client::ClientProfile;
use crate::document::DocumentStore;
use crate::job::ServerJob;
use crate::message::{
    ClientMessage, ErrorKind, MessageId, RequestError, RequestResult, error_response, notification,
    request,
};
use crate::root::RootStore;
use crate::settings::ClientSettings;
use crate::surroundings::ServerHost;
use crate::survey::SurveyCache;

pub(crate) use pending::{InputChoice, OpenRequest, ServerQuestion, SharedIndex, WaitingPull};
use progress::RootProgress;

/// An output of the server: a message for the client, or a log line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerOutput {
    /// A message for the client, without a header.
    Message(String),
    /// A line for the log file.
    Log(String),
}

/// The phase of a session, from `initialize` to `exit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ServerPhase {
    /// Before `initialize`.
    New,
    /// After `initialize`.
    Running,
    /// After `shutdown`.
    Stopped,
    /// After `exit`; in order if `shutdown` came before.
    Ended { in_order: bool },
}

/// The level of detail at which the server reports its work by `$/logTrace`, as the client has set it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum TraceLevel {
    Off,
    Messages,
    Verbose,
}

/// The reply of a request handler: the result, or `Later` if the request is answered by a job or a later event.
pub(crate) enum HandlerReply {
    /// The result.
    Now(RequestResult),
    /// A job or a later event answers.
    Later,
}

/// The state of a server: client, documents, roots, and pending work.
pub(crate) struct ServerState {
    pub(crate) host: Arc<dyn ServerHost>,
    pub(crate) phase: ServerPhase,
    pub(crate) trace: TraceLevel,
    /// The capabilities of the client.
    pub(crate) client: ClientProfile,
    /// The settings of the client.
    pub(crate) settings: ClientSettings,
    /// True if the client calls the workspace trusted.
    pub(crate) is_trusted: bool,
    pub(crate) client_process: Option<u32>,
    /// The folders opened in the client.
    pub(crate) folders: Vec<String>,
    /// The documents that are open.
    pub(crate) documents: DocumentStore,
    /// The roots of the open documents.
    pub(crate) roots: RootStore,
    /// The root that the user has chosen for a folder, by folder.
    pub(crate) chosen: BTreeMap<String, String>,
    /// The value files that the user has chosen instead of those in the settings, by root.
    pub(crate) chosen_files: BTreeMap<String, Vec<String>>,
    /// The progress indicators of roots that are shown or requested.
    progress: BTreeMap<RootId, RootProgress>,
    /// True for each folder that contains module code, by path; a cache.
    pub(crate) code_folders: RefCell<BTreeMap<String, bool>>,
    /// Messages that wait to be acted on.
    pub(crate) queue: VecDeque<ClientMessage>,
    /// Jobs that wait to be run.
    pub(crate) jobs: VecDeque<ServerJob>,
    /// The running checks: job number, root and cancellation token.
    pub(crate) running: Vec<(u64, RootId, RequestToken)>,
    /// Requests that are answered later.
    pub(crate) open: BTreeMap<MessageId, OpenRequest>,
    /// Requests for the diagnostics of a document, answered once its root is checked.
    pub(crate) waiting: Vec<WaitingPull>,
    /// Messages and log lines that wait to be sent.
    pub(crate) outgoing: VecDeque<ServerOutput>,
    /// Requests of the server that wait for a response, by number.
    pub(crate) sent_requests: BTreeMap<i64, ServerQuestion>,
    /// The last number given to a request or job.
    pub(crate) numbers: i64,
    /// Documents opened since the last piece of work.
    pub(crate) just_opened: BTreeSet<String>,
    /// The diagnostics last published for each file with the document's version, as text.
    published: BTreeMap<String, String>,
    /// The index of declarations in the opened folders.
    pub(crate) index: SharedIndex,
    /// The diagnostics of folders without open documents.
    pub(crate) survey: Arc<Mutex<SurveyCache>>,
    /// The last semantic tokens of each document with their id, from which deltas are computed.
    pub(crate) tokens: BTreeMap<String, (String, Vec<u32>)>,
    /// The remarks that the user has seen already.
    pub(crate) remarks: BTreeSet<String>,
    /// True if the client watches files.
    pub(crate) is_watched_by_client: bool,
    /// The syntax diagnostics of documents without a root, with the document's change count.
    pub(crate) text_findings: BTreeMap<String, (u64, Vec<Value>)>,
    /// True if work has failed since the last message.
    pub(crate) has_failed: bool,
    /// The root revision of each job, by job number.
    pub(crate) job_revisions: BTreeMap<u64, u64>,
}

impl ServerState {
    /// Creates the state of a server that has not received a message yet.
    pub(crate) fn new(host: Arc<dyn ServerHost>) -> ServerState {
        ServerState {
            host,
            phase: ServerPhase::New,
            trace: TraceLevel::Off,
            client: ClientProfile::default(),
            settings: ClientSettings::default(),
            is_trusted: true,
            client_process: None,
            folders: Vec::new(),
            documents: DocumentStore::default(),
            roots: RootStore::default(),
            chosen: BTreeMap::new(),
            chosen_files: BTreeMap::new(),
            progress: BTreeMap::new(),
            code_folders: RefCell::default(),
            queue: VecDeque::new(),
            jobs: VecDeque::new(),
            running: Vec::new(),
            open: BTreeMap::new(),
            waiting: Vec::new(),
            outgoing: VecDeque::new(),
            sent_requests: BTreeMap::new(),
            numbers: 0,
            just_opened: BTreeSet::new(),
            published: BTreeMap::new(),
            index: SharedIndex::default(),
            survey: Arc::default(),
            tokens: BTreeMap::new(),
            remarks: BTreeSet::new(),
            is_watched_by_client: false,
            text_findings: BTreeMap::new(),
            has_failed: false,
            job_revisions: BTreeMap::new(),
        }
    }

    /// Cancels the request that `$/cancelRequest` names, if it is still pending.
    pub(crate) fn cancel(&mut self, params: &Value) {
        if let Some(id) = MessageId::of(&params["id"]) {
            self.cancel_request(&id);
        }
    }

    /// Answers a pending request with an error, and cancels its work.
    pub(crate) fn cancel_request(&mut self, id: &MessageId) {
        let is_it = |message: &ClientMessage| matches!(message, ClientMessage::Request { id: own, .. } if own == id);
        if let Some(at) = self.queue.iter().position(is_it) {
            self.queue.remove(at);
        } else if let Some(open) = self.open.remove(id) {
            open.token.cancel();
            self.waiting.retain(|one| one.id != *id);
            if let Some(token) = &open.progress {
                self.send_progress_end(token);
            }
        } else {
            return;
        }
        let error = RequestError::new(ErrorKind::Cancelled, "the client has cancelled it");
        self.send(error_response(Some(id), &error));
    }

    /// Drops the cached diagnostics of folders without open documents that a file may affect; all of them for `None`.
    pub(crate) fn forget_survey(&mut self, path: Option<&str>) {
        let mut cache = self.survey.lock().unwrap_or_else(PoisonError::into_inner);
        match path {
            Some(path) => cache.touch(path),
            None => cache.clear(),
        }
    }

    /// Queues a message to the client.
    pub(crate) fn send(&mut self, message: String) {
        self.outgoing.push_back(ServerOutput::Message(message));
    }

    /// Sends a notification to the client.
    pub(crate) fn notify(&mut self, method: &str, params: &Value) {
        self.send(notification(method, params));
    }

    /// Returns a formatted text in the form that the client supports.
    pub(crate) fn rich_text(&self, text: &RichText) -> Value {
        match self.client.has_markdown {
            true => json!({ "kind": "markdown", "value": text.markdown() }),
            false => json!({ "kind": "plaintext", "value": text.plain() }),
        }
    }

    /// Writes a line to the server's log.
    pub(crate) fn log(&mut self, line: String) {
        self.outgoing.push_back(ServerOutput::Log(line));
    }

    /// Sends a request to the client; `question` says how its response is handled.
    pub(crate) fn ask(&mut self, method: &str, params: &Value, question: ServerQuestion) {
        self.numbers += 1;
        self.sent_requests.insert(self.numbers, question);
        self.send(request(self.numbers, method, params));
    }

    /// Shows a remark to the user, once.
    pub(crate) fn remark(&mut self, text: &str) {
        if self.remarks.insert(text.to_owned()) {
            self.log(text.to_owned());
            self.notify("window/showMessage", &json!({ "type": 2, "message": text }));
        }
    }

    /// Sends a `$/logTrace` notification with a message; with the parameters too if the level is `verbose`.
    pub(crate) fn send_trace(&mut self, message: String, params: &Value) {
        let mut told = json!({ "message": message });
        if self.trace == TraceLevel::Verbose {
            told["verbose"] = json!(params.to_string());
        }
        self.notify("$/logTrace", &told);
    }
}
