//! Tests of the tools for coding agents through a client: lines of JSON-RPC to the program, and its answers.
#![forbid(unsafe_code)]
#![cfg(feature = "mcp")]
#![expect(clippy::unwrap_used, reason = "a test fails by panic")]

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// A client of a `groma mcp` process; `last` is the id of its latest request.
struct Client {
    server: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    last: u64,
}

/// Creates a folder with a root `app`, a module that it calls, and a file that no tool may show.
fn scratch(name: &str) -> PathBuf {
    let folder =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("mcp-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    for (path, text) in [
        ("modules/m/main.tf", "variable \"n\" {}\noutput \"n\" { value = var.n * 2 }\n"),
        (
            "app/main.tf",
            "module \"m\" {\n  source = \"../modules/m\"\n  n      = 2\n}\n\noutput \"o\" {\n  value = \"${module.m.n}\"\n}\n",
        ),
        ("secret.txt", "hush"),
    ] {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

impl Client {
    /// Starts `groma mcp` in a folder with further flags, and completes the handshake.
    fn start(folder: &Path, flags: &[&str]) -> Client {
        let mut server = Command::new(env!("CARGO_BIN_EXE_groma"))
            .arg("mcp")
            .args(flags)
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (server.stdin.take(), server.stdout.take().unwrap());
        let mut client = Client { server, input, output: BufReader::new(output), last: 0 };
        let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
        let answer = client.request("initialize", &hello);
        assert_eq!(answer["result"]["serverInfo"]["name"], "groma");
        client.write(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string());
        client
    }

    /// Writes a line to the server's standard input.
    fn write(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    /// Sends a request and returns its response; other messages are dropped.
    fn request(&mut self, method: &str, params: &Value) -> Value {
        self.last += 1;
        let id = self.last;
        self.write(
            &json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string(),
        );
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "the server has ended");
            let answer: Value = serde_json::from_str(&line).unwrap();
            if answer["id"] == id {
                return answer;
            }
        }
    }

    /// Calls a tool. Returns true if the result is an error, and the structured result, which must equal its text.
    fn call(&mut self, tool: &str, arguments: &Value) -> (bool, Value) {
        let answer = self.request("tools/call", &json!({"name": tool, "arguments": arguments}));
        let result = &answer["result"];
        let text = result["content"][1]["text"].as_str().unwrap();
        assert_eq!(serde_json::from_str::<Value>(text).unwrap(), result["structuredContent"]);
        assert!(text.len() < 13_000, "{}", text.len());
        (result["isError"] == true, result["structuredContent"].clone())
    }

    /// Closes the server's input and checks that the process succeeds.
    fn end(mut self) {
        drop(self.input.take());
        assert!(self.server.wait().unwrap().success());
    }
}

/// Checks the declared schemas of all tools and an answer of each, and the manual pages as resources.
#[test]
fn each_tool_answers_as_the_command_does() {
    let folder = scratch("tools");
    let mut client = Client::start(&folder, &[]);
    let tools = client.request("tools/list", &json!({}));
    let tools = tools["result"]["tools"].as_array().unwrap().clone();
    assert!(tools.len() > 8);
    for tool in &tools {
        assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
        assert!(tool["outputSchema"].is_object() && tool["annotations"].is_object(), "{tool}");
        assert_eq!(tool["annotations"]["readOnlyHint"], tool["name"] != "edit", "{tool}");
    }
    let root = json!({"root": "app"});
    let (_, checked) = client.call("check", &root);
    assert_eq!(checked["answer"]["valid"], true);
    assert_eq!(
        checked["answer"]["groma"]["findings"][0]["code"], "lone-interpolation",
        "{checked}"
    );
    let (_, fixes) = client.call("fixes", &root);
    assert!(fixes["text"].as_str().unwrap().contains("+  value = module.m.n\n"), "{fixes}");
    let (_, value) = client.call("eval", &json!({"root": "app", "expression": "module.m.n + 1"}));
    assert_eq!(value["answer"]["value"], 5);
    let (_, plan) = client.call("plan", &root);
    assert_eq!(plan["answer"]["planned_values"]["outputs"]["o"]["value"], 4);
    let (_, why) = client.call("why", &json!({"root": "app", "address": "output.o"}));
    assert_eq!(why["answer"]["address"], "output.o");
    let (_, graph) = client.call("references", &root);
    assert!(graph["answer"]["edges"].as_array().unwrap().len() > 1);
    let named = json!({"root": "app", "address": "module.m.var.n"});
    let (_, named) = client.call("references", &named);
    assert_eq!(named["answer"]["place"], "modules/m/main.tf:1", "{named}");
    let within = |list: &str| named["answer"][list][0]["within"].clone();
    assert_eq!(
        (within("references"), within("callers")),
        ("module.m.output.n".into(), "module.m".into())
    );
    let (is_error, near) =
        client.call("references", &json!({"root": "app", "address": "output.p"}));
    assert!(is_error && near.to_string().contains("output.o"), "{near}");
    let (_, schema) = client.call("schema", &json!({"root": "app", "type": "terraform_data"}));
    let provider = &schema["answer"]["provider_schemas"]["terraform.io/builtin/terraform"];
    assert!(
        provider["resource_schemas"]["terraform_data"]["block"]["attributes"]["input"].is_object(),
        "{schema}"
    );
    let (is_error, none) = client.call("schema", &json!({"root": "app", "type": "aws_instance"}));
    assert!(is_error && none.to_string().contains("--schema"), "{none}");
    let (_, list) = client.call("list", &root);
    assert_eq!(list["answer"][0]["address"], "module.m");
    let (_, page) = client.call("docs", &json!({"subject": "cidrsubnet"}));
    assert!(page["text"].as_str().unwrap().starts_with("# cidrsubnet"));
    let listed = client.request("resources/list", &json!({}));
    let address = listed["result"]["resources"][1]["uri"].clone();
    let read = client.request("resources/read", &json!({"uri": address}));
    assert!(read["result"]["contents"][0]["text"].as_str().unwrap().starts_with("# "));
    client.end();
}

/// Checks that the parts of a long answer make up its whole text, and that a handle can be used once.
#[test]
fn a_long_answer_comes_in_parts() {
    let folder = scratch("parts");
    let many: String =
        (0..900).map(|at| format!("output \"o{at}\" {{ value = {at} }}\n")).collect();
    fs::write(folder.join("app/more.tf"), many).unwrap();
    let mut client = Client::start(&folder, &[]);
    let (_, mut part) = client.call("plan", &json!({"root": "app"}));
    let mut whole = String::new();
    loop {
        whole.push_str(part["text"].as_str().unwrap());
        let Some(handle) = part.get("more").cloned() else { break };
        part = client.call("more", &json!({ "handle": handle })).1;
    }
    let plan: Value = serde_json::from_str(&whole).unwrap();
    assert_eq!(plan["output_changes"].as_object().unwrap().len(), 901);
    assert!(client.call("more", &json!({"handle": "rest-1"})).0);
    client.end();
}

/// Checks that the tool `edit` changes files only if the server was started with `--write`.
#[test]
fn an_edit_is_written_only_where_it_may_be() {
    let folder = scratch("edit");
    let edits =
        json!({"root": "app", "edits": [{"op": "set", "path": "output.o.value", "to": "7"}]});
    let before = fs::read_to_string(folder.join("app/main.tf")).unwrap();
    let mut client = Client::start(&folder, &[]);
    let (is_error, patch) = client.call("edit", &edits);
    assert!(!is_error && patch["text"].as_str().unwrap().contains("+  value = 7"), "{patch}");
    client.end();
    assert_eq!(fs::read_to_string(folder.join("app/main.tf")).unwrap(), before);
    let mut client = Client::start(&folder, &["--write"]);
    let (is_error, patch) = client.call("edit", &edits);
    assert!(!is_error && patch["text"].as_str().unwrap().contains("+  value = 7"), "{patch}");
    client.end();
    assert!(fs::read_to_string(folder.join("app/main.tf")).unwrap().contains("value = 7"));
}

/// Checks that failing calls give advice, and that files above the server's folder are not read.
#[test]
fn what_is_wrong_says_what_to_call_next() {
    let folder = scratch("wrong");
    let mut client = Client::start(&folder.join("app"), &[]);
    for (tool, arguments) in [
        ("fortune", json!({})),
        ("eval", json!({})),
        ("eval", json!({"expression": 1})),
        ("check", json!({"root": ".."})),
        ("check", json!({"root": "/etc"})),
        ("check", json!({"root": "nowhere"})),
        ("check", json!({"roots": "."})),
        ("diff", json!({"revision": "no-such-revision"})),
        ("docs", json!({"subject": "fortune"})),
        ("why", json!({"address": "output.nowhere"})),
    ] {
        let (is_error, answer) = client.call(tool, &arguments);
        assert!(is_error, "{tool} {arguments}: {answer}");
        assert!(!answer["error"]["next"].as_str().unwrap().is_empty(), "{answer}");
    }
    // Files above the server's folder are not read, even if the code names them.
    let (_, value) = client.call("eval", &json!({"expression": "file(\"../secret.txt\")"}));
    assert!(!value.to_string().contains("hush"), "{value}");
    client.write("this is no request");
    assert_eq!(client.call("eval", &json!({"expression": "1 + 1"})).1["answer"]["value"], 2);
    client.end();
}

/// Checks that a long call sends progress notifications and can be cancelled.
#[test]
fn a_long_plan_reports_its_progress_and_is_cancelled() {
    let folder = scratch("progress");
    let long = "length([for a in range(1000) : length([for b in range(1000) : length(range(b))])])";
    fs::write(folder.join("app/long.tf"), format!("output \"long\" {{ value = {long} }}\n"))
        .unwrap();
    let mut client = Client::start(&folder, &[]);
    let params =
        json!({"name": "plan", "arguments": {"root": "app"}, "_meta": {"progressToken": "plan-1"}});
    client.write(
        &json!({"jsonrpc": "2.0", "id": 900, "method": "tools/call", "params": params}).to_string(),
    );
    let mut line = String::new();
    assert!(client.output.read_line(&mut line).unwrap() > 0, "the server has ended");
    let told: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(
        (&told["method"], &told["params"]["progressToken"]),
        (&"notifications/progress".into(), &"plan-1".into()),
        "{told}"
    );
    assert!(told["params"]["message"].as_str().unwrap().starts_with("Evaluating"), "{told}");
    client.write(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 900}}).to_string());
    // The next call need not wait for the cancelled one.
    assert_eq!(
        client.call("eval", &json!({"root": "app", "expression": "1 + 1"})).1["answer"]["value"],
        2
    );
    client.end();
}
