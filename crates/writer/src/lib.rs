//! Writer of the user's files. A file is replaced only if it still has the content that was read, so that no concurrent save is
//! lost. An operation over many files is done completely or not at all; if a run is aborted, the next run recovers by the
//! [journal](Journal) in a directory above the files.
//!
//! A new text is staged next to its file and exchanged with it atomically, so that the old text remains available until all files
//! are done. If an exchange would not preserve hard links, the owner or a mount, or the directory cannot be written, the file is
//! overwritten in place after a copy of the old text was saved.
#![forbid(unsafe_code)]

mod batch;
mod disk;
mod journal;
mod place;
mod recover;
mod stage;
mod system;
mod trouble;

pub use batch::FileReplacement;
pub use disk::{DiskAccess, DiskEntry, DiskEntryKind, Lock};
pub use journal::{JOURNAL, Journal};
pub use recover::{JournalRecovery, RecoveryOutcome};
pub use system::SystemDisk;
pub use trouble::{UndoneOperation, WriteObstacle, WriteTrouble};

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::AtomicU64;

/// Maximum size in bytes of a file that is read for a comparison; a larger one is an error.
const TEXT_LIMIT: u64 = 1 << 30;

/// Writer of the user's files on a disk, which loses no concurrent change and recovers from aborted runs.
#[derive(Debug)]
pub struct FileWriter<D> {
    disk: D,
    /// Identifies the temporary files of this run.
    run: String,
    /// Counter that distinguishes the temporary files of this run.
    made: AtomicU64,
    /// Directories that have been recovered already.
    seen: Mutex<BTreeSet<PathBuf>>,
}

impl<D: DiskAccess> FileWriter<D> {
    /// Creates a writer on a disk; `run`, letters and digits for the names of temporary files, distinguishes concurrent runs.
    pub fn new(disk: D, run: &str) -> FileWriter<D> {
        FileWriter { disk, run: run.to_owned(), made: AtomicU64::new(0), seen: Mutex::default() }
    }
}
