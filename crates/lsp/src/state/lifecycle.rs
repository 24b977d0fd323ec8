//! The life cycle of a session: capabilities, folders, shutdown.

use groma::syntax::ColumnUnit;
use serde_json::{Value, json};

use crate::client::ClientProfile;
use crate::settings::ClientSettings;
use crate::state::{ServerPhase, ServerState, TraceLevel};
use crate::uri::path_of;

impl ServerState {
    /// Answers `initialize` with the server's capabilities.
    pub(crate) fn initialize(&mut self, params: &Value) -> Value {
        self.phase = ServerPhase::Running;
        self.client = ClientProfile::of(params);
        self.client_process = params["processId"].as_u64().and_then(|id| u32::try_from(id).ok());
        self.set_trace(&params["trace"]);
        let options = &params["initializationOptions"];
        self.is_trusted = options["isTrusted"].as_bool() != Some(false)
            && options["untrusted"].as_bool() != Some(true);
        let folders = params["workspaceFolders"].as_array();
        self.folders = match folders.filter(|all| !all.is_empty()) {
            Some(all) => all.iter().filter_map(|one| one["uri"].as_str()).map(path_of).collect(),
            None => {
                let uri = params["rootUri"].as_str().map(path_of);
                uri.or_else(|| params["rootPath"].as_str().map(String::from)).into_iter().collect()
            }
        };
        self.folders = self.folders.iter().map(|one| groma::hosts::file_path::clean(one)).collect();
        // Some clients send a section per server, others the section itself.
        let section = if options["groma"].is_object() { &options["groma"] } else { options };
        self.take_settings(section);
        json!({
            "capabilities": self.capabilities(),
            "serverInfo": { "name": "groma", "version": env!("CARGO_PKG_VERSION") },
        })
    }

    /// Returns the server's capabilities for this client.
    fn capabilities(&self) -> Value {
        let client = &self.client;
        // A client without encodings is not sent one.
        let encoding = client.encoding();
        let mut all = json!({
            "textDocumentSync": {
                "openClose": true,
                "change": 2,
                "save": { "includeText": false },
            },
            "hoverProvider": true,
            "definitionProvider": true,
            "declarationProvider": true,
            "typeDefinitionProvider": true,
            "implementationProvider": true,
            "referencesProvider": true,
            "documentHighlightProvider": true,
            "documentSymbolProvider": true,
            "workspaceSymbolProvider": { "workDoneProgress": true },
            "foldingRangeProvider": true,
            "documentFormattingProvider": true,
            "documentRangeFormattingProvider": true,
            "documentOnTypeFormattingProvider": { "firstTriggerCharacter": "}" },
            "renameProvider": { "prepareProvider": true },
            "diagnosticProvider": {
                "identifier": "groma",
                "interFileDependencies": true,
                "workspaceDiagnostics": true,
                "workDoneProgress": true,
            },
            "workspace": {
                "workspaceFolders": { "supported": true, "changeNotifications": true },
            },
        });
        if client.unit != ColumnUnit::Utf16 {
            all["positionEncoding"] = json!(encoding);
        }
        crate::requests::offer(&mut all);
        all
    }

    /// Asks the client, after its `initialized`, to report changes of settings and files, and requests its settings.
    pub(crate) fn initialized(&mut self) {
        let mut registrations = Vec::new();
        if self.client.registers_configuration {
            registrations.push(json!({
                "id": "settings",
                "method": "workspace/didChangeConfiguration",
                "registerOptions": { "section": "groma" },
            }));
        }
        if self.client.registers_watching {
            registrations.push(json!({
                "id": "files",
                "method": "workspace/didChangeWatchedFiles",
                "registerOptions": { "watchers": [{ "globPattern": "**/*" }] },
            }));
            self.is_watched_by_client = true;
        }
        if !registrations.is_empty() {
            self.register(registrations);
        }
        self.ask_for_settings();
    }

    /// Answers `shutdown`: cancels all jobs and requests.
    pub(crate) fn shut_down(&mut self) {
        self.phase = ServerPhase::Stopped;
        for (_, _, token) in self.running.drain(..) {
            token.cancel();
        }
        self.jobs.clear();
        self.waiting.clear();
        self.open.clear();
    }

    /// Sets the level of detail of the server's `$/logTrace` notifications from its protocol name; off for an unknown one.
    pub(crate) fn set_trace(&mut self, value: &Value) {
        self.trace = match value.as_str() {
            Some("messages") => TraceLevel::Messages,
            Some("verbose") => TraceLevel::Verbose,
            _ => TraceLevel::Off,
        };
    }

    /// Takes over from `workspace/didChangeWorkspaceFolders` which folders the client has opened and closed, and loads all
    /// roots again.
    pub(crate) fn change_folders(&mut self, params: &Value) {
        let paths = |name: &str| -> Vec<String> {
            let all = params["event"][name].as_array().into_iter().flatten();
            let uris = all.filter_map(|one| one["uri"].as_str());
            uris.map(|uri| groma::hosts::file_path::clean(&path_of(uri))).collect()
        };
        let removed = paths("removed");
        self.folders.retain(|folder| !removed.contains(folder));
        for added in paths("added") {
            if !self.folders.contains(&added) {
                self.folders.push(added);
            }
        }
        self.settings.folders.clone_from(&self.folders);
        self.code_folders.get_mut().clear();
        self.read_settings_again();
    }

    /// Takes over the client's settings, given as the section `groma`; returns true if they have changed.
    pub(crate) fn take_settings(&mut self, section: &Value) -> bool {
        let mut remarks = Vec::new();
        let mut settings = ClientSettings::read(section, &mut remarks);
        settings.is_untrusted = !self.is_trusted;
        settings.folders.clone_from(&self.folders);
        remarks.iter().for_each(|text| self.remark(text));
        let is_other = settings != self.settings;
        self.settings = settings;
        is_other
    }
}
