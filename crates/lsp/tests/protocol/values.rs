//! Groma's own questions: an expression, where a value comes from, and the plan.

use serde_json::{Value, json};

use crate::client::{TestClient, about, at};

/// A module with a number of many digits, a repeated resource and a sensitive variable.
const MAIN: &str = "variable \"n\" {\n  default = 12345678901234567890.5\n}\n\nlocals {\n  twice = var.n * 2\n}\n\nresource \"terraform_data\" \"a\" {\n  for_each = toset([\"k\"])\n  input    = each.key\n}\n\nvariable \"secret\" {\n  default   = \"hidden\"\n  sensitive = true\n}\n";

/// Returns a client that has opened [`MAIN`].
fn opened() -> TestClient {
    let mut client = TestClient::of(&[("/w/main.tf", MAIN)]);
    client.open_file("/w/main.tf");
    client
}

#[test]
fn an_expression_has_a_value_with_every_digit() {
    let mut client = opened();
    let mut params = about("/w/main.tf");
    params["expression"] = json!("local.twice + 1");
    let id = client.begin_request("groma/eval", &params);
    while client.server.step() {}
    while let Some(job) = client.server.next_job() {
        client.server.finish(job.run());
    }
    let mut found = String::new();
    while let Some(output) = client.server.next_output() {
        if let groma_lsp::ServerOutput::Message(text) = output
            && text.contains("result")
        {
            found = text;
        }
    }
    assert!(found.contains("24691357802469135782"), "{id}: {found}");
}

/// Tests that `groma/eval` evaluates an expression in the instance at the position.
#[test]
fn an_expression_stands_where_it_is_asked() {
    let mut client = opened();
    let mut params = at("/w/main.tf", 10, 5);
    params["expression"] = json!("each.key");
    let answer = client.request("groma/eval", params.clone());
    assert_eq!(answer["value"], "k", "{answer}");
    params["expression"] = json!("nothing.here");
    let answer = client.request("groma/eval", params);
    assert!(answer["diagnostics"].as_array().is_some_and(|all| !all.is_empty()), "{answer}");
    assert_eq!(client.error("groma/eval", about("/w/main.tf")), -32602);
}

#[test]
fn a_value_says_where_it_comes_from() {
    let mut client = opened();
    let tree = client.request("groma/why", at("/w/main.tf", 5, 13));
    assert_eq!(tree["address"], "var.n", "{tree}");
    let tree = client.request("groma/why", at("/w/main.tf", 5, 3));
    assert_eq!(tree["address"], "local.twice");
    assert_eq!(tree["from"][0]["address"], "var.n");
    let tree = client.request("groma/why", at("/w/main.tf", 8, 28));
    assert_eq!(tree["address"], "terraform_data.a[\"k\"]");
    assert_eq!(client.error("groma/why", at("/w/main.tf", 3, 0)), -32803);
    assert_eq!(client.error("groma/why", about("/w/main.tf")), -32602);
}

#[test]
fn a_plan_is_the_document_of_the_command() {
    let mut client = opened();
    let plan = client.request("groma/plan", about("/w/main.tf"));
    assert_eq!(plan["resource_changes"][0]["address"], "terraform_data.a[\"k\"]");
}

#[test]
fn what_is_sensitive_is_not_shown() {
    let mut client = opened();
    let hover = client.at("textDocument/hover", "/w/main.tf", 13, 11);
    assert!(!hover.to_string().contains("hidden"), "{hover}");
    let tree = client.request("groma/why", at("/w/main.tf", 13, 11));
    assert_eq!(tree["value"], Value::Null);
    let all = client.request("textDocument/codeLens", about("/w/main.tf"));
    assert!(!all.to_string().contains("hidden"));
}

/// Tests that a running request is cancelled by `$/cancelRequest`.
#[test]
fn a_question_that_is_being_answered_is_cancelled() {
    let mut client = opened();
    client.has_worker = false;
    let id = client.begin_request("groma/plan", &about("/w/main.tf"));
    client.settle();
    client.send(&json!({ "jsonrpc": "2.0", "method": "$/cancelRequest", "params": { "id": id } }));
    client.has_worker = true;
    client.settle();
    assert_eq!(client.taken(id).unwrap()["error"]["code"], -32800);
}

/// Tests `groma/eval` and `groma/why` in a Packer template.
#[test]
fn a_packer_template_is_asked_as_a_module_is() {
    let text = "variable \"size\" {\n  default = 2\n}\n\nlocals {\n  twice = var.size * 2\n}\n\nsource \"null\" \"box\" {\n  communicator = \"none\"\n}\n\nbuild {\n  sources = [\"source.null.box\"]\n}\n";
    let mut client =
        TestClient::of(&[("/w/a.pkr.hcl", text), ("/w/b.auto.pkrvars.hcl", "size = 5\n")]);
    client.open_file("/w/a.pkr.hcl");
    let mut params = about("/w/a.pkr.hcl");
    params["expression"] = json!("local.twice + 1");
    assert_eq!(client.request("groma/eval", params)["value"], 11);
    for (line, column) in [(5, 4), (5, 2)] {
        let why = client.at("groma/why", "/w/a.pkr.hcl", line, column);
        assert_eq!(why["address"], "local.twice", "{why:#}");
        assert_eq!(why["value"], 10);
        assert_eq!(why["from"][0]["address"], "var.size", "{why:#}");
        assert_eq!(why["from"][0]["from"][0]["kind"], "tfvars", "{why:#}");
    }
    // A position in a reference selects its declaration, and another position the block around it.
    assert_eq!(client.at("groma/why", "/w/a.pkr.hcl", 5, 16)["address"], "var.size");
    let source = client.at("groma/why", "/w/a.pkr.hcl", 9, 6);
    assert_eq!(source["address"], "source.null.box", "{source:#}");
    assert_eq!(client.error("groma/why", at("/w/a.pkr.hcl", 3, 0)), -32803);
}
