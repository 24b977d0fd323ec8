//! News of documents and files. The client's text counts from when a document is opened to when it is closed, and the host's
//! before and after.

use serde_json::{Value, json};

use crate::state::ServerState;
use crate::uri::path_of;

/// Texts of more bytes are held and not read as code.
const MAX_CODE: usize = 64 << 20;

impl ServerState {
    pub(crate) fn opened(&mut self, params: &Value) {
        let item = &params["textDocument"];
        let Some(path) = self.path_in(item) else {
            return self.log("didOpen names no document".into());
        };
        self.documents.open(&path, item);
        self.code_folders.get_mut().clear();
        self.lay(&path);
        self.just_opened.insert(path);
    }

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
        self.lay(&path);
    }

    pub(crate) fn saved(&mut self, params: &Value) {
        let Some(path) = self.path_in(&params["textDocument"]) else { return };
        match self.is_setting(&path) {
            true => self.read_settings_again(),
            // Other files may be read by what only the disk has, and some may lie where the client does not watch.
            false => {
                self.roots.suspect_all();
                self.roots.changed(&path);
            }
        }
    }

    pub(crate) fn closed(&mut self, params: &Value) {
        let Some(path) = self.path_in(&params["textDocument"]) else { return };
        if !self.documents.close(&path) {
            return self.log(format!("{path} was closed and is not open"));
        }
        self.roots.set(&path, None);
        self.code_folders.get_mut().clear();
        self.tokens.remove(&path);
        self.text_findings.remove(&path);
        self.publish(std::iter::once(path));
    }

    /// Lays the text of a document over what hosts have.
    fn lay(&mut self, path: &str) {
        self.forget_survey(Some(path));
        let Some(document) = self.documents.get(path) else { return };
        let text = document.source.text().clone();
        if document.is_lost {
            self.roots.set(path, None);
        } else if text.len() > MAX_CODE {
            self.roots.set(path, None);
            self.remark(&format!("{path} is too large to be read as code."));
        } else {
            self.roots.set(path, Some(&text));
        }
    }

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
            // An open document is what its client says, whatever the disk has.
            if self.documents.get(path).is_none() {
                self.roots.changed(path);
            }
        }
        self.files_seen(&changes);
    }

    /// Files that functions read may lie anywhere: a change that no root knows of is looked for by all.
    fn files_seen(&mut self, changes: &[(String, u64)]) {
        let is_code = |path: &String| groma_ide::FileKind::of(path).is_some();
        if changes.iter().any(|(path, _)| !is_code(path)) {
            self.roots.touch_all();
            self.forget_survey(None);
        }
    }

    /// Looks for changes of files, for clients that do not report them. The program around the server calls it from time to time.
    pub(crate) fn look_at_files(&mut self) {
        if !self.is_watched_by_client {
            self.code_folders.get_mut().clear();
            self.roots.touch_all();
        }
    }

    /// The path of the document that parameters name.
    pub(crate) fn path_in(&self, document: &Value) -> Option<String> {
        document["uri"].as_str().map(path_of)
    }

    /// Takes note that files have other names.
    pub(crate) fn files_renamed(&mut self, _params: &Value) {
        self.code_folders.get_mut().clear();
        self.roots.touch_all();
    }

    /// The parameters of a document's version, for edits.
    pub(crate) fn version_json(&self, path: &str) -> Value {
        let version = self.documents.get(path).and_then(|document| document.version);
        version.map_or(Value::Null, |version| json!(version))
    }
}
