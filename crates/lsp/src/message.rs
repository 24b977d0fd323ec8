//! JSON-RPC messages: requests, notifications and responses, parsed from text and written as text. A result can be JSON text
//! already: language values have their own writer, which keeps every digit of a number.

use serde_json::{Value, json};

/// The id by which a response refers to its request.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum MessageId {
    /// A number.
    Number(i64),
    /// A string.
    Text(String),
}

impl MessageId {
    /// Reads a message id from JSON; `None` if it is neither a number nor a string.
    pub(crate) fn of(value: &Value) -> Option<MessageId> {
        match value {
            Value::Number(number) => number.as_i64().map(MessageId::Number),
            Value::String(text) => Some(MessageId::Text(text.clone())),
            _ => None,
        }
    }

    /// Returns the message id as JSON.
    fn json(&self) -> Value {
        match self {
            MessageId::Number(number) => json!(number),
            MessageId::Text(text) => json!(text),
        }
    }
}

/// A message from the client: a request, a notification or a response.
#[derive(Clone, Debug)]
pub(crate) enum ClientMessage {
    /// A request, which must be answered.
    Request { id: MessageId, method: String, params: Value },
    /// A notification, which has no answer.
    Notification { method: String, params: Value },
    /// A response to a request of the server: its result, `None` if the request failed.
    Response { id: MessageId, result: Option<Value> },
}

/// The error code of a response, as the protocol defines it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ErrorKind {
    /// The text is not JSON.
    Parse = -32700,
    /// The message is not valid, or comes at the wrong time.
    InvalidRequest = -32600,
    /// The server does not know the method.
    MethodNotFound = -32601,
    /// The parameters are not valid for the method.
    InvalidParams = -32602,
    /// The server has failed.
    Internal = -32603,
    /// A request came before `initialize`.
    NotInitialized = -32002,
    /// The request cannot be carried out, for the reason in the message.
    Failed = -32803,
    /// The client has cancelled the request.
    Cancelled = -32800,
}

/// The error with which a request is answered: a code of the protocol and a message for the user.
#[derive(Clone, Debug)]
pub(crate) struct RequestError {
    /// The error code.
    pub(crate) kind: ErrorKind,
    /// The message as a sentence.
    pub(crate) message: String,
}

impl RequestError {
    /// Creates an error with a code of the protocol and a message that is a sentence.
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> RequestError {
        RequestError { kind, message: message.into() }
    }

    /// Creates the error for a request that cannot be carried out, with a sentence that gives the reason.
    pub(crate) fn failed(message: impl Into<String>) -> RequestError {
        RequestError::new(ErrorKind::Failed, message)
    }

    /// Creates the error for a parameter that is missing or malformed.
    pub(crate) fn parameter(name: &str) -> RequestError {
        let message = format!("the parameter \"{name}\" is missing or has an unexpected form");
        RequestError::new(ErrorKind::InvalidParams, message)
    }
}

/// The result of a request: a JSON value, or its text.
#[derive(Clone, Debug)]
pub(crate) enum RequestResult {
    /// A JSON value.
    Json(Value),
    /// The text of a JSON value.
    Text(String),
}

impl From<Value> for RequestResult {
    fn from(value: Value) -> RequestResult {
        RequestResult::Json(value)
    }
}

/// Parses a message, or a batch of messages sent as an array; an error comes with the id of the request under which it is
/// answered, if that can be read.
pub(crate) fn read_messages(
    text: &str,
) -> Vec<Result<ClientMessage, (Option<MessageId>, RequestError)>> {
    let value: Value = match serde_json::from_str(text) {
        Ok(value) => value,
        Err(why) => {
            let message = format!("the message is not JSON: {why}");
            return vec![Err((None, RequestError::new(ErrorKind::Parse, message)))];
        }
    };
    match value {
        Value::Array(all) => all.into_iter().map(read_message).collect(),
        one => vec![read_message(one)],
    }
}

/// Parses one message; an error comes with the id of the request under which it is answered, if that can be read.
fn read_message(value: Value) -> Result<ClientMessage, (Option<MessageId>, RequestError)> {
    let Value::Object(mut all) = value else {
        let error = RequestError::new(ErrorKind::InvalidRequest, "a message has to be an object");
        return Err((None, error));
    };
    let id = all.get("id").and_then(MessageId::of);
    let has_id = all.get("id").is_some_and(|id| !id.is_null());
    let invalid =
        |id, message: &str| Err((id, RequestError::new(ErrorKind::InvalidRequest, message)));
    match (all.remove("method"), id) {
        (Some(Value::String(method)), id) => {
            let params = all.remove("params").unwrap_or_default();
            match id {
                Some(id) => Ok(ClientMessage::Request { id, method, params }),
                None if has_id => invalid(None, "the id of a request has to be a number or a text"),
                None => Ok(ClientMessage::Notification { method, params }),
            }
        }
        (Some(_), id) => invalid(id, "the method has to be a text"),
        (None, Some(id)) => {
            let result = all.remove("result").filter(|_| !all.contains_key("error"));
            Ok(ClientMessage::Response { id, result })
        }
        (None, None) => invalid(None, "a message has to have a method or an id"),
    }
}

/// Returns the text of a response to a request: its result or its error.
pub(crate) fn response(id: &MessageId, result: &Result<RequestResult, RequestError>) -> String {
    match result {
        Ok(RequestResult::Text(text)) => {
            format!(r#"{{"jsonrpc":"2.0","id":{},"result":{text}}}"#, id.json())
        }
        Ok(RequestResult::Json(value)) => {
            json!({ "jsonrpc": "2.0", "id": id.json(), "result": value }).to_string()
        }
        Err(error) => error_response(Some(id), error),
    }
}

/// Returns the text of an error response; without an id if the request could not be parsed.
pub(crate) fn error_response(id: Option<&MessageId>, error: &RequestError) -> String {
    let id = id.map_or(Value::Null, MessageId::json);
    let error = json!({ "code": error.kind as i32, "message": error.message });
    json!({ "jsonrpc": "2.0", "id": id, "error": error }).to_string()
}

/// Returns the JSON text of a notification that the server sends to the client.
pub(crate) fn notification(method: &str, params: &Value) -> String {
    json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string()
}

/// Returns the JSON text of a request that the server sends to the client.
pub(crate) fn request(id: i64, method: &str, params: &Value) -> String {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string()
}
