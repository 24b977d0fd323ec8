//! Access to git's objects. They are immutable, so trees are cached; the content of files is read again each time.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gix::ObjectId;
use gix::objs::tree::EntryKind;
use groma_runtime::HostError;

use crate::losses::{LostObject, LostObjects};

/// The beginning of a Git LFS pointer, which stands for a file stored elsewhere.
const POINTER: &[u8] = b"version https://git-lfs.github.com/spec/";
/// Maximum length of a Git LFS pointer in bytes.
const POINTER_LENGTH: u64 = 1024;
/// Maximum size in bytes of a git tree, the list of a directory's entries: enough for a million names. A larger one is not read.
const TREE_LENGTH: u64 = 64 << 20;

/// Maximum length of a chain of tags that is followed to a commit.
const MOST_TAGS: usize = 40;

/// An entry of a git tree, the list of a directory's entries: its kind, and the id of its object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TreeEntry {
    File(ObjectId),
    Link(ObjectId),
    Tree(ObjectId),
    /// A nested repository at one of its commits.
    Submodule(ObjectId),
}

/// The entries of a git tree, a directory of a revision, sorted by name.
pub(crate) type Tree = Arc<[(String, TreeEntry)]>;

/// The git objects of a repository, with a cache of its trees and a record of the objects that could not be read.
pub(crate) struct ObjectStore {
    repository: Mutex<gix::Repository>,
    trees: Mutex<HashMap<ObjectId, Tree>>,
    pub(crate) losses: LostObjects,
}

