//! A disk in memory that fails, ends the run or has somebody else save a file at any of its operations.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use groma_writer::{DiskAccess, DiskEntry, DiskEntryKind, Lock};

/// The kind of fault that occurs at a disk operation: an error, or the end of the process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    /// The operation fails, and may have been done in part.
    Fail,
    /// The run ends before it.
    KillBefore,
    /// The run ends during it.
    KillWithin,
    /// The run ends after it.
    KillAfter,
}

/// A file on the disk in memory: its content, the content that has reached the disk, and its mode.
#[derive(Clone, Debug)]
struct Node {
    bytes: Vec<u8>,
    synced: Vec<u8>,
    mode: u32,
}

/// The files, faults and counters of a disk in memory.
#[derive(Clone, Default, Debug)]
pub(crate) struct State {
    names: BTreeMap<PathBuf, u64>,
    kept: BTreeMap<PathBuf, u64>,
    nodes: BTreeMap<u64, Node>,
    folders: BTreeSet<PathBuf>,
    locks: BTreeSet<u64>,
    made: u64,
    /// The number of operations so far.
    pub(crate) count: u64,
    pub(crate) fault: Option<(u64, Fault)>,
    /// A text that another program saves: the operation at which it does, the path, the content, and true for a new file.
    pub(crate) save: Option<(u64, PathBuf, Vec<u8>, bool)>,
    pub(crate) is_killed: bool,
    pub(crate) has_exchange: bool,
    /// Folders that may not be written.
    pub(crate) closed: BTreeSet<PathBuf>,
    /// Files that cannot be exchanged.
    pub(crate) mounted: BTreeSet<PathBuf>,
    /// The operations at which a file was overwritten.
    pub(crate) overwrites: Vec<u64>,
}

/// A disk in memory, on which operations can fail. Clones share it.
#[derive(Clone, Default, Debug)]
pub(crate) struct Memory(Arc<Mutex<State>>);

/// A lock on a file, which is released when dropped.
struct Guard(Memory, u64);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.state().locks.remove(&self.1);
    }
}

/// Returns the error of an operation that fails.
fn failed() -> io::Error {
    io::Error::other("the disk is full")
}

impl State {
    /// Returns the number of the file at a path; an error if there is none.
    fn node(&self, path: &Path) -> io::Result<u64> {
        self.names.get(path).copied().ok_or_else(|| ErrorKind::NotFound.into())
    }

    /// Returns the content of the file at a path, if there is one.
    fn bytes_at(&self, path: &Path) -> Option<&[u8]> {
        Some(&self.nodes[self.names.get(path)?].bytes)
    }

    /// Returns an error if the folder of a path may not be written.
    fn open(&self, path: &Path) -> io::Result<()> {
        match path.parent().is_some_and(|folder| self.closed.contains(folder)) {
            true => Err(ErrorKind::PermissionDenied.into()),
            false => Ok(()),
        }
    }

    /// Creates a file with a content that has not reached the disk.
    fn make(&mut self, path: &Path, bytes: &[u8], mode: u32) {
        self.made += 1;
        let node = Node { bytes: bytes.to_vec(), synced: Vec::new(), mode };
        self.nodes.insert(self.made, node);
        self.names.insert(path.to_owned(), self.made);
    }

    /// Saves a text as another program would, if the test asks for that at the current operation.
    fn save_by_another_program(&mut self) {
        let count = self.count;
        let Some((_, path, bytes, is_new)) = self.save.clone().filter(|one| one.0 == count) else {
            return;
        };
        if is_new {
            self.make(&path, &bytes, 0o644);
            let node = self.names[&path];
            self.kept.insert(path, node);
        } else {
            let node = self.names[&path];
            self.nodes.get_mut(&node).unwrap().bytes.clone_from(&bytes);
        }
        // Whoever saves takes care of it.
        let node = self.names[&self.save.as_ref().unwrap().1];
        self.nodes.get_mut(&node).unwrap().synced = bytes;
    }
}

/// The part of a disk operation that is carried out (none, some or all), and true if it reports a failure.
struct Share {
    part: bool,
    whole: bool,
    fails: bool,
}

