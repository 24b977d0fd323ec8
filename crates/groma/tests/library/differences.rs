//! Pairs of values and the difference that a reviewer sees between them, by the thousand: `conformance/differences`. The
//! texts are ours; `as` says which reference programs print the same.

use std::fs;
use std::sync::Arc;

use groma::review::{Action, ResourceItem, Review, SharedDeclaration};
use groma::{
    Value,
    values::{read_plain, read_value},
};
use groma_config::{InstanceKey, ResourceMode};
use groma_value::schema::BlockSchema;
use groma_value::{Path, PathStep, Str, codec, json, json_type};
use serde_json::{Value as Json, json};

/// One side of a pair.
fn side(side: &Json, schema: Option<&BlockSchema>) -> Option<Value> {
    let plain = read_plain(&side.get("value")?.to_string()).expect("it is JSON");
    let plain = match schema {
        Some(schema) => schema.coerce(&plain).expect("it fits the schema"),
        None => plain,
    };
    let ty = match (schema, side.get("type")) {
        (Some(schema), _) => schema.ty(),
        (_, Some(ty)) => json_type::read(&ty.to_string()).expect("it is a type"),
        _ => plain.ty(),
    };
    let read = |text: &str| serde_json::from_str::<Json>(text).expect("it is JSON");
    let list = |name: &str| side.get(name).cloned().unwrap_or_else(|| json!([]));
    let full = json!({
        "type": read(&json_type::write(&ty)),
        "value": read(&json::plain(&plain)),
        "unknown": list("unknown"),
        "sensitive": list("sensitive"),
    });
    let value = read_value(&full.to_string()).expect("it is a value");
    // Without a schema a pair is two values of one attribute, which may be of any type.
    Some(match schema {
        Some(_) => value,
        None => Value::object([(Str::from("input"), value)]),
    })
}

fn path(steps: &Json) -> Path {
    let step = |step: &Json| match step {
        Json::String(name) => PathStep::Attribute(Str::from(name.as_str())),
        other => {
            let at = other.as_u64().and_then(|at| usize::try_from(at).ok());
            PathStep::Index(Value::position(at.unwrap_or_default()))
        }
    };
    Path(steps.as_array().into_iter().flatten().map(step).collect())
}

fn text(pair: &Json) -> String {
    let open = json!({ "attributes": { "input": { "type": "dynamic", "optional": true } } });
    let schema = pair.get("schema");
    let block = json!({ "version": 0, "block": schema.unwrap_or(&open) });
    let block = codec::schema::read(&block.to_string()).expect("it is a schema").block;
    let shape = schema.map(|_| &*block);
    let (before, after) = (side(&pair["before"], shape), side(&pair["after"], shape));
    let replace = pair.get("replace").and_then(Json::as_array).cloned().unwrap_or_default();
    let action = match (&before, &after) {
        (None, _) => Action::Create,
        (_, None) => Action::Delete,
        _ if !replace.is_empty() => Action::DeleteThenCreate,
        _ => Action::Update,
    };
    let item = ResourceItem {
        address: Str::from("a.b"),
        declared: Arc::new(SharedDeclaration {
            mode: ResourceMode::Managed,
            kind: Str::from("a"),
            name: Str::from("b"),
            module: Str::new(),
            shape: Some(block.clone()),
        }),
        key: InstanceKey::None,
        action,
        reason: None,
        previous: None,
        importing: None,
        deposed: None,
        replace_paths: replace.iter().map(path).collect(),
        before,
        after,
        is_open: false,
        is_possible: false,
        origins: Vec::new(),
    };
    let review = Review { items: vec![item], ..Review::default() };
    let text = review.text();
    let from = text.find("resource \"a\"").expect("the object is told");
    let to = text.find("\n\nPlan:").expect("there is a last line");
    text[from..to].lines().skip(1).map(|line| format!("{line}\n")).collect()
}

#[test]
fn every_pair_looks_as_it_did() {
    let mut wrong = Vec::new();
    for file in fs::read_dir(testkit::conformance().join("differences")).expect("it is there") {
        let file = file.expect("it can be listed").path();
        let content = fs::read_to_string(&file).expect("it can be read");
        let mut blessed = String::new();
        for line in content.lines() {
            let mut pair: Json = serde_json::from_str(line).expect("a line is JSON");
            let told = text(&pair);
            if pair["text"] != json!(told) {
                let was = pair["text"].as_str().unwrap_or_default();
                wrong.push(format!("{}: was\n{was}is\n{told}", pair["id"]));
            }
            pair["text"] = json!(told);
            blessed.push_str(&format!("{pair}\n"));
        }
        if testkit::blessing() {
            fs::write(&file, blessed).expect("it can be written");
        }
    }
    assert!(
        testkit::blessing() || wrong.is_empty(),
        "{} differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
