//! The forms of requests and answers as types, for their JSON Schemas (`docs/reference/serve.schema.json`) and for tests. Nothing here
//! writes an answer: the documents are those of the command, and a test reads real ones into these types. Only with the feature
//! `schemas`.

use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, schema_for};
use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::request::{
    AstQuestion, CancelCall, CloseCall, DiffQuestion, EditQuestion, EvalQuestion, FmtQuestion,
    OpenCall, RemoveCall, SetCall, WhyQuestion,
};

/// A finding, in the form of `groma check -json`.
#[derive(Deserialize, JsonSchema, Debug)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "finding")]
pub struct FindingForm {
    /// `error`, `warning` or `note`.
    pub severity: String,
    /// The slug of its code, which has a page in the manual.
    pub code: String,
    /// A short sentence, the same for all findings of the code.
    pub summary: String,
    /// The sentences about this one.
    pub detail: String,
    /// The place in a file.
    pub range: Option<Json>,
    /// The text at the place.
    pub snippet: Option<Json>,
    /// The instance that it is about.
    pub address: Option<String>,
    /// The place from which a module was called.
    pub called_at: Option<String>,
}

/// The program and version that the code was read as.
#[derive(Deserialize, JsonSchema, Debug)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "dialect")]
pub struct DialectForm {
    /// `opentofu`, `terraform` or `packer`.
    pub name: String,
    /// The version.
    pub version: String,
    /// The reason why it is that one.
    pub evidence: String,
    /// True if nothing in the code says so.
    pub guess: Option<bool>,
}

/// The answer to `open`.
#[derive(Deserialize, JsonSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct OpenAnswer {
    /// The number of the root in later requests.
    pub handle: u64,
}

/// The answer to `remove`.
#[derive(Deserialize, JsonSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct RemoveAnswer {
    /// True if there was such a text.
    pub removed: bool,
}

/// The answer to `cancel`.
#[derive(Deserialize, JsonSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct CancelAnswer {
    /// True if the request was being answered.
    pub cancelled: bool,
}

/// The error of a request.
#[derive(Deserialize, JsonSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct ErrorForm {
    /// A word of lower-case letters and dashes.
    pub code: String,
    /// What is wrong, and what to do.
    pub message: String,
}

/// The answer to `check`.
#[derive(Deserialize, JsonSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct CheckAnswer {
    /// The version of the form.
    pub format_version: String,
    /// True if there is no error.
    pub valid: bool,
    /// The number of errors.
    pub error_count: usize,
    /// The number of warnings that the program gives, too.
    pub warning_count: usize,
    /// The errors and warnings that the program gives, too.
    pub diagnostics: Vec<FindingForm>,
    /// What only Groma says.
    pub groma: CheckExtras,
}

/// What only Groma says in a check.
#[derive(Deserialize, JsonSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct CheckExtras {
    /// The program and version that the code was read as.
    pub dialect: Option<DialectForm>,
    /// Findings of rules.
    pub findings: Option<Vec<FindingForm>>,
    /// False if something was looked at without what is known of it.
    pub complete: Option<bool>,
}

/// The answer to `eval`: a value with all that JSON cannot say beside it, or an error.
#[derive(Deserialize, JsonSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct EvalAnswer {
    /// The type, in the form of the programs' JSON.
    #[serde(rename = "type")]
    pub ty: Option<Json>,
    /// The value as plain JSON; what is unknown is null.
    pub value: Option<Json>,
    /// The value as the console prints it.
    pub console: Option<String>,
    /// The paths of what is unknown.
    pub unknown: Option<Vec<String>>,
    /// The paths of what is sensitive.
    pub sensitive: Option<Vec<String>>,
    /// The paths of what is ephemeral.
    pub ephemeral: Option<Vec<String>>,
    /// The paths of what depends on a mock.
    pub mocked: Option<Json>,
    /// The paths of what depends on something deprecated.
    pub deprecated: Option<Json>,
    /// What is certain of unknown values.
    pub refined: Option<Json>,
    /// The reasons of unknown values, by path.
    pub because: Option<BTreeMap<String, Vec<CauseForm>>>,
    /// The stage and the places of an error.
    pub error: Option<Json>,
    /// The findings.
    pub diagnostics: Option<Vec<FindingForm>>,
}

