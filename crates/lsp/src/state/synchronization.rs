//! Notifications about documents and files. While a document is open its client's text is used, before and after that the
//! host's.

use serde_json::{Value, json};

use crate::state::ServerState;
use crate::uri::path_of;

/// Maximum number of bytes in an open document that is read as code; a larger text is ignored with a remark.
const MAX_CODE: usize = 64 << 20;

impl ServerState {
    /// Stores the document that `textDocument/didOpen` brings, and uses its text in place of the file.
    pub(crate) fn opened(&mut self, params: &Value) {
        let item = &params["textDocument"];
        let Some(path) = self.path_in(item) else {
            return self.log("didOpen names no document".into());
        };
        self.documents.open(&path, item);
        self.code_folders.get_mut().clear();
        self.overlay(&path);
        self.just_opened.insert(path);
    }

    /// Applies the edits of `textDocument/didChange` to the text of an open document.
    pub(crate) fn changed(&mut self, params: &Value) {
        let document = &params["textDocument"];
        let Some(path) = self.path_in(document) else {
            return self.log("didChange names no document".into());
        };
        let changes = params["contentChanges"].as_array().map_or(&[][..], Vec::as_slice);
        let version = document["version"].as_i64();
        if let Err(why) = self.documents.change(&path, version, changes, self.client.unit) {
            self.log(why);
        }
        self.overlay(&path);
    }

    /// Has the roots that a file affects loaded again after `textDocument/didSave`, or reads settings again if the file holds
    /// any.
    pub(crate) fn saved(&mut self, params: &Value) {
        let Some(path) = self.path_in(&params["textDocument"]) else { return };
        match self.is_setting(&path) {
            true => self.read_settings_again(),
            // Code may read other files from the disk, and some that the client does not watch.
            false => {
                self.roots.check_all_files();
                self.roots.changed(&path);
            }
        }
    }

    /// Drops the document that `textDocument/didClose` names, so that the text of the file counts again.
    pub(crate) fn closed(&mut self, params: &Value) {
        let Some(path) = self.path_in(&params["textDocument"]) else { return };
        if !self.documents.close(&path) {
            return self.log(format!("{path} was closed and is not open"));
        }
        self.roots.set_text(&path, None);
        self.code_folders.get_mut().clear();
        self.tokens.remove(&path);
        self.text_findings.remove(&path);
        self.publish(std::iter::once(path));
    }

    /// Lays the text of a document over the host's file in all roots.
    fn overlay(&mut self, path: &str) {
        self.forget_survey(Some(path));
        let Some(document) = self.documents.get(path) else { return };
        let text = document.source.text().clone();
        if document.is_lost {
            self.roots.set_text(path, None);
        } else if text.len() > MAX_CODE {
            self.roots.set_text(path, None);
            self.remark(&format!("{path} is too large to be read as code."));
        } else {
            self.roots.set_text(path, Some(&text));
        }
    }

    /// Has the roots that the files of `workspace/didChangeWatchedFiles` affect loaded again, or reads settings again if a
    /// file holds any.
    pub(crate) fn files_changed(&mut self, params: &Value) {
        let all = params["changes"].as_array().into_iter().flatten();
        let changes: Vec<(String, u64)> = all
            .filter_map(|one| {
                Some((path_of(one["uri"].as_str()?), one["type"].as_u64().unwrap_or(2)))
            })
            .collect();
        if changes.iter().any(|(path, _)| self.is_setting(path)) {
            return self.read_settings_again();
        }
        for (path, kind) in &changes {
            self.forget_survey(Some(path));
            if *kind != 2 {
                self.code_folders.get_mut().clear();
            }
            // For an open document the client's text counts, whatever is on disk.
            if self.documents.get(path).is_none() {
                self.roots.changed(path);
            }
        }
        self.files_seen(&changes);
    }

    /// Has all roots loaded again if a file that is not code is among the `changes`, paths with the protocol's number for
    /// the kind of change, since any root may read it by a function.
    fn files_seen(&mut self, changes: &[(String, u64)]) {
        let is_code = |path: &String| groma_ide::FileKind::of(path).is_some();
        if changes.iter().any(|(path, _)| !is_code(path)) {
            self.roots.mark_all_stale();
            self.forget_survey(None);
        }
    }

    /// Checks for changed files, for clients that do not report them. The surrounding program calls it periodically.
    pub(crate) fn poll_files(&mut self) {
        if !self.is_watched_by_client {
            self.code_folders.get_mut().clear();
            self.roots.mark_all_stale();
        }
    }

    /// Returns the path of the document that a message's parameters name; `None` if they have no URI.
    pub(crate) fn path_in(&self, document: &Value) -> Option<String> {
        document["uri"].as_str().map(path_of)
    }

    /// Has all roots loaded again after `workspace/didRenameFiles`.
    pub(crate) fn files_renamed(&mut self, _params: &Value) {
        self.code_folders.get_mut().clear();
        self.roots.mark_all_stale();
    }

    /// Returns the version of a document as JSON, for edits; null if unknown.
    pub(crate) fn version_json(&self, path: &str) -> Value {
        let version = self.documents.get(path).and_then(|document| document.version);
        version.map_or(Value::Null, |version| json!(version))
    }
}
