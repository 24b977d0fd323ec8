//! All that an evaluation may look at, in one place. It is owned and shared, so that an editor,
//! a server or a thread can hold it. A context is made for every evaluation, so that all but its names is shared as one.

use std::ops::Deref;
use std::sync::Arc;

use groma_functions::ReadingCache;
use groma_runtime::{Budget, Edition, Host, Limits, MemoryHost, Moment, Semantics};
use groma_syntax::Place;
use groma_value::Value;

use crate::{CauseTable, FunctionMocks, NamedValues, OtherFiles, Scope};

/// The inputs of an evaluation: names, an optional tracer, and the shared basis.
#[derive(Clone)]
pub struct Context {
    /// The meaning of root names.
    pub scope: Arc<dyn Scope>,
    /// The observer of every step.
    pub tracer: Option<Arc<dyn Tracer>>,
    /// All else, which is the same for a whole run.
    pub basis: Arc<EvaluationBasis>,
}

/// The part of the context that all evaluations of a run share: host, limits, budget and semantics.
#[derive(Clone)]
pub struct EvaluationBasis {
    /// Files and the environment.
    pub host: Arc<dyn Host>,
    /// The bounds of one evaluation.
    pub limits: Limits,
    /// The budget of the run.
    pub budget: Budget,
    /// The cache of texts that were read in the run.
    pub readings: ReadingCache,
    /// The edition's behaviour.
    pub semantics: Arc<Semantics>,
    /// The pinned clock.
    pub now: Option<Moment>,
    /// The pinned chance.
    pub seed: Option<u64>,
    /// The meaning of cause ids.
    pub causes: Arc<CauseTable>,
    /// The answers in place of functions that cannot be asked.
    pub mocks: Arc<FunctionMocks>,
    /// The place where relative file names of file functions start.
    pub base: Arc<str>,
    /// True if a loop over what is not known is tried with one element, of which the type is known. No program does so,
    /// and what is found then holds for every collection that is not empty.
    pub samples: bool,
    /// The files of which the names are not known. Fingerprints are worked out where this is there.
    pub trace: Option<Arc<OtherFiles>>,
}

impl EvaluationBasis {
    /// Returns a basis without files, for tests and isolated evaluations.
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

    /// Creates a context with this basis and a scope.
    pub fn with_scope(self, scope: Arc<dyn Scope>) -> Context {
        Context { scope, tracer: None, basis: Arc::new(self) }
    }
}

impl Context {
    /// Creates a context without names and without files.
    pub fn bare(edition: Edition) -> Context {
        EvaluationBasis::bare(edition).with_scope(Arc::new(NamedValues::new()))
    }

    /// Returns the context with another scope.
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

/// A tracer that observes the value of every operation, inner ones first. Values carry no history: explaining a value means
/// evaluating again with a tracer.
pub trait Tracer: Send + Sync {
    /// Called with the value of the operation at `place`.
    fn step(&self, place: Place, value: &Value);
}
