//! The `groma` program: runs the command with the process' arguments, streams and machine, and returns its exit code. The run
//! has its own thread, so that the main thread can enforce time and memory limits.
#![forbid(unsafe_code)]

use std::io::{self, BufReader, BufWriter, IsTerminal as _, Write as _};
use std::panic::{self, PanicHookInfo};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use groma_cli::{
    ColourChoice, ExitStatus, MachineContext, ProgressLine, RunSession, RunWatch, TerminalStreams,
    WatchVerdict, run,
};

/// Stack size of the run's thread. Evaluation needs one megabyte; unoptimized frames are several times as large.
const STACK: usize = 16 << 20;

/// The place and message of a panic, for the final error message.
static PANIC: Mutex<String> = Mutex::new(String::new());

/// Runs the program on a thread, and watches its limits on this one.
fn main() -> ExitCode {
    let machine = match MachineContext::here() {
        Ok(machine) => machine,
        Err(message) => return report_error(&message),
    };
    if machine.env("RUST_BACKTRACE").is_none() {
        panic::set_hook(Box::new(record_panic));
    }
    let watch = RunWatch::polled();
    let (sender, receiver) = mpsc::channel();
    let (seen, watched) = (machine.clone(), watch.clone());
    let progress = ProgressLine::on(can_erase_lines(&machine).then(|| Box::new(io::stderr()) as _));
    let line = progress.clone();
    let worker = thread::Builder::new().name("groma".into()).stack_size(STACK);
    let worker = worker.spawn(move || {
        // After the main thread has given up, the result has no receiver.
        let _ = sender.send(work(machine, watched, &line));
    });
    if let Err(error) = worker {
        return report_error(&format!("no thread to work on: {error}"));
    }
    let mut wait = FIRST_CHECK;
    loop {
        match receiver.recv_timeout(wait) {
            Ok(exit) => {
                progress.clear();
                return ExitCode::from(exit.0);
            }
            Err(RecvTimeoutError::Disconnected) => {
                progress.clear();
                return report_panic();
            }
            Err(RecvTimeoutError::Timeout) => match watch.check(&seen) {
                WatchVerdict::Continue(after) => {
                    wait = after;
                    if let Some(text) = watch.progress(seen.age()) {
                        progress.show(&text, seen.age());
                    }
                }
                WatchVerdict::Abandon(document, told) => {
                    progress.clear();
                    return abandon_run(document, &told);
                }
            },
        }
    }
}

/// Returns true if standard error is a terminal that can erase a line.
fn can_erase_lines(machine: &MachineContext) -> bool {
    io::stderr().is_terminal() && machine.env("TERM").is_none_or(|term| term != "dumb")
}

/// The delay before the first check of the limits; most runs are over by then.
const FIRST_CHECK: Duration = Duration::from_millis(10);

/// Prints the report of a run that exceeds its limits and does not stop; the process ends with its main thread.
fn abandon_run(document: String, told: &str) -> ExitCode {
    let _ = io::stderr().write_all(told.as_bytes());
    // The run may be blocked in writing to a pipe that is not read.
    let (sender, receiver) = mpsc::channel();
    let _ = thread::Builder::new().spawn(move || {
        let mut out = io::stdout();
        let _ = out.write_all(document.as_bytes()).and_then(|()| out.flush());
        let _ = sender.send(());
    });
    let _ = receiver.recv_timeout(Duration::from_millis(200));
    ExitCode::from(ExitStatus::ERRORS.0)
}

/// Standard output that notes when the first byte is written.
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

/// Runs the command line of the process.
fn work(machine: MachineContext, watch: RunWatch, progress: &ProgressLine) -> ExitStatus {
    let terminal = TerminalStreams {
        input: io::stdin().is_terminal(),
        output: io::stdout().is_terminal(),
        errors: io::stderr().is_terminal(),
        width: terminal_size::terminal_size().map(|(width, _)| usize::from(width.0)),
        columns: None,
    };
    let arguments = MachineContext::arguments();
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

/// Records the place and message of a panic instead of printing it.
fn record_panic(panic: &PanicHookInfo<'_>) {
    let said = panic.payload_as_str().unwrap_or("no message");
    let place =
        panic.location().map_or_else(String::new, |at| format!("{}:{}: ", at.file(), at.line()));
    if let Ok(mut heard) = PANIC.lock() {
        *heard = format!("{place}{said}").replace('\n', " ");
    }
}

/// Prints the message for a failure of Groma itself.
fn report_panic() -> ExitCode {
    let heard = PANIC.lock().map(|heard| heard.clone()).unwrap_or_default();
    report_error(&format!(
        "sorry, groma itself failed ({heard}). Please report it, with the code and the command line."
    ))
}

/// Prints an error of the program, and returns its exit code.
fn report_error(message: &str) -> ExitCode {
    // Standard error may be closed, which cannot be reported anywhere.
    let _ = writeln!(io::stderr(), "groma: {message}");
    ExitCode::from(ExitStatus::ERRORS.0)
}
