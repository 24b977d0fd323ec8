//! Values: 16 bytes, cheap to clone, with shared collections. Marks wrap a value ([`Value::Marked`]), so code that matches on
//! other variants must remove the marks first; a number has two variants.

mod node;
mod null;
mod rebuild;
mod release;
mod shape;

use std::sync::Arc;

pub use null::NullType;

pub use node::{AttributeNames, List, Map, Marked, Object, Set, Tuple, ValueSummary};

pub use shape::ShapeCache;

pub(crate) use rebuild::RebuildMode;

use crate::number::NumberForm;
use crate::{
    Attribute, Decimal, KnownParts, Marks, Number, ObjectType, Real, Str, TupleType, Type, Unknown,
    ValueMeasure,
};

/// A value of the language.
///
/// Invariants, kept by the constructors: `Marked` never wraps `Marked` nor an empty mark set; a
/// list's, set's or map's elements all have its element type (`Dynamic` where they are unknown or
/// null); set elements are distinct, in the references' order and carry no marks (those of
/// elements move to the set); map keys and object names are NFC and sorted by bytes.
#[derive(Clone, Debug)]
pub enum Value {
    /// No value, of a type (`Dynamic` for a bare `null`).
    Null(NullType),
    /// A value that is not known yet.
    Unknown(Arc<Unknown>),
    /// `true` or `false`.
    Bool(bool),
    /// A number of few digits, as most are.
    Decimal(Decimal),
    /// Any other number; [`Value::as_number`] covers both.
    Real(Real),
    /// A string, in Normal Form C.
    String(Str),
    /// A list.
    List(Arc<List>),
    /// A set.
    Set(Arc<Set>),
    /// A map.
    Map(Arc<Map>),
    /// A tuple.
    Tuple(Arc<Tuple>),
    /// An object.
    Object(Arc<Object>),
    /// A value with marks of its own.
    Marked(Arc<Marked>),
}

/// Compile-time check that values and types stay within 16 bytes.
const _: () = assert!(size_of::<Value>() <= 16 && size_of::<Type>() <= 16);

impl Value {
    /// The bare `null`, whose type is unknown.
    pub const NULL: Value = Value::Null(NullType::BARE);
    /// The bool `true`.
    pub const TRUE: Value = Value::Bool(true);
    /// The bool `false`.
    pub const FALSE: Value = Value::Bool(false);

    /// Returns the null of a type; the bare null for `Dynamic`.
    pub fn null(ty: Type) -> Value {
        Value::Null(NullType::of(ty))
    }

    /// Returns the number of an unmarked value; `None` for other values.
    #[inline]
    pub fn as_number(&self) -> Option<Number> {
        match self {
            Value::Decimal(decimal) => Some(decimal.number()),
            Value::Real(real) => Some(real.number()),
            _ => None,
        }
    }

    /// Returns true if the value is an unmarked number.
    #[inline]
    pub fn is_number(&self) -> bool {
        matches!(self, Value::Decimal(_) | Value::Real(_))
    }

    /// Returns an unmarked value as a position in a list or tuple; `None` if it is not a whole number of at least 0.
    pub fn as_position(&self) -> Option<usize> {
        self.as_number()?.to_exact_usize()
    }

    /// Returns a string value, with the text in Normal Form C.
    pub fn text(text: impl Into<Str>) -> Value {
        Value::String(text.into())
    }

    /// Returns a whole number at the precision of lengths and indexes (64 bits).
    pub fn int(number: i64) -> Value {
        Number::from_i64(number).into()
    }

    /// Returns a position in a list or tuple as a number value.
    pub fn position(at: usize) -> Value {
        Value::int(i64::try_from(at).unwrap_or(i64::MAX))
    }

    /// Returns a tuple of items of any types.
    pub fn tuple(items: Vec<Value>) -> Value {
        Value::Tuple(Arc::new(Tuple::new(items)))
    }

    /// Returns an object of attributes in any order; the last of equal names wins.
    pub fn object(attributes: impl IntoIterator<Item = (Str, Value)>) -> Value {
        Value::Object(Arc::new(Object::new(attributes)))
    }

    /// Returns a list of items, all of which have the type `element` already.
    pub fn list(element: Type, items: Vec<Value>) -> Value {
        Value::List(Arc::new(List::new(element, items)))
    }

    /// Returns a map of entries in any order, whose values all have the type `element`; the last of equal keys wins.
    pub fn map(element: Type, entries: impl IntoIterator<Item = (Str, Value)>) -> Value {
        Value::Map(Arc::new(Map::new(element, entries)))
    }

