//! The options of loading and evaluating a project. None of them is read from the machine: that is the host's part.

use std::sync::Arc;

use groma_config::InstanceAddress;
use groma_eval::OtherFiles;
use groma_functions::ReadingCache;
use groma_inputs::InputAssignment;
use groma_module::ParsedFiles;
use groma_module::schema::ProviderSchemas;
use groma_runtime::{Budget, Edition, Limits, Moment};
use rustc_hash::FxHashMap;

/// All options of a project: for loading and for evaluating it.
#[derive(Clone, Default, Debug)]
pub struct ProjectOptions {
    /// The options that decide which code is read, and how.
    pub load: LoadOptions,
    /// The options that affect only values.
    pub run: RunOptions,
}

/// The purpose of a load, which decides what is an error and where the load ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum LoadPurpose {
    /// To answer as much as possible: a load continues where a program would refuse to, and an unmet version requirement is a
    /// warning.
    #[default]
    Evaluate,
    /// To check the code for any inputs. Everything that the edition's program refuses is an error.
    Check,
    /// To plan. Missing prerequisites are errors, too: variables without a value, no files at all.
    Plan,
}

/// The options that decide which code is read and how, such as the edition and the schemas: changing one requires another load.
#[derive(Clone, Default, Debug)]
pub struct LoadOptions {
    /// The dialect and version; if `None`, they are detected from the folder.
    pub edition: Option<Edition>,
    /// The reason for a given edition: a phrase that starts in lower case.
    pub evidence: String,
    /// True if there is no evidence for the edition.
    pub is_guess: bool,
    /// The workspace; if `None`, it is detected from the environment or the working folder.
    pub workspace: Option<String>,
    /// The command of the reference programs that the load is for.
    pub purpose: LoadPurpose,
    /// True if a folder without files is valid, as for a destroy plan.
    pub bare: bool,
    /// The folder outside of which nothing is read; if `None`, the loaded folder.
    pub root: Option<String>,
    /// The inputs that apply.
    pub inputs: RootInputs,
    /// Files with mocked results of functions, in order of precedence.
    pub mocks: Vec<String>,
    /// Folders of module sources, as given by the user; the last of equal ones wins.
    pub modules: Vec<SourceMapping>,
    /// Folders outside of the root that may be read, too.
    pub allowed: Vec<String>,
    /// The provider schemas; may be empty.
    pub schemas: ProviderSchemas,
    /// True if query files of the root are loaded, too.
    pub queries: bool,
    /// Files parsed already while detecting the edition.
    pub parsed: ParsedFiles,
}

impl LoadOptions {
    /// Returns true if a load with other options reads the same code in the same way.
    pub fn is_same(&self, other: &LoadOptions) -> bool {
        // Destructured, so that no future field is forgotten here.
        let LoadOptions {
            edition,
            evidence,
            is_guess,
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
            // Parsing does not depend on the thread.
            parsed: _,
        } = self;
        (edition, evidence, workspace) == (&other.edition, &other.evidence, &other.workspace)
            && (purpose, bare, queries, inputs, is_guess)
                == (&other.purpose, &other.bare, &other.queries, &other.inputs, &other.is_guess)
            && (root, mocks, modules, allowed)
                == (&other.root, &other.mocks, &other.modules, &other.allowed)
            && schemas.is_same(&other.schemas)
    }
}

/// The options of evaluating a project, such as inputs, clock, limits and threads. Module sources may be computed, so loading
/// needs them as well; a loaded project can be evaluated with others.
#[derive(Clone, Default, Debug)]
pub struct RunOptions {
    /// Values given to variables of the root, in order: the last wins. Those that decide which code is read need another load.
    pub assignments: Vec<InputAssignment>,
    /// The result of clock functions; if `None`, they are unknown.
    pub now: Option<Moment>,
    /// The seed of random functions; if `None`, they are unknown.
    pub seed: Option<u64>,
    /// The bounds of one evaluation.
    pub limits: Limits,
    /// The budget of the whole run: all evaluations, all threads, and loading if it is part of the run.
    pub budget: Budget,
    /// The cache of texts read during the run.
    pub readings: ReadingCache,
    /// The number of threads for evaluation. Results do not depend on it.
    pub threads: ThreadCount,
    /// The value of `path.cwd`, if it differs from the base of the host's relative paths.
    pub cwd: Option<String>,
    /// The options of fingerprints of unknown values; `None` for no fingerprints.
    pub trace: Option<Arc<TraceOptions>>,
    /// True if root variables without a value are unknown, regardless of defaults: a module is then checked for all possible
    /// callers.
    pub open_inputs: bool,
}

/// The options by which equal unknowns of two compared evaluations get equal fingerprints: which files a function call may read,
/// and which address a moved object has in the other evaluation.
#[derive(Clone, Debug)]
pub struct TraceOptions {
    /// The files that calls with unknown arguments may read, represented by fingerprints.
    pub files: Arc<OtherFiles>,
    /// The addresses of moved objects in the other evaluation, by those in this one.
    pub moved: FxHashMap<InstanceAddress, InstanceAddress>,
}

/// A module source and the folder that replaces it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceMapping {
    /// The source as written in calls, optionally with `@` and a version.
    pub source: String,
    /// The folder.
    pub dir: String,
    /// The origin of the mapping, for messages.
    pub origin: String,
}

/// The maximum number of threads that evaluate cells, and the number of cells from which several are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ThreadCount {
    /// Maximum number of threads; 0 and 1 mean one.
    pub most: usize,
    /// Minimum number of ready cells for which starting threads is worthwhile.
    pub from: usize,
}

impl ThreadCount {
    /// Returns a thread count with this maximum, which uses several threads where worthwhile.
    pub fn up_to(most: usize) -> ThreadCount {
        ThreadCount { most, from: 1_000 }
    }
}

impl Default for ThreadCount {
    fn default() -> ThreadCount {
        ThreadCount::up_to(1)
    }
}

/// The inputs with which a project is evaluated: those given to its root module, or none so that the code is checked for any
/// inputs.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum RootInputs {
    /// The given inputs.
    #[default]
    Given,
    /// No inputs: the code is checked for any. Inputs that an edition needs to find modules are read all the same.
    Unknown,
}
