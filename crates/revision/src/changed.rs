//! Which files differ between two revisions, or between a revision and the work tree: by their bytes, so a file that
//! was only touched is the same.

use std::collections::BTreeSet;
use std::sync::Arc;

use groma_runtime::{EntryKind, Host, HostError};

use crate::objects::{Tree, TreeEntry, named};
use crate::repository::{Repository, Revision};

impl Repository {
    /// The paths of all files that differ, from the top of the work tree, sorted.
    ///
    /// # Errors
    /// Where a tree is not in this clone.
    pub fn changed(&self, base: &Revision, head: &Revision) -> Result<Vec<String>, HostError> {
        let mut found = BTreeSet::new();
        self.compare(
            Some(TreeEntry::Tree(base.tree)),
            Some(TreeEntry::Tree(head.tree)),
            "",
            &mut found,
        )?;
        Ok(found.into_iter().collect())
    }

    fn compare(
        &self,
        base: Option<TreeEntry>,
        head: Option<TreeEntry>,
        at: &str,
        found: &mut BTreeSet<String>,
    ) -> Result<(), HostError> {
        if base == head {
            return Ok(());
        }
        let tree = |node: Option<TreeEntry>| match node {
            Some(TreeEntry::Tree(id)) => self.objects.tree(id).map(Some),
            _ => Ok(None),
        };
        let (before, after) = (tree(base)?, tree(head)?);
        let is_leaf = |node: Option<TreeEntry>| !matches!(node, None | Some(TreeEntry::Tree(_)));
        if is_leaf(base) || is_leaf(head) {
            found.insert(at.to_owned());
        }
        let empty: Tree = Arc::new([]);
        let (before, after) = (before.unwrap_or_else(|| empty.clone()), after.unwrap_or(empty));
        let all = before.iter().chain(after.iter());
        let names: BTreeSet<&String> = all.map(|(name, _)| name).collect();
        for name in names {
            let path = if at.is_empty() { name.clone() } else { format!("{at}/{name}") };
            self.compare(named(&before, name), named(&after, name), &path, found)?;
        }
        Ok(())
    }

    /// The same for the work tree as it is now, which `machine` reads.
    ///
    /// # Errors
    /// Where a tree is not in this clone.
    pub fn changed_since(
        &self,
        base: &Revision,
        machine: &dyn Host,
    ) -> Result<Vec<String>, HostError> {
        let mut found = BTreeSet::new();
        self.look(Some(TreeEntry::Tree(base.tree)), "", machine, &mut found)?;
        Ok(found.into_iter().collect())
    }

    /// Compares a folder of a tree with that of the work tree.
    fn look(
        &self,
        base: Option<TreeEntry>,
        at: &str,
        machine: &dyn Host,
        found: &mut BTreeSet<String>,
    ) -> Result<(), HostError> {
        let tree = match base {
            Some(TreeEntry::Tree(id)) => self.objects.tree(id)?,
            _ => Arc::new([]),
        };
        let path =
            |name: &str| if at.is_empty() { name.to_owned() } else { format!("{at}/{name}") };
        let place = |way: &str| format!("{}/{way}", self.work_tree());
        let mut there = BTreeSet::new();
        for entry in machine.list(&place(at)).unwrap_or_default() {
            let way = path(&entry.name);
            let node = named(&tree, &entry.name);
            let is_folder = entry.kind == EntryKind::Directory;
            if node.is_none() && (entry.name == ".git" || self.ignored.leaves_out(&way, is_folder))
            {
                continue;
            }
            there.insert(entry.name);
            match (node, is_folder) {
                // What they lead to is compared where it lies.
                (Some(TreeEntry::Link(_) | TreeEntry::Submodule(_)), _) => {}
                (Some(TreeEntry::File(id)), false) => {
                    if !self.is_same(id, &place(&way), machine) {
                        found.insert(way);
                    }
                }
                (node, true) => {
                    if matches!(node, Some(TreeEntry::File(_))) {
                        found.insert(way.clone());
                    }
                    self.look(node, &way, machine, found)?;
                }
                (node, false) => {
                    found.insert(way.clone());
                    self.gone(node, &way, found)?;
                }
            }
        }
        for (name, node) in tree.iter().filter(|(name, _)| !there.contains(name)) {
            self.gone(Some(*node), &path(name), found)?;
        }
        Ok(())
    }

    /// All files of something that is there no more.
    fn gone(
        &self,
        node: Option<TreeEntry>,
        at: &str,
        found: &mut BTreeSet<String>,
    ) -> Result<(), HostError> {
        self.compare(node, None, at, found)
    }

    fn is_same(&self, id: gix::ObjectId, path: &str, machine: &dyn Host) -> bool {
        let length = self.objects.length(id).ok();
        length.is_some()
            && machine.length(path).ok() == length
            && machine.read(path).is_ok_and(|bytes| self.objects.id_of(&bytes) == Some(id))
    }
}
