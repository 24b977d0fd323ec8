//! The inputs of evaluations. They are owned and shared, so that an editor, a server or a thread can hold them. Each evaluation
//! has a context of its own; all but its names and its tracer is shared as one basis.

use std::ops::Deref;
use std::sync::Arc;

use groma_functions::ReadingCache;
use groma_runtime::{Budget, Edition, Host, Limits, MemoryHost, Moment, Semantics};
use groma_syntax::Place;
use groma_value::Value;

use crate::{CauseTable, FunctionMocks, NamedValues, OtherFiles, Scope};

/// The inputs of an evaluation: the scope of its root names, an optional tracer, and what all evaluations of the run share, such
/// as host and limits.
#[derive(Clone)]
pub struct Context {
    /// The scope that resolves root names.
    pub scope: Arc<dyn Scope>,
    /// The observer of every operation's value.
    pub tracer: Option<Arc<dyn Tracer>>,
    /// The inputs that are the same for the whole run.
    pub basis: Arc<EvaluationBasis>,
}

/// The inputs that all evaluations of a run share: host, limits, budget and semantics.
#[derive(Clone)]
pub struct EvaluationBasis {
    /// The host that reads files and the environment.
    pub host: Arc<dyn Host>,
    /// The bounds of one evaluation.
    pub limits: Limits,
    /// The budget of the run.
    pub budget: Budget,
    /// The cache of texts read during the run.
    pub readings: ReadingCache,
    /// The semantics of the edition.
    pub semantics: Arc<Semantics>,
    /// The fixed time of the functions of the clock; `None` for the host's clock.
    pub now: Option<Moment>,
    /// The seed of random functions; `None` for unpredictable results.
    pub seed: Option<u64>,
    /// The table of causes that the ids in unknown values refer to.
    pub causes: Arc<CauseTable>,
    /// The mocked results of functions that cannot be called.
    pub mocks: Arc<FunctionMocks>,
    /// The folder to which file functions resolve relative names.
    pub base: Arc<str>,
    /// True if a loop over an unknown collection is evaluated for one element of which only the type is known. No reference
    /// program does so; what is found holds for every collection that is not empty.
    pub samples: bool,
    /// The record of files whose names are unknown. Fingerprints are computed only if it is set.
    pub trace: Option<Arc<OtherFiles>>,
}

impl EvaluationBasis {
    /// Returns the inputs shared by the evaluations of a run that has no files and default limits, for tests and for evaluations
    /// outside of a run.
    pub fn bare(edition: Edition) -> EvaluationBasis {
        EvaluationBasis {
            host: Arc::new(MemoryHost::new()),
            limits: Limits::DEFAULT,
            budget: Budget::default(),
            readings: ReadingCache::default(),
            semantics: Semantics::of(edition),
            now: None,
            seed: None,
            causes: Arc::new(CauseTable::new()),
            mocks: Arc::default(),
            base: "/".into(),
            samples: false,
            trace: None,
        }
    }

    /// Creates the context of an evaluation that uses these shared inputs and resolves root names in `scope`.
    pub fn with_scope(self, scope: Arc<dyn Scope>) -> Context {
        Context { scope, tracer: None, basis: Arc::new(self) }
    }
}

impl Context {
    /// Creates a context without names and files, with default limits.
    pub fn bare(edition: Edition) -> Context {
        EvaluationBasis::bare(edition).with_scope(Arc::new(NamedValues::new()))
    }

    /// Returns a copy of the context with `scope` in place of its own scope.
    pub fn with_scope(&self, scope: Arc<dyn Scope>) -> Context {
        Context { scope, ..self.clone() }
    }
}

impl Deref for Context {
    type Target = EvaluationBasis;

    #[inline]
    fn deref(&self) -> &EvaluationBasis {
        &self.basis
    }
}

/// An observer of the value of every operation, inner operations first. Values carry no history: explaining a value means
/// evaluating again with a tracer.
pub trait Tracer: Send + Sync {
    /// Receives the value of the operation at `place`, after it was evaluated.
    fn step(&self, place: Place, value: &Value);
}
