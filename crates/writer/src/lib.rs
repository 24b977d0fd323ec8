//! Writes files of the user's. What a file holds is compared with what was read of it when it is replaced, so that no save
//! made meanwhile is lost; an operation over many files is done whole or not at all, and where a run is ended in the midst
//! of one, the next run puts that right by the [journal](Journal) that lies above the files.
//!
//! A new text is written beside its file and takes its place at once, the other way round the old text then lies beside
//! it until all is done. Where that cannot keep what the file is to others (hard links, an owner, a mount, a folder that
//! may not be written), the text is written in place after a copy of the old one was saved.
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

/// No text that is written or compared has more bytes.
const TEXT_LIMIT: u64 = 1 << 30;

/// The writer of the user's files, on a disk.
#[derive(Debug)]
pub struct FileWriter<D> {
    disk: D,
    /// What tells its files from those of other runs.
    run: String,
    /// What tells its files from one another.
    made: AtomicU64,
    /// Folders that were put right already.
    seen: Mutex<BTreeSet<PathBuf>>,
}

impl<D: DiskAccess> FileWriter<D> {
    /// Creates a writer on a disk. `run` identifies this run among concurrent ones: letters and digits.
    pub fn new(disk: D, run: &str) -> FileWriter<D> {
        FileWriter { disk, run: run.to_owned(), made: AtomicU64::new(0), seen: Mutex::default() }
    }
}
