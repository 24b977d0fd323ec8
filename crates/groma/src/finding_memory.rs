//! The memory of findings: what was found in a root and what that rested on, so that the findings after an edit take as long
//! as what the edit has touched. It is shared by the snapshots of a root, and right for each of them: what is taken from it is
//! what the snapshot itself would come to.

use std::sync::{Arc, Mutex, PoisonError};

use groma_lint::LintMemory;
use groma_project::ExaminedProject;

/// The memory of one root.
#[derive(Default)]
pub(crate) struct FindingMemory {
    examined: Mutex<Option<Arc<ExaminedProject>>>,
    linted: Mutex<Option<Arc<LintMemory>>>,
}

fn get<T>(of: &Mutex<Option<Arc<T>>>) -> Option<Arc<T>> {
    of.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

fn set<T>(of: &Mutex<Option<Arc<T>>>, new: T) {
    *of.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(new));
}

impl FindingMemory {
    /// The last examination.
    pub(crate) fn examined(&self) -> Option<Arc<ExaminedProject>> {
        get(&self.examined)
    }

    /// Remembers an examination; nothing where the last one is the better to begin with.
    pub(crate) fn remember_examined(&self, new: Option<ExaminedProject>) {
        if let Some(new) = new {
            set(&self.examined, new);
        }
    }

    /// The last look of the rules.
    pub(crate) fn linted(&self) -> Option<Arc<LintMemory>> {
        get(&self.linted)
    }

    /// Remembers a look of the rules.
    pub(crate) fn remember_linted(&self, new: LintMemory) {
        set(&self.linted, new);
    }
}
