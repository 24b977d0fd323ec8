//! The open roots: for each folder with an open document its load options and its latest snapshot. A root is loaded again when
//! something that it may have read has changed, but only once it is needed.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use groma::root::{Root, RootId, RootKind};
use groma::{LoadOptions, LoadPurpose, Snapshot, Workspace, hosts::file_path};
use groma_ide::Request;

use crate::job::RootFiles;
use crate::settings::ClientSettings;
use crate::surroundings::{RootSetup, ServerHost};

/// A root that open documents use: its settings, its latest snapshot, and the diagnostics of its last check.
pub(crate) struct OpenRoot {
    /// The host and options with which it is loaded.
    pub(crate) setup: RootSetup,
    /// The texts that it is loaded from.
    pub(crate) workspace: Arc<Workspace>,
    /// The latest snapshot; `None` before the first load.
    root: Option<Arc<dyn Root>>,
    /// True if something may have changed since the snapshot.
    is_stale: bool,
    /// The number of the latest snapshot; it increases when a snapshot differs from the previous one.
    pub(crate) revision: u64,
    /// The revision whose diagnostics are known.
    pub(crate) checked: Option<u64>,
    /// The diagnostics by file, also as JSON.
    pub(crate) findings: RootFiles,
}

/// The snapshot of a root that one request uses, held as long as the request takes, with its workspace and the folder that the
/// client has opened around the root.
pub(crate) struct RootContext {
    /// The identity of the root, if there is one.
    pub(crate) name: Option<RootId>,
    /// The revision of the snapshot.
    pub(crate) revision: u64,
    workspace: Arc<Workspace>,
    root: Option<Arc<dyn Root>>,
    /// The opened folder around the root, below which names are changed.
    top: Option<String>,
}

impl RootContext {
    /// Creates the context of a request from a loaded root; `revision` is the number of its snapshot, `top` the folder that the
    /// client has opened around it.
    pub(crate) fn new(
        name: Option<RootId>,
        revision: u64,
        workspace: Arc<Workspace>,
        root: Option<Arc<dyn Root>>,
        top: Option<String>,
    ) -> RootContext {
        RootContext { name, revision, workspace, root, top }
    }

    /// Creates the request that is passed to `groma-ide`, with the workspace, the root and the folder of this context. It uses
    /// values that are evaluated already.
    pub(crate) fn request(&self) -> Request<'_> {
        let request = Request::new(&self.workspace);
        let request = match &self.root {
            Some(root) => request.in_shared_root(root.clone()),
            None => request,
        };
        match &self.top {
            Some(top) => request.below(top),
            None => request,
        }
    }

    /// Returns the root of the context; `None` if the document belongs to no root.
    pub(crate) fn root(&self) -> Option<&Arc<dyn Root>> {
        self.root.as_ref()
    }

    /// Returns the snapshot of the context's root module; `None` if there is no root, or a root that is no module.
    pub(crate) fn snapshot(&self) -> Option<&Snapshot> {
        self.root.as_ref()?.module().ok()
    }
}

impl OpenRoot {
    /// Returns true if a change of the file `path` may affect the results of this root, whose id is `name`.
    fn is_of(&self, name: &RootId, path: &str) -> bool {
        let folder = file_path::parent(path);
        if folder == name.dir || is_below(path, &name.dir) {
            return true;
        }
        let Some(root) = &self.root else { return true };
        // A template reads no code outside of its folder.
        root.module().is_ok_and(|snapshot| {
            snapshot.file_names().any(|file| file == path || file_path::parent(file) == folder)
        })
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
    roots: BTreeMap<RootId, OpenRoot>,
    /// The workspaces by the `space` of their roots.
    workspaces: BTreeMap<String, Arc<Workspace>>,
    /// The workspaces of whole folders, for questions that reach beyond one root.
    folders: BTreeMap<String, Arc<Workspace>>,
    /// The latest revision number.
    revisions: u64,
}

impl RootStore {
    /// Returns the root with an id, loaded on first use and again if files that it may depend on have changed; `texts` are
    /// those of open documents by path, for a new workspace.
    pub(crate) fn load(
        &mut self,
        name: &RootId,
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
            let is_same = root.root.as_ref().is_some_and(|old| old.is_same(&*made));
            if !is_same {
                *revisions += 1;
                root.revision = *revisions;
            }
            root.root = Some(made);
        }
        root
    }

