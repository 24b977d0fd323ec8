//! The roots that are open: for each folder with an open document what it is read with, and its last snapshot. A root is read
//! anew when something has changed that it may have read, and only once it is asked.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use groma::{RunOptions, Snapshot, TemplateSnapshot, Workspace, hosts::file_path};
use groma_ide::{Request, RequestRoot};

use crate::job::RootFiles;
use crate::settings::ClientSettings;
use crate::surroundings::{RootSetup, ServerHost};

/// The name by which a root is known: its folder, and whether it is a Packer template.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RootName {
    /// The folder.
    pub(crate) dir: String,
    /// True for a Packer template.
    pub(crate) is_template: bool,
}

/// A root that is open.
pub(crate) struct OpenRoot {
    /// What it is read with.
    pub(crate) setup: RootSetup,
    /// Its texts.
    pub(crate) workspace: Arc<Workspace>,
    /// Its last snapshot.
    root: Option<RequestRoot>,
    /// True if something may have changed since.
    is_stale: bool,
    /// The number of its last snapshot that differs from the one before.
    pub(crate) revision: u64,
    /// The revision whose findings are known.
    pub(crate) checked: Option<u64>,
    /// The findings by file, as the protocol writes them.
    pub(crate) findings: RootFiles,
}

/// The code that a question is about, held for as long as it takes.
pub(crate) struct RootContext {
    /// The name of the root, if there is one.
    pub(crate) name: Option<RootName>,
    /// Its revision.
    pub(crate) revision: u64,
    workspace: Arc<Workspace>,
    root: RequestRoot,
    top: Option<String>,
}

impl RootContext {
    pub(crate) fn new(
        name: Option<RootName>,
        revision: u64,
        workspace: Arc<Workspace>,
        root: RequestRoot,
        top: Option<String>,
    ) -> RootContext {
        RootContext { name, revision, workspace, root, top }
    }

    /// The question, which takes what is ready.
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

    /// The Packer template that it is about, if it is one.
    pub(crate) fn template(&self) -> Option<&TemplateSnapshot> {
        match &self.root {
            RequestRoot::Template(template) => Some(template),
            _ => None,
        }
    }

    /// The module that it is about, if it is one.
    pub(crate) fn snapshot(&self) -> Option<&Snapshot> {
        match &self.root {
            RequestRoot::Module(snapshot) => Some(snapshot),
            _ => None,
        }
    }
}

impl OpenRoot {
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

/// The roots that are open, and the texts that they share.
#[derive(Default)]
pub(crate) struct RootStore {
    roots: BTreeMap<RootName, OpenRoot>,
    workspaces: BTreeMap<String, Arc<Workspace>>,
    revisions: u64,
}

impl RootStore {
    /// The root of a name, read anew if that is needed. `texts` are the texts of open documents.
    pub(crate) fn look(
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

    pub(crate) fn get(&self, name: &RootName) -> Option<&OpenRoot> {
        self.roots.get(name)
    }

    pub(crate) fn get_mut(&mut self, name: &RootName) -> Option<&mut OpenRoot> {
        self.roots.get_mut(name)
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &RootName> {
        self.roots.keys()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&RootName, &OpenRoot)> {
        self.roots.iter()
    }

    /// Lays a text over what hosts have, or takes it away.
    pub(crate) fn set(&mut self, path: &str, text: Option<&str>) {
        for workspace in self.workspaces.values() {
            match text {
                Some(text) => workspace.set(path, text),
                None => drop(workspace.remove(path)),
            }
        }
        self.touch(path);
    }

    /// Takes note that a file or a folder has changed on the disk.
    pub(crate) fn changed(&mut self, path: &str) {
        self.workspaces.values().for_each(|workspace| workspace.changed(&[path]));
        self.touch(path);
    }

    /// Takes note that the code of a root has changed.
    fn touch(&mut self, path: &str) {
        for (name, root) in &mut self.roots {
            if !root.is_stale && root.is_of(name, path) {
                root.is_stale = true;
            }
        }
    }

    /// Takes note that files outside of what a client watches may have changed: the next look at a root asks for all.
    pub(crate) fn suspect_all(&self) {
        self.workspaces.values().for_each(|workspace| workspace.all_changed());
    }

    /// Takes note that anything may have changed.
    pub(crate) fn touch_all(&mut self) {
        self.suspect_all();
        self.roots.values_mut().for_each(|root| root.is_stale = true);
    }

    /// Forgets every root, so that settings are read again. Returns the files that had findings.
    pub(crate) fn forget(&mut self) -> Vec<String> {
        self.workspaces.clear();
        let roots = std::mem::take(&mut self.roots);
        roots.into_values().flat_map(|root| root.findings.into_keys()).collect()
    }

    /// Closes a root and gives it back.
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

fn read(root: &OpenRoot, name: &RootName) -> RequestRoot {
    if name.is_template {
        let RunOptions { now, seed, budget, .. } = (root.setup.run)();
        let mut options = groma::packer::TemplateOptions::default();
        (options.now, options.seed, options.budget) = (now, seed, budget);
        options.assignments = root.setup.load.assignments.clone();
        return RequestRoot::Template(Box::new(root.workspace.template(&name.dir, &options)));
    }
    let run = &*root.setup.run;
    RequestRoot::Module(Box::new(root.workspace.root_for(&name.dir, &root.setup.load, run)))
}

impl OpenRoot {
    /// Returns true if a file is one of those that it read.
    pub(crate) fn has_read(&self, path: &str) -> bool {
        match &self.root {
            Some(RequestRoot::Module(snapshot)) => snapshot.file(path).is_some(),
            _ => false,
        }
    }

    /// Returns true if it was read.
    pub(crate) fn is_read(&self) -> bool {
        self.root.is_some()
    }

    /// Returns true if something may have changed since it was read.
    pub(crate) fn is_stale(&self) -> bool {
        self.is_stale
    }

    /// The code as it was read last.
    pub(crate) fn root(&self) -> RequestRoot {
        self.root.clone().unwrap_or(RequestRoot::Nothing)
    }
}
