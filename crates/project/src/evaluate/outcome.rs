//! Results of cells besides their values: outcomes of conditions, and the status of data sources.

/// The verdict on a condition, from best to worst: of several verdicts the worst counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ConditionVerdict {
    /// The condition is true.
    Pass,
    /// The condition is unknown.
    Unknown,
    /// The condition is false.
    Fail,
    /// The condition could not be evaluated.
    Error,
}

impl ConditionVerdict {
    /// Returns the name of the verdict in machine-readable output.
    pub fn slug(self) -> &'static str {
        match self {
            ConditionVerdict::Pass => "pass",
            ConditionVerdict::Unknown => "unknown",
            ConditionVerdict::Fail => "fail",
            ConditionVerdict::Error => "error",
        }
    }
}

/// The combined outcome of all conditions of one variable, resource instance, output or check: the worst verdict, and the
/// messages of the conditions that failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConditionOutcome {
    /// The worst verdict.
    pub verdict: ConditionVerdict,
    /// The messages of the failed conditions.
    pub problems: Vec<String>,
}

impl Default for ConditionOutcome {
    fn default() -> ConditionOutcome {
        ConditionOutcome { verdict: ConditionVerdict::Pass, problems: Vec::new() }
    }
}

impl ConditionOutcome {
    /// Adds the verdict of one condition to the outcome, which keeps the worst.
    pub(super) fn add(&mut self, verdict: ConditionVerdict) {
        self.verdict = self.verdict.max(verdict);
    }
}

/// The status of reading a data source: read now, left until apply, not read at all, or tried without success.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DataReading {
    /// The data source was read.
    Done,
    /// Read during apply, because its arguments are unknown until then.
    ConfigUnknown,
    /// Read during apply, because a dependency is created first.
    DependencyPending,
    /// No provider was asked.
    Unread,
    /// The data source belongs to a check and could not be read, which stops nothing and is retried later.
    Failed,
}

impl DataReading {
    /// Returns true if the data source is read only during apply.
    pub fn is_later(self) -> bool {
        matches!(self, DataReading::ConfigUnknown | DataReading::DependencyPending)
    }
}
