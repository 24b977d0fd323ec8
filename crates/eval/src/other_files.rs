//! Files that an expression may read and whose names are unknown. A comparison of two evaluations asks whether any of them
//! differs. That may require a search of a whole work tree, so it is done only if an expression depends on it.

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use groma_syntax::Place;
use groma_value::Fingerprint;
use rustc_hash::FxHashMap;

use crate::possible_names::PossibleNames;

/// A file whose content differs between evaluations that are compared, such as those of two revisions.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ChangedFile {
    /// The absolute path.
    pub path: String,
    /// A hash of its content in this evaluation.
    pub content: u64,
    /// True if it is code. Such a file counts only where the file extension in a possible name is known: other reads hardly ever
    /// mean code, and code is compared by its meaning.
    pub is_code: bool,
    /// True if everything below it may differ, too: it is a link or another repository.
    pub is_folder: bool,
}

/// The files that differ between compared evaluations, and a number that stands for all other files that these may read.
#[derive(Clone, Default, Debug)]
pub struct ChangedFiles {
    /// A number that stands for all other files: equal if they are equal.
    pub rest: u64,
    /// The files that differ.
    pub files: Vec<ChangedFile>,
}

/// The files that differ between evaluations that are compared, searched for on first use, with the hashes of their decoded
/// contents.
struct LazyFiles {
    find: Box<dyn Fn() -> ChangedFiles + Send + Sync>,
    found: OnceLock<ChangedFiles>,
    versions: Option<Box<FileVersions>>,
    /// The hashes of changed files by path and decoder; `None` for a file that makes no difference.
    decoded: Mutex<FxHashMap<(String, &'static str), Option<u64>>>,
}

/// A function from a file's path to its text in each of the evaluations that are compared; an inner `None` is a missing or
/// non-text file, the outer one means that the texts cannot be determined.
type FileVersions = dyn Fn(&str) -> Option<Vec<Option<String>>> + Send + Sync;

/// A function such as `jsondecode` whose result is compared in place of a file's content: a file that decodes equally in every
/// compared evaluation, or in none, counts as unchanged.
pub(crate) struct FileDecoder<'d> {
    /// The name of the decoding function.
    pub(crate) name: &'static str,
    /// Returns the fingerprint of the decoded text. The inner `None` is a refused text; the outer one means that the result
    /// cannot be determined.
    pub(crate) decode: &'d dyn Fn(&str) -> Option<Option<Fingerprint>>,
}

impl LazyFiles {
    /// Returns a hash of the content of a file that differs between compared evaluations, or of its decoded value if there is a
    /// decoder; `None` if the decoded value is the same in every evaluation.
    fn content(&self, file: &ChangedFile, decoder: Option<&FileDecoder<'_>>) -> Option<u64> {
        let (Some(decoder), Some(versions)) = (decoder, &self.versions) else {
            return Some(file.content);
        };
        if file.is_folder {
            return Some(file.content);
        }
        let key = (file.path.clone(), decoder.name);
        if let Some(known) = lock(&self.decoded).get(&key) {
            return *known;
        }
        let decoded = |text: Option<String>| match text {
            Some(text) => (decoder.decode)(&text),
            None => Some(None),
        };
        let all = versions(&file.path);
        let all: Option<Vec<_>> = all.and_then(|all| all.into_iter().map(decoded).collect());
        let content = match all.as_deref() {
            Some([only]) => Some(number(only)),
            Some([first, rest @ ..]) if rest.iter().all(|one| one == first) => None,
            _ => Some(file.content),
        };
        lock(&self.decoded).insert(key, content);
        content
    }
}

/// Returns the hash of anything hashable as a number.
fn number(of: impl Hash) -> u64 {
    let mut state = DefaultHasher::new();
    of.hash(&mut state);
    state.finish()
}

/// A record of the files that an evaluation may read under names that are unknown values, with fingerprints of their contents
/// that are equal in evaluations that read equal files.
pub struct OtherFiles {
    changed: Arc<LazyFiles>,
    /// The possible texts of unknown values, by the fingerprints of those values.
    names: Mutex<FxHashMap<Fingerprint, PossibleNames>>,
    /// The changed files that count, by the place of the call that may read them.
    read: Mutex<FxHashMap<Place, Vec<String>>>,
}

