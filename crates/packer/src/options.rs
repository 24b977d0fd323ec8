//! What a template is loaded and evaluated with. Nothing here is read from the machine: that is the host's part.

use groma_folder::Assignment;
use groma_functions::Readings;
use groma_runtime::{Budget, Edition, Limits, Moment};

/// Everything that may be chosen about loading and evaluating a template.
#[derive(Clone, Default, Debug)]
pub struct Options {
    /// The version of Packer; without it the newest known.
    pub edition: Option<Edition>,
    /// Values given on the command line, in the order written there: the later wins.
    pub assignments: Vec<Assignment>,
    /// The time that clock functions tell; without it they are unknown.
    pub now: Option<Moment>,
    /// The seed of random functions; without it they are unknown.
    pub seed: Option<u64>,
    /// The bounds of one evaluation.
    pub limits: Limits,
    /// What the whole run may use: loading, all evaluations, all threads.
    pub budget: Budget,
    /// What texts were read as, for all of that.
    pub readings: Readings,
    /// Files with answers of functions that cannot be asked, in the order in which they count.
    pub mocks: Vec<String>,
    /// What `path.cwd` says, where that is not where the host's relative paths start.
    pub cwd: Option<String>,
    /// Whether a variable without a value is an error; without it, it is unknown.
    pub strict: bool,
    /// Whether the template is judged as Packer would where it runs: a file that is not there and a plugin that is
    /// not asked for are errors then, else they are worth a warning.
    pub judging: bool,
    /// Whether `env` of a name that the environment does not have is unknown, and not the empty text.
    pub open_environment: bool,
    /// Whether data is evaluated that needs nobody to be asked: Packer's own `null`.
    pub evaluates_data: bool,
    /// Whether all data comes before all locals, so that no data may refer to a local.
    pub sequential: bool,
    /// Patterns of builds to keep; all of them where there are none.
    pub only: Vec<String>,
    /// Patterns of builds and post-processors to leave out.
    pub except: Vec<String>,
}
