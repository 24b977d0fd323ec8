//! The open roots: for each folder with an open document its load options and its latest snapshot. A root is loaded again when
//! something that it may have read has changed, but only once it is needed.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use groma::{RunOptions, Snapshot, TemplateSnapshot, Workspace, hosts::file_path};
use groma_ide::{Request, RequestRoot};

use crate::job::RootFiles;
use crate::settings::ClientSettings;
use crate::surroundings::{RootSetup, ServerHost};

/// The identity of a root: its folder, and whether it is a Packer template.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RootName {
    /// The folder.
    pub(crate) dir: String,
    /// True for a Packer template.
    pub(crate) is_template: bool,
}

/// An open root with its latest snapshot.
pub(crate) struct OpenRoot {
    /// The host and options with which it is loaded.
    pub(crate) setup: RootSetup,
    /// The texts that it is loaded from.
    pub(crate) workspace: Arc<Workspace>,
    /// The latest snapshot; `None` before the first load.
    root: Option<RequestRoot>,
    /// True if something may have changed since the snapshot.
    is_stale: bool,
    /// The number of the latest snapshot; it increases when a snapshot differs from the previous one.
    pub(crate) revision: u64,
    /// The revision whose diagnostics are known.
    pub(crate) checked: Option<u64>,
    /// The diagnostics by file, also as JSON.
    pub(crate) findings: RootFiles,
}

/// The root that a request uses, held as long as the request takes.
pub(crate) struct RootContext {
    /// The identity of the root, if there is one.
    pub(crate) name: Option<RootName>,
    /// The revision of the snapshot.
    pub(crate) revision: u64,
    workspace: Arc<Workspace>,
    root: RequestRoot,
    /// The opened folder around the root, below which names are changed.
    top: Option<String>,
}

impl RootContext {
    /// Creates a context from a loaded root.
    pub(crate) fn new(
        name: Option<RootName>,
        revision: u64,
        workspace: Arc<Workspace>,
        root: RequestRoot,
        top: Option<String>,
    ) -> RootContext {
        RootContext { name, revision, workspace, root, top }
    }

    /// Returns the request for `groma-ide`. It uses values that are evaluated already.
    pub(crate) fn request(&self) -> Request<'_> {
        let request = Request::new(&self.workspace);
        let request = match &self.root {
            RequestRoot::Nothing => request,
            RequestRoot::Module(snapshot) => request.in_root(Snapshot::clone(snapshot)),
            RequestRoot::Template(template) => request.in_template((**template).clone()),
        };
        match &self.top {
            Some(top) => request.below(top),
            None => request,
        }
    }

    /// Returns the Packer template; `None` for a module or without a root.
    pub(crate) fn template(&self) -> Option<&TemplateSnapshot> {
        match &self.root {
            RequestRoot::Template(template) => Some(template),
            _ => None,
        }
    }

    /// Returns the module's snapshot; `None` for a template or without a root.
    pub(crate) fn snapshot(&self) -> Option<&Snapshot> {
        match &self.root {
            RequestRoot::Module(snapshot) => Some(snapshot),
            _ => None,
        }
    }
}

impl OpenRoot {
    /// Returns true if a change of the file may affect the root.
    fn is_of(&self, name: &RootName, path: &str) -> bool {
        let folder = file_path::parent(path);
        if folder == name.dir || is_below(path, &name.dir) {
            return true;
        }
        match &self.root {
            Some(RequestRoot::Module(snapshot)) => {
                snapshot.file_names().any(|file| file == path || file_path::parent(file) == folder)
            }
            Some(_) => false,
            None => true,
        }
    }
}

/// Returns true if a path lies in a folder, at any depth.
pub(crate) fn is_below(path: &str, folder: &str) -> bool {
    let rest = path.strip_prefix(folder.trim_end_matches('/'));
    rest.is_some_and(|rest| rest.starts_with('/'))
}

/// The open roots with the workspaces that they share.
#[derive(Default)]
pub(crate) struct RootStore {
    roots: BTreeMap<RootName, OpenRoot>,
    /// The workspaces by the `space` of their roots.
    workspaces: BTreeMap<String, Arc<Workspace>>,
    /// The workspaces of whole folders, for questions that reach beyond one root.
    folders: BTreeMap<String, Arc<Workspace>>,
    /// The latest revision number.
    revisions: u64,
}

impl RootStore {
    /// Returns a root, loaded again if it is stale. `texts` are those of open documents.
    pub(crate) fn load(
        &mut self,
        name: &RootName,
        host: &dyn ServerHost,
        settings: &ClientSettings,
        texts: &mut dyn Iterator<Item = (String, Arc<str>)>,
    ) -> &mut OpenRoot {
        let root = match self.roots.entry(name.clone()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(free) => {
                let setup = host.root(&name.dir, settings);
                let made = || {
                    let made = Workspace::over(setup.host.clone()).watched();
                    texts.for_each(|(path, text)| made.set(&path, text.as_bytes()));
                    Arc::new(made)
                };
                let known = self.workspaces.entry(setup.space.clone());
                let workspace = known.or_insert_with(made).clone();
                free.insert(OpenRoot {
                    setup,
                    workspace,
                    root: None,
                    is_stale: true,
                    revision: 0,
                    checked: None,
                    findings: BTreeMap::new(),
                })
            }
        };
        let revisions = &mut self.revisions;
        if root.is_stale {
            root.is_stale = false;
            let made = read(root, name);
            let is_same = match (&root.root, &made) {
                (Some(RequestRoot::Module(old)), RequestRoot::Module(new)) => old.is_same(new),
                _ => false,
            };
            if !is_same {
                *revisions += 1;
                root.revision = *revisions;
            }
            root.root = Some(made);
        }
        root
    }