impl Memory {
    /// Locks and returns the state of the disk.
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }

    /// Creates a disk with files, given by path and text, all of which have reached it.
    pub(crate) fn with(files: &[(&str, &str)]) -> Memory {
        let memory = Memory::default();
        let mut state = memory.state();
        state.has_exchange = true;
        for (name, text) in files {
            let path = Path::new(name);
            state.make(path, text.as_bytes(), 0o644);
            state.folders.extend(path.ancestors().skip(1).map(Path::to_owned));
        }
        state.nodes.values_mut().for_each(|node| node.synced.clone_from(&node.bytes));
        state.kept = state.names.clone();
        drop(state);
        memory
    }

    /// Adds a hard link to a file.
    pub(crate) fn alias(&self, path: &str, other: &str) {
        let mut state = self.state();
        let node = state.names[Path::new(path)];
        state.names.insert(other.into(), node);
        state.kept.insert(other.into(), node);
    }

    /// Returns an independent copy of the disk.
    pub(crate) fn copy(&self) -> Memory {
        Memory(Arc::new(Mutex::new(self.state().clone())))
    }

    /// Ends a run: its locks and faults are gone, and the files stay.
    pub(crate) fn next_run(&self) {
        let mut state = self.state();
        state.locks.clear();
        (state.is_killed, state.fault, state.save, state.count) = (false, None, None, 0);
    }

    /// Drops the contents that have not reached the disk and, with `names`, the new names in folders that have not either.
    pub(crate) fn lose_power(&self, names: bool) {
        let mut state = self.state();
        if names {
            state.names = state.kept.clone();
        }
        state.nodes.values_mut().for_each(|node| node.bytes.clone_from(&node.synced));
    }

    /// Returns the text of a file, or a placeholder if it is missing.
    pub(crate) fn text(&self, path: &str) -> String {
        let state = self.state();
        String::from_utf8_lossy(state.bytes_at(Path::new(path)).unwrap_or(b"(gone)")).into_owned()
    }

    /// Returns all files except those at the known paths, each with its text.
    pub(crate) fn others(&self, known: &[&str]) -> Vec<(PathBuf, String)> {
        let state = self.state();
        let others =
            state.names.keys().filter(|path| !known.iter().any(|one| Path::new(one) == *path));
        others
            .map(|path| {
                (path.clone(), String::from_utf8_lossy(state.bytes_at(path).unwrap()).into_owned())
            })
            .collect()
    }

    /// Counts a disk operation, and returns the state with the part of the operation that is to be done.
    fn step(&self) -> (MutexGuard<'_, State>, Share) {
        let mut state = self.state();
        let share = |part, whole, fails| Share { part, whole, fails };
        if state.is_killed {
            return (state, share(false, false, true));
        }
        state.save_by_another_program();
        let now = state.count;
        state.count += 1;
        let share = match state.fault.filter(|(at, _)| *at == now).map(|(_, fault)| fault) {
            None => share(true, true, false),
            Some(Fault::Fail) => share(true, false, true),
            Some(fault) => {
                state.is_killed = true;
                share(fault != Fault::KillBefore, fault == Fault::KillAfter, true)
            }
        };
        (state, share)
    }

    /// Runs a disk operation that is done wholly or not at all.
    fn change<T>(&self, work: impl FnOnce(&mut State) -> io::Result<T>) -> io::Result<T> {
        let (mut state, share) = self.step();
        if share.whole {
            let done = work(&mut state)?;
            return if share.fails { Err(failed()) } else { Ok(done) };
        }
        Err(failed())
    }
}

impl DiskAccess for Memory {
    fn metadata(&self, path: &Path) -> io::Result<DiskEntry> {
        self.change(|state| {
            let is_own = true;
            if state.folders.contains(path) {
                return Ok(DiskEntry {
                    kind: DiskEntryKind::Folder,
                    id: (0, 0),
                    length: 0,
                    links: 1,
                    is_own,
                });
            }
            let node = state.node(path)?;
            let links = state.names.values().filter(|one| **one == node).count() as u64;
            let length = state.nodes[&node].bytes.len() as u64;
            Ok(DiskEntry { kind: DiskEntryKind::File, id: (1, node), length, links, is_own })
        })
    }

    fn real(&self, path: &Path) -> io::Result<PathBuf> {
        self.change(|_| Ok(path.to_owned()))
    }