/// A reason for a value being unknown.
#[derive(Deserialize, JsonSchema, Debug)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "cause")]
pub struct CauseForm {
    /// `pending`, `offline` and so on; `more` where some were left out.
    pub class: String,
    /// The kind of the object.
    pub kind: Option<String>,
    /// Its address.
    pub address: Option<String>,
    /// `FILE:LINE`.
    pub place: Option<String>,
}

/// An output in the answer to `outputs`.
#[derive(Deserialize, JsonSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct OutputForm {
    /// True if it is not shown to people.
    pub sensitive: bool,
    /// The type, in the form of the programs' JSON.
    #[serde(rename = "type")]
    pub ty: Json,
    /// The value as plain JSON; what is unknown is null.
    pub value: Json,
    /// True if it, or a part of it, is unknown.
    pub unknown: Option<Json>,
}

/// An instance in the answers to `list` and `resources`.
#[derive(Deserialize, JsonSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct InstanceForm {
    /// Its address; `[*]` stands where a key is not known.
    pub address: String,
    /// `managed`, `data`, `module` and so on.
    pub mode: String,
    /// Its type; a module has none.
    #[serde(rename = "type")]
    pub ty: Option<String>,
    /// The name of its declaration.
    pub name: String,
    /// The key of the instance.
    pub index_key: Option<Json>,
    /// The address of the module instance that it belongs to; empty for the root.
    pub module: String,
    /// `FILE:LINE` of its declaration.
    pub place: String,
    /// Why it is not known how many there are.
    pub unknown: Option<Json>,
    /// False for a module that is not at hand.
    pub installed: Option<bool>,
}

/// The answer to `graph`.
#[derive(Deserialize, JsonSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct GraphAnswer {
    /// The declarations.
    pub nodes: Vec<GraphNodeForm>,
    /// The references between them.
    pub edges: Vec<GraphEdgeForm>,
}

/// A declaration in a graph.
#[derive(Deserialize, JsonSchema, Debug)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "graph_node")]
pub struct GraphNodeForm {
    /// Its address.
    pub id: String,
    /// Its kind.
    pub kind: String,
    /// `FILE:LINE`.
    pub place: Option<String>,
}

/// A reference in a graph.
#[derive(Deserialize, JsonSchema, Debug)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "graph_edge")]
pub struct GraphEdgeForm {
    /// The address of what refers.
    pub from: String,
    /// The address of what it refers to.
    pub to: String,
}

/// The answers to `plan` and `diff`: the programs' plan document. Its parts have the programs' own forms.
#[derive(Deserialize, JsonSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct PlanAnswer {
    /// The version of the form.
    pub format_version: String,
    /// The version of the program that the code was read as.
    pub terraform_version: String,
    /// The values of variables.
    pub variables: Option<BTreeMap<String, Json>>,
    /// What will be there.
    pub planned_values: Option<Json>,
    /// What becomes of each instance.
    pub resource_changes: Vec<Json>,
    /// Changes that are put off, as too little is known.
    pub deferred_changes: Option<Vec<Json>>,
    /// What has changed since the state was written.
    pub resource_drift: Option<Vec<Json>>,
    /// What becomes of each output.
    pub output_changes: BTreeMap<String, Json>,
    /// Actions that will be run.
    pub action_invocations: Option<Vec<Json>>,
    /// The state that the plan is against.
    pub prior_state: Option<Json>,
    /// The code.
    pub configuration: Json,
    /// Attributes that what is planned depends on.
    pub relevant_attributes: Option<Vec<Json>>,
    /// The results of conditions and checks.
    pub checks: Option<Vec<Json>>,
    /// The findings.
    pub diagnostics: Vec<FindingForm>,
    /// When the plan was made, if a time was given.
    pub timestamp: Option<String>,
    /// True if it can be carried out.
    pub applyable: Option<bool>,
    /// True if nothing is put off.
    pub complete: bool,
    /// True if there are errors.
    pub errored: bool,
    /// What only Groma says.
    pub groma: BTreeMap<String, Json>,
}