/// Locks a mutex, ignoring a panic of another holder.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ObjectStore {
    /// Creates an object store with an empty cache of trees.
    pub(crate) fn of(repository: gix::Repository) -> ObjectStore {
        ObjectStore {
            repository: Mutex::new(repository),
            trees: Mutex::default(),
            losses: LostObjects::default(),
        }
    }

    /// Locks the repository from which objects are read.
    pub(crate) fn repository(&self) -> MutexGuard<'_, gix::Repository> {
        lock(&self.repository)
    }

    /// Returns the entries of a git tree, a directory of a revision; `place` is its path in messages.
    pub(crate) fn tree(
        &self,
        id: ObjectId,
        place: impl FnOnce() -> String,
    ) -> Result<Tree, HostError> {
        if let Some(known) = lock(&self.trees).get(&id) {
            return Ok(known.clone());
        }
        let tree = self.read_tree(id).map_err(|loss| self.losses.keep(place(), loss))?;
        lock(&self.trees).insert(id, tree.clone());
        Ok(tree)
    }

    /// Reads a git tree from the repository and decodes its entries.
    fn read_tree(&self, id: ObjectId) -> Result<Tree, LostObject> {
        let repository = self.repository();
        if length(&repository, id)? > TREE_LENGTH {
            return Err(LostObject::damaged(id));
        }
        let found = verified_object(&repository, id)?;
        if found.kind != gix::objs::Kind::Tree {
            return Err(LostObject::damaged(id));
        }
        let decoded = gix::objs::TreeRef::from_bytes(&found.data, id.kind());
        let decoded = decoded.map_err(|_| LostObject::damaged(id))?;
        let nodes = decoded.entries.iter().filter_map(|entry| {
            // A name that is not UTF-8 cannot be written in code either.
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
        // Git sorts names differently.
        nodes.sort_unstable_by(|one, other| one.0.cmp(&other.0));
        // A name that cannot be a single path component is refused, as git refuses to check it out.
        let is_name = |name: &str| !matches!(name, "" | "." | "..") && !name.contains('/');
        let is_twice = nodes.windows(2).any(|two| two[0].0 == two[1].0);
        if is_twice || !nodes.iter().all(|(name, _)| is_name(name)) {
            return Err(LostObject::damaged(id));
        }
        Ok(nodes.into())
    }

    /// Returns the commit that an object is or that a tag points to, with its tree; `None` for other objects.
    pub(crate) fn commit(&self, id: ObjectId) -> Result<Option<(ObjectId, ObjectId)>, LostObject> {
        let found = self.find_commit(id)?;
        let Some((id, commit)) = found else { return Ok(None) };
        let read = gix::objs::CommitRef::from_bytes(&commit.data, id.kind());
        read.map(|commit| Some((id, commit.tree()))).map_err(|_| LostObject::damaged(id))
    }

    /// Returns the first parent of a commit, if it has one.
    pub(crate) fn parent(&self, id: ObjectId) -> Result<Option<ObjectId>, LostObject> {
        let Some((id, commit)) = self.find_commit(id)? else { return Ok(None) };
        let read = gix::objs::CommitRef::from_bytes(&commit.data, id.kind());
        read.map(|commit| commit.parents().next()).map_err(|_| LostObject::damaged(id))
    }

    /// Returns the commit that an object is, or that a chain of tags ends at, with its id; `None` if that is no commit.
    fn find_commit(
        &self,
        mut id: ObjectId,
    ) -> Result<Option<(ObjectId, gix::ObjectDetached)>, LostObject> {
        let repository = self.repository();
        for _ in 0..MOST_TAGS {
            let found = verified_object(&repository, id)?;
            match found.kind {
                gix::objs::Kind::Commit => return Ok(Some((id, found))),
                gix::objs::Kind::Tag => {
                    let tag = gix::objs::TagRef::from_bytes(&found.data, id.kind());
                    id = tag.map(|tag| tag.target()).map_err(|_| LostObject::damaged(id))?;
                }
                _ => return Ok(None),
            }
        }
        Ok(None)
    }

    /// Returns the size of a file in bytes; `place` is its path in messages.
    pub(crate) fn length(
        &self,
        id: ObjectId,
        place: impl FnOnce() -> String,
    ) -> Result<u64, HostError> {
        let found = length(&self.repository(), id);
        found.map_err(|loss| self.losses.keep(place(), loss))
    }

    /// Returns the size of a file in bytes; `None` if it cannot be read, which is not recorded among the unreadable objects.
    pub(crate) fn length_if_there(&self, id: ObjectId) -> Option<u64> {
        length(&self.repository(), id).ok()
    }

    /// Reads a blob of at most `most` bytes; `place` is its path in messages.
    pub(crate) fn file(
        &self,
        id: ObjectId,
        most: u64,
        place: impl FnOnce() -> String,
    ) -> Result<Vec<u8>, HostError> {
        let repository = self.repository();
        let lost = |loss| self.losses.keep(place(), loss);
        let found = length(&repository, id).and_then(|length| match length > most {
            true => Ok(None),
            false => verified_object(&repository, id).map(Some),
        });
        let Some(found) = found.map_err(lost)? else { return Err(HostError::TooLong { most }) };
        let bytes = found.data;
        if bytes.len() as u64 <= POINTER_LENGTH && bytes.starts_with(POINTER) {
            return Err(HostError::Failed(
                "it is a pointer of Git LFS: the file itself is not in the repository".to_owned(),
            ));
        }
        Ok(bytes)
    }

    /// Computes the object id that git gives a file with this content; `None` if it cannot be computed.
    pub(crate) fn id_of(&self, bytes: &[u8]) -> Option<ObjectId> {
        let kind = self.repository().object_hash();
        gix::objs::compute_hash(kind, gix::objs::Kind::Blob, bytes).ok()
    }
}

/// Returns the size of an object in bytes.
fn length(repository: &gix::Repository, id: ObjectId) -> Result<u64, LostObject> {
    match repository.try_find_header(id) {
        Ok(Some(header)) => Ok(header.size()),
        Ok(None) => Err(LostObject::absent(id)),
        Err(_) => Err(LostObject::damaged(id)),
    }
}

/// Reads an object and checks its hash, because a damaged pack may contain another one.
fn verified_object(
    repository: &gix::Repository,
    id: ObjectId,
) -> Result<gix::ObjectDetached, LostObject> {
    let found = match repository.try_find_object(id) {
        Ok(Some(found)) => found.detach(),
        Ok(None) => return Err(LostObject::absent(id)),
        Err(_) => return Err(LostObject::damaged(id)),
    };
    match gix::objs::compute_hash(id.kind(), found.kind, &found.data) {
        Ok(real) if real == id => Ok(found),
        _ => Err(LostObject::damaged(id)),
    }
}

/// Returns the entry of a git tree with a name, if any.
pub(crate) fn named(tree: &Tree, name: &str) -> Option<TreeEntry> {
    let at = tree.binary_search_by(|(known, _)| known.as_str().cmp(name)).ok()?;
    tree.get(at).map(|(_, node)| *node)
}
