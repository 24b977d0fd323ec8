//! Tests of the language server as a process: its streams, threads, log and exit.
#![forbid(unsafe_code)]

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};

use groma_lsp::{FrameContent, FrameReader, framed};
use serde_json::{Value, json};

/// A process of `groma lsp`, with the messages that it has sent and that no test has taken yet.
struct RunningServer {
    process: Child,
    frames: FrameReader,
    said: Vec<Value>,
}

impl RunningServer {
    /// Starts `groma lsp` with further arguments.
    fn start(arguments: &[&str]) -> RunningServer {
        let process = Command::new(env!("CARGO_BIN_EXE_groma"))
            .arg("lsp")
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        RunningServer { process, frames: FrameReader::default(), said: Vec::new() }
    }

    /// Writes bytes to the server's standard input.
    fn write(&mut self, bytes: &str) {
        let input = self.process.stdin.as_mut().expect("input is a pipe");
        input.write_all(bytes.as_bytes()).expect("the server reads");
    }

    /// Sends a JSON-RPC message to the server.
    fn send(&mut self, message: Value) {
        self.write(&framed(&message.to_string()));
    }

    /// Waits for a message for which `is_it` is true, and takes it from the received ones.
    fn wait(&mut self, is_it: impl Fn(&Value) -> bool) -> Value {
        let mut bytes = [0; 4096];
        loop {
            if let Some(at) = self.said.iter().position(&is_it) {
                return self.said.remove(at);
            }
            while let Some(frame) = self.frames.next_frame() {
                let FrameContent::Message(text) = frame else { panic!("a broken frame") };
                self.said.push(serde_json::from_str(&text).expect("a message is JSON"));
            }
            if self.said.iter().any(&is_it) {
                continue;
            }
            let output = self.process.stdout.as_mut().expect("output is a pipe");
            let count = output.read(&mut bytes).expect("the server writes");
            assert!(count > 0, "the server has gone: {:?}", self.said);
            self.frames.push(&bytes[..count]);
        }
    }

