//! Measures of depth and size of values and types, as written out. Their parts are shared, so one of a few nodes may be huge
//! when it is traversed; code that creates them checks these measures first.

/// The nesting depth of a value or type, and its approximate size in bytes when written out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct ValueMeasure {
    /// The number of nesting levels; 0 for a value without parts.
    pub depth: u32,
    /// The approximate size in bytes; shared parts count wherever they occur.
    pub weight: u64,
}

impl ValueMeasure {
    /// The approximate bytes that each element or attribute adds to the size of a collection besides its content: separators and
    /// indentation.
    const PART: u64 = 10;

    /// The measure of a collection without elements, to which those of its parts are added.
    pub const PARENT: ValueMeasure = ValueMeasure { depth: 1, weight: 0 };

    /// Adds one more part to the measure of a collection: its size, and its depth plus one if that is the greatest.
    #[inline]
    pub fn add(&mut self, part: ValueMeasure) {
        self.depth = self.depth.max(part.depth.saturating_add(1));
        self.weight = self.weight.saturating_add(part.weight).saturating_add(ValueMeasure::PART);
    }

    /// Adds the size of an attribute's name to the measure of the object that contains it.
    pub(crate) fn add_name(&mut self, name: &str) {
        self.weight = self.weight.saturating_add(name.len() as u64);
    }

    /// Returns the measure of a collection from those of its parts.
    pub(crate) fn of_parts(parts: impl IntoIterator<Item = ValueMeasure>) -> ValueMeasure {
        let mut all = ValueMeasure::PARENT;
        for part in parts {
            all.add(part);
        }
        all
    }
}
