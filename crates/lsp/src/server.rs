//! The server as a state machine: messages in, messages out. It has no streams, threads or clock; the surrounding program
//! delivers messages, runs the jobs, and sends the output. So the same server runs beside an editor and in a browser.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use serde_json::Value;

use crate::job::{JobOutcome, ServerJob};
use crate::message::{
    ClientMessage, ErrorKind, MessageId, RequestError, error_response, read_messages, response,
};
use crate::panics::panic_text;
use crate::router;
use crate::state::{HandlerReply, ServerOutput, ServerPhase, ServerState, TraceLevel};
use crate::surroundings::ServerHost;

/// A language server: messages and job outcomes in, messages and jobs out.
pub struct LanguageServer {
    state: ServerState,
}

impl LanguageServer {
    /// Creates a server that waits for `initialize`.
    pub fn new(host: Arc<dyn ServerHost>) -> LanguageServer {
        LanguageServer { state: ServerState::new(host) }
    }

    /// Accepts the outcome of a job that the surrounding program has run.
    pub fn finish(&mut self, outcome: JobOutcome) {
        self.state.finish(outcome);
    }

    /// Checks for changed files, for clients that do not report them. The surrounding program calls it periodically.
    pub fn poll_files(&mut self) {
        self.state.poll_files();
    }

    /// Notes that work has been going on for a while, so that progress is shown. The surrounding program calls it when no event
    /// has come for about a second.
    pub fn note_long_work(&mut self) {
        if self.state.phase == ServerPhase::Running {
            self.state.show_progress();
        }
    }

    /// Queues a message; [`step`](LanguageServer::step) acts on it. A program that queues all available messages first lets the
    /// client cancel requests that have not begun.
    pub fn receive(&mut self, message: &str) {
        for message in read_messages(message) {
            match message {
                Ok(ClientMessage::Notification { method, params })
                    if method == "$/cancelRequest" =>
                {
                    self.state.cancel(&params);
                }
                Ok(message) => self.state.queue.push_back(message),
                Err((id, error)) => {
                    self.state.log(format!("a message cannot be read: {}", error.message));
                    self.state.send(error_response(id.as_ref(), &error));
                }
            }
        }
    }

    /// Reports to the client that bytes could not be read as a message.
    pub fn receive_broken(&mut self, why: &str) {
        self.state.log(format!("bytes of the client are no message: {why}"));
        let error = RequestError::new(ErrorKind::Parse, why);
        self.state.send(error_response(None, &error));
    }

    /// Acts on one message, or does a piece of work if there is none; returns false if there is nothing to do.
    pub fn step(&mut self) -> bool {
        if let ServerPhase::Ended { .. } = self.state.phase {
            return false;
        }
        match self.state.queue.pop_front() {
            Some(message) => {
                self.act(message);
                true
            }
            None => self.state.phase == ServerPhase::Running && self.work_guarded(),
        }
    }

    /// Returns the next message or log line to send; `None` if nothing waits to be sent.
    pub fn next_output(&mut self) -> Option<ServerOutput> {
        self.state.outgoing.pop_front()
    }

    /// Returns the next job to run, `None` if none waits. Its outcome goes to [`finish`](LanguageServer::finish).
    pub fn next_job(&mut self) -> Option<ServerJob> {
        self.state.jobs.pop_front()
    }

    /// Returns the exit code, once the client has sent `exit`: 0 after `shutdown`, else 1; `None` before `exit`.
    pub fn exit_code(&self) -> Option<u8> {
        match self.state.phase {
            ServerPhase::Ended { in_order } => Some(u8::from(!in_order)),
            _ => None,
        }
    }

    /// Returns the id of the client's process, with which the server should end; `None` if the client has sent none.
    pub fn client_process(&self) -> Option<u32> {
        self.state.client_process
    }

