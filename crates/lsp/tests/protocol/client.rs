//! A client for tests: it speaks to a server in the same thread, holds what was published, and answers questions of the server.

use std::collections::BTreeMap;
use std::sync::Arc;

use groma_lsp::{LanguageServer, PlainHost, ServerOutput};
use serde_json::{Value, json};

use crate::files::SharedFiles;
use crate::forms;

/// A client and its server.
pub(crate) struct TestClient {
    pub(crate) server: LanguageServer,
    pub(crate) files: SharedFiles,
    pub(crate) published: BTreeMap<String, Value>,
    /// The notifications and requests of the server that were not published findings.
    pub(crate) told: Vec<(String, Value)>,
    pub(crate) log: Vec<String>,
    responses: BTreeMap<i64, Value>,
    /// Errors for messages without an id.
    pub(crate) errors: Vec<Value>,
    pub(crate) settings: Value,
    /// The answer that the user chooses next.
    pub(crate) choice: Option<&'static str>,
    versions: BTreeMap<String, i64>,
    next: i64,
    /// False if nobody carries out jobs.
    pub(crate) has_worker: bool,
}

/// The abilities of a client that knows everything.
pub(crate) fn capable() -> Value {
    json!({
        "general": { "positionEncodings": ["utf-16", "utf-8"] },
        "window": { "workDoneProgress": true, "showDocument": { "support": true } },
        "workspace": {
            "configuration": true,
            "workspaceEdit": {
                "documentChanges": true,
                "resourceOperations": ["create", "rename", "delete"],
                "changeAnnotationSupport": { "groupsOnLabel": true },
            },
            "didChangeConfiguration": { "dynamicRegistration": true },
            "didChangeWatchedFiles": { "dynamicRegistration": true },
            "inlayHint": { "refreshSupport": true },
            "codeLens": { "refreshSupport": true },
            "semanticTokens": { "refreshSupport": true },
            "diagnostics": { "refreshSupport": true },
        },
        "textDocument": {
            "hover": { "contentFormat": ["markdown", "plaintext"] },
            "definition": { "linkSupport": true },
            "documentSymbol": { "hierarchicalDocumentSymbolSupport": true },
            "completion": { "completionItem": {
                "snippetSupport": true, "documentationFormat": ["markdown", "plaintext"],
            } },
            "codeAction": {
                "codeActionLiteralSupport": { "codeActionKind": { "valueSet": ["quickfix"] } },
                "resolveSupport": { "properties": ["edit"] },
                "dataSupport": true,
            },
            "publishDiagnostics": { "relatedInformation": true },
        },
    })
}

impl TestClient {
    /// A client that knows everything, which has opened the folder `/w`.
    pub(crate) fn of(files: &[(&str, &str)]) -> TestClient {
        TestClient::with(files, capable())
    }

    /// A client with other abilities.
    pub(crate) fn with(files: &[(&str, &str)], capabilities: Value) -> TestClient {
        let mut client = TestClient::silent(files);
        client.begin(json!({
            "processId": null,
            "capabilities": capabilities,
            "workspaceFolders": [{ "uri": "file:///w", "name": "w" }],
        }));
        client
    }

    /// A client that has said nothing yet.
    pub(crate) fn silent(files: &[(&str, &str)]) -> TestClient {
        let files = SharedFiles::of(files);
        let server = LanguageServer::new(Arc::new(PlainHost::new(Arc::new(files.clone()))));
        TestClient {
            server,
            files,
            published: BTreeMap::new(),
            told: Vec::new(),
            log: Vec::new(),
            responses: BTreeMap::new(),
            errors: Vec::new(),
            settings: Value::Null,
            choice: None,
            versions: BTreeMap::new(),
            next: 0,
            has_worker: true,
        }
    }

    pub(crate) fn begin(&mut self, params: Value) -> Value {
        let answer = self.request("initialize", params);
        self.notify("initialized", json!({}));
        answer
    }

