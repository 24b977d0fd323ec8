//! Host over files in memory, which the embedder adds and removes. Nothing else can be read: there is no environment and no home
//! directory. A file may be known by its length alone when it is too large to be copied; reading it then fails with that reason.

use std::collections::BTreeMap;
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use groma::Host;
use groma::hosts::{DirEntry, EntryKind, HostError, file_path};

/// The content of a file, or only its length if the embedding program did not copy the content.
enum HandedContent {
    Bytes(Vec<u8>),
    /// Length in bytes of a file whose content was not copied.
    Length(u64),
}

/// The files that the embedding program has handed over, by absolute path.
#[derive(Default)]
pub(crate) struct HandedFiles {
    all: RwLock<BTreeMap<String, HandedContent>>,
}

impl HandedFiles {
    /// Adds a file or replaces its content.
    pub(crate) fn put(&self, path: &str, bytes: Vec<u8>) {
        self.set(path, HandedContent::Bytes(bytes));
    }

    /// Adds a file of which only the length in bytes is known, so that it is listed but cannot be read.
    pub(crate) fn list_only(&self, path: &str, length: u64) {
        self.set(path, HandedContent::Length(length));
    }

    /// Adds or replaces the file at a path, made absolute first.
    fn set(&self, path: &str, content: HandedContent) {
        let mut all = self.all.write().unwrap_or_else(PoisonError::into_inner);
        all.insert(absolute(path), content);
    }

    /// Removes a file, or a folder with everything in it.
    pub(crate) fn remove(&self, path: &str) {
        let path = absolute(path);
        let mut all = self.all.write().unwrap_or_else(PoisonError::into_inner);
        all.remove(&path);
        let folder = inside(&path);
        let below: Vec<String> =
            all.range(folder.clone()..).map(|(name, _)| name.clone()).collect();
        for name in below.into_iter().take_while(|name| name.starts_with(&folder)) {
            all.remove(&name);
        }
    }

    /// Locks all files for reading; a panic of another holder is ignored.
    fn read_all(&self) -> RwLockReadGuard<'_, BTreeMap<String, HandedContent>> {
        self.all.read().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Host for HandedFiles {
    fn read(&self, path: &str) -> Result<Vec<u8>, HostError> {
        match self.read_all().get(&absolute(path)) {
            Some(HandedContent::Bytes(bytes)) => Ok(bytes.clone()),
            Some(HandedContent::Length(_)) => {
                Err(HostError::Failed("it is too large for the editor to hand over".to_owned()))
            }
            None => Err(self.kind(path).err().unwrap_or(HostError::WrongKind)),
        }
    }

    fn length(&self, path: &str) -> Result<u64, HostError> {
        match self.read_all().get(&absolute(path)) {
            Some(HandedContent::Bytes(bytes)) => return Ok(bytes.len() as u64),
            Some(HandedContent::Length(length)) => return Ok(*length),
            None => {}
        }
        self.kind(path).map(|_| 0)
    }

    fn list(&self, dir: &str) -> Result<Vec<DirEntry>, HostError> {
        if self.kind(dir)? != EntryKind::Directory {
            return Err(HostError::WrongKind);
        }
        let folder = inside(&absolute(dir));
        let all = self.read_all();
        let mut entries: Vec<DirEntry> = Vec::new();
        let below = all.range(folder.clone()..).map(|(path, _)| path);
        for rest in below.map_while(|path| path.strip_prefix(&folder)) {
            let (name, kind) = match rest.split_once('/') {
                Some((name, _)) => (name, EntryKind::Directory),
                None => (rest, EntryKind::File),
            };
            if entries.last().is_none_or(|last| last.name != name) {
                entries.push(DirEntry { name: name.to_owned(), kind });
            }
        }
        Ok(entries)
    }

    fn canonical(&self, path: &str) -> Result<String, HostError> {
        self.kind(path).map(|_| absolute(path))
    }

    fn kind(&self, path: &str) -> Result<EntryKind, HostError> {
        let path = absolute(path);
        let all = self.read_all();
        if all.contains_key(&path) {
            return Ok(EntryKind::File);
        }
        let folder = inside(&path);
        let next = all.range(folder.clone()..).next();
        match path == "/" || next.is_some_and(|(name, _)| name.starts_with(&folder)) {
            true => Ok(EntryKind::Directory),
            false => Err(HostError::Absent),
        }
    }

    fn check_code_access(&self, _: &str) -> Result<(), HostError> {
        Ok(())
    }

    fn hides_environment(&self) -> bool {
        true
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

/// Returns the path from `/`, with `.` and `..` resolved by name.
fn absolute(path: &str) -> String {
    file_path::clean(&format!("/{path}"))
}

/// Returns the prefix of the paths inside a folder.
fn inside(folder: &str) -> String {
    format!("{}/", folder.trim_end_matches('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_come_from_files() {
        let files = HandedFiles::default();
        files.put("/a/b/c.tf", b"x".to_vec());
        files.put("/a/b-c.tf", b"y".to_vec());
        files.list_only("/a/large", 7);
        let names = |dir: &str| -> Vec<String> {
            files.list(dir).unwrap().into_iter().map(|entry| entry.name).collect()
        };
        assert_eq!(names("/"), ["a"]);
        assert_eq!(names("/a"), ["b-c.tf", "b", "large"]);
        assert_eq!(files.kind("/a/b"), Ok(EntryKind::Directory));
        assert_eq!(files.read("/a/./b/../b/c.tf"), Ok(b"x".to_vec()));
        assert_eq!(files.read("/a/b"), Err(HostError::WrongKind));
        assert_eq!(files.length("/a/large"), Ok(7));
        assert!(matches!(files.read("/a/large"), Err(HostError::Failed(_))));
        assert_eq!(files.kind("/a/b-"), Err(HostError::Absent));
        files.remove("/a/b");
        assert_eq!(files.kind("/a/b"), Err(HostError::Absent));
        assert_eq!(names("/a"), ["b-c.tf", "large"]);
    }
}
