//! Files that an expression may read and whose names are not known. A comparison asks whether any of them differs, which
//! may take a look at a whole work tree, so that is found out only when an expression depends on it.

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use groma_syntax::Place;
use groma_value::Fingerprint;
use rustc_hash::FxHashMap;

use crate::possible_names::PossibleNames;

/// A file with different content in one of the compared evaluations.
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

/// The files that differ between the compared evaluations.
#[derive(Clone, Default, Debug)]
pub struct ChangedFiles {
    /// A number for all other files: where it is the same, so are they.
    pub rest: u64,
    /// The files.
    pub files: Vec<ChangedFile>,
}

/// The changed files, found on first use.
struct LazyFiles {
    find: Box<dyn Fn() -> ChangedFiles + Send + Sync>,
    found: OnceLock<ChangedFiles>,
    versions: Option<Box<FileVersions>>,
    /// The numbers of changed files for functions that decode them, by path and function; nothing where one does not count.
    decoded: Mutex<FxHashMap<(String, &'static str), Option<u64>>>,
}

/// A function that returns a file's text in each compared evaluation; the inner `None` for a missing or non-text file, the
/// outer one if that is not determined.
type FileVersions = dyn Fn(&str) -> Option<Vec<Option<String>>> + Send + Sync;

/// A decoder that uses only the decoded content of a file. A file that decodes equally in every evaluation, or in none, makes
/// no difference.
pub(crate) struct FileDecoder<'d> {
    /// The name of the function.
    pub(crate) name: &'static str,
    /// Returns the fingerprint of what is made of a text, which is none where it is refused; nothing where that cannot be
    /// told.
    pub(crate) decode: &'d dyn Fn(&str) -> Option<Option<Fingerprint>>,
}

impl LazyFiles {
    /// Returns the content hash of a file, through a decoder if any; `None` if the file makes no difference.
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

/// Returns the hash of a key.
fn number(of: impl Hash) -> u64 {
    let mut state = DefaultHasher::new();
    of.hash(&mut state);
    state.finish()
}

/// The files with unknown names that an evaluation may read, represented by fingerprints: equal in two evaluations that read
/// the same ones.
pub struct OtherFiles {
    changed: Arc<LazyFiles>,
    /// What is known of texts that are not known, by their fingerprints.
    names: Mutex<FxHashMap<Fingerprint, PossibleNames>>,
    /// The changed files that count, by the calls that may read them.
    read: Mutex<FxHashMap<Place, Vec<String>>>,
}

/// Locks a mutex; a panic of another holder does not matter.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl OtherFiles {
    /// Creates the set of files from `find`, which returns the changed ones on demand.
    pub fn new(find: impl Fn() -> ChangedFiles + Send + Sync + 'static) -> OtherFiles {
        OtherFiles::of_files(LazyFiles {
            find: Box::new(find),
            found: OnceLock::new(),
            versions: None,
            decoded: Mutex::default(),
        })
    }

    /// Creates the set of files from `find`, with `versions` for their texts.
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

    /// Returns a record of files, nothing read yet.
    fn of_files(changed: LazyFiles) -> OtherFiles {
        OtherFiles { changed: Arc::new(changed), names: Mutex::default(), read: Mutex::default() }
    }

    /// Returns the same files for the evaluation of another root.
    #[must_use]
    pub fn unrequested(&self) -> OtherFiles {
        OtherFiles {
            changed: self.changed.clone(),
            names: Mutex::default(),
            read: Mutex::default(),
        }
    }

    /// Creates a set of files with one common content hash.
    pub fn of_number(rest: u64) -> OtherFiles {
        OtherFiles::new(move || ChangedFiles { rest, files: Vec::new() })
    }

    /// Returns the absolute paths of the changed files that the call at `place` may read.
    pub fn read_at(&self, place: Place) -> Vec<String> {
        lock(&self.read).get(&place).cloned().unwrap_or_default()
    }

    /// Returns the fingerprint of what may be read at a place, where the names are these and start at one of the folders.
    /// `may_read` says whether a path may be read at all, and `decoder` what becomes of the texts, if that is known.
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

    /// Records the possible names for a fingerprint.
    pub(crate) fn keep(&self, of: Fingerprint, names: PossibleNames) {
        if !names.is_any() {
            lock(&self.names).insert(of, names);
        }
    }

    /// Returns the possible names recorded for a fingerprint.
    pub(crate) fn names(&self, of: Fingerprint) -> PossibleNames {
        lock(&self.names).get(&of).cloned().unwrap_or_default()
    }
}

impl fmt::Debug for OtherFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OtherFiles({:?})", self.changed.found.get())
    }
}
