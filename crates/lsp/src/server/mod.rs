//! The server: a state that takes messages and gives messages. It reads no stream, starts no thread and looks at no clock; the
//! program around it hands messages in, carries its jobs out where and when it likes, and sends what comes out. So the same server
//! runs beside an editor's process and in a browser's worker.

mod background;
mod configuration;
mod lifecycle;
mod questions;
mod roots;
mod router;
mod synchronization;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use groma::RequestToken;
use groma_ide::RichText;
use serde_json::{Value, json};

use crate::client::ClientProfile;
use crate::document::DocumentStore;
use crate::job::ServerJob;
use crate::message::{
    ClientMessage, ErrorKind, MessageId, RequestError, RequestResult, error_response, notification,
    read_messages, request, response,
};
use crate::requests::SharedIndex;
use crate::root::{RootName, RootStore};
use crate::settings::ClientSettings;
use crate::surroundings::ServerHost;

use questions::ServerQuestion;

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
enum ServerPhase {
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
enum TraceLevel {
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

/// A request that is answered later.
struct OpenRequest {
    token: RequestToken,
}

/// The server.
pub struct Server {
    host: Arc<dyn ServerHost>,
    phase: ServerPhase,
    trace: TraceLevel,
    /// What the client can do.
    pub(crate) client: ClientProfile,
    /// What the client has set.
    pub(crate) settings: ClientSettings,
    /// The same as it came last with `initialize` or as news; a client that is asked overrules it.
    is_trusted: bool,
    client_process: Option<u32>,
    /// The folders that are open.
    pub(crate) folders: Vec<String>,
    /// The documents that are open.
    pub(crate) documents: DocumentStore,
    /// The roots that are open.
    pub(crate) roots: RootStore,
    /// The root that the user has chosen for a folder.
    pub(crate) chosen: BTreeMap<String, String>,
    /// True for folders that hold code of modules.
    code_folders: RefCell<BTreeMap<String, bool>>,
    queue: VecDeque<ClientMessage>,
    jobs: VecDeque<ServerJob>,
    running: Vec<(u64, RootName, RequestToken)>,
    open: BTreeMap<MessageId, OpenRequest>,
    /// Requests for the findings of a document, answered once they are known.
    waiting: Vec<background::WaitingPull>,
    outgoing: VecDeque<ServerOutput>,
    asked: BTreeMap<i64, ServerQuestion>,
    numbers: i64,
    /// What was published for a file, by file.
    published: BTreeMap<String, String>,
    /// The names of the folders.
    pub(crate) index: SharedIndex,
    /// The tokens of documents, for requests that want the difference only.
    pub(crate) tokens: BTreeMap<String, (String, Vec<u32>)>,
    remarks: BTreeSet<String>,
    is_watched_by_client: bool,
    /// What is wrong with the texts of documents that belong to no root, and after how many of their changes.
    text_findings: BTreeMap<String, (u64, Vec<Value>)>,
    /// True if work between messages has failed since the last one.
    has_failed: bool,
    /// The revisions that jobs are about, by the number of the job.
    job_revisions: BTreeMap<u64, u64>,
}

impl Server {
    /// A server that nobody has spoken to.
    pub fn new(host: Arc<dyn ServerHost>) -> Server {
        Server {
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
            code_folders: RefCell::default(),
            queue: VecDeque::new(),
            jobs: VecDeque::new(),
            running: Vec::new(),
            open: BTreeMap::new(),
            waiting: Vec::new(),
            outgoing: VecDeque::new(),
            asked: BTreeMap::new(),
            numbers: 0,
            published: BTreeMap::new(),
            index: SharedIndex::default(),
            tokens: BTreeMap::new(),
            remarks: BTreeSet::new(),
            is_watched_by_client: false,
            text_findings: BTreeMap::new(),
            has_failed: false,
            job_revisions: BTreeMap::new(),
        }
    }

    /// Takes a message. It is only read; [`step`](Server::step) acts on it, so that a program that takes in all messages at hand
    /// before it does so lets the client cancel what it has not begun.
    pub fn receive(&mut self, message: &str) {
        for message in read_messages(message) {
            match message {
                Ok(ClientMessage::Notification { method, params })
                    if method == "$/cancelRequest" =>
                {
                    self.cancel(&params);
                }
                Ok(message) => self.queue.push_back(message),
                Err((id, error)) => {
                    self.log(format!("a message cannot be read: {}", error.message));
                    self.send(error_response(id.as_ref(), &error));
                }
            }
        }
    }

    /// Takes note of bytes that are no message.
    pub fn receive_broken(&mut self, why: &str) {
        self.log(format!("bytes of the client are no message: {why}"));
        let error = RequestError::new(ErrorKind::Parse, why);
        self.send(error_response(None, &error));
    }

    /// Acts on one message, or does a piece of work that waits for a moment without messages. Returns false if there is nothing
    /// to do.
    pub fn step(&mut self) -> bool {
        if let ServerPhase::Ended { .. } = self.phase {
            return false;
        }
        match self.queue.pop_front() {
            Some(message) => {
                self.act(message);
                true
            }
            None => self.phase == ServerPhase::Running && self.work_guarded(),
        }
    }

    /// The next message or line of the log that is to go out.
    pub fn next_output(&mut self) -> Option<ServerOutput> {
        self.outgoing.pop_front()
    }

