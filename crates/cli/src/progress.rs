//! The line that says what a long run is at. It stands on standard error of a terminal, is written over by the next one,
//! and is gone before anything else is printed: every writer clears it first, and then there is none any more.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// From so long on a run is worth a line.
pub(crate) const PATIENCE: Duration = Duration::from_millis(1_000);
/// Minimum time between two changes of the line.
const BEAT: Duration = Duration::from_millis(100);
/// Takes back the line: to its start, and all that stands there goes.
const CLEAR: &[u8] = b"\r\x1b[K";

/// The line of a process. Cloning shares it.
#[derive(Clone)]
pub struct ProgressLine(Arc<Mutex<ProgressState>>);

struct ProgressState {
    /// The place where the line stands; nothing where there is none to be.
    out: Option<Box<dyn Write + Send>>,
    text: String,
    /// When it was written, after the process began.
    since: Duration,
}

impl ProgressLine {
    /// A line on a terminal, or none at all.
    pub fn on(out: Option<Box<dyn Write + Send>>) -> ProgressLine {
        ProgressLine(Arc::new(Mutex::new(ProgressState {
            out,
            text: String::new(),
            since: Duration::ZERO,
        })))
    }

    fn shown(&self) -> MutexGuard<'_, ProgressState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes the line, in place of the last one.
    pub fn show(&self, text: &str, now: Duration) {
        let shown = &mut *self.shown();
        let Some(out) = &mut shown.out else { return };
        if shown.text == text || now < shown.since + BEAT && !shown.text.is_empty() {
            return;
        }
        // It is only a courtesy: a terminal that takes nothing is told by what matters.
        let _ = out.write_all(CLEAR).and_then(|()| out.write_all(text.as_bytes()));
        let _ = out.flush();
        (shown.text, shown.since) = (text.to_owned(), now);
    }

    /// Takes the line back, for good.
    pub fn clear(&self) {
        let shown = &mut *self.shown();
        if let Some(mut out) = shown.out.take()
            && !shown.text.is_empty()
        {
            let _ = out.write_all(CLEAR).and_then(|()| out.flush());
        }
    }

    /// A stream that takes the line back before it writes.
    pub fn before<W: Write>(&self, stream: W) -> ClearedStream<W> {
        ClearedStream(stream, self.clone())
    }
}

/// A stream before whose first byte the line is taken back.
pub struct ClearedStream<W>(W, ProgressLine);

impl<W: Write> Write for ClearedStream<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.1.clear();
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A terminal that remembers.
    #[derive(Clone, Default)]
    struct Screen(Arc<Mutex<Vec<u8>>>);

    impl Write for Screen {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn the_line_is_gone_before_anything_is_said() {
        let screen = Screen::default();
        let progress = ProgressLine::on(Some(Box::new(screen.clone())));
        let mut errors = progress.before(screen.clone());
        progress.show("one", Duration::from_millis(1000));
        progress.show("two", Duration::from_millis(1010));
        progress.show("two", Duration::from_millis(1200));
        errors.write_all(b"said").unwrap();
        progress.show("three", Duration::from_millis(2000));
        let seen = String::from_utf8(screen.0.lock().unwrap().clone()).unwrap();
        assert_eq!(seen, "\r\u{1b}[Kone\r\u{1b}[Ktwo\r\u{1b}[Ksaid");
    }

    #[test]
    fn a_short_run_leaves_no_trace() {
        let screen = Screen::default();
        let progress = ProgressLine::on(Some(Box::new(screen.clone())));
        progress.before(screen.clone()).write_all(b"said").unwrap();
        assert_eq!(*screen.0.lock().unwrap(), b"said");
    }
}
