//! Reasons why a file is not written, as sentences.

use std::fmt;
use std::io::{self, ErrorKind};
use std::path::PathBuf;

/// The reason why a file is not written, such as a concurrent change or a system error.
#[derive(Debug)]
pub enum WriteObstacle {
    /// The file has another content than was read.
    Changed,
    /// The file exists already.
    Present,
    /// The path does not lead to a regular file.
    Irregular,
    /// The file may not be written.
    Denied,
    /// Another run is writing the file.
    Busy,
    /// An aborted run was writing the file, which has just been recovered.
    Recovered,
    /// The system's error.
    Failed(io::Error),
    /// The file was written in part, and its old content is saved in this other file.
    Torn(PathBuf),
}

impl From<io::Error> for WriteObstacle {
    fn from(error: io::Error) -> WriteObstacle {
        match error.kind() {
            ErrorKind::NotFound => WriteObstacle::Changed,
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => WriteObstacle::Denied,
            _ => WriteObstacle::Failed(error),
        }
    }
}

impl fmt::Display for WriteObstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WriteObstacle::Changed => f.write_str(
                "It was changed after it was read, so it was left as it is. Run this again.",
            ),
            WriteObstacle::Present => f.write_str("It is there already."),
            WriteObstacle::Irregular => f.write_str("It is not a regular file, so it cannot be written."),
            WriteObstacle::Denied => f.write_str("It may not be written."),
            WriteObstacle::Busy => f.write_str("Another run is writing files there. Run this again."),
            WriteObstacle::Recovered => f.write_str(
                "A run that was ended before had left files there half written. They have been put right; run this again.",
            ),
            WriteObstacle::Failed(error) => write!(f, "It cannot be written: {error}."),
            WriteObstacle::Torn(saved) => write!(
                f,
                "It was written in part and could not be put back. What it held is kept in {}.",
                saved.display()
            ),
        }
    }
}

/// A file that was not written, with the reason.
#[derive(Debug)]
pub struct WriteTrouble {
    /// The path of the file.
    pub path: PathBuf,
    /// The reason.
    pub why: WriteObstacle,
}

/// The error of an operation over several files: the reason why it was undone, and the files that could not be restored.
#[derive(Debug)]
pub struct UndoneOperation {
    /// The file and the reason that ended it.
    pub trouble: WriteTrouble,
    /// Files that were written and could not be restored. If there are none, nothing has changed.
    pub left: Vec<PathBuf>,
}
