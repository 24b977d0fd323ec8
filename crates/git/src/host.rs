//! A revision as a host: its files appear at their paths in the work tree, and everything else is read from the machine. Paths
//! are resolved name by name, including links, so that nothing in the tree leads anywhere else.

use std::io::{Cursor, Read};
use std::sync::Arc;

use gix::ObjectId;
use groma_runtime::{DirEntry, EntryKind, FILE_LIMIT, Host, HostError, file_path};

use crate::objects::{TreeEntry, named};
use crate::repository::{MOST_BYTES, Repository, Revision};

/// Maximum number of symbolic links followed in the resolution of a path; a path with more is an error.
const MAX_LINKS: usize = 40;

/// A host that reads the files of a work tree as they are in a revision, and all others through the host of the machine.
pub struct RevisionHost {
    repository: Repository,
    /// The name of the revision.
    name: String,
    tree: ObjectId,
    /// The host for everything outside of the tree, as far as the user allows reading it.
    machine: Arc<dyn Host>,
    /// The readable directories of the work tree, without links.
    roots: Vec<String>,
    /// Files that the user named: they are readable anywhere in the tree, and are read from the machine if they are in no tree.
    named: Vec<String>,
    /// Files that are inputs and not a part of the compared code; they are read from `pinned_in`.
    pinned: Vec<String>,
    pinned_in: Option<Arc<dyn Host>>,
}

/// The result of resolving a path: an entry of the revision's tree, or a path that is read from the machine because the tree
/// lacks it.
enum PathTarget {
    /// An entry of the tree, with its path in the tree.
    Entry(TreeEntry, String),
    /// A path of the machine, outside of the tree.
    Machine(String),
}

impl RevisionHost {
    /// Creates the host of a revision, in which the files below the directories `roots` and the files `named` by the user are
    /// readable.
    pub fn new(
        repository: &Repository,
        revision: &Revision,
        machine: Arc<dyn Host>,
        roots: &[String],
        named: &[String],
    ) -> RevisionHost {
        let mut host = RevisionHost {
            repository: repository.clone(),
            name: revision.name.clone(),
            tree: revision.tree,
            machine,
            roots: roots.to_vec(),
            named: Vec::new(),
            pinned: Vec::new(),
            pinned_in: None,
        };
        let found = named.iter().filter_map(|path| host.below(path));
        host.named = found.map(|path| file_path::clean(&path)).collect();
        host
    }

    /// Returns the host with some paths read from another host, whatever the revision has there.
    #[must_use]
    pub fn with_pinned(mut self, paths: &[String], host: Arc<dyn Host>) -> RevisionHost {
        let found = paths.iter().filter_map(|path| self.below(path));
        self.pinned = found.map(|path| file_path::clean(&path)).collect();
        self.pinned_in = Some(host);
        self
    }

    /// Returns the other host from which a path given to `with_pinned` is read in place of the revision; `None` for other paths.
    fn pinned(&self, path: &str) -> Option<&Arc<dyn Host>> {
        let host = self.pinned_in.as_ref().filter(|_| !self.pinned.is_empty())?;
        let way = file_path::clean(&self.below(path)?);
        self.pinned.contains(&way).then_some(host)
    }

    /// Returns a path relative to the top of the work tree; `None` if it is outside. The result may contain `..`.
    fn below(&self, path: &str) -> Option<String> {
        let asked = match path.starts_with('/') {
            true => path.to_owned(),
            false => format!("{}/{path}", self.machine.current_dir()),
        };
        let within = |path: &str, top: &str| match path.strip_prefix(top)? {
            "" => Some(String::new()),
            rest => Some(rest.strip_prefix('/')?.to_owned()),
        };
        let top = self.repository.work_tree();
        if let Some(way) = within(&asked, top) {
            return Some(way);
        }
        let clean = file_path::clean(&asked);
        if let Some(way) = within(&clean, top) {
            return Some(way);
        }
        // The work tree may be known by a name with a link. The part that exists now decides.
        let mut above = clean.as_str();
        loop {
            if let Ok(real) = self.machine.canonical(above)
                && let Some(way) = within(&real, top)
            {
                let rest = clean[above.len()..].trim_start_matches('/');
                return Some(file_path::join(&way, rest)).map(|way| match way.as_str() {
                    "." => String::new(),
                    _ => way,
                });
            }
            above = above.rsplit_once('/').map(|(above, _)| above).filter(|one| !one.is_empty())?;
        }
    }

    /// Returns a path of the revision as git writes it, such as `main~2:live/main.tf`.
    fn place(&self, way: &str) -> String {
        format!("{}:{way}", self.name)
    }

