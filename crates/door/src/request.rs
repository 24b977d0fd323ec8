//! Parsing of requests, and the errors for those that cannot be answered. Unknown fields are errors, so that a typing mistake
//! does not silently mean a default.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde_json::{Map, Value as Json};

/// The reason why there is no answer: a code for programs and a sentence for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DoorError {
    /// A word of lower-case letters and dashes; for limits it begins with `limit-`.
    pub code: &'static str,
    /// The sentence: what is wrong, and what to do.
    pub message: String,
}

impl DoorError {
    /// Creates an error with a code and a sentence.
    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> DoorError {
        DoorError { code, message: message.into() }
    }

    /// Creates the error for a request with missing or invalid fields.
    pub(crate) fn form(message: impl Into<String>) -> DoorError {
        DoorError::new("bad-request", message)
    }
}

impl fmt::Display for DoorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for DoorError {}

/// The number that identifies an open root in requests.
pub(crate) type HandleNumber = u64;

/// A parsed request, by its call.
#[derive(Debug)]
pub(crate) enum DoorRequest {
    Open(Box<OpenCall>),
    Set(SetCall),
    Remove(RemoveCall),
    Ask(AskCall),
    Close(CloseCall),
    Cancel(CancelCall),
}

/// The call `open`: opens a root from texts or from a folder.
#[derive(Deserialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct OpenCall {
    /// The texts of the files, by path.
    pub files: Option<BTreeMap<String, String>>,
    /// The folder of the root: on disk, or among the texts.
    pub dir: Option<String>,
    #[serde(default)]
    pub options: OpenOptions,
}

/// Options for loading and evaluating a root.
#[derive(Deserialize, Default, Clone, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub(crate) struct OpenOptions {
    pub variables: BTreeMap<String, Json>,
    pub var_files: Vec<String>,
    pub dialect: Option<String>,
    pub schema: Option<String>,
    pub mocks: Vec<String>,
    pub workspace: Option<String>,
    pub now: Option<String>,
    pub seed: Option<u64>,
    pub untrusted: bool,
    pub limits: LimitOptions,
}

/// Limits of one question; a missing one is the maximum that the server allows.
#[derive(Deserialize, Default, Clone, Copy, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub(crate) struct LimitOptions {
    pub steps: Option<u64>,
    pub memory: Option<u64>,
    pub instances: Option<u64>,
    pub sources: Option<u64>,
    pub output: Option<u64>,
}

/// The call `set`: gives the root a text to read at a path in place of the file there; nothing is written.
#[derive(Deserialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct SetCall {
    pub handle: HandleNumber,
    pub path: String,
    pub text: String,
}

/// The call `remove`: removes the text that `set` or `open` gave for a path, so that the file there is read again.
#[derive(Deserialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct RemoveCall {
    pub handle: HandleNumber,
    pub path: String,
}

/// The call `close`: closes a root.
#[derive(Deserialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct CloseCall {
    pub handle: HandleNumber,
}

/// The call `cancel`: cancels a request in progress.
#[derive(Deserialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct CancelCall {
    pub request: Json,
}

/// The call `ask`: asks a question about a root.
#[derive(Debug)]
pub(crate) struct AskCall {
    pub handle: HandleNumber,
    pub question: DoorQuestion,
}

/// A question about a root with its arguments, by its name.
#[derive(Debug)]
pub(crate) enum DoorQuestion {
    Check,
    Plan,
    Eval(EvalQuestion),
    Why(WhyQuestion),
    Outputs,
    Resources,
    List,
    Graph,
    Ast(AstQuestion),
    Diff(DiffQuestion),
    Fmt(FmtQuestion),
    Edit(EditQuestion),
}

impl DoorQuestion {
    /// Parses a question: an object with its name and its fields.
    pub(crate) fn read(text: &str) -> Result<DoorQuestion, DoorError> {
        match serde_json::from_str(text) {
            Ok(Json::Object(fields)) => question(fields),
            Ok(_) => Err(DoorError::form("A question is a JSON object.")),
            Err(why) => Err(DoorError::form(format!("The question is not JSON: {why}."))),
        }
    }
}

/// The question `eval`: the value of an expression, in the root module or in the instance at an address.
#[derive(Deserialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct EvalQuestion {
    pub expression: String,
    pub at: Option<String>,
}

/// The question `why`: the origin of the value at an address.
#[derive(Deserialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct WhyQuestion {
    pub address: String,
}

/// The question `ast`: the syntax trees of one file, or of all files in the root's folder.
#[derive(Deserialize, Default, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub(crate) struct AstQuestion {
    pub path: Option<String>,
    pub values: bool,
}

/// The question `diff`: the differences from the plan of another open root.
#[derive(Deserialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct DiffQuestion {
    pub base: HandleNumber,
    #[serde(default)]
    pub all: bool,
}

/// The question `fmt`: the files that are not formatted.
#[derive(Deserialize, Default, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub(crate) struct FmtQuestion {
    pub path: Option<String>,
}

/// The question `edit`: the changes that edits in the form of `groma edit --edits` would make. Nothing is written.
#[derive(Deserialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct EditQuestion {
    pub edits: Json,
}

