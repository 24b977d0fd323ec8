//! Git's objects, as far as a tree of files needs them. They never change, so a tree that was read is kept; a file is
//! read again by the next question.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gix::ObjectId;
use gix::objs::tree::EntryKind;
use groma_runtime::HostError;

use crate::losses::{LostObject, LostObjects};

/// The beginning of a file that stands for one kept elsewhere.
const POINTER: &[u8] = b"version https://git-lfs.github.com/spec/";
/// No pointer is longer.
const POINTER_LENGTH: u64 = 1024;
/// The number of bytes above which a tree was not made in earnest: it would hold a million names.
const TREE_LENGTH: u64 = 64 << 20;

/// The maximum number of tags that may stand for each other.
const MOST_TAGS: usize = 40;

/// The object at a name of a tree.
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
pub(crate) struct ObjectStore {
    repository: Mutex<gix::Repository>,
    trees: Mutex<HashMap<ObjectId, Tree>>,
    pub(crate) losses: LostObjects,
}

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

    /// The repository, for as long as no other thread needs it.
    pub(crate) fn repository(&self) -> MutexGuard<'_, gix::Repository> {
        lock(&self.repository)
    }

    /// Returns what a tree holds, which is wanted at `place`.
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

    /// Reads and decodes a tree from the repository.
    fn read_tree(&self, id: ObjectId) -> Result<Tree, LostObject> {
        let repository = self.repository();
        if length(&repository, id)? > TREE_LENGTH {
            return Err(LostObject::damaged(id));
        }
        let found = whole(&repository, id)?;
        if found.kind != gix::objs::Kind::Tree {
            return Err(LostObject::damaged(id));
        }
        let decoded = gix::objs::TreeRef::from_bytes(&found.data, id.kind());
        let decoded = decoded.map_err(|_| LostObject::damaged(id))?;
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
        // Something else can be no folder: git checks it out no more than it is read here.
        let is_name = |name: &str| !matches!(name, "" | "." | "..") && !name.contains('/');
        let is_twice = nodes.windows(2).any(|two| two[0].0 == two[1].0);
        if is_twice || !nodes.iter().all(|(name, _)| is_name(name)) {
            return Err(LostObject::damaged(id));
        }
        Ok(nodes.into())
    }

    /// The commit that an object is or a tag stands for, with its tree; nothing where it is none.
    pub(crate) fn commit(&self, id: ObjectId) -> Result<Option<(ObjectId, ObjectId)>, LostObject> {
        let found = self.find_commit(id)?;
        let Some((id, commit)) = found else { return Ok(None) };
        let read = gix::objs::CommitRef::from_bytes(&commit.data, id.kind());
        read.map(|commit| Some((id, commit.tree()))).map_err(|_| LostObject::damaged(id))
    }

    /// The first parent of a commit, if it has one.
    pub(crate) fn parent(&self, id: ObjectId) -> Result<Option<ObjectId>, LostObject> {
        let Some((id, commit)) = self.find_commit(id)? else { return Ok(None) };
        let read = gix::objs::CommitRef::from_bytes(&commit.data, id.kind());
        read.map(|commit| commit.parents().next()).map_err(|_| LostObject::damaged(id))
    }

    /// Returns the commit that an object is, or that a chain of tags ends at.
    fn find_commit(
        &self,
        mut id: ObjectId,
    ) -> Result<Option<(ObjectId, gix::ObjectDetached)>, LostObject> {
        let repository = self.repository();
        for _ in 0..MOST_TAGS {
            let found = whole(&repository, id)?;
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

    /// Returns how many bytes a file has, which is wanted at `place`.
    pub(crate) fn length(
        &self,
        id: ObjectId,
        place: impl FnOnce() -> String,
    ) -> Result<u64, HostError> {
        let found = length(&self.repository(), id);
        found.map_err(|loss| self.losses.keep(place(), loss))
    }

    /// Returns how many bytes a file has, if it can be read: nothing is lost by asking.
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
            false => whole(&repository, id).map(Some),
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

    /// The id that a file with these bytes has.
    pub(crate) fn id_of(&self, bytes: &[u8]) -> Option<ObjectId> {
        let kind = self.repository().object_hash();
        gix::objs::compute_hash(kind, gix::objs::Kind::Blob, bytes).ok()
    }
}

fn length(repository: &gix::Repository, id: ObjectId) -> Result<u64, LostObject> {
    match repository.try_find_header(id) {
        Ok(Some(header)) => Ok(header.size()),
        Ok(None) => Err(LostObject::absent(id)),
        Err(_) => Err(LostObject::damaged(id)),
    }
}

/// An object whose bytes are those that its id stands for: a damaged pack may hold others.
fn whole(repository: &gix::Repository, id: ObjectId) -> Result<gix::ObjectDetached, LostObject> {
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

/// Returns the entry of a tree with a name, if any.
pub(crate) fn named(tree: &Tree, name: &str) -> Option<TreeEntry> {
    let at = tree.binary_search_by(|(known, _)| known.as_str().cmp(name)).ok()?;
    tree.get(at).map(|(_, node)| *node)
}
