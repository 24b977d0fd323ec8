//! Equality.
use crate::Value;

/// `left == right`.
pub fn equal(_left: &Value, _right: &Value) -> Value {
    Value::unknown(crate::Type::Bool)
}
/// `left != right`.
pub fn not_equal(_left: &Value, _right: &Value) -> Value {
    Value::unknown(crate::Type::Bool)
}
/// Raw equality: type, value and marks; unknowns by type and refinement; causes take no part.
pub fn same(_left: &Value, _right: &Value) -> bool {
    false
}