    /// Sends a request and returns its response.
    fn request(&mut self, id: i64, method: &str, params: Value) -> Value {
        self.send(json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        self.wait(|message| message["id"] == id && message.get("method").is_none())
    }

    /// Sends a notification.
    fn notify(&mut self, method: &str, params: Value) {
        self.send(json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Waits for the end of the process and returns its exit code.
    fn end(mut self) -> Option<i32> {
        self.process.wait().expect("the server ends").code()
    }
}

/// Checks a whole session: settings from `groma.toml`, a broken message, diagnostics, hover, the log and the exit code.
#[test]
fn a_server_answers_over_its_streams_and_counts_settings_beside_the_code() {
    let folder = std::env::temp_dir().join(format!("groma-lsp-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder is made");
    let path =
        |name: &str| folder.join(name).to_str().expect("the folder's name is text").to_owned();
    let text = "variable \"n\" {}\n\nlocals {\n  twice = var.n * 2\n}\n\noutput \"o\" {\n  value = nothing.here\n}\n";
    std::fs::write(path("main.tf"), text).expect("a file is written");
    std::fs::write(path("groma.toml"), "var-files = [\"own.tfvars\"]\n")
        .expect("a file is written");
    std::fs::write(path("own.tfvars"), "n = 21\n").expect("a file is written");
    let (log, root) = (path("log"), format!("file://{}", folder.display()));
    let mut server = RunningServer::start(&["--stdio", "--log-file", &log]);
    let capabilities = json!({ "general": { "positionEncodings": ["utf-8"] } });
    let process = std::process::id();
    let params = json!({ "processId": process, "rootUri": root, "capabilities": capabilities });
    let answer = server.request(1, "initialize", params);
    assert_eq!(answer["result"]["serverInfo"]["name"], "groma");
    server.notify("initialized", json!({}));
    // Bytes that are not a message are skipped and reported in the log.
    server.write("Content-Length: many\r\n\r\n{]");
    let document = format!("{root}/main.tf");
    let item = json!({ "uri": document, "languageId": "terraform", "version": 1, "text": text });
    server.notify("textDocument/didOpen", json!({ "textDocument": item }));
    let told = server.wait(|message| {
        message["method"] == "textDocument/publishDiagnostics"
            && message["params"]["uri"] == document
    });
    let found = told["params"]["diagnostics"].as_array().expect("findings are a list");
    assert!(found.iter().any(|one| one["code"] == "undeclared-reference"), "{told}");
    let place = json!({ "line": 3, "character": 4 });
    let params = json!({ "textDocument": { "uri": document }, "position": place });
    let hover = server.request(2, "textDocument/hover", params);
    let shown = hover["result"]["contents"]["value"].as_str().expect("a value is shown");
    assert!(shown.starts_with("42"), "{shown}");
    let answer = server.request(3, "shutdown", Value::Null);
    assert_eq!(answer["result"], Value::Null);
    server.notify("exit", Value::Null);
    assert_eq!(server.end(), Some(0));
    let log = std::fs::read_to_string(log).expect("there is a log");
    assert!(log.contains("bytes of the client are no message"), "{log}");
    std::fs::remove_dir_all(folder).expect("the folder goes");
}

/// Checks that `limits.timeout` ends an evaluation with a diagnostic, and that the next text has the full time again.
#[test]
fn a_check_that_takes_longer_than_the_settings_allow_ends_with_a_finding() {
    let folder = std::env::temp_dir().join(format!("groma-lsp-clock-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder is made");
    let text = "locals {\n  all   = range(1000)\n  count = length([for a in local.all : [for b in local.all : [for c in local.all : a + b + c]]])\n}\n";
    std::fs::write(folder.join("main.tf"), text).expect("a file is written");
    std::fs::write(folder.join("groma.toml"), "[limits]\ntimeout = \"200ms\"\n")
        .expect("a file is written");
    let root = format!("file://{}", folder.display());
    let document = format!("{root}/main.tf");
    let mut server = RunningServer::start(&[]);
    let capabilities =
        json!({ "textDocument": { "publishDiagnostics": { "versionSupport": true } } });
    server.request(1, "initialize", json!({ "rootUri": root, "capabilities": capabilities }));
    server.notify("initialized", json!({}));
    let item = json!({ "uri": document, "languageId": "terraform", "version": 1, "text": text });
    server.notify("textDocument/didOpen", json!({ "textDocument": item }));
    let is_ended = |message: &Value| {
        let found = message["params"]["diagnostics"].as_array();
        message["method"] == "textDocument/publishDiagnostics"
            && found.is_some_and(|all| all.iter().any(|one| one["code"] == "limit-time"))
    };
    server.wait(is_ended);
    // The next text has the full time again.
    let range =
        json!({ "start": { "line": 1, "character": 16 }, "end": { "line": 1, "character": 20 } });
    let change = json!({ "range": range, "text": "10" });
    let named = json!({ "uri": document, "version": 2 });
    let params = json!({ "textDocument": named, "contentChanges": [change] });
    server.notify("textDocument/didChange", params);
    server.wait(|message| {
        message["method"] == "textDocument/publishDiagnostics" && message["params"]["version"] == 2
    });
    let place = json!({ "line": 2, "character": 4 });
    let params = json!({ "textDocument": { "uri": document }, "position": place });
    let hover = server.request(2, "textDocument/hover", params);
    assert!(hover["result"]["contents"].to_string().contains("10"), "{hover}");
    server.request(3, "shutdown", Value::Null);
    server.notify("exit", Value::Null);
    assert_eq!(server.end(), Some(0));
    std::fs::remove_dir_all(folder).expect("the folder goes");
}

/// Returns everything that an editor shows of a root as text: diagnostics, inlay hints, and the hover of each line.
#[cfg(unix)]
fn shown(folder: &std::path::Path, arguments: &[&str], is_trusted: bool) -> String {
    let root = format!("file://{}", folder.display());
    let text = std::fs::read_to_string(folder.join("main.tf")).expect("there is a file");
    let mut server = RunningServer::start(arguments);
    let params = json!({
        "processId": std::process::id(),
        "rootUri": root,
        "capabilities": {},
        "initializationOptions": { "isTrusted": is_trusted },
    });
    server.request(1, "initialize", params);
    server.notify("initialized", json!({}));
    let document = json!({ "uri": format!("{root}/main.tf") });
    let item =
        json!({ "uri": document["uri"], "languageId": "terraform", "version": 1, "text": text });
    server.notify("textDocument/didOpen", json!({ "textDocument": item }));
    let told = server.wait(|message| message["method"] == "textDocument/publishDiagnostics");
    let lines = text.lines().count();
    let whole = json!({
        "start": { "line": 0, "character": 0 },
        "end": { "line": lines, "character": 0 },
    });
    let mut shown = told.to_string();
    let params = json!({ "textDocument": document, "range": whole });
    shown += &server.request(2, "textDocument/inlayHint", params).to_string();
    for line in 0..lines {
        let place = json!({ "line": line, "character": 3 });
        let params = json!({ "textDocument": document, "position": place });
        let id = 3 + i64::try_from(line).expect("lines are few");
        shown += &server.request(id, "textDocument/hover", params).to_string();
    }
    server.request(1000, "shutdown", Value::Null);
    server.notify("exit", Value::Null);
    server.end();
    shown
}

/// Checks that untrusted code shows neither files outside of its folder nor values from its settings.
#[cfg(unix)]
#[test]
fn code_that_is_not_trusted_shows_an_editor_nothing_of_the_machine() {
    let top = std::env::temp_dir().join(format!("groma-lsp-fork-{}", std::process::id()));
    let folder = top.join("repo/app");
    std::fs::create_dir_all(top.join("repo/.git")).expect("a folder is made");
    std::fs::create_dir_all(&folder).expect("a folder is made");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.join(name), text).expect("a file is written");
    };
    write(
        "main.tf",
        "variable \"n\" {\n  default = \"own\"\n}\n\nlocals {\n  beside = file(\"../beside.txt\")\n  led    = file(\"led.txt\")\n  given  = var.n\n}\n",
    );
    write("groma.toml", "var-files = [\"theirs.tfvars\"]\n");
    write("theirs.tfvars", "n = \"canary-settings\"\n");
    std::fs::write(top.join("repo/beside.txt"), "canary-beside").expect("a file is written");
    std::fs::write(top.join("outside.txt"), "canary-outside").expect("a file is written");
    std::os::unix::fs::symlink("../../outside.txt", folder.join("led.txt")).expect("a link");
    let open = shown(&folder, &[], true);
    assert!(open.contains("canary-beside") && open.contains("canary-settings"), "{open}");
    for (arguments, is_trusted) in [(&["--untrusted"][..], true), (&[][..], false)] {
        let closed = shown(&folder, arguments, is_trusted);
        assert!(closed.contains("own") && !closed.contains("canary"), "{closed}");
    }
    // Links are not followed even in trusted code, and nothing is written.
    assert!(!open.contains("canary-outside"), "{open}");
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .expect("a folder is read")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"))
        .collect();
    names.sort();
    assert_eq!(names, ["groma.toml", "led.txt", "main.tf", "theirs.tfvars"]);
    std::fs::remove_dir_all(top).expect("the folder goes");
}

/// Checks that the server exits when its input is closed, or when the client's process has ended.
#[test]
fn a_server_ends_with_its_client() {
    let mut server = RunningServer::start(&[]);
    drop(server.process.stdin.take());
    assert_eq!(server.end(), Some(1));
    // A stream can stay open after its client has ended, because another process has it too.
    let mut gone = Command::new(env!("CARGO_BIN_EXE_groma"))
        .arg("version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let process = gone.id();
    gone.wait().expect("it ends");
    let mut server = RunningServer::start(&[&format!("--clientProcessId={process}")]);
    server.request(1, "initialize", json!({ "processId": process, "capabilities": {} }));
    // Waiting for a process closes its input, which must not be the reason for its end here.
    let input = server.process.stdin.take();
    assert_eq!(server.end(), Some(1));
    drop(input);
}

/// Returns the code of a root whose evaluation takes long: each of `lists` local values is a long list.
fn long_text(lists: usize) -> String {
    let mut text = String::from("locals {\n  soon = 1 + 1\n");
    for number in 0..lists {
        text += &format!("  l{number} = [for a in range(1000) : [for b in range(200) : a * b]]\n");
    }
    text + "}\noutput  \"o\" {\n  value = local.l0\n}\n"
}

/// Checks that requests are answered while an evaluation is running, and that an edit cancels it.
#[test]
fn no_answer_waits_for_an_evaluation() {
    let folder = std::env::temp_dir().join(format!("groma-lsp-long-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder is made");
    let text = long_text(20);
    std::fs::write(folder.join("main.tf"), &text).expect("a file is written");
    let root = format!("file://{}", folder.display());
    let mut server = RunningServer::start(&[]);
    let capabilities = json!({
        "general": { "positionEncodings": ["utf-8"] },
        "window": { "workDoneProgress": true },
    });
    let params =
        json!({ "processId": std::process::id(), "rootUri": root, "capabilities": capabilities });
    server.request(1, "initialize", params);
    server.notify("initialized", json!({}));
    let document = json!({ "uri": format!("{root}/main.tf") });
    let item =
        json!({ "uri": document["uri"], "languageId": "terraform", "version": 1, "text": text });
    server.notify("textDocument/didOpen", json!({ "textDocument": item }));
    let asked = server.wait(|message| message["method"] == "window/workDoneProgress/create");
    let (id, token) = (asked["id"].clone(), asked["params"]["token"].clone());
    server.send(json!({ "jsonrpc": "2.0", "id": id, "result": null }));
    let is_progress = |kind: &'static str| {
        let token = token.clone();
        move |message: &Value| {
            message["method"] == "$/progress"
                && message["params"]["token"] == token
                && message["params"]["value"]["kind"] == kind
        }
    };
    server.wait(is_progress("begin"));
    // All of these are answered before the diagnostics, which need the whole evaluation.
    let place = json!({ "line": 2, "character": 3 });
    let about = json!({ "textDocument": document, "position": place });
    let hover = server.request(2, "textDocument/hover", about.clone());
    let shown = hover["result"]["contents"]["value"].as_str().expect("there is a text").to_owned();
    assert!(shown.contains("being worked out"), "{shown}");
    let options = json!({ "tabSize": 2, "insertSpaces": true });
    let params = json!({ "textDocument": document, "options": options });
    let layout = server.request(3, "textDocument/formatting", params);
    assert!(!layout["result"].as_array().expect("a list").is_empty());
    for (id, method) in [
        (4, "textDocument/definition"),
        (5, "textDocument/completion"),
        (6, "textDocument/references"),
        (7, "textDocument/documentSymbol"),
        (8, "textDocument/codeLens"),
        (9, "textDocument/semanticTokens/full"),
        (10, "textDocument/documentHighlight"),
        (11, "textDocument/foldingRange"),
        (12, "textDocument/prepareRename"),
    ] {
        let mut params = about.clone();
        params["context"] = json!({ "includeDeclaration": true });
        let answer = server.request(id, method, params);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
    }
    let is_told = |message: &Value| message["method"] == "textDocument/publishDiagnostics";
    assert!(!server.said.iter().any(is_told), "the evaluation was over too soon");
    // An edit cancels the evaluation, and the next one is short.
    let change = json!([{ "text": "locals {\n  soon = 1 + 1\n}\n" }]);
    let versioned = json!({ "uri": document["uri"], "version": 2 });
    let params = json!({ "textDocument": versioned, "contentChanges": change });
    server.notify("textDocument/didChange", params);
    let told = server.wait(is_told);
    assert_eq!(told["params"]["version"], 2, "{told}");
    server.wait(is_progress("end"));
    let place = json!({ "line": 1, "character": 4 });
    let params = json!({ "textDocument": document, "position": place });
    let hover = server.request(13, "textDocument/hover", params);
    assert!(hover.to_string().contains('2'), "{hover}");
    server.request(14, "shutdown", Value::Null);
    server.notify("exit", Value::Null);
    assert_eq!(server.end(), Some(0));
    std::fs::remove_dir_all(folder).expect("the folder goes");
}

/// Checks that `groma.toml` switches lint rules off and limits memory in the language server.
#[cfg(unix)]
#[test]
fn settings_beside_the_code_bound_and_quiet_an_editor_too() {
    let folder = std::env::temp_dir().join(format!("groma-lsp-set-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder is made");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.join(name), text).expect("a file is written");
    };
    write("main.tf", "locals {\n  a = \"x\"\n  b = \"${local.a}\"\n}\n");
    assert!(shown(&folder, &[], true).contains("interpolation"));
    write("groma.toml", "[check]\nlint = false\n");
    let quiet = shown(&folder, &[], true);
    assert!(!quiet.contains("interpolation") && quiet.contains("\"diagnostics\":[]"), "{quiet}");
    write("groma.toml", "[limits]\nmemory = \"1MB\"\n");
    write("main.tf", &long_text(3));
    let bounded = shown(&folder, &[], true);
    assert!(bounded.contains("\"limit-"), "{bounded}");
    std::fs::remove_dir_all(folder).expect("the folder goes");
}

/// Checks that cyclic links, files of 50 MB and endless message headers do not end the server.
#[cfg(unix)]
#[test]
fn links_in_a_circle_large_files_and_endless_headers_end_no_server() {
    use std::os::unix::fs::symlink;
    let folder = std::env::temp_dir().join(format!("groma-lsp-odd-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("m")).expect("a folder is made");
    let text = "module \"m\" {\n  source = \"./m/back/m\"\n}\nlocals {\n  a = 1 + 1\n  f = fileset(\".\", \"**/*.tf\")\n}\n";
    std::fs::write(folder.join("main.tf"), text).expect("a file is written");
    std::fs::write(folder.join("m/main.tf"), "locals {}\n").expect("a file is written");
    symlink("..", folder.join("m/back")).expect("a link");
    symlink(".", folder.join("own")).expect("a link");
    symlink("circle.tf", folder.join("circle.tf")).expect("a link");
    symlink("two.tf", folder.join("one.tf")).expect("a link");
    symlink("one.tf", folder.join("two.tf")).expect("a link");
    std::fs::write(folder.join("large.txt"), "x".repeat(50 << 20)).expect("a file is written");
    let root = format!("file://{}", folder.display());
    let mut server = RunningServer::start(&[]);
    let params = json!({ "processId": std::process::id(), "rootUri": root, "capabilities": {} });
    server.request(1, "initialize", params);
    server.notify("initialized", json!({}));
    let open = |server: &mut RunningServer, name: &str, text: &str| {
        let uri = format!("{root}/{name}");
        let item = json!({ "uri": uri, "languageId": "terraform", "version": 1, "text": text });
        server.notify("textDocument/didOpen", json!({ "textDocument": item }));
        server.wait(|message| {
            message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["uri"] == uri
        });
    };
    open(&mut server, "main.tf", text);
    let value = |server: &mut RunningServer, id: i64| {
        let document = json!({ "uri": format!("{root}/main.tf") });
        let place = json!({ "line": 4, "character": 2 });
        let params = json!({ "textDocument": document, "position": place });
        let hover = server.request(id, "textDocument/hover", params);
        hover["result"]["contents"]["value"].as_str().expect("a value").to_owned()
    };
    assert!(value(&mut server, 2).starts_with('2'));
    // All folders are searched, each once.
    let all = server.request(3, "workspace/diagnostic", json!({ "previousResultIds": [] }));
    assert!(all["result"]["items"].is_array(), "{all}");
    let found = server.request(4, "workspace/symbol", json!({ "query": "local.a" }));
    assert_eq!(found["result"].as_array().map(Vec::len), Some(1), "{found}");
    // The endless header is skipped up to the next message.
    for _ in 0..40 {
        server.write(&"X-Header: and so on\r\n".repeat(1_000));
    }
    assert!(value(&mut server, 5).starts_with('2'));
    let large = format!("locals {{\n  big = \"{}\"\n}}\n", "x".repeat(50 << 20));
    open(&mut server, "big.tf", &large);
    assert!(value(&mut server, 6).starts_with('2'));
    server.request(7, "shutdown", Value::Null);
    server.notify("exit", Value::Null);
    assert_eq!(server.end(), Some(0));
    std::fs::remove_dir_all(folder).expect("the folder goes");
}

/// Checks that trusted code may read modules in the folder that is open in the editor.
#[cfg(unix)]
#[test]
fn code_reads_what_lies_in_the_folder_that_is_open() {
    let top = std::env::temp_dir().join(format!("groma-lsp-top-{}", std::process::id()));
    let app = top.join("app");
    std::fs::create_dir_all(&app).expect("a folder is made");
    std::fs::create_dir_all(top.join("net")).expect("a folder is made");
    std::fs::write(top.join("net/main.tf"), "output \"o\" {\n  value = \"beside\"\n}\n")
        .expect("a file is written");
    let text = "module \"net\" {\n  source = \"../net\"\n}\nlocals {\n  a = module.net.o\n}\n";
    std::fs::write(app.join("main.tf"), text).expect("a file is written");
    for (opened, is_trusted) in [(&top, true), (&app, true), (&top, false)] {
        let root = format!("file://{}", opened.display());
        let mut server = RunningServer::start(&[]);
        let params = json!({
            "processId": std::process::id(),
            "rootUri": root,
            "capabilities": {},
            "initializationOptions": { "isTrusted": is_trusted },
        });
        server.request(1, "initialize", params);
        server.notify("initialized", json!({}));
        let uri = format!("file://{}/main.tf", app.display());
        let item = json!({ "uri": uri, "languageId": "terraform", "version": 1, "text": text });
        server.notify("textDocument/didOpen", json!({ "textDocument": item }));
        let told = server.wait(|message| message["method"] == "textDocument/publishDiagnostics");
        let is_read = opened == &top && is_trusted;
        assert_eq!(!told.to_string().contains("module-outside"), is_read, "{told}");
        server.request(2, "shutdown", Value::Null);
        server.notify("exit", Value::Null);
        server.end();
    }
    std::fs::remove_dir_all(top).expect("the folder goes");
}
