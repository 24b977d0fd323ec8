//! A host in memory, for tests and for programs without files: it answers as a real host would, from the files and variables
//! that it was given.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::{AnswerStamps, DirEntry, EntryKind, Host, HostError, StampedLook, file_path};

/// A host in memory: files by absolute path, no links, its own environment.
#[derive(Clone, Default, Debug)]
pub struct MemoryHost {
    files: BTreeMap<String, Vec<u8>>,
    directories: BTreeSet<String>,
    env: BTreeMap<String, String>,
}

impl MemoryHost {
    /// Creates an empty host with the current directory `/`.
    pub fn new() -> MemoryHost {
        MemoryHost::default()
    }

    /// Returns the host with one more file at this path, and with the parent directories of that file.
    pub fn with_file(mut self, path: &str, bytes: impl Into<Vec<u8>>) -> MemoryHost {
        let path = absolute(path);
        let mut at = 0;
        while let Some(slash) = path[at + 1..].find('/') {
            at += 1 + slash;
            self.directories.insert(path[..at].to_owned());
        }
        self.files.insert(path, bytes.into());
        self
    }

    /// Returns the host with one more environment variable.
    pub fn with_env(mut self, name: &str, value: &str) -> MemoryHost {
        self.env.insert(name.to_owned(), value.to_owned());
        self
    }
}

impl Host for MemoryHost {
    fn read(&self, path: &str) -> Result<Vec<u8>, HostError> {
        match self.kind(path)? {
            EntryKind::File => self.files.get(&absolute(path)).cloned().ok_or(HostError::Absent),
            _ => Err(HostError::WrongKind),
        }
    }

    fn length(&self, path: &str) -> Result<u64, HostError> {
        self.kind(path)?;
        Ok(self.files.get(&absolute(path)).map_or(0, |bytes| bytes.len() as u64))
    }

    fn list(&self, dir: &str) -> Result<Vec<DirEntry>, HostError> {
        if self.kind(dir)? != EntryKind::Directory {
            return Err(HostError::WrongKind);
        }
        let mut prefix = absolute(dir);
        if !prefix.ends_with('/') {
            prefix.push('/');
        }
        let inside = |path: &String| -> Option<String> {
            path.strip_prefix(&prefix)
                .filter(|n| !n.is_empty() && !n.contains('/'))
                .map(str::to_owned)
        };
        let directories = self.directories.iter().filter_map(inside);
        let files = self.files.keys().filter_map(inside);
        Ok(directories
            .map(|name| DirEntry { name, kind: EntryKind::Directory })
            .chain(files.map(|name| DirEntry { name, kind: EntryKind::File }))
            .collect())
    }

    fn canonical(&self, path: &str) -> Result<String, HostError> {
        self.kind(path).map(|_| absolute(path))
    }

    fn kind(&self, path: &str) -> Result<EntryKind, HostError> {
        let path = absolute(path);
        if self.files.contains_key(&path) {
            Ok(EntryKind::File)
        } else if path == "/" || self.directories.contains(&path) {
            Ok(EntryKind::Directory)
        } else if path.match_indices('/').any(|(at, _)| self.files.contains_key(&path[..at])) {
            Err(HostError::Failed("a file stands where a folder is named".to_owned()))
        } else {
            Err(HostError::Absent)
        }
    }

    fn check_code_access(&self, _: &str) -> Result<(), HostError> {
        Ok(())
    }

    fn hides_environment(&self) -> bool {
        false
    }

    fn env(&self, name: &str) -> Option<String> {
        self.env.get(name).cloned()
    }

    fn env_names(&self) -> Vec<String> {
        self.env.keys().cloned().collect()
    }

    fn current_dir(&self) -> String {
        "/".to_owned()
    }

    fn home(&self) -> Option<String> {
        Some("/home".to_owned())
    }

    fn for_stamped_look(&self) -> Option<Box<dyn StampedLook>> {
        Some(Box::new(FixedAnswers))
    }
}

/// Stamps of the answers of a host in memory, which never change.
struct FixedAnswers;

impl StampedLook for FixedAnswers {
    fn host(&self) -> Option<Arc<dyn Host>> {
        None
    }

    fn stamps(&self) -> Option<Arc<dyn AnswerStamps>> {
        Some(Arc::new(FixedAnswers))
    }
}

impl AnswerStamps for FixedAnswers {
    fn are_current(&self) -> bool {
        true
    }
}

/// Returns the absolute form of a path: relative ones start at `/`, and `.` and `..` are resolved by name.
fn absolute(path: &str) -> String {
    file_path::clean(&format!("/{path}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests reading files and listing folders of a host in memory.
    #[test]
    fn memory() {
        let host = MemoryHost::new().with_file("a/b/c.txt", "x").with_file("/a/d", "y");
        assert_eq!(host.read("/a/./b/../b/c.txt"), Ok(b"x".to_vec()));
        assert_eq!(host.read("/a/b"), Err(HostError::WrongKind));
        assert_eq!(host.read("/z"), Err(HostError::Absent));
        let names: Vec<String> = host.list("a").unwrap().into_iter().map(|e| e.name).collect();
        assert_eq!(names, ["b", "d"]);
    }
}
