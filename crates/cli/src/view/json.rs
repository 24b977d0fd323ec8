//! Prints JSON documents. What is in them is written by whoever knows it; the value crate lays them out.

use std::fmt;
use std::io;

use groma::json::{JsonText, Layout};

/// Prints the document that `write` gives, and the end of its line. It goes out in pieces: the whole never stands in
/// memory.
pub(crate) fn print(
    layout: Layout,
    out: &mut dyn io::Write,
    write: impl FnOnce(&mut JsonText<'_>),
) -> io::Result<()> {
    through(out, |stream| {
        let mut text = JsonText::to(stream, layout);
        write(&mut text);
        text.finish()?;
        stream.write_char('\n')
    })
}

/// Prints what `write` hands on as text.
pub(crate) fn through(
    out: &mut dyn io::Write,
    write: impl FnOnce(&mut dyn fmt::Write) -> fmt::Result,
) -> io::Result<()> {
    let mut stream = Stream { out, outcome: Ok(()) };
    let written = write(&mut stream);
    stream.outcome?;
    written.map_err(io::Error::other)
}

/// A stream that takes text, and keeps why it did not.
struct Stream<'o> {
    out: &'o mut dyn io::Write,
    outcome: io::Result<()>,
}

impl fmt::Write for Stream<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.outcome.is_ok() {
            self.outcome = self.out.write_all(text.as_bytes());
        }
        self.outcome.as_ref().map_err(|_| fmt::Error).copied()
    }
}
