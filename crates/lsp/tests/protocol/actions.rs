//! Changes that are offered, and how they are made.

use serde_json::{Value, json};

use crate::client::{TestClient, about, capable, edited, uri};

/// A module with an unused local value, a redundant template and an undeclared variable.
const MAIN: &str = "locals {\n  unused = 1\n  size   = 2 * 21\n}\n\noutput \"size\" {\n  value = \"${local.size}\"\n}\n\noutput \"more\" {\n  value = var.missing\n}\n";

/// Returns the code actions at a position of `/w/main.tf`, limited to the kind `only`.
fn offered(client: &mut TestClient, line: u32, character: u32, only: Option<&str>) -> Value {
    let mut params = about("/w/main.tf");
    let place = json!({ "line": line, "character": character });
    params["range"] = json!({ "start": place, "end": place });
    params["context"] = json!({ "diagnostics": [] });
    if let Some(only) = only {
        params["context"]["only"] = json!([only]);
    }
    client.request("textDocument/codeAction", params)
}

/// Returns the titles of code actions, in order.
fn titles(actions: &Value) -> Vec<String> {
    let all = actions.as_array().expect("a list").iter();
    all.map(|one| one["title"].as_str().expect("a text").to_owned()).collect()
}

/// Returns the text of `/w/main.tf` after the edit of a resolved code action.
fn made(text: &str, action: &Value) -> String {
    let changes = action["edit"]["documentChanges"].as_array().expect("a list");
    let own = changes.iter().find(|one| one["textDocument"]["uri"] == uri("/w/main.tf"));
    edited(text, &own.unwrap_or_else(|| panic!("{action:#}"))["edits"])
}

/// Tests that a quick fix names its diagnostic, and that its edit follows when it is resolved.
#[test]
fn a_fix_comes_with_its_finding_and_its_edit_when_it_is_chosen() {
    let mut client = TestClient::of(&[("/w/main.tf", MAIN)]);
    client.open_file("/w/main.tf");
    let all = offered(&mut client, 6, 12, Some("quickfix"));
    assert!(!titles(&all).is_empty(), "{:?}", client.published);
    assert!(all[0].get("edit").is_none());
    assert_eq!(all[0]["kind"], "quickfix");
    assert!(all[0]["diagnostics"][0]["code"].is_string(), "{all:#}");
    let chosen = client.request("codeAction/resolve", all[0].clone());
    assert!(made(MAIN, &chosen).contains("  value = local.size\n"), "{chosen:#}");
    assert_eq!(chosen["edit"]["documentChanges"][0]["textDocument"]["version"], 1);
}

/// Tests that the action `source.fixAll` is offered on request only, and applies all safe fixes.
#[test]
fn everything_safe_is_made_at_once() {
    let mut client = TestClient::of(&[("/w/main.tf", MAIN)]);
    client.open_file("/w/main.tf");
    let none = offered(&mut client, 0, 0, None);
    assert!(
        none.as_array().expect("a list").iter().all(|one| one["kind"] != "source.fixAll.groma")
    );
    for only in ["source.fixAll", "source.fixAll.groma", "source"] {
        let all = offered(&mut client, 0, 0, Some(only));
        let fix_all =
            all.as_array().expect("a list").iter().find(|one| one["kind"] == "source.fixAll.groma");
        let chosen = client.request("codeAction/resolve", fix_all.unwrap().clone());
        assert!(made(MAIN, &chosen).contains("  value = local.size\n"), "{chosen:#}");
    }
    let ugly = "locals {\n a=1\n}\n";
    client.change("/w/main.tf", ugly);
    let all = offered(&mut client, 0, 0, Some("source.formatAll"));
    assert_eq!(made(ugly, &all[0]), "locals {\n  a = 1\n}\n");
}

#[test]
fn what_is_missing_is_declared() {
    let mut client = TestClient::of(&[("/w/main.tf", MAIN)]);
    client.open_file("/w/main.tf");
    let all = offered(&mut client, 10, 14, None);
    let declare = all
        .as_array()
        .expect("a list")
        .iter()
        .find(|one| one["title"].as_str().expect("a text").contains("missing"));
    let chosen =
        client.request("codeAction/resolve", declare.unwrap_or_else(|| panic!("{all:#}")).clone());
    assert!(chosen["edit"].to_string().contains("variable \\\"missing\\\""), "{chosen:#}");
}

#[test]
fn an_action_that_is_not_offered_any_more_is_refused() {
    let mut client = TestClient::of(&[("/w/main.tf", MAIN)]);
    client.open_file("/w/main.tf");
    let all = offered(&mut client, 6, 12, Some("quickfix"));
    client.change("/w/main.tf", "\n\n\n\n\n\n\n\n\n\n");
    assert_eq!(client.error("codeAction/resolve", all[0].clone()), -32803);
}

/// Tests that code actions contain edits for clients that cannot resolve them, and are commands for clients that know only these.
#[test]
fn clients_that_resolve_nothing_get_edits_and_older_ones_commands() {
    let mut capabilities = capable();
    capabilities["textDocument"]["codeAction"] =
        json!({ "codeActionLiteralSupport": { "codeActionKind": { "valueSet": [] } } });
    let mut client = TestClient::with(&[("/w/main.tf", MAIN)], capabilities.clone());
    client.open_file("/w/main.tf");
    let all = offered(&mut client, 6, 12, Some("quickfix"));
    assert!(made(MAIN, &all[0]).contains("  value = local.size\n"));
    capabilities["textDocument"]["codeAction"] = json!({});
    let mut client = TestClient::with(&[("/w/main.tf", MAIN)], capabilities);
    client.open_file("/w/main.tf");
    let all = offered(&mut client, 6, 12, Some("quickfix"));
    let params = json!({ "command": all[0]["command"], "arguments": all[0]["arguments"] });
    client.request("workspace/executeCommand", params);
    let asked = client.told("workspace/applyEdit");
    assert!(made(MAIN, &asked[0]).contains("  value = local.size\n"), "{asked:?}");
    assert_eq!(client.files.text("/w/main.tf").unwrap(), MAIN);
}

#[test]
fn sources_follow_a_folder_that_moves() {
    let text = "module \"m\" {\n  source = \"./m\"\n}\n";
    let mut client = TestClient::of(&[("/w/main.tf", text), ("/w/m/main.tf", "")]);
    client.open_file("/w/main.tf");
    let moved = json!({ "oldUri": uri("/w/m"), "newUri": uri("/w/modules/net") });
    let edit = client.request("workspace/willRenameFiles", json!({ "files": [moved] }));
    let change = &edit["documentChanges"][0];
    assert_eq!(edited(text, &change["edits"]), text.replace("./m", "./modules/net"));
    assert_eq!(change["edits"][0]["annotationId"], "groma");
    assert_eq!(edit["changeAnnotations"]["groma"]["needsConfirmation"], true);
    let moved = json!({ "oldUri": uri("/w/elsewhere"), "newUri": uri("/w/x") });
    assert_eq!(
        client.request("workspace/willRenameFiles", json!({ "files": [moved] })),
        Value::Null
    );
    assert_eq!(client.error("workspace/willRenameFiles", json!({})), -32602);
}
