//! The inputs of a call besides its arguments.

use std::sync::LazyLock;

use groma_runtime::{Budget, Host, Limits, MemoryHost, Meter, Moment, Quota, Semantics};
use groma_value::{Causes, Value};

use crate::{FunctionReads, ReadingCache};

/// The place of a call, which provides the causes of results that depend on the clock or on randomness, and mocked results.
pub trait CauseSite {
    /// Returns the causes of an unknown result of `function`, whose external input is `reads`.
    fn causes(&self, function: &'static str, reads: FunctionReads) -> Causes;

    /// Returns the mocked result of `function` for these arguments, if a mock applies.
    fn mocked(&self, _function: &'static str, _args: &[Value]) -> Option<Value> {
        None
    }

    /// Returns the causes of a result of `function` that is unknown although all its arguments are known.
    fn undecided(&self, _function: &'static str) -> Causes {
        Causes::NONE
    }

    /// Returns true if an unknown with these causes is known, at least in part, to the reference programs.
    fn is_known_elsewhere(&self, _causes: &Causes) -> bool {
        false
    }

    /// Returns a number that differs between the calls of an evaluation and is the same whenever the code is evaluated again;
    /// with a fixed seed it determines random results.
    fn draw(&self) -> u64 {
        0
    }
}

/// The place of a call whose unknown results get no causes and which no mock applies to.
#[derive(Clone, Copy, Debug)]
pub struct NoCauses;

impl CauseSite for NoCauses {
    fn causes(&self, _function: &'static str, _reads: FunctionReads) -> Causes {
        Causes::NONE
    }
}

/// The inputs of a call besides its arguments, borrowed for one call.
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
    /// The fixed time; `None` if results of the clock are unknown.
    pub now: Option<Moment>,
    /// The seed of random results; `None` if they are unknown.
    pub seed: Option<u64>,
    /// The folder to which file functions resolve relative names.
    pub base: &'a str,
    /// The place of the call, for causes and mocks.
    pub site: &'a dyn CauseSite,
    /// True if messages must not show the arguments though they carry no mark: they may be elements of a sensitive collection
    /// that is iterated.
    pub hidden: bool,
}

impl<'a> CallContext<'a> {
    /// Returns a context with `semantics`, without files and without limits on calls.
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
            readings: &ReadingCache::FORGETFUL,
            now: None,
            seed: None,
            base: "/",
            site: &NoCauses,
            hidden: false,
        }
    }
}
