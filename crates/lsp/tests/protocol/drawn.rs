//! What an editor draws over and beside a text: highlights, links, selections, colours, values and lines above the code.

use serde_json::{Value, json};

use crate::client::{TestClient, about, at, uri};

/// A module with repeated resources, a module call and a heredoc, for annotations that editors draw.
const MAIN: &str = "variable \"n\" {\n  default = 2\n}\n\nlocals {\n  names = [for i in range(var.n) : \"x${i}\"]\n}\n\nresource \"terraform_data\" \"a\" {\n  count = length(local.names)\n  input = local.names[count.index]\n}\n\nmodule \"m\" {\n  source = \"./m\"\n}\n\noutput \"doc\" {\n  value = <<-END\n    text\n  END\n}\n";

/// Returns a client that has opened [`MAIN`], which calls a module in `/w/m`.
fn opened() -> TestClient {
    let mut client = TestClient::of(&[
        ("/w/main.tf", MAIN),
        ("/w/m/main.tf", "output \"o\" {\n  value = 1\n}\n"),
    ]);
    client.open_file("/w/main.tf");
    client
}

/// Returns the parameters of a request about the whole range of `/w/main.tf`.
fn whole() -> Value {
    let mut params = about("/w/main.tf");
    let end = json!({ "line": 22, "character": 0 });
    params["range"] = json!({ "start": { "line": 0, "character": 0 }, "end": end });
    params
}

/// Tests that all occurrences of a name are highlighted.
#[test]
fn the_same_name_is_shown_everywhere() {
    let mut client = opened();
    let all = client.at("textDocument/documentHighlight", "/w/main.tf", 5, 3);
    let kinds: Vec<&Value> = all.as_array().unwrap().iter().map(|one| &one["kind"]).collect();
    assert_eq!(kinds, [3, 2, 2]);
}

#[test]
fn names_of_a_heredoc_change_together() {
    let mut client = opened();
    let all = client.at("textDocument/linkedEditingRange", "/w/main.tf", 18, 14);
    assert_eq!(all["ranges"].as_array().unwrap().len(), 2, "{all}");
    assert_eq!(client.at("textDocument/linkedEditingRange", "/w/main.tf", 0, 3), Value::Null);
}

#[test]
fn paths_are_links() {
    let mut client = opened();
    let all = client.request("textDocument/documentLink", about("/w/main.tf"));
    assert_eq!(all[0]["target"], uri("/w/m/main.tf"));
    assert_eq!(all[0]["range"]["start"], json!({ "line": 14, "character": 12 }));
}

#[test]
fn a_selection_grows() {
    let mut client = opened();
    let mut params = about("/w/main.tf");
    params["positions"] = json!([{ "line": 9, "character": 20 }, { "line": 0, "character": 0 }]);
    let all = client.request("textDocument/selectionRange", params);
    assert_eq!(all.as_array().unwrap().len(), 2);
    let mut depth = 0;
    let mut range = all[0].clone();
    while range["parent"].is_object() {
        range = range["parent"].clone();
        depth += 1;
    }
    assert!(depth >= 4, "{depth}");
}

#[test]
fn names_have_meanings() {
    let mut client = opened();
    let offered = client.response("initialize", json!({ "capabilities": {} }));
    assert!(offered["error"].is_object());
    let all = client.request("textDocument/semanticTokens/full", about("/w/main.tf"));
    let data: Vec<u64> =
        all["data"].as_array().unwrap().iter().map(|one| one.as_u64().unwrap()).collect();
    // `variable` on the first line is a keyword of eight characters.
    assert_eq!(data[..5], [0, 0, 8, 0, 0]);
    let part = client.request("textDocument/semanticTokens/range", {
        let mut params = whole();
        params["range"]["end"] = json!({ "line": 1, "character": 0 });
        params
    });
    assert!(part["data"].as_array().unwrap().len() < data.len());
    let mut params = about("/w/main.tf");
    params["previousResultId"] = all["resultId"].clone();
    client.change("/w/main.tf", &MAIN.replace("default = 2", "default = 3"));
    let delta = client.request("textDocument/semanticTokens/full/delta", params.clone());
    assert_eq!(delta["edits"], json!([]), "a number has no meaning");
    params["previousResultId"] = delta["resultId"].clone();
    client.change("/w/main.tf", &format!("locals {{\n  more = 1\n}}\n{MAIN}"));
    let delta = client.request("textDocument/semanticTokens/full/delta", params.clone());
    let edits = delta["edits"].as_array().unwrap();
    assert_eq!(edits.len(), 1);
    assert!(edits[0]["data"].as_array().unwrap().len() <= 15, "{delta}");
    params["previousResultId"] = json!("of another life");
    let fresh = client.request("textDocument/semanticTokens/full/delta", params);
    assert!(fresh["data"].is_array());
}

