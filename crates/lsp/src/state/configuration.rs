//! Changes of settings while the server runs: the client's own, and those in files beside the code.

use serde_json::Value;

use crate::state::ServerState;

/// Names of files beside the code that decide how a root is loaded or checked: settings, mocks, lint rules and installed
/// versions.
const SETTING_FILES: [&str; 6] = [
    "groma.toml",
    "groma.mock.hcl",
    ".tflint.hcl",
    ".tflint.json",
    ".terraform.lock.hcl",
    "modules.json",
];

impl ServerState {
    /// Takes over the settings of `workspace/didChangeConfiguration`, or requests them, and loads roots again after a change.
    pub(crate) fn settings_changed(&mut self, params: &Value) {
        if self.client.has_configuration {
            return self.ask_for_settings();
        }
        let settings = &params["settings"];
        let section = if settings["groma"].is_null() { settings } else { &settings["groma"] };
        if self.take_settings(section) {
            self.read_settings_again();
        }
    }

    /// Closes every root, so that each is loaded again with the current settings when it is needed.
    pub(crate) fn read_settings_again(&mut self) {
        for (_, _, token) in self.running.drain(..) {
            token.cancel();
        }
        self.forget_survey(None);
        let shown: Vec<_> = self.progress.keys().cloned().collect();
        shown.iter().for_each(|name| self.end_progress(name));
        let files = self.roots.close_all();
        self.publish(files.into_iter());
    }

    /// Returns true if a file is one of [`SETTING_FILES`] by its name, or the file of provider schemas that the client names.
    pub(crate) fn is_setting(&self, path: &str) -> bool {
        let name = groma::hosts::file_path::last(path);
        SETTING_FILES.contains(&name) || self.settings.schema.as_deref() == Some(path)
    }
}
