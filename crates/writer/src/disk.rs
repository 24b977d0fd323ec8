//! The operations that a writer needs of a disk. Tests use an implementation that fails or ends at any of them.

use std::any::Any;
use std::ffi::OsString;
use std::fmt::Debug;
use std::io;
use std::path::{Path, PathBuf};

/// The kind of a directory entry: a regular file, a directory, or anything else.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DiskEntryKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A link, a pipe, a socket or a device.
    Other,
}

/// The metadata of a directory entry.
#[derive(Clone, Copy, Debug)]
pub struct DiskEntry {
    /// The kind of the entry.
    pub kind: DiskEntryKind,
    /// The identity of the file, independent of its names.
    pub id: (u64, u64),
    /// The length in bytes.
    pub length: u64,
    /// The number of hard links.
    pub links: u64,
    /// True if it belongs to the user of this process.
    pub is_own: bool,
}

/// A lock on a file, released when dropped.
pub type Lock = Box<dyn Any + Send>;

/// The disk operations that the writer needs. None of them follows a link at the path itself.
pub trait DiskAccess: Debug + Send + Sync {
    /// Returns the metadata of the entry at a path: of a link itself, not of the file to which it leads.
    fn metadata(&self, path: &Path) -> io::Result<DiskEntry>;
    /// Returns the path with all links resolved.
    fn real(&self, path: &Path) -> io::Result<PathBuf>;
    /// Returns the content of a regular file; an error if it has more than `most` bytes.
    fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>>;
    /// Creates a new file with the given content; with `is_private` no other user may read it. After an error a part of the
    /// content may have been written.
    fn create(&self, path: &Path, bytes: &[u8], is_private: bool) -> io::Result<()>;
    /// Overwrites an existing file without changing its owner and mode. After an error a part of the new content may have been
    /// written.
    fn overwrite(&self, path: &Path, bytes: &[u8]) -> io::Result<()>;
    /// Sets the owner, mode and extended attributes of a file to those of `model`; an error if one of them cannot be set.
    fn copy_metadata(&self, path: &Path, model: &Path) -> io::Result<()>;
    /// Exchanges two files, so that each gets the path of the other, in one atomic step.
    fn exchange(&self, one: &Path, other: &Path) -> io::Result<()>;
    /// Renames a file, replacing a file that exists at the new path.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Creates the hard link `to` to a file; an error if it exists.
    fn link(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Removes the entry at a path.
    fn remove(&self, path: &Path) -> io::Result<()>;
    /// Flushes a file, or the names in a directory, to the disk.
    fn sync(&self, path: &Path) -> io::Result<()>;
    /// Returns the names of the entries in a directory.
    fn list(&self, folder: &Path) -> io::Result<Vec<OsString>>;
    /// Returns true if files can be created in a directory, or a file can be written.
    fn may_write(&self, path: &Path) -> bool;
    /// Locks a file until the lock is dropped; `None` if another process has locked it.
    fn lock(&self, path: &Path) -> io::Result<Option<Lock>>;
    /// Returns a directory for temporary files.
    fn temporary(&self) -> PathBuf;
}
