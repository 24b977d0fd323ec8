//! What a call may look at besides its arguments.

use std::sync::LazyLock;

use groma_runtime::{Budget, Host, Limits, MemoryHost, Meter, Moment, Quota, Semantics};
use groma_value::{Causes, Value};

use crate::{Readings, Reads};

/// Who can say why a call that reads the clock or chance is unknown.
pub trait Site {
    /// The causes of an unknown result of `function`, which reads `reads`.
    fn causes(&self, function: &'static str, reads: Reads) -> Causes;

    /// What is to be taken for the result of `function`, if somebody has said so.
    fn mocked(&self, _function: &'static str, _args: &[Value]) -> Option<Value> {
        None
    }

    /// The causes of a result of `function` that is unknown although all that it is given is known.
    fn undecided(&self, _function: &'static str) -> Causes {
        Causes::NONE
    }

    /// Whether an unknown with these causes is one only here: the programs know more of it.
    fn is_known_elsewhere(&self, _causes: &Causes) -> bool {
        false
    }

    /// A number that differs from call to call and is the same when the same code is evaluated
    /// again: with the pinned chance it makes what looks like chance.
    fn draw(&self) -> u64 {
        0
    }
}

/// A site without causes.
#[derive(Clone, Copy, Debug)]
pub struct NoSite;

impl Site for NoSite {
    fn causes(&self, _function: &'static str, _reads: Reads) -> Causes {
        Causes::NONE
    }
}

/// What a call may look at besides its arguments. Borrowed for one call.
#[derive(Clone, Copy)]
pub struct CallContext<'a> {
    /// Files and the environment.
    pub host: &'a dyn Host,
    /// How the edition behaves.
    pub semantics: &'a Semantics,
    /// The bounds.
    pub limits: &'a Limits,
    /// What the run may still use.
    pub budget: &'a Budget,
    /// What the evaluation that calls has used of it.
    pub meter: &'a Meter,
    /// What texts were read as before.
    pub readings: &'a Readings,
    /// The pinned clock; without it the clock is unknown.
    pub now: Option<Moment>,
    /// The pinned chance; without it results that need chance are unknown.
    pub seed: Option<u64>,
    /// Where relative file names of file functions start.
    pub base: &'a str,
    /// Why results of clock and chance are unknown.
    pub site: &'a dyn Site,
    /// Whether what the arguments came out of is not to be shown, though they carry no mark: elements
    /// of a sensitive collection while it is walked.
    pub hidden: bool,
}

impl<'a> CallContext<'a> {
    /// A context over `semantics` that sees an empty world, and whose calls are not counted.
    pub fn bare(semantics: &'a Semantics) -> CallContext<'a> {
        static NOTHING: LazyLock<MemoryHost> = LazyLock::new(MemoryHost::new);
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
        static UNCOUNTED: Meter = Meter::new(u64::MAX);
        CallContext {
            host: &*NOTHING,
            semantics,
            limits: &Limits::DEFAULT,
            budget: &ENDLESS,
            meter: &UNCOUNTED,
            readings: &Readings::FORGETFUL,
            now: None,
            seed: None,
            base: "/",
            site: &NoSite,
            hidden: false,
        }
    }
}
