//! Paths to parts of values, and the reasons why a value does not fit. A path refers to values only; callers add the places in
//! source.

use crate::{Str, Value};

/// One step of a path into a value: an attribute or an index.
#[derive(Clone, Debug)]
pub enum PathStep {
    /// An attribute of an object.
    Attribute(Str),
    /// An element of a list or tuple, a map element by its key, or a set element by itself.
    Index(Value),
}

/// The path from a value to a part of it; empty for the value itself.
#[derive(Clone, Default, Debug)]
pub struct Path(pub Vec<PathStep>);

impl Path {
    /// Returns the path with `step` in front, as seen from the containing value.
    pub fn under(mut self, step: PathStep) -> Path {
        self.0.insert(0, step);
        self
    }

    /// Returns true if the path denotes the value itself.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The reason why a value does not fit a type: the path of the part that does not fit, and a message in lower case with the
/// required and the actual type (`a number is required, this is a list of string`).
#[derive(Clone, Debug)]
pub struct Mismatch {
    /// The path to the part that does not fit.
    pub path: Path,
    /// The message about that part.
    pub message: String,
}

impl Mismatch {
    /// Creates a mismatch of the value as a whole, with a message.
    pub fn new(message: impl Into<String>) -> Mismatch {
        Mismatch { path: Path::default(), message: message.into() }
    }

    /// Returns the mismatch with its path prefixed by `step`, as seen from the containing value.
    pub fn under(self, step: PathStep) -> Mismatch {
        Mismatch { path: self.path.under(step), message: self.message }
    }
}
