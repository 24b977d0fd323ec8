//! Tree of differences. Equal parts are kept as whole values and inspected only when they are displayed.

use groma_value::{Causes, Str, Value};

use super::annotations::AnnotationCursor;

/// The sign of a part of a difference: unchanged, added, removed or changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ChangeSign {
    /// The part is unchanged.
    Same,
    /// The part exists only on the new side.
    Add,
    /// The part exists only on the old side.
    Remove,
    /// The part is different on both sides.
    Change,
}

impl ChangeSign {
    /// Returns the sign of a value with several parts, given its sign for the parts so far and the sign of the next part. A value
    /// that exists on both sides begins as `Same`.
    pub(super) fn with(self, part: ChangeSign) -> ChangeSign {
        match (self, part) {
            (own, ChangeSign::Same) => own,
            (own, part) if own == part => own,
            _ => ChangeSign::Change,
        }
    }
}

/// A change in the visibility of a value: it becomes sensitive, or no longer is. `is_same` is true if the value itself is
/// unchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum VisibilityChange {
    /// The value becomes sensitive.
    Hides { is_same: bool },
    /// The value is no longer sensitive.
    Reveals { is_same: bool },
}

/// A value before and after a change, with its sign, annotations and the differences of its parts.
#[derive(Clone, Debug)]
pub(crate) struct ComparedValue {
    pub(crate) sign: ChangeSign,
    /// True if this part forces the replacement of the object.
    pub(crate) forces: bool,
    /// The change in visibility, if any.
    pub(crate) visibility: Option<VisibilityChange>,
    /// True if the value comes from a mock.
    pub(crate) is_mocked: bool,
    /// The cause of the difference, as a few words.
    pub(crate) note: Option<Str>,
    pub(crate) form: ComparedForm,
}

/// The old and new content of a compared value, by the kind of value.
#[derive(Clone, Debug)]
pub(crate) enum ComparedForm {
    /// An unchanged value, or one on a single side; inspected only when displayed.
    Kept { value: Value, typed: bool },
    /// A null, boolean, number or single-line string, before and after.
    Scalar(Option<Value>, Option<Value>),
    /// A string of several lines, with the sign of each line.
    Lines { lines: Vec<(ChangeSign, Str)>, is_blank: bool },
    /// A string that encodes a value, such as JSON; `word` is the function that writes it.
    Coded { word: &'static str, inner: Box<ComparedValue>, is_blank: bool },
    /// Elements. In an ordered collection the neighbours of a change are displayed too.
    Items { all: Vec<ComparedValue>, is_ordered: bool },
    /// Attributes, or elements of a map by key.
    Fields { all: Vec<(Str, ComparedValue)>, is_map: bool },
    /// A value that becomes unknown, with the old one, if any.
    Unknown { before: Option<Box<ComparedValue>>, causes: Causes },
    /// A value that was unknown before.
    Known { causes: Causes, after: Option<Box<ComparedValue>> },
    /// A value replaced by one of another kind.
    Turned(Box<ComparedValue>, Box<ComparedValue>),
    /// A hidden value.
    Hidden,
    /// A write-only value, which is passed to the provider and never stored.
    WriteOnly,
    /// The body of a block.
    Block(Box<ComparedObject>),
}

impl ComparedValue {
    /// Creates a compared value from a sign and a content, without annotations.
    pub(crate) fn new(sign: ChangeSign, form: ComparedForm) -> ComparedValue {
        ComparedValue { sign, forces: false, is_mocked: false, visibility: None, note: None, form }
    }

    /// Returns the compared value with the annotations of its part added, found at the position `way`.
    pub(super) fn annotated(mut self, way: AnnotationCursor<'_>) -> ComparedValue {
        self.forces = way.forces();
        self.note = way.note().cloned();
        self
    }
}

/// The differences between the attributes and nested blocks of two objects.
#[derive(Clone, Default, Debug)]
pub(crate) struct ComparedObject {
    /// The attributes, by name.
    pub(crate) attributes: Vec<(Str, ComparedValue)>,
    /// The nested blocks, by type.
    pub(crate) blocks: Vec<NestedDifference>,
    /// The number of omitted attributes, whose defaults only the provider knows.
    pub(crate) left: usize,
    /// The number of omitted block types, likewise.
    pub(crate) left_blocks: usize,
    /// True if the whole object is hidden.
    pub(crate) is_hidden: bool,
}

/// The differences in a nested block, with the block's type and label.
#[derive(Clone, Debug)]
pub(crate) struct NestedDifference {
    pub(crate) name: Str,
    /// The label that distinguishes the block, if any.
    pub(crate) label: Option<Str>,
    pub(crate) node: ComparedValue,
}
