//! Logic.
use crate::{Mismatch, Value};
/// `!operand`.
pub fn not(_operand: &Value) -> Result<Value, Mismatch> {
    Err(Mismatch::new("logic is not ready"))
}
/// `left && right`, both evaluated.
pub fn and(_left: &Value, _right: &Value) -> Result<Value, Mismatch> {
    Err(Mismatch::new("logic is not ready"))
}
/// `left || right`, both evaluated.
pub fn or(_left: &Value, _right: &Value) -> Result<Value, Mismatch> {
    Err(Mismatch::new("logic is not ready"))
}
