//! The state of a server: what the client has said, what is open, and what is to go out. It knows of no request; what a request or
//! a notification does to it is written beside each.

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
use groma_ide::RichText;
use serde_json::{Value, json};

use crate::client::ClientProfile;
use crate::document::DocumentStore;
use crate::job::ServerJob;
use crate::message::{
    ClientMessage, ErrorKind, MessageId, RequestError, RequestResult, error_response, notification,
    request,
};
use crate::root::{RootName, RootStore};
use crate::settings::ClientSettings;
use crate::surroundings::ServerHost;
use crate::survey::SurveyCache;

pub(crate) use pending::{InputChoice, OpenRequest, ServerQuestion, SharedIndex, WaitingPull};
use progress::RootProgress;

/// What a server sends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerOutput {
    /// A message for the client, without a header.
    Message(String),
    /// A line for the log.
    Log(String),
}

/// The phases of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ServerPhase {
    /// Nothing was said yet.
    New,
    /// `initialize` was answered.
    Running,
    /// `shutdown` was answered.
    Stopped,
    /// `exit` was said, after `shutdown` or without it.
    Ended { in_order: bool },
}

/// How much of its work a server tells the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum TraceLevel {
    Off,
    Messages,
    Verbose,
}

/// The answer of a handler.
pub(crate) enum HandlerReply {
    /// The result.
    Now(RequestResult),
    /// A job or a later message answers.
    Later,
}

/// The state of a server.
pub(crate) struct ServerState {
    pub(crate) host: Arc<dyn ServerHost>,
    pub(crate) phase: ServerPhase,
    pub(crate) trace: TraceLevel,
    /// What the client can do.
    pub(crate) client: ClientProfile,
    /// What the client has set.
    pub(crate) settings: ClientSettings,
    /// The same as it came last with `initialize` or as news; a client that is asked overrules it.
    pub(crate) is_trusted: bool,
    pub(crate) client_process: Option<u32>,
    /// The folders that are open.
    pub(crate) folders: Vec<String>,
    /// The documents that are open.
    pub(crate) documents: DocumentStore,
    /// The roots that are open.
    pub(crate) roots: RootStore,
    /// The root that the user has chosen for a folder.
    pub(crate) chosen: BTreeMap<String, String>,
    /// The value files that the user has chosen for a root, in place of those of the settings.
    pub(crate) chosen_files: BTreeMap<String, Vec<String>>,
    /// The progress of roots that the client shows or was asked to show.
    progress: BTreeMap<RootName, RootProgress>,
    /// True for folders that hold code of modules.
    pub(crate) code_folders: RefCell<BTreeMap<String, bool>>,
    pub(crate) queue: VecDeque<ClientMessage>,
    pub(crate) jobs: VecDeque<ServerJob>,
    pub(crate) running: Vec<(u64, RootName, RequestToken)>,
    pub(crate) open: BTreeMap<MessageId, OpenRequest>,
    /// Requests for the findings of a document, answered once they are known.
    pub(crate) waiting: Vec<WaitingPull>,
    pub(crate) outgoing: VecDeque<ServerOutput>,
    pub(crate) asked: BTreeMap<i64, ServerQuestion>,
    pub(crate) numbers: i64,
    /// Documents that were opened and whose findings may be known already.
    pub(crate) just_opened: BTreeSet<String>,
    /// What was published for a file, by file.
    published: BTreeMap<String, String>,
    /// The names of the folders.
    pub(crate) index: SharedIndex,
    /// The findings of folders that are not open.
    pub(crate) survey: Arc<Mutex<SurveyCache>>,
    /// The tokens of documents, for requests that want the difference only.
    pub(crate) tokens: BTreeMap<String, (String, Vec<u32>)>,
    pub(crate) remarks: BTreeSet<String>,
    pub(crate) is_watched_by_client: bool,
    /// What is wrong with the texts of documents that belong to no root, and after how many of their changes.
    pub(crate) text_findings: BTreeMap<String, (u64, Vec<Value>)>,
    /// True if work between messages has failed since the last one.
    pub(crate) has_failed: bool,
    /// The revisions that jobs are about, by the number of the job.
    pub(crate) job_revisions: BTreeMap<u64, u64>,
}

impl ServerState {
    /// The state before the first message.
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
            asked: BTreeMap::new(),
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

    pub(crate) fn cancel(&mut self, params: &Value) {
        if let Some(id) = MessageId::of(&params["id"]) {
            self.cancel_request(&id);
        }
    }

    /// Answers a request that is not answered yet by an error, and stops what works on it.
    pub(crate) fn cancel_request(&mut self, id: &MessageId) {
        let is_it = |message: &ClientMessage| matches!(message, ClientMessage::Request { id: own, .. } if own == id);
        if let Some(at) = self.queue.iter().position(is_it) {
            self.queue.remove(at);
        } else if let Some(open) = self.open.remove(id) {
            open.token.cancel();
            self.waiting.retain(|one| one.id != *id);
            if let Some(token) = &open.progress {
                self.tell_end(token);
            }
        } else {
            return;
        }
        let error = RequestError::new(ErrorKind::Cancelled, "the client has cancelled it");
        self.send(error_response(Some(id), &error));
    }

    /// Forgets what is known of folders that are not open and that a file may belong to; of all of them without one.
    pub(crate) fn forget_survey(&mut self, path: Option<&str>) {
        let mut cache = self.survey.lock().unwrap_or_else(PoisonError::into_inner);
        match path {
            Some(path) => cache.touch(path),
            None => cache.clear(),
        }
    }

    /// Sends a message.
    pub(crate) fn send(&mut self, message: String) {
        self.outgoing.push_back(ServerOutput::Message(message));
    }

    /// Sends a notification.
    pub(crate) fn notify(&mut self, method: &str, params: &Value) {
        self.send(notification(method, params));
    }

    /// A text for people in the form that the client shows.
    pub(crate) fn rich_text(&self, text: &RichText) -> Value {
        match self.client.has_markdown {
            true => json!({ "kind": "markdown", "value": text.markdown() }),
            false => json!({ "kind": "plaintext", "value": text.plain() }),
        }
    }

    /// Writes a line to the log.
    pub(crate) fn log(&mut self, line: String) {
        self.outgoing.push_back(ServerOutput::Log(line));
    }

    /// Asks the client something.
    pub(crate) fn ask(&mut self, method: &str, params: &Value, question: ServerQuestion) {
        self.numbers += 1;
        self.asked.insert(self.numbers, question);
        self.send(request(self.numbers, method, params));
    }

    /// Tells the user something once.
    pub(crate) fn remark(&mut self, text: &str) {
        if self.remarks.insert(text.to_owned()) {
            self.log(text.to_owned());
            self.notify("window/showMessage", &json!({ "type": 2, "message": text }));
        }
    }

    pub(crate) fn tell_trace(&mut self, message: String, params: &Value) {
        let mut told = json!({ "message": message });
        if self.trace == TraceLevel::Verbose {
            told["verbose"] = json!(params.to_string());
        }
        self.notify("$/logTrace", &told);
    }
}