    /// Returns the workspace of an opened folder, created by `make` on first use with the texts of open documents.
    pub(crate) fn folder(
        &mut self,
        folder: &str,
        make: impl FnOnce() -> Workspace,
    ) -> Arc<Workspace> {
        let known = self.folders.entry(folder.to_owned());
        known.or_insert_with(|| Arc::new(make().watched())).clone()
    }

    /// Yields the workspaces of the open roots and of the opened folders.
    fn all_workspaces(&self) -> impl Iterator<Item = &Arc<Workspace>> {
        self.workspaces.values().chain(self.folders.values())
    }

    /// Returns the open root of this name.
    pub(crate) fn get(&self, name: &RootName) -> Option<&OpenRoot> {
        self.roots.get(name)
    }

    /// Returns the open root of this name, to be changed.
    pub(crate) fn get_mut(&mut self, name: &RootName) -> Option<&mut OpenRoot> {
        self.roots.get_mut(name)
    }

    /// Yields the identities of the open roots.
    pub(crate) fn names(&self) -> impl Iterator<Item = &RootName> {
        self.roots.keys()
    }

    /// Yields the open roots with their names.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&RootName, &OpenRoot)> {
        self.roots.iter()
    }

    /// Lays a text over a file in every workspace, or removes it.
    pub(crate) fn set(&mut self, path: &str, text: Option<&str>) {
        for workspace in self.all_workspaces() {
            match text {
                Some(text) => workspace.set(path, text),
                None => drop(workspace.remove(path)),
            }
        }
        self.mark_stale(path);
    }

    /// Records that a file or folder has changed on disk.
    pub(crate) fn changed(&mut self, path: &str) {
        self.all_workspaces().for_each(|workspace| workspace.changed(&[path]));
        self.mark_stale(path);
    }

    /// Marks the roots that a file may affect as stale.
    fn mark_stale(&mut self, path: &str) {
        for (name, root) in &mut self.roots {
            if !root.is_stale && root.is_of(name, path) {
                root.is_stale = true;
            }
        }
    }

    /// Records that files that the client does not watch may have changed: the next load checks all files.
    pub(crate) fn check_all_files(&self) {
        self.all_workspaces().for_each(|workspace| workspace.all_changed());
    }

    /// Records that anything may have changed.
    pub(crate) fn mark_all_stale(&mut self) {
        self.check_all_files();
        self.roots.values_mut().for_each(|root| root.is_stale = true);
    }

    /// Gives the roots in a folder what is set now, so that they are asked again with it. Their code stays as it is loaded. Returns
    /// false, without a change, if other texts have to be read.
    pub(crate) fn set_up_again(
        &mut self,
        dir: &str,
        host: &dyn ServerHost,
        settings: &ClientSettings,
    ) -> bool {
        let setup = host.root(dir, settings);
        let is_own = |name: &RootName| name.dir == dir;
        let mut own = self.roots.iter().filter(|(name, _)| is_own(name));
        if !own.all(|(_, root)| root.setup.space == setup.space) {
            return false;
        }
        for (_, root) in self.roots.iter_mut().filter(|(name, _)| is_own(name)) {
            root.setup = setup.clone();
            root.is_stale = true;
        }
        true
    }

    /// Closes every root, so that settings are read again. Returns the files that had diagnostics.
    pub(crate) fn forget(&mut self) -> Vec<String> {
        self.workspaces.clear();
        self.folders.clear();
        let roots = std::mem::take(&mut self.roots);
        roots.into_values().flat_map(|root| root.findings.into_keys()).collect()
    }

    /// Closes a root and returns it, with its diagnostics.
    pub(crate) fn close(&mut self, name: &RootName) -> Option<OpenRoot> {
        let root = self.roots.remove(name)?;
        root.workspace.close_root(&name.dir);
        let space = &root.setup.space;
        if !self.roots.values().any(|other| other.setup.space == *space) {
            self.workspaces.remove(space);
        }
        Some(root)
    }
}

/// Loads the module or template of a root.
fn read(root: &OpenRoot, name: &RootName) -> RequestRoot {
    if name.is_template {
        let RunOptions { assignments, now, seed, budget, .. } = (root.setup.run)();
        let mut options = groma::packer::TemplateOptions::default();
        (options.now, options.seed, options.budget) = (now, seed, budget);
        options.assignments = assignments;
        return RequestRoot::Template(Box::new(root.workspace.template(&name.dir, &options)));
    }
    let run = &*root.setup.run;
    RequestRoot::Module(Box::new(root.workspace.root_for(&name.dir, &root.setup.load, run)))
}

impl OpenRoot {
    /// Returns true if the root has read the file.
    pub(crate) fn has_read(&self, path: &str) -> bool {
        match &self.root {
            Some(RequestRoot::Module(snapshot)) => snapshot.file(path).is_some(),
            _ => false,
        }
    }

    /// Returns true if the root was loaded.
    pub(crate) fn is_read(&self) -> bool {
        self.root.is_some()
    }

    /// Returns true if something may have changed since the root was loaded.
    pub(crate) fn is_stale(&self) -> bool {
        self.is_stale
    }

    /// Returns the root as it was loaded last.
    pub(crate) fn root(&self) -> RequestRoot {
        self.root.clone().unwrap_or(RequestRoot::Nothing)
    }
}
