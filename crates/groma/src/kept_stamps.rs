//! Stamps of the answers that a recording rests on, taken while they are compared. While the stamps are current no question is
//! asked again; where they are not, the answers decide as before.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use groma_runtime::{AnswerStamps, OverlayHost, Texts};

/// A cache of stamps, such as modification times, that show whether a host's recorded answers still hold without repeating the
/// requests; with a count of the comparisons since they were taken.
#[derive(Default)]
pub(crate) struct KeptStamps(Mutex<StampState>);

/// The state of [`KeptStamps`], behind its lock.
#[derive(Default)]
struct StampState {
    taken: Option<TakenStamps>,
    /// The number of comparisons since stamps were taken last.
    comparisons: u32,
}

/// Stamps of a host's answers, with the version of the recorded requests and the open texts for which they are valid.
struct TakenStamps {
    stamps: Arc<dyn AnswerStamps>,
    /// The version of the recorded questions.
    version: u64,
    texts: Arc<Texts>,
}

impl KeptStamps {
    /// Locks the state, ignoring a panic of another holder.
    fn state(&self) -> MutexGuard<'_, StampState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns true if the stamps show that a host still gives the same answers to this version of the recorded requests.
    pub(crate) fn are_current(&self, version: u64, now: &OverlayHost) -> bool {
        let state = self.state();
        let taken = state
            .taken
            .as_ref()
            .filter(|taken| taken.version == version && Arc::ptr_eq(&taken.texts, &now.texts));
        taken.is_some_and(|taken| taken.stamps.are_current())
    }

    /// Counts a comparison, and returns true if stamps should be taken with it. The attempts become rarer while they fail
    /// because files were modified too recently.
    pub(crate) fn begin(&self) -> bool {
        let mut state = self.state();
        state.comparisons = state.comparisons.saturating_add(1);
        state.comparisons.is_power_of_two()
    }

    /// Replaces the cached stamps by those taken for a version of the recorded requests, and restarts the count of comparisons.
    pub(crate) fn keep(&self, version: u64, now: &OverlayHost, stamps: Arc<dyn AnswerStamps>) {
        let texts = now.texts.clone();
        *self.state() =
            StampState { taken: Some(TakenStamps { stamps, version, texts }), comparisons: 0 };
    }
}
