//! Temporary files that a writer creates next to the user's files: their names, their creation, and when they are litter.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use sha2::{Digest as _, Sha256};

use crate::disk::{DiskAccess, DiskEntryKind, Lock};
use crate::{FileWriter, TEXT_LIMIT};

/// The SHA-256 hash of a file's content.
pub(crate) type Hash = [u8; 32];

/// Returns the SHA-256 hash of a file's content.
pub(crate) fn hash(bytes: &[u8]) -> Hash {
    Sha256::digest(bytes).into()
}

/// Returns the first `bytes` bytes of a hash as hexadecimal digits.
pub(crate) fn digits(hash: &Hash, bytes: usize) -> String {
    hash.iter().take(bytes).map(|byte| format!("{byte:02x}")).collect()
}

/// Prefix of the names of all temporary files that the writer creates.
pub(crate) const PREFIX: &str = ".groma-";
/// Suffix of the name of a temporary file whose content is not complete yet.
const PART: &str = ".part";
/// Suffix of the name of a temporary file with a new content, or with the old one after the exchange.
pub(crate) const STAGED: &str = ".tmp";
/// Suffix of the name of a copy of a file's old content, which is saved while the file is overwritten.
pub(crate) const SAVED: &str = ".old";

/// Returns the path of the copy of a file's old content, given the path of the file's temporary file.
pub(crate) fn saved(staged: &Path) -> PathBuf {
    staged.with_extension(&SAVED[1..])
}

/// Returns the path that a temporary file has while its content is incomplete; `staged` is its path afterwards.
pub(crate) fn part(staged: &Path) -> PathBuf {
    let mut name = staged.as_os_str().to_owned();
    name.push(PART);
    name.into()
}

/// The owner and mode given to a temporary file: private, the system's default, or those of another file.
#[derive(Clone, Copy)]
pub(crate) enum FileOwnership<'m> {
    /// Only the user may read it.
    Private,
    /// The default for new files.
    Public,
    /// Owner and mode of another file.
    Like(&'m Path),
}

impl<D: DiskAccess> FileWriter<D> {
    /// Returns the beginning of a name that no other temporary file has.
    pub(crate) fn fresh(&self) -> String {
        format!("{PREFIX}{}-{}", self.run, self.made.fetch_add(1, Ordering::Relaxed))
    }

    /// Returns the path of the temporary file for the new content of a file, with the hashes of its old and its new content in
    /// the name, so that another content is recognized and not removed.
    pub(crate) fn staged_name(&self, folder: &Path, before: &Hash, after: &Hash) -> PathBuf {
        let name = format!("{}-{}-{}{STAGED}", self.fresh(), digits(before, 8), digits(after, 8));
        folder.join(name)
    }

    /// Returns the path of the temporary file for the content of a file that does not exist yet.
    pub(crate) fn own_name(&self, folder: &Path, bytes: &[u8]) -> PathBuf {
        let hash = hash(bytes);
        self.staged_name(folder, &hash, &hash)
    }

    /// Writes a temporary file, with owner and mode as `manner` says, completely to the disk before it gets its name, and returns
    /// the lock on it; `None` on a system without locks.
    pub(crate) fn stage(
        &self,
        path: &Path,
        bytes: &[u8],
        manner: FileOwnership<'_>,
    ) -> io::Result<Option<Lock>> {
        let part = part(path);
        let done = self
            .disk
            .create(&part, bytes, !matches!(manner, FileOwnership::Public))
            .and_then(|()| {
                // Without locks no temporary files are removed.
                let lock = self.disk.lock(&part).unwrap_or_default();
                if let FileOwnership::Like(model) = manner {
                    self.disk.copy_metadata(&part, model)?;
                }
                self.disk.sync(&part)?;
                self.disk.rename(&part, path)?;
                Ok(lock)
            });
        if done.is_err() {
            // The rest of a failed write is litter.
            let _ = self.disk.remove(&part);
        }
        done
    }

    /// Removes the temporary files of aborted runs from a directory, but keeps and returns those whose content does not match the
    /// hashes in their names.
    pub(crate) fn sweep(&self, folder: &Path) -> Vec<PathBuf> {
        let mut kept = Vec::new();
        let Ok(names) = self.disk.list(folder) else { return kept };
        for name in names {
            let Some(text) = name.to_str().filter(|name| name.starts_with(PREFIX)) else {
                continue;
            };
            let is_part = text.ends_with(PART);
            if !is_part && !text.ends_with(STAGED) && !text.ends_with(SAVED) {
                continue;
            }
            let path = folder.join(&name);
            let is_file = self
                .disk
                .metadata(&path)
                .is_ok_and(|entry| entry.kind == DiskEntryKind::File && entry.is_own);
            let Some(_lock) = is_file.then(|| self.disk.lock(&path).ok().flatten()).flatten()
            else {
                continue;
            };
            if is_part || self.matches_name(&path, text) {
                let _ = self.disk.remove(&path);
            } else {
                kept.push(path);
            }
        }
        kept
    }

    /// Returns true if the content of a temporary file matches one of the hashes in its name.
    fn matches_name(&self, path: &Path, name: &str) -> bool {
        let told: Vec<&str> =
            name.trim_end_matches(STAGED).trim_end_matches(SAVED).rsplit('-').take(2).collect();
        let Ok(bytes) = self.disk.read(path, TEXT_LIMIT) else { return false };
        told.contains(&digits(&hash(&bytes), 8).as_str())
    }
}
