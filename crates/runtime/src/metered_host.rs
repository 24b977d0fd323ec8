//! A host that counts what is read: beyond the run's budget nothing is read, whatever the caller.

use std::io::{self, Read};
use std::sync::Arc;

use crate::{Budget, DirEntry, EntryKind, Host, HostError, RunEnd};

/// The bytes charged for an entry of a listed folder, besides its name.
const ENTRY: u64 = 128;

/// The bytes charged for a listed folder, in addition to those for each of its entries.
const FOLDER: u64 = 1024;

/// Returns the charge in bytes for listing a directory entry. Listings are charged like files, since a few bytes of a repository
/// may stand for very many folders.
pub fn counted_entry(name: &str) -> u64 {
    ENTRY + name.len() as u64
}

/// Returns the charge in bytes for listing a folder with these entries.
pub fn counted_folder<'n>(names: impl IntoIterator<Item = &'n str>) -> u64 {
    FOLDER + names.into_iter().map(counted_entry).sum::<u64>()
}

/// A host that charges the bytes of everything read, and of listings, to a budget.
pub struct MeteredHost {
    host: Arc<dyn Host>,
    budget: Budget,
}

impl MeteredHost {
    /// Creates a host that charges reads of `host` to a budget.
    pub fn new(host: Arc<dyn Host>, budget: Budget) -> MeteredHost {
        MeteredHost { host, budget }
    }

    /// Returns the length of a file in bytes, if it is known before reading.
    fn known_length(&self, path: &str) -> Option<u64> {
        self.host.length(path).ok().filter(|length| *length > 0)
    }

    /// Charges the bytes of a file to the budget; an error if the run may not read any more.
    fn take(&self, path: &str, bytes: u64) -> Result<(), HostError> {
        self.take_for("file", path, bytes)
    }

    /// Charges bytes of a file or folder to the budget; `what` is the word for either in messages. An error if the run may not
    /// read any more.
    fn take_for(&self, what: &str, path: &str, bytes: u64) -> Result<(), HostError> {
        self.budget.take_source(bytes).map_err(|bound| {
            self.budget.record_work(|| format!("the {what} \"{path}\""));
            HostError::Failed(match bound {
                RunEnd::Sources => "the run may not read so many bytes of files".to_owned(),
                _ => "the run has ended".to_owned(),
            })
        })
    }
}

/// A stream over a file whose bytes are charged as they are read.
struct MeteredPieces {
    pieces: Box<dyn Read + Send>,
    budget: Budget,
}

impl Read for MeteredPieces {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let count = self.pieces.read(room)?;
        match self.budget.take_source(count as u64) {
            Ok(()) => Ok(count),
            Err(_) => Err(io::Error::other("the run may not read so many bytes of files")),
        }
    }
}

impl Host for MeteredHost {
    fn read(&self, path: &str) -> Result<Vec<u8>, HostError> {
        match self.known_length(path) {
            Some(size) => {
                self.take(path, size)?;
                self.host.read(path)
            }
            None => {
                let bytes = self.host.read(path)?;
                self.take(path, bytes.len() as u64)?;
                Ok(bytes)
            }
        }
    }
    fn read_within(&self, path: &str, most: u64) -> Result<Vec<u8>, HostError> {
        match self.known_length(path).filter(|size| *size <= most) {
            Some(size) => {
                self.take(path, size)?;
                self.host.read_within(path, most)
            }
            None => {
                let bytes = self.host.read_within(path, most)?;
                self.take(path, bytes.len() as u64)?;
                Ok(bytes)
            }
        }
    }
    fn open(&self, path: &str) -> Result<Box<dyn Read + Send>, HostError> {
        // Bytes that are not kept are counted piece by piece.
        let (pieces, budget) = (self.host.open(path)?, self.budget.clone());
        Ok(Box::new(MeteredPieces { pieces, budget }))
    }
    fn length(&self, path: &str) -> Result<u64, HostError> {
        self.host.length(path)
    }
    fn list(&self, dir: &str) -> Result<Vec<DirEntry>, HostError> {
        if self.budget.ended().is_some() {
            return Err(HostError::Failed("the run has ended".to_owned()));
        }
        let entries = self.host.list(dir)?;
        let bytes = counted_folder(entries.iter().map(|entry| entry.name.as_str()));
        self.take_for("folder", dir, bytes)?;
        Ok(entries)
    }
    fn canonical(&self, path: &str) -> Result<String, HostError> {
        self.host.canonical(path)
    }
    fn kind(&self, path: &str) -> Result<EntryKind, HostError> {
        self.host.kind(path)
    }
    fn check_code_access(&self, path: &str) -> Result<(), HostError> {
        self.host.check_code_access(path)
    }

    fn hides_environment(&self) -> bool {
        self.host.hides_environment()
    }

    fn env(&self, name: &str) -> Option<String> {
        self.host.env(name)
    }
    fn env_names(&self) -> Vec<String> {
        self.host.env_names()
    }
    fn current_dir(&self) -> String {
        self.host.current_dir()
    }
    fn home(&self) -> Option<String> {
        self.host.home()
    }
}
