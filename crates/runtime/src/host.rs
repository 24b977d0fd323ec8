//! All that the engine may ask of the world outside. A host only reads, and nothing below the
//! command line reads in any other way, so an evaluation over a [`crate::MemoryHost`] is repeatable.

use std::fmt;
use std::io::{Cursor, Read};

/// No file is longer that is read as a whole, unless the caller says otherwise.
pub const FILE_LIMIT: u64 = 256 << 20;

/// The world outside. Paths are text with `/` between the names; relative ones start at
/// [`Host::current_dir`].
pub trait Host: Send + Sync {
    /// The bytes of a file. One that is longer than [`FILE_LIMIT`] is refused before it is read.
    fn read(&self, path: &str) -> Result<Vec<u8>, HostError>;
    /// The same of a file of at most so many bytes; a longer one is refused before it is read.
    fn read_within(&self, path: &str, most: u64) -> Result<Vec<u8>, HostError> {
        let bytes = self.read(path)?;
        if bytes.len() as u64 > most { Err(HostError::TooLong { most }) } else { Ok(bytes) }
    }
    /// Returns how many bytes a file has, as far as that is known without reading it; 0 where it is not. A host around
    /// another has to pass it on: what is read is charged by it.
    fn length(&self, path: &str) -> Result<u64, HostError>;
    /// The bytes of a file, one piece after another: for callers that do not keep them. It may be as long as it likes.
    fn open(&self, path: &str) -> Result<Box<dyn Read + Send>, HostError> {
        Ok(Box::new(Cursor::new(self.read(path)?)))
    }
    /// Returns what a directory holds, in any order, without `.` and `..`. Symbolic links are followed.
    fn list(&self, dir: &str) -> Result<Vec<DirEntry>, HostError>;
    /// The absolute path with links, `.` and `..` resolved.
    fn canonical(&self, path: &str) -> Result<String, HostError>;
    /// Returns what stands at a path, links followed.
    fn kind(&self, path: &str) -> Result<EntryKind, HostError>;
    /// Returns whether the code itself may look at a path: some of what can be read is for readers of the code only.
    fn admits_code(&self, path: &str) -> Result<(), HostError>;
    /// Returns true if the environment is not to be looked at, so that what code asks of it is unknown.
    fn hides_environment(&self) -> bool;
    /// An environment variable.
    fn env(&self, name: &str) -> Option<String>;
    /// The names of all environment variables, sorted.
    fn env_names(&self) -> Vec<String>;
    /// The absolute path where relative ones start.
    fn current_dir(&self) -> String;
    /// The user's home directory.
    fn home(&self) -> Option<String>;
}

/// One thing in a directory.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct DirEntry {
    /// Its name in the directory.
    pub name: String,
    /// What it is.
    pub kind: EntryKind,
}

/// What a path leads to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum EntryKind {
    /// A file.
    File,
    /// A directory.
    Directory,
    /// A device, a socket, a dangling link.
    Other,
}

/// The reason why the host has no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HostError {
    /// There is nothing there.
    Absent,
    /// It lies outside of what may be read.
    Outside,
    /// It can be read, yet not by the code: it belongs to the repository or to the tools.
    Private,
    /// It is a directory where a file is wanted, or the other way round.
    WrongKind,
    /// It is a file of more bytes than are read.
    TooLong {
        /// How many are.
        most: u64,
    },
    /// Anything else, in the system's words.
    Failed(String),
}

impl fmt::Display for HostError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HostError::Absent => f.write_str("there is no such file or directory"),
            HostError::Outside => {
                f.write_str("it lies outside of the directories that may be read")
            }
            HostError::Private => f.write_str("it is not the code's to read"),
            HostError::WrongKind => f.write_str("it is not of the kind that is wanted here"),
            HostError::TooLong { most } => {
                write!(f, "it is longer than the {most} bytes that are read of a file")
            }
            HostError::Failed(why) => f.write_str(why),
        }
    }
}