    /// Returns a set of items of the type `element`: removes duplicates, sorts the items and moves their marks to the set.
    pub fn set(element: Type, items: Vec<Value>) -> Value {
        Set::value(element, items)
    }

    /// Returns the type of the value. Free for primitives and collections; tuples and objects derive theirs.
    pub fn ty(&self) -> Type {
        match self {
            Value::Null(ty) => (**ty).clone(),
            Value::Unknown(u) => u.ty.clone(),
            Value::Bool(_) => Type::Bool,
            Value::Decimal(_) | Value::Real(_) => Type::Number,
            Value::String(_) => Type::String,
            Value::List(l) => Type::List(l.element_arc().clone()),
            Value::Set(s) => Type::Set(s.element_arc().clone()),
            Value::Map(m) => Type::Map(m.element_arc().clone()),
            Value::Tuple(t) => tuple_type(t),
            Value::Object(o) => object_type(o),
            Value::Marked(m) => m.value().ty(),
        }
    }

    /// Returns true if the type of the value is `ty`, without building the type except for a null or unknown.
    pub fn is_of(&self, ty: &Type) -> bool {
        match (self.bare(), ty) {
            (Value::Bool(_), Type::Bool)
            | (Value::Decimal(_) | Value::Real(_), Type::Number)
            | (Value::String(_), Type::String) => true,
            (Value::List(list), Type::List(element)) => list.element() == &**element,
            (Value::Set(set), Type::Set(element)) => set.element() == &**element,
            (Value::Map(map), Type::Map(element)) => map.element() == &**element,
            (Value::Tuple(tuple), Type::Tuple(elements)) => {
                let (items, elements) = (tuple.items(), elements.elements());
                items.len() == elements.len()
                    && items.iter().zip(elements).all(|(item, ty)| item.is_of(ty))
            }
            (Value::Object(object), Type::Object(attributes)) => {
                let attributes = attributes.attributes();
                object.len() == attributes.len()
                    && object.iter().zip(attributes).all(|((name, value), attribute)| {
                        *name == attribute.name && !attribute.optional && value.is_of(&attribute.ty)
                    })
            }
            (Value::Null(own), ty) => **own == *ty,
            (Value::Unknown(unknown), ty) => unknown.ty == *ty,
            _ => false,
        }
    }

    /// Returns the value without its own marks; the marks of its parts remain.
    #[inline]
    pub fn bare(&self) -> &Value {
        match self {
            Value::Marked(m) => m.value(),
            bare => bare,
        }
    }

    /// Returns the value's own marks, without those of its parts.
    #[inline]
    pub fn marks(&self) -> Marks {
        match self {
            Value::Marked(m) => m.marks().clone(),
            _ => Marks::NONE,
        }
    }

    /// Returns the value without its own marks, and those marks.
    #[inline]
    pub fn unmark(&self) -> (Value, Marks) {
        match self {
            Value::Marked(m) => (m.value().clone(), m.marks().clone()),
            bare => (bare.clone(), Marks::NONE),
        }
    }

    /// Returns the value with `marks` added to its own.
    #[inline]
    pub fn mark(&self, marks: &Marks) -> Value {
        if marks.is_empty() {
            return self.clone();
        }
        let (bare, own) = self.unmark();
        Value::Marked(Arc::new(Marked::new(bare, own.union(marks))))
    }

    /// Returns an owned value with `marks` added to its own; nothing is cloned if `marks` is empty.
    #[inline]
    pub fn marked(self, marks: &Marks) -> Value {
        if marks.is_empty() { self } else { self.mark(marks) }
    }

    /// Returns true if the value is null, ignoring marks.
    #[inline]
    pub fn is_null(&self) -> bool {
        matches!(self.bare(), Value::Null(_))
    }

    /// Returns true if the value itself is known, ignoring marks; its parts may be unknown.
    #[inline]
    pub fn is_known(&self) -> bool {
        !matches!(self.bare(), Value::Unknown(_))
    }

    /// Returns true if the value contains no unknown. Constant time.
    #[inline]
    pub fn is_wholly_known(&self) -> bool {
        match self {
            Value::Null(_)
            | Value::Bool(_)
            | Value::Decimal(_)
            | Value::Real(_)
            | Value::String(_) => true,
            Value::Unknown(_) => false,
            composed => !composed.summary().unknown,
        }
    }

