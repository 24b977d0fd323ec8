//! Why a call has no value. A failure knows which argument is to blame, not where that argument
//! stands in the source: the evaluator adds the place.

use groma_runtime::LimitExcess;
use groma_value::{Mismatch, Path, Sentence};

/// The reason why a call has no result: the argument to blame, a kind and a message.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The argument to blame, counted from 0. Of [`FailureKind::Arity`]: the first one too many,
    /// or none if there are too few.
    pub argument: Option<usize>,
    /// The kind of failure.
    pub kind: FailureKind,
    /// One or more full sentences. The call path withholds what may quote a marked argument.
    pub message: Sentence,
    /// The place where inside the argument.
    pub path: Path,
}

/// The kind of failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FailureKind {
    /// Too many arguments or too few.
    Arity,
    /// One argument does not do.
    Argument,
    /// The call as a whole.
    Whole,
    /// A bound of the evaluation or of the run is met. Nothing catches it.
    Limit(LimitExcess),
    /// This build leaves out what the function needs. Nothing catches it: another answer would be a wrong one.
    LeftOut,
}

impl Failure {
    /// Creates a failure of the call as a whole.
    pub fn whole(message: impl Into<Sentence>) -> Failure {
        let message = message.into();
        Failure { argument: None, kind: FailureKind::Whole, message, path: Path::default() }
    }

    /// Creates a failure for an exceeded limit; the caller ends the evaluation and describes the work.
    pub fn limit(excess: LimitExcess) -> Failure {
        let kind = FailureKind::Limit(excess);
        Failure { argument: None, kind, message: "".into(), path: Path::default() }
    }

    /// Creates a failure for a function that this build omits, naming the missing feature.
    pub fn left_out(feature: &str) -> Failure {
        let message =
            format!("This build of Groma does not include \"{feature}\". Use a full build.");
        Failure { kind: FailureKind::LeftOut, ..Failure::whole(Sentence::trusted(message)) }
    }

    /// Creates a failure of one argument.
    pub fn argument(argument: usize, message: impl Into<Sentence>) -> Failure {
        let message = message.into();
        let path = Path::default();
        Failure { argument: Some(argument), kind: FailureKind::Argument, message, path }
    }

    /// Creates a failure of an argument whose type does not fit its parameter.
    pub fn mismatch(argument: usize, parameter: &str, mismatch: Mismatch) -> Failure {
        let message =
            format!("The argument for \"{parameter}\" does not fit: {}.", mismatch.message).into();
        let kind = FailureKind::Argument;
        Failure { argument: Some(argument), kind, message, path: mismatch.path }
    }

    /// Returns the failure for display: without values and paths if `hidden`.
    #[must_use]
    pub fn shown(self, hidden: bool) -> Failure {
        let path = if hidden { Path::default() } else { self.path };
        Failure { message: self.message.shown(hidden), path, ..self }
    }

    /// Returns the failure with its message marked as safe to show, since it was made without hidden values.
    pub(crate) fn trusted(self) -> Failure {
        let message = Sentence::trusted(self.message.into_text());
        Failure { message, path: Path::default(), ..self }
    }

    /// Returns the failure at `path` inside the argument.
    pub fn at(mut self, path: Path) -> Failure {
        self.path = path;
        self
    }
}
