//! What a project is loaded and evaluated with. Nothing here is read from the machine: that is the
//! host's part.

use std::sync::Arc;

use groma_eval::OtherFiles;
use groma_folder::Assignment;
use groma_functions::Readings;
use groma_module::ParsedFiles;
use groma_module::schema::Schemas;
use groma_runtime::{Budget, Edition, Limits, Moment};
use rustc_hash::FxHashMap;

/// Everything that may be chosen about a project: what it is loaded with, and what it is evaluated with.
#[derive(Clone, Default, Debug)]
pub struct Options {
    /// What decides which code is read, and how.
    pub load: LoadOptions,
    /// What only its values depend on.
    pub run: RunOptions,
}

/// What a project is loaded with: whoever changes something here has to load it again.
#[derive(Clone, Default, Debug)]
pub struct LoadOptions {
    /// The dialect and version; without it what lies in and around the folder decides.
    pub edition: Option<Edition>,
    /// Why it is that edition, where one is given: a part of a sentence that starts in lower case.
    pub evidence: String,
    /// Whether nothing speaks for that edition.
    pub is_guess: bool,
    /// Values given on the command line, in the order written there: the later wins.
    pub assignments: Vec<Assignment>,
    /// The workspace; without it the environment or the working folder decides.
    pub workspace: Option<String>,
    /// Whether what a plan refuses to begin with is an error: variables without a value, versions
    /// that are asked for and not met, no files at all.
    pub strict: bool,
    /// Whether no files at all are well even so, as they are where all that is recorded is to go.
    pub bare: bool,
    /// The folder outside which nothing is read; without it the folder loaded.
    pub root: Option<String>,
    /// Which inputs count.
    pub inputs: Inputs,
    /// Whether the code is judged as the program of the edition would, which refuses to go on where
    /// answers could still be given: a version requirement that is not met is an error then.
    pub judging: bool,
    /// Files with answers of functions that cannot be asked, in the order in which they count.
    pub mocks: Vec<String>,
    /// Where the sources of modules lie, as the user says; the later of equal ones wins.
    pub modules: Vec<Mapping>,
    /// Folders beside the root that may be read too.
    pub allowed: Vec<String>,
    /// The schemas of providers; empty where there are none at hand.
    pub schemas: Schemas,
    /// Whether query files of the root are looked at too.
    pub queries: bool,
    /// Files that were parsed before, to find out the edition.
    pub parsed: ParsedFiles,
}

impl LoadOptions {
    /// Whether a load with the other ones reads the same code in the same way.
    pub fn is_same(&self, other: &LoadOptions) -> bool {
        // Taken apart, so that nothing that is added later is forgotten here.
        let LoadOptions {
            edition,
            evidence,
            is_guess,
            assignments,
            workspace,
            strict,
            bare,
            root,
            inputs,
            judging,
            mocks,
            modules,
            allowed,
            schemas,
            queries,
            // What is parsed does not depend on who did it.
            parsed: _,
        } = self;
        (edition, evidence, assignments, workspace)
            == (&other.edition, &other.evidence, &other.assignments, &other.workspace)
            && (strict, bare, judging, queries, inputs, is_guess)
                == (
                    &other.strict,
                    &other.bare,
                    &other.judging,
                    &other.queries,
                    &other.inputs,
                    &other.is_guess,
                )
            && (root, mocks, modules, allowed)
                == (&other.root, &other.mocks, &other.modules, &other.allowed)
            && schemas.is_same(&other.schemas)
    }
}

/// What a project is evaluated with. Sources of modules may be computed, so loading needs it as well; a project that is
/// loaded can be evaluated with another.
#[derive(Clone, Default, Debug)]
pub struct RunOptions {
    /// The time that clock functions tell; without it they are unknown.
    pub now: Option<Moment>,
    /// The seed of random functions; without it they are unknown.
    pub seed: Option<u64>,
    /// The bounds of one evaluation.
    pub limits: Limits,
    /// What the whole run may use: all evaluations, all threads, and loading where it is part of the run.
    pub budget: Budget,
    /// What texts were read as, for all of that.
    pub readings: Readings,
    /// On how many threads is evaluated. Answers do not depend on it.
    pub threads: Threads,
    /// What `path.cwd` says, where that is not where the host's relative paths start.
    pub cwd: Option<String>,
    /// What fingerprints of unknown values are worked out with; none are without it.
    pub trace: Option<Arc<TraceOptions>>,
    /// Whether the variables of the root that nobody gives a value are unknown, whatever their defaults say: so a module
    /// is looked at for all that may call it.
    pub open_inputs: bool,
}

/// What two evaluations need to give equal fingerprints to what is equal in both.
#[derive(Clone, Debug)]
pub struct TraceOptions {
    /// The files of which the names are not known.
    pub files: Arc<OtherFiles>,
    /// What objects are called in the other evaluation, by address, where they have moved.
    pub moved: FxHashMap<String, String>,
}

/// Where a module's source lies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mapping {
    /// The source as calls write it, perhaps with `@` and a version behind it.
    pub source: String,
    /// The folder.
    pub dir: String,
    /// Who says so, for messages.
    pub origin: String,
}

/// On how many threads is evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Threads {
    /// So many at the same time; 0 and 1 are one.
    pub most: usize,
    /// Where so many cells can be filled at once, threads are worth their start.
    pub from: usize,
}

impl Threads {
    /// So many threads, where that is worth it.
    pub fn up_to(most: usize) -> Threads {
        Threads { most, from: 1_000 }
    }
}

impl Default for Threads {
    fn default() -> Threads {
        Threads::up_to(1)
    }
}

/// Which inputs of the root module count.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Inputs {
    /// Those that are given.
    #[default]
    Given,
    /// None: the code is looked at for itself. What an edition needs in order to find modules is
    /// read all the same.
    Unknown,
}
