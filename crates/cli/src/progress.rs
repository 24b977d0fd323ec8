//! The progress line of a long run, on a terminal's standard error. It is erased before anything else is printed, and then never
//! shown again.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The age of a run from which its progress is shown.
pub(crate) const PROGRESS_DELAY: Duration = Duration::from_millis(1_000);
/// Minimum time between two changes of the progress line.
const MIN_INTERVAL: Duration = Duration::from_millis(100);
/// The control sequence that erases the progress line from the terminal.
const CLEAR: &[u8] = b"\r\x1b[K";

/// The progress line of a process. Clones share it.
#[derive(Clone)]
pub struct ProgressLine(Arc<Mutex<ProgressState>>);

/// The terminal of a [`ProgressLine`], the text shown there, and the time when it was written.
struct ProgressState {
    /// The terminal; `None` if there is none, or once the line is erased for good.
    out: Option<Box<dyn Write + Send>>,
    /// The text that is shown now; empty before the first.
    text: String,
    /// The age of the process when the line was last written.
    since: Duration,
}

impl ProgressLine {
    /// Creates a progress line on a terminal; for `None` nothing is ever shown.
    pub fn on(out: Option<Box<dyn Write + Send>>) -> ProgressLine {
        ProgressLine(Arc::new(Mutex::new(ProgressState {
            out,
            text: String::new(),
            since: Duration::ZERO,
        })))
    }

    /// Locks the state of the progress line, ignoring the panic of another holder.
    fn shown(&self) -> MutexGuard<'_, ProgressState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Shows a text in place of the previous one, unless that was shown less than `MIN_INTERVAL` ago.
    pub fn show(&self, text: &str, now: Duration) {
        let shown = &mut *self.shown();
        let Some(out) = &mut shown.out else { return };
        if shown.text == text || now < shown.since + MIN_INTERVAL && !shown.text.is_empty() {
            return;
        }
        // A failure is ignored: the line is not essential.
        let _ = out.write_all(CLEAR).and_then(|()| out.write_all(text.as_bytes()));
        let _ = out.flush();
        (shown.text, shown.since) = (text.to_owned(), now);
    }

    /// Erases the progress line, after which it is not shown again.
    pub fn clear(&self) {
        let shown = &mut *self.shown();
        if let Some(mut out) = shown.out.take()
            && !shown.text.is_empty()
        {
            let _ = out.write_all(CLEAR).and_then(|()| out.flush());
        }
    }

    /// Wraps an output stream so that this progress line is erased from the terminal before the first byte is written to the
    /// stream.
    pub fn before<W: Write>(&self, stream: W) -> ClearedStream<W> {
        ClearedStream(stream, self.clone())
    }
}

/// A stream that erases the progress line before it writes.
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

    /// A stream that keeps everything written to it.
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

    /// Checks that the line is erased before other output and not shown again.
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

    /// Checks that nothing is erased if no line was shown.
    #[test]
    fn a_short_run_leaves_no_trace() {
        let screen = Screen::default();
        let progress = ProgressLine::on(Some(Box::new(screen.clone())));
        progress.before(screen.clone()).write_all(b"said").unwrap();
        assert_eq!(*screen.0.lock().unwrap(), b"said");
    }
}
