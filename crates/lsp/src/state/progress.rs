//! Progress indicators: for roots that are loaded and evaluated, and for requests with a progress token. A root shows progress
//! when it is first loaded, and later only if that takes long, which the surrounding program measures.

use groma::root::RootId;
use serde_json::{Value, json};

use crate::message::MessageId;
use crate::state::{ServerQuestion, ServerState};
use crate::survey::WorkspaceSurvey;

/// The progress indicator that the client shows while a root is loaded and checked.
pub(crate) struct RootProgress {
    /// The token, unique in the session.
    token: i64,
    /// True once the client has agreed and progress has begun.
    is_begun: bool,
}

impl ServerState {
    /// Requests a progress indicator for a root; returns false if there is one already, or the client supports none.
    pub(crate) fn ask_for_progress(&mut self, name: &RootId) -> bool {
        if !self.client.has_progress || self.progress.contains_key(name) {
            return false;
        }
        self.numbers += 1;
        let token = self.numbers;
        self.progress.insert(name.clone(), RootProgress { token, is_begun: false });
        let question = ServerQuestion::Progress(name.clone(), token);
        self.ask("window/workDoneProgress/create", &json!({ "token": token }), question);
        true
    }

    /// Requests a progress indicator for every root that is being checked.
    pub(crate) fn show_progress(&mut self) {
        let names: Vec<RootId> = self.running.iter().map(|(_, name, _)| name.clone()).collect();
        for name in &names {
            self.ask_for_progress(name);
        }
    }

    /// Begins the progress indicator of a root after the client has agreed to show it, if `is_agreed`, unless the root's work
    /// is finished already.
    pub(crate) fn begin_progress(&mut self, name: &RootId, token: i64, is_agreed: bool) {
        let Some(known) = self.progress.get_mut(name).filter(|known| known.token == token) else {
            return;
        };
        if !is_agreed {
            // The entry is kept, so that a client that refuses is not asked again for the same root.
            return;
        }
        known.is_begun = true;
        let folder = groma::hosts::file_path::last(&name.dir);
        let begin = json!({
            "kind": "begin",
            "title": "Groma",
            "message": format!("loading and evaluating {folder}"),
            "cancellable": true,
        });
        self.notify("$/progress", &json!({ "token": token, "value": begin }));
    }

    /// Ends the progress indicator of a root, if there is one.
    pub(crate) fn end_progress(&mut self, name: &RootId) {
        if let Some(known) = self.progress.remove(name)
            && known.is_begun
        {
            self.send_progress_end(&json!(known.token));
        }
    }

    /// Stops the check or the request that `window/workDoneProgress/cancel` names by its progress token.
    /// The diagnostics of a stopped root are kept until its text changes.
    pub(crate) fn cancel_progress(&mut self, params: &Value) {
        let token = &params["token"];
        let of_root = self.progress.iter().find(|(_, known)| json!(known.token) == *token);
        if let Some(name) = of_root.map(|(name, _)| name.clone()) {
            return self.stop_check(&name);
        }
        let is_it = |open: &crate::state::OpenRequest| open.progress.as_ref() == Some(token);
        let of_request = self.open.iter().find(|(_, open)| is_it(open));
        if let Some(id) = of_request.map(|(id, _)| id.clone()) {
            self.cancel_request(&id);
        }
    }

    /// Begins the progress of a request that is answered later, with its method as the title, if the client sent a token.
    pub(crate) fn begin_request_progress(&mut self, id: &MessageId, method: &str, params: &Value) {
        let token = &params["workDoneToken"];
        let Some(open) = self.open.get_mut(id).filter(|_| !token.is_null()) else { return };
        open.progress = Some(token.clone());
        let begin = json!({ "kind": "begin", "title": method, "cancellable": true });
        self.notify("$/progress", &json!({ "token": token, "value": begin }));
    }

    /// Reports to the client how many folders of a `workspace/diagnostic` request are checked.
    pub(crate) fn send_survey_progress(&mut self, survey: &WorkspaceSurvey) {
        let token = self.open.get(&survey.id).and_then(|open| open.progress.clone());
        if let (Some(token), Some((done, all))) = (token, survey.progress()) {
            let report = json!({
                "kind": "report",
                "message": format!("{done} of {all} folders"),
                "percentage": done * 100 / all.max(1),
            });
            self.notify("$/progress", &json!({ "token": token, "value": report }));
        }
    }

    /// Sends the end of the progress indicator that the client shows under a token.
    pub(crate) fn send_progress_end(&mut self, token: &Value) {
        self.notify("$/progress", &json!({ "token": token, "value": { "kind": "end" } }));
    }
}
