//! What cells have to tell beside their values: what became of conditions, and whether data was read.

/// The verdict on a condition, the best first: of several the last counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ConditionVerdict {
    /// It holds.
    Pass,
    /// It depends on something unknown.
    Unknown,
    /// It does not hold.
    Fail,
    /// It could not be worked out.
    Error,
}

impl ConditionVerdict {
    /// The word for machines.
    pub fn slug(self) -> &'static str {
        match self {
            ConditionVerdict::Pass => "pass",
            ConditionVerdict::Unknown => "unknown",
            ConditionVerdict::Fail => "fail",
            ConditionVerdict::Error => "error",
        }
    }
}

/// The outcome of all conditions of one object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConditionOutcome {
    /// The worst of them.
    pub verdict: ConditionVerdict,
    /// The messages of those that do not hold.
    pub problems: Vec<String>,
}

impl Default for ConditionOutcome {
    fn default() -> ConditionOutcome {
        ConditionOutcome { verdict: ConditionVerdict::Pass, problems: Vec::new() }
    }
}

impl ConditionOutcome {
    pub(super) fn add(&mut self, verdict: ConditionVerdict) {
        self.verdict = self.verdict.max(verdict);
    }
}

/// The reading of a data source.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DataReading {
    /// It was read.
    Done,
    /// It is read later: its arguments are not known before.
    ConfigUnknown,
    /// It is read later: something it depends on is to be made first.
    DependencyPending,
    /// No provider was asked.
    Unread,
    /// It belongs to a check and could not be read, which stops nothing and is tried again later.
    Failed,
}

impl DataReading {
    /// Returns true if it is read only while the plan is carried out.
    pub fn is_later(self) -> bool {
        matches!(self, DataReading::ConfigUnknown | DataReading::DependencyPending)
    }
}