    /// Returns the workspace of a folder that the client has opened, created by `make` on first use with the texts of open
    /// documents.
    pub(crate) fn folder(
        &mut self,
        folder: &str,
        make: impl FnOnce() -> Workspace,
    ) -> Arc<Workspace> {
        let known = self.folders.entry(folder.to_owned());
        known.or_insert_with(|| Arc::new(make().watched())).clone()
    }

    /// Yields the workspaces of the open roots and of the folders that the client has opened.
    fn all_workspaces(&self) -> impl Iterator<Item = &Arc<Workspace>> {
        self.workspaces.values().chain(self.folders.values())
    }

    /// Returns the open root with an id, if there is one.
    pub(crate) fn get(&self, name: &RootId) -> Option<&OpenRoot> {
        self.roots.get(name)
    }

    /// Returns the open root with an id for modification, if there is one.
    pub(crate) fn get_mut(&mut self, name: &RootId) -> Option<&mut OpenRoot> {
        self.roots.get_mut(name)
    }

    /// Yields the ids of the open roots.
    pub(crate) fn names(&self) -> impl Iterator<Item = &RootId> {
        self.roots.keys()
    }

    /// Yields the open roots with their ids.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&RootId, &OpenRoot)> {
        self.roots.iter()
    }

    /// Sets the text that counts in place of a file in every workspace; `None` lets the text on disk count again.
    pub(crate) fn set_text(&mut self, path: &str, text: Option<&str>) {
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

    /// Marks the roots that a file may affect as stale, so that they are loaded again on next use.
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

    /// Marks all roots as stale, so that they are loaded again on next use, which then checks every file for changes.
    pub(crate) fn mark_all_stale(&mut self) {
        self.check_all_files();
        self.roots.values_mut().for_each(|root| root.is_stale = true);
    }

    /// Applies changed settings to the open roots in a folder without loading their code again; returns false, without a
    /// change, if other texts have to be read.
    pub(crate) fn set_up_again(
        &mut self,
        dir: &str,
        host: &dyn ServerHost,
        settings: &ClientSettings,
    ) -> bool {
        let setup = host.root(dir, settings);
        let is_own = |name: &RootId| name.dir == dir;
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

    /// Closes every root, so that settings are read again, and returns the paths of the files that had diagnostics.
    pub(crate) fn close_all(&mut self) -> Vec<String> {
        self.workspaces.clear();
        self.folders.clear();
        let roots = std::mem::take(&mut self.roots);
        roots.into_values().flat_map(|root| root.findings.into_keys()).collect()
    }

    /// Closes a root and returns it, with its diagnostics; `None` if it was not open.
    pub(crate) fn close(&mut self, name: &RootId) -> Option<OpenRoot> {
        let root = self.roots.remove(name)?;
        root.workspace.close_root(&name.dir);
        let space = &root.setup.space;
        if !self.roots.values().any(|other| other.setup.space == *space) {
            self.workspaces.remove(space);
        }
        Some(root)
    }
}

/// Opens a root in its workspace with its settings and returns it; a Packer template without checking its builds.
fn read(root: &OpenRoot, name: &RootId) -> Arc<dyn Root> {
    let (load, run) = (&root.setup.load, &*root.setup.run);
    match name.kind {
        // A template is edited before its variables have values, and where it need not be built.
        RootKind::Template => {
            let load = LoadOptions { purpose: LoadPurpose::Evaluate, ..load.clone() };
            root.workspace.open(name, &load, run, None)
        }
        RootKind::Module | RootKind::Test => root.workspace.open(name, load, run, None),
    }
}

impl OpenRoot {
    /// Returns true if the root has read the file.
    pub(crate) fn has_read(&self, path: &str) -> bool {
        self.root.as_ref().is_some_and(|root| root.file_id(path).is_some())
    }

    /// Returns true if the root was loaded at least once.
    pub(crate) fn is_read(&self) -> bool {
        self.root.is_some()
    }

    /// Returns true if something may have changed since the root was loaded.
    pub(crate) fn is_stale(&self) -> bool {
        self.is_stale
    }

    /// Returns the root as it was loaded last; `None` before the first load.
    pub(crate) fn root(&self) -> Option<Arc<dyn Root>> {
        self.root.clone()
    }
}
