//! Values and types as text for people.
use crate::{Type, Value};
/// The value as the console prints it.
pub fn console(_value: &Value) -> String {
    String::new()
}
/// The type in words: `list of string`.
pub fn type_name(_ty: &Type) -> String {
    String::new()
}
/// The type as a constraint in code: `list(string)`.
pub fn type_constraint(_ty: &Type) -> String {
    String::new()
}
/// The type as the console's `type()` prints it.
pub fn print_type(_ty: &Type) -> String {
    String::new()
}