/// Locks a mutex, also after a panic of another thread that held the lock.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl OtherFiles {
    /// Creates an empty record of the files that an evaluation may read under unknown names; `find` returns the files that differ
    /// between this evaluation and those with which it is compared, and is called when needed.
    pub fn new(find: impl Fn() -> ChangedFiles + Send + Sync + 'static) -> OtherFiles {
        OtherFiles::of_files(LazyFiles {
            find: Box::new(find),
            found: OnceLock::new(),
            versions: None,
            decoded: Mutex::default(),
        })
    }

    /// Creates an empty record of the files that an evaluation may read under unknown names; `find` returns the files that
    /// differ between the compared evaluations, `versions` the list of the texts of a file in each of them (an element is
    /// `None` if the file is missing), by which decoded values are compared, or `None` instead of the list if it cannot tell.
    pub fn with_versions(
        find: impl Fn() -> ChangedFiles + Send + Sync + 'static,
        versions: impl Fn(&str) -> Option<Vec<Option<String>>> + Send + Sync + 'static,
    ) -> OtherFiles {
        OtherFiles::of_files(LazyFiles {
            find: Box::new(find),
            found: OnceLock::new(),
            versions: Some(Box::new(versions)),
            decoded: Mutex::default(),
        })
    }

    /// Creates an empty record of read files for an evaluation; `changed` are the files that differ between it and the
    /// evaluations with which it is compared.
    fn of_files(changed: LazyFiles) -> OtherFiles {
        OtherFiles { changed: Arc::new(changed), names: Mutex::default(), read: Mutex::default() }
    }

    /// Returns an empty record of read files for the evaluation of another root, with the same files that differ in the
    /// comparison.
    #[must_use]
    pub fn emptied(&self) -> OtherFiles {
        OtherFiles {
            changed: self.changed.clone(),
            names: Mutex::default(),
            read: Mutex::default(),
        }
    }

    /// Creates an empty record of read files for evaluations between which no file that they may read differs; `rest` is any
    /// number that stands for those files, equal for evaluations that read the same ones.
    pub fn of_number(rest: u64) -> OtherFiles {
        OtherFiles::new(move || ChangedFiles { rest, files: Vec::new() })
    }

    /// Returns the absolute paths of those files that differ between the compared evaluations and that the call at `place` may
    /// read.
    pub fn read_at(&self, place: Place) -> Vec<String> {
        lock(&self.read).get(&place).cloned().unwrap_or_default()
    }

    /// Records those files that differ between the compared evaluations and that the call at `place` may read by one of `names`
    /// in one of `folders`, and returns a fingerprint of their contents (as `decoder` decodes them) and of the number that
    /// stands for all other files; `may_read` returns false for paths that the host refuses.
    pub(crate) fn fingerprint(
        &self,
        place: Place,
        names: &PossibleNames,
        folders: &[String],
        decoder: Option<&FileDecoder<'_>>,
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
        let counted = files.iter().filter(counts);
        let found: Vec<(&ChangedFile, u64)> =
            counted.filter_map(|file| Some((file, self.changed.content(file, decoder)?))).collect();
        if !found.is_empty() {
            let mut read = lock(&self.read);
            let all = read.entry(place).or_default();
            all.extend(found.iter().map(|(file, _)| file.path.clone()));
            all.sort_unstable();
            all.dedup();
        }
        let found: Vec<_> = found
            .into_iter()
            .map(|(file, content)| (&file.path, content, file.is_folder))
            .collect();
        Fingerprint::of((rest, found))
    }

    /// Records the texts, such as file names, that the unknown value with this fingerprint may turn out to be.
    pub(crate) fn keep(&self, of: Fingerprint, names: PossibleNames) {
        if !names.is_any() {
            lock(&self.names).insert(of, names);
        }
    }

    /// Returns the texts, such as file names, that the unknown value with this fingerprint may turn out to be; any text if none
    /// are recorded.
    pub(crate) fn names(&self, of: Fingerprint) -> PossibleNames {
        lock(&self.names).get(&of).cloned().unwrap_or_default()
    }
}

impl fmt::Debug for OtherFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OtherFiles({:?})", self.changed.found.get())
    }
}
