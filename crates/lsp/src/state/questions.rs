//! Requests of the server to the client, and the handling of their responses.

use serde_json::{Value, json};

use crate::state::{ServerQuestion, ServerState};

impl ServerState {
    /// Acts on the client's response to a request of the server: takes over settings or a choice, begins progress, or logs that
    /// an edit failed.
    pub(crate) fn take_response(&mut self, question: ServerQuestion, result: Option<Value>) {
        match (question, result) {
            (ServerQuestion::Settings, Some(all)) => {
                let section = all.get(0).cloned().unwrap_or_default();
                if self.take_settings(&section) {
                    self.read_settings_again();
                }
            }
            (ServerQuestion::Edit(told), result) => {
                let is_made = result.is_some_and(|one| one["applied"].as_bool() == Some(true));
                if !is_made {
                    self.log(told);
                }
            }
            (ServerQuestion::Progress(name, token), result) => {
                self.begin_progress(&name, token, result.is_some());
            }
            (ServerQuestion::Choice(choices), result) => {
                crate::requests::take_choice(self, choices, result.as_ref());
            }
            _ => {}
        }
    }

    /// Requests the client's settings, if it supports that.
    pub(crate) fn ask_for_settings(&mut self) {
        if self.client.has_configuration {
            let params = json!({ "items": [{ "section": "groma" }] });
            self.ask("workspace/configuration", &params, ServerQuestion::Settings);
        }
    }

    /// Asks the client to send notifications, by `client/registerCapability`.
    pub(crate) fn register(&mut self, registrations: Vec<Value>) {
        let params = json!({ "registrations": registrations });
        self.ask("client/registerCapability", &params, ServerQuestion::Nothing);
    }

    /// Asks the client to apply an edit.
    pub(crate) fn apply_edit(&mut self, label: &str, edit: Value) {
        let params = json!({ "label": label, "edit": edit });
        let told = format!("the client did not make the edit \"{label}\"");
        self.ask("workspace/applyEdit", &params, ServerQuestion::Edit(told));
    }
}
