//! What cells have to tell beside their values: what became of conditions, and whether data was read.

/// What became of a condition, the best first: of several the last counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Verdict {
    /// It holds.
    Pass,
    /// It depends on something unknown.
    Unknown,
    /// It does not hold.
    Fail,
    /// It could not be worked out.
    Error,
}

impl Verdict {
    /// The word for machines.
    pub fn slug(self) -> &'static str {
        match self {
            Verdict::Pass => "pass",
            Verdict::Unknown => "unknown",
            Verdict::Fail => "fail",
            Verdict::Error => "error",
        }
    }
}

/// What became of all conditions of one object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The worst of them.
    pub verdict: Verdict,
    /// The messages of those that do not hold.
    pub problems: Vec<String>,
}

impl Default for Outcome {
    fn default() -> Outcome {
        Outcome { verdict: Verdict::Pass, problems: Vec::new() }
    }
}

impl Outcome {
    pub(super) fn add(&mut self, verdict: Verdict) {
        self.verdict = self.verdict.max(verdict);
    }
}

/// Whether a data source was read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reading {
    /// It was read.
    Done,
    /// It is read later: its arguments are not known before.
    ConfigUnknown,
    /// It is read later: something it depends on is to be made first.
    DependencyPending,
    /// Nobody was asked.
    Unread,
    /// It belongs to a check and could not be read, which stops nothing and is tried again later.
    Failed,
}

impl Reading {
    /// Whether it is read only while the plan is carried out.
    pub fn is_later(self) -> bool {
        matches!(self, Reading::ConfigUnknown | Reading::DependencyPending)
    }
}
