//! Work between messages: loads roots, checks them in jobs, and publishes diagnostics or keeps them for clients that pull.

use std::collections::{BTreeMap, BTreeSet};

use groma::RequestToken;
use groma::root::{RootId, RootKind};
use groma_ide::{Request, text_diagnostics};
use serde_json::{Value, json};

use crate::finding::findings_json;
use crate::job::{
    JobOutcome, JobQuestion, JobResult, JobTask, RenderedFindings, RootCheck, RootFiles, ServerJob,
};
use crate::message::{ErrorKind, MessageId, RequestError, RequestResult, response};
use crate::places::Places;
use crate::root::RootContext;
use crate::state::{HandlerReply, OpenRequest, ServerQuestion, ServerState, WaitingPull};
use crate::survey::WorkspaceSurvey;
use crate::uri::{path_of, uri_of};

impl ServerState {
    /// Does the next background work, and returns false if nothing remains: loads a root and starts its check, closes unneeded
    /// roots, or publishes diagnostics.
    pub(crate) fn work(&mut self) -> bool {
        for name in self.needed_roots() {
            let context = self.context_of(&name);
            let is_checked =
                self.roots.get(&name).is_some_and(|root| root.checked == Some(context.revision));
            let is_on_its_way = self.running.iter().any(|(_, own, _)| *own == name)
                && !self.is_check_outdated(&name);
            if is_checked || is_on_its_way {
                continue;
            }
            if self.roots.get(&name).is_none_or(|root| root.checked.is_none())
                && self.ask_for_progress(&name)
            {
                // The client is asked before the root is loaded.
                return true;
            }
            self.check(name, context);
            return true;
        }
        self.close_unneeded();
        // A newly opened document of a checked root has known diagnostics, which are published again with its version.
        let opened = std::mem::take(&mut self.just_opened);
        let is_checked = |path: &String| {
            let root = self.root_of(path).and_then(|name| self.roots.get(&name));
            root.is_some_and(|root| root.checked == Some(root.revision) && root.has_read(path))
        };
        let known: Vec<String> = opened.into_iter().filter(is_checked).collect();
        self.publish(known.into_iter());
        self.publish_texts()
    }

    /// Returns the ids of the roots of open documents, and of roots whose check a request for diagnostics waits for.
    fn needed_roots(&self) -> BTreeSet<RootId> {
        let paths: Vec<String> = self.documents.iter().map(|(path, _)| path.to_owned()).collect();
        let open = paths.iter().filter_map(|path| self.root_of(path));
        open.chain(self.waiting.iter().map(|one| one.root.clone())).collect()
    }

    /// Closes the roots that no open document and no waiting request needs, and withdraws their diagnostics.
    fn close_unneeded(&mut self) {
        let needed = self.needed_roots();
        let names = self.roots.names().filter(|name| !needed.contains(name));
        let names: Vec<RootId> = names.cloned().collect();
        for name in names {
            for (_, _, token) in self.running.iter().filter(|(_, own, _)| *own == name) {
                token.cancel();
            }
            self.end_progress(&name);
            if let Some(root) = self.roots.close(&name) {
                let files: Vec<String> = root.findings.into_keys().collect();
                self.publish(files.into_iter());
            }
        }
    }

    /// Stops the check of a root. Its diagnostics are kept until something changes.
    pub(crate) fn stop_check(&mut self, name: &RootId) {
        for (_, _, token) in self.running.iter().filter(|(_, own, _)| own == name) {
            token.cancel();
        }
        let known = self
            .roots
            .get_mut(name)
            .map(|root| (root.revision, std::mem::take(&mut root.findings)));
        match known {
            Some((revision, findings)) => self.take_findings(name, revision, findings),
            None => self.end_progress(name),
        }
    }

    /// Returns true if a root's latest snapshot is not being checked: at most a check of an older one is running.
    fn is_check_outdated(&self, name: &RootId) -> bool {
        let revision = self.roots.get(name).map_or(0, |root| root.revision);
        !self.running.iter().any(|(of, own, _)| own == name && self.revision_of(*of) == revision)
    }

