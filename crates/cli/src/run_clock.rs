//! Timers for the runs of the language server: a run that takes longer than its time ends with a diagnostic, as a command does.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use groma::limits::RunEnd;
use groma_lsp::RunClock;

/// A timer of one run, which stops when it is dropped.
struct ClockGuard(Arc<ClockState>);

/// A flag that is set when the timed run is over, and the signal that then wakes the timer's thread.
#[derive(Default)]
struct ClockState {
    is_over: Mutex<bool>,
    over: Condvar,
}

/// Returns a function that starts a timer for each run of a server: after `time` it ends the run's budget.
pub(crate) fn clock(time: Duration) -> RunClock {
    Arc::new(move |budget| {
        let (state, budget) = (Arc::new(ClockState::default()), budget.clone());
        let watched = state.clone();
        let watch = move || {
            if watched.times_out(time) {
                budget.end(RunEnd::Time);
            }
        };
        // Without a thread no clock is read; what is counted is bounded all the same.
        let _ = std::thread::Builder::new().name("groma-lsp-clock".to_owned()).spawn(watch);
        Box::new(ClockGuard(state))
    })
}

impl ClockState {
    /// Waits until the run is over or `time` has passed; returns true in the latter case.
    fn times_out(&self, time: Duration) -> bool {
        let is_over = self.is_over.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.over.wait_timeout_while(is_over, time, |is_over| !*is_over);
        waited.unwrap_or_else(PoisonError::into_inner).1.timed_out()
    }
}

impl Drop for ClockGuard {
    fn drop(&mut self) {
        *self.0.is_over.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.0.over.notify_all();
    }
}
