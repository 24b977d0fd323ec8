//! Which root answers for a file: its own folder unless the user has chosen another one, or the nearest folder above with code for
//! files that are no code themselves, such as tests and values.

use std::borrow::Cow;
use std::collections::BTreeMap;

use groma::{Workspace, hosts::file_path};
use groma_ide::{FileKind, RequestRoot};

use crate::places::Places;
use crate::root::{RootContext, RootName, is_below};
use crate::state::ServerState;

/// Maximum number of folders above a file that are looked at for code.
const MAX_ABOVE: usize = 4;

impl ServerState {
    /// The name of the root that answers for a file; nothing if none does.
    pub(crate) fn root_of(&self, path: &str) -> Option<RootName> {
        let folder = file_path::parent(path);
        let dir = match FileKind::of(path)? {
            FileKind::Packer | FileKind::PackerValues => {
                return Some(RootName { dir: folder, is_template: true });
            }
            FileKind::Module => folder,
            FileKind::Other => return None,
            _ => self.code_above(&folder)?,
        };
        let dir = self.chosen.get(&dir).cloned().unwrap_or(dir);
        Some(RootName { dir, is_template: false })
    }

    /// The folder itself or the nearest one above it that has code.
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

    /// The folder that is open around a path, for what reaches beyond its root.
    pub(crate) fn folder_around(&self, path: &str) -> Option<String> {
        let around = self.folders.iter().filter(|folder| *folder == path || is_below(path, folder));
        around.max_by_key(|folder| folder.len()).cloned()
    }

    /// What a question about a file is asked of.
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
                RootContext::new(None, 0, workspace.into(), RequestRoot::Nothing, top)
            }
        }
    }

    /// What a question about a root is asked of, read anew if something has changed.
    pub(crate) fn context_of(&mut self, name: &RootName) -> RootContext {
        let top = self.folder_around(&name.dir);
        let is_new = self.roots.get(name).is_none();
        let open = self.documents.iter().filter(|(_, document)| !document.is_lost);
        let mut texts =
            open.map(|(path, document)| (path.to_owned(), document.source.text().clone()));
        let mut settings = Cow::Borrowed(&self.settings);
        if let Some(files) = self.chosen_files.get(&name.dir) {
            let files = files.iter().map(|file| file_path::relative(&name.dir, file));
            settings.to_mut().var_files = files.collect();
        }
        let root = self.roots.look(name, &*self.host, &settings, &mut texts);
        let (revision, workspace, code) = (root.revision, root.workspace.clone(), root.root());
        let remarks = if is_new { root.setup.remarks.clone() } else { Vec::new() };
        drop(texts);
        remarks.iter().for_each(|text| self.remark(text));
        RootContext::new(Some(name.clone()), revision, workspace, code, top)
    }

    /// The folders that are open, each with its texts.
    pub(crate) fn workspaces_of_folders(&self) -> Vec<(String, Workspace)> {
        let open = || self.documents.iter().filter(|(_, document)| !document.is_lost);
        let made = |folder: &String| {
            let workspace = Workspace::over(self.host.folder(folder, &self.settings));
            for (path, document) in open().filter(|(path, _)| is_below(path, folder)) {
                workspace.set(path, document.source.text().as_bytes());
            }
            (folder.clone(), workspace)
        };
        self.folders.iter().map(made).collect()
    }

    /// Chooses the root whose values count for a folder.
    pub(crate) fn choose_root(&mut self, folder: String, root: String) {
        match folder == root {
            true => drop(self.chosen.remove(&folder)),
            false => drop(self.chosen.insert(folder, root)),
        }
        self.refresh();
    }

    /// Chooses the value files of a root in place of those of the settings; none to go back to these.
    pub(crate) fn choose_files(&mut self, root: String, files: Vec<String>) {
        match files.is_empty() {
            true => drop(self.chosen_files.remove(&root)),
            false => drop(self.chosen_files.insert(root, files)),
        }
        self.read_settings_again();
    }

    /// The addresses of open documents, as the client writes them.
    pub(crate) fn uris(&self) -> BTreeMap<String, String> {
        self.documents.iter().map(|(path, one)| (path.to_owned(), one.uri.clone())).collect()
    }

    /// How places of a request are written for the client.
    pub(crate) fn places<'r, 'w>(&self, request: &'r groma_ide::Request<'w>) -> Places<'r, 'w> {
        Places::new(request, self.client.unit).with_uris(self.uris())
    }
}
