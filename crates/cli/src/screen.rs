//! Terminal output: escapes control characters and bidirectional marks that come from user code. Colours are let through where
//! the writer has escaped everything else.

use std::io::{self, Write};

use groma_syntax::render;

use crate::session::ColourChoice;
use crate::watch::RunWatch;

/// An output stream that escapes harmful characters for a terminal, in a way that keeps JSON valid. Other streams receive every
/// byte unchanged.
pub(crate) struct ScreenStream<'s> {
    stream: &'s mut (dyn Write + Send),
    is_terminal: bool,
    /// The switch that lets colour sequences through.
    painted: ColourChoice,
    /// The colour sequences that may be let through.
    paints: &'static [&'static str],
    /// An incomplete character or colour sequence at the end of the last write.
    rest: Vec<u8>,
    /// True if anything was written.
    has_begun: bool,
    /// The watch that limits the output; `None` if it is not limited.
    watch: Option<RunWatch>,
}

impl<'s> ScreenStream<'s> {
    /// Creates a stream over `stream`, which escapes harmful characters only if `is_terminal` is true, but never the control
    /// sequences `paints` once `painted` has colours enabled.
    pub(crate) fn new(
        stream: &'s mut (dyn Write + Send),
        is_terminal: bool,
        painted: ColourChoice,
        paints: &'static [&'static str],
    ) -> ScreenStream<'s> {
        let (rest, has_begun, watch) = (Vec::new(), false, None);
        ScreenStream { stream, is_terminal, painted, paints, rest, has_begun, watch }
    }

    /// Returns the stream with its output counted against the output limit of a run.
    pub(crate) fn counted(self, watch: RunWatch) -> ScreenStream<'s> {
        ScreenStream { watch: Some(watch), ..self }
    }

    /// Returns true if anything was written.
    pub(crate) fn has_begun(&self) -> bool {
        self.has_begun
    }

    /// Returns the length in bytes of an incomplete control sequence or line ending at the end of a text; 0 if none.
    fn open_end(&self, text: &str) -> usize {
        let Some(at) = text.rfind(['\u{1b}', '\r']) else { return 0 };
        let tail = &text[at..];
        let goes_on = tail == "\r"
            || self.painted.is_begun()
                && self.paints.iter().any(|p| p.starts_with(tail) && *p != tail);
        if goes_on { tail.len() } else { 0 }
    }

    /// Writes a text with harmful characters escaped.
    fn show(&mut self, text: &str) -> io::Result<()> {
        let mut left = text;
        while let Some(at) = left.find(render::is_harmful) {
            self.stream.write_all(&left.as_bytes()[..at])?;
            let rest = &left[at..];
            let paint = self
                .paints
                .iter()
                .find(|paint| self.painted.is_begun() && rest.starts_with(**paint));
            left = match paint {
                Some(paint) => {
                    self.stream.write_all(paint.as_bytes())?;
                    &rest[paint.len()..]
                }
                None if rest.starts_with("\r\n") => &rest[1..],
                None => {
                    let length = rest.chars().next().map_or(rest.len(), char::len_utf8);
                    self.stream.write_all(render::harmless(&rest[..length]).as_bytes())?;
                    &rest[length..]
                }
            };
        }
        self.stream.write_all(left.as_bytes())
    }

    /// Writes bytes as text, keeping an incomplete end for the next write unless `is_end`.
    fn take(&mut self, bytes: &[u8], is_end: bool) -> io::Result<()> {
        let mut all = std::mem::take(&mut self.rest);
        all.extend_from_slice(bytes);
        let mut left = all.as_slice();
        loop {
            match std::str::from_utf8(left) {
                Ok(text) => {
                    let open = if is_end { 0 } else { self.open_end(text) };
                    let (whole, rest) = text.split_at(text.len() - open);
                    self.rest = rest.as_bytes().to_vec();
                    return self.show(whole);
                }
                Err(error) => {
                    let (whole, rest) = left.split_at(error.valid_up_to());
                    let text = std::str::from_utf8(whole).unwrap_or_default();
                    self.show(text)?;
                    let Some(bad) = error.error_len() else {
                        self.rest = rest.to_vec();
                        return if is_end { self.show("\u{fffd}") } else { Ok(()) };
                    };
                    self.show("\u{fffd}")?;
                    left = &rest[bad..];
                }
            }
        }
    }
}

impl Write for ScreenStream<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(watch) = &self.watch {
            watch.take_output(bytes.len())?;
        }
        self.has_begun |= !bytes.is_empty();
        if !self.is_terminal {
            return self.stream.write(bytes);
        }
        self.take(bytes, false)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if !self.rest.is_empty() {
            self.take(&[], true)?;
            self.rest.clear();
        }
        self.stream.flush()
    }
}
