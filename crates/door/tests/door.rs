//! The door from outside: lines in, lines out.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;
use std::thread;

use groma_door::{JsonDoor, NoFolders};
use serde_json::{Value as Json, json};

fn ask(door: &JsonDoor, request: &Json) -> Json {
    let answer = door.answer(&request.to_string());
    assert!(!answer.contains('\n'), "{answer}");
    serde_json::from_str(&answer).unwrap()
}

/// A door with one open root, and its number.
fn opened(files: &Json, options: &Json) -> (JsonDoor, u64) {
    let door = JsonDoor::new(NoFolders);
    let request = json!({"id": "o", "call": "open", "files": files, "options": options});
    let handle = ask(&door, &request)["answer"]["handle"].as_u64().unwrap();
    (door, handle)
}

fn question(door: &JsonDoor, handle: u64, fields: &Json) -> Json {
    let mut fields = fields.clone();
    let request = fields.as_object_mut().unwrap();
    request.insert("id".to_owned(), 1.into());
    request.insert("call".to_owned(), "ask".into());
    request.insert("handle".to_owned(), handle.into());
    let answer = ask(door, &fields);
    assert_eq!(answer["id"], 1);
    answer
}

const CODE: &str = r#"variable "zones" {
  type    = list(string)
  default = ["a", "b"]
}

locals { first = upper(var.zones[0]) }

resource "terraform_data" "zone" {
  for_each = toset(var.zones)
  input    = each.key
}

output "first" { value = local.first }
"#;

#[test]
fn every_question_has_an_answer() {
    let (door, root) = opened(&json!({"main.tf": CODE}), &json!({}));
    let answer = |fields: Json| question(&door, root, &fields)["answer"].clone();
    assert_eq!(answer(json!({"question": "eval", "expression": "local.first"}))["value"], "A");
    let at = "terraform_data.zone[\"b\"]";
    let at = json!({"question": "eval", "expression": "each.key", "at": at});
    assert_eq!(answer(at)["value"], "b");
    assert_eq!(answer(json!({"question": "outputs"}))["first"]["value"], "A");
    let plan = answer(json!({"question": "plan"}));
    assert_eq!(plan["resource_changes"].as_array().unwrap().len(), 2);
    assert_eq!(answer(json!({"question": "check"}))["valid"], true);
    let addresses = |list: &Json| -> Vec<String> {
        let address = |one: &Json| one["address"].as_str().unwrap().to_owned();
        list.as_array().unwrap().iter().map(address).collect()
    };
    let both = ["terraform_data.zone[\"a\"]", "terraform_data.zone[\"b\"]"];
    assert_eq!(addresses(&answer(json!({"question": "list"}))), both);
    assert_eq!(addresses(&answer(json!({"question": "resources"}))), both);
    let why = answer(json!({"question": "why", "address": "local.first"}));
    assert_eq!(why["address"], "local.first", "{why}");
    assert!(answer(json!({"question": "graph"}))["edges"].as_array().is_some());
    let ast = answer(json!({"question": "ast", "values": true}));
    assert_eq!(ast["files"][0]["name"], "main.tf");
    assert_eq!(answer(json!({"question": "fmt"})), json!({"files": {}}));
    let edits = json!([{"op": "set", "path": "locals.first", "to": "1"}]);
    let edit = answer(json!({"question": "edit", "edits": edits}));
    assert_eq!(edit["files"][0]["edits"][0]["new"], "1", "{edit}");
    // Nothing has changed by it.
    assert_eq!(answer(json!({"question": "eval", "expression": "local.first"}))["value"], "A");
}

#[test]
fn texts_change_and_roots_are_compared() {
    let (door, older) = opened(&json!({"main.tf": CODE}), &json!({}));
    let request = json!({"id": 1, "call": "open", "files": {"main.tf": CODE}});
    let newer = ask(&door, &request)["answer"]["handle"].as_u64().unwrap();
    let text = CODE.replace("upper", "lower");
    let set = json!({"id": 2, "call": "set", "handle": newer, "path": "main.tf", "text": text});
    assert_eq!(ask(&door, &set), json!({"id": 2, "answer": null}));
    let first = json!({"question": "eval", "expression": "local.first"});
    assert_eq!(question(&door, newer, &first)["answer"]["value"], "a");
    assert_eq!(question(&door, older, &first)["answer"]["value"], "A");
    let diff = question(&door, newer, &json!({"question": "diff", "base": older}));
    assert!(diff["answer"]["output_changes"]["first"].is_object(), "{diff}");
    let close = json!({"id": 3, "call": "close", "handle": older});
    assert_eq!(ask(&door, &close)["answer"], Json::Null);
    assert_eq!(ask(&door, &close)["error"]["code"], "unknown-handle");
}