    /// Sends a message as it is.
    pub(crate) fn send(&mut self, message: &Value) {
        self.server.receive(&message.to_string());
    }

    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        forms::check_notification(method, &params);
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
        self.settle();
    }

    /// Sends a request and does not wait for its answer.
    pub(crate) fn begin_request(&mut self, method: &str, params: &Value) -> i64 {
        self.next += 1;
        let id = self.next;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    /// The whole response to a request.
    pub(crate) fn response(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin_request(method, &params);
        self.settle();
        self.taken(id).unwrap_or_else(|| panic!("{method} was not answered"))
    }

    /// The response to a request that was sent before.
    pub(crate) fn taken(&mut self, id: i64) -> Option<Value> {
        self.responses.remove(&id)
    }

    /// The result of a request that has to have one.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let response = self.response(method, params);
        assert!(response.get("error").is_none(), "{method}: {response}");
        forms::check_result(method, &response["result"]);
        response["result"].clone()
    }

    /// The code of the error of a request that has to have one.
    pub(crate) fn error(&mut self, method: &str, params: Value) -> i64 {
        let response = self.response(method, params);
        response["error"]["code"].as_i64().unwrap_or_else(|| panic!("{method}: {response}"))
    }

    /// Lets the server work until it has nothing to do.
    pub(crate) fn settle(&mut self) {
        loop {
            while self.server.step() {}
            self.read();
            // Answers to questions of the server are waiting then.
            if self.server.step() {
                continue;
            }
            match self.has_worker.then(|| self.server.next_job()).flatten() {
                Some(job) => self.server.finish(job.run()),
                None => break,
            }
        }
        self.read();
    }

    fn read(&mut self) {
        while let Some(output) = self.server.next_output() {
            let text = match output {
                ServerOutput::Message(text) => text,
                ServerOutput::Log(line) => {
                    self.log.push(line);
                    continue;
                }
            };
            let message: Value = serde_json::from_str(&text).expect("a message is JSON");
            assert_eq!(message["jsonrpc"], "2.0");
            match (message["method"].as_str(), message.get("id")) {
                (Some("textDocument/publishDiagnostics"), None) => {
                    let params = &message["params"];
                    forms::check_server_notification("textDocument/publishDiagnostics", params);
                    let uri = params["uri"].as_str().expect("an address is text").to_owned();
                    self.published.insert(uri, params.clone());
                }
                (Some(method), None) => {
                    forms::check_server_notification(method, &message["params"]);
                    self.told.push((method.to_owned(), message["params"].clone()));
                }
                (Some(method), Some(id)) => {
                    forms::check_server_request(method, &message["params"]);
                    self.told.push((method.to_owned(), message["params"].clone()));
                    let result = match method {
                        "workspace/configuration" => json!([self.settings]),
                        "workspace/applyEdit" => json!({ "applied": true }),
                        "window/showMessageRequest" => self
                            .choice
                            .take()
                            .map_or(Value::Null, |title| json!({ "title": title })),
                        _ => Value::Null,
                    };
                    self.send(&json!({ "jsonrpc": "2.0", "id": id, "result": result }));
                }
                (None, Some(Value::Null)) => self.errors.push(message["error"].clone()),
                (None, Some(id)) => {
                    let id = id.as_i64().expect("the id was a number");
                    assert!(self.responses.insert(id, message).is_none(), "answered twice");
                }
                (None, None) => panic!("{message}"),
            }
        }
    }

    pub(crate) fn open(&mut self, path: &str, text: &str) {
        self.versions.insert(path.to_owned(), 1);
        self.notify(
            "textDocument/didOpen",
            json!({ "textDocument": {
                "uri": uri(path), "languageId": "terraform", "version": 1, "text": text,
            } }),
        );
    }

    /// Opens a file as the host has it.
    pub(crate) fn open_file(&mut self, path: &str) {
        let text = self.files.text(path).expect("the file is there");
        self.open(path, &text);
    }

    pub(crate) fn close(&mut self, path: &str) {
        self.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri(path) } }));
    }

    fn next_version(&mut self, path: &str) -> i64 {
        let version = self.versions.entry(path.to_owned()).or_default();
        *version += 1;
        *version
    }

    pub(crate) fn change(&mut self, path: &str, text: &str) {
        self.change_by(path, json!([{ "text": text }]));
    }

    pub(crate) fn change_by(&mut self, path: &str, changes: Value) {
        let version = self.next_version(path);
        let document = json!({ "uri": uri(path), "version": version });
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.notify("textDocument/didChange", params);
    }

    /// The result of a request about the place of a document that is marked in `marked`, as in `a = ¦b`.
    pub(crate) fn at(&mut self, method: &str, path: &str, line: u32, character: u32) -> Value {
        self.request(method, at(path, line, character))
    }

    /// What was published for a file: severity, code and range of each finding.
    pub(crate) fn findings(&self, path: &str) -> Vec<String> {
        let published = self.published.get(&uri(path));
        published.map_or_else(Vec::new, |params| shown(&params["diagnostics"]))
    }

    /// What the server has told by a method.
    pub(crate) fn told(&self, method: &str) -> Vec<Value> {
        let all = self.told.iter().filter(|(own, _)| own == method);
        all.map(|(_, params)| params.clone()).collect()
    }
}

/// Findings as lines.
pub(crate) fn shown(findings: &Value) -> Vec<String> {
    let line = |one: &Value| {
        let (start, end) = (&one["range"]["start"], &one["range"]["end"]);
        format!(
            "{} {} {}:{}-{}:{}",
            one["severity"],
            one["code"].as_str().expect("a code is text"),
            start["line"],
            start["character"],
            end["line"],
            end["character"]
        )
    };
    findings.as_array().expect("findings are a list").iter().map(line).collect()
}

pub(crate) fn uri(path: &str) -> String {
    format!("file://{path}")
}

/// The parameters of a request about a place.
pub(crate) fn at(path: &str, line: u32, character: u32) -> Value {
    json!({
        "textDocument": { "uri": uri(path) },
        "position": { "line": line, "character": character },
    })
}

/// The parameters of a request about a document.
pub(crate) fn about(path: &str) -> Value {
    json!({ "textDocument": { "uri": uri(path) } })
}

/// The text after edits of the protocol, with columns in bytes.
pub(crate) fn edited(text: &str, edits: &Value) -> String {
    let offset = |at: &Value| {
        let (line, column) =
            (at["line"].as_u64().expect("a number"), at["character"].as_u64().expect("a number"));
        let start: usize = text.split_inclusive('\n').take(line as usize).map(str::len).sum();
        (start + column as usize).min(text.len())
    };
    let mut all: Vec<(usize, usize, &str)> = edits
        .as_array()
        .expect("a list")
        .iter()
        .map(|edit| {
            let range = &edit["range"];
            (
                offset(&range["start"]),
                offset(&range["end"]),
                edit["newText"].as_str().expect("a text"),
            )
        })
        .collect();
    all.sort();
    let mut text = text.to_owned();
    for (start, end, new) in all.into_iter().rev() {
        text.replace_range(start..end, new);
    }
    text
}