    /// Resolves a path to an entry of the revision's tree, or to a path outside of the work tree, following links.
    fn find(&self, path: &str) -> Result<PathTarget, HostError> {
        match self.below(path) {
            Some(way) => self.walk(&way),
            None => Ok(PathTarget::Machine(path.to_owned())),
        }
    }

    /// Resolves a path, relative to the top of the revision's tree, name by name, following links.
    fn walk(&self, way: &str) -> Result<PathTarget, HostError> {
        let mut ahead: Vec<String> = way.split('/').rev().map(str::to_owned).collect();
        // The trees from the top to the current one, and their names.
        let mut trees = vec![self.tree];
        let mut names: Vec<String> = Vec::new();
        let mut links = 0;
        while let Some(name) = ahead.pop() {
            match name.as_str() {
                "" | "." => continue,
                ".." if names.is_empty() => {
                    let rest: Vec<String> = ahead.into_iter().rev().collect();
                    let above = format!("{}/../{}", self.repository.work_tree(), rest.join("/"));
                    return Ok(PathTarget::Machine(file_path::clean(&above)));
                }
                ".." => {
                    names.pop();
                    trees.pop();
                    continue;
                }
                _ => {}
            }
            let tree = *trees.last().unwrap_or(&self.tree);
            let tree = self.repository.objects.tree(tree, || self.place(&names.join("/")))?;
            let here = |name: &str| {
                let mut all: Vec<&str> = names.iter().map(String::as_str).collect();
                all.push(name);
                all.join("/")
            };
            let is_last = ahead.iter().all(|name| name.is_empty() || name == ".");
            match named(&tree, &name) {
                Some(TreeEntry::Tree(id)) => {
                    trees.push(id);
                    names.push(name);
                }
                Some(TreeEntry::Link(id)) => {
                    links += 1;
                    if links > MAX_LINKS {
                        return Err(HostError::Failed("its links form a cycle".to_owned()));
                    }
                    let target = self
                        .repository
                        .objects
                        .file(id, FILE_LIMIT, || self.place(&here(&name)))?;
                    let Ok(target) = String::from_utf8(target) else {
                        return Err(HostError::Absent);
                    };
                    if target.starts_with('/') {
                        let rest: Vec<String> = ahead.into_iter().rev().collect();
                        return Ok(PathTarget::Machine(format!("{target}/{}", rest.join("/"))));
                    }
                    ahead.extend(target.split('/').rev().map(str::to_owned));
                }
                Some(TreeEntry::Submodule(_)) => {
                    return Err(HostError::Failed(format!(
                        "{} is a submodule, whose files are not in this repository",
                        here(&name)
                    )));
                }
                Some(node) if is_last => return Ok(PathTarget::Entry(node, here(&name))),
                Some(_) => return Err(HostError::WrongKind),
                None => {
                    let rest: Vec<String> = ahead.into_iter().rev().collect();
                    let way = file_path::join(&here(&name), &rest.join("/"));
                    return self.ignored_target(&way);
                }
            }
        }
        let tree = *trees.last().unwrap_or(&self.tree);
        Ok(PathTarget::Entry(TreeEntry::Tree(tree), names.join("/")))
    }

    /// Resolves a path that the revision does not contain to the file of the work tree, if git ignores it or the user named the
    /// file; any other path is absent.
    fn ignored_target(&self, way: &str) -> Result<PathTarget, HostError> {
        let path = format!("{}/{way}", self.repository.work_tree());
        let kind = self.machine.kind(&path).map_err(|why| match why {
            HostError::Outside => HostError::Outside,
            _ => HostError::Absent,
        })?;
        let is_named = self.named.iter().any(|named| named == way);
        match is_named || self.repository.ignored.leaves_out(way, kind == EntryKind::Directory) {
            true => Ok(PathTarget::Machine(path)),
            false => Err(HostError::Absent),
        }
    }

    /// Returns the absolute path in the work tree for a path relative to its top; an error if the host may not read it.
    fn readable(&self, way: &str) -> Result<String, HostError> {
        let top = self.repository.work_tree();
        let path = if way.is_empty() { top.to_owned() } else { format!("{top}/{way}") };
        let is_below = |root: &String| {
            root == "/"
                || path
                    .strip_prefix(root.as_str())
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        match self.roots.iter().any(is_below) || self.named.iter().any(|named| named == way) {
            true => Ok(path),
            false => Err(HostError::Outside),
        }
    }

    /// Reads a file of at most `most` bytes, from the revision if it is in the work tree.
    fn file(&self, path: &str, most: u64) -> Result<Vec<u8>, HostError> {
        if let Some(host) = self.pinned(path) {
            return host.read_within(path, most);
        }
        match self.find(path)? {
            PathTarget::Entry(TreeEntry::File(id), way) => {
                self.readable(&way)?;
                self.repository.objects.file(id, most, || self.place(&way))
            }
            PathTarget::Entry(_, way) => self.readable(&way).and(Err(HostError::WrongKind)),
            PathTarget::Machine(path) => self.machine.read_within(&path, most),
        }
    }
}

impl Host for RevisionHost {
    fn read(&self, path: &str) -> Result<Vec<u8>, HostError> {
        self.file(path, FILE_LIMIT)
    }

