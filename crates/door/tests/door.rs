//! The door from outside: lines in, lines out.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;
use std::thread;

use groma_door::{JsonDoor, NoFolders};
use serde_json::{Value as Json, json};

/// Returns the parsed answer of the JSON API to a request.
fn ask(door: &JsonDoor, request: &Json) -> Json {
    let answer = door.answer(&request.to_string());
    assert!(!answer.contains('\n'), "{answer}");
    serde_json::from_str(&answer).unwrap()
}

/// Returns a JSON API with one open root, and the handle of that root.
fn opened(files: &Json, options: &Json) -> (JsonDoor, u64) {
    let door = JsonDoor::new(NoFolders);
    let request = json!({"id": "o", "call": "open", "files": files, "options": options});
    let handle = ask(&door, &request)["answer"]["handle"].as_u64().unwrap();
    (door, handle)
}

/// Returns the answer to a question about an open root, given the fields of the question.
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

/// A module with a variable, a local value, a resource with `for_each` and an output.
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

/// A Packer template with a variable, a local value and one build.
const TEMPLATE: &str = r#"variable "name" { default = "a" }
locals { zones = [for n in range(3) : "${var.name}-${n}"] }
source "null" "a" { communicator = "none" }
build {
  sources = ["null.a"]
  provisioner "shell-local" { inline = ["echo ${local.zones[1]}"] }
}
"#;

#[test]
fn a_template_answers_what_it_can() {
    let options = json!({"variables": {"name": "z"}});
    let (door, root) = opened(&json!({"main.pkr.hcl": TEMPLATE}), &options);
    let answer = |fields: Json| question(&door, root, &fields)["answer"].clone();
    let zone = json!({"question": "eval", "expression": "local.zones[1]"});
    assert_eq!(answer(zone.clone())["value"], "z-1");
    let wrong = json!({"question": "eval", "expression": "local.nothing"});
    assert_eq!(answer(wrong)["error"]["stage"], "eval");
    let check = answer(json!({"question": "check"}));
    assert_eq!(
        (&check["valid"], &check["groma"]["dialect"]["name"]),
        (&true.into(), &"packer".into())
    );
    let plan = answer(json!({"question": "plan"}));
    assert_eq!(plan["builds"][0]["provisioners"][0]["config"]["inline"][0], "echo z-1", "{plan}");
    for name in ["list", "resources"] {
        let listed = answer(json!({"question": name}));
        assert_eq!(
            (&listed[0]["address"], &listed[0]["mode"]),
            (&"null.a".into(), &"build".into())
        );
    }
    let why = answer(json!({"question": "why", "address": "local.zones"}));
    assert_eq!(why["address"], "local.zones", "{why}");
    assert!(!answer(json!({"question": "graph"}))["edges"].as_array().unwrap().is_empty());
    let ast = answer(json!({"question": "ast"}));
    assert_eq!(ast["files"][0]["name"], "main.pkr.hcl");
    assert!(answer(json!({"question": "fmt"}))["files"]["main.pkr.hcl"].is_null());
    let edits = json!([{"op": "set", "path": "variable.name.default", "to": "\"b\""}]);
    let edit = answer(json!({"question": "edit", "edits": edits}));
    assert_eq!(edit["files"][0]["path"], "main.pkr.hcl", "{edit}");
    for fields in [
        json!({"question": "outputs"}),
        json!({"question": "diff", "base": root}),
        json!({"question": "ast", "values": true}),
        json!({"question": "eval", "expression": "1", "at": "null.a"}),
    ] {
        let error = question(&door, root, &fields)["error"].clone();
        assert_eq!(error["code"], "no-answer", "{fields}: {error}");
    }
    // A template that is changed is read again, and a folder may become a module.
    let set = |path: &str, text: &str| {
        let set = json!({"id": 2, "call": "set", "handle": root, "path": path, "text": text});
        assert_eq!(ask(&door, &set)["answer"], Json::Null);
    };
    set("main.pkr.hcl", &TEMPLATE.replace("${var.name}-", "x"));
    assert_eq!(answer(zone.clone())["value"], "x1");
    set("main.tf", "locals { zones = [7, 8] }");
    assert_eq!(answer(zone)["value"], 8);
}

