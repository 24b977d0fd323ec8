//! Background jobs: evaluations that take time. A job owns its inputs, so it can run on another thread, or on the server's own
//! if there is only one. It ends soon after its token is cancelled, and a panic becomes its outcome.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use groma::root::RootId;
use groma::syntax::ColumnUnit;
use groma::{Diagnostics, RequestToken, Snapshot, rules::RuleSwitches};
use groma_ide::{FileFinding, FindingStage, all_diagnostics};
use serde_json::Value;

use crate::finding::findings_json;
use crate::message::{ErrorKind, MessageId, RequestError, RequestResult};
use crate::panics::panic_text;
use crate::places::Places;
use crate::root::RootContext;
use crate::surroundings::RunClock;
use crate::survey::WorkspaceSurvey;

/// A background job that the program around the server runs: its number, cancellation token and work.
pub struct ServerJob {
    number: u64,
    token: RequestToken,
    task: JobTask,
}

/// The diagnostics of a file: as data and as JSON for the protocol.
pub(crate) type RenderedFindings = (Vec<FileFinding>, Vec<Value>);

/// The diagnostics of a root, by file.
pub(crate) type RootFiles = BTreeMap<String, RenderedFindings>;

/// A request that a job answers: a function that computes the result unless cancelled.
pub(crate) type JobQuestion =
    Box<dyn FnOnce(&RequestToken) -> Result<RequestResult, RequestError> + Send>;

/// The input of a job that checks a root: its snapshot, time limit, lint rules and the unit in which the client counts
/// columns.
pub(crate) struct RootCheck {
    /// The root to check.
    pub(crate) context: RootContext,
    /// The clock over a check; `None` if a check may take any time.
    pub(crate) clock: Option<RunClock>,
    /// The lint rules; `None` if they are disabled.
    pub(crate) rules: Option<RuleSwitches>,
    /// The unit in which columns are counted.
    pub(crate) unit: ColumnUnit,
}

/// The work of a job: the check of a root, the check of all folders for `workspace/diagnostic`, or the answer to a request.
pub(crate) enum JobTask {
    /// Computes the diagnostics of a root.
    Check(Box<RootCheck>),
    /// Computes the diagnostics of the next folder of the workspace.
    Survey(Box<WorkspaceSurvey>),
    /// Answers a request.
    Answer { id: MessageId, question: JobQuestion },
}

/// The outcome of a job, which the program that ran the job passes to the server.
pub struct JobOutcome {
    pub(crate) number: u64,
    pub(crate) token: RequestToken,
    pub(crate) result: JobResult,
}

/// The result of a job: diagnostics, an answer, unfinished work, or a failure.
pub(crate) enum JobResult {
    /// The diagnostics of a root, by file; `None` if the job was cancelled.
    Findings { name: RootId, revision: u64, files: Option<RootFiles> },
    /// The diagnostics of all folders.
    Surveyed(Box<WorkspaceSurvey>),
    /// The job is not finished: its rest, to be queued behind all other jobs.
    Unfinished(JobTask),
    /// The answer to a request.
    Answer { id: MessageId, result: Result<RequestResult, RequestError> },
    /// A panic with its message, and the request that was being answered.
    Failed { id: Option<MessageId>, why: String },
}

impl ServerJob {
    /// Creates a job with its number, cancellation token and work.
    pub(crate) fn new(number: u64, token: RequestToken, task: JobTask) -> ServerJob {
        ServerJob { number, token, task }
    }

    /// Runs the job and returns its outcome; a panic is an outcome too.
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

/// Does the work of a job until it is done or cancelled, and returns its result.
fn carry_out(token: &RequestToken, task: JobTask) -> JobResult {
    match task {
        JobTask::Check(check) => {
            let RootCheck { context, clock, rules, unit } = *check;
            let budget = context.snapshot().map(Snapshot::budget);
            let _watch = clock.zip(budget).map(|(clock, budget)| clock(budget));
            let files = findings(token, &context, rules.as_ref(), unit);
            let (name, revision) = (context.name.unwrap_or_default(), context.revision);
            JobResult::Findings { name, revision, files }
        }
        JobTask::Survey(mut survey) => match survey.step(token) {
            true => JobResult::Unfinished(JobTask::Survey(survey)),
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

/// Evaluates and checks a root, and returns its diagnostics by file, with those of the lint rules that `rules` switches on;
/// `None` if cancelled.
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
        // Values evaluated here are available to later requests; cancelled ones stay unevaluated.
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
    // A cancelled check has found only a part of the diagnostics.
    (!token.is_over()).then_some(all)
}