#[test]
fn what_is_given_counts() {
    let options = json!({
        "variables": {"zones": ["x"]},
        "dialect": "terraform@1.11",
        "now": "2026-01-02T03:04:05Z",
    });
    let (door, root) = opened(&json!({"main.tf": CODE}), &options);
    let value = |text: &str| {
        let asked = json!({"question": "eval", "expression": text});
        question(&door, root, &asked)["answer"]["value"].clone()
    };
    assert_eq!(value("local.first"), "X");
    assert_eq!(value("timestamp()"), "2026-01-02T03:04:05Z");
}

#[test]
fn a_wrong_request_is_answered_and_the_next_one_too() {
    let (door, root) = opened(&json!({"main.tf": CODE}), &json!({}));
    let code = |line: &str| -> String {
        let answer: Json = serde_json::from_str(&door.answer(line)).unwrap();
        answer["error"]["code"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
    };
    for line in [
        "",
        "{",
        "[]",
        "null",
        "\u{0}",
        r#"{"call":"open"}"#,
        r#"{"id":1}"#,
        r#"{"id":1,"call":"burn"}"#,
        r#"{"id":1,"call":"open","files":{"a":1}}"#,
        r#"{"id":1,"call":"open","files":{},"options":{"dialcet":"terraform"}}"#,
        r#"{"id":1,"call":"open","files":{},"options":{"dialect":"cobol"}}"#,
        r#"{"id":1,"call":"ask","question":"plan"}"#,
        r#"{"id":1,"call":"ask","handle":1}"#,
        r#"{"id":1,"call":"ask","handle":1,"question":"eval"}"#,
        r#"{"id":1,"call":"ask","handle":1,"question":"plan","expression":"1"}"#,
    ] {
        assert_eq!(code(line), "bad-request", "{line}");
    }
    assert_eq!(code(r#"{"id":1,"call":"ask","handle":1,"question":"apply"}"#), "unknown-question");
    assert_eq!(code(r#"{"id":1,"call":"ask","handle":9,"question":"plan"}"#), "unknown-handle");
    assert_eq!(code(r#"{"id":1,"call":"open","dir":"/etc"}"#), "cannot-open");
    let nowhere = json!({"question": "why", "address": "local.nothing"});
    assert_eq!(question(&door, root, &nowhere)["error"]["code"], "no-such-address");
    let deep = format!(r#"{{"id":1,"call":{}"#, "[".repeat(100_000));
    assert_eq!(code(&deep), "bad-request");
    let eval = json!({"question": "eval", "expression": "1 +"});
    let answer = question(&door, root, &eval);
    assert!(answer["answer"]["error"].is_object(), "{answer}");
    let eval = json!({"question": "eval", "expression": "1 + 1"});
    assert_eq!(question(&door, root, &eval)["answer"]["value"], 2);
}

#[test]
fn a_limit_ends_one_question() {
    let (door, root) = opened(&json!({"main.tf": CODE}), &json!({"limits": {"steps": 5000}}));
    let many = "length([for a in range(1000) : [for b in range(100) : a]])";
    let many = json!({"question": "eval", "expression": many});
    assert_eq!(question(&door, root, &many)["error"]["code"], "limit-steps");
    let few = json!({"question": "eval", "expression": "local.first"});
    assert_eq!(question(&door, root, &few)["answer"]["value"], "A");
}

#[test]
fn roots_are_asked_from_many_threads() {
    let door = Arc::new(JsonDoor::new(NoFolders));
    let workers: Vec<_> = (0..4)
        .map(|number| {
            let door = door.clone();
            thread::spawn(move || {
                let text = format!("locals {{ n = {number} }}");
                let request = json!({"id": 0, "call": "open", "files": {"main.tf": text}});
                let root = ask(&door, &request)["answer"]["handle"].as_u64().unwrap();
                for _ in 0..200 {
                    let asked = json!({"question": "eval", "expression": "local.n"});
                    assert_eq!(question(&door, root, &asked)["answer"]["value"], number);
                }
            })
        })
        .collect();
    workers.into_iter().for_each(|worker| worker.join().unwrap());
}