#[test]
fn a_template_in_json_is_a_template() {
    let text = r#"{"variable": {"name": {"default": "a"}}, "source": {"null": {"a": {"communicator": "none"}}},
        "build": {"sources": ["null.a"], "provisioner": {"shell-local": {"inline": ["echo ${var.name}"]}}}}"#;
    let (door, root) = opened(&json!({"t/main.pkr.json": text}), &json!({}));
    let missing = question(&door, root, &json!({"question": "eval", "expression": "var.name"}));
    assert!(missing["answer"]["error"].is_object(), "it is no template in the root: {missing}");
    let request = json!({"id": 1, "call": "open", "files": {"t/main.pkr.json": text}, "dir": "t/main.pkr.json"});
    let root = ask(&door, &request)["answer"]["handle"].as_u64().unwrap();
    let answer = |fields: Json| question(&door, root, &fields)["answer"].clone();
    assert_eq!(answer(json!({"question": "eval", "expression": "var.name"}))["value"], "a");
    let ast = answer(json!({"question": "ast"}));
    let items = &ast["files"][0]["body"]["items"];
    assert_eq!(
        (&items[1]["type"], &items[1]["labels"][1]["text"]),
        (&"source".into(), &"a".into())
    );
    let build = &items[2]["body"]["items"];
    assert_eq!((&build[0]["name"], &build[1]["type"]), (&"sources".into(), &"provisioner".into()));
    assert_eq!(build[1]["labels"][0]["text"], "shell-local");
    let edits = json!([{"op": "set", "path": "build[0].provisioner.shell-local.inline[0]", "to": "\"ls\""}]);
    let edit = answer(json!({"question": "edit", "edits": edits}));
    assert_eq!(edit["files"][0]["edits"][0]["new"], "ls", "{edit}");
}

