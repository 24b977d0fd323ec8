//! The command inside of the package: a whole run of `groma` with the process' own streams.

use std::ffi::OsString;
use std::io::{self, BufReader, BufWriter, IsTerminal as _, Write as _};
use std::time::Duration;

use groma_cli::{
    ColourChoice, MachineContext, RunSession, RunWatch, TerminalStreams, WatchVerdict, run,
};
use pyo3::prelude::*;

/// The interval between two looks at the clock and at signals.
const INTERVAL: Duration = Duration::from_millis(10);

/// Runs the command with these arguments, and returns its exit code.
#[pyfunction]
pub(crate) fn main(py: Python<'_>, arguments: Vec<OsString>) -> PyResult<u8> {
    let machine = match MachineContext::here() {
        Ok(machine) => machine,
        Err(why) => {
            // Standard error may have no reader; then there is no way to report that.
            let _ = writeln!(io::stderr(), "groma: {why}");
            return Ok(1);
        }
    };
    let watch = RunWatch::kept();
    let (seen, watched) = (machine.clone(), watch.clone());
    let (sender, receiver) = std::sync::mpsc::channel();
    py.detach(move || {
        let worker = std::thread::Builder::new().stack_size(16 << 20).spawn(move || {
            let terminal = TerminalStreams {
                input: io::stdin().is_terminal(),
                output: io::stdout().is_terminal(),
                errors: io::stderr().is_terminal(),
                width: None,
                columns: None,
            };
            let session = RunSession {
                input: &mut BufReader::new(io::stdin()),
                out: &mut BufWriter::with_capacity(1 << 16, io::stdout()),
                err: &mut io::stderr(),
                terminal,
                painted: ColourChoice::default(),
                machine,
                watch: watched,
            };
            // There is no listener any more where the run was left.
            let _ = sender.send(run(arguments, session).0);
        });
        if let Err(why) = worker {
            let _ = writeln!(io::stderr(), "groma: no thread to work on: {why}");
            return Ok(1);
        }
        loop {
            match receiver.recv_timeout(INTERVAL) {
                Ok(exit) => return Ok(exit),
                Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => return Ok(1),
                Err(std::sync::mpsc::RecvTimeoutError::Timeout) => {
                    Python::attach(|py| py.check_signals())?;
                    if let WatchVerdict::Leave(document, told) = watch.look(&seen) {
                        let _ = io::stderr().write_all(told.as_bytes());
                        let _ = io::stdout().write_all(document.as_bytes());
                        return Ok(1);
                    }
                }
            }
        }
    })
}