/// The order in which a request may be answered: immediately, or after earlier requests about the same root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RequestOrder {
    /// Answered as soon as it is read: it opens a root, cancels a request, or is not valid.
    AtOnce,
    /// Answered after earlier requests about the root with this handle.
    OfRoot(u64),
}

impl RequestOrder {
    /// Returns the order for a request with these fields: after earlier requests if it is about an open root, else immediately.
    fn of(fields: &Map<String, Json>) -> RequestOrder {
        let handle = || match fields.get("call")?.as_str()? {
            "set" | "remove" | "ask" | "close" => fields.get("handle")?.as_u64(),
            _ => None,
        };
        handle().map_or(RequestOrder::AtOnce, RequestOrder::OfRoot)
    }
}

/// A parsed line of the JSON API: the request's id, and the request or its error.
#[derive(Debug)]
pub struct RequestLine {
    pub(crate) id: Json,
    /// The order in which the request may be answered.
    pub order: RequestOrder,
    pub(crate) request: Result<DoorRequest, DoorError>,
}

impl RequestLine {
    /// Parses a line of the JSON API; an invalid line becomes a request that is answered with an error.
    pub fn read(line: &str) -> RequestLine {
        let wrong = |message: String| RequestLine {
            id: Json::Null,
            order: RequestOrder::AtOnce,
            request: Err(DoorError::form(message)),
        };
        let mut fields: Map<String, Json> = match serde_json::from_str(line) {
            Ok(Json::Object(fields)) => fields,
            Ok(_) => return wrong("A request is a JSON object.".to_owned()),
            Err(why) => return wrong(format!("The line is not JSON: {why}.")),
        };
        let order = RequestOrder::of(&fields);
        match fields.remove("id") {
            Some(id) => RequestLine { id, order, request: call(fields) },
            None => RequestLine { order, ..wrong("A request needs an \"id\".".to_owned()) },
        }
    }
}

/// The names of all calls, as error messages list them.
const CALLS: &str = "open, set, remove, ask, close or cancel";
/// The names of all questions, as error messages list them.
const QUESTIONS: &str =
    "check, plan, eval, why, outputs, resources, list, graph, ast, diff, fmt or edit";

/// Parses the fields of a request according to its call, such as `open` or `ask`.
fn call(mut fields: Map<String, Json>) -> Result<DoorRequest, DoorError> {
    let name = word(&mut fields, "call", CALLS)?;
    Ok(match name.as_str() {
        "open" => DoorRequest::Open(Box::new(filled(fields)?)),
        "set" => DoorRequest::Set(filled(fields)?),
        "remove" => DoorRequest::Remove(filled(fields)?),
        "close" => DoorRequest::Close(filled(fields)?),
        "cancel" => DoorRequest::Cancel(filled(fields)?),
        "ask" => {
            let handle = fields.remove("handle").and_then(|handle| handle.as_u64());
            let Some(handle) = handle else {
                return Err(DoorError::form("\"ask\" needs the number of a \"handle\"."));
            };
            DoorRequest::Ask(AskCall { handle, question: question(fields)? })
        }
        other => {
            return Err(DoorError::form(format!("\"call\" must be {CALLS}, not {other:?}.")));
        }
    })
}

/// Parses the fields of a question according to its name, such as `check` or `eval`.
fn question(mut fields: Map<String, Json>) -> Result<DoorQuestion, DoorError> {
    let name = word(&mut fields, "question", QUESTIONS)?;
    let plain = |fields: Map<String, Json>, question: DoorQuestion| match fields.keys().next() {
        None => Ok(question),
        Some(other) => Err(DoorError::form(format!("The question {name:?} takes no {other:?}."))),
    };
    match name.as_str() {
        "check" => plain(fields, DoorQuestion::Check),
        "plan" => plain(fields, DoorQuestion::Plan),
        "outputs" => plain(fields, DoorQuestion::Outputs),
        "resources" => plain(fields, DoorQuestion::Resources),
        "list" => plain(fields, DoorQuestion::List),
        "graph" => plain(fields, DoorQuestion::Graph),
        "eval" => Ok(DoorQuestion::Eval(filled(fields)?)),
        "why" => Ok(DoorQuestion::Why(filled(fields)?)),
        "ast" => Ok(DoorQuestion::Ast(filled(fields)?)),
        "diff" => Ok(DoorQuestion::Diff(filled(fields)?)),
        "fmt" => Ok(DoorQuestion::Fmt(filled(fields)?)),
        "edit" => Ok(DoorQuestion::Edit(filled(fields)?)),
        other => Err(DoorError::new(
            "unknown-question",
            format!("There is no question {other:?}; ask {QUESTIONS}."),
        )),
    }
}

/// Removes and returns a field that must be a string; `choices` are listed if it is missing.
fn word(fields: &mut Map<String, Json>, name: &str, choices: &str) -> Result<String, DoorError> {
    match fields.remove(name) {
        Some(Json::String(word)) => Ok(word),
        _ => Err(DoorError::form(format!("A request needs {name:?}: {choices}."))),
    }
}

/// Deserializes the fields of a call or question into its type; unknown and missing fields are errors.
fn filled<T: for<'de> Deserialize<'de>>(fields: Map<String, Json>) -> Result<T, DoorError> {
    serde_json::from_value(Json::Object(fields))
        .map_err(|why| DoorError::form(format!("The request is not in its form: {why}.")))
}
