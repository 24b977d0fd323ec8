//! Completion and the parameters of calls, as messages.

use serde_json::{Value, json};

use crate::client::{TestClient, at, capable, edited};

/// A module that is being typed: a reference without a name, and a call without arguments.
const MAIN: &str = "variable \"region\" {\n  default = \"eu\"\n}\n\nlocals {\n  a = var.\n  b = join(\"-\", [])\n}\n\n";

/// Returns the labels of a completion list, in order.
fn labels(list: &Value) -> Vec<String> {
    let all = list["items"].as_array().expect("a list").iter();
    all.map(|one| one["label"].as_str().expect("a text").to_owned()).collect()
}

#[test]
fn a_name_is_completed_with_its_value() {
    let mut client = TestClient::of(&[("/w/main.tf", MAIN)]);
    client.open_file("/w/main.tf");
    let list = client.at("textDocument/completion", "/w/main.tf", 5, 10);
    let item = list["items"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["label"].as_str().expect("a text").contains("region"));
    let item = item.unwrap_or_else(|| panic!("{list:#}")).clone();
    assert!(item["detail"].as_str().expect("a text").contains("\"eu\""), "{item}");
    let text = edited(MAIN, &json!([item["textEdit"]]));
    assert!(text.contains("a = var.region\n"), "{text}");
    let resolved = client.request("completionItem/resolve", item);
    assert_eq!(resolved["documentation"]["kind"], "markdown", "{resolved}");
}

#[test]
fn blocks_are_snippets_where_the_client_has_them() {
    let mut client = TestClient::of(&[("/w/main.tf", MAIN)]);
    client.open_file("/w/main.tf");
    let list = client.at("textDocument/completion", "/w/main.tf", 8, 0);
    assert!(labels(&list).contains(&"resource".to_owned()), "{list:#}");
    let is_snippet = |list: &Value| {
        list["items"].as_array().expect("a list").iter().any(|one| one["insertTextFormat"] == 2)
    };
    assert!(is_snippet(&list));
    let mut capabilities = capable();
    capabilities["textDocument"]["completion"] = json!({});
    let mut client = TestClient::with(&[("/w/main.tf", MAIN)], capabilities);
    client.open_file("/w/main.tf");
    let list = client.at("textDocument/completion", "/w/main.tf", 8, 0);
    assert!(!is_snippet(&list));
    assert!(!list.to_string().contains("${1"), "{list}");
}

/// Tests that typing a bracket that opens a block, list or object triggers no completion.
#[test]
fn a_bracket_that_opens_a_line_offers_nothing() {
    let text = "locals {\n  a = [\n  b = local.c[\n  d = \"${\n}\n";
    let mut client = TestClient::of(&[("/w/main.tf", text)]);
    client.open_file("/w/main.tf");
    let mut typed = |line: u32, column: u32, character: &str| {
        let list = client.request(
            "textDocument/completion",
            json!({
                "textDocument": { "uri": "file:///w/main.tf" },
                "position": { "line": line, "character": column },
                "context": { "triggerKind": 2, "triggerCharacter": character },
            }),
        );
        labels(&list).len()
    };
    assert_eq!(typed(0, 8, "{"), 0);
    assert_eq!(typed(1, 7, "["), 0);
    assert!(typed(3, 9, "{") > 0);
    // The same position, with completion requested by the user.
    assert!(!labels(&client.at("textDocument/completion", "/w/main.tf", 1, 7)).is_empty());
}

/// Tests that a completion item of an outdated text is returned without documentation.
#[test]
fn an_item_of_another_text_is_left_as_it_is() {
    let mut client = TestClient::of(&[("/w/main.tf", MAIN)]);
    client.open_file("/w/main.tf");
    let list = client.at("textDocument/completion", "/w/main.tf", 5, 10);
    let item = list["items"][0].clone();
    client.change("/w/main.tf", "\n");
    assert_eq!(client.request("completionItem/resolve", item.clone()), item);
}

#[test]
fn a_call_has_parameters() {
    let mut client = TestClient::of(&[("/w/main.tf", MAIN)]);
    client.open_file("/w/main.tf");
    let help = client.at("textDocument/signatureHelp", "/w/main.tf", 6, 17);
    assert!(
        help["signatures"][0]["label"].as_str().expect("a text").starts_with("join("),
        "{help}"
    );
    assert_eq!(help["activeParameter"], 1);
    assert_eq!(client.request("textDocument/signatureHelp", at("/w/main.tf", 0, 0)), Value::Null);
}
