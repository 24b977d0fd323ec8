//! The elements that a `dynamic` block makes blocks of, each with its key. A list is counted, a set is its own keys; what is
//! not known leaves open how many blocks there are.

use groma_value::{Causes, Mark, Marks, Str, Value, print};

/// Maximum number of blocks that a `dynamic` block makes.
const LIMIT: usize = 10_000;

/// The elements over which a `dynamic` block repeats, known with their keys or unknown.
pub enum RepeatedElements {
    /// The key and the value of each.
    Known(Vec<(Value, Value)>),
    /// The number of elements is not known.
    Unknown(Causes),
}

impl RepeatedElements {
    /// Returns the elements of a value with their keys.
    ///
    /// # Errors
    /// What is wrong with a value that is not a collection or has too many elements, as the end of a sentence.
    pub fn of(over: &Value) -> Result<RepeatedElements, String> {
        let (bare, marks) = over.unmark();
        let marks: Marks = marks.iter().filter(|mark| **mark != Mark::TypeText).cloned().collect();
        let key = |key: &Str| Value::String(key.clone());
        let pairs: Vec<(Value, Value)> = match &bare {
            Value::Map(map) => map.entries().iter().map(|(k, v)| (key(k), v.clone())).collect(),
            Value::Object(object) => object.iter().map(|(k, v)| (key(k), v.clone())).collect(),
            Value::Set(set) => set.items().iter().map(|v| (v.clone(), v.clone())).collect(),
            Value::List(list) => numbered(list.items()),
            Value::Tuple(tuple) => numbered(tuple.items()),
            Value::Unknown(unknown) if !unknown.ty.is_primitive() => {
                return Ok(RepeatedElements::Unknown(unknown.causes.clone()));
            }
            Value::Null(_) => return Err("this is null. Use an empty list for no block".to_owned()),
            other => return Err(format!("this is {}", print::with_article(&other.ty()))),
        };
        if pairs.len() > LIMIT {
            return Err(format!("this has {} elements, and the maximum is {LIMIT}", pairs.len()));
        }
        let marked = |(key, value): (Value, Value)| (key.mark(&marks), value.mark(&marks));
        Ok(RepeatedElements::Known(pairs.into_iter().map(marked).collect()))
    }
}

fn numbered(items: &[Value]) -> Vec<(Value, Value)> {
    items.iter().enumerate().map(|(at, value)| (Value::position(at), value.clone())).collect()
}
