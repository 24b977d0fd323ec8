//! Work that takes time: evaluations. A job holds what it needs, so it can be carried out on another thread, or in the server's own
//! where there is one only. It ends soon after its token is cancelled, and a panic in it is its outcome.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use groma::syntax::ColumnUnit;
use groma::{Diagnostics, RequestToken, RuleSwitches};
use groma_ide::{FindingStage, all_diagnostics};
use serde_json::Value;

use crate::finding::findings_json;
use crate::message::{ErrorKind, MessageId, RequestError, RequestResult};
use crate::panics::panic_text;
use crate::places::Places;
use crate::root::{RootContext, RootName};

/// A job.
pub struct ServerJob {
    number: u64,
    token: RequestToken,
    task: JobTask,
}

/// A question that is answered by a job.
pub(crate) type JobQuestion =
    Box<dyn FnOnce(&RequestToken) -> Result<RequestResult, RequestError> + Send>;

/// The check of a root.
pub(crate) struct RootCheck {
    /// The root.
    pub(crate) context: RootContext,
    /// The rules.
    pub(crate) rules: RuleSwitches,
    /// What a column counts.
    pub(crate) unit: ColumnUnit,
}

/// What a job does.
pub(crate) enum JobTask {
    /// Finds what is wrong with a root.
    Check(Box<RootCheck>),
    /// Answers a request.
    Answer { id: MessageId, question: JobQuestion },
}

/// The outcome of a job.
pub struct JobOutcome {
    pub(crate) number: u64,
    pub(crate) result: JobResult,
}

/// What came of a job.
pub(crate) enum JobResult {
    /// The findings of a root, by file; nothing if the job was cancelled.
    Findings { name: RootName, revision: u64, files: Option<BTreeMap<String, Vec<Value>>> },
    /// The answer to a request.
    Answer { id: MessageId, result: Result<RequestResult, RequestError> },
    /// A panic, with its text, and the request that it was about.
    Failed { id: Option<MessageId>, why: String },
}

impl ServerJob {
    pub(crate) fn new(number: u64, token: RequestToken, task: JobTask) -> ServerJob {
        ServerJob { number, token, task }
    }

    /// Carries the job out.
    pub fn run(self) -> JobOutcome {
        let ServerJob { number, token, task } = self;
        let id = match &task {
            JobTask::Check(_) => None,
            JobTask::Answer { id, .. } => Some(id.clone()),
        };
        let result = match catch_unwind(AssertUnwindSafe(|| carry_out(&token, task))) {
            Ok(result) => result,
            Err(panic) => JobResult::Failed { id, why: panic_text(&*panic).to_owned() },
        };
        JobOutcome { number, result }
    }
}

fn carry_out(token: &RequestToken, task: JobTask) -> JobResult {
    match task {
        JobTask::Check(check) => {
            let RootCheck { context, rules, unit } = *check;
            let files = findings(token, &context, &rules, unit);
            let (name, revision) = (context.name.unwrap_or_default(), context.revision);
            JobResult::Findings { name, revision, files }
        }
        JobTask::Answer { id, question } => {
            let result = match token.is_over() {
                true => Err(RequestError::new(ErrorKind::Cancelled, "it was cancelled")),
                false => question(token),
            };
            JobResult::Answer { id, result }
        }
    }
}

fn findings(
    token: &RequestToken,
    context: &RootContext,
    rules: &RuleSwitches,
    unit: ColumnUnit,
) -> Option<BTreeMap<String, Vec<Value>>> {
    if token.is_over() {
        return None;
    }
    if let Some(snapshot) = context.snapshot() {
        let evaluation = snapshot.evaluation();
        // What is evaluated here is there for the next question; what is cancelled stays open.
        evaluation.within(token, || evaluation.evaluate_all(&mut Diagnostics::new()));
        if token.is_over() {
            return None;
        }
    }
    let request = context.request().bounded_by(token.clone());
    let found = all_diagnostics(&request, FindingStage::Checked, rules);
    let places = Places::new(&request, unit);
    let all = found.iter().map(|(file, all)| (file.clone(), findings_json(file, all, &places)));
    let all = all.collect();
    // A check that was stopped half way has found less than there is.
    (!token.is_over()).then_some(all)
}
