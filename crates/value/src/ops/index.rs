//! Looking into values: elements, attributes, lengths.
use crate::{Mismatch, Value};

/// Which side of an index operation is at fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IndexFaultKind {
    /// The value indexed is null.
    Null,
    /// The value indexed has no elements or attributes.
    NotIndexable,
    /// The key has the wrong type, is null or is no whole number.
    Key,
    /// There is no such element or attribute.
    Missing,
}

/// Why there is no such element.
#[derive(Clone, Debug)]
pub struct IndexFault {
    /// Which side is at fault.
    pub kind: IndexFaultKind,
    /// A sentence that starts in lower case.
    pub message: String,
}

/// `collection[key]`.
pub fn index(_collection: &Value, _key: &Value) -> Result<Value, IndexFault> {
    Err(IndexFault { kind: IndexFaultKind::Missing, message: "indexing is not ready".into() })
}
/// `object.name`; also for maps.
pub fn attribute(_object: &Value, _name: &str) -> Result<Value, IndexFault> {
    Err(IndexFault { kind: IndexFaultKind::Missing, message: "indexing is not ready".into() })
}
/// Whether `collection[key]` has an element; unknown where that is not settled.
pub fn has_index(_collection: &Value, _key: &Value) -> Value {
    Value::unknown(crate::Type::Bool)
}
/// How many elements a collection has, how many graphemes a text.
pub fn length(_value: &Value) -> Result<Value, Mismatch> {
    Err(Mismatch::new("length is not ready"))
}
