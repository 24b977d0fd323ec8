//! Selection of the root for a file: its folder, unless the user has chosen another root. Files that are not module code, such
//! as tests and values, use the nearest folder with code above them.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use groma::root::{RootId, RootKind};
use groma::{Workspace, hosts::file_path};
use groma_ide::FileKind;

use crate::places::Places;
use crate::root::{RootContext, is_below};
use crate::settings::ClientSettings;
use crate::state::ServerState;

/// Maximum number of folders, from a file's own upwards, that are searched for module code.
const MAX_ABOVE: usize = 4;

impl ServerState {
    /// Returns the id of the root that a file belongs to: the Packer template or the nearest module around it, or the one
    /// that the user has chosen; `None` if there is none.
    pub(crate) fn root_of(&self, path: &str) -> Option<RootId> {
        let folder = file_path::parent(path);
        let dir = match FileKind::of(path)? {
            FileKind::Packer | FileKind::PackerValues => {
                return Some(RootId { dir: folder, kind: RootKind::Template });
            }
            FileKind::Module => folder,
            FileKind::Other => return None,
            _ => self.code_above(&folder)?,
        };
        let dir = self.chosen.get(&dir).cloned().unwrap_or(dir);
        Some(RootId { dir, kind: RootKind::Module })
    }

    /// Returns the folder itself or the nearest parent that contains module code; `None` if there is none in the next few
    /// parents or within the folder that the client has opened.
    fn code_above(&self, folder: &str) -> Option<String> {
        let mut at = folder.to_owned();
        for _ in 0..MAX_ABOVE {
            if self.has_code(&at) {
                return Some(at);
            }
            let above = file_path::parent(&at);
            let is_top = self.folders.contains(&at) || above == at;
            if is_top {
                return None;
            }
            at = above;
        }
        None
    }

    /// Returns true if a folder contains module code, on disk or in open documents.
    fn has_code(&self, folder: &str) -> bool {
        let is_code = |name: &str| FileKind::of(name) == Some(FileKind::Module);
        if self.documents.iter().any(|(path, _)| file_path::parent(path) == folder && is_code(path))
        {
            return true;
        }
        if let Some(known) = self.code_folders.borrow().get(folder) {
            return *known;
        }
        let host = self.host.folder(folder, &self.settings);
        let entries = host.list(folder).unwrap_or_default();
        let found = entries.iter().any(|entry| is_code(&entry.name));
        self.code_folders.borrow_mut().insert(folder.to_owned(), found);
        found
    }

    /// Returns the folder opened by the client that contains a path, the innermost if there are several; `None` if none
    /// contains it.
    pub(crate) fn folder_around(&self, path: &str) -> Option<String> {
        let around = self.folders.iter().filter(|folder| *folder == path || is_below(path, folder));
        around.max_by_key(|folder| folder.len()).cloned()
    }

    /// Returns the root context for a file; without a root it has only the file's text.
    pub(crate) fn context(&mut self, path: &str) -> RootContext {
        match self.root_of(path) {
            Some(name) => self.context_of(&name),
            None => {
                let host = self.host.folder(&file_path::parent(path), &self.settings);
                let workspace = Workspace::over(host);
                if let Some(document) = self.documents.get(path).filter(|one| !one.is_lost) {
                    workspace.set(path, document.source.text().as_bytes());
                }
                let top = self.folder_around(path);
                RootContext::new(None, 0, workspace.into(), None, top)
            }
        }
    }

    /// Returns the context of a root for a request; the root is loaded again if files that it may depend on have changed.
    pub(crate) fn context_of(&mut self, name: &RootId) -> RootContext {
        let top = self.folder_around(&name.dir);
        let is_new = self.roots.get(name).is_none();
        let open = self.documents.iter().filter(|(_, document)| !document.is_lost);
        let mut texts =
            open.map(|(path, document)| (path.to_owned(), document.source.text().clone()));
        let settings = settings_of(&self.settings, &self.chosen_files, &name.dir);
        let root = self.roots.load(name, &*self.host, &settings, &mut texts);
        let (revision, workspace, code) = (root.revision, root.workspace.clone(), root.root());
        let remarks = if is_new { root.setup.remarks.clone() } else { Vec::new() };
        drop(texts);
        remarks.iter().for_each(|text| self.remark(text));
        RootContext::new(Some(name.clone()), revision, workspace, code, top)
    }

    /// Returns each folder that the client has opened with a new workspace that has the texts of its open documents.
    pub(crate) fn workspaces_of_folders(&self) -> Vec<(String, Workspace)> {
        self.folders.iter().map(|folder| (folder.clone(), self.workspace_over(folder))).collect()
    }

    /// Returns a workspace of a folder with its open documents: the stored one for a folder that the client has opened, else
    /// a new one.
    pub(crate) fn workspace_of_folder(&mut self, folder: &str) -> Arc<Workspace> {
        let is_open = self.folders.iter().any(|open| open == folder);
        let made = self.workspace_over(folder);
        match is_open {
            true => self.roots.folder(folder, || made),
            false => Arc::new(made),
        }
    }

    /// Returns a new workspace over the files of a folder, with the texts of the open documents in it.
    fn workspace_over(&self, folder: &str) -> Workspace {
        let workspace = Workspace::over(self.host.folder(folder, &self.settings));
        let open = self.documents.iter().filter(|(_, document)| !document.is_lost);
        for (path, document) in open.filter(|(path, _)| is_below(path, folder)) {
            workspace.set(path, document.source.text().as_bytes());
        }
        workspace
    }

    /// Sets the root that the documents of a folder belong to, as the user has chosen it.
    pub(crate) fn choose_root(&mut self, folder: String, root: String) {
        match folder == root {
            true => drop(self.chosen.remove(&folder)),
            false => drop(self.chosen.insert(folder, root)),
        }
        self.refresh();
    }

    /// Chooses the value files of a root instead of those in the settings; an empty list restores these.
    pub(crate) fn choose_files(&mut self, root: String, files: Vec<String>) {
        match files.is_empty() {
            true => drop(self.chosen_files.remove(&root)),
            false => drop(self.chosen_files.insert(root.clone(), files)),
        }
        let settings = settings_of(&self.settings, &self.chosen_files, &root);
        match self.roots.set_up_again(&root, &*self.host, &settings) {
            true => self.refresh(),
            false => self.read_settings_again(),
        }
    }

    /// Returns the URIs of open documents, as the client writes them, by path.
    pub(crate) fn uris(&self) -> BTreeMap<String, String> {
        self.documents.iter().map(|(path, one)| (path.to_owned(), one.uri.clone())).collect()
    }

    /// Returns a converter for the places in a request's files, with the URIs of open documents.
    pub(crate) fn places<'r, 'w>(&self, request: &'r groma_ide::Request<'w>) -> Places<'r, 'w> {
        Places::new(request, self.client.unit).with_uris(self.uris())
    }
}

/// Returns the settings for the root in a folder: those of the client, but with the value files that the user has chosen for
/// the folder, if `chosen`, which has these by folder, contains any.
fn settings_of<'s>(
    settings: &'s ClientSettings,
    chosen: &BTreeMap<String, Vec<String>>,
    dir: &str,
) -> Cow<'s, ClientSettings> {
    let mut settings = Cow::Borrowed(settings);
    if let Some(files) = chosen.get(dir) {
        let files = files.iter().map(|file| file_path::relative(dir, file));
        settings.to_mut().var_files = files.collect();
    }
    settings
}
