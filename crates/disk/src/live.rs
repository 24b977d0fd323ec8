//! The disk as the system shows it at each moment. Nothing is cached here.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use groma_runtime::{DirEntry, EntryKind, HostError};

use crate::links::leads_out_of_bounds;
use crate::stamp::FileStamp;
use crate::stat_cache::{DiskView, FolderListing, OwnEntry};

/// The answers of the disk itself to queries about paths, without caching.
pub(crate) struct LiveDisk;

impl DiskView for LiveDisk {
    fn own(&self, path: &Path) -> Result<OwnEntry, HostError> {
        let found = fs::symlink_metadata(path).map_err(|error| host_error(&error))?;
        let (is_link, kind) = (found.is_symlink(), kind(found.file_type()));
        Ok(OwnEntry { is_link, kind, length: found.len(), stamp: FileStamp::of(&found) })
    }

    fn real(&self, path: &Path) -> Result<PathBuf, HostError> {
        fs::canonicalize(path).map_err(|error| host_error(&error))
    }

    fn list(&self, folder: &Path) -> Result<FolderListing, HostError> {
        let (mut entries, mut links) = (Vec::new(), Vec::new());
        for entry in fs::read_dir(folder).map_err(|error| host_error(&error))? {
            let entry = entry.map_err(|error| host_error(&error))?;
            // A name that is not UTF-8 cannot be written in code either.
            let Ok(name) = entry.file_name().into_string() else { continue };
            let found = match entry.file_type() {
                Ok(found) if found.is_symlink() => {
                    links.push(name.clone());
                    fs::metadata(entry.path()).map(|to| to.file_type())
                }
                found => found,
            };
            entries.push(DirEntry { name, kind: found.map_or(EntryKind::Other, kind) });
        }
        entries.sort_unstable();
        Ok(FolderListing { entries, links })
    }
}

/// Converts an input/output error of the system to the [`HostError`] that reports it.
pub(crate) fn host_error(error: &io::Error) -> HostError {
    match error.kind() {
        _ if leads_out_of_bounds(error) => HostError::Outside,
        ErrorKind::NotFound => HostError::Absent,
        ErrorKind::NotADirectory | ErrorKind::IsADirectory => HostError::WrongKind,
        _ => HostError::Failed(error.to_string()),
    }
}

/// Converts a file type to an entry kind.
fn kind(file_type: fs::FileType) -> EntryKind {
    match file_type {
        found if found.is_file() => EntryKind::File,
        found if found.is_dir() => EntryKind::Directory,
        _ => EntryKind::Other,
    }
}
