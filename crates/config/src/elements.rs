//! Elements of a `dynamic` block's collection with their keys: positions in a list, the elements themselves in a set. An unknown
//! collection yields an unknown number of blocks.

use groma_value::{Causes, Mark, Marks, Str, Value, print};

/// Maximum number of blocks that a `dynamic` block generates; more are an error.
const LIMIT: usize = 10_000;

/// The elements of the collection of a `dynamic` block with their keys, or the causes if they are unknown.
pub enum RepeatedElements {
    /// The key and the value of each element.
    Known(Vec<(Value, Value)>),
    /// The causes for which the elements, and so their number, are unknown.
    Unknown(Causes),
}

impl RepeatedElements {
    /// Returns the elements of a collection with their keys.
    ///
    /// # Errors
    /// The end of a sentence about a value that is not a collection or has too many elements.
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

/// Returns the elements of a list, each with its index as key.
fn numbered(items: &[Value]) -> Vec<(Value, Value)> {
    items.iter().enumerate().map(|(at, value)| (Value::position(at), value.clone())).collect()
}
