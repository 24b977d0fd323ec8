//! Text styles as terminal colours. A caller that asks for colours has escaped everything that comes from code, since coloured
//! output is not escaped again.

use std::fmt;
use std::io;

use groma::review::{StyledSink, TextStyle};

/// The control sequence that ends a colour.
const RESET: &str = "\u{1b}[0m";
/// The control sequence for green, for additions.
const GREEN: &str = "\u{1b}[32m";
/// The control sequence for red, for removals.
const RED: &str = "\u{1b}[31m";
/// The control sequence for yellow, for changes.
const YELLOW: &str = "\u{1b}[33m";
/// The control sequence for blue, for notes of diagnostics.
const BLUE: &str = "\u{1b}[34m";
/// The control sequence for cyan, for data sources that are read.
const CYAN: &str = "\u{1b}[36m";
/// The control sequence for bold text, for headings.
const BOLD: &str = "\u{1b}[1m";
/// The control sequence for bold red, for warnings that must be seen.
const ALERT: &str = "\u{1b}[1;31m";
/// The control sequence for grey, for secondary text.
const DIM: &str = "\u{1b}[90m";

/// Every control sequence that is ever written to a terminal.
pub(crate) const PAINTS: [&str; 9] = [RESET, GREEN, RED, YELLOW, BLUE, CYAN, BOLD, ALERT, DIM];

/// A sink that writes styled text to a stream, with colours or without.
pub(crate) struct TextPainter<'o> {
    out: &'o mut dyn io::Write,
    in_colours: bool,
    /// The first error of writing, after which nothing more is written.
    outcome: io::Result<()>,
}

impl<'o> TextPainter<'o> {
    /// Creates a painter that writes to a stream, in colours or not.
    pub(crate) fn new(out: &'o mut dyn io::Write, in_colours: bool) -> TextPainter<'o> {
        TextPainter { out, in_colours, outcome: Ok(()) }
    }

    /// Returns the first error of writing to the stream; `written` is the outcome of the formatting itself.
    pub(crate) fn finish(self, written: fmt::Result) -> io::Result<()> {
        self.outcome?;
        written.map_err(io::Error::other)
    }

    /// Writes unstyled text.
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
