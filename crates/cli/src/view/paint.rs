//! Styles as colours of a terminal. A caller that asks for colours has made harmless what comes from code, since what
//! is painted passes the edge of the terminal as it is.

use std::fmt;
use std::io;

use groma::review::{StyledSink, TextStyle};

const RESET: &str = "\u{1b}[0m";
const GREEN: &str = "\u{1b}[32m";
const RED: &str = "\u{1b}[31m";
const YELLOW: &str = "\u{1b}[33m";
const BLUE: &str = "\u{1b}[34m";
const CYAN: &str = "\u{1b}[36m";
const BOLD: &str = "\u{1b}[1m";
const ALERT: &str = "\u{1b}[1;31m";
const DIM: &str = "\u{1b}[90m";

/// All that is ever written of what a terminal obeys.
pub(crate) const PAINTS: [&str; 9] = [RESET, GREEN, RED, YELLOW, BLUE, CYAN, BOLD, ALERT, DIM];

/// Writes a text, in colours or without.
pub(crate) struct TextPainter<'o> {
    out: &'o mut dyn io::Write,
    in_colours: bool,
    /// The reason why nothing more can be written.
    outcome: io::Result<()>,
}

impl<'o> TextPainter<'o> {
    pub(crate) fn new(out: &'o mut dyn io::Write, in_colours: bool) -> TextPainter<'o> {
        TextPainter { out, in_colours, outcome: Ok(()) }
    }

    /// Returns what became of it all.
    pub(crate) fn finish(self, written: fmt::Result) -> io::Result<()> {
        self.outcome?;
        written.map_err(io::Error::other)
    }

    fn write(&mut self, text: &str) -> fmt::Result {
        if self.outcome.is_ok() {
            self.outcome = self.out.write_all(text.as_bytes());
        }
        self.outcome.as_ref().map_err(|_| fmt::Error).copied()
    }
}

impl StyledSink for TextPainter<'_> {
    fn put(&mut self, style: TextStyle, text: &str) -> fmt::Result {
        let paint = match style {
            _ if !self.in_colours => return self.write(text),
            TextStyle::Plain => return self.write(text),
            TextStyle::Added => GREEN,
            TextStyle::Removed => RED,
            TextStyle::Changed => YELLOW,
            TextStyle::Read => CYAN,
            TextStyle::Strong => BOLD,
            TextStyle::Alert => ALERT,
            TextStyle::Dim => DIM,
        };
        self.write(paint)?;
        self.write(text)?;
        self.write(RESET)
    }
}
