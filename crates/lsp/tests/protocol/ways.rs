//! Hover, definitions, references, outline, folds and renames, as messages.

use serde_json::{Value, json};

use crate::client::{TestClient, about, at, capable, edited, uri};

/// A root module with characters of several bytes, and a module call.
const MAIN: &str = "locals {\n  zones = [\"é𝄞\", \"b\"]\n  count = length(local.zones)\n}\n\nmodule \"net\" {\n  source = \"./net\"\n  name   = \"${local.zones[0]}-${local.count}\"\n}\n";
/// The called module.
const NET: &str = "variable \"name\" {\n  type = string\n}\n\nresource \"terraform_data\" \"a\" {\n  input = var.name\n}\n";

/// Returns the paths and texts of [`MAIN`] and [`NET`].
fn files() -> [(&'static str, &'static str); 2] {
    [("/w/main.tf", MAIN), ("/w/net/main.tf", NET)]
}

#[test]
fn hover_shows_the_value_in_full() {
    let mut client = TestClient::of(&files());
    client.open_file("/w/main.tf");
    let hover = client.at("textDocument/hover", "/w/main.tf", 2, 26);
    let text = hover["contents"]["value"].as_str().unwrap();
    assert!(text.starts_with("```terraform\n[\n  \"é𝄞\",\n  \"b\",\n]\n```"), "{text}");
    assert_eq!(hover["range"]["start"], json!({ "line": 2, "character": 17 }));
    assert_eq!(client.at("textDocument/hover", "/w/main.tf", 4, 0), Value::Null);
}

/// Tests that a hover text says so if its value is still being evaluated.
#[test]
fn a_value_that_is_not_there_yet_is_said_to_come() {
    let mut client = TestClient::of(&files());
    client.has_worker = false;
    client.open_file("/w/main.tf");
    let hover = client.at("textDocument/hover", "/w/main.tf", 2, 26);
    let text = hover["contents"]["value"].as_str().unwrap().to_owned();
    assert!(!text.contains("[\n"), "{text}");
    client.has_worker = true;
    client.settle();
    assert!(!client.told("workspace/inlayHint/refresh").is_empty());
    let hover = client.at("textDocument/hover", "/w/main.tf", 2, 26);
    assert_ne!(hover["contents"]["value"], text);
}

#[test]
fn broken_text_keeps_the_answers_of_its_neighbours() {
    let mut client = TestClient::of(&files());
    client.open_file("/w/main.tf");
    for broken in [
        format!("{MAIN}locals {{\n  broken = (\n"),
        format!("{MAIN}resource \"a\" \"b\" {{\n  x = local.\n}}\n"),
        format!("{MAIN}locals {{\n  s = \"open ${{\n}}\n"),
        MAIN.replace("\"b\"]", "\"b\"]\n  half ="),
    ] {
        client.change("/w/main.tf", &broken);
        let line = broken.lines().position(|line| line.contains("length(")).expect("it is there");
        let hover = client.at("textDocument/hover", "/w/main.tf", line as u32, 26);
        let text = hover["contents"]["value"].as_str().unwrap_or_else(|| panic!("{broken}"));
        assert!(text.starts_with("```terraform\n[\n"), "{broken}\n{text}");
        let found = client.at("textDocument/definition", "/w/main.tf", line as u32, 26);
        assert_eq!(found[0]["targetSelectionRange"]["start"]["line"], 1, "{broken}");
        let symbols = client.request("textDocument/documentSymbol", about("/w/main.tf"));
        assert_eq!(symbols[0]["name"], "locals");
        assert!(!client.findings("/w/main.tf").is_empty(), "{broken}");
    }
}

/// Tests that columns are counted in the unit agreed with the client.
#[test]
fn columns_count_what_was_agreed_on() {
    let mut client = TestClient::of(&files());
    client.open_file("/w/main.tf");
    // Bytes: é is two, 𝄞 is four.
    let found = client.at("textDocument/definition", "/w/main.tf", 7, 22);
    assert_eq!(found[0]["targetSelectionRange"]["start"], json!({ "line": 1, "character": 2 }));
    let mut client = TestClient::with(&files(), json!({}));
    let text = "locals {\n  a = \"𝄞\" == local.b\n  b = 1\n}\n";
    client.open("/w/main.tf", text);
    let found = client.at("textDocument/definition", "/w/main.tf", 1, 20);
    assert_eq!(found[0]["range"]["start"], json!({ "line": 2, "character": 2 }));
    let found = client.at("textDocument/references", "/w/main.tf", 2, 2);
    assert_eq!(found[0]["range"]["start"]["character"], 14);
}