#[test]
fn json_syntax_has_a_tree_and_edits() {
    let text = r#"{
  "//": "a remark",
  "variable": {"n": {"default": "say \"hi\""}},
  "locals": {"m": "a\n${var.n}", "deep": [1, {"k": true, "${var.n}": null}]},
  "resource": {"terraform_data": {"a": [{"input": "${upper(var.n)}", "lifecycle": {"ignore_changes": ["input"]}}, {}]}}
}"#;
    let (door, root) =
        opened(&json!({"main.tf.json": text, "x.auto.tfvars.json": "{\"n\": \"v\"}"}), &json!({}));
    let answer = |fields: Json| question(&door, root, &fields)["answer"].clone();
    let ast = answer(json!({"question": "ast", "values": true}));
    let file = &ast["files"][0];
    assert_eq!(file["diagnostics"], json!([]));
    let items = file["body"]["items"].as_array().unwrap();
    let types: Vec<&Json> = items.iter().map(|item| &item["type"]).collect();
    assert_eq!(types, ["variable", "locals", "resource", "resource"]);
    let part = |range: &Json| -> &str {
        &text[range[0].as_u64().unwrap() as usize..range[1].as_u64().unwrap() as usize]
    };
    let default = &items[0]["body"]["items"][0]["value"];
    assert_eq!((&default["kind"], &default["value"]), (&"string".into(), &"say \"hi\"".into()));
    assert_eq!(part(&default["range"]), r#""say \"hi\"""#);
    let message = &items[1]["body"]["items"][0]["value"];
    assert_eq!(
        (&message["kind"], part(&message["range"])),
        (&"template".into(), r#""a\n${var.n}""#)
    );
    // Behind an escape a place is where it is written.
    let reference = &message["parts"][1]["value"];
    assert_eq!((&reference["root"], part(&reference["range"])), (&"var".into(), "var.n"));
    assert_eq!(reference["resolves_to"]["address"], "var.n");
    assert_eq!(reference["resolves_to"]["file"], "main.tf.json");
    let deep = &items[1]["body"]["items"][1]["value"];
    assert_eq!((&deep["kind"], &deep["items"][1]["kind"]), (&"tuple".into(), &"object".into()));
    assert_eq!(deep["items"][1]["items"][1]["key"]["kind"], "template");
    let input = &items[2]["body"]["items"][0];
    assert_eq!(
        (&input["name"], &input["value"]["parts"][0]["value"]["name"]),
        (&"input".into(), &"upper".into())
    );
    assert_eq!(input["value"]["values"][0]["value"], "V", "{input}");
    assert_eq!(items[2]["body"]["items"][1]["type"], "lifecycle");
    assert_eq!(items[3]["labels"], items[2]["labels"]);
    let edits = json!([{"op": "set", "path": "locals.m", "to": "\"b\""}]);
    let edit = answer(json!({"question": "edit", "edits": edits}));
    assert_eq!(edit["files"][0]["path"], "main.tf.json", "{edit}");
    let fmt = json!({"question": "fmt", "path": "main.tf.json"});
    assert_eq!(question(&door, root, &fmt)["error"]["code"], "refused");
    assert_eq!(answer(json!({"question": "fmt"})), json!({"files": {}}));
}

#[test]
fn a_state_beside_the_root_counts() {
    let code = "resource \"terraform_data\" \"a\" { input = 1 }\noutput \"id\" { value = terraform_data.a.id }";
    let state = |id: &str| {
        let instance = json!({"schema_version": 0, "attributes": {
            "id": id, "input": {"value": 1, "type": "number"}, "output": {"value": 1, "type": "number"}, "triggers_replace": null}});
        json!({"version": 4, "terraform_version": "1.11.4", "serial": 1, "lineage": "x", "outputs": {}, "resources": [{
            "mode": "managed", "type": "terraform_data", "name": "a", "provider": "provider[\"terraform.io/builtin/terraform\"]",
            "instances": [instance]}]})
        .to_string()
    };
    let (door, root) =
        opened(&json!({"main.tf": code, "terraform.tfstate": state("first")}), &json!({}));
    let answer = |fields: Json| question(&door, root, &fields)["answer"].clone();
    let id = json!({"question": "eval", "expression": "terraform_data.a.id"});
    assert_eq!(answer(id.clone())["value"], "first");
    assert_eq!(answer(json!({"question": "outputs"}))["id"]["value"], "first");
    let why = answer(json!({"question": "why", "address": "output.id"}));
    assert_eq!(why["value"], "first", "{why}");
    let set = json!({"id": 2, "call": "set", "handle": root, "path": "terraform.tfstate", "text": state("second")});
    assert_eq!(ask(&door, &set)["answer"], Json::Null);
    assert_eq!(answer(id)["value"], "second");
    assert_eq!(answer(json!({"question": "outputs"}))["id"]["value"], "second");
}

/// A question may be asked as often as one likes: what it leaves behind does not fill the memory that it may use.
#[test]
fn fifty_thousand_questions_are_answered_alike() {
    let options = json!({"limits": {"memory": 20_000_000}});
    let (door, root) = opened(&json!({"main.tf": CODE}), &options);
    let (template, page) = opened(&json!({"main.pkr.hcl": TEMPLATE}), &options);
    for round in 0..25_000 {
        let text = match round % 4 {
            0 => "local.first".to_owned(),
            1 => format!("[for n in range(100) : \"{round}-${{n}}\"][7]"),
            2 => format!("timestamp() == \"{round}\""),
            _ => format!("local.nothing_{round}"),
        };
        let line = |handle: u64| {
            json!({"id": round, "call": "ask", "handle": handle, "question": "eval", "expression": text}).to_string()
        };
        let (answer, other) = (door.answer(&line(root)), template.answer(&line(page)));
        match round % 4 {
            0 => assert!(answer.contains("\"value\":\"A\""), "{answer}"),
            1 => {
                let value = format!("\"value\":\"{round}-7\"");
                assert!(answer.contains(&value) && other.contains(&value), "{answer} {other}");
            }
            2 => {
                assert!(answer.contains("\"unknown\"") && other.contains("\"unknown\""), "{answer}")
            }
            _ => assert!(answer.contains("undeclared") && other.contains("\"error\""), "{other}"),
        }
    }
}
