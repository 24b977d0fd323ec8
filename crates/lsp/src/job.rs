//! Work that takes time: evaluations. A job holds what it needs, so it can be carried out on another thread, or in the server's own
//! where there is one only. It ends soon after its token is cancelled, and a panic in it is its outcome.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use groma::syntax::ColumnUnit;
use groma::{Diagnostics, RequestToken, rules::RuleSwitches};
use groma_ide::{FileFinding, FindingStage, all_diagnostics};
use serde_json::Value;

use crate::finding::findings_json;
use crate::message::{ErrorKind, MessageId, RequestError, RequestResult};
use crate::panics::panic_text;
use crate::places::Places;
use crate::root::{RootContext, RootName};
use crate::survey::WorkspaceSurvey;

/// A job.
pub struct ServerJob {
    number: u64,
    token: RequestToken,
    task: JobTask,
}

/// The findings of a file: as data and as the protocol writes them.
pub(crate) type ToldFindings = (Vec<FileFinding>, Vec<Value>);

/// The findings of a root, by file.
pub(crate) type RootFiles = BTreeMap<String, ToldFindings>;

/// A question that is answered by a job.
pub(crate) type JobQuestion =
    Box<dyn FnOnce(&RequestToken) -> Result<RequestResult, RequestError> + Send>;

/// The check of a root.
pub(crate) struct RootCheck {
    /// The root.
    pub(crate) context: RootContext,
    /// The rules; nothing if they are switched off.
    pub(crate) rules: Option<RuleSwitches>,
    /// What a column counts.
    pub(crate) unit: ColumnUnit,
}

/// What a job does.
pub(crate) enum JobTask {
    /// Finds what is wrong with a root.
    Check(Box<RootCheck>),
    /// Looks at the next folder of all.
    Survey(Box<WorkspaceSurvey>),
    /// Answers a request.
    Answer { id: MessageId, question: JobQuestion },
}

/// The outcome of a job.
pub struct JobOutcome {
    pub(crate) number: u64,
    pub(crate) token: RequestToken,
    pub(crate) result: JobResult,
}

/// What came of a job.
pub(crate) enum JobResult {
    /// The findings of a root, by file; nothing if the job was cancelled.
    Findings { name: RootName, revision: u64, files: Option<RootFiles> },
    /// Findings of all folders.
    Surveyed(Box<WorkspaceSurvey>),
    /// The job is not done: the rest of it, which goes behind all others.
    Goes(JobTask),
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
            JobTask::Survey(survey) => Some(survey.id.clone()),
            JobTask::Answer { id, .. } => Some(id.clone()),
        };
        let result = match catch_unwind(AssertUnwindSafe(|| carry_out(&token, task))) {
            Ok(result) => result,
            Err(panic) => JobResult::Failed { id, why: panic_text(&*panic).to_owned() },
        };
        JobOutcome { number, token, result }
    }
}

fn carry_out(token: &RequestToken, task: JobTask) -> JobResult {
    match task {
        JobTask::Check(check) => {
            let RootCheck { context, rules, unit } = *check;
            let files = findings(token, &context, rules.as_ref(), unit);
            let (name, revision) = (context.name.unwrap_or_default(), context.revision);
            JobResult::Findings { name, revision, files }
        }
        JobTask::Survey(mut survey) => match survey.step(token) {
            true => JobResult::Goes(JobTask::Survey(survey)),
            false => JobResult::Surveyed(survey),
        },
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
    rules: Option<&RuleSwitches>,
    unit: ColumnUnit,
) -> Option<RootFiles> {
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
    let all = found.into_iter().map(|(file, all)| {
        let told = findings_json(&file, &all, &places);
        (file, (all, told))
    });
    let all = all.collect();
    // A check that was stopped half way has found less than there is.
    (!token.is_over()).then_some(all)
}
