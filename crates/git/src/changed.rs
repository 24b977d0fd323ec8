//! Files that differ between two revisions, or between a revision and the work tree, compared by content: a file whose
//! modification time alone is new is equal. Shared trees can represent more files than memory allows, so all walked paths are
//! charged to the budget.

use std::collections::BTreeSet;
use std::sync::Arc;

use groma_runtime::{Budget, EntryKind, FILE_LIMIT, Host, HostError, counted_entry, file_path};

use crate::objects::{Tree, TreeEntry, named};
use crate::repository::{Repository, Revision};

/// Two entries of the trees of two revisions that remain to be compared, each `None` if it does not exist, and the path of both.
type Pair = (Option<TreeEntry>, Option<TreeEntry>, String);

/// The paths found so far that differ between a revision and another or the work tree, with the budget that they are charged to.
struct ChangedPaths<'b> {
    paths: BTreeSet<String>,
    budget: &'b Budget,
}

impl ChangedPaths<'_> {
    /// Adds a path that differs between the two sides of the comparison.
    fn insert(&mut self, path: String) -> Result<(), HostError> {
        if !self.paths.contains(&path) {
            self.budget.take_bytes(counted_entry(&path)).map_err(|_| ended())?;
            self.paths.insert(path);
        }
        Ok(())
    }

    /// Charges the budget of the comparison for a path that is looked at; the error is that of an exhausted budget.
    fn charge(&self, path: &str) -> Result<(), HostError> {
        self.budget.take_source(counted_entry(path)).map_err(|_| ended())
    }
}

/// Returns the error for a comparison whose budget is exhausted.
fn ended() -> HostError {
    HostError::Failed("the run has ended".to_owned())
}

/// Returns the path of a directory, relative to the top of the work tree, in the form of [`file_path::clean`], but empty for
/// the top itself.
fn from_top(folder: &str) -> String {
    match file_path::clean(folder).as_str() {
        "." => String::new(),
        folder => folder.to_owned(),
    }
}

/// Joins a directory and a name; an empty directory is the top of the work tree.
fn below(at: &str, name: &str) -> String {
    if at.is_empty() { name.to_owned() } else { format!("{at}/{name}") }
}

impl Repository {
    /// Returns the paths of all files in and below a directory that differ between two revisions, sorted. They and the directory
    /// are relative to the top of the work tree. Walked paths are charged to the budget.
    ///
    /// # Errors
    /// If a tree is not in this clone, or the budget is exhausted.
    pub fn changed(
        &self,
        base: &Revision,
        head: &Revision,
        folder: &str,
        budget: &Budget,
    ) -> Result<Vec<String>, HostError> {
        let mut found = ChangedPaths { paths: BTreeSet::new(), budget };
        let trees = (self.entry(base, folder)?, self.entry(head, folder)?);
        self.compare((trees.0, trees.1, from_top(folder)), (&base.name, &head.name), &mut found)?;
        Ok(found.paths.into_iter().collect())
    }

    /// Returns the entry at a path of a revision, without following links; `None` if there is none.
    pub(crate) fn entry(
        &self,
        revision: &Revision,
        path: &str,
    ) -> Result<Option<TreeEntry>, HostError> {
        let mut at = Some(TreeEntry::Tree(revision.tree));
        for name in path.split('/').filter(|name| !name.is_empty() && *name != ".") {
            at = named(&self.tree(at, &revision.name, path)?, name);
        }
        Ok(at)
    }

    /// Compares two entries of revisions, and all that is in them if they are directories, and adds the differing paths to
    /// `found`; `names` are the revisions' names.
    fn compare(
        &self,
        all: Pair,
        names: (&str, &str),
        found: &mut ChangedPaths<'_>,
    ) -> Result<(), HostError> {
        let mut waiting = vec![all];
        while let Some((base, head, at)) = waiting.pop() {
            if base == head {
                continue;
            }
            let (before, after) = (self.tree(base, names.0, &at)?, self.tree(head, names.1, &at)?);
            let is_leaf = |node| !matches!(node, None | Some(TreeEntry::Tree(_)));
            if is_leaf(base) || is_leaf(head) {
                found.insert(at.clone())?;
            }
            let all = before.iter().chain(after.iter());
            let entries: BTreeSet<&String> = all.map(|(name, _)| name).collect();
            for name in entries {
                let (one, other) = (named(&before, name), named(&after, name));
                let path = below(&at, name);
                found.charge(&path)?;
                if one != other {
                    waiting.push((one, other, path));
                }
            }
        }
        Ok(())
    }

    /// Returns the entries of the directory `node` of a revision, empty if `node` is not a directory; `name` is the revision and
    /// `at` the path in error messages.
    fn tree(&self, node: Option<TreeEntry>, name: &str, at: &str) -> Result<Tree, HostError> {
        match node {
            Some(TreeEntry::Tree(id)) => self.objects.tree(id, || format!("{name}:{at}")),
            _ => Ok(Arc::new([])),
        }
    }

