//! The collection that a `dynamic` block repeats over: its elements, or that they are not known.

use groma_module::declare::DynamicBlock;
use groma_syntax::{Diagnostic, Diagnostics};
use groma_value::{Causes, Mark, Marks, Str, Type, Value};

use crate::body::BodyEvaluator;
use crate::codes;

/// Maximum number of blocks that a `dynamic` block makes.
const LIMIT: usize = 10_000;

/// The collection that a `dynamic` block repeats over.
pub enum DynamicElements {
    /// The values of its iterator, block by block.
    Known(Vec<Value>),
    /// The number of blocks is not known.
    Unknown(Causes),
}

/// Returns what a `dynamic` block repeats over; what it cannot repeat over is reported.
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
    let (bare, marks) = over.unmark();
    let marks: Marks = marks.iter().filter(|mark| **mark != Mark::TypeText).cloned().collect();
    let key = |key: &Str| Value::String(key.clone());
    let pairs: Vec<(Value, Value)> = match &bare {
        Value::Map(map) => map.entries().iter().map(|(k, v)| (key(k), v.clone())).collect(),
        Value::Object(object) => object.iter().map(|(k, v)| (key(k), v.clone())).collect(),
        Value::Set(set) => set.items().iter().map(|v| (v.clone(), v.clone())).collect(),
        Value::List(list) => numbered(list.items()),
        Value::Tuple(tuple) => numbered(tuple.items()),
        Value::Unknown(unknown) => {
            if unknown.ty.is_primitive() {
                wrong(dynamic, &format!("this is {}", with_article(&unknown.ty)), out);
            }
            return DynamicElements::Unknown(unknown.causes.clone());
        }
        Value::Null(_) => {
            wrong(dynamic, "this is null. Use an empty list for no block", out);
            return DynamicElements::Unknown(Causes::NONE);
        }
        other => {
            wrong(dynamic, &format!("this is {}", with_article(&other.ty())), out);
            return DynamicElements::Unknown(Causes::NONE);
        }
    };
    if pairs.len() > LIMIT {
        let problem = format!("this has {} elements, and the maximum is {LIMIT}", pairs.len());
        wrong(dynamic, &problem, out);
        return DynamicElements::Unknown(Causes::NONE);
    }
    if !site.makes(pairs.len()) {
        return DynamicElements::Unknown(Causes::NONE);
    }
    let marked = |(key, value): (Value, Value)| iterator(key.mark(&marks), value.mark(&marks));
    DynamicElements::Known(pairs.into_iter().map(marked).collect())
}

fn with_article(ty: &Type) -> String {
    groma_value::print::with_article(ty)
}

fn wrong(dynamic: &DynamicBlock, problem: &str, out: &mut Diagnostics) {
    let detail = format!("A dynamic block repeats over a collection, and {problem}.");
    let place = dynamic.for_each.as_ref().map_or(dynamic.kind_place, |e| e.place());
    out.push(Diagnostic::error(&codes::DYNAMIC_FOR_EACH, detail).at(place));
}

pub(super) fn iterator(key: Value, value: Value) -> Value {
    Value::object([(Str::from("key"), key), (Str::from("value"), value)])
}

fn numbered(items: &[Value]) -> Vec<(Value, Value)> {
    items.iter().enumerate().map(|(at, value)| (Value::position(at), value.clone())).collect()
}
