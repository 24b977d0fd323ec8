//! Messages: requests, notifications and responses of JSON-RPC, read from text and written as text. Results may be text
//! already: values of the language are written by their own writer, which keeps every digit of a number.

use serde_json::{Value, json};

/// The number or name by which a response finds its request.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum MessageId {
    /// A number.
    Number(i64),
    /// A name.
    Text(String),
}

impl MessageId {
    pub(crate) fn of(value: &Value) -> Option<MessageId> {
        match value {
            Value::Number(number) => number.as_i64().map(MessageId::Number),
            Value::String(text) => Some(MessageId::Text(text.clone())),
            _ => None,
        }
    }

    fn json(&self) -> Value {
        match self {
            MessageId::Number(number) => json!(number),
            MessageId::Text(text) => json!(text),
        }
    }
}

/// A message of the client.
#[derive(Clone, Debug)]
pub(crate) enum ClientMessage {
    /// A question that is to be answered.
    Request { id: MessageId, method: String, params: Value },
    /// News without an answer.
    Notification { method: String, params: Value },
    /// The answer to a question of the server: its result, or nothing if it failed.
    Response { id: MessageId, result: Option<Value> },
}

/// The reason why a request has no result, as the protocol names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ErrorKind {
    /// The text is not JSON.
    Parse = -32700,
    /// The message is not one of the protocol, or comes at the wrong time.
    InvalidRequest = -32600,
    /// The server does not know the method.
    MethodNotFound = -32601,
    /// The parameters are not what the method takes.
    InvalidParams = -32602,
    /// The server failed.
    Internal = -32603,
    /// The client has not said `initialize` yet.
    NotInitialized = -32002,
    /// The request cannot be carried out, for a reason that people can read.
    Failed = -32803,
    /// The client has cancelled it.
    Cancelled = -32800,
}

/// The answer to a request that has no result.
#[derive(Clone, Debug)]
pub(crate) struct RequestError {
    /// Its kind.
    pub(crate) kind: ErrorKind,
    /// A sentence.
    pub(crate) message: String,
}

impl RequestError {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> RequestError {
        RequestError { kind, message: message.into() }
    }

    /// The request cannot be carried out.
    pub(crate) fn failed(message: impl Into<String>) -> RequestError {
        RequestError::new(ErrorKind::Failed, message)
    }

    /// A parameter is missing or has another form.
    pub(crate) fn parameter(name: &str) -> RequestError {
        let message = format!("the parameter \"{name}\" is missing or has an unexpected form");
        RequestError::new(ErrorKind::InvalidParams, message)
    }
}

/// The result of a request: JSON, or the text of JSON.
#[derive(Clone, Debug)]
pub(crate) enum RequestResult {
    /// JSON.
    Json(Value),
    /// The text of JSON.
    Text(String),
}

impl From<Value> for RequestResult {
    fn from(value: Value) -> RequestResult {
        RequestResult::Json(value)
    }
}

/// Reads a message, or several that are sent as one list.
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

/// The text of a response.
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

/// The text of a response that says why there is no result; without an id where the request could not be read.
pub(crate) fn error_response(id: Option<&MessageId>, error: &RequestError) -> String {
    let id = id.map_or(Value::Null, MessageId::json);
    let error = json!({ "code": error.kind as i32, "message": error.message });
    json!({ "jsonrpc": "2.0", "id": id, "error": error }).to_string()
}

/// The text of a notification.
pub(crate) fn notification(method: &str, params: &Value) -> String {
    json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string()
}

/// The text of a request of the server.
pub(crate) fn request(id: i64, method: &str, params: &Value) -> String {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string()
}