/// The answer to `fmt`.
#[derive(Deserialize, JsonSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct FmtAnswer {
    /// The files whose layout is another one, with the text that they should have.
    pub files: BTreeMap<String, String>,
}

/// Returns the schema of a question's fields, `handle` and `question` included.
fn request(question: &str, fields: Option<Schema>) -> Json {
    let mut schema = fields.map_or_else(|| json!({"type": "object"}), |fields| fields.to_value());
    let Some(object) = schema.as_object_mut() else { return schema };
    object.remove("$schema");
    let properties = object.entry("properties").or_insert_with(|| json!({}));
    if let Some(properties) = properties.as_object_mut() {
        properties.insert("id".into(), json!({"description": "Anything; the answer has it, too."}));
        properties.insert("call".into(), json!({"const": "ask"}));
        properties.insert("handle".into(), json!({"type": "integer", "minimum": 1}));
        properties.insert("question".into(), json!({"const": question}));
    }
    let required = object.entry("required").or_insert_with(|| json!([]));
    if let Some(required) = required.as_array_mut() {
        required.extend(["id", "call", "handle", "question"].map(Json::from));
    }
    object.insert("additionalProperties".into(), json!(false));
    schema
}

fn bare(schema: Schema) -> Json {
    let mut schema = schema.to_value();
    if let Some(object) = schema.as_object_mut() {
        object.remove("$schema");
    }
    schema
}

/// Returns the document of all schemas: by question its request and its answer, and the calls.
pub fn schemas() -> Json {
    let see = |name: &str| json!({"$ref": format!("{name}.schema.json")});
    let map = |of: Schema| json!({"type": "object", "additionalProperties": bare(of)});
    let list = |of: Schema| json!({"type": "array", "items": bare(of)});
    let questions = [
        ("check", None, bare(schema_for!(CheckAnswer))),
        ("plan", None, bare(schema_for!(PlanAnswer))),
        ("eval", Some(schema_for!(EvalQuestion)), bare(schema_for!(EvalAnswer))),
        ("why", Some(schema_for!(WhyQuestion)), see("why")),
        ("outputs", None, map(schema_for!(OutputForm))),
        ("resources", None, list(schema_for!(InstanceForm))),
        ("list", None, list(schema_for!(InstanceForm))),
        ("graph", None, bare(schema_for!(GraphAnswer))),
        ("ast", Some(schema_for!(AstQuestion)), see("ast")),
        ("diff", Some(schema_for!(DiffQuestion)), bare(schema_for!(PlanAnswer))),
        ("fmt", Some(schema_for!(FmtQuestion)), bare(schema_for!(FmtAnswer))),
        ("edit", Some(schema_for!(EditQuestion)), see("edit")),
    ];
    let mut all = BTreeMap::new();
    for (question, fields, answer) in questions {
        all.insert(question, json!({"request": request(question, fields), "answer": answer}));
    }
    let calls = json!({
        "open": {"request": bare(schema_for!(OpenCall)), "answer": bare(schema_for!(OpenAnswer))},
        "set": {"request": bare(schema_for!(SetCall)), "answer": {"type": "null"}},
        "remove": {"request": bare(schema_for!(RemoveCall)), "answer": bare(schema_for!(RemoveAnswer))},
        "close": {"request": bare(schema_for!(CloseCall)), "answer": {"type": "null"}},
        "cancel": {"request": bare(schema_for!(CancelCall)), "answer": bare(schema_for!(CancelAnswer))},
    });
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Requests and answers of groma serve",
        "description": "By call and by question. A request of a call has \"id\" and \"call\" beside the fields listed here. Parts may be added to answers without a new version; readers pass over what they do not know.",
        "error": bare(schema_for!(ErrorForm)),
        "calls": calls,
        "questions": all,
    })
}
