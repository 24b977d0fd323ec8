//! Cache of file system queries. A pass over many roots queries each path once, because roots share directories. The cache knows
//! the target of a path, never if it may be read.

use std::ffi::{OsStr, OsString};
use std::path::{MAIN_SEPARATOR, Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use groma_runtime::{DirEntry, EntryKind, HostError};
use rustc_hash::FxHashMap;

use crate::stamp::FileStamp;

/// True if each file has one spelling of its name only: upper and lower case, and the Unicode normal forms, are distinguished.
/// Elsewhere a path may spell a name in another way, and only the system knows the real one.
pub(crate) const NAMES_ARE_PLAIN: bool = cfg!(target_os = "linux");

/// Maximum number of bytes of cached file contents; a file that would exceed it is not cached.
const MAX_CACHED_BYTES: u64 = 16 << 20;

/// The queries about paths that a [`StatCache`] passes on to the file system if it does not hold the answer.
pub(crate) trait DiskView {
    /// Returns the kind and length of the entry at a path, not following a link there.
    fn own(&self, path: &Path) -> Result<OwnEntry, HostError>;
    /// Returns the real path of the entry at a path, with all symbolic links followed.
    fn real(&self, path: &Path) -> Result<PathBuf, HostError>;
    /// Returns the entries of a folder, each with the kind of a link's target, and the names of those that are links.
    fn list(&self, folder: &Path) -> Result<FolderListing, HostError>;
}

/// The entry at a path itself, which may be a link: its kind and length.
pub(crate) struct OwnEntry {
    pub is_link: bool,
    pub kind: EntryKind,
    /// The number of bytes, if it is a file.
    pub length: u64,
    pub stamp: FileStamp,
}

/// The entries of a folder, with links followed, and the names of those that are links.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct FolderListing {
    pub entries: Vec<DirEntry>,
    /// The names of those that are links.
    pub links: Vec<String>,
}

/// The entry at a path after following links: its path without links, kind, length and stamp.
#[derive(Clone, Debug)]
pub(crate) struct FollowedEntry {
    /// The path of the entry without links.
    pub real: PathBuf,
    pub kind: EntryKind,
    /// The number of bytes, if it is a file.
    pub length: u64,
    pub stamp: FileStamp,
}

/// A cache of file system lookups, which may be switched off.
#[derive(Clone, Default, Debug)]
pub(crate) struct StatCache(Option<Arc<Mutex<StatMemory>>>);

/// The content of a [`StatCache`]: the entries, folder listings and contents of files that were read so far.
#[derive(Default, Debug)]
struct StatMemory {
    /// Entries by requested path, as texts, which is faster to hash than path components.
    places: FxHashMap<OsString, Result<FollowedEntry, HostError>>,
    /// The entries of directories, by their real paths.
    folders: FxHashMap<OsString, FolderListing>,
    /// The contents of files by their real paths, until they are read again.
    files: FxHashMap<OsString, Vec<u8>>,
    /// The total number of bytes of the cached contents.
    bytes: u64,
}

impl StatCache {
    /// Creates a cache whose entries never expire, so it should be used only for a short time.
    pub(crate) fn with_cache() -> StatCache {
        StatCache(Some(Arc::default()))
    }

