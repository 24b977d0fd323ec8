//! A point in time. A run may pin its clock to one; the current time is not read here.

/// A point in time in UTC, as used by functions of the language such as `timestamp`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Moment {
    /// Seconds since 1970-01-01T00:00:00Z, negative before.
    pub seconds: i64,
    /// Nanoseconds after that second.
    pub nanoseconds: u32,
}
