//! Why a file is not written, in sentences.

use std::fmt;
use std::io::{self, ErrorKind};
use std::path::PathBuf;

/// The reason why a file is not written.
#[derive(Debug)]
pub enum WriteObstacle {
    /// It holds something else than what was read.
    Changed,
    /// It is there already.
    Present,
    /// It is no regular file.
    Irregular,
    /// It may not be written.
    Denied,
    /// Another run is writing there.
    Busy,
    /// An earlier run was ended while it wrote there, and was put right just now.
    Recovered,
    /// The system says why.
    Failed(io::Error),
    /// It was written in part, and what it held is kept in a file.
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

/// A file that was not written, and why.
#[derive(Debug)]
pub struct WriteTrouble {
    /// The file.
    pub path: PathBuf,
    /// The reason why.
    pub why: WriteObstacle,
}

/// An operation over many files that was not done.
#[derive(Debug)]
pub struct UndoneOperation {
    /// What ended it.
    pub trouble: WriteTrouble,
    /// Files that were written and could not be put back. Where there are none, nothing is changed.
    pub left: Vec<PathBuf>,
}