    /// Locks the cache; `None` if caching is off.
    fn memory(&self) -> Option<MutexGuard<'_, StatMemory>> {
        self.0.as_ref().map(|memory| memory.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns the entry at an absolute path, following links, from the cache or the disk.
    pub(crate) fn at(
        &self,
        asked: &Path,
        disk: &impl DiskView,
    ) -> Result<FollowedEntry, HostError> {
        let path = asked.as_os_str();
        if let Some(known) = self.memory().and_then(|memory| memory.places.get(path).cloned()) {
            return known;
        }
        let found = self.query(asked, disk);
        if let Some(mut memory) = self.memory() {
            memory.places.insert(path.to_owned(), found.clone());
        }
        found
    }

    /// Queries the disk, not the cache, for the entry to which a path leads. Only the links of the parent are resolved if the
    /// entry is no link itself.
    fn query(&self, asked: &Path, disk: &impl DiskView) -> Result<FollowedEntry, HostError> {
        // Many requested files are missing, and resolving a link is slow.
        let own = disk.own(asked)?;
        let (real, own) = match split_last(asked).filter(|_| !own.is_link && NAMES_ARE_PLAIN) {
            // An entry that is not a link is in the real path of its directory.
            Some((above, name)) if self.0.is_some() => (self.at(above, disk)?.real.join(name), own),
            Some((above, name)) => (disk.real(above)?.join(name), own),
            None => {
                let real = disk.real(asked)?;
                let own = disk.own(&real)?;
                (real, own)
            }
        };
        Ok(FollowedEntry { real, kind: own.kind, length: own.length, stamp: own.stamp })
    }

    /// Returns the entries of a folder, given its path after all links, from the cache or the disk.
    pub(crate) fn list(
        &self,
        real: &Path,
        disk: &impl DiskView,
    ) -> Result<FolderListing, HostError> {
        let path = real.as_os_str();
        if let Some(known) = self.memory().and_then(|memory| memory.folders.get(path).cloned()) {
            return Ok(known);
        }
        let listing = disk.list(real)?;
        if let Some(mut memory) = self.memory() {
            memory.folders.insert(path.to_owned(), listing.clone());
        }
        Ok(listing)
    }

    /// Removes and returns the cached content of a file, since a loaded file is then held elsewhere; `None` if it is not cached.
    pub(crate) fn take_bytes(&self, real: &Path) -> Option<Vec<u8>> {
        let mut memory = self.memory()?;
        let bytes = memory.files.remove(real.as_os_str())?;
        memory.bytes = memory.bytes.saturating_sub(bytes.len() as u64);
        Some(bytes)
    }

    /// Caches the content of a file, unless the cache is full or off.
    pub(crate) fn keep_bytes(&self, real: &Path, bytes: &[u8]) {
        let Some(mut memory) = self.memory() else { return };
        let all = memory.bytes + bytes.len() as u64;
        if all <= MAX_CACHED_BYTES && !memory.files.contains_key(real.as_os_str()) {
            memory.bytes = all;
            memory.files.insert(real.as_os_str().to_owned(), bytes.to_vec());
        }
    }
}

/// Splits a path into its parent and its last name; `None` if it ends in a separator, `.` or `..`.
fn split_last(path: &Path) -> Option<(&Path, &OsStr)> {
    let (above, name) = (path.parent()?, path.file_name()?);
    // A slash or a dot after a link refers to the link's target.
    let ends = path.as_os_str().as_encoded_bytes().ends_with(name.as_encoded_bytes());
    ends.then_some((above, name))
}

/// Returns true if a path below a root is private to the version control system or, in untrusted code, to tools, except for
/// installed modules.
pub(crate) fn is_private(below: &Path, untrusted: bool) -> bool {
    let mut parts = below.components().map(|part| part.as_os_str()).peekable();
    while let Some(part) = parts.next() {
        let is_of_tools =
            untrusted && part == ".terraform" && parts.peek().is_none_or(|next| *next != "modules");
        if part.eq_ignore_ascii_case(".git") || is_of_tools {
            return true;
        }
    }
    false
}

/// Returns true if a path is the folder or inside it; both are real paths without links.
pub(crate) fn is_within(path: &Path, folder: &Path) -> bool {
    let (path_text, folder_text) = (path.as_os_str(), folder.as_os_str());
    let rest = path_text.as_encoded_bytes().strip_prefix(folder_text.as_encoded_bytes());
    // A comparison of texts suffices in most cases.
    rest.is_some_and(|rest| rest.is_empty() || rest[0] == MAIN_SEPARATOR as u8)
        || path.starts_with(folder)
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::path::{Path, PathBuf};

    use groma_runtime::{EntryKind, HostError};

    use super::{DiskView, FolderListing, NAMES_ARE_PLAIN, OwnEntry, StatCache, is_within};
    use crate::stamp::FileStamp;

    /// A disk with the link `/a/link` to `/b` and no entries named `none`, on which all else is a folder. It records the queries.
    #[derive(Default)]
    struct Asked(RefCell<Vec<String>>);

    impl Asked {
        /// Records a query of the kind `what` about a path.
        fn note(&self, what: &str, path: &Path) {
            self.0.borrow_mut().push(format!("{what} {}", path.display()));
        }
    }

    impl DiskView for Asked {
        fn own(&self, path: &Path) -> Result<OwnEntry, HostError> {
            self.note("own", path);
            if path.ends_with("none") {
                return Err(HostError::Absent);
            }
            let is_link = path.as_os_str() == "/a/link";
            let stamp = FileStamp::default();
            Ok(OwnEntry { is_link, kind: EntryKind::Directory, length: 0, stamp })
        }

        fn real(&self, path: &Path) -> Result<PathBuf, HostError> {
            self.note("real", path);
            Ok(match path.strip_prefix("/a/link") {
                Ok(rest) => Path::new("/b").join(rest),
                Err(_) => path.to_owned(),
            })
        }

        fn list(&self, folder: &Path) -> Result<FolderListing, HostError> {
            self.note("list", folder);
            Ok(FolderListing::default())
        }
    }

    #[test]
    fn each_path_is_asked_once() {
        let (seen, disk) = (StatCache::with_cache(), Asked::default());
        let real = |path: &str| seen.at(Path::new(path), &disk).map(|found| found.real);
        let mut counts = Vec::new();
        for _ in 0..2 {
            assert_eq!(real("/a/link/c"), Ok("/b/c".into()));
            assert_eq!(real("/a/link/d"), Ok("/b/d".into()));
            assert_eq!(real("/a/link"), Ok("/b".into()));
            // Behind a link a slash or a dot leads to where it leads.
            assert_eq!(real("/a/link/"), Ok("/b".into()));
            assert_eq!(real("/a/link/."), Ok("/b".into()));
            assert_eq!(real("/a/none"), Err(HostError::Absent));
            assert_eq!(seen.list(Path::new("/b"), &disk), Ok(FolderListing::default()));
            counts.push(disk.0.borrow().len());
        }
        assert_eq!(counts[0], counts[1]);
        // A folder is resolved once, whatever lies in it.
        let of_link = |asked: &&String| asked.as_str() == "real /a/link";
        assert!(!NAMES_ARE_PLAIN || disk.0.borrow().iter().filter(of_link).count() == 1);
    }

    #[test]
    fn another_one_asks_anew() {
        let disk = Asked::default();
        for seen in [StatCache::default(), StatCache::default(), StatCache::with_cache()] {
            assert!(seen.at(Path::new("/a/c"), &disk).is_ok());
            assert!(seen.at(Path::new("/a/none"), &disk).is_err());
        }
        let asked = disk.0.into_inner();
        assert_eq!(asked.iter().filter(|one| *one == "own /a/c").count(), 3);
        assert_eq!(asked.iter().filter(|one| *one == "own /a/none").count(), 3);
    }

    #[test]
    fn what_only_begins_alike_lies_elsewhere() {
        let is_in = |path: &str, folder: &str| is_within(Path::new(path), Path::new(folder));
        assert!(is_in("/a/b", "/a/b") && is_in("/a/b/c", "/a/b") && is_in("/a", "/"));
        assert!(!is_in("/a/bc", "/a/b") && !is_in("/a", "/a/b") && !is_in("/b/a", "/a"));
    }
}
