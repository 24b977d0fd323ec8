//! How parts of a text look, without a word of how that is painted: the text says what is added, the printer knows
//! whether there are colours.

use std::fmt;

/// The style of a piece of text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TextStyle {
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
    /// The style of a heading over whole passages.
    Strong,
    /// What must not be overlooked.
    Alert,
    /// What need not be read.
    Dim,
}

/// A receiver of text, piece by piece.
pub trait StyledSink {
    /// Takes the next piece.
    ///
    /// # Errors
    /// When nothing more can be taken.
    fn put(&mut self, style: TextStyle, text: &str) -> fmt::Result;
}

/// A text without styles.
pub struct PlainText<'w>(pub &'w mut dyn fmt::Write);

impl StyledSink for PlainText<'_> {
    fn put(&mut self, _: TextStyle, text: &str) -> fmt::Result {
        self.0.write_str(text)
    }
}
