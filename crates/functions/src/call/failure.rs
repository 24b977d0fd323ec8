//! Failures: the reasons why a call has no result. A failure names its argument by index; the evaluator adds the place in the
//! source.

use groma_runtime::LimitExcess;
use groma_value::{Mismatch, Path, Sentence};

/// The reason why a call has no result: the index of the argument that caused it, a kind and a message.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The index of the argument that caused the failure, from 0. For [`FailureKind::Arity`]: the first superfluous argument, or
    /// `None` if there are too few.
    pub argument: Option<usize>,
    /// The kind of failure.
    pub kind: FailureKind,
    /// One or more full sentences. [`call`](crate::call) withholds them if they may quote a marked argument.
    pub message: Sentence,
    /// The path to the part of the argument that caused the failure; empty for the whole argument.
    pub path: Path,
}

/// The kind of a failed call: wrong argument count, invalid argument, exceeded limit and others. It determines the diagnostic
/// code, and if `try` catches the failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FailureKind {
    /// Too many or too few arguments.
    Arity,
    /// An argument that is not valid.
    Argument,
    /// A failure of the call as a whole.
    Whole,
    /// An exceeded limit of the evaluation or of the run. `try` does not catch it.
    Limit(LimitExcess),
    /// A function that this build leaves out. `try` does not catch it, since any other result would be wrong.
    LeftOut,
}

impl Failure {
    /// Creates a failure of the call as a whole, not of one argument, with its message.
    pub fn whole(message: impl Into<Sentence>) -> Failure {
        let message = message.into();
        Failure { argument: None, kind: FailureKind::Whole, message, path: Path::default() }
    }

    /// Creates the failure of a call that exceeded a limit, without a message: the evaluation ends with its own error for the
    /// limit.
    pub fn limit(excess: LimitExcess) -> Failure {
        let kind = FailureKind::Limit(excess);
        Failure { argument: None, kind, message: "".into(), path: Path::default() }
    }

    /// Creates the failure of a call of a function that this build omits; `feature` is the missing build feature.
    pub fn left_out(feature: &str) -> Failure {
        let message =
            format!("This build of Groma does not include \"{feature}\". Use a full build.");
        Failure { kind: FailureKind::LeftOut, ..Failure::whole(Sentence::trusted(message)) }
    }

    /// Creates a failure caused by the argument at an index, with its message.
    pub fn argument(argument: usize, message: impl Into<Sentence>) -> Failure {
        let message = message.into();
        let path = Path::default();
        Failure { argument: Some(argument), kind: FailureKind::Argument, message, path }
    }

    /// Creates the failure of an argument that does not convert to the type of the parameter named `parameter`.
    pub fn mismatch(argument: usize, parameter: &str, mismatch: Mismatch) -> Failure {
        let message =
            format!("The argument for \"{parameter}\" does not fit: {}.", mismatch.message).into();
        let kind = FailureKind::Argument;
        Failure { argument: Some(argument), kind, message, path: mismatch.path }
    }

    /// Returns the failure for display; with `hidden`, its message and path show no values.
    #[must_use]
    pub fn shown(self, hidden: bool) -> Failure {
        let path = if hidden { Path::default() } else { self.path };
        Failure { message: self.message.shown(hidden), path, ..self }
    }

    /// Returns the failure without the path into its argument and with its message declared safe to show, since it quotes no
    /// hidden value.
    pub(crate) fn trusted(self) -> Failure {
        let message = Sentence::trusted(self.message.into_text());
        Failure { message, path: Path::default(), ..self }
    }

    /// Returns the failure with its path set, which leads to the part of the argument that caused it.
    pub fn at(mut self, path: Path) -> Failure {
        self.path = path;
        self
    }
}
