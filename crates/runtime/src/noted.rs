//! Records which of some files a host is asked for. The listing of a folder does not show that its files are read, so it
//! is recorded separately.

use std::collections::BTreeSet;
use std::io::Read;
use std::sync::{Arc, Mutex, PoisonError};

use crate::file_path;
use crate::host::{DirEntry, EntryKind, Host, HostError};
use crate::overlay::absolute;

/// A set of files below a folder that the caller wants to watch, with a record of those that a host was asked for.
#[derive(Debug)]
pub struct NotedFiles {
    wanted: Arc<WantedFiles>,
    asked: Mutex<HostRequests>,
}

/// The paths of the files that a [`NotedFiles`] watches, and of their folders.
#[derive(Debug)]
struct WantedFiles {
    /// The topmost folder: an absolute path without links.
    top: String,
    /// The paths of the files, relative to the topmost folder.
    files: BTreeSet<String>,
    /// The paths of the folders that contain the files.
    folders: BTreeSet<String>,
}

/// The files watched by a [`NotedFiles`] that a host was asked for, and their folders that it was asked to list.
#[derive(Default, Debug)]
struct HostRequests {
    files: BTreeSet<String>,
    folders: BTreeSet<String>,
}

/// A host that forwards all requests to another host, and records those for the files that a [`NotedFiles`] watches.
pub struct NotedHost {
    below: Arc<dyn Host>,
    files: Arc<NotedFiles>,
}

impl NotedFiles {
    /// Creates a set of watched files from their paths relative to `top`, with no request recorded.
    pub fn new(top: &str, wanted: impl IntoIterator<Item = String>) -> NotedFiles {
        let files: BTreeSet<String> = wanted.into_iter().collect();
        let folders = files.iter().map(|path| file_path::parent(path)).collect();
        let wanted = Arc::new(WantedFiles { top: top.to_owned(), files, folders });
        NotedFiles { wanted, asked: Mutex::default() }
    }

    /// Returns the same set of watched files, with no request recorded.
    #[must_use]
    pub fn unrequested(&self) -> NotedFiles {
        NotedFiles { wanted: self.wanted.clone(), asked: Mutex::default() }
    }

    /// Returns true if a host was asked for this watched file, given by its path relative to the topmost folder.
    pub fn was_read(&self, path: &str) -> bool {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).files.contains(path)
    }

    /// Returns true if a host was asked to list the folder of this watched file, given by its path relative to the topmost
    /// folder.
    pub fn was_listed(&self, path: &str) -> bool {
        let folder = file_path::parent(path);
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).folders.contains(&folder)
    }

    /// Returns true if a host was asked for any of the watched files.
    pub fn any_was_read(&self) -> bool {
        !self.asked.lock().unwrap_or_else(PoisonError::into_inner).files.is_empty()
    }

    /// Returns a path that `host` is asked for as one relative to the topmost folder of the watched files; `None` if it is
    /// outside of that folder.
    fn way(&self, host: &dyn Host, path: &str) -> Option<String> {
        let below = |path: &str| match path.strip_prefix(&*self.wanted.top)? {
            "" => Some(".".to_owned()),
            rest => Some(rest.strip_prefix('/')?.to_owned()),
        };
        below(&absolute(host, path)).or_else(|| below(&host.canonical(path).ok()?))
    }

    /// Records a request for a file, if the file is watched.
    fn note(&self, host: &dyn Host, path: &str) {
        if self.wanted.files.is_empty() {
            return;
        }
        if let Some(way) = self.way(host, path)
            && self.wanted.files.contains(&way)
        {
            self.asked.lock().unwrap_or_else(PoisonError::into_inner).files.insert(way);
        }
    }

    /// Records a request to list a folder, if it contains watched files. A watched path that is a folder counts as asked for.
    fn note_folder(&self, host: &dyn Host, path: &str) {
        if self.wanted.files.is_empty() {
            return;
        }
        let Some(way) = self.way(host, path) else { return };
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        // A path that is a folder in one of two compared trees may be a file in the other.
        if self.wanted.files.contains(&way) {
            asked.files.insert(way.clone());
        }
        if self.wanted.folders.contains(&way) {
            asked.folders.insert(way);
        }
    }
}

impl NotedHost {
    /// Creates a host that forwards requests to `below` and records those for `files`.
    pub fn new(below: Arc<dyn Host>, files: Arc<NotedFiles>) -> NotedHost {
        NotedHost { below, files }
    }
}

impl Host for NotedHost {
    fn read(&self, path: &str) -> Result<Vec<u8>, HostError> {
        self.files.note(&*self.below, path);
        self.below.read(path)
    }
    fn read_within(&self, path: &str, most: u64) -> Result<Vec<u8>, HostError> {
        self.files.note(&*self.below, path);
        self.below.read_within(path, most)
    }
    fn open(&self, path: &str) -> Result<Box<dyn Read + Send>, HostError> {
        self.files.note(&*self.below, path);
        self.below.open(path)
    }
    fn length(&self, path: &str) -> Result<u64, HostError> {
        self.files.note(&*self.below, path);
        self.below.length(path)
    }
    fn list(&self, dir: &str) -> Result<Vec<DirEntry>, HostError> {
        self.files.note_folder(&*self.below, dir);
        self.below.list(dir)
    }
    fn canonical(&self, path: &str) -> Result<String, HostError> {
        self.below.canonical(path)
    }
    fn kind(&self, path: &str) -> Result<EntryKind, HostError> {
        self.files.note(&*self.below, path);
        self.below.kind(path)
    }
    fn check_code_access(&self, path: &str) -> Result<(), HostError> {
        self.below.check_code_access(path)
    }
    fn hides_environment(&self) -> bool {
        self.below.hides_environment()
    }
    fn env(&self, name: &str) -> Option<String> {
        self.below.env(name)
    }
    fn env_names(&self) -> Vec<String> {
        self.below.env_names()
    }
    fn current_dir(&self) -> String {
        self.below.current_dir()
    }
    fn home(&self) -> Option<String> {
        self.below.home()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{NotedFiles, NotedHost};
    use crate::{Host, MemoryHost};

    /// Tests that requests for watched files and their folders are recorded by path.
    #[test]
    fn what_is_asked_for_is_noted_by_its_path() {
        let host = MemoryHost::new().with_file("/r/a/x.txt", "1").with_file("/r/a/y.txt", "2");
        let wanted = ["a/x.txt".to_owned(), "a/y.txt".to_owned()];
        let files = Arc::new(NotedFiles::new("/r", wanted));
        let host = NotedHost::new(Arc::new(host), files.clone());
        assert!(!files.any_was_read() && !files.was_listed("a/y.txt"));
        host.read("/r/b/../a/x.txt").unwrap();
        host.list("/r/a").unwrap();
        assert!(files.was_read("a/x.txt") && !files.was_read("a/y.txt"));
        assert!(files.was_listed("a/y.txt"));
    }
}
