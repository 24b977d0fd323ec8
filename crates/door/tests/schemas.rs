//! The published schemas and real answers: every answer of every recorded module fits its question's schema, and a field that no
//! schema knows fails. Only with the feature `schemas`.
#![cfg(feature = "schemas")]
#![expect(clippy::unwrap_used, reason = "a test fails by panic")]

use std::collections::BTreeMap;

use groma_door::forms::{
    CheckAnswer, EvalAnswer, FmtAnswer, GraphAnswer, InstanceForm, OutputForm, PlanAnswer, schemas,
};
use groma_door::{JsonDoor, NoFolders};
use jsonschema::Validator;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use testkit::case::{Case, modules};

/// Returns the error of deserializing an answer as `T`; `None` if it fits.
fn misread<T: DeserializeOwned>(answer: &Value) -> Option<String> {
    serde_json::from_value::<T>(answer.clone()).err().map(|why| why.to_string())
}

/// Returns the error of deserializing the answer to a question as the type of its form; `None` if it fits or has none.
fn misfit(question: &str, answer: &Value) -> Option<String> {
    match question {
        "check" => misread::<CheckAnswer>(answer),
        "plan" | "diff" => misread::<PlanAnswer>(answer),
        "eval" => misread::<EvalAnswer>(answer),
        "outputs" => misread::<BTreeMap<String, OutputForm>>(answer),
        "list" | "resources" => misread::<Vec<InstanceForm>>(answer),
        "graph" => misread::<GraphAnswer>(answer),
        "fmt" => misread::<FmtAnswer>(answer),
        _ => None,
    }
}

/// A JSON API whose requests and answers are validated against the published schemas; the violations are collected.
struct AskedDoor {
    door: JsonDoor,
    /// The validators of the request and of the answer, by question.
    validators: BTreeMap<String, (Validator, Option<Validator>)>,
    wrong: Vec<String>,
    answered: usize,
}

impl AskedDoor {
    /// Returns the answer to a request; validates both if it is a question. `name` is that of the case in messages.
    fn ask(&mut self, name: &str, request: &Value) -> Value {
        let line = self.door.answer(&request.to_string());
        let answered: Value = serde_json::from_str(&line).unwrap();
        let Some(question) = request.get("question").and_then(Value::as_str) else {
            return answered;
        };
        let (asked, answer) = &self.validators[question];
        if let Err(why) = asked.validate(request) {
            self.wrong.push(format!("{name}: the request {question}: {why}"));
        }
        if let Some(got) = answered.get("answer") {
            self.answered += 1;
            if let Some(why) = answer.as_ref().and_then(|answer| answer.validate(got).err()) {
                self.wrong.push(format!("{name}: {question}: {why} at {}", why.instance_path));
            }
            if let Some(why) = misfit(question, got) {
                self.wrong.push(format!("{name}: {question}: {why}"));
            }
        }
        answered
    }
}

/// Returns the files of a case that are text, by path.
fn texts(case: &Case) -> BTreeMap<String, String> {
    let files = case.files().into_iter();
    files.filter_map(|(path, bytes)| Some((path, String::from_utf8(bytes).ok()?))).collect()
}

#[test]
fn real_answers_fit_their_schemas() {
    let all = schemas();
    let questions = all["questions"].as_object().unwrap();
    let validator = |schema: &Value| jsonschema::validator_for(schema).unwrap();
    let validators = questions.iter().map(|(name, both)| {
        // Those of the command lie beside, and are held by the command's tests.
        let answer = both["answer"].get("$ref").is_none().then(|| validator(&both["answer"]));
        (name.clone(), (validator(&both["request"]), answer))
    });
    let mut asked = AskedDoor {
        validators: validators.collect(),
        door: JsonDoor::new(NoFolders),
        wrong: Vec::new(),
        answered: 0,
    };
    let cases = modules(|case| !case.needs_provider());
    let mut last = None;
    for case in cases.iter().step_by(3) {
        let name = case.name.clone();
        let open = json!({"id": 1, "call": "open", "files": texts(case), "dir": case.directory()});
        let handle = asked.ask(&name, &open)["answer"]["handle"].as_u64();
        let Some(handle) = handle else { panic!("{name} cannot be opened") };
        let mut ask = |mut question: Value| {
            let fields = question.as_object_mut().unwrap();
            fields.extend(
                [("id", json!(2)), ("call", json!("ask")), ("handle", json!(handle))]
                    .map(|(name, value)| (name.to_owned(), value)),
            );
            asked.ask(&name, &question)
        };
        for question in ["check", "plan", "outputs", "resources", "list", "graph", "ast", "fmt"] {
            ask(json!({"question": question}));
        }
        for expression in
            ["1 + 1", "local", "var", "nope.x", "sensitive([1])", "{ a = timestamp() }"]
        {
            ask(json!({"question": "eval", "expression": expression}));
        }
        if let Some(last) = last {
            ask(json!({"question": "diff", "base": last}));
            asked.ask(&name, &json!({"id": 3, "call": "close", "handle": last}));
        }
        last = Some(handle);
    }
    assert!(asked.answered > 2_000, "{}", asked.answered);
    let few: Vec<&String> = asked.wrong.iter().take(12).collect();
    assert!(few.is_empty(), "{} are wrong: {few:#?}", asked.wrong.len());
}

#[test]
fn what_no_schema_knows_does_not_fit() {
    let all = schemas();
    let check = jsonschema::validator_for(&all["questions"]["check"]["answer"]).unwrap();
    let right = json!({"format_version": "1.0", "valid": true, "error_count": 0, "warning_count": 0, "diagnostics": [], "groma": {}});
    assert!(check.is_valid(&right));
    let mut more = right.clone();
    more["news"] = json!(1);
    assert!(!check.is_valid(&more));
    let mut less = right;
    less.as_object_mut().unwrap().remove("valid");
    assert!(!check.is_valid(&less));
    let ask = jsonschema::validator_for(&all["questions"]["eval"]["request"]).unwrap();
    let asked = json!({"id": 1, "call": "ask", "handle": 1, "question": "eval", "expression": "1"});
    assert!(ask.is_valid(&asked));
    assert!(!ask.is_valid(&json!({"id": 1, "call": "ask", "handle": 1, "question": "eval"})));
}
