//! Files in memory that change under a server.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use groma::{
    Host, MemoryHost,
    hosts::{DirEntry, EntryKind, HostError},
};

/// Files in memory that a test changes while a server reads them; clones share them.
#[derive(Clone, Default)]
pub(crate) struct SharedFiles(Arc<Mutex<FileState>>);

/// The contents of the files, a host that reads them, and a switch that makes it fail.
#[derive(Default)]
struct FileState {
    texts: BTreeMap<String, Vec<u8>>,
    host: MemoryHost,
    /// True if every access to a file panics.
    panics: bool,
}

impl SharedFiles {
    /// Returns files with these paths and texts.
    pub(crate) fn of(files: &[(&str, &str)]) -> SharedFiles {
        let shared = SharedFiles::default();
        files.iter().for_each(|(path, text)| shared.write(path, text.as_bytes()));
        shared
    }

    /// Writes a file.
    pub(crate) fn write(&self, path: &str, bytes: &[u8]) {
        self.change(|texts| drop(texts.insert(path.to_owned(), bytes.to_vec())));
    }

    /// Removes a file.
    pub(crate) fn remove(&self, path: &str) {
        self.change(|texts| drop(texts.remove(path)));
    }

    /// Returns the text of a file; `None` if it is missing.
    pub(crate) fn text(&self, path: &str) -> Option<String> {
        let bytes =
            self.0.lock().unwrap_or_else(PoisonError::into_inner).texts.get(path).cloned()?;
        Some(String::from_utf8(bytes).expect("the file is text"))
    }

    /// Sets if every access to a file panics.
    pub(crate) fn panic_from_now_on(&self, panics: bool) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).panics = panics;
    }

    /// Changes the contents of the files, and creates the host for them anew.
    fn change(&self, change: impl FnOnce(&mut BTreeMap<String, Vec<u8>>)) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut state.texts);
        let all = state.texts.iter();
        state.host =
            all.fold(MemoryHost::new(), |host, (path, bytes)| host.with_file(path, bytes.clone()));
    }

    /// Returns a host with the files as they are now; panics if access is set to fail.
    fn host(&self) -> MemoryHost {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (host, panics) = (state.host.clone(), state.panics);
        drop(state);
        assert!(!panics, "a host that fails");
        host
    }
}

impl Host for SharedFiles {
    fn read(&self, path: &str) -> Result<Vec<u8>, HostError> {
        self.host().read(path)
    }
    fn length(&self, path: &str) -> Result<u64, HostError> {
        self.host().length(path)
    }
    fn list(&self, dir: &str) -> Result<Vec<DirEntry>, HostError> {
        self.host().list(dir)
    }
    fn canonical(&self, path: &str) -> Result<String, HostError> {
        self.host().canonical(path)
    }
    fn kind(&self, path: &str) -> Result<EntryKind, HostError> {
        self.host().kind(path)
    }
    fn check_code_access(&self, _: &str) -> Result<(), HostError> {
        Ok(())
    }
    fn hides_environment(&self) -> bool {
        false
    }
    fn env(&self, _: &str) -> Option<String> {
        None
    }
    fn env_names(&self) -> Vec<String> {
        Vec::new()
    }
    fn current_dir(&self) -> String {
        "/".to_owned()
    }
    fn home(&self) -> Option<String> {
        None
    }
}
