//! The engine's only access to files and the environment. A host only reads, and nothing below the
//! command line reads in any other way, so an evaluation over a [`crate::MemoryHost`] is repeatable.

use std::fmt;
use std::io::{Cursor, Read};
use std::sync::Arc;

/// Maximum length in bytes of a file that is read as a whole, unless the caller sets another limit.
pub const FILE_LIMIT: u64 = 256 << 20;

/// The engine's access to the outside world. Paths use `/` between names; relative ones start at [`Host::current_dir`].
pub trait Host: Send + Sync {
    /// Returns the content of a file; one longer than [`FILE_LIMIT`] is refused before it is read.
    fn read(&self, path: &str) -> Result<Vec<u8>, HostError>;
    /// Reads a file of at most `most` bytes; a longer one is refused before it is read.
    fn read_within(&self, path: &str, most: u64) -> Result<Vec<u8>, HostError> {
        let bytes = self.read(path)?;
        if bytes.len() as u64 > most { Err(HostError::TooLong { most }) } else { Ok(bytes) }
    }
    /// Returns the bytes of a file that the host holds in memory; `None` for files that it has to read.
    fn held(&self, _path: &str) -> Option<Arc<[u8]>> {
        None
    }
    /// Returns the length of a file in bytes, 0 if it is unknown before reading. Wrapping hosts must forward this, since reads
    /// are charged by it.
    fn length(&self, path: &str) -> Result<u64, HostError>;
    /// Opens a file as a stream of any length, for callers that do not keep its content.
    fn open(&self, path: &str) -> Result<Box<dyn Read + Send>, HostError> {
        Ok(Box::new(Cursor::new(self.read(path)?)))
    }
    /// Returns the entries of a directory in any order, without `.` and `..`. Symbolic links are followed.
    fn list(&self, dir: &str) -> Result<Vec<DirEntry>, HostError>;
    /// Returns the absolute path with links, `.` and `..` resolved.
    fn canonical(&self, path: &str) -> Result<String, HostError>;
    /// Returns the kind of entry at a path, following links.
    fn kind(&self, path: &str) -> Result<EntryKind, HostError>;
    /// Returns an error if the code that is evaluated must not access a path: some readable paths are for the engine only.
    fn check_code_access(&self, path: &str) -> Result<(), HostError>;
    /// Returns true if the environment is hidden, so that values from it are unknown.
    fn hides_environment(&self) -> bool;
    /// Returns the value of an environment variable; `None` if it is not set.
    fn env(&self, name: &str) -> Option<String>;
    /// Returns the names of all environment variables, sorted.
    fn env_names(&self) -> Vec<String>;
    /// Returns the absolute path to which relative ones refer.
    fn current_dir(&self) -> String;
    /// Returns the path of the user's home directory; `None` if it is unknown.
    fn home(&self) -> Option<String>;
    /// Returns a host that gives the answers that this one gives now and asks for each at most once, for many questions in a row;
    /// `None` if that saves nothing.
    fn cached_view(&self) -> Option<Arc<dyn Host>> {
        None
    }
    /// Returns a new recording of the questions to the host, by which the host can later tell if an answer may have changed;
    /// `None` if it cannot.
    fn for_stamped_look(&self) -> Option<Box<dyn StampedLook>> {
        None
    }
}

/// A recording of the questions to a host, which ends with stamps of the answers.
pub trait StampedLook: Send + Sync {
    /// Returns the host to ask while recording; `None` if the host that began the recording itself is to be asked.
    fn host(&self) -> Option<Arc<dyn Host>>;
    /// Returns stamps of all recorded answers; `None` if stamps could not show every later change.
    fn stamps(&self) -> Option<Arc<dyn AnswerStamps>>;
}

/// Evidence of the state of files that recorded answers depend on, such as modification times.
pub trait AnswerStamps: Send + Sync {
    /// Returns true if every recorded answer is certainly still the same as when it was recorded.
    fn are_current(&self) -> bool;
}

/// An entry of a directory: name and kind.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct DirEntry {
    /// Its name in the directory.
    pub name: String,
    /// The kind of entry.
    pub kind: EntryKind,
}

/// The kind of entry at a path: file, directory or other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum EntryKind {
    /// A file.
    File,
    /// A directory.
    Directory,
    /// A device, a socket, a dangling link.
    Other,
}

/// The reason why a host cannot answer a request, such as a missing file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HostError {
    /// Nothing exists at the path.
    Absent,
    /// The path is outside the folders that may be read.
    Outside,
    /// The engine may read it but the code may not: it belongs to the repository or to the tools.
    Private,
    /// It is a directory where a file is required, or vice versa.
    WrongKind,
    /// It is a file that is longer than the limit.
    TooLong {
        /// The maximum number of bytes that are read.
        most: u64,
    },
    /// Any other failure, with the system's message.
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
