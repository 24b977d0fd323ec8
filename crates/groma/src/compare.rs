//! Comparison of a root at two moments, each planned from an empty state. Neither a state nor a repository is needed; the caller
//! supplies a host for each side.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::thread;

use groma_config::InstanceAddress;
use groma_eval::OtherFiles;
use groma_impact::{Comparison, SecondPlan};
use groma_plan::{Plan, PlanOptions, StateFile};
use groma_project::{LoadCache, Project, ProjectOptions, TraceOptions};
use groma_runtime::{EVALUATION_STACK, Host, OverlayHost, Texts, absolute, file_path};
use groma_syntax::Diagnostics;
use groma_value::{Str, Value};
use rustc_hash::FxHashMap;

use crate::Snapshot;
use crate::snapshot::planning;

/// A side of a comparison of two plans: a root with its options and its host, and the record of the files that functions may
/// read at unknown paths.
#[derive(Clone)]
pub struct RootSide {
    /// The options with which the root is loaded and evaluated.
    pub options: ProjectOptions,
    /// The host of the root's files.
    pub host: Arc<dyn Host>,
    /// True if the directory exists; a missing one declares nothing.
    pub is_there: bool,
    /// The files that functions may read at unknown paths: if any differs between the sides, so do the fingerprints that depend
    /// on it.
    pub files: Arc<OtherFiles>,
}

/// Options of a comparison of a root's plans on two sides.
#[derive(Clone, Copy, Default, Debug)]
pub struct CompareOptions {
    /// True if unchanged objects are listed too.
    pub all: bool,
    /// True if an incomplete plan on either side is an error of the newer plan.
    pub is_strict: bool,
    /// True if inputs that are not given are unknown even if they have a default. If a variable has no default, this is set
    /// automatically.
    pub open_inputs: bool,
}

/// A side of a comparison after loading: the project, its options and the diagnostics.
#[derive(Clone)]
struct LoadedSide {
    project: Arc<Project>,
    options: ProjectOptions,
    found: Diagnostics,
}

impl RootSide {
    /// Loads the root of the side; files that are in `kept` and unchanged are not parsed again.
    fn load(mut self, dir: &str, kept: &mut LoadCache) -> LoadedSide {
        let mut found = Diagnostics::new();
        self.options.run.trace = Some(trace_options(self.files.clone(), FxHashMap::default()));
        let host = match self.is_there {
            true => self.host,
            false => {
                // The directory does not exist: it is read as an empty one.
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
    /// Makes a plan of the side from an empty state; `held` are the values that `ignore_changes` keeps, by instance.
    fn plan(self, held: Arc<FxHashMap<InstanceAddress, Value>>) -> Plan {
        let asked = PlanOptions { state: StateFile::Nowhere, held, ..PlanOptions::default() };
        let mut found = self.found;
        let (facts, evaluation) = planning(self.project, asked, None, &self.options, &mut found);
        Plan::of(evaluation, facts, &self.options, found)
    }
}

/// Compares the plans of a root on two hosts: with the code before a change, `base`, and after it, `head`. Files that are
/// equal on both are parsed once; both sides are planned in parallel when threads are available.
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
    let (base, head) = plan_both(has_threads, base, head);
    let mut comparison = Comparison::between(base, head, asked.all, |how| match how {
        SecondPlan::Base(moved) => {
            let mut base = again[0].clone();
            base.options.run.trace = Some(trace_options(files.clone(), moved));
            base.plan(Arc::default())
        }
        SecondPlan::Head(held) => again[1].clone().plan(held),
    });
    if open_inputs {
        comparison.set_open_inputs(without_value);
    }
    if asked.is_strict {
        comparison.demand_complete();
    }
    comparison
}

/// Returns the names of the variables that have neither a default nor a given value on one of the two sides or on both,
/// sorted.
fn without_value(base: &Project, head: &Project) -> Vec<Str> {
    let mut found = BTreeSet::new();
    for project in [base, head] {
        let variables = project.root().variables.iter();
        let open = variables.filter(|variable| {
            variable.default.is_none() && project.given_value(&variable.name).is_none()
        });
        found.extend(open.map(|variable| Str::from(&*variable.name)));
    }
    found.into_iter().collect()
}

/// Returns the options by which unknown values get fingerprints that can be compared between the sides: the record of files that
/// may be read at unknown paths, and for each moved object its address on the other side.
fn trace_options(
    files: Arc<OtherFiles>,
    moved: FxHashMap<InstanceAddress, InstanceAddress>,
) -> Arc<TraceOptions> {
    Arc::new(TraceOptions { files, moved })
}

/// Makes a plan of each side, in parallel when threads are available.
fn plan_both(has_threads: bool, base: LoadedSide, head: LoadedSide) -> (Plan, Plan) {
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
        let helper = thread::Builder::new().stack_size(EVALUATION_STACK).spawn_scoped(scope, work);
        let head = head.plan(Arc::default());
        let planned = helper.ok().and_then(|helper| helper.join().ok().flatten());
        // If no thread could be started, the older side is still unplanned.
        let base = planned.or_else(|| take().map(|base| base.plan(Arc::default())));
        (base.expect("somebody has planned it"), head)
    })
}

impl Snapshot {
    /// Compares the snapshot with an older one of the same root, both planned from an empty state; unchanged objects are
    /// listed only if `all` is true.
    pub fn compare(&self, base: &Snapshot, all: bool) -> Comparison {
        let plan = |side: &Snapshot, open, moved, held| {
            side.plan_from_nothing(trace_options(side.files(), moved), open, held)
        };
        let without_value = without_value(base.project(), self.project());
        let open = !without_value.is_empty();
        let first = |side| plan(side, open, FxHashMap::default(), Arc::default());
        let (was, is) = (first(base), first(self));
        let mut comparison = Comparison::between(was, is, all, |how| match how {
            SecondPlan::Base(moved) => plan(base, open, moved, Arc::default()),
            SecondPlan::Head(held) => plan(self, open, FxHashMap::default(), held),
        });
        if open {
            comparison.set_open_inputs(without_value);
        }
        comparison
    }
}
