//! How parts of a text look, without a word of how that is painted: the text says what is added, who prints it knows
//! whether there are colours.

use std::fmt;

/// What a piece of text is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Nothing particular.
    Plain,
    /// Something comes.
    Added,
    /// Something goes.
    Removed,
    /// Something changes.
    Changed,
    /// Something is read.
    Read,
    /// What leads over whole passages.
    Strong,
    /// What must not be overlooked.
    Alert,
    /// What need not be read.
    Dim,
}

/// Whoever takes a text piece by piece.
pub trait Sink {
    /// Takes the next piece.
    ///
    /// # Errors
    /// When nothing more can be taken.
    fn put(&mut self, style: Style, text: &str) -> fmt::Result;
}

/// A text without styles.
pub struct Plain<'w>(pub &'w mut dyn fmt::Write);

impl Sink for Plain<'_> {
    fn put(&mut self, _: Style, text: &str) -> fmt::Result {
        self.0.write_str(text)
    }
}
