//! What a change of the code means: the same root at two moments, planned from nothing, side by side. Neither a state
//! nor a repository is needed; where the two come from is the caller's matter.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::thread;

use groma_eval::OtherFiles;
use groma_impact::{Comparison, PlannedAgain};
use groma_plan::{Plan, PlanOptions, StateFile};
use groma_project::{LoadCache, Project, ProjectOptions, TraceOptions};
use groma_runtime::{Host, OverlayHost, Texts, absolute, file_path};
use groma_syntax::Diagnostics;
use groma_value::{Str, Value};
use rustc_hash::FxHashMap;

use crate::Snapshot;
use crate::snapshot::planning;

/// Enough for code as deep as may be, without optimization too.
const STACK: usize = 16 << 20;

/// A root as one of two hosts holds it.
#[derive(Clone)]
pub struct RootSide {
    /// The options that it is loaded and evaluated with.
    pub options: ProjectOptions,
    /// The place where its files are.
    pub host: Arc<dyn Host>,
    /// True if the folder is there at all. Where it is not, nothing is declared.
    pub is_there: bool,
    /// The files beside the code: where any of them differs, the two sides have different fingerprints.
    pub files: Arc<OtherFiles>,
}

/// Options of a comparison of two revisions.
#[derive(Clone, Copy, Default, Debug)]
pub struct CompareOptions {
    /// True if what does not change is listed, too.
    pub all: bool,
    /// True if it is an error of the newer plan if either is not all there is to say.
    pub is_strict: bool,
    /// True if inputs that are not given are unknown whatever their defaults say. So they are by themselves where one
    /// has no default.
    pub open_inputs: bool,
}

/// The loaded project of a side.
#[derive(Clone)]
struct LoadedSide {
    project: Arc<Project>,
    options: ProjectOptions,
    found: Diagnostics,
}

impl RootSide {
    fn load(mut self, dir: &str, kept: &mut LoadCache) -> LoadedSide {
        let mut found = Diagnostics::new();
        self.options.run.trace = Some(tracing(self.files.clone(), FxHashMap::default()));
        let host = match self.is_there {
            true => self.host,
            false => {
                // A folder with nothing of the language in it.
                let path = absolute(&*self.host, &file_path::join(dir, ".nothing"));
                let nothing = Texts::from([(path, Arc::from(Vec::new()))]);
                Arc::new(OverlayHost { below: self.host, texts: Arc::new(nothing) })
            }
        };
        let project = Project::load_again(dir, &self.options, host, kept, &mut found);
        LoadedSide { project, options: self.options, found }
    }
}

impl LoadedSide {
    /// Plans it; what the code ignores stays as it is `held`.
    fn plan(self, held: Arc<FxHashMap<String, Value>>) -> Plan {
        let asked = PlanOptions { state: StateFile::Nowhere, held, ..PlanOptions::default() };
        let mut found = self.found;
        let (facts, evaluation) = planning(self.project, asked, None, &self.options, &mut found);
        Plan::of(evaluation, facts, &self.options, found)
    }
}

/// Compares what a root plans as two hosts hold it. What is the same in both is read once; the two are planned at the same
/// time where there are threads.
pub fn compare(dir: &str, base: RootSide, head: RootSide, asked: CompareOptions) -> Comparison {
    let has_threads = head.options.run.threads.most > 1;
    let mut kept = LoadCache::default();
    let files = base.files.clone();
    let mut base = base.load(dir, &mut kept);
    let mut head = head.load(dir, &mut kept);
    let without_value = without_value(&base.project, &head.project);
    let open_inputs = asked.open_inputs || !without_value.is_empty();
    base.options.run.open_inputs = open_inputs;
    head.options.run.open_inputs = open_inputs;
    let again = [base.clone(), head.clone()];
    let (base, head) = both(has_threads, base, head);
    let mut comparison = Comparison::between(base, head, asked.all, |how| match how {
        PlannedAgain::Base(moved) => {
            let mut base = again[0].clone();
            base.options.run.trace = Some(tracing(files.clone(), moved));
            base.plan(Arc::default())
        }
        PlannedAgain::Head(held) => again[1].clone().plan(held),
    });
    if open_inputs {
        comparison.set_open_inputs(without_value);
    }
    if asked.is_strict {
        comparison.demand_complete();
    }
    comparison
}

/// The names of the variables that have to be given on either side and are not, sorted.
fn without_value(base: &Project, head: &Project) -> Vec<Str> {
    let mut found = BTreeSet::new();
    for project in [base, head] {
        let variables = project.root().variables.iter();
        let open = variables.filter(|variable| {
            variable.default.is_none() && project.given(&variable.name).is_none()
        });
        found.extend(open.map(|variable| Str::from(&*variable.name)));
    }
    found.into_iter().collect()
}

fn tracing(files: Arc<OtherFiles>, moved: FxHashMap<String, String>) -> Arc<TraceOptions> {
    Arc::new(TraceOptions { files, moved })
}

fn both(has_threads: bool, base: LoadedSide, head: LoadedSide) -> (Plan, Plan) {
    if !has_threads {
        return (base.plan(Arc::default()), head.plan(Arc::default()));
    }
    let base = Arc::new(std::sync::Mutex::new(Some(base)));
    thread::scope(|scope| {
        let taken = base.clone();
        let take = move || taken.lock().ok().and_then(|mut base| base.take());
        let work = {
            let take = take.clone();
            move || take().map(|base| base.plan(Arc::default()))
        };
        let helper = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        let head = head.plan(Arc::default());
        let planned = helper.ok().and_then(|helper| helper.join().ok().flatten());
        // Where no thread could be started, the work is still there.
        let base = planned.or_else(|| take().map(|base| base.plan(Arc::default())));
        (base.expect("somebody has planned it"), head)
    })
}

impl Snapshot {
    /// Returns what differs from an older snapshot of the same root: what the change of the code between them means.
    /// Both go on from nothing. What does not change is listed only if `all` is asked for.
    pub fn compare(&self, base: &Snapshot, all: bool) -> Comparison {
        let plan = |side: &Snapshot, open, moved, held| {
            side.plan_from_nothing(tracing(side.files(), moved), open, held)
        };
        let without_value = without_value(base.project(), self.project());
        let open = !without_value.is_empty();
        let first = |side| plan(side, open, FxHashMap::default(), Arc::default());
        let (was, is) = (first(base), first(self));
        let mut comparison = Comparison::between(was, is, all, |how| match how {
            PlannedAgain::Base(moved) => plan(base, open, moved, Arc::default()),
            PlannedAgain::Head(held) => plan(self, open, FxHashMap::default(), held),
        });
        if open {
            comparison.set_open_inputs(without_value);
        }
        comparison
    }
}
