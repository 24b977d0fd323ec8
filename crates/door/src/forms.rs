//! Types of requests and answers, for JSON Schemas (`docs/reference/serve.schema.json`) and tests. They write no answers:
//! answers are the documents of the command, and a test parses real ones into these types. Compiled only with the feature
//! `schemas`.

use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, schema_for};
use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::request::{
    AstQuestion, CancelCall, CloseCall, DiffQuestion, EditQuestion, EvalQuestion, FmtQuestion,
    OpenCall, RemoveCall, SetCall, WhyQuestion,
};

/// A diagnostic, in the form of `groma check -json`.
#[derive(Deserialize, JsonSchema, Debug)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "finding")]
pub struct FindingForm {
    /// `error`, `warning` or `note`.
    pub severity: String,
    /// The code of its kind, which has a page in the manual.
    pub code: String,
    /// A short sentence, the same for all diagnostics of the code.
    pub summary: String,
    /// The message of this diagnostic.
    pub detail: String,
    /// The place in a file.
    pub range: Option<Json>,
    /// The source text at the place.
    pub snippet: Option<Json>,
    /// The instance that it refers to.
    pub address: Option<String>,
    /// The place of the module call.
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
    /// The reason for reading the code so.
    pub evidence: String,
    /// True if nothing in the code says which program it is for.
    pub guess: Option<bool>,
}

/// The answer to the call `open`: the handle of the root.
#[derive(Deserialize, JsonSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct OpenAnswer {
    /// The number of the root in later requests.
    pub handle: u64,
}

/// The answer to the call `remove`: whether there was a text to remove.
#[derive(Deserialize, JsonSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct RemoveAnswer {
    /// True if there was such a text.
    pub removed: bool,
}

/// The answer to the call `cancel`, which ends a request in progress.
#[derive(Deserialize, JsonSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct CancelAnswer {
    /// True if the request was in progress.
    pub cancelled: bool,
}

/// The error in place of an answer: a code and a message.
#[derive(Deserialize, JsonSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct ErrorForm {
    /// A word of lower-case letters and dashes.
    pub code: String,
    /// What is wrong, and what to do.
    pub message: String,
}

/// The answer to the question `check`: diagnostics, in the form of `groma check -json`.
#[derive(Deserialize, JsonSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct CheckAnswer {
    /// The version of the format.
    pub format_version: String,
    /// True if there are no errors.
    pub valid: bool,
    /// The number of errors.
    pub error_count: usize,
    /// The number of warnings, without those of lint rules.
    pub warning_count: usize,
    /// Errors and warnings that the reference program gives too.
    pub diagnostics: Vec<FindingForm>,
    /// Groma's additions.
    pub groma: CheckExtras,
}

/// Groma's additions to the answer to `check`.
#[derive(Deserialize, JsonSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct CheckExtras {
    /// The program and version that the code was read as.
    pub dialect: Option<DialectForm>,
    /// Findings of lint rules.
    pub findings: Option<Vec<FindingForm>>,
    /// False if a part of the code could not be read or decided.
    pub complete: Option<bool>,
}

/// The answer to `eval`: a value with everything known about it, or an error.
#[derive(Deserialize, JsonSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct EvalAnswer {
    /// The type, in the JSON form of the reference programs.
    #[serde(rename = "type")]
    pub ty: Option<Json>,
    /// The value as plain JSON, with null for unknown parts.
    pub value: Option<Json>,
    /// The value as the console prints it.
    pub console: Option<String>,
    /// The paths of unknown parts.
    pub unknown: Option<Vec<String>>,
    /// The paths of sensitive parts.
    pub sensitive: Option<Vec<String>>,
    /// The paths of ephemeral parts.
    pub ephemeral: Option<Vec<String>>,
    /// The paths of parts that depend on a mock.
    pub mocked: Option<Json>,
    /// The paths of parts that depend on something deprecated.
    pub deprecated: Option<Json>,
    /// What is known of unknown parts.
    pub refined: Option<Json>,
    /// The causes of unknown parts, by path.
    pub because: Option<BTreeMap<String, Vec<CauseForm>>>,
    /// The stage and the places of an error.
    pub error: Option<Json>,
    /// The diagnostics.
    pub diagnostics: Option<Vec<FindingForm>>,
}

