//! Types as JSON: `"string"`, `["list","number"]`.
use super::json::JsonError;
use crate::Type;
/// The JSON text of a type.
pub fn write(_ty: &Type) -> String {
    "\"dynamic\"".to_owned()
}
/// The type of a JSON text.
pub fn read(_text: &str) -> Result<Type, JsonError> {
    Err(JsonError { offset: 0, message: "types in JSON are not ready".into() })
}