    /// Starts the check of a root in a job, cancelling an earlier one.
    fn check(&mut self, name: RootId, context: RootContext) {
        for (_, _, token) in self.running.iter().filter(|(_, own, _)| *own == name) {
            token.cancel();
        }
        let setup = self.roots.get(&name).map(|root| &root.setup);
        let rules = setup.and_then(|setup| setup.rules.clone());
        let clock = setup.and_then(|setup| setup.clock.clone());
        let unit = self.client.unit;
        let token = RequestToken::new();
        let number = self.job_number(context.revision);
        self.running.push((number, name, token.clone()));
        let task = JobTask::Check(Box::new(RootCheck { context, clock, rules, unit }));
        self.jobs.push_back(ServerJob::new(number, token, task));
    }

    /// Assigns a number to a new job, and records the number of the root's snapshot that the job works on, `revision`.
    fn job_number(&mut self, revision: u64) -> u64 {
        self.numbers += 1;
        let number = self.numbers as u64;
        self.job_revisions.insert(number, revision);
        number
    }

    /// Returns the number of the root's snapshot that a job works on; 0 for a job without a root.
    fn revision_of(&self, job: u64) -> u64 {
        self.job_revisions.get(&job).copied().unwrap_or(0)
    }

    /// Answers a request by a job, so that the server is not blocked.
    pub(crate) fn answer_later(&mut self, id: &MessageId, question: JobQuestion) -> HandlerReply {
        self.begin_job(id, JobTask::Answer { id: id.clone(), question })
    }

    /// Queues a job that answers a request, and records the request as pending.
    pub(crate) fn begin_job(&mut self, id: &MessageId, task: JobTask) -> HandlerReply {
        let token = RequestToken::new();
        self.open.insert(id.clone(), OpenRequest { token: token.clone(), progress: None });
        let number = self.job_number(0);
        self.jobs.push_back(ServerJob::new(number, token, task));
        HandlerReply::Later
    }

    /// Answers `workspace/diagnostic` with the diagnostics that `survey` found in all folders; for open files with those of
    /// their roots.
    fn answer_survey(&mut self, survey: &WorkspaceSurvey) {
        let mut files: BTreeSet<String> = survey.found.keys().cloned().collect();
        files.extend(self.roots.iter().flat_map(|(_, root)| root.findings.keys().cloned()));
        let uris = self.uris();
        let uri = |file: &String| uris.get(file).cloned().unwrap_or_else(|| uri_of(file));
        // A file that had diagnostics is included once more when it has none.
        files.extend(survey.previous.keys().map(|uri| path_of(uri)));
        let mut items = Vec::new();
        for file in &files {
            let is_open = self.roots.iter().any(|(_, root)| root.has_read(file))
                || self.documents.get(file).is_some();
            let found = match is_open {
                true => self.findings_of(file),
                false => survey.found.get(file).cloned().unwrap_or_default(),
            };
            let (uri, id) = (uri(file), result_id(&found));
            let mut item =
                json!({ "uri": uri, "resultId": id, "version": self.version_json(file) });
            if survey.previous.get(&uri) == Some(&id) {
                item["kind"] = json!("unchanged");
            } else {
                item["kind"] = json!("full");
                item["items"] = json!(found);
            }
            items.push(item);
        }
        self.answer_open(&survey.id, Ok(json!({ "items": items }).into()));
    }

    /// Returns the diagnostics of a file, as data and as JSON; none while they are outdated.
    pub(crate) fn file_findings(&self, path: &str) -> RenderedFindings {
        let name = self.root_of(path);
        let root = name.and_then(|name| self.roots.get(&name));
        let root = root.filter(|root| !root.is_stale() && root.checked == Some(root.revision));
        root.and_then(|root| root.findings.get(path)).cloned().unwrap_or_default()
    }

