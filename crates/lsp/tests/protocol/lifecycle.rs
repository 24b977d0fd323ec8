//! The beginning and the end of a conversation, settings and folders.

use serde_json::{Value, json};

use crate::client::{TestClient, about, at, capable, uri};

/// A module with a variable and a local value that depends on it.
const MAIN: &str = "variable \"n\" {\n  default = 1\n}\nlocals {\n  twice = var.n * 2\n}\n";

/// Tests the capabilities that the server returns for `initialize`.
#[test]
fn a_client_is_told_what_is_offered() {
    let mut client = TestClient::silent(&[]);
    let answer = client.begin(json!({ "processId": 7, "capabilities": capable() }));
    assert_eq!(answer["serverInfo"]["name"], "groma");
    assert_eq!(answer["capabilities"]["positionEncoding"], "utf-8");
    assert_eq!(client.server.client_process(), Some(7));
    let registered = client.told("client/registerCapability");
    let methods: Vec<&Value> = registered[0]["registrations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["method"])
        .collect();
    assert_eq!(methods, ["workspace/didChangeConfiguration", "workspace/didChangeWatchedFiles"]);
}

/// Tests that a client without capabilities gets the plainest forms of answers.
#[test]
fn a_client_that_says_nothing_of_itself_gets_the_least() {
    let mut client = TestClient::silent(&[("/w/main.tf", MAIN)]);
    let answer =
        client.begin(json!({ "processId": null, "rootUri": "file:///w", "capabilities": {} }));
    assert_eq!(answer["capabilities"].get("positionEncoding"), None);
    assert!(client.told.is_empty());
    client.open_file("/w/main.tf");
    let hover = client.at("textDocument/hover", "/w/main.tf", 4, 15);
    assert_eq!(hover["contents"]["kind"], "plaintext");
    assert!(!hover["contents"]["value"].as_str().unwrap().contains("```"));
    let found = client.at("textDocument/definition", "/w/main.tf", 4, 14);
    assert_eq!(found[0]["uri"], uri("/w/main.tf"));
}

/// Tests that malformed capabilities count as absent.
#[test]
fn capabilities_of_another_form_turn_nobody_away() {
    let mut client = TestClient::silent(&[]);
    let odd =
        json!({ "general": { "positionEncodings": "utf-8" }, "textDocument": 7, "window": [] });
    let answer =
        client.begin(json!({ "processId": "x", "capabilities": odd, "workspaceFolders": 3 }));
    assert_eq!(answer["capabilities"]["hoverProvider"], true);
}

#[test]
fn requests_come_between_initialize_and_shutdown() {
    let mut client = TestClient::silent(&[("/w/main.tf", MAIN)]);
    assert_eq!(client.error("textDocument/hover", at("/w/main.tf", 0, 0)), -32002);
    assert_eq!(client.error("shutdown", Value::Null), -32002);
    client.begin(json!({ "processId": null, "capabilities": {} }));
    let again = json!({ "processId": null, "capabilities": {} });
    assert_eq!(client.error("initialize", again), -32600);
    assert_eq!(client.error("textDocument/unheardOf", json!({})), -32601);
    assert_eq!(client.error("textDocument/hover", json!({})), -32602);
    client.request("shutdown", Value::Null);
    assert_eq!(client.error("textDocument/hover", at("/w/main.tf", 0, 0)), -32600);
    assert_eq!(client.server.exit_code(), None);
    client.notify("exit", Value::Null);
    assert_eq!(client.server.exit_code(), Some(0));
}

#[test]
fn exit_without_shutdown_is_an_error() {
    let mut client = TestClient::of(&[]);
    client.notify("exit", Value::Null);
    assert_eq!(client.server.exit_code(), Some(1));
}

#[test]
fn a_request_that_waits_is_cancelled() {
    let mut client = TestClient::of(&[("/w/main.tf", MAIN)]);
    client.open_file("/w/main.tf");
    let first = client.begin_request("textDocument/hover", &at("/w/main.tf", 4, 15));
    let second = client.begin_request("textDocument/definition", &at("/w/main.tf", 4, 14));
    client
        .send(&json!({ "jsonrpc": "2.0", "method": "$/cancelRequest", "params": { "id": first } }));
    client.send(&json!({ "jsonrpc": "2.0", "method": "$/cancelRequest", "params": { "id": 77 } }));
    client.settle();
    assert_eq!(client.taken(first).unwrap()["error"]["code"], -32800);
    assert!(client.taken(second).unwrap()["result"].is_array());
    client.send(
        &json!({ "jsonrpc": "2.0", "method": "$/cancelRequest", "params": { "id": second } }),
    );
    client.settle();
}

#[test]
fn a_check_that_waits_is_cancelled() {
    let mut client = TestClient::of(&[("/w/main.tf", MAIN)]);
    client.has_worker = false;
    client.open_file("/w/main.tf");
    let id = client.begin_request("textDocument/diagnostic", &about("/w/main.tf"));
    client.settle();
    assert_eq!(client.taken(id), None);
    client.send(&json!({ "jsonrpc": "2.0", "method": "$/cancelRequest", "params": { "id": id } }));
    client.settle();
    assert_eq!(client.taken(id).unwrap()["error"]["code"], -32800);
    client.has_worker = true;
    client.settle();
    assert_eq!(client.taken(id), None);
}

#[test]
fn settings_change_without_a_restart() {
    let mut client = TestClient::of(&[("/w/main.tf", MAIN), ("/w/big.tfvars", "n = 50\n")]);
    client.open_file("/w/main.tf");
    let hover = |client: &mut TestClient| {
        let hover = client.at("textDocument/hover", "/w/main.tf", 4, 3);
        hover["contents"]["value"].as_str().unwrap().lines().nth(1).unwrap().to_owned()
    };
    assert_eq!(hover(&mut client), "2");
    client.settings = json!({ "variables": { "n": 21 } });
    client.notify("workspace/didChangeConfiguration", json!({ "settings": null }));
    assert_eq!(hover(&mut client), "42");
    client.settings = json!({ "varFiles": ["big.tfvars"], "variables": 7 });
    client.notify("workspace/didChangeConfiguration", json!({ "settings": null }));
    assert_eq!(hover(&mut client), "100");
    let told = client.told("window/showMessage");
    assert_eq!(
        told.last().unwrap()["message"],
        "The setting groma.variables has to be an object of names and values; it is ignored."
    );
}

/// Tests that settings are taken from `didChangeConfiguration` if the client does not answer requests for them.
#[test]
fn a_client_that_cannot_be_asked_sends_its_settings() {
    let mut client = TestClient::with(&[("/w/main.tf", MAIN)], json!({}));
    client.open_file("/w/main.tf");
    let settings = json!({ "settings": { "groma": { "variables": { "n": "4" } } } });
    client.notify("workspace/didChangeConfiguration", settings);
    let hover = client.at("textDocument/hover", "/w/main.tf", 4, 3);
    assert!(hover["contents"]["value"].as_str().unwrap().starts_with('8'), "{hover}");
}

#[test]
fn work_is_traced_on_request() {
    let mut client = TestClient::of(&[("/w/main.tf", MAIN)]);
    client.notify("$/setTrace", json!({ "value": "messages" }));
    client.open_file("/w/main.tf");
    let told = client.told("$/logTrace");
    assert_eq!(told[0]["message"], "notification textDocument/didOpen");
    client.notify("$/setTrace", json!({ "value": "off" }));
    let count = client.told("$/logTrace").len();
    client.at("textDocument/hover", "/w/main.tf", 4, 3);
    assert_eq!(client.told("$/logTrace").len(), count);
}
