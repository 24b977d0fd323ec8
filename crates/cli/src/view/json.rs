//! Prints JSON documents within the output limit. A document is measured before its first byte is printed, so that one that
//! would be too long is not begun.

use std::fmt;
use std::io;

use groma::json::{JsonLayout, JsonText};

use crate::watch::RunWatch;

/// Maximum length in bytes of a document that is kept in memory while its length is compared with the output limit. A longer one
/// is written twice: once to measure it and once to print it.
const MAX_HELD: usize = 64 << 20;
/// Maximum length in bytes of one piece of a document in memory, which is kept as a list of pieces.
const PIECE_BYTES: usize = 1 << 20;

/// Prints the JSON document that `write` produces, and a newline; fails before the first byte if that exceeds the output limit.
/// `write` may be called twice.
pub(crate) fn print(
    layout: JsonLayout,
    out: &mut dyn io::Write,
    watch: &RunWatch,
    mut write: impl FnMut(&mut JsonText<'_>),
) -> io::Result<()> {
    print_text(out, watch, |stream| {
        let mut text = JsonText::to(stream, layout);
        write(&mut text);
        text.finish()?;
        stream.write_char('\n')
    })
}

/// Prints the text that `write` produces; fails before the first byte if that exceeds the output limit. `write` may be called
/// twice.
pub(crate) fn print_text(
    out: &mut dyn io::Write,
    watch: &RunWatch,
    mut write: impl FnMut(&mut dyn fmt::Write) -> fmt::Result,
) -> io::Result<()> {
    let mut measure =
        MeasuringStream { held: Some(Vec::new()), length: 0, room: watch.output_left() };
    let written = write(&mut measure);
    if measure.length > measure.room {
        return watch.take_output(measure.length);
    }
    written.map_err(io::Error::other)?;
    if let Some(pieces) = measure.held {
        return pieces.iter().try_for_each(|piece| out.write_all(piece.as_bytes()));
    }
    let mut stream = CheckedStream { out, outcome: Ok(()) };
    let written = write(&mut stream);
    stream.outcome?;
    written.map_err(io::Error::other)
}

/// A stream that measures a text up to the output limit, and keeps it in memory up to [`MAX_HELD`] bytes.
struct MeasuringStream {
    /// The pieces of the text; `None` once it is too long to keep.
    held: Option<Vec<String>>,
    /// The length of the text so far, in bytes.
    length: usize,
    /// Maximum length in bytes: what is left of the output limit.
    room: usize,
}

impl fmt::Write for MeasuringStream {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.length = self.length.saturating_add(text.len());
        if self.length > MAX_HELD {
            self.held = None;
        }
        if let Some(pieces) = &mut self.held {
            match pieces.last_mut().filter(|last| last.len() + text.len() <= PIECE_BYTES) {
                Some(last) => last.push_str(text),
                None => {
                    let mut piece = String::with_capacity(text.len().max(256));
                    piece.push_str(text);
                    pieces.push(piece);
                }
            }
        }
        if self.length > self.room { Err(fmt::Error) } else { Ok(()) }
    }
}

/// A stream that records the error of the stream below it.
struct CheckedStream<'o> {
    out: &'o mut dyn io::Write,
    outcome: io::Result<()>,
}

impl fmt::Write for CheckedStream<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.outcome.is_ok() {
            self.outcome = self.out.write_all(text.as_bytes());
        }
        self.outcome.as_ref().map_err(|_| fmt::Error).copied()
    }
}
