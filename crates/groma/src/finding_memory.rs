//! Cache of a root's diagnostics with their dependencies, so that after an edit only the affected ones are computed again. All
//! snapshots of a root share it, and each gets the result that it would compute itself.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use groma_lint::LintMemory;
use groma_project::ValidationResults;

/// The cached validation and lint results of one root, shared by its snapshots.
#[derive(Default)]
pub(crate) struct FindingMemory {
    validated: CachedResult<ValidationResults>,
    linted: CachedResult<LintMemory>,
    /// The number of snapshots that have a view of the cache.
    snapshots: AtomicU64,
}

/// A cached validation or lint result of a root, if any, with the number of the snapshot that made it.
struct CachedResult<T>(Mutex<Option<(u64, Arc<T>)>>);

/// A snapshot's view of the [`FindingMemory`], with weak references to those cached results whose files are unchanged for this
/// snapshot.
#[derive(Clone)]
pub(crate) struct RootMemory {
    all: Arc<FindingMemory>,
    /// The number of the snapshot.
    number: u64,
    validated: Weak<ValidationResults>,
    linted: Weak<LintMemory>,
}

impl<T> Default for CachedResult<T> {
    fn default() -> CachedResult<T> {
        CachedResult(Mutex::default())
    }
}

impl<T> CachedResult<T> {
    /// Returns the cached validation or lint result and the number of the snapshot that made it; `None` if nothing is cached.
    fn get(&self) -> Option<(u64, Arc<T>)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Replaces the cached validation or lint result by `new`, which the snapshot with the number `number` has made.
    fn set(&self, number: u64, new: T) {
        let new = Some((number, Arc::new(new)));
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = new;
    }

    /// Returns the cached validation or lint result, and true if `same` refers to it, which says that its files are unchanged;
    /// `None` if nothing is cached.
    fn compared(&self, same: &Weak<T>) -> Option<(Arc<T>, bool)> {
        let (_, found) = self.get()?;
        let is_same = std::ptr::eq(Arc::as_ptr(&found), same.as_ptr());
        Some((found, is_same))
    }

    /// Returns a weak reference to the cached validation or lint result if the snapshot `number` has made it or `same` refers
    /// to it; otherwise an empty reference. The snapshot then records all files that the result depends on.
    fn recorded(&self, number: u64, same: &Weak<T>) -> Weak<T> {
        let found = self.get().filter(|(maker, found)| {
            *maker == number || std::ptr::eq(Arc::as_ptr(found), same.as_ptr())
        });
        found.map_or(Weak::new(), |(_, found)| Arc::downgrade(&found))
    }
}

impl FindingMemory {
    /// Returns an estimate of the bytes that the cached validation and lint results occupy.
    pub(crate) fn held_bytes(&self) -> usize {
        let validated = self.validated.get().map_or(0, |(_, validated)| validated.held_bytes());
        validated + self.linted.get().map_or(0, |(_, linted)| linted.held_bytes())
    }
}

impl RootMemory {
    /// Creates a view of the cached validation and lint results for a snapshot whose files may differ from those of all these
    /// results.
    pub(crate) fn of(all: &Arc<FindingMemory>) -> RootMemory {
        let number = all.snapshots.fetch_add(1, Ordering::Relaxed);
        RootMemory { all: all.clone(), number, validated: Weak::new(), linted: Weak::new() }
    }

    /// Creates a view of the cached validation and lint results for the next snapshot, whose files must equal those that were
    /// read for this one so far.
    pub(crate) fn following(&self) -> RootMemory {
        let validated = self.all.validated.recorded(self.number, &self.validated);
        let linted = self.all.linted.recorded(self.number, &self.linted);
        RootMemory { validated, linted, ..RootMemory::of(&self.all) }
    }

    /// Returns the cached validation result, and true if the files it depends on are unchanged; `None` if nothing is cached.
    pub(crate) fn validated(&self) -> Option<(Arc<ValidationResults>, bool)> {
        self.all.validated.compared(&self.validated)
    }

    /// Caches a validation result, made by this view's snapshot; `None` keeps the cached one.
    pub(crate) fn remember_validated(&self, new: Option<ValidationResults>) {
        if let Some(new) = new {
            self.all.validated.set(self.number, new);
        }
    }

    /// Returns the cached lint result, and true if the files it depends on are unchanged; `None` if nothing is cached.
    pub(crate) fn linted(&self) -> Option<(Arc<LintMemory>, bool)> {
        self.all.linted.compared(&self.linted)
    }

    /// Caches a lint result, made by this view's snapshot.
    pub(crate) fn remember_linted(&self, new: LintMemory) {
        self.all.linted.set(self.number, new);
    }
}
