//! Cache of a root's diagnostics and what they depend on, so that diagnostics after an edit cost only what the edit affects. All
//! snapshots of a root share it, and each gets the result that it would compute itself.

use std::sync::{Arc, Mutex, PoisonError};

use groma_lint::LintMemory;
use groma_project::ExaminedProject;

/// The cached validation and lint results of one root.
#[derive(Default)]
pub(crate) struct FindingMemory {
    examined: Mutex<Option<Arc<ExaminedProject>>>,
    linted: Mutex<Option<Arc<LintMemory>>>,
}

/// Returns the cached value, if any.
fn get<T>(of: &Mutex<Option<Arc<T>>>) -> Option<Arc<T>> {
    of.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Replaces the cached value.
fn set<T>(of: &Mutex<Option<Arc<T>>>, new: T) {
    *of.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(new));
}

impl FindingMemory {
    /// Returns the last validation.
    pub(crate) fn examined(&self) -> Option<Arc<ExaminedProject>> {
        get(&self.examined)
    }

    /// Caches a validation; `None` keeps the last one.
    pub(crate) fn remember_examined(&self, new: Option<ExaminedProject>) {
        if let Some(new) = new {
            set(&self.examined, new);
        }
    }

    /// Returns the last lint run.
    pub(crate) fn linted(&self) -> Option<Arc<LintMemory>> {
        get(&self.linted)
    }

    /// Caches a lint run.
    pub(crate) fn remember_linted(&self, new: LintMemory) {
        set(&self.linted, new);
    }
}
