//! Links in the trees of revisions: further paths by which a file may be read. A link out of the work tree leads to nothing that
//! a revision contains.

use std::collections::BTreeSet;

use groma_runtime::{Budget, FILE_LIMIT, Host, HostError, counted_entry, file_path};

use crate::objects::TreeEntry;
use crate::repository::{Repository, Revision};

/// Maximum number of paths that a search for all paths to some files returns; if there are more, it returns the top of the work
/// tree in their place.
const MAX_PATHS: usize = 20_000;

/// A path by which a file may be read, its own or one through a link, and whether that path may lead to a directory.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct FileRoute {
    /// The path relative to the top of the work tree; empty for all of it.
    pub path: String,
    /// True if it may be a directory: a link, or a nested repository.
    pub is_folder: bool,
}

/// A symbolic link of a revision and its target, both relative to the top of the work tree.
type TreeLink = (String, String);

impl Repository {
    /// Returns all paths through which the files `paths` may be read, their own and those through links of `base` and of `head`,
    /// which is `None` for the work tree, sorted. Walked paths are charged to the budget.
    ///
    /// # Errors
    /// If a tree is not in this clone, or the budget is exhausted.
    pub fn routes_to(
        &self,
        paths: &[String],
        base: &Revision,
        head: Option<&Revision>,
        machine: &dyn Host,
        budget: &Budget,
    ) -> Result<Vec<FileRoute>, HostError> {
        let mut links = self.links(base, budget)?;
        if let Some(head) = head {
            links.extend(self.links(head, budget)?);
        }
        links.sort_unstable();
        links.dedup();
        let mut routes: Vec<FileRoute> = Vec::new();
        for path in paths {
            let mut is_folder = links.iter().any(|(link, _)| link == path);
            for revision in std::iter::once(base).chain(head) {
                let node = self.entry(revision, path)?;
                is_folder |= matches!(node, Some(TreeEntry::Link(_) | TreeEntry::Submodule(_)));
            }
            let place = format!("{}/{path}", self.work_tree());
            is_folder |=
                head.is_none() && machine.canonical(&place).is_ok_and(|real| real != place);
            routes.push(FileRoute { path: path.clone(), is_folder });
        }
        Ok(with_links(routes, &links))
    }

    /// Returns the symbolic links of a revision that lead to paths in the work tree, with the paths to which they lead.
    fn links(&self, revision: &Revision, budget: &Budget) -> Result<Vec<TreeLink>, HostError> {
        let mut found = Vec::new();
        let mut waiting = vec![(TreeEntry::Tree(revision.tree), String::new())];
        while let Some((node, at)) = waiting.pop() {
            let TreeEntry::Tree(id) = node else { continue };
            let tree = self.objects.tree(id, || format!("{}:{at}", revision.name))?;
            for (name, node) in tree.iter() {
                let way = if at.is_empty() { name.clone() } else { format!("{at}/{name}") };
                let id = match node {
                    TreeEntry::Tree(_) => {
                        let taken = budget.take_source(counted_entry(&way));
                        taken.map_err(|_| HostError::Failed("the run has ended".to_owned()))?;
                        waiting.push((*node, way));
                        continue;
                    }
                    TreeEntry::Link(id) => *id,
                    _ => continue,
                };
                let target =
                    self.objects.file(id, FILE_LIMIT, || format!("{}:{way}", revision.name))?;
                let Ok(target) = String::from_utf8(target) else { continue };
                let place = format!("{}/{way}", self.work_tree());
                let target = file_path::join(&file_path::parent(&place), &target);
                let top = format!("{}/", self.work_tree().trim_end_matches('/'));
                let target = match target.strip_prefix(&top) {
                    Some(below) => below.to_owned(),
                    // A link to the work tree itself, or to a directory that contains it.
                    None if top.starts_with(&format!("{}/", target.trim_end_matches('/'))) => {
                        String::new()
                    }
                    None => continue,
                };
                found.push((way, target));
            }
        }
        Ok(found)
    }
}

/// Returns the paths of files with all further paths to the same files through links, directly or not; the whole work tree if
/// there are more than [`MAX_PATHS`].
fn with_links(routes: Vec<FileRoute>, links: &[TreeLink]) -> Vec<FileRoute> {
    let mut found: BTreeSet<FileRoute> = BTreeSet::new();
    let mut waiting = routes;
    while let Some(way) = waiting.pop() {
        if found.len() > MAX_PATHS {
            return vec![FileRoute { path: String::new(), is_folder: true }];
        }
        if !found.insert(way.clone()) {
            continue;
        }
        for (link, target) in links {
            if way.path == *link || way.path.starts_with(&format!("{link}/")) {
                continue;
            }
            if target.is_empty() {
                // Every path is below such a link.
                waiting.push(FileRoute { path: link.clone(), is_folder: true });
                continue;
            }
            let rest = match way.path.strip_prefix(target.as_str()) {
                Some(rest) if rest.is_empty() || rest.starts_with('/') => rest,
                _ => continue,
            };
            waiting.push(FileRoute { path: format!("{link}{rest}"), is_folder: way.is_folder });
        }
    }
    found.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::{FileRoute, with_links};

    /// Returns the paths through which a file may be read, given (link, target) pairs.
    fn routes(path: &str, links: &[(&str, &str)]) -> Vec<String> {
        let links: Vec<_> = links.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
        let way = FileRoute { path: path.to_owned(), is_folder: false };
        with_links(vec![way], &links).into_iter().map(|one| one.path).collect()
    }

    #[test]
    fn a_file_is_read_by_all_links_that_lead_to_it() {
        let links = [("a/l", "b"), ("c", "a/l/x.yaml"), ("d", "e")];
        assert_eq!(routes("b/x.yaml", &links), ["a/l/x.yaml", "b/x.yaml", "c"]);
        assert_eq!(routes("f/x.yaml", &links), ["f/x.yaml"]);
        assert_eq!(routes("bb/x.yaml", &links), ["bb/x.yaml"]);
    }

    #[test]
    fn links_in_a_circle_come_to_an_end() {
        assert_eq!(routes("a/x", &[("a/l", "a")]), ["a/l/x", "a/x"]);
        assert_eq!(routes("x", &[("l", "")]), ["l", "x"]);
        assert_eq!(routes("a/x", &[("b", "a"), ("c", "b"), ("a", "c")]), ["a/x", "b/x", "c/x"]);
    }
}
