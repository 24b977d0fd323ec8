//! Findings, pushed and asked for.

use serde_json::{Value, json};

use crate::client::{TestClient, about, capable, shown, uri};

/// A module with two unused local values.
const WRONG: &str = "locals {\n  unused = 1\n  idle   = 2\n}\n\noutput \"a\" {\n  value = 1\n}\n";

/// Returns the capabilities of a client that requests diagnostics instead of having them published.
fn pulling() -> Value {
    let mut all = capable();
    all["textDocument"]["diagnostic"] = json!({ "dynamicRegistration": false });
    all
}

/// Tests the parts of a published diagnostic: version, severity, source, tags and the link to its manual page.
#[test]
fn findings_are_published_with_all_that_is_known_of_them() {
    let mut client = TestClient::of(&[("/w/main.tf", WRONG)]);
    client.open_file("/w/main.tf");
    let found = client.published[&uri("/w/main.tf")].clone();
    assert_eq!(found["version"], 1);
    let all = found["diagnostics"].as_array().unwrap();
    let unused = all.iter().find(|one| one["code"] == "unused-local").unwrap();
    assert_eq!(unused["tags"], json!([1]));
    assert_eq!(unused["severity"], 2);
    assert_eq!(unused["source"], "groma");
    assert!(unused["codeDescription"]["href"].as_str().unwrap().ends_with("unused-local"));
    client.change("/w/main.tf", "output \"a\" {\n  value = nothing.here\n}\n");
    assert_eq!(client.findings("/w/main.tf"), ["1 undeclared-reference 1:10-1:22"]);
}

/// Tests that diagnostics can be requested for a file that is not open.
#[test]
fn a_document_that_is_not_open_is_answered_for() {
    let files = [("/w/main.tf", WRONG), ("/w/net/main.tf", "output \"a\" {\n  value = b\n}\n")];
    let mut client = TestClient::with(&files, pulling());
    client.open_file("/w/main.tf");
    for _ in 0..2 {
        let report = client.request("textDocument/diagnostic", about("/w/net/main.tf"));
        assert_eq!(report["items"].as_array().map(Vec::len), Some(1), "{report:#}");
    }
    // The diagnostics of the open document stay the same.
    let report = client.request("textDocument/diagnostic", about("/w/main.tf"));
    assert_eq!(report["items"].as_array().map(Vec::len), Some(2), "{report:#}");
}

/// Tests that diagnostics are published after each edit, and withdrawn when the document is closed.
#[test]
fn findings_follow_edits_and_go_with_the_document() {
    let mut client = TestClient::of(&[("/w/main.tf", WRONG)]);
    client.open_file("/w/main.tf");
    assert_eq!(client.findings("/w/main.tf").len(), 2, "{:?}", client.findings("/w/main.tf"));
    client.change("/w/main.tf", "output \"a\" {\n  value = 1\n}\n");
    assert!(client.findings("/w/main.tf").is_empty());
    assert_eq!(client.published[&uri("/w/main.tf")]["version"], 2);
    client.change("/w/main.tf", WRONG);
    assert_eq!(client.findings("/w/main.tf").len(), 2);
    client.close("/w/main.tf");
    assert!(client.findings("/w/main.tf").is_empty());
}

/// Tests that a failed validation is published when the values file changes.
#[test]
fn what_follows_from_values_is_found() {
    let text = "variable \"n\" {\n  type = number\n  validation {\n    condition     = var.n < 5\n    error_message = \"Too many.\"\n  }\n}\n\noutput \"n\" {\n  value = var.n\n}\n";
    let mut client = TestClient::of(&[("/w/main.tf", text), ("/w/terraform.tfvars", "n = 3\n")]);
    client.open_file("/w/main.tf");
    assert!(client.findings("/w/main.tf").is_empty());
    client.open("/w/terraform.tfvars", "n = 7\n");
    let found: Vec<String> =
        [client.findings("/w/main.tf"), client.findings("/w/terraform.tfvars")].concat();
    assert_eq!(found.len(), 1, "{found:?}");
}