    /// Does one piece of background work and returns true if work may be left; after a panic, which is caught, no more is done
    /// until the next message.
    fn work_guarded(&mut self) -> bool {
        if self.state.has_failed {
            return false;
        }
        let done = self.guarded("work between messages", |server| Ok(server.state.work()));
        self.state.has_failed = done.is_err();
        done.unwrap_or(false)
    }

    /// Handles a message of the client: answers a request, or handles a notification or response.
    fn act(&mut self, message: ClientMessage) {
        self.state.has_failed = false;
        match message {
            ClientMessage::Request { id, method, params } => {
                if self.state.trace >= TraceLevel::Messages {
                    self.state.send_trace(format!("request {method}"), &params);
                }
                let reply = self.guarded(&method, |server| server.answer(&id, &method, &params));
                match reply {
                    Ok(HandlerReply::Now(result)) => self.state.send(response(&id, &Ok(result))),
                    Ok(HandlerReply::Later) => {
                        self.state.begin_request_progress(&id, &method, &params);
                    }
                    Err(error) => self.state.send(response(&id, &Err(error))),
                }
            }
            ClientMessage::Notification { method, params } => {
                if self.state.trace >= TraceLevel::Messages {
                    self.state.send_trace(format!("notification {method}"), &params);
                }
                let _ = self.guarded(&method, |server| {
                    server.handle_notification(&method, &params);
                    Ok(())
                });
            }
            ClientMessage::Response { id, result } => {
                let MessageId::Number(number) = id else { return };
                let Some(question) = self.state.sent_requests.remove(&number) else { return };
                let _ = self.guarded("a response", |server| {
                    server.state.take_response(question, result);
                    Ok(())
                });
            }
        }
    }

    /// Calls `act` and catches a panic in it, which is logged and becomes an error that says what failed, by the phrase
    /// `what`.
    fn guarded<T>(
        &mut self,
        what: &str,
        act: impl FnOnce(&mut LanguageServer) -> Result<T, RequestError>,
    ) -> Result<T, RequestError> {
        match catch_unwind(AssertUnwindSafe(|| act(self))) {
            Ok(done) => done,
            Err(panic) => {
                let why = panic_text(&*panic);
                self.state.log(format!("{what} failed: {why}"));
                // The state of a snapshot may be inconsistent after a panic.
                self.state.roots.mark_all_stale();
                let message = format!("groma failed at {what}: {why}. Please report it.");
                Err(RequestError::new(ErrorKind::Internal, message))
            }
        }
    }

    /// Answers a request, if the phase of the server allows it.
    fn answer(
        &mut self,
        id: &MessageId,
        method: &str,
        params: &Value,
    ) -> Result<HandlerReply, RequestError> {
        let wrong = |kind, message: &str| Err(RequestError::new(kind, message));
        match (self.state.phase, method) {
            (ServerPhase::New, "initialize") => {
                return Ok(HandlerReply::Now(self.state.initialize(params).into()));
            }
            (ServerPhase::New, _) => {
                return wrong(ErrorKind::NotInitialized, "the first request has to be initialize");
            }
            (ServerPhase::Running, "initialize") => {
                return wrong(ErrorKind::InvalidRequest, "initialize was said before");
            }
            (ServerPhase::Running, "shutdown") => {
                self.state.shut_down();
                return Ok(HandlerReply::Now(Value::Null.into()));
            }
            (ServerPhase::Running, _) => {}
            _ => return wrong(ErrorKind::InvalidRequest, "shutdown was said before"),
        }
        router::answer(&mut self.state, id, method, params)
    }

    /// Handles a notification, if the phase of the server allows it.
    fn handle_notification(&mut self, method: &str, params: &Value) {
        match (self.state.phase, method) {
            (phase, "exit") => {
                self.state.phase = ServerPhase::Ended { in_order: phase == ServerPhase::Stopped };
            }
            (ServerPhase::Running, _) => {
                router::handle_notification(&mut self.state, method, params)
            }
            _ => self.state.log(format!("{method} came at the wrong time and is ignored")),
        }
    }
}
