//! A client for tests: it speaks to a server in the same thread, holds what was published, and answers questions of the server.

use std::collections::BTreeMap;
use std::sync::Arc;

use groma_lsp::{LanguageServer, PlainHost, ServerOutput};
use serde_json::{Value, json};

use crate::files::SharedFiles;
use crate::forms;

/// A test client with its own server, and everything that the server has sent to it.
pub(crate) struct TestClient {
    pub(crate) server: LanguageServer,
    pub(crate) files: SharedFiles,
    pub(crate) published: BTreeMap<String, Value>,
    /// The server's notifications and requests with their parameters, except published diagnostics.
    pub(crate) told: Vec<(String, Value)>,
    pub(crate) log: Vec<String>,
    responses: BTreeMap<i64, Value>,
    /// Errors for messages without an id.
    pub(crate) errors: Vec<Value>,
    pub(crate) settings: Value,
    /// The title of the button that the user chooses at the next `window/showMessageRequest`; `None` dismisses it.
    pub(crate) choice: Option<&'static str>,
    versions: BTreeMap<String, i64>,
    next: i64,
    /// False if the server's jobs are not run.
    pub(crate) has_worker: bool,
}

/// Returns the capabilities of a client that supports everything the server can use.
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
    /// Starts a client with all capabilities, which has opened the folder `/w`; `files` are those on the server's disk.
    pub(crate) fn of(files: &[(&str, &str)]) -> TestClient {
        TestClient::with(files, capable())
    }

    /// Starts a client with these capabilities, which has opened the folder `/w`.
    pub(crate) fn with(files: &[(&str, &str)], capabilities: Value) -> TestClient {
        let mut client = TestClient::silent(files);
        client.begin(json!({
            "processId": null,
            "capabilities": capabilities,
            "workspaceFolders": [{ "uri": "file:///w", "name": "w" }],
        }));
        client
    }

    /// Creates a client that has not sent `initialize` yet.
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

    /// Sends `initialize` with these parameters, then `initialized`, and returns the server's capabilities.
    pub(crate) fn begin(&mut self, params: Value) -> Value {
        let answer = self.request("initialize", params);
        self.notify("initialized", json!({}));
        answer
    }

    /// Sends a message without checking its form, and without running the server.
    pub(crate) fn send(&mut self, message: &Value) {
        self.server.receive(&message.to_string());
    }

    /// Sends a notification and lets the server work until it has nothing to do.
    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        forms::check_notification(method, &params);
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
        self.settle();
    }

    /// Sends a request without waiting for its response, and returns its id.
    pub(crate) fn begin_request(&mut self, method: &str, params: &Value) -> i64 {
        self.next += 1;
        let id = self.next;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    /// Sends a request and returns the whole response, with its result or error.
    pub(crate) fn response(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin_request(method, &params);
        self.settle();
        self.taken(id).unwrap_or_else(|| panic!("{method} was not answered"))
    }

    /// Removes and returns the response to an earlier request, by its id; `None` if there is none yet.
    pub(crate) fn taken(&mut self, id: i64) -> Option<Value> {
        self.responses.remove(&id)
    }

    /// Sends a request that must succeed, and returns its result.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let response = self.response(method, params);
        assert!(response.get("error").is_none(), "{method}: {response}");
        forms::check_result(method, &response["result"]);
        response["result"].clone()
    }

    /// Sends a request that must fail, and returns the code of its error.
    pub(crate) fn error(&mut self, method: &str, params: Value) -> i64 {
        let response = self.response(method, params);
        response["error"]["code"].as_i64().unwrap_or_else(|| panic!("{method}: {response}"))
    }

    /// Lets the server work, and runs its jobs, until nothing is left to do.
    pub(crate) fn settle(&mut self) {
        loop {
            while self.server.step() {}
            self.read();
            // The client has answered the server's own requests in the meantime.
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

    /// Reads all output of the server: checks its form, stores it, and answers the server's requests.
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

    /// Opens a document with this text, as version 1.
    pub(crate) fn open(&mut self, path: &str, text: &str) {
        self.versions.insert(path.to_owned(), 1);
        self.notify(
            "textDocument/didOpen",
            json!({ "textDocument": {
                "uri": uri(path), "languageId": "terraform", "version": 1, "text": text,
            } }),
        );
    }

    /// Opens a document with the text of the file on the server's disk.
    pub(crate) fn open_file(&mut self, path: &str) {
        let text = self.files.text(path).expect("the file is there");
        self.open(path, &text);
    }

    /// Closes a document.
    pub(crate) fn close(&mut self, path: &str) {
        self.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri(path) } }));
    }

    /// Returns the next version number of a document.
    fn next_version(&mut self, path: &str) -> i64 {
        let version = self.versions.entry(path.to_owned()).or_default();
        *version += 1;
        *version
    }

    /// Replaces the whole text of a document.
    pub(crate) fn change(&mut self, path: &str, text: &str) {
        self.change_by(path, json!([{ "text": text }]));
    }

    /// Sends these content changes of a document, in the protocol's form.
    pub(crate) fn change_by(&mut self, path: &str, changes: Value) {
        let version = self.next_version(path);
        let document = json!({ "uri": uri(path), "version": version });
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.notify("textDocument/didChange", params);
    }

    /// Sends a request about a position of a document, which must succeed, and returns its result.
    pub(crate) fn at(&mut self, method: &str, path: &str, line: u32, character: u32) -> Value {
        self.request(method, at(path, line, character))
    }

    /// Returns the published diagnostics of a file as lines of severity, code and range.
    pub(crate) fn findings(&self, path: &str) -> Vec<String> {
        let published = self.published.get(&uri(path));
        published.map_or_else(Vec::new, |params| shown(&params["diagnostics"]))
    }

    /// Returns the parameters of the server's notifications and requests of a method, in order.
    pub(crate) fn told(&self, method: &str) -> Vec<Value> {
        let all = self.told.iter().filter(|(own, _)| own == method);
        all.map(|(_, params)| params.clone()).collect()
    }
}

/// Returns diagnostics in the protocol's form as lines of severity, code and range.
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

/// Returns the `file` URI of an absolute path.
pub(crate) fn uri(path: &str) -> String {
    format!("file://{path}")
}

/// Returns the parameters of a request about a position of a document.
pub(crate) fn at(path: &str, line: u32, character: u32) -> Value {
    json!({
        "textDocument": { "uri": uri(path) },
        "position": { "line": line, "character": character },
    })
}

/// Returns the parameters of a request about a document.
pub(crate) fn about(path: &str) -> Value {
    json!({ "textDocument": { "uri": uri(path) } })
}

/// Returns a text after edits in the protocol's form, with columns in bytes.
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
