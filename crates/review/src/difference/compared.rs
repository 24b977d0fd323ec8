//! What differs, as a tree. What is the same on both sides is kept whole and looked into only by who shows it, so that
//! nothing huge is taken apart for nothing.

use groma_value::{Causes, Str, Value};

use super::way::Way;

/// What becomes of something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sign {
    Same,
    Add,
    Remove,
    Change,
}

impl Sign {
    /// The sign of a whole, from that of a part. What is there on both sides begins as the same.
    pub(super) fn with(self, part: Sign) -> Sign {
        match (self, part) {
            (own, Sign::Same) => own,
            (own, part) if own == part => own,
            _ => Sign::Change,
        }
    }
}

/// That something begins to be hidden, or is no longer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Veil {
    Falls { is_same: bool },
    Lifts { is_same: bool },
}

/// Something with what becomes of it.
#[derive(Clone, Debug)]
pub(crate) struct Compared {
    pub(crate) sign: Sign,
    /// Whether this is why an object has to be replaced.
    pub(crate) forces: bool,
    pub(crate) veil: Option<Veil>,
    /// Whether it is not from the code, but from a mock.
    pub(crate) is_mocked: bool,
    /// Where the difference comes from.
    pub(crate) note: Option<Str>,
    pub(crate) form: Form,
}

/// What it looks like.
#[derive(Clone, Debug)]
pub(crate) enum Form {
    /// One value, looked into only where it is shown.
    Kept { value: Value, typed: bool },
    /// Null, a truth, a number or a text on one line, before and after.
    Scalar(Option<Value>, Option<Value>),
    /// A text of several lines.
    Lines { lines: Vec<(Sign, Str)>, is_blank: bool },
    /// A text that says a value in another language.
    Coded { word: &'static str, inner: Box<Compared>, is_blank: bool },
    /// Elements. Those around a change are shown where their order counts.
    Items { all: Vec<Compared>, is_ordered: bool },
    /// Attributes, or elements by key.
    Fields { all: Vec<(Str, Compared)>, is_map: bool },
    /// Not known afterwards; what was there before, if anything was.
    Unknown { before: Option<Box<Compared>>, causes: Causes },
    /// Not known before.
    Known { causes: Causes, after: Option<Box<Compared>> },
    /// Something of another kind.
    Turned(Box<Compared>, Box<Compared>),
    /// Not to be shown.
    Hidden,
    /// Handed to the provider and never kept.
    WriteOnly,
    /// A block.
    Block(Box<Body>),
}

impl Compared {
    pub(crate) fn new(sign: Sign, form: Form) -> Compared {
        Compared { sign, forces: false, is_mocked: false, veil: None, note: None, form }
    }

    pub(super) fn on(mut self, way: Way<'_>) -> Compared {
        self.forces = way.forces();
        self.note = way.note().cloned();
        self
    }
}

/// What differs in an object.
#[derive(Clone, Default, Debug)]
pub(crate) struct Body {
    /// The attributes that there are, by name.
    pub(crate) attributes: Vec<(Str, Compared)>,
    /// The blocks that there are, by the word that starts them.
    pub(crate) blocks: Vec<Nest>,
    /// How many attributes are left to their provider, which alone knows their defaults.
    pub(crate) left: usize,
    /// How many kinds of blocks are.
    pub(crate) left_blocks: usize,
    /// Whether nothing of it may be shown.
    pub(crate) is_hidden: bool,
}

/// A block and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Nest {
    pub(crate) name: Str,
    /// What tells it from its like, where that is a label.
    pub(crate) label: Option<Str>,
    pub(crate) node: Compared,
}
