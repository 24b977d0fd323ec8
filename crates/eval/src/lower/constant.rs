//! Conditions under which lowering replaces an operation by a constant: it can neither fail nor grow.

use groma_runtime::Limits;
use groma_syntax::ast::BinaryOp;
use groma_value::{Str, Value};

/// Returns true if a constant collection of these values is within the maximum nesting depth.
pub(super) fn may_nest(values: &[Value]) -> bool {
    values.iter().all(|value| (value.depth() as usize) < Limits::DEFAULT.nesting)
}

/// Returns the attribute name that a constant key denotes; `None` if it is not a string, number or bool.
pub(super) fn key(value: &Value) -> Option<Str> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Bool(flag) => Some(if *flag { "true" } else { "false" }.into()),
        other => Some(other.as_number()?.to_text().into()),
    }
}

/// Returns the result of an arithmetic operator over two number literals; `None` for other operands.
pub(super) fn combine(op: BinaryOp, left: &Value, right: &Value) -> Option<Value> {
    let (left, right) = (left.as_number()?, &right.as_number()?);
    let result = match op {
        BinaryOp::Add => left.add(right),
        BinaryOp::Subtract => left.subtract(right),
        BinaryOp::Multiply => left.multiply(right),
        BinaryOp::Divide => left.divide(right),
        BinaryOp::Remainder => left.remainder(right),
        _ => return None,
    };
    result.ok().map(Value::from)
}
