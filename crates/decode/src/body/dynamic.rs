//! What a `dynamic` block repeats over: the elements, or that they are not known.

use groma_module::declare::Dynamic;
use groma_syntax::{Diagnostic, Diagnostics};
use groma_value::{Causes, Mark, Marks, Str, Type, Value};

use crate::body::Evaluator;
use crate::codes;

/// How many blocks a `dynamic` block may make.
const LIMIT: usize = 10_000;

/// What a `dynamic` block repeats over.
pub enum Elements {
    /// What its iterator is worth, block by block.
    Known(Vec<Value>),
    /// How many there are is not known.
    Unknown(Causes),
}

/// What a `dynamic` block repeats over; what it cannot repeat over is reported.
pub fn elements(dynamic: &Dynamic, site: &dyn Evaluator, out: &mut Diagnostics) -> Elements {
    let Some(expression) = &dynamic.for_each else { return Elements::Unknown(Causes::NONE) };
    let before = out.error_count();
    let over = site.value(expression, out);
    if out.error_count() > before {
        return Elements::Unknown(Causes::NONE);
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
            return Elements::Unknown(unknown.causes.clone());
        }
        Value::Null(_) => {
            wrong(dynamic, "this is null. Use an empty list for no block", out);
            return Elements::Unknown(Causes::NONE);
        }
        other => {
            wrong(dynamic, &format!("this is {}", with_article(&other.ty())), out);
            return Elements::Unknown(Causes::NONE);
        }
    };
    if pairs.len() > LIMIT {
        let problem = format!("this has {} elements, and {LIMIT} are the most", pairs.len());
        wrong(dynamic, &problem, out);
        return Elements::Unknown(Causes::NONE);
    }
    if !site.makes(pairs.len()) {
        return Elements::Unknown(Causes::NONE);
    }
    let marked = |(key, value): (Value, Value)| iterator(key.mark(&marks), value.mark(&marks));
    Elements::Known(pairs.into_iter().map(marked).collect())
}

fn with_article(ty: &Type) -> String {
    groma_value::print::with_article(ty)
}

fn wrong(dynamic: &Dynamic, problem: &str, out: &mut Diagnostics) {
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