/// Tests inlay hints: their texts, explanations, and the setting that hides them.
#[test]
fn values_stand_beside_the_code() {
    let mut client = opened();
    let all = client.request("textDocument/inlayHint", whole());
    let labels: Vec<&str> =
        all.as_array().unwrap().iter().map(|one| one["label"].as_str().unwrap()).collect();
    assert_eq!(labels.len(), 2, "{labels:?}");
    assert!(labels[0].contains("\"x0\""), "{labels:?}");
    let resolved = client.request("inlayHint/resolve", all[0].clone());
    assert_eq!(resolved["tooltip"]["kind"], "markdown");
    client.settings = json!({ "inlayHints": false });
    client.notify("workspace/didChangeConfiguration", json!({ "settings": null }));
    assert_eq!(client.request("textDocument/inlayHint", whole()), json!([]));
}

/// Tests that no inlay hint is shown in the line of the last edit.
#[test]
fn no_value_stands_where_somebody_is_typing() {
    let mut client = opened();
    let place = json!({ "line": 5, "character": 43 });
    let range = json!({ "start": place, "end": place });
    client.change_by("/w/main.tf", json!([{ "range": range, "text": " " }]));
    let all = client.request("textDocument/inlayHint", whole());
    assert_eq!(all.as_array().unwrap().len(), 1, "{all}");
}

/// Tests code lenses: their titles and the commands that they execute.
#[test]
fn lines_above_the_code_do_something() {
    let mut client = opened();
    let all = client.request("textDocument/codeLens", about("/w/main.tf"));
    let title = |at: usize| all[at]["command"]["title"].as_str().unwrap();
    assert_eq!(title(0), "root w: no value files");
    assert_eq!(title(1), "2 instances");
    client.request("codeLens/resolve", all[1].clone());
    let command = &all[1]["command"];
    let params = json!({ "command": command["command"], "arguments": command["arguments"] });
    let instances = client.request("workspace/executeCommand", params);
    assert_eq!(instances, json!(["terraform_data.a[0]", "terraform_data.a[1]"]));
    assert_eq!(client.error("workspace/executeCommand", json!({ "command": "rm" })), -32803);
}

/// Tests that the command `groma.chooseRoot` changes the root whose values are shown.
#[test]
fn another_root_is_chosen() {
    let text = "variable \"x\" {\n  default = 1\n}\noutput \"o\" {\n  value = var.x + 1\n}\n";
    let mut client = TestClient::of(&[
        ("/w/main.tf", "module \"m\" {\n  source = \"./m\"\n  x      = 41\n}\n"),
        ("/w/m/main.tf", text),
    ]);
    client.open_file("/w/m/main.tf");
    let hover = |client: &mut TestClient| {
        let hover = client.at("textDocument/hover", "/w/m/main.tf", 4, 13);
        hover["contents"]["value"].as_str().unwrap().lines().nth(1).unwrap().to_owned()
    };
    assert_eq!(hover(&mut client), "1");
    let params = |root: &str| json!({ "command": "groma.chooseRoot", "arguments": [uri("/w/m/main.tf"), root] });
    client.request("workspace/executeCommand", params("/w"));
    client.settle();
    assert_eq!(hover(&mut client), "41");
    client.request("workspace/executeCommand", params("/w/m"));
    client.settle();
    assert_eq!(hover(&mut client), "1");
}

#[test]
fn declarations_of_all_folders_are_found_by_name() {
    let mut client = opened();
    let all = client.request("workspace/symbol", json!({ "query": "output" }));
    let names: Vec<&str> =
        all.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["output.o", "output.doc"]);
    let all = client.request("workspace/symbol", json!({ "query": "output.o" }));
    assert_eq!(all[0]["location"]["uri"], uri("/w/m/main.tf"));
    assert_eq!(all[0]["containerName"], "m");
    client.change("/w/main.tf", "locals {\n  fresh = 1\n}\n");
    let all = client.request("workspace/symbol", json!({ "query": "fresh" }));
    assert_eq!(all.as_array().unwrap().len(), 1);
    assert_eq!(client.error("workspace/symbol", json!({})), -32602);
}

/// Tests the type definition, implementation and declaration of a variable.
#[test]
fn types_and_callers_are_ways() {
    let mut client = TestClient::of(&[
        ("/w/main.tf", "module \"m\" {\n  source = \"./m\"\n  x      = 41\n}\n"),
        ("/w/m/main.tf", "variable \"x\" {}\noutput \"o\" {\n  value = var.x\n}\n"),
    ]);
    client.open_file("/w/main.tf");
    let found = client.request("textDocument/typeDefinition", at("/w/main.tf", 2, 3));
    assert_eq!(found[0]["targetUri"], uri("/w/m/main.tf"));
    client.request(
        "workspace/executeCommand",
        json!({ "command": "groma.chooseRoot", "arguments": [uri("/w/m/main.tf"), "/w"] }),
    );
    client.open_file("/w/m/main.tf");
    let found = client.request("textDocument/implementation", at("/w/m/main.tf", 0, 11));
    assert_eq!(found[0]["targetUri"], uri("/w/main.tf"));
    let found = client.request("textDocument/declaration", at("/w/m/main.tf", 2, 15));
    assert_eq!(found[0]["targetUri"], uri("/w/m/main.tf"));
}