/// Tests that diagnostics are published for files of the root that are not open.
#[test]
fn other_files_of_the_root_are_told_of_too() {
    let mut client = TestClient::of(&[
        ("/w/main.tf", "module \"m\" {\n  source = \"./m\"\n}\n"),
        ("/w/m/main.tf", "output \"a\" {\n  value = var.missing\n}\n"),
    ]);
    client.open_file("/w/main.tf");
    assert_eq!(client.findings("/w/m/main.tf").len(), 1);
    client.files.write("/w/m/main.tf", b"output \"a\" {\n  value = 1\n}\n");
    let changes = json!({ "changes": [{ "uri": uri("/w/m/main.tf"), "type": 2 }] });
    client.notify("workspace/didChangeWatchedFiles", changes);
    assert!(client.findings("/w/m/main.tf").is_empty());
}

/// Tests that the server finds changed files itself if the client does not report them.
#[test]
fn a_client_that_does_not_watch_is_looked_after() {
    let mut client = TestClient::with(
        &[(
            "/w/main.tf",
            "locals {\n  a = file(\"${path.module}/x\")\n}\noutput \"a\" {\n  value = local.a\n}\n",
        )],
        json!({}),
    );
    client.open_file("/w/main.tf");
    let before = client.findings("/w/main.tf");
    assert_eq!(before.len(), 1, "{before:?}");
    client.files.write("/w/x", b"text");
    client.server.poll_files();
    client.settle();
    assert!(client.findings("/w/main.tf").is_empty());
}

/// Tests that requested diagnostics are reported as unchanged if the client names their id.
#[test]
fn a_client_asks_and_is_told_once() {
    let mut client = TestClient::with(&[("/w/main.tf", WRONG)], pulling());
    client.open_file("/w/main.tf");
    assert!(client.published.is_empty());
    let report = client.request("textDocument/diagnostic", about("/w/main.tf"));
    assert_eq!(report["kind"], "full");
    assert_eq!(shown(&report["items"]).len(), 2);
    let mut params = about("/w/main.tf");
    params["previousResultId"] = report["resultId"].clone();
    let again = client.request("textDocument/diagnostic", params.clone());
    assert_eq!(again["kind"], "unchanged");
    client.change("/w/main.tf", "\n");
    let fresh = client.request("textDocument/diagnostic", params);
    assert_eq!(fresh["items"], json!([]));
    assert_ne!(fresh["resultId"], report["resultId"]);
}

#[test]
fn files_of_no_root_have_their_syntax_checked() {
    let mut client = TestClient::of(&[]);
    client.open("/w/terragrunt.hcl", "inputs = {\n  a = \n}\n");
    assert_eq!(client.findings("/w/terragrunt.hcl").len(), 1);
    client.change("/w/terragrunt.hcl", "inputs = {\n  a = 1\n}\n");
    assert!(client.findings("/w/terragrunt.hcl").is_empty());
    let mut client = TestClient::with(&[], pulling());
    client.open("/w/terragrunt.hcl", "inputs = {\n  a = \n}\n");
    let report = client.request("textDocument/diagnostic", about("/w/terragrunt.hcl"));
    assert_eq!(shown(&report["items"]).len(), 1);
}

/// Tests that opening a further document of a checked root publishes its diagnostics with its version.
#[test]
fn a_document_of_a_root_that_is_checked_is_told_of_too() {
    let mut client =
        TestClient::of(&[("/w/main.tf", "locals {}\n"), ("/w/more.tf", "locals {}\n")]);
    client.open_file("/w/main.tf");
    assert!(!client.published.contains_key(&uri("/w/more.tf")));
    client.open_file("/w/more.tf");
    assert_eq!(client.published[&uri("/w/more.tf")]["version"], 1);
}

