//! Values as JSON text.
use crate::{Mismatch, Type, Value};

/// Why a text is no JSON.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JsonError {
    /// Byte offset in the text.
    pub offset: usize,
    /// A sentence that starts in lower case.
    pub message: String,
}
/// The text that `jsonencode` gives. Marks are ignored; an unknown is refused.
pub fn encode(_value: &Value) -> Result<String, Mismatch> {
    Err(Mismatch::new("JSON is not ready"))
}
/// The value of a JSON text: objects are objects, arrays are tuples.
pub fn decode(_text: &str) -> Result<Value, JsonError> {
    Err(JsonError { offset: 0, message: "JSON is not ready".into() })
}
/// The type of the value of a JSON text.
pub fn implied_type(text: &str) -> Result<Type, JsonError> {
    decode(text).map(|value| value.ty())
}
/// A value as plain JSON: unknown as null, sets as arrays, infinities as `"Inf"` and `"-Inf"`.
pub fn plain(_value: &Value) -> String {
    "null".to_owned()
}
