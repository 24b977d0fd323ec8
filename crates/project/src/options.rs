//! The options of loading and evaluating a project. Nothing here is read from the machine: that is the
//! host's part.

use std::sync::Arc;

use groma_config::InputAssignment;
use groma_eval::OtherFiles;
use groma_functions::ReadingCache;
use groma_module::ParsedFiles;
use groma_module::schema::ProviderSchemas;
use groma_runtime::{Budget, Edition, Limits, Moment};
use rustc_hash::FxHashMap;

/// Everything that may be chosen about a project: what it is loaded with, and what it is evaluated with.
#[derive(Clone, Default, Debug)]
pub struct ProjectOptions {
    /// The options that decide which code is read, and how.
    pub load: LoadOptions,
    /// The options that only its values depend on.
    pub run: RunOptions,
}

/// The purpose of a load, which decides what is an error and where the load ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum LoadPurpose {
    /// As many answers as possible: a load goes on where a program would refuse to, and a version that is asked for and not met
    /// is a warning.
    #[default]
    Evaluate,
    /// The findings of a check, whatever the inputs are. What the program of the edition refuses is an error.
    Check,
    /// A plan. What it refuses to begin with is an error, too: variables without a value, no files at all.
    Plan,
}

/// The options that a project is loaded with: a change of one of them needs another load.
#[derive(Clone, Default, Debug)]
pub struct LoadOptions {
    /// The dialect and version; without it what lies in and around the folder decides.
    pub edition: Option<Edition>,
    /// The reason why it is that edition, where one is given: a part of a sentence that starts in lower case.
    pub evidence: String,
    /// True if nothing speaks for that edition.
    pub is_guess: bool,
    /// Values given on the command line, in the order written there: the later wins.
    pub assignments: Vec<InputAssignment>,
    /// The workspace; without it the environment or the working folder decides.
    pub workspace: Option<String>,
    /// The command of the reference programs that the load is for.
    pub purpose: LoadPurpose,
    /// True if no files at all are well even so, as they are where all that is recorded is to go.
    pub bare: bool,
    /// The folder outside which nothing is read; without it the folder loaded.
    pub root: Option<String>,
    /// The inputs that count.
    pub inputs: RootInputs,
    /// Files with answers of functions that cannot be asked, in the order in which they count.
    pub mocks: Vec<String>,
    /// The place where the sources of modules lie, as the user says; the later of equal ones wins.
    pub modules: Vec<SourceMapping>,
    /// Folders beside the root that may be read too.
    pub allowed: Vec<String>,
    /// The schemas of providers; empty where there are none at hand.
    pub schemas: ProviderSchemas,
    /// True if query files of the root are looked at too.
    pub queries: bool,
    /// Files that were parsed before, to find out the edition.
    pub parsed: ParsedFiles,
}

impl LoadOptions {
    /// Returns true if a load with the other ones reads the same code in the same way.
    pub fn is_same(&self, other: &LoadOptions) -> bool {
        // Taken apart, so that nothing that is added later is forgotten here.
        let LoadOptions {
            edition,
            evidence,
            is_guess,
            assignments,
            workspace,
            purpose,
            bare,
            root,
            inputs,
            mocks,
            modules,
            allowed,
            schemas,
            queries,
            // What is parsed does not depend on which thread did it.
            parsed: _,
        } = self;
        (edition, evidence, assignments, workspace)
            == (&other.edition, &other.evidence, &other.assignments, &other.workspace)
            && (purpose, bare, queries, inputs, is_guess)
                == (&other.purpose, &other.bare, &other.queries, &other.inputs, &other.is_guess)
            && (root, mocks, modules, allowed)
                == (&other.root, &other.mocks, &other.modules, &other.allowed)
            && schemas.is_same(&other.schemas)
    }
}

/// The options that a project is evaluated with. Sources of modules may be computed, so loading needs it as well; a
/// project that is loaded can be evaluated with another.
#[derive(Clone, Default, Debug)]
pub struct RunOptions {
    /// The time that clock functions tell; without it they are unknown.
    pub now: Option<Moment>,
    /// The seed of random functions; without it they are unknown.
    pub seed: Option<u64>,
    /// The bounds of one evaluation.
    pub limits: Limits,
    /// The budget of the whole run: all evaluations, all threads, and loading where it is part of the run.
    pub budget: Budget,
    /// The cache of texts that were read, for all of that.
    pub readings: ReadingCache,
    /// On how many threads is evaluated. Answers do not depend on it.
    pub threads: ThreadCount,
    /// The value of `path.cwd`, where that is not where the host's relative paths start.
    pub cwd: Option<String>,
    /// The options of fingerprints of unknown values; `None` for none.
    pub trace: Option<Arc<TraceOptions>>,
    /// True if variables of the root without a value are unknown, whatever their defaults say: so a
    /// module is looked at for all that may call it.
    pub open_inputs: bool,
}

/// The options under which two evaluations give equal fingerprints to what is equal in both.
#[derive(Clone, Debug)]
pub struct TraceOptions {
    /// The files of which the names are not known.
    pub files: Arc<OtherFiles>,
    /// The addresses of objects in the other evaluation, where they have moved.
    pub moved: FxHashMap<String, String>,
}

/// The place where a module's source lies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceMapping {
    /// The source as calls write it, perhaps with `@` and a version behind it.
    pub source: String,
    /// The folder.
    pub dir: String,
    /// The source of the statement, for messages.
    pub origin: String,
}

/// On how many threads is evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ThreadCount {
    /// The maximum number of at the same time; 0 and 1 that are one.
    pub most: usize,
    /// The place where so many cells can be filled at once, threads are worth their start.
    pub from: usize,
}

impl ThreadCount {
    /// Returns a number of threads that is used where it is worth it.
    pub fn up_to(most: usize) -> ThreadCount {
        ThreadCount { most, from: 1_000 }
    }
}

impl Default for ThreadCount {
    fn default() -> ThreadCount {
        ThreadCount::up_to(1)
    }
}

/// The inputs of the root module that count.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum RootInputs {
    /// Those that are given.
    #[default]
    Given,
    /// None: the code is looked at for itself. What an edition needs in order to find modules is
    /// read all the same.
    Unknown,
}
