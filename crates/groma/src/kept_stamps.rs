//! Stamps of a host's recorded answers, such as modification times, taken while the answers are compared. While the stamps are
//! current, no request is repeated; otherwise the answers are compared.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use groma_runtime::{AnswerStamps, OverlayHost, Texts};

/// A cache of stamps, such as modification times, that show if a host's recorded answers are still valid without repeating the
/// requests; with the number of comparisons of these answers since the stamps were taken.
#[derive(Default)]
pub(crate) struct KeptStamps(Mutex<StampState>);

/// The data of [`KeptStamps`] behind its lock: the stamps, if any, and the number of comparisons of a host's answers since they
/// were taken.
#[derive(Default)]
struct StampState {
    taken: Option<TakenStamps>,
    /// The number of comparisons of answers since stamps were last taken.
    comparisons: u32,
}

/// Stamps of a host's answers, with the version of the recorded requests and the open texts for which they are valid.
struct TakenStamps {
    stamps: Arc<dyn AnswerStamps>,
    /// The version of the list of recorded requests.
    version: u64,
    texts: Arc<Texts>,
}

impl KeptStamps {
    /// Locks the stamps and the number of comparisons of a host's answers, even if a thread has panicked while it held the lock.
    fn state(&self) -> MutexGuard<'_, StampState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns true if the stamps are those of this version of the recorded requests and of the host's texts, and show that all
    /// answers are unchanged.
    pub(crate) fn are_current(&self, version: u64, now: &OverlayHost) -> bool {
        let state = self.state();
        let taken = state
            .taken
            .as_ref()
            .filter(|taken| taken.version == version && Arc::ptr_eq(&taken.texts, &now.texts));
        taken.is_some_and(|taken| taken.stamps.are_current())
    }

    /// Counts a comparison of a host's answers with the recorded ones, and returns true if stamps should be taken with it. This
    /// becomes rarer while taking them fails because files were modified too recently.
    pub(crate) fn begin(&self) -> bool {
        let mut state = self.state();
        state.comparisons = state.comparisons.saturating_add(1);
        state.comparisons.is_power_of_two()
    }

    /// Replaces the cached stamps by those taken for a version of the recorded requests and the texts of `now`, and sets the
    /// number of comparisons of a host's answers to 0.
    pub(crate) fn keep(&self, version: u64, now: &OverlayHost, stamps: Arc<dyn AnswerStamps>) {
        let texts = now.texts.clone();
        *self.state() =
            StampState { taken: Some(TakenStamps { stamps, version, texts }), comparisons: 0 };
    }
}
