//! The `groma` command inside the Python package: a whole run with the standard streams of the process.

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::time::Duration;

use groma_cli::{ExitStatus, MachineContext, ProcessEnd, run_here};
use pyo3::prelude::*;

/// The interval between two checks for pending signals, such as an interrupt from the keyboard.
const INTERVAL: Duration = Duration::from_millis(10);

/// Runs the `groma` command line with these arguments, and returns its exit code.
#[pyfunction]
pub(crate) fn main(py: Python<'_>, arguments: Vec<OsString>) -> PyResult<u8> {
    let machine = match MachineContext::here() {
        Ok(machine) => machine,
        Err(why) => return Ok(complain(&why)),
    };
    let mut check = || Python::attach(|py| py.check_signals());
    match py.detach(move || run_here(arguments, machine, INTERVAL, &mut check))? {
        ProcessEnd::Exit(exit) => Ok(exit.0),
        // The message of the panic is on standard error already.
        ProcessEnd::Crashed => Ok(ExitStatus::ERRORS.0),
        ProcessEnd::Unstarted(why) => Ok(complain(&format!("no thread to work on: {why}"))),
    }
}

/// Prints a message of the program itself on standard error, and returns the exit code for errors.
fn complain(message: &str) -> u8 {
    // Standard error may be closed, which cannot be reported anywhere.
    let _ = writeln!(io::stderr(), "groma: {message}");
    ExitStatus::ERRORS.0
}
