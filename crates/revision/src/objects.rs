//! Git's objects, as far as a tree of files needs them. They never change, so a tree that was read is kept; a file is
//! read again by whoever asks again.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gix::ObjectId;
use gix::objs::tree::EntryKind;
use groma_runtime::HostError;

/// What begins a file that stands for one that is kept elsewhere.
const POINTER: &[u8] = b"version https://git-lfs.github.com/spec/";
/// No pointer is longer.
const POINTER_LENGTH: u64 = 1024;

/// What stands at a name of a tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TreeEntry {
    File(ObjectId),
    Link(ObjectId),
    Tree(ObjectId),
    /// Another repository at one of its commits.
    Submodule(ObjectId),
}

/// A tree, by name.
pub(crate) type Tree = Arc<[(String, TreeEntry)]>;

/// The objects of a repository.
pub(crate) struct Objects {
    repository: Mutex<gix::Repository>,
    trees: Mutex<HashMap<ObjectId, Tree>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// That an object is not in the clone: one with a part of the history, or with a part of the files.
fn missing(id: ObjectId) -> HostError {
    HostError::Failed(format!(
        "its object {} is not in this clone of the repository: fetch it first",
        id.to_hex_with_len(12)
    ))
}

impl Objects {
    pub(crate) fn of(repository: gix::Repository) -> Objects {
        Objects { repository: Mutex::new(repository), trees: Mutex::default() }
    }

    /// The repository, for as long as nobody else needs it.
    pub(crate) fn repository(&self) -> MutexGuard<'_, gix::Repository> {
        lock(&self.repository)
    }

    /// What a tree holds.
    pub(crate) fn tree(&self, id: ObjectId) -> Result<Tree, HostError> {
        if let Some(known) = lock(&self.trees).get(&id) {
            return Ok(known.clone());
        }
        let tree: Tree = {
            let repository = self.repository();
            let found = repository.find_tree(id).map_err(|_| missing(id))?;
            let decoded = found.decode().map_err(|_| missing(id))?;
            let nodes = decoded.entries.iter().filter_map(|entry| {
                // A name that is not UTF-8 cannot be written in the language either.
                let name = std::str::from_utf8(entry.filename).ok()?.to_owned();
                let id = entry.oid.to_owned();
                let node = match entry.mode.kind() {
                    EntryKind::Tree => TreeEntry::Tree(id),
                    EntryKind::Blob | EntryKind::BlobExecutable => TreeEntry::File(id),
                    EntryKind::Link => TreeEntry::Link(id),
                    EntryKind::Commit => TreeEntry::Submodule(id),
                };
                Some((name, node))
            });
            let mut nodes: Vec<(String, TreeEntry)> = nodes.collect();
            // Git's order is another one.
            nodes.sort_unstable_by(|one, other| one.0.cmp(&other.0));
            nodes.into()
        };
        lock(&self.trees).insert(id, tree.clone());
        Ok(tree)
    }

    /// How many bytes a file has.
    pub(crate) fn length(&self, id: ObjectId) -> Result<u64, HostError> {
        let repository = self.repository();
        repository.find_header(id).map(|header| header.size()).map_err(|_| missing(id))
    }

    /// The bytes of a file of at most so many.
    pub(crate) fn file(&self, id: ObjectId, most: u64) -> Result<Vec<u8>, HostError> {
        let repository = self.repository();
        let header = repository.find_header(id).map_err(|_| missing(id))?;
        if header.size() > most {
            return Err(HostError::TooLong { most });
        }
        let found = repository.find_object(id).map_err(|_| missing(id))?;
        let bytes = found.detach().data;
        if header.size() <= POINTER_LENGTH && bytes.starts_with(POINTER) {
            return Err(HostError::Failed(
                "it is a pointer of Git LFS: the file itself is not in the repository".to_owned(),
            ));
        }
        Ok(bytes)
    }

    /// The id that a file with these bytes has.
    pub(crate) fn id_of(&self, bytes: &[u8]) -> Option<ObjectId> {
        let kind = self.repository().object_hash();
        gix::objs::compute_hash(kind, gix::objs::Kind::Blob, bytes).ok()
    }
}

/// What stands at a name of a tree.
pub(crate) fn named(tree: &Tree, name: &str) -> Option<TreeEntry> {
    let at = tree.binary_search_by(|(known, _)| known.as_str().cmp(name)).ok()?;
    tree.get(at).map(|(_, node)| *node)
}
