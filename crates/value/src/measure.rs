//! How deep and how large something is when it is written out. Values and types share their parts, so one of a few nodes
//! may be as large as one likes when it is walked; whoever makes it looks here first.

/// Depth and weight; adding children makes it that of their parent.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Measure {
    /// Levels of nesting below; 0 for what has no parts.
    pub depth: u32,
    /// About how many bytes it takes, shared parts counted wherever they stand.
    pub weight: u64,
}

impl Measure {
    /// What a part takes besides its own content: a comma, and what it is set in by.
    const PART: u64 = 10;

    /// A parent without parts.
    pub const PARENT: Measure = Measure { depth: 1, weight: 0 };

    /// Takes in one part.
    #[inline]
    pub fn add(&mut self, part: Measure) {
        self.depth = self.depth.max(part.depth.saturating_add(1));
        self.weight = self.weight.saturating_add(part.weight).saturating_add(Measure::PART);
    }

    /// Takes in the name of a part.
    pub(crate) fn add_name(&mut self, name: &str) {
        self.weight = self.weight.saturating_add(name.len() as u64);
    }

    /// The parent of these parts.
    pub(crate) fn over(parts: impl IntoIterator<Item = Measure>) -> Measure {
        let mut all = Measure::PARENT;
        for part in parts {
            all.add(part);
        }
        all
    }
}
