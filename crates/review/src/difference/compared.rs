//! What differs, as a tree. What is the same on both sides is kept whole and looked into only by views, so that
//! nothing huge is taken apart for nothing.

use groma_value::{Causes, Str, Value};

use super::annotations::AnnotationCursor;

/// The sign of a change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ChangeSign {
    Same,
    Add,
    Remove,
    Change,
}

impl ChangeSign {
    /// Combines the sign of a whole with that of a part. A whole with both sides begins as `Same`.
    pub(super) fn with(self, part: ChangeSign) -> ChangeSign {
        match (self, part) {
            (own, ChangeSign::Same) => own,
            (own, part) if own == part => own,
            _ => ChangeSign::Change,
        }
    }
}

/// A change of whether a value is hidden.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum VisibilityChange {
    Falls { is_same: bool },
    Lifts { is_same: bool },
}

/// A compared value with its sign.
#[derive(Clone, Debug)]
pub(crate) struct ComparedValue {
    pub(crate) sign: ChangeSign,
    /// True if this is why an object has to be replaced.
    pub(crate) forces: bool,
    pub(crate) veil: Option<VisibilityChange>,
    /// True if it is not from the code, but from a mock.
    pub(crate) is_mocked: bool,
    /// The place where the difference comes from.
    pub(crate) note: Option<Str>,
    pub(crate) form: ComparedForm,
}

/// The form of a compared value.
#[derive(Clone, Debug)]
pub(crate) enum ComparedForm {
    /// One value, looked into only where it is shown.
    Kept { value: Value, typed: bool },
    /// Null, a truth, a number or a text on one line, before and after.
    Scalar(Option<Value>, Option<Value>),
    /// A text of several lines.
    Lines { lines: Vec<(ChangeSign, Str)>, is_blank: bool },
    /// A text that says a value in another language.
    Coded { word: &'static str, inner: Box<ComparedValue>, is_blank: bool },
    /// Elements. Those around a change are shown where their order counts.
    Items { all: Vec<ComparedValue>, is_ordered: bool },
    /// Attributes, or elements by key.
    Fields { all: Vec<(Str, ComparedValue)>, is_map: bool },
    /// Not known afterwards; what was there before, if anything was.
    Unknown { before: Option<Box<ComparedValue>>, causes: Causes },
    /// Not known before.
    Known { causes: Causes, after: Option<Box<ComparedValue>> },
    /// Something of another kind.
    Turned(Box<ComparedValue>, Box<ComparedValue>),
    /// Not to be shown.
    Hidden,
    /// Handed to the provider and never kept.
    WriteOnly,
    /// A block.
    Block(Box<ComparedObject>),
}

impl ComparedValue {
    pub(crate) fn new(sign: ChangeSign, form: ComparedForm) -> ComparedValue {
        ComparedValue { sign, forces: false, is_mocked: false, veil: None, note: None, form }
    }

    pub(super) fn on(mut self, way: AnnotationCursor<'_>) -> ComparedValue {
        self.forces = way.forces();
        self.note = way.note().cloned();
        self
    }
}

/// The differences of an object.
#[derive(Clone, Default, Debug)]
pub(crate) struct ComparedObject {
    /// The attributes that there are, by name.
    pub(crate) attributes: Vec<(Str, ComparedValue)>,
    /// The blocks that there are, by the word that starts them.
    pub(crate) blocks: Vec<NestedDifference>,
    /// The number of attributes that are left to their provider, which alone knows their defaults.
    pub(crate) left: usize,
    /// The number of kinds of blocks that are.
    pub(crate) left_blocks: usize,
    /// True if nothing of it may be shown.
    pub(crate) is_hidden: bool,
}

/// A block and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct NestedDifference {
    pub(crate) name: Str,
    /// The label that distinguishes the block, where there is one.
    pub(crate) label: Option<Str>,
    pub(crate) node: ComparedValue,
}
