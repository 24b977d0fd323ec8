//! Questions of the server to the client, and what becomes of the answers.

use serde_json::{Value, json};

use crate::server::Server;

/// A question of the server.
pub(super) enum ServerQuestion {
    /// The answer does not matter.
    Nothing,
    /// The settings.
    Settings,
}

impl Server {
    pub(super) fn take_response(&mut self, question: ServerQuestion, result: Option<Value>) {
        if let (ServerQuestion::Settings, Some(all)) = (question, result) {
            let section = all.get(0).cloned().unwrap_or_default();
            if self.take_settings(&section) {
                self.read_settings_again();
            }
        }
    }

    /// Asks for settings, where the client can be asked.
    pub(super) fn ask_for_settings(&mut self) {
        if self.client.has_configuration {
            let params = json!({ "items": [{ "section": "groma" }] });
            self.ask("workspace/configuration", &params, ServerQuestion::Settings);
        }
    }

    pub(super) fn register(&mut self, registrations: Vec<Value>) {
        let params = json!({ "registrations": registrations });
        self.ask("client/registerCapability", &params, ServerQuestion::Nothing);
    }
}
