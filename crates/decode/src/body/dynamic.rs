//! The collection of a `dynamic` block: its elements, if known.

use groma_config::RepeatedElements;
use groma_module::declare::DynamicBlock;
use groma_syntax::{Diagnostic, Diagnostics};
use groma_value::{Causes, Str, Value};

use crate::body::BodyEvaluator;
use crate::codes;

/// The elements that a `dynamic` block iterates over, or the causes of their being unknown.
pub enum DynamicElements {
    /// The iterator's value for each block.
    Known(Vec<Value>),
    /// The number of blocks is unknown, for these reasons.
    Unknown(Causes),
}

/// Returns the elements of a `dynamic` block; reports a value that cannot be iterated over.
pub fn elements(
    dynamic: &DynamicBlock,
    site: &dyn BodyEvaluator,
    out: &mut Diagnostics,
) -> DynamicElements {
    let Some(expression) = &dynamic.for_each else { return DynamicElements::Unknown(Causes::NONE) };
    let before = out.error_count();
    let over = site.value(expression, out);
    if out.error_count() > before {
        return DynamicElements::Unknown(Causes::NONE);
    }
    let pairs = match RepeatedElements::of(&over) {
        Ok(RepeatedElements::Known(pairs)) => pairs,
        Ok(RepeatedElements::Unknown(causes)) => return DynamicElements::Unknown(causes),
        Err(problem) => {
            wrong(dynamic, &problem, out);
            return DynamicElements::Unknown(match over.bare() {
                Value::Unknown(unknown) => unknown.causes.clone(),
                _ => Causes::NONE,
            });
        }
    };
    if !site.charge_blocks(pairs.len()) {
        return DynamicElements::Unknown(Causes::NONE);
    }
    DynamicElements::Known(pairs.into_iter().map(|(key, value)| iterator(key, value)).collect())
}

/// Reports the collection of a `dynamic` block that cannot be iterated over, with the reason.
fn wrong(dynamic: &DynamicBlock, problem: &str, out: &mut Diagnostics) {
    let detail = format!("A dynamic block repeats over a collection, and {problem}.");
    let place = dynamic.for_each.as_ref().map_or(dynamic.kind_place, |e| e.place());
    out.push(Diagnostic::error(&codes::DYNAMIC_FOR_EACH, detail).at(place));
}

/// Returns the object with `key` and `value` that the iterator of a `dynamic` block denotes.
pub(super) fn iterator(key: Value, value: Value) -> Value {
    Value::object([(Str::from("key"), key), (Str::from("value"), value)])
}