/// A cause of an unknown value.
#[derive(Deserialize, JsonSchema, Debug)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "cause")]
pub struct CauseForm {
    /// The class of the cause, such as `pending` or `offline`; `more` if causes were left out.
    pub class: String,
    /// The kind of the object that causes it.
    pub kind: Option<String>,
    /// The address of the object.
    pub address: Option<String>,
    /// `FILE:LINE`.
    pub place: Option<String>,
}

/// An output in the answer to `outputs`.
#[derive(Deserialize, JsonSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct OutputForm {
    /// True if the output is sensitive.
    pub sensitive: bool,
    /// The type, in the JSON form of the reference programs.
    #[serde(rename = "type")]
    pub ty: Json,
    /// The value as plain JSON, with null for unknown parts.
    pub value: Json,
    /// True if the value or a part of it is unknown.
    pub unknown: Option<Json>,
}

/// An instance in the answers to `list` and `resources`.
#[derive(Deserialize, JsonSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct InstanceForm {
    /// The address; `[*]` stands for unknown keys.
    pub address: String,
    /// `managed`, `data`, `module` and so on.
    pub mode: String,
    /// The resource type; a module has none.
    #[serde(rename = "type")]
    pub ty: Option<String>,
    /// The name of its declaration.
    pub name: String,
    /// The key of the instance.
    pub index_key: Option<Json>,
    /// The address of the module instance that contains it; empty for the root.
    pub module: String,
    /// The place of its declaration, `FILE:LINE`.
    pub place: String,
    /// The reasons why the number of instances is unknown.
    pub unknown: Option<Json>,
    /// False for a module that is not available.
    pub installed: Option<bool>,
}

/// The answer to the question `graph`: declarations and the references between them.
#[derive(Deserialize, JsonSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct GraphAnswer {
    /// The declarations.
    pub nodes: Vec<GraphNodeForm>,
    /// The references between them.
    pub edges: Vec<GraphEdgeForm>,
}

/// A declaration in the answer to `graph`.
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

/// A reference in the answer to `graph`, from one declaration to another.
#[derive(Deserialize, JsonSchema, Debug)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "graph_edge")]
pub struct GraphEdgeForm {
    /// The address of the referring declaration.
    pub from: String,
    /// The address of the declaration that it refers to.
    pub to: String,
}

/// The answer to `plan` and `diff`: a plan document, whose parts have the forms of the reference programs.
#[derive(Deserialize, JsonSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct PlanAnswer {
    /// The version of the format.
    pub format_version: String,
    /// The version of the program that the code was read as.
    pub terraform_version: String,
    /// The values of variables.
    pub variables: Option<BTreeMap<String, Json>>,
    /// The values after the plan is applied.
    pub planned_values: Option<Json>,
    /// The change of each instance.
    pub resource_changes: Vec<Json>,
    /// Changes that are deferred because too little is known.
    pub deferred_changes: Option<Vec<Json>>,
    /// Changes since the state was written.
    pub resource_drift: Option<Vec<Json>>,
    /// The change of each output.
    pub output_changes: BTreeMap<String, Json>,
    /// The actions that would run.
    pub action_invocations: Option<Vec<Json>>,
    /// The state that the plan starts from.
    pub prior_state: Option<Json>,
    /// The configuration.
    pub configuration: Json,
    /// Attributes that the planned changes depend on.
    pub relevant_attributes: Option<Vec<Json>>,
    /// The results of conditions and checks.
    pub checks: Option<Vec<Json>>,
    /// The diagnostics.
    pub diagnostics: Vec<FindingForm>,
    /// The time of the plan, if a time was given.
    pub timestamp: Option<String>,
    /// True if the plan can be applied.
    pub applyable: Option<bool>,
    /// True if no change is deferred.
    pub complete: bool,
    /// True if there are errors.
    pub errored: bool,
    /// Groma's additions.
    pub groma: BTreeMap<String, Json>,
}

/// The answer to the question `fmt`: the files that formatting would change.
#[derive(Deserialize, JsonSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct FmtAnswer {
    /// The files that are not formatted, with their formatted text.
    pub files: BTreeMap<String, String>,
}

/// Returns the schema of a question's request, `handle` and `question` included.
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

/// Returns a JSON Schema without its `$schema` key, to be nested in another schema.
fn bare(schema: Schema) -> Json {
    let mut schema = schema.to_value();
    if let Some(object) = schema.as_object_mut() {
        object.remove("$schema");
    }
    schema
}

/// Returns the document of all schemas: the request and answer of each call and each question.
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