    /// Accepts the outcome of a job: diagnostics to publish, or an answer to send.
    pub(crate) fn finish(&mut self, outcome: JobOutcome) {
        let known = self.running.iter().position(|(number, _, _)| *number == outcome.number);
        let of = known.map(|at| self.running.remove(at));
        let revision_of_job = self.job_revisions.remove(&outcome.number).unwrap_or(0);
        match outcome.result {
            JobResult::Findings { name, revision, files } => {
                if let Some(files) = files {
                    self.take_findings(&name, revision, files);
                }
            }
            JobResult::Answer { id, result } => self.answer_open(&id, result),
            JobResult::Unfinished(task) => {
                if let JobTask::Survey(survey) = &task {
                    self.send_survey_progress(survey);
                }
                let (number, token) = (outcome.number, outcome.token);
                self.jobs.push_back(ServerJob::new(number, token, task));
            }
            JobResult::Surveyed(survey) => self.answer_survey(&survey),
            JobResult::Failed { id, why } => {
                self.log(format!("a job failed: {why}"));
                if let Some(id) = id {
                    let message = format!("groma failed: {why}. Please report it.");
                    self.answer_open(&id, Err(RequestError::new(ErrorKind::Internal, message)));
                }
                // A check that has failed would fail again, so its root counts as checked until something changes.
                if let Some((_, name, _)) = of {
                    self.take_findings(&name, revision_of_job, BTreeMap::new());
                }
            }
        }
    }

    /// Sends the response to a request that was left pending, and ends its progress; nothing if it was cancelled.
    fn answer_open(&mut self, id: &MessageId, result: Result<RequestResult, RequestError>) {
        // A cancelled request is answered already.
        if let Some(open) = self.open.remove(id) {
            if let Some(token) = &open.progress {
                self.send_progress_end(token);
            }
            self.send(response(id, &result));
        }
    }

    /// Stores the diagnostics of a root if the snapshot that they are of, with the number `revision`, is its latest,
    /// publishes those of changed files, and answers waiting requests.
    fn take_findings(&mut self, name: &RootId, revision: u64, files: RootFiles) {
        let Some(root) = self.roots.get_mut(name) else { return };
        if root.revision != revision {
            return;
        }
        let before = std::mem::replace(&mut root.findings, files);
        root.checked = Some(revision);
        self.end_progress(name);
        let Some(root) = self.roots.get(name) else { return };
        let mut changed: BTreeSet<String> = before.into_keys().collect();
        changed.extend(root.findings.keys().cloned());
        // A document without diagnostics is published too, so that the client knows that it was checked.
        let open = self.documents.iter().map(|(path, _)| path);
        changed.extend(open.filter(|path| root.has_read(path)).map(str::to_owned));
        if root.is_stale() {
            // The places refer to an outdated text; another check follows.
            return;
        }
        let (mut answered, mut left) = (Vec::new(), Vec::new());
        for one in std::mem::take(&mut self.waiting) {
            if one.root == *name { answered.push(one) } else { left.push(one) }
        }
        self.waiting = left;
        for one in answered {
            let report = self.report(&one.path, one.previous.as_deref());
            self.answer_open(&one.id, Ok(report.into()));
        }
        self.publish(changed.into_iter());
        self.refresh();
    }

    /// Asks the client to repeat requests whose answers depend on values.
    pub(crate) fn refresh(&mut self) {
        let methods: Vec<&str> = self.client.refreshes().collect();
        for method in methods {
            let method = format!("workspace/{method}/refresh");
            self.ask(&method, &Value::Null, ServerQuestion::Nothing);
        }
    }

    /// Returns the JSON diagnostics of a file from all roots that have read it, each once, and its syntax diagnostics.
    pub(crate) fn findings_of(&self, path: &str) -> Vec<Value> {
        let mut all: Vec<Value> = Vec::new();
        for (_, root) in self.roots.iter() {
            for one in root.findings.get(path).into_iter().flat_map(|(_, told)| told) {
                if !all.contains(one) {
                    all.push(one.clone());
                }
            }
        }
        if let Some(own) = self.text_findings.get(path) {
            all.extend(own.1.iter().cloned());
        }
        if !self.client.has_related {
            for one in &mut all {
                one.as_object_mut().map(|all| all.remove("relatedInformation"));
            }
        }
        all
    }

