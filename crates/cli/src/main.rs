//! The `groma` program: runs the command with the process' arguments, streams and machine, and returns its exit code.
#![forbid(unsafe_code)]

use std::convert::Infallible;
use std::io::{self, Write as _};
use std::panic::{self, PanicHookInfo};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Duration;

use groma_cli::{ExitStatus, MachineContext, ProcessEnd, run_here};

/// The allocator of the program: faster than the system's with several threads, and memory that is not used goes back.
#[cfg(all(feature = "allocator", target_os = "linux", target_env = "gnu"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// The place and message of a panic, for the final error message.
static PANIC: Mutex<String> = Mutex::new(String::new());

/// Runs the command and returns its exit code.
fn main() -> ExitCode {
    let machine = match MachineContext::here() {
        Ok(machine) => machine,
        Err(message) => return report_error(&message),
    };
    if machine.env("RUST_BACKTRACE").is_none() {
        panic::set_hook(Box::new(record_panic));
    }
    let arguments = MachineContext::arguments();
    let goes_on = &mut || Ok::<(), Infallible>(());
    match run_here(arguments, machine, Duration::MAX, goes_on) {
        Ok(ProcessEnd::Exit(exit)) => ExitCode::from(exit.0),
        Ok(ProcessEnd::Crashed) => report_panic(),
        Ok(ProcessEnd::Unstarted(why)) => report_error(&format!("no thread to work on: {why}")),
    }
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
