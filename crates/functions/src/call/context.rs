//! The inputs of a call besides its arguments: host, semantics, limits and the call site.

use std::sync::LazyLock;

use groma_runtime::{Budget, Host, Limits, MemoryHost, Meter, Moment, Quota, Semantics};
use groma_value::{Causes, Value};

use crate::{FunctionReads, ReadingCache};

/// A call site as a function sees it: it provides causes for results that depend on the clock or on randomness, and mocked
/// results.
pub trait CauseSite {
    /// Returns the causes for an unknown result of `function`, which depends on the external input `reads`.
    fn causes(&self, function: &'static str, reads: FunctionReads) -> Causes;

    /// Returns the mocked result of `function` for these arguments; `None` if no mock applies.
    fn mocked(&self, _function: &'static str, _args: &[Value]) -> Option<Value> {
        None
    }

    /// Returns the causes of a result of `function` that is unknown because an argument is an untyped null, although none is
    /// unknown.
    fn undecided(&self, _function: &'static str) -> Causes {
        Causes::NONE
    }

    /// Returns true if a value that is unknown here for these causes is known, at least in part, to the reference programs.
    fn is_known_elsewhere(&self, _causes: &Causes) -> bool {
        false
    }

    /// Returns a number that differs between the call sites of an evaluation and is the same whenever the code is evaluated
    /// again; with a fixed seed it determines random results.
    fn draw(&self) -> u64 {
        0
    }
}

/// A call site without causes and without mocks, for calls in isolation.
#[derive(Clone, Copy, Debug)]
pub struct NoCauses;

impl CauseSite for NoCauses {
    fn causes(&self, _function: &'static str, _reads: FunctionReads) -> Causes {
        Causes::NONE
    }
}

/// The inputs of a call besides its arguments: host, semantics, limits, budget, fixed time and seed, and the call site.
#[derive(Clone, Copy)]
pub struct CallContext<'a> {
    /// The host that reads files and the environment.
    pub host: &'a dyn Host,
    /// The semantics of the edition.
    pub semantics: &'a Semantics,
    /// The limits of the evaluation.
    pub limits: &'a Limits,
    /// The budget of the run.
    pub budget: &'a Budget,
    /// The meter of the calling evaluation.
    pub meter: &'a Meter,
    /// The cache of parsed documents and compiled patterns.
    pub readings: &'a ReadingCache,
    /// The fixed time of all clock functions; `None` if their results are unknown.
    pub now: Option<Moment>,
    /// The seed of random results; `None` if they are unknown.
    pub seed: Option<u64>,
    /// The folder to which file functions resolve relative names.
    pub base: &'a str,
    /// The call site, for causes and mocks.
    pub site: &'a dyn CauseSite,
    /// True if messages must not show the arguments even if they have no marks: they may be elements of a sensitive collection
    /// that is iterated.
    pub hidden: bool,
}

impl<'a> CallContext<'a> {
    /// Returns a context for calls in isolation: with these semantics, without files, time and seed, and without limits on steps
    /// and bytes.
    pub fn bare(semantics: &'a Semantics) -> CallContext<'a> {
        /// A host without files or environment, for calls in isolation.
        static NOTHING: LazyLock<MemoryHost> = LazyLock::new(MemoryHost::new);
        /// A budget without limits, for calls in isolation.
        static ENDLESS: LazyLock<Budget> = LazyLock::new(|| {
            let most = u64::MAX;
            Budget::new(Quota {
                steps: most,
                bytes: most,
                instances: most,
                source_bytes: most,
                output_bytes: most,
            })
        });
        /// A meter that never runs out, for calls in isolation.
        static UNCOUNTED: Meter = Meter::new(u64::MAX);
        CallContext {
            host: &*NOTHING,
            semantics,
            limits: &Limits::DEFAULT,
            budget: &ENDLESS,
            meter: &UNCOUNTED,
            readings: &ReadingCache::DISABLED,
            now: None,
            seed: None,
            base: "/",
            site: &NoCauses,
            hidden: false,
        }
    }
}
