//! The options of loading and evaluating a template. None of them is read from the machine: that is the host's part.

use groma_functions::ReadingCache;
use groma_inputs::InputAssignment;
use groma_runtime::{Budget, Edition, Limits, Moment};

/// The options of loading and evaluating a Packer template.
#[derive(Clone, Default, Debug)]
pub struct TemplateOptions {
    /// The Packer version; if `None`, the newest known.
    pub edition: Option<Edition>,
    /// Values given on the command line, in order: the last wins.
    pub assignments: Vec<InputAssignment>,
    /// The result of clock functions; if `None`, they are unknown.
    pub now: Option<Moment>,
    /// The seed of random functions; if `None`, they are unknown.
    pub seed: Option<u64>,
    /// The bounds of one evaluation.
    pub limits: Limits,
    /// The budget of the whole run: loading, all evaluations, all threads.
    pub budget: Budget,
    /// The cache of texts read during the run.
    pub readings: ReadingCache,
    /// Files with mocked results of functions, in order of precedence.
    pub mocks: Vec<String>,
    /// The value of `path.cwd`, if it differs from the base of the host's relative paths.
    pub cwd: Option<String>,
    /// True if a variable without a value is an error; otherwise it is unknown.
    pub strict: bool,
    /// True if the template is judged as Packer would where it runs: missing files and plugins without a requirement are then
    /// errors, otherwise warnings.
    pub judging: bool,
    /// True if `env` of an unset environment variable is unknown, not the empty string.
    pub open_environment: bool,
    /// True if data blocks are evaluated that need no service: Packer's own `null`.
    pub evaluates_data: bool,
    /// True if all data is evaluated before all locals, so that data cannot refer to locals.
    pub sequential: bool,
    /// Patterns of builds to keep; empty for all.
    pub only: Vec<String>,
    /// Patterns of builds and post-processors to leave out.
    pub except: Vec<String>,
}
