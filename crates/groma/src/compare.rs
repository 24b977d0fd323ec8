//! What a change of the code means: the same root at two moments, planned from nothing, side by side. Neither a state
//! nor a repository is needed; where the two come from is the caller's matter.

use std::sync::Arc;
use std::thread;

use groma_plan::{Plan, PlanOptions, StateFile};
use groma_project::{Kept, Options, Project};
use groma_review::Comparison;
use groma_runtime::{Host, Laid, Texts, absolute, file_path};
use groma_syntax::Diagnostics;

use crate::Snapshot;
use crate::provenance::Origins;
use crate::snapshot::planning;
use crate::watched::Watched;

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
}

/// What is loaded of a side.
struct Loaded {
    project: Arc<Project>,
    options: Options,
    found: Diagnostics,
    /// What it is read from, which knows what was read.
    host: Arc<Watched>,
}

impl Side {
    fn load(self, dir: &str, kept: &mut Kept) -> Loaded {
        let mut found = Diagnostics::new();
        let host = match self.is_there {
            true => self.host,
            false => {
                // A folder with nothing of the language in it.
                let path = absolute(&*self.host, &file_path::join(dir, ".nothing"));
                let nothing = Texts::from([(path, Arc::from(Vec::new()))]);
                Arc::new(Laid { below: self.host, texts: Arc::new(nothing) })
            }
        };
        let host = Arc::new(Watched::new(host));
        let project = Project::load_again(dir, &self.options, host.clone(), kept, &mut found);
        Loaded { project, options: self.options, found, host }
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
    let base = base.load(dir, &mut kept);
    let head = head.load(dir, &mut kept);
    let (before, after) = (base.host.clone(), head.host.clone());
    let (base, mut head) = both(has_threads, base, head);
    if is_strict {
        head.demand_complete_beside(&base);
    }
    // What is read otherwise, or on one side only.
    let (before, after) = (before.files(), after.files());
    let mut altered: Vec<String> = after
        .iter()
        .filter(|(path, digest)| before.get(*path) != Some(digest))
        .map(|(path, _)| path.clone())
        .collect();
    altered.extend(before.into_keys().filter(|path| !after.contains_key(path)));
    explained(base, head, all, altered)
}

/// The comparison with the lines that its differences come from.
/// `altered` are the files that are not the same on both sides, of those that were read.
fn explained(base: Plan, head: Plan, all: bool, altered: Vec<String>) -> Comparison {
    let mut origins = Origins::of(&base, &head, &altered);
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
        explained(base.plan_from_nothing(), self.plan_from_nothing(), all, Vec::new())
    }
}
