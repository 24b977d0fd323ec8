//! What a change of the code means: the same root at two moments, planned from nothing, side by side. Neither a state
//! nor a repository is needed; where the two come from is the caller's matter.

use std::sync::Arc;
use std::thread;

use groma_eval::OtherFiles;
use groma_plan::{Plan, PlanOptions, StateFile};
use groma_project::{Kept, Options, Project, TraceOptions};
use groma_review::{Comparison, moved_addresses};
use groma_runtime::{Host, Laid, Texts, absolute, file_path};
use groma_syntax::Diagnostics;
use rustc_hash::FxHashMap;

use crate::Snapshot;
use crate::provenance::Origins;
use crate::snapshot::planning;

/// Enough for code as deep as may be, without optimization too.
const STACK: usize = 16 << 20;

/// A root as one of two hosts holds it.
#[derive(Clone)]
pub struct Side {
    /// What it is loaded and evaluated with.
    pub options: Options,
    /// Where its files are.
    pub host: Arc<dyn Host>,
    /// Whether the folder is there at all. Where it is not, nothing is declared.
    pub is_there: bool,
    /// The files beside the code: where any of them differs, the two sides have different fingerprints.
    pub files: Arc<OtherFiles>,
}

/// What is loaded of a side.
#[derive(Clone)]
struct Loaded {
    project: Arc<Project>,
    options: Options,
    found: Diagnostics,
}

impl Side {
    fn load(mut self, dir: &str, kept: &mut Kept) -> Loaded {
        let mut found = Diagnostics::new();
        self.options.run.trace = Some(tracing(self.files.clone(), FxHashMap::default()));
        let host = match self.is_there {
            true => self.host,
            false => {
                // A folder with nothing of the language in it.
                let path = absolute(&*self.host, &file_path::join(dir, ".nothing"));
                let nothing = Texts::from([(path, Arc::from(Vec::new()))]);
                Arc::new(Laid { below: self.host, texts: Arc::new(nothing) })
            }
        };
        let project = Project::load_again(dir, &self.options, host, kept, &mut found);
        Loaded { project, options: self.options, found }
    }
}

impl Loaded {
    fn plan(self) -> Plan {
        let asked = PlanOptions { state: StateFile::Nowhere, ..PlanOptions::default() };
        let mut found = self.found;
        let (facts, evaluation) = planning(self.project, asked, None, &self.options, &mut found);
        Plan::of(evaluation, facts, &self.options, found)
    }
}

/// Compares what a root plans as two hosts hold it. What is the same in both is read once; the two are planned at the same
/// time where there are threads. What does not change is listed only if `all` is asked for; `is_strict` makes it an error
/// of the newer plan if either is not all there is to say.
pub fn compare(dir: &str, base: Side, head: Side, all: bool, is_strict: bool) -> Comparison {
    let has_threads = head.options.run.threads.most > 1;
    let mut kept = Kept::default();
    let files = base.files.clone();
    let base = base.load(dir, &mut kept);
    let head = head.load(dir, &mut kept);
    let again = base.clone();
    let (base, mut head) = both(has_threads, base, head);
    if is_strict {
        head.demand_complete_beside(&base);
    }
    explained(base, head, all, |moved| {
        let mut again = again;
        again.options.run.trace = Some(tracing(files, moved));
        again.plan()
    })
}

fn tracing(files: Arc<OtherFiles>, moved: FxHashMap<String, String>) -> Arc<TraceOptions> {
    Arc::new(TraceOptions { files, moved })
}

/// The comparison with the lines that its differences come from. `again` plans the base once more, where objects are
/// called what they are called after they have moved.
fn explained(
    mut base: Plan,
    head: Plan,
    all: bool,
    again: impl FnOnce(FxHashMap<String, String>) -> Plan,
) -> Comparison {
    let moved = moved_addresses(&base, &head);
    if !moved.is_empty() {
        base = again(moved);
    }
    let mut origins = Origins::of(&base, &head);
    Comparison::between(Arc::new(base), Arc::new(head), all, &mut origins)
}

fn both(has_threads: bool, base: Loaded, head: Loaded) -> (Plan, Plan) {
    if !has_threads {
        return (base.plan(), head.plan());
    }
    let base = Arc::new(std::sync::Mutex::new(Some(base)));
    thread::scope(|scope| {
        let taken = base.clone();
        let take = move || taken.lock().ok().and_then(|mut base| base.take());
        let work = {
            let take = take.clone();
            move || take().map(Loaded::plan)
        };
        let helper = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        let head = head.plan();
        let planned = helper.ok().and_then(|helper| helper.join().ok().flatten());
        // Where no thread could be started, the work is still there.
        let base = planned.or_else(|| take().map(Loaded::plan));
        (base.expect("somebody has planned it"), head)
    })
}

impl Snapshot {
    /// What differs from an older snapshot of the same root: what the change of the code between them means. Both go on
    /// from nothing. What does not change is listed only if `all` is asked for.
    pub fn compare(&self, base: &Snapshot, all: bool) -> Comparison {
        let plan = |side: &Snapshot, moved| side.plan_from_nothing(tracing(side.files(), moved));
        let (was, is) = (plan(base, FxHashMap::default()), plan(self, FxHashMap::default()));
        explained(was, is, all, |moved| plan(base, moved))
    }
}