    /// The next job that may be carried out elsewhere. Its outcome goes to [`finish`](Server::finish).
    pub fn next_job(&mut self) -> Option<ServerJob> {
        self.jobs.pop_front()
    }

    /// The exit code, once the client has said `exit`.
    pub fn exit_code(&self) -> Option<u8> {
        match self.phase {
            ServerPhase::Ended { in_order } => Some(u8::from(!in_order)),
            _ => None,
        }
    }

    /// The number of the client's process, with which the server ends.
    pub fn client_process(&self) -> Option<u32> {
        self.client_process
    }

    /// Does a piece of work. What has failed once is left alone until there is a message.
    fn work_guarded(&mut self) -> bool {
        if self.has_failed {
            return false;
        }
        let done = self.guarded("work between messages", |server| Ok(server.work()));
        self.has_failed = done.is_err();
        done.unwrap_or(false)
    }

    fn act(&mut self, message: ClientMessage) {
        self.has_failed = false;
        match message {
            ClientMessage::Request { id, method, params } => {
                if self.trace >= TraceLevel::Messages {
                    self.tell_trace(format!("request {method}"), &params);
                }
                let reply = self.guarded(&method, |server| server.answer(&id, &method, &params));
                match reply {
                    Ok(HandlerReply::Now(result)) => self.send(response(&id, &Ok(result))),
                    Ok(HandlerReply::Later) => {}
                    Err(error) => self.send(response(&id, &Err(error))),
                }
            }
            ClientMessage::Notification { method, params } => {
                if self.trace >= TraceLevel::Messages {
                    self.tell_trace(format!("notification {method}"), &params);
                }
                let _ = self.guarded(&method, |server| {
                    server.hear(&method, &params);
                    Ok(())
                });
            }
            ClientMessage::Response { id, result } => {
                let MessageId::Number(number) = id else { return };
                let Some(question) = self.asked.remove(&number) else { return };
                let _ = self.guarded("a response", |server| {
                    server.take_response(question, result);
                    Ok(())
                });
            }
        }
    }

    /// Does something for one message. A panic ends that alone: it is logged, and a request is answered by an error.
    fn guarded<T>(
        &mut self,
        what: &str,
        act: impl FnOnce(&mut Server) -> Result<T, RequestError>,
    ) -> Result<T, RequestError> {
        match catch_unwind(AssertUnwindSafe(|| act(self))) {
            Ok(done) => done,
            Err(panic) => {
                let why = panic_text(&*panic);
                self.log(format!("{what} failed: {why}"));
                // What a snapshot was at may be half done.
                self.roots.touch_all();
                let message = format!("groma failed at {what}: {why}. Please report it.");
                Err(RequestError::new(ErrorKind::Internal, message))
            }
        }
    }

    fn answer(
        &mut self,
        id: &MessageId,
        method: &str,
        params: &Value,
    ) -> Result<HandlerReply, RequestError> {
        let wrong = |kind, message: &str| Err(RequestError::new(kind, message));
        match (self.phase, method) {
            (ServerPhase::New, "initialize") => {
                return Ok(HandlerReply::Now(self.initialize(params).into()));
            }
            (ServerPhase::New, _) => {
                return wrong(ErrorKind::NotInitialized, "the first request has to be initialize");
            }
            (ServerPhase::Running, "initialize") => {
                return wrong(ErrorKind::InvalidRequest, "initialize was said before");
            }
            (ServerPhase::Running, "shutdown") => {
                self.shut_down();
                return Ok(HandlerReply::Now(Value::Null.into()));
            }
            (ServerPhase::Running, _) => {}
            _ => return wrong(ErrorKind::InvalidRequest, "shutdown was said before"),
        }
        router::answer(self, id, method, params)
    }

    fn hear(&mut self, method: &str, params: &Value) {
        match (self.phase, method) {
            (phase, "exit") => {
                self.phase = ServerPhase::Ended { in_order: phase == ServerPhase::Stopped };
            }
            (ServerPhase::Running, _) => router::hear(self, method, params),
            _ => self.log(format!("{method} came at the wrong time and is ignored")),
        }
    }

    fn cancel(&mut self, params: &Value) {
        let Some(id) = MessageId::of(&params["id"]) else { return };
        let is_it = |message: &ClientMessage| matches!(message, ClientMessage::Request { id: own, .. } if *own == id);
        if let Some(at) = self.queue.iter().position(is_it) {
            self.queue.remove(at);
        } else if let Some(open) = self.open.remove(&id) {
            open.token.cancel();
            self.waiting.retain(|one| one.id != id);
        } else {
            return;
        }
        let error = RequestError::new(ErrorKind::Cancelled, "the client has cancelled it");
        self.send(error_response(Some(&id), &error));
    }

    /// Sends a message.
    fn send(&mut self, message: String) {
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
    fn ask(&mut self, method: &str, params: &Value, question: ServerQuestion) {
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

    fn tell_trace(&mut self, message: String, params: &Value) {
        let mut told = json!({ "message": message });
        if self.trace == TraceLevel::Verbose {
            told["verbose"] = json!(params.to_string());
        }
        self.notify("$/logTrace", &told);
    }
}

/// Returns the text of a panic.
pub(crate) fn panic_text(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}
