//! What a call may look at besides its arguments.

use std::sync::LazyLock;

use groma_runtime::{Budget, Host, Limits, MemoryHost, Meter, Moment, Quota, Semantics};
use groma_value::{Causes, Value};

use crate::{FunctionReads, ReadingCache};

/// The call site, which determines the causes of results that depend on the clock or on randomness.
pub trait CauseSite {
    /// Returns the causes of an unknown result of `function`, which reads `reads`.
    fn causes(&self, function: &'static str, reads: FunctionReads) -> Causes;

    /// Returns the mocked result of `function`, if there is one.
    fn mocked(&self, _function: &'static str, _args: &[Value]) -> Option<Value> {
        None
    }

    /// Returns the causes of a result of `function` that is unknown although all its arguments are known.
    fn undecided(&self, _function: &'static str) -> Causes {
        Causes::NONE
    }

    /// Returns true if an unknown with these causes exists only in static evaluation: the reference programs know more about
    /// it.
    fn is_known_elsewhere(&self, _causes: &Causes) -> bool {
        false
    }

    /// Returns a number that differs between calls and is stable across evaluations of the same code; with a pinned seed it
    /// determines random results.
    fn draw(&self) -> u64 {
        0
    }
}

/// A call site without causes.
#[derive(Clone, Copy, Debug)]
pub struct NoCauses;

impl CauseSite for NoCauses {
    fn causes(&self, _function: &'static str, _reads: FunctionReads) -> Causes {
        Causes::NONE
    }
}

/// The context of a call besides its arguments. Borrowed for one call.
#[derive(Clone, Copy)]
pub struct CallContext<'a> {
    /// Files and the environment.
    pub host: &'a dyn Host,
    /// The edition's behaviour.
    pub semantics: &'a Semantics,
    /// The bounds.
    pub limits: &'a Limits,
    /// The budget of the run.
    pub budget: &'a Budget,
    /// The meter of the calling evaluation.
    pub meter: &'a Meter,
    /// The cache of texts that were read before.
    pub readings: &'a ReadingCache,
    /// The pinned clock; without it the clock is unknown.
    pub now: Option<Moment>,
    /// The pinned chance; without it results that need chance are unknown.
    pub seed: Option<u64>,
    /// The place where relative file names of file functions start.
    pub base: &'a str,
    /// The reason why results of clock and chance are unknown.
    pub site: &'a dyn CauseSite,
    /// True if what the arguments came out of is not to be shown, though they carry no mark: elements
    /// of a sensitive collection while it is walked.
    pub hidden: bool,
}

impl<'a> CallContext<'a> {
    /// Returns a context with `semantics`, without files and with unlimited calls.
    pub fn bare(semantics: &'a Semantics) -> CallContext<'a> {
        /// A host without files or environment.
        static NOTHING: LazyLock<MemoryHost> = LazyLock::new(MemoryHost::new);
        /// A budget without limits.
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
        /// A meter that never runs out.
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