    /// Returns true if the value or any part has a mark. Constant time.
    #[inline]
    pub fn has_marks(&self) -> bool {
        match self {
            Value::Null(_)
            | Value::Bool(_)
            | Value::Decimal(_)
            | Value::Real(_)
            | Value::String(_) => false,
            Value::Unknown(_) => false,
            composed => composed.summary().marked,
        }
    }

    /// Returns the nesting depth of collections: 0 for a primitive. Constant time.
    #[inline]
    pub fn depth(&self) -> u32 {
        self.measure().depth
    }

    /// Returns the nesting depth and the written size in bytes. Constant time except for an unknown or a null of a list of lists.
    #[inline]
    pub fn measure(&self) -> ValueMeasure {
        match self {
            Value::Bool(_) | Value::Decimal(_) | Value::Real(_) => ValueMeasure::default(),
            Value::String(text) => ValueMeasure { depth: 0, weight: text.len() as u64 },
            composed => composed.measure_of_parts(),
        }
    }

    /// Returns the depth and size of a null, an unknown or a value with parts, from its cached summary or its type; 0 for others.
    fn measure_of_parts(&self) -> ValueMeasure {
        match self {
            Value::Bool(_) | Value::Decimal(_) | Value::Real(_) | Value::String(_) => {
                ValueMeasure::default()
            }
            Value::Null(ty) => ty.measure(),
            Value::Unknown(unknown) => match &unknown.parts {
                Some(parts) => parts.measure(),
                None => unknown.ty.measure(),
            },
            Value::List(l) => l.summary().measure,
            Value::Set(s) => s.summary().measure,
            Value::Map(m) => m.summary().measure,
            Value::Tuple(t) => t.summary().measure,
            Value::Object(o) => o.summary().measure,
            Value::Marked(m) => m.value().measure(),
        }
    }

    /// Returns the properties of the value's content: unknowns, marks and size at any depth. Constant time.
    #[inline]
    pub fn summary(&self) -> ValueSummary {
        match self {
            Value::Null(_)
            | Value::Bool(_)
            | Value::Decimal(_)
            | Value::Real(_)
            | Value::String(_) => {
                ValueSummary { measure: self.measure(), ..ValueSummary::default() }
            }
            Value::Unknown(unknown) => {
                let is_traced = |parts: &KnownParts| match parts {
                    KnownParts::Attributes(whole) | KnownParts::Elements(whole, _) => {
                        whole.is_traced()
                    }
                };
                let untraced =
                    unknown.fingerprint.is_none() || !unknown.parts.as_ref().is_none_or(is_traced);
                let measure = self.measure();
                ValueSummary { unknown: true, untraced, measure, ..ValueSummary::default() }
            }
            Value::List(l) => l.summary(),
            Value::Set(s) => s.summary(),
            Value::Map(m) => m.summary(),
            Value::Tuple(t) => t.summary(),
            Value::Object(o) => o.summary(),
            Value::Marked(m) => {
                let inner = m.value().summary();
                let mocked = inner.mocked || m.marks().is_mocked();
                ValueSummary { marked: true, mocked, ..inner }
            }
        }
    }
}

/// Returns the type of a tuple from the types of its items.
fn tuple_type(tuple: &Tuple) -> Type {
    let mut elements = Vec::with_capacity(tuple.items().len());
    for item in tuple.items() {
        elements.push(item.ty());
    }
    Type::Tuple(Arc::new(TupleType::new(elements)))
}

/// Returns the type of an object from the types of its attributes.
fn object_type(object: &Object) -> Type {
    let mut attributes = Vec::with_capacity(object.len());
    for (name, value) in object.iter() {
        attributes.push(Attribute { name: name.clone(), ty: value.ty(), optional: false });
    }
    Type::Object(Arc::new(ObjectType::sorted(attributes)))
}

impl From<bool> for Value {
    fn from(value: bool) -> Value {
        Value::Bool(value)
    }
}
impl From<Number> for Value {
    #[inline]
    fn from(number: Number) -> Value {
        match number.into_form() {
            NumberForm::Decimal(decimal) => Value::Decimal(decimal),
            NumberForm::Real(real) => Value::Real(real),
        }
    }
}
impl From<Str> for Value {
    fn from(value: Str) -> Value {
        Value::String(value)
    }
}
impl From<&str> for Value {
    fn from(value: &str) -> Value {
        Value::String(value.into())
    }
}
impl From<String> for Value {
    fn from(value: String) -> Value {
        Value::String(value.into())
    }
}
