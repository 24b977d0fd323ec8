//! A run with the process' own arguments and streams. It has its own thread, so that the calling thread can enforce time and
//! memory limits.

use std::ffi::OsString;
use std::io::{self, BufReader, BufWriter, IsTerminal as _, Write as _};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use crate::host::MachineContext;
use crate::progress::ProgressLine;
use crate::run::run;
use crate::session::{ColourChoice, ExitStatus, RunSession, TerminalStreams};
use crate::watch::{RunWatch, WatchVerdict};
use groma::limits::EVALUATION_STACK;

/// The delay before the first check of the limits; most runs are over by then.
const FIRST_CHECK: Duration = Duration::from_millis(10);
/// Maximum time for writing the report of a run that does not stop; then the process exits.
const REPORT_TIME: Duration = Duration::from_millis(200);

/// The outcome of running the command line in this process.
pub enum ProcessEnd {
    /// It has an exit code.
    Exit(ExitStatus),
    /// It panicked.
    Crashed,
    /// There is no thread to work on.
    Unstarted(io::Error),
}

/// Runs the command on the standard streams, watches its limits, and calls `check` at least once in every `pulse`, by which the
/// caller can abandon the run. A run that an error of `check` abandons ends with the process.
///
/// # Errors
/// What `check` returns.
pub fn run_here<E>(
    arguments: Vec<OsString>,
    machine: MachineContext,
    pulse: Duration,
    check: &mut dyn FnMut() -> Result<(), E>,
) -> Result<ProcessEnd, E> {
    let watch = RunWatch::polled();
    let (sender, receiver) = mpsc::channel();
    let (seen, watched) = (machine.clone(), watch.clone());
    let progress = ProgressLine::on(can_erase_lines(&machine).then(|| Box::new(io::stderr()) as _));
    let line = progress.clone();
    let worker = thread::Builder::new().name("groma".into()).stack_size(EVALUATION_STACK);
    let worker = worker.spawn(move || {
        // After the calling thread has given up, the result has no receiver.
        let _ = sender.send(work(arguments, machine, watched, &line));
    });
    if let Err(why) = worker {
        return Ok(ProcessEnd::Unstarted(why));
    }
    let mut wait = FIRST_CHECK.min(pulse);
    loop {
        match receiver.recv_timeout(wait) {
            Ok(exit) => {
                progress.clear();
                return Ok(ProcessEnd::Exit(exit));
            }
            Err(RecvTimeoutError::Disconnected) => {
                progress.clear();
                return Ok(ProcessEnd::Crashed);
            }
            Err(RecvTimeoutError::Timeout) => {
                check()?;
                match watch.check(&seen) {
                    WatchVerdict::Continue(after) => {
                        wait = after.min(pulse);
                        if let Some(text) = watch.progress(seen.age()) {
                            progress.show(&text, seen.age());
                        }
                    }
                    WatchVerdict::Abandon(document, told) => {
                        progress.clear();
                        return Ok(ProcessEnd::Exit(abandon_run(document, &told)));
                    }
                }
            }
        }
    }
}

/// Returns true if standard error is a terminal that can erase a line.
fn can_erase_lines(machine: &MachineContext) -> bool {
    io::stderr().is_terminal() && machine.env("TERM").is_none_or(|term| term != "dumb")
}

/// Prints the report of a run that exceeds its limits and does not stop: `told` to standard error and `document` to standard
/// output; the run ends with the process.
fn abandon_run(document: String, told: &str) -> ExitStatus {
    let _ = io::stderr().write_all(told.as_bytes());
    // The run may be blocked in writing to a pipe that is not read.
    let (sender, receiver) = mpsc::channel();
    let _ = thread::Builder::new().spawn(move || {
        let mut out = io::stdout();
        let _ = out.write_all(document.as_bytes()).and_then(|()| out.flush());
        let _ = sender.send(());
    });
    let _ = receiver.recv_timeout(REPORT_TIME);
    ExitStatus::ERRORS
}

/// Standard output that tells the run's watch as soon as a byte is written to it.
struct NotedOutput(io::Stdout, RunWatch);

impl io::Write for NotedOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.1.mark_output();
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Runs the command line on the standard streams of the process, and returns its exit code.
fn work(
    arguments: Vec<OsString>,
    machine: MachineContext,
    watch: RunWatch,
    progress: &ProgressLine,
) -> ExitStatus {
    let terminal = TerminalStreams {
        input: io::stdin().is_terminal(),
        output: io::stdout().is_terminal(),
        errors: io::stderr().is_terminal(),
        width: terminal_size::terminal_size().map(|(width, _)| usize::from(width.0)),
        columns: None,
    };
    let out = progress.before(NotedOutput(io::stdout(), watch.clone()));
    run(
        arguments,
        RunSession {
            // Not locked, because the language server reads on another thread.
            input: &mut BufReader::new(io::stdin()),
            out: &mut BufWriter::with_capacity(1 << 16, out),
            err: &mut progress.before(io::stderr()),
            terminal,
            painted: ColourChoice::default(),
            machine,
            watch,
        },
    )
}