    fn read(&self, path: &Path, _: u64) -> io::Result<Vec<u8>> {
        self.change(|state| Ok(state.nodes[&state.node(path)?].bytes.clone()))
    }

    fn create(&self, path: &Path, bytes: &[u8], is_private: bool) -> io::Result<()> {
        let (mut state, share) = self.step();
        state.open(path)?;
        if state.names.contains_key(path) {
            return Err(ErrorKind::AlreadyExists.into());
        }
        if share.part {
            let end = if share.whole { bytes.len() } else { bytes.len() / 2 };
            state.make(path, &bytes[..end], if is_private { 0o600 } else { 0o644 });
        }
        if share.fails { Err(failed()) } else { Ok(()) }
    }

    fn overwrite(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let (mut state, share) = self.step();
        let count = state.count;
        state.overwrites.push(count.saturating_sub(1));
        let node = state.node(path)?;
        let node = state.nodes.get_mut(&node).unwrap();
        if share.part {
            let end = if share.whole { bytes.len() } else { bytes.len() / 2 };
            let rest = node.bytes.split_off(end.min(node.bytes.len()));
            node.bytes = bytes[..end].to_vec();
            if !share.whole {
                node.bytes.extend(rest);
            }
        }
        if share.fails { Err(failed()) } else { Ok(()) }
    }

    fn copy_metadata(&self, path: &Path, model: &Path) -> io::Result<()> {
        self.change(|state| {
            let mode = state.nodes[&state.node(model)?].mode;
            let node = state.node(path)?;
            state.nodes.get_mut(&node).unwrap().mode = mode;
            Ok(())
        })
    }

    fn exchange(&self, one: &Path, other: &Path) -> io::Result<()> {
        self.change(|state| {
            state.open(one)?;
            state.open(other)?;
            if !state.has_exchange || state.mounted.contains(one) || state.mounted.contains(other) {
                return Err(ErrorKind::ResourceBusy.into());
            }
            let (first, second) = (state.node(one)?, state.node(other)?);
            state.names.insert(one.to_owned(), second);
            state.names.insert(other.to_owned(), first);
            Ok(())
        })
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.change(|state| {
            state.open(from)?;
            state.open(to)?;
            let node = state.node(from)?;
            state.names.remove(from);
            state.names.insert(to.to_owned(), node);
            Ok(())
        })
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.change(|state| {
            state.open(to)?;
            let node = state.node(from)?;
            if state.names.contains_key(to) {
                return Err(ErrorKind::AlreadyExists.into());
            }
            state.names.insert(to.to_owned(), node);
            Ok(())
        })
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.change(|state| {
            state.open(path)?;
            state.node(path)?;
            state.names.remove(path);
            Ok(())
        })
    }

    fn sync(&self, path: &Path) -> io::Result<()> {
        self.change(|state| {
            if state.folders.contains(path) {
                let is_in = |one: &PathBuf| one.parent() == Some(path);
                state.kept.retain(|one, _| !is_in(one));
                let now: Vec<(PathBuf, u64)> = state
                    .names
                    .iter()
                    .filter(|(one, _)| is_in(one))
                    .map(|(one, node)| (one.clone(), *node))
                    .collect();
                state.kept.extend(now);
                return Ok(());
            }
            let node = state.node(path)?;
            let node = state.nodes.get_mut(&node).unwrap();
            node.synced.clone_from(&node.bytes);
            Ok(())
        })
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<OsString>> {
        self.change(|state| {
            let inside = state.names.keys().filter(|path| path.parent() == Some(folder));
            Ok(inside.filter_map(|path| path.file_name()).map(OsString::from).collect())
        })
    }

    fn may_write(&self, path: &Path) -> bool {
        let state = self.state();
        let is_known = state.folders.contains(path) || state.names.contains_key(path);
        is_known && path != Path::new("/") && !state.closed.contains(path)
    }

    fn lock(&self, path: &Path) -> io::Result<Option<Lock>> {
        let node = self.change(|state| {
            let node = state.node(path)?;
            Ok(state.locks.insert(node).then_some(node))
        })?;
        Ok(node.map(|node| Box::new(Guard(self.clone(), node)) as Lock))
    }

    fn temporary(&self) -> PathBuf {
        "/tmp".into()
    }
}
