//! Long work without the interpreter's lock. The work runs on a thread of its own, whose stack is as large as the deepest code
//! needs, while the calling thread checks for signals; a signal handler that raises ends the work by its budget.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use groma::Budget;
use groma::limits::{EVALUATION_STACK, RunEnd};
use pyo3::prelude::*;

use crate::error;

/// The interval between two checks for pending signals, such as an interrupt from the keyboard.
const INTERVAL: Duration = Duration::from_millis(20);

/// Runs `work` on a thread of its own and ends its budget if a Python signal handler raises; `work` passes its budget to the
/// function that it receives.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&dyn Fn(&Budget)) -> T + Send,
) -> PyResult<T> {
    let budget: Mutex<Option<Budget>> = Mutex::new(None);
    let lock = || budget.lock().unwrap_or_else(PoisonError::into_inner);
    let done = py.detach(|| {
        let (sender, receiver) = channel();
        thread::scope(|scope| {
            let begun = |own: &Budget| *lock() = Some(own.clone());
            let run = move || {
                let done = catch_unwind(AssertUnwindSafe(|| work(&begun)));
                // The receiver lives as long as this thread.
                let _ = sender.send(done.map_err(|_| ()));
            };
            let started =
                thread::Builder::new().stack_size(EVALUATION_STACK).spawn_scoped(scope, run);
            if let Err(why) = started {
                return Err(Trouble::Thread(why.to_string()));
            }
            let mut raised = None;
            loop {
                match receiver.recv_timeout(INTERVAL) {
                    Ok(done) => {
                        return match (raised, done) {
                            (Some(raised), _) => Err(Trouble::Raised(raised)),
                            (None, Ok(done)) => Ok(done),
                            (None, Err(())) => Err(Trouble::Panic),
                        };
                    }
                    Err(RecvTimeoutError::Disconnected) => return Err(Trouble::Panic),
                    Err(RecvTimeoutError::Timeout) => {
                        if raised.is_none() {
                            raised = Python::attach(|py| py.check_signals()).err();
                        }
                        if let (Some(_), Some(budget)) = (&raised, &*lock()) {
                            budget.end(RunEnd::Cancelled);
                        }
                    }
                }
            }
        })
    });
    done.map_err(|trouble| match trouble {
        Trouble::Raised(error) => error,
        Trouble::Thread(why) => {
            error::misuse(py, "internal", format!("No thread to work on: {why}."))
        }
        Trouble::Panic => {
            let why = "The engine failed while it answered. This is a defect of Groma.";
            error::misuse(py, "internal", why)
        }
    })
}

/// The reason why interruptible work has no result: a Python exception, a thread that could not start, or a panic.
enum Trouble {
    Raised(PyErr),
    Thread(String),
    Panic,
}
