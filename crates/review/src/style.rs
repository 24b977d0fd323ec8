//! Styles of text pieces, independent of colours: the writer marks additions, and the printer decides how they look.

use std::fmt;

/// The meaning of a piece of text, such as an addition, from which a printer chooses a colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TextStyle {
    /// Plain text.
    Plain,
    /// An addition.
    Added,
    /// A removal.
    Removed,
    /// A change.
    Changed,
    /// The action of reading a data source.
    Read,
    /// A heading.
    Strong,
    /// A warning.
    Alert,
    /// Less important text.
    Dim,
}

/// A receiver of styled text, piece by piece.
pub trait StyledSink {
    /// Writes the next piece of text in a style.
    ///
    /// # Errors
    /// The error of the destination.
    fn put(&mut self, style: TextStyle, text: &str) -> fmt::Result;
}

/// A receiver of styled text that writes it without its styles.
pub struct PlainText<'w>(pub &'w mut dyn fmt::Write);

impl StyledSink for PlainText<'_> {
    fn put(&mut self, _: TextStyle, text: &str) -> fmt::Result {
        self.0.write_str(text)
    }
}
