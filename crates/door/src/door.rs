//! The JSON API's dispatcher: the open roots by handle, and the requests in progress. An answer is one line; a panic while a
//! request is answered becomes the error of that request alone.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use groma::{Budget, Quota, json::JsonLayout, limits::RunEnd};
use serde_json::{Value as Json, json};

use crate::folders::FolderHosts;
use crate::open_root::OpenRoot;
use crate::question;
use crate::request::{DoorError, DoorRequest, HandleNumber, RequestLine};

/// The JSON API: the open roots and the requests about them. It can be used from several threads.
pub struct JsonDoor {
    folders: Box<dyn FolderHosts>,
    /// The maximum limits of one question.
    most: Quota,
    roots: Mutex<BTreeMap<HandleNumber, Arc<OpenRoot>>>,
    /// The handle of the root that was opened last.
    last: AtomicU64,
    /// The budgets of the requests in progress, by request id.
    running: Mutex<BTreeMap<String, Vec<Budget>>>,
}

/// Locks a mutex, ignoring the panic of another holder.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl JsonDoor {
    /// Creates a JSON API without open roots, which can open those of `folders`.
    pub fn new(folders: impl FolderHosts + 'static) -> JsonDoor {
        JsonDoor {
            folders: Box::new(folders),
            most: Quota::DEFAULT,
            roots: Mutex::default(),
            last: AtomicU64::new(0),
            running: Mutex::default(),
        }
    }

    /// Sets the maximum limits of one question, whatever a request asks for.
    #[must_use]
    pub fn within(self, most: Quota) -> JsonDoor {
        JsonDoor { most, ..self }
    }

    /// Returns the answer to a request, both without a line end. Every request gets an answer.
    pub fn answer(&self, line: &str) -> String {
        self.answer_to(RequestLine::read(line))
    }

    /// Returns the answer to a request that is parsed already.
    pub fn answer_to(&self, line: RequestLine) -> String {
        let RequestLine { id, request, .. } = line;
        let served = request.and_then(|call| {
            // After a panic partial results are dropped; open roots are behind locks that recover.
            catch_unwind(AssertUnwindSafe(|| self.serve(&id, call))).unwrap_or_else(|_| {
                let message = "The engine failed while it answered. This is a defect of Groma.";
                Err(DoorError::new("internal", message))
            })
        });
        match served {
            Ok(answer) => format!("{{\"id\":{id},\"answer\":{answer}}}"),
            Err(why) => JsonDoor::refusal(&id, &why),
        }
    }

    /// Returns the line that answers a request with an error.
    pub fn refusal(id: &Json, why: &DoorError) -> String {
        let error = json!({"code": why.code, "message": why.message});
        format!("{{\"id\":{id},\"error\":{error}}}")
    }

    /// Returns the line that answers a request longer than `limit` bytes, which is not read.
    pub fn too_long(limit: usize) -> String {
        let message = format!("A request of more than {limit} bytes is not read.");
        JsonDoor::refusal(&Json::Null, &DoorError::new("limit-request", message))
    }

    /// Carries out a call, such as `open` or `ask`, and returns its answer as JSON.
    fn serve(&self, id: &Json, call: DoorRequest) -> Result<String, DoorError> {
        match call {
            DoorRequest::Open(call) => {
                let root = OpenRoot::open(*call, &*self.folders, &self.most)?;
                let number = self.last.fetch_add(1, Ordering::Relaxed) + 1;
                lock(&self.roots).insert(number, Arc::new(root));
                Ok(json!({ "handle": number }).to_string())
            }
            DoorRequest::Set(call) => {
                self.root(call.handle)?.set(&call.path, call.text);
                Ok("null".to_owned())
            }
            DoorRequest::Remove(call) => {
                let was_there = self.root(call.handle)?.remove(&call.path);
                Ok(json!({ "removed": was_there }).to_string())
            }
            DoorRequest::Close(call) => match lock(&self.roots).remove(&call.handle) {
                Some(_) => Ok("null".to_owned()),
                None => Err(unknown(call.handle)),
            },
            DoorRequest::Cancel(call) => {
                let budgets = lock(&self.running).get(&call.request.to_string()).cloned();
                let budgets = budgets.unwrap_or_default();
                budgets.iter().for_each(|budget| budget.end(RunEnd::Cancelled));
                Ok(json!({ "cancelled": !budgets.is_empty() }).to_string())
            }
            DoorRequest::Ask(call) => {
                let root = self.root(call.handle)?;
                let begun = |budget: &Budget| {
                    lock(&self.running).entry(id.to_string()).or_default().push(budget.clone());
                };
                let other = |handle| self.root(handle);
                let answer =
                    question::answer(&root, call.question, JsonLayout::Compact, &begun, &other);
                lock(&self.running).remove(&id.to_string());
                answer
            }
        }
    }

    /// Returns the open root with a handle; an error if there is none.
    fn root(&self, handle: HandleNumber) -> Result<Arc<OpenRoot>, DoorError> {
        lock(&self.roots).get(&handle).cloned().ok_or_else(|| unknown(handle))
    }
}

/// Returns the error for a handle without an open root.
fn unknown(handle: HandleNumber) -> DoorError {
    let message = format!("There is no open root {handle}: it was never opened, or is closed.");
    DoorError::new("unknown-handle", message)
}