    /// Returns the paths in and below the directory `folder` that differ between a revision and the current work tree, which
    /// `machine` reads.
    ///
    /// # Errors
    /// If a tree is not in this clone, or the budget is exhausted.
    pub fn changed_since(
        &self,
        base: &Revision,
        machine: &dyn Host,
        folder: &str,
        budget: &Budget,
    ) -> Result<Vec<String>, HostError> {
        let mut found = ChangedPaths { paths: BTreeSet::new(), budget };
        let mut waiting = vec![(self.entry(base, folder)?, from_top(folder))];
        while let Some((node, at)) = waiting.pop() {
            let tree = self.tree(node, &base.name, &at)?;
            self.compare_folder(&tree, &at, &base.name, machine, &mut waiting, &mut found)?;
        }
        Ok(found.paths.into_iter().collect())
    }

    /// Compares the directory `at` in the revision named `base`, whose entries are `tree`, with that in the work tree, which
    /// `machine` reads: adds differing paths to `found`, and inner directories, as entry and path, to `waiting`.
    fn compare_folder(
        &self,
        tree: &Tree,
        at: &str,
        base: &str,
        machine: &dyn Host,
        waiting: &mut Vec<(Option<TreeEntry>, String)>,
        found: &mut ChangedPaths<'_>,
    ) -> Result<(), HostError> {
        let place = |way: &str| format!("{}/{way}", self.work_tree());
        let gone = |node, way: String, found: &mut ChangedPaths<'_>| {
            self.compare((Some(node), None, way), (base, base), found)
        };
        let real = machine.canonical(&place(at)).ok();
        let mut there = BTreeSet::new();
        let entries = machine.list(&place(at)).unwrap_or_default();
        if !at.is_empty() && tree.is_empty() && entries.iter().any(|entry| entry.name == ".git") {
            // A nested repository, whose files git does not add either.
            return Ok(());
        }
        for entry in entries {
            let way = below(at, &entry.name);
            let node = named(tree, &entry.name);
            let is_folder = entry.kind == EntryKind::Directory;
            if node.is_none() && (entry.name == ".git" || self.ignored.leaves_out(&way, is_folder))
            {
                continue;
            }
            found.charge(&way)?;
            let own = real.as_ref().map(|real| file_path::join(real, &entry.name));
            there.insert(entry.name);
            match (node, is_folder) {
                // The target of the link is compared at its own place.
                (Some(TreeEntry::Submodule(_)), _) => {}
                (Some(TreeEntry::Link(id)), _) => {
                    if !self.is_same_link(id, at, &way, machine) {
                        found.insert(way)?;
                    }
                }
                (Some(TreeEntry::File(id)), false) => {
                    if !self.is_same(id, &place(&way), machine) {
                        found.insert(way)?;
                    }
                }
                (node, true) => {
                    if matches!(node, Some(TreeEntry::File(_))) {
                        found.insert(way.clone())?;
                    }
                    if machine.canonical(&place(&way)).ok() == own {
                        waiting.push((node, way));
                    } else {
                        // A link leads to a directory with a path of its own, or out of the work tree.
                        found.insert(way.clone())?;
                        node.map_or(Ok(()), |node| gone(node, way, found))?;
                    }
                }
                (node, false) => {
                    found.insert(way.clone())?;
                    node.map_or(Ok(()), |node| gone(node, way, found))?;
                }
            }
        }
        for (name, node) in tree.iter().filter(|(name, _)| !there.contains(name)) {
            gone(*node, below(at, name), found)?;
        }
        Ok(())
    }

    /// Returns true if the link at `way`, in the folder `at`, leads to the same path on disk as its target in the revision, the
    /// text of the blob `id`.
    fn is_same_link(&self, id: gix::ObjectId, at: &str, way: &str, machine: &dyn Host) -> bool {
        let top = self.work_tree();
        let Ok(target) = self.objects.file(id, FILE_LIMIT, || way.to_owned()) else { return false };
        let Ok(target) = String::from_utf8(target) else { return false };
        let meant = file_path::join(&format!("{top}/{at}"), &target);
        let [now, then] = [format!("{top}/{way}"), meant].map(|path| machine.canonical(&path));
        now == then
    }

    /// Returns true if a file of the work tree has the content of the git blob `id`.
    fn is_same(&self, id: gix::ObjectId, path: &str, machine: &dyn Host) -> bool {
        // Equal content has the same id, so the object itself need not be present.
        let length = self.objects.length_if_there(id);
        let now = machine.length(path).ok();
        now.is_some()
            && (length.is_none() || length == now)
            && machine.read(path).is_ok_and(|bytes| self.objects.id_of(&bytes) == Some(id))
    }
}