    /// Publishes the diagnostics of those files in which they have changed; of none if the client pulls diagnostics.
    pub(crate) fn publish(&mut self, files: impl Iterator<Item = String>) {
        if self.client.pulls {
            return;
        }
        for file in files {
            let findings = json!(self.findings_of(&file));
            let document = self.documents.get(&file);
            let version = document.and_then(|document| document.version);
            let text = format!("{version:?} {findings}");
            let is_empty = findings.as_array().is_some_and(Vec::is_empty);
            let known = self.published.get(&file);
            if known == Some(&text) || known.is_none() && is_empty && document.is_none() {
                continue;
            }
            let uri = document.map_or_else(|| uri_of(&file), |document| document.uri.clone());
            let mut params = json!({ "uri": uri, "diagnostics": findings });
            if let Some(version) = version {
                params["version"] = json!(version);
            }
            match is_empty && document.is_none() {
                true => drop(self.published.remove(&file)),
                false => drop(self.published.insert(file, text)),
            }
            self.notify("textDocument/publishDiagnostics", &params);
        }
    }

    /// Returns true if a document belongs to no root, or to a module that has not read it, so that only its syntax is
    /// checked.
    fn has_no_root(&self, path: &str) -> bool {
        match self.root_of(path).map(|name| (name.kind, self.roots.get(&name))) {
            None => true,
            Some((RootKind::Module, Some(root))) => root.is_read() && !root.has_read(path),
            Some(_) => false,
        }
    }

    /// Publishes the syntax diagnostics of one open document that no root has read, or withdraws those of one that a root has
    /// read; returns false if there is none.
    fn publish_texts(&mut self) -> bool {
        let read = self.text_findings.keys().find(|path| !self.has_no_root(path)).cloned();
        if let Some(path) = read {
            self.text_findings.remove(&path);
            self.publish(std::iter::once(path));
            return true;
        }
        let rootless = self.documents.iter().find(|(path, document)| {
            let known = self.text_findings.get(*path).map(|(changes, _)| *changes);
            known != Some(document.changes) && self.has_no_root(path)
        });
        let Some((path, changes)) =
            rootless.map(|(path, document)| (path.to_owned(), document.changes))
        else {
            return false;
        };
        let context = self.context(&path);
        let request: Request<'_> = context.request();
        let found = text_diagnostics(&request, &path);
        let places = Places::new(&request, self.client.unit);
        let found = findings_json(&path, &found, &places);
        self.text_findings.insert(path.clone(), (changes, found));
        self.publish(std::iter::once(path));
        true
    }

    /// Answers a client's request for the diagnostics of a document, at once if they are known and otherwise after the
    /// check; `previous` is the result id of those that the client has.
    pub(crate) fn pull(
        &mut self,
        id: &MessageId,
        path: &str,
        previous: Option<String>,
    ) -> HandlerReply {
        while self.publish_texts() {}
        let Some(name) = self.root_of(path) else {
            return HandlerReply::Now(self.report(path, previous.as_deref()).into());
        };
        let revision = self.context_of(&name).revision;
        if self.roots.get(&name).is_some_and(|root| root.checked == Some(revision)) {
            return HandlerReply::Now(self.report(path, previous.as_deref()).into());
        }
        let open = OpenRequest { token: RequestToken::new(), progress: None };
        self.open.insert(id.clone(), open);
        let (id, path) = (id.clone(), path.to_owned());
        self.waiting.push(WaitingPull { id, root: name, path, previous });
        HandlerReply::Later
    }

    /// Returns the diagnostics of a document as a protocol report; `unchanged` if `previous` is their result id.
    pub(crate) fn report(&self, path: &str, previous: Option<&str>) -> Value {
        let items = self.findings_of(path);
        let id = result_id(&items);
        match previous == Some(&*id) {
            true => json!({ "kind": "unchanged", "resultId": id }),
            false => json!({ "kind": "full", "resultId": id, "items": items }),
        }
    }
}

/// Returns the result id of a list of diagnostics, a hash of their contents, by which a client names the list later.
pub(crate) fn result_id(items: &[Value]) -> String {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut state = DefaultHasher::new();
    items.len().hash(&mut state);
    for item in items {
        item.to_string().hash(&mut state);
    }
    format!("{:016x}", state.finish())
}
