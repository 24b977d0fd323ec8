//! The options of loading and evaluating a template. Nothing here is read from the machine: that is the host's part.

use groma_config::InputAssignment;
use groma_functions::ReadingCache;
use groma_runtime::{Budget, Edition, Limits, Moment};

/// Everything that may be chosen about loading and evaluating a template.
#[derive(Clone, Default, Debug)]
pub struct TemplateOptions {
    /// The version of Packer; without it the newest known.
    pub edition: Option<Edition>,
    /// Values given on the command line, in the order written there: the later wins.
    pub assignments: Vec<InputAssignment>,
    /// The time that clock functions tell; without it they are unknown.
    pub now: Option<Moment>,
    /// The seed of random functions; without it they are unknown.
    pub seed: Option<u64>,
    /// The bounds of one evaluation.
    pub limits: Limits,
    /// The budget of the whole run: loading, all evaluations, all threads.
    pub budget: Budget,
    /// The cache of texts that were read, for all of that.
    pub readings: ReadingCache,
    /// Files with answers of functions that cannot be asked, in the order in which they count.
    pub mocks: Vec<String>,
    /// The value of `path.cwd`, where that is not where the host's relative paths start.
    pub cwd: Option<String>,
    /// True if a variable without a value is an error; without it, it is unknown.
    pub strict: bool,
    /// True if the template is judged as Packer would where it runs: a file that is not there and a plugin that is
    /// not asked for are errors then, else they are worth a warning.
    pub judging: bool,
    /// True if `env` of a name that the environment does not have is unknown, and not the empty text.
    pub open_environment: bool,
    /// True if data is evaluated that needs no service to be asked: Packer's own `null`.
    pub evaluates_data: bool,
    /// True if all data comes before all locals, so that no data may refer to a local.
    pub sequential: bool,
    /// Patterns of builds to keep; all of them where there are none.
    pub only: Vec<String>,
    /// Patterns of builds and post-processors to leave out.
    pub except: Vec<String>,
}