#[test]
fn files_that_no_root_reads_have_their_syntax_checked() {
    let files = [("/w/main.tf", "variable \"n\" {}\n")];
    for pulls in [false, true] {
        let mut client = match pulls {
            true => TestClient::with(&files, pulling()),
            false => TestClient::of(&files),
        };
        client.open_file("/w/main.tf");
        for (path, broken, right) in [
            ("/w/tests/a.tftest.hcl", "run \"a\" {\n", "run \"a\" {}\n"),
            ("/w/a.tfmock.hcl", "mock_resource {\n", "mock_resource \"a\" {}\n"),
            ("/w/a.tfquery.hcl", "list \"a\" \n", "list \"a\" \"b\" {}\n"),
            ("/w/other.tfvars", "n = \n", "n = 1\n"),
            ("/w/a.tftpl", "a ${x", "a ${x}"),
            ("/w/a.tfcomponent.hcl", "component \"a\" {\n", "component \"a\" {}\n"),
        ] {
            let found = |client: &mut TestClient| match pulls {
                false => client.findings(path),
                true => {
                    let report = client.request("textDocument/diagnostic", about(path));
                    shown(&report["items"])
                }
            };
            client.open(path, broken);
            assert!(!found(&mut client).is_empty(), "{path}");
            client.change(path, right);
            assert_eq!(found(&mut client), [""; 0], "{path}");
            client.close(path);
        }
    }
}

/// Tests `workspace/diagnostic`: all folders, unchanged reports, changed files and cancellation.
#[test]
fn the_whole_workspace_is_asked_for() {
    let wrong = "output \"a\" {\n  value = nothing.here\n}\n";
    let mut client = TestClient::with(
        &[("/w/main.tf", WRONG), ("/w/deep/er/main.tf", wrong), ("/w/well/main.tf", "")],
        pulling(),
    );
    client.open_file("/w/main.tf");
    let none = json!({ "previousResultIds": [] });
    let report = client.request("workspace/diagnostic", none.clone());
    let items = report["items"].as_array().unwrap().clone();
    let uris: Vec<&Value> = items.iter().map(|one| &one["uri"]).collect();
    assert_eq!(uris, [&uri("/w/deep/er/main.tf"), &uri("/w/main.tf")]);
    assert_eq!(items[1]["version"], 1);
    let known = |items: &[Value]| -> Vec<Value> {
        let all = items.iter();
        all.map(|one| json!({ "uri": one["uri"], "value": one["resultId"] })).collect()
    };
    let params = json!({ "previousResultIds": known(&items) });
    let report = client.request("workspace/diagnostic", params.clone());
    assert!(report["items"].as_array().unwrap().iter().all(|one| one["kind"] == "unchanged"));
    client.files.write("/w/deep/er/main.tf", b"output \"a\" {\n  value = 1\n}\n");
    let changes = json!({ "changes": [{ "uri": uri("/w/deep/er/main.tf"), "type": 2 }] });
    client.notify("workspace/didChangeWatchedFiles", changes);
    let report = client.request("workspace/diagnostic", params);
    assert_eq!(report["items"][0]["items"], json!([]));
    assert_eq!(report["items"][1]["kind"], "unchanged");
    client.has_worker = false;
    let id = client.begin_request("workspace/diagnostic", &none);
    client.settle();
    client.send(&json!({ "jsonrpc": "2.0", "method": "$/cancelRequest", "params": { "id": id } }));
    client.has_worker = true;
    client.settle();
    assert_eq!(client.taken(id).unwrap()["error"]["code"], -32800);
}

/// Tests that an empty list of diagnostics is published for each version of a document.
#[test]
fn a_document_without_findings_is_told_of_by_its_version() {
    let text = "output \"a\" {\n  value = 1\n}\n";
    let mut client = TestClient::of(&[("/w/main.tf", text)]);
    client.open_file("/w/main.tf");
    assert_eq!(client.published[&uri("/w/main.tf")]["version"], 1);
    client.change("/w/main.tf", &text.replace('1', "2"));
    let published = &client.published[&uri("/w/main.tf")];
    assert_eq!((&published["version"], &published["diagnostics"]), (&json!(2), &json!([])));
}
