//! Files that an expression may read and whose names are not known. A comparison asks whether any of them differs, which
//! may take a look at a whole work tree, so that is found out only when an expression depends on it.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use groma_syntax::Place;
use groma_value::Fingerprint;
use rustc_hash::FxHashMap;

use crate::possible_names::PossibleNames;

/// A file that another evaluation reads otherwise.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ChangedFile {
    /// Its absolute path.
    pub path: String,
    /// A number for what it holds.
    pub content: u64,
    /// True if it is code. Then it counts only where the ending of a name is known to be its own: whatever else is read is
    /// hardly ever code, and code counts by what it says.
    pub is_code: bool,
    /// True if whatever lies below it may be read otherwise, too: it is a link, or another repository.
    pub is_folder: bool,
}

/// The files that are not the same in every evaluation that is compared.
#[derive(Clone, Default, Debug)]
pub struct ChangedFiles {
    /// A number for all other files: where it is the same, so are they.
    pub rest: u64,
    /// The files.
    pub files: Vec<ChangedFile>,
}

/// The changed files, once they are asked for.
struct LazyFiles {
    find: Box<dyn Fn() -> ChangedFiles + Send + Sync>,
    found: OnceLock<ChangedFiles>,
}

/// Stands for the files whose names are not known: in two evaluations that read the same ones, the fingerprints are equal.
pub struct OtherFiles {
    changed: Arc<LazyFiles>,
    /// What is known of texts that are not known, by their fingerprints.
    names: Mutex<FxHashMap<Fingerprint, PossibleNames>>,
    /// The changed files that count, by the calls that may read them.
    read: Mutex<FxHashMap<Place, Vec<String>>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl OtherFiles {
    /// Files of which `find` gives those that have changed, once they are asked for.
    pub fn new(find: impl Fn() -> ChangedFiles + Send + Sync + 'static) -> OtherFiles {
        OtherFiles {
            changed: Arc::new(LazyFiles { find: Box::new(find), found: OnceLock::new() }),
            names: Mutex::default(),
            read: Mutex::default(),
        }
    }

    /// The same files for the evaluation of another root.
    #[must_use]
    pub fn afresh(&self) -> OtherFiles {
        OtherFiles {
            changed: self.changed.clone(),
            names: Mutex::default(),
            read: Mutex::default(),
        }
    }

    /// Files that all have this number together.
    pub fn of_number(rest: u64) -> OtherFiles {
        OtherFiles::new(move || ChangedFiles { rest, files: Vec::new() })
    }

    /// The changed files that a call may read, as absolute paths. `place` is that of the call.
    pub fn read_at(&self, place: Place) -> Vec<String> {
        lock(&self.read).get(&place).cloned().unwrap_or_default()
    }

    /// Returns the fingerprint of what may be read at a place, where the names are these and start at one of the folders.
    /// `may_read` says whether a path may be read at all.
    pub(crate) fn fingerprint(
        &self,
        place: Place,
        names: &PossibleNames,
        folders: &[String],
        may_read: impl Fn(&str) -> bool,
    ) -> Fingerprint {
        let ChangedFiles { rest, files } = self.changed.found.get_or_init(&self.changed.find);
        if files.is_empty() {
            return Fingerprint::of((rest, files));
        }
        let patterns: Vec<_> = folders.iter().flat_map(|folder| names.paths_from(folder)).collect();
        let counts = |file: &&ChangedFile| {
            let mut patterns = patterns.iter().filter(|one| !file.is_code || one.has_ending());
            patterns.any(|one| one.fits(&file.path, file.is_folder)) && may_read(&file.path)
        };
        let found: Vec<&ChangedFile> = files.iter().filter(counts).collect();
        if !found.is_empty() {
            let mut read = lock(&self.read);
            let all = read.entry(place).or_default();
            all.extend(found.iter().map(|file| file.path.clone()));
            all.sort_unstable();
            all.dedup();
        }
        Fingerprint::of((rest, found))
    }

    /// Keeps in mind what is known of the text, or of the texts, with a fingerprint.
    pub(crate) fn keep(&self, of: Fingerprint, names: PossibleNames) {
        if !names.is_any() {
            lock(&self.names).insert(of, names);
        }
    }

    /// Returns what is known of the text, or of the texts, with a fingerprint.
    pub(crate) fn names(&self, of: Fingerprint) -> PossibleNames {
        lock(&self.names).get(&of).cloned().unwrap_or_default()
    }
}

impl fmt::Debug for OtherFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OtherFiles({:?})", self.changed.found.get())
    }
}