    fn read_within(&self, path: &str, most: u64) -> Result<Vec<u8>, HostError> {
        self.file(path, most)
    }

    fn length(&self, path: &str) -> Result<u64, HostError> {
        if let Some(host) = self.pinned(path) {
            return host.length(path);
        }
        match self.find(path)? {
            PathTarget::Entry(TreeEntry::File(id), way) => {
                self.readable(&way)?;
                self.repository.objects.length(id, || self.place(&way))
            }
            PathTarget::Entry(_, way) => self.readable(&way).and(Err(HostError::WrongKind)),
            PathTarget::Machine(path) => self.machine.length(&path),
        }
    }

    fn open(&self, path: &str) -> Result<Box<dyn Read + Send>, HostError> {
        if let Some(host) = self.pinned(path) {
            return host.open(path);
        }
        match self.find(path)? {
            PathTarget::Machine(path) => self.machine.open(&path),
            PathTarget::Entry(..) => Ok(Box::new(Cursor::new(self.file(path, MOST_BYTES)?))),
        }
    }

    fn list(&self, dir: &str) -> Result<Vec<DirEntry>, HostError> {
        let (id, way) = match self.find(dir)? {
            PathTarget::Entry(TreeEntry::Tree(id), way) => (id, way),
            PathTarget::Entry(_, way) => return self.readable(&way).and(Err(HostError::WrongKind)),
            PathTarget::Machine(path) => return self.machine.list(&path),
        };
        let path = self.readable(&way)?;
        let tree = self.repository.objects.tree(id, || self.place(&way))?;
        let mut entries = Vec::with_capacity(tree.len());
        for (name, node) in tree.iter() {
            let kind = match node {
                TreeEntry::File(_) => EntryKind::File,
                TreeEntry::Tree(_) | TreeEntry::Submodule(_) => EntryKind::Directory,
                TreeEntry::Link(_) => {
                    self.kind(&format!("{path}/{name}")).unwrap_or(EntryKind::Other)
                }
            };
            entries.push(DirEntry { name: name.clone(), kind });
        }
        // Files that are in no revision are present too.
        for entry in self.machine.list(&path).unwrap_or_default() {
            let below =
                if way.is_empty() { entry.name.clone() } else { format!("{way}/{}", entry.name) };
            let is_folder = entry.kind == EntryKind::Directory;
            if named(&tree, &entry.name).is_none()
                && entry.name != ".git"
                && self.repository.ignored.leaves_out(&below, is_folder)
            {
                entries.push(entry);
            }
        }
        entries.sort_unstable();
        Ok(entries)
    }

    fn canonical(&self, path: &str) -> Result<String, HostError> {
        match self.find(path)? {
            PathTarget::Entry(_, way) => self.readable(&way),
            PathTarget::Machine(path) => self.machine.canonical(&path),
        }
    }

    fn kind(&self, path: &str) -> Result<EntryKind, HostError> {
        if let Some(host) = self.pinned(path) {
            return host.kind(path);
        }
        match self.find(path)? {
            PathTarget::Entry(node, way) => {
                self.readable(&way)?;
                Ok(match node {
                    TreeEntry::File(_) => EntryKind::File,
                    TreeEntry::Tree(_) | TreeEntry::Submodule(_) => EntryKind::Directory,
                    TreeEntry::Link(_) => EntryKind::Other,
                })
            }
            PathTarget::Machine(path) => self.machine.kind(&path),
        }
    }

    fn check_code_access(&self, path: &str) -> Result<(), HostError> {
        if path.split('/').any(|name| name.eq_ignore_ascii_case(".git")) {
            return Err(HostError::Private);
        }
        match self.find(path) {
            Ok(PathTarget::Machine(path)) => self.machine.check_code_access(&path),
            // The target of a link counts, not the link.
            Ok(PathTarget::Entry(_, way)) => {
                let top = self.repository.work_tree();
                self.machine.check_code_access(&format!("{top}/{way}"))
            }
            Err(_) => self.machine.check_code_access(path),
        }
    }

    fn hides_environment(&self) -> bool {
        self.machine.hides_environment()
    }

    fn env(&self, name: &str) -> Option<String> {
        self.machine.env(name)
    }

    fn env_names(&self) -> Vec<String> {
        self.machine.env_names()
    }

    fn current_dir(&self) -> String {
        self.machine.current_dir()
    }

    fn home(&self) -> Option<String> {
        self.machine.home()
    }
}