#[test]
fn a_name_leads_to_its_declaration_and_back() {
    let mut client = TestClient::of(&files());
    client.open_file("/w/main.tf");
    client.open_file("/w/net/main.tf");
    let found = client.at("textDocument/definition", "/w/main.tf", 7, 4);
    assert_eq!(found[0]["targetUri"], uri("/w/net/main.tf"));
    let mut params = at("/w/main.tf", 1, 3);
    params["context"] = json!({ "includeDeclaration": false });
    let all = client.request("textDocument/references", params.clone());
    assert_eq!(all.as_array().unwrap().len(), 2);
    params["context"]["includeDeclaration"] = json!(true);
    let all = client.request("textDocument/references", params);
    assert_eq!(all.as_array().unwrap().len(), 3);
}

#[test]
fn a_document_has_an_outline() {
    let mut client = TestClient::of(&files());
    client.open_file("/w/main.tf");
    let all = client.request("textDocument/documentSymbol", about("/w/main.tf"));
    let names = |all: &Value| -> Vec<String> {
        let all = all.as_array().unwrap().iter();
        all.map(|one| one["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&all), ["locals", "module.net"]);
    assert_eq!(names(&all[0]["children"]), ["local.zones", "local.count"]);
    let mut flat = TestClient::with(&files(), json!({}));
    flat.open_file("/w/main.tf");
    let all = flat.request("textDocument/documentSymbol", about("/w/main.tf"));
    assert_eq!(
        names(&all),
        ["locals", "local.zones", "local.count", "module.net", "source", "name"]
    );
    assert_eq!(all[1]["containerName"], "locals");
}

#[test]
fn blocks_fold() {
    let mut client = TestClient::of(&files());
    client.open_file("/w/main.tf");
    let all = client.request("textDocument/foldingRange", about("/w/main.tf"));
    assert_eq!(all[0]["startLine"], 0);
    assert_eq!(all[0]["endLine"], 3);
    let mut capabilities = capable();
    capabilities["textDocument"]["foldingRange"] = json!({ "lineFoldingOnly": true });
    let mut client = TestClient::with(&files(), capabilities);
    client.open_file("/w/main.tf");
    let all = client.request("textDocument/foldingRange", about("/w/main.tf"));
    assert_eq!(all[0], json!({ "startLine": 0, "endLine": 2 }));
}

/// Tests that a rename changes all files, and is applied by the client only.
#[test]
fn a_name_changes_wherever_it_is_said() {
    let mut client = TestClient::of(&files());
    client.open_file("/w/main.tf");
    let site = client.at("textDocument/prepareRename", "/w/main.tf", 7, 5);
    assert_eq!(site["placeholder"], "name");
    let mut params = at("/w/main.tf", 7, 5);
    params["newName"] = json!("title");
    let edit = client.request("textDocument/rename", params);
    let all = edit["documentChanges"].as_array().unwrap();
    let of = |path: &str| {
        all.iter().find(|one| one["textDocument"]["uri"] == uri(path)).unwrap().clone()
    };
    assert_eq!(of("/w/main.tf")["textDocument"]["version"], 1);
    assert_eq!(of("/w/net/main.tf")["textDocument"]["version"], Value::Null);
    let net = edited(NET, &of("/w/net/main.tf")["edits"]);
    assert_eq!(net, NET.replace("\"name\"", "\"title\"").replace("var.name", "var.title"));
    let mut params = at("/w/main.tf", 7, 5);
    params["newName"] = json!("no name");
    assert_eq!(client.error("textDocument/rename", params), -32803);
    assert_eq!(client.error("textDocument/prepareRename", at("/w/main.tf", 4, 0)), -32803);
    // The server has not written the file itself.
    assert_eq!(client.files.text("/w/net/main.tf").unwrap(), NET);
}
