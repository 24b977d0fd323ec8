//! Named bounds on what one evaluation may use. They are far above what real code needs, and
//! exceeding one is always reported.

use groma_value::ValueMeasure;

/// Stack size in bytes of a thread that evaluates code: the deepest code needs 1 MiB, but several times that without
/// optimization.
pub const EVALUATION_STACK: usize = 16 << 20;

/// The limits of one evaluation, such as the number of steps and the nesting and size of values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Maximum nesting of expressions and values.
    pub nesting: usize,
    /// Maximum number of steps: operations, and elements that loops iterate over.
    pub steps: u64,
    /// Maximum length in bytes of a created text, and of a value when it is written out.
    pub value_bytes: usize,
    /// Maximum number of elements in a collection that a function creates.
    pub elements: usize,
    /// Maximum number of elements that `range` returns; the reference programs have the same bound.
    pub range: usize,
    /// Maximum number of diagnostics that one evaluation reports; of further ones only the count.
    pub findings: usize,
}

impl Limits {
    /// The limits that apply unless others are set.
    pub const DEFAULT: Limits = Limits {
        nesting: 350,
        steps: 100_000_000,
        value_bytes: 256 << 20,
        elements: 4_000_000,
        range: 1_024,
        findings: 1_000,
    };
}

impl Limits {
    /// Returns true if a value of this depth and size is within the limits.
    pub fn allow(&self, measure: ValueMeasure) -> bool {
        measure.depth as usize <= self.nesting && measure.weight <= self.value_bytes as u64
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits::DEFAULT
    }
}
