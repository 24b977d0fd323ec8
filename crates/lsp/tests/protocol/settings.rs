//! Settings beside the code, in a server whose files are in memory, as in a browser.

use serde_json::{Value, json};

use crate::client::{TestClient, uri};

/// A module with a variable and an argument that [`SCHEMA`] does not know.
const CODE: &str = "variable \"n\" {\n  default = 1\n}\n\nlocals {\n  n = var.n\n}\n\nresource \"a_thing\" \"it\" {\n  sise = 1\n}\n";

/// Returns a client that has opened [`CODE`], with these further files beside it.
fn open(files: &[(&str, &str)]) -> TestClient {
    let mut all = vec![
        ("/w/net/main.tf", CODE),
        ("/w/net/prod.tfvars", "n = 7\n"),
        ("/w/all.tfvars", "n = 8\n"),
    ];
    all.extend(files);
    let mut client = TestClient::of(&all);
    client.open_file("/w/net/main.tf");
    client
}

/// Returns the value of `local.n` as its hover text shows it.
fn value(client: &mut TestClient) -> String {
    let hover = client.at("textDocument/hover", "/w/net/main.tf", 5, 2);
    let text = hover["contents"]["value"].as_str().unwrap_or_default().to_owned();
    text.lines().nth(1).unwrap_or_default().to_owned()
}

/// Returns the messages that the server has shown to the user.
fn said(client: &TestClient) -> Vec<String> {
    let all = client.told("window/showMessage").into_iter();
    all.filter_map(|one| one["message"].as_str().map(String::from)).collect()
}

/// Writes a file on the server's disk and reports the change.
fn write(client: &mut TestClient, path: &str, text: &str) {
    client.files.write(path, text.as_bytes());
    let change = json!({ "uri": uri(path), "type": 2 });
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [change] }));
}

#[test]
fn values_come_from_the_files_of_groma_toml() {
    let mut client = open(&[("/w/net/groma.toml", "var-files = [\"prod.tfvars\"]\n")]);
    assert_eq!(value(&mut client), "7");
    // Changed without a restart; paths start at the folder of the file.
    write(&mut client, "/w/net/groma.toml", "var-files = [\"../all.tfvars\"]\n");
    assert_eq!(value(&mut client), "8");
    // The nearest file counts, and the editor's own setting comes after it.
    client.settings = json!({ "variables": { "n": "9" } });
    client.notify("workspace/didChangeConfiguration", json!({ "settings": Value::Null }));
    assert_eq!(value(&mut client), "\"9\"");
    assert_eq!(said(&client), Vec::<String>::new());
    let mut above = open(&[("/w/groma.toml", "var-files = [\"all.tfvars\"]\n")]);
    assert_eq!(value(&mut above), "8");
}

#[test]
fn lint_and_limits_of_groma_toml_count() {
    let mut client = open(&[]);
    let rules = |client: &TestClient| {
        let found = client.findings("/w/net/main.tf");
        found.iter().filter(|one| one.contains("unused-local")).count()
    };
    assert_eq!(rules(&client), 1, "{:?}", client.findings("/w/net/main.tf"));
    write(&mut client, "/w/net/groma.toml", "[check]\nallow = [\"unused-local\"]\n");
    assert_eq!(rules(&client), 0);
    write(&mut client, "/w/net/groma.toml", "[check]\nlint = false\n");
    assert_eq!(rules(&client), 0);
    write(&mut client, "/w/net/groma.toml", "[check]\nlint = true\n[limits]\nmemory = \"1kB\"\n");
    let found = client.findings("/w/net/main.tf");
    assert!(found.iter().any(|one| one.contains("limit-memory")), "{found:?}");
    // The server has no clock, which is reported once for all roots.
    write(&mut client, "/w/net/groma.toml", "[limits]\ntimeout = \"1s\"\n");
    write(&mut client, "/w/net/groma.toml", "[limits]\ntimeout = \"1s\"\n# again\n");
    assert_eq!(rules(&client), 1);
    let said = said(&client);
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].starts_with("The limit \"timeout\" of groma.toml does not count"), "{said:?}");
}

#[test]
fn dialect_schema_mocks_and_modules_of_groma_toml_count() {
    let mut client = open(&[
        ("/w/net/schema.json", SCHEMA),
        ("/w/net/groma.toml", "schema = \"schema.json\"\n"),
        ("/w/kept/main.tf", "output \"o\" { value = 5 }\n"),
    ]);
    // The argument is missing in the schema.
    let has = |client: &TestClient| {
        client.findings("/w/net/main.tf").iter().any(|one| one.contains(" 9:2-"))
    };
    assert!(has(&client), "{:?}", client.findings("/w/net/main.tf"));
    write(
        &mut client,
        "/w/net/groma.toml",
        "dialect = \"opentofu\"\n[modules]\n\"a/b/c\" = \"../kept\"\n",
    );
    assert!(!has(&client));
    let code = "module \"m\" {\n  source = \"a/b/c\"\n}\n\nlocals {\n  o = module.m.o\n}\n";
    client.change("/w/net/main.tf", code);
    let hover = client.at("textDocument/hover", "/w/net/main.tf", 5, 2);
    assert!(
        hover["contents"]["value"].as_str().is_some_and(|text| text.contains("\n5\n")),
        "{hover}"
    );
    // A mistake in the file is reported with its line, and the code is loaded all the same.
    write(&mut client, "/w/net/groma.toml", "dialect = \"cobol\"\n");
    assert_eq!(said(&client), ["/w/net/groma.toml line 1: there is no dialect \"cobol\"."]);
    write(&mut client, "/w/net/groma.toml", "dialects = 1\n");
    assert!(said(&client).iter().any(|one| one.contains("Did you mean \"dialect\"?")));
}

#[test]
fn settings_of_untrusted_code_are_ignored() {
    let files = [
        ("/w/net/main.tf", CODE),
        ("/w/net/groma.toml", "var-files = [\"prod.tfvars\"]\n"),
        ("/w/net/prod.tfvars", "n = 7\n"),
    ];
    let mut client = TestClient::silent(&files);
    client.begin(json!({
        "processId": null,
        "capabilities": crate::client::capable(),
        "workspaceFolders": [{ "uri": "file:///w", "name": "w" }],
        "initializationOptions": { "isTrusted": false },
    }));
    client.open_file("/w/net/main.tf");
    assert_eq!(value(&mut client), "1");
    assert_eq!(said(&client), ["the code is untrusted, so its groma.toml is ignored."]);
}

/// A provider schema of the resource type in [`CODE`].
const SCHEMA: &str = r#"{ "format_version": "1.0", "provider_schemas": { "registry.terraform.io/hashicorp/a": { "resource_schemas": { "a_thing": { "version": 0, "block": { "attributes": { "size": { "type": "number", "optional": true } } } } } } } }"#;
