//! The door itself: the roots that are open, by number, and the requests that are being answered. An answer is a whole line; a
//! panic while one is worked out answers that request alone.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use groma::{Budget, Host, Quota, limits::RunEnd};
use serde_json::{Value as Json, json};

use crate::open_root::OpenRoot;
use crate::question;
use crate::request::{DoorError, DoorRequest, HandleNumber, RequestLine};

/// Where the folders come from that requests name.
pub trait FolderHosts: Send + Sync {
    /// Returns a host that reads the module in a folder, by the rules for strangers' code if it is not trusted, and the
    /// folder outside which it reads nothing.
    ///
    /// # Errors
    /// A sentence, where the folder cannot be read.
    fn host(&self, dir: &str, is_untrusted: bool) -> Result<(Arc<dyn Host>, String), String>;
}

/// No folders: every root is made of the texts that a request brings.
#[derive(Clone, Copy, Debug)]
pub struct NoFolders;

impl FolderHosts for NoFolders {
    fn host(&self, dir: &str, _: bool) -> Result<(Arc<dyn Host>, String), String> {
        Err(format!("{dir} cannot be read: nothing here reads a disk, so give \"files\"."))
    }
}

/// Open roots, and what is asked of them. It may be asked from several threads.
pub struct JsonDoor {
    folders: Box<dyn FolderHosts>,
    /// What one question may use at most.
    most: Quota,
    roots: Mutex<BTreeMap<HandleNumber, Arc<OpenRoot>>>,
    last: AtomicU64,
    /// The budgets of the requests that are being answered, by id.
    running: Mutex<BTreeMap<String, Vec<Budget>>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl JsonDoor {
    /// A door without open roots.
    pub fn new(folders: impl FolderHosts + 'static) -> JsonDoor {
        JsonDoor {
            folders: Box::new(folders),
            most: Quota::DEFAULT,
            roots: Mutex::default(),
            last: AtomicU64::new(0),
            running: Mutex::default(),
        }
    }

    /// The same, where one question uses no more than that, whatever a request asks for.
    #[must_use]
    pub fn within(self, most: Quota) -> JsonDoor {
        JsonDoor { most, ..self }
    }

    /// Returns the answer to a request, both without the end of the line. Whatever the request is, there is an answer.
    pub fn answer(&self, line: &str) -> String {
        self.answer_to(RequestLine::read(line))
    }

    /// The same for a request that was read before.
    pub fn answer_to(&self, line: RequestLine) -> String {
        let RequestLine { id, request, .. } = line;
        let served = request.and_then(|call| {
            // What is being worked out is dropped with the panic; what is open is behind locks that outlive it.
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

    /// Returns the line that answers a request by an error.
    pub fn refusal(id: &Json, why: &DoorError) -> String {
        let error = json!({"code": why.code, "message": why.message});
        format!("{{\"id\":{id},\"error\":{error}}}")
    }

    /// Returns the line that answers a request that is longer than its reader takes.
    pub fn too_long(limit: usize) -> String {
        let message = format!("A request of more than {limit} bytes is not read.");
        JsonDoor::refusal(&Json::Null, &DoorError::new("limit-request", message))
    }

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
                let answer = question::answer(&root, call.question, &begun, &other);
                lock(&self.running).remove(&id.to_string());
                answer
            }
        }
    }

    fn root(&self, handle: HandleNumber) -> Result<Arc<OpenRoot>, DoorError> {
        lock(&self.roots).get(&handle).cloned().ok_or_else(|| unknown(handle))
    }
}

fn unknown(handle: HandleNumber) -> DoorError {
    let message = format!("There is no open root {handle}: it was never opened, or is closed.");
    DoorError::new("unknown-handle", message)
}
