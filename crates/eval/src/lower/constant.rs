//! What may become a constant while lowering: only what can neither fail nor grow.

use groma_functions::Limits;
use groma_value::{Str, Value};

/// Whether a collection of these values stays within the nesting that evaluation allows.
pub(super) fn may_nest(values: &[Value]) -> bool {
    values.iter().all(|value| (value.depth() as usize) < Limits::DEFAULT.nesting)
}

/// The name that a constant key stands for.
pub(super) fn key(value: &Value) -> Option<Str> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_text().into()),
        Value::Bool(flag) => Some(if *flag { "true" } else { "false" }.into()),
        _ => None,
    }
}
