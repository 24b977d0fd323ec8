//! What a writer asks of a disk. Tests have one that fails or ends at any of these.

use std::any::Any;
use std::ffi::OsString;
use std::fmt::Debug;
use std::io;
use std::path::{Path, PathBuf};

/// The kind of a directory entry.
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
    /// Its kind.
    pub kind: DiskEntryKind,
    /// What tells it from all others, whatever it is called.
    pub id: (u64, u64),
    /// How many bytes it has.
    pub length: u64,
    /// How many names it has.
    pub links: u64,
    /// True if it belongs to the user of this process.
    pub is_own: bool,
}

/// Held for as long as a file belongs to this run.
pub type Lock = Box<dyn Any + Send>;

/// A disk. No path is followed where it is a link itself.
pub trait DiskAccess: Debug + Send + Sync {
    /// Returns the metadata of the entry at a path.
    fn look(&self, path: &Path) -> io::Result<DiskEntry>;
    /// The path without links.
    fn real(&self, path: &Path) -> io::Result<PathBuf>;
    /// The bytes of a regular file, of at most `most`.
    fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>>;
    /// A new file, which no other user may read if it is private. One that could not be written whole may be left.
    fn create(&self, path: &Path, bytes: &[u8], is_private: bool) -> io::Result<()>;
    /// Gives a file that is there other bytes, and leaves what else it is. It may be left with a part of them.
    fn overwrite(&self, path: &Path, bytes: &[u8]) -> io::Result<()>;
    /// Gives a file the owner, the mode and the attributes of another; an error where it cannot have one of them.
    fn imitate(&self, path: &Path, model: &Path) -> io::Result<()>;
    /// Lets two files change places at once.
    fn exchange(&self, one: &Path, other: &Path) -> io::Result<()>;
    /// Gives a file another name, in place of what has it.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Gives a file one more name, which nothing may have yet.
    fn link(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Takes a name away.
    fn remove(&self, path: &Path) -> io::Result<()>;
    /// Waits until a file or the names of a folder are kept.
    fn sync(&self, path: &Path) -> io::Result<()>;
    /// The names in a folder.
    fn list(&self, folder: &Path) -> io::Result<Vec<OsString>>;
    /// Returns true if files may be made in a folder, or a file may be written.
    fn may_write(&self, path: &Path) -> bool;
    /// Locks a file for as long as the lock lives; nothing where another process has it.
    fn lock(&self, path: &Path) -> io::Result<Option<Lock>>;
    /// A folder for what has no other place.
    fn temporary(&self) -> PathBuf;
}
