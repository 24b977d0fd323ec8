//! How deep and how large something is when it is written out. Values and types share their parts, so one of a few nodes
//! may be as large as one likes when it is walked; its maker looks here first.

/// The nesting depth and the written size of a value or type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct ValueMeasure {
    /// Levels of nesting below; 0 for what has no parts.
    pub depth: u32,
    /// About how many bytes it takes, shared parts counted wherever they stand.
    pub weight: u64,
}

impl ValueMeasure {
    /// The bytes added for each part besides its content: separators and indentation.
    const PART: u64 = 10;

    /// The measure of a collection without elements.
    pub const PARENT: ValueMeasure = ValueMeasure { depth: 1, weight: 0 };

    /// Adds one part to its parent's measure.
    #[inline]
    pub fn add(&mut self, part: ValueMeasure) {
        self.depth = self.depth.max(part.depth.saturating_add(1));
        self.weight = self.weight.saturating_add(part.weight).saturating_add(ValueMeasure::PART);
    }

    /// Adds the name of a part to its parent's measure.
    pub(crate) fn add_name(&mut self, name: &str) {
        self.weight = self.weight.saturating_add(name.len() as u64);
    }

    /// Returns the measure of the parent of these parts.
    pub(crate) fn over(parts: impl IntoIterator<Item = ValueMeasure>) -> ValueMeasure {
        let mut all = ValueMeasure::PARENT;
        for part in parts {
            all.add(part);
        }
        all
    }
}
