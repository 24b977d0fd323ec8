//! The value: 16 bytes, cheap to clone, collections shared. Marks wrap a value from outside
//! ([`Value::Marked`]), so a match on the bare variants must look below the marks first, and a number has two variants.

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
    /// Not known yet.
    Unknown(Arc<Unknown>),
    /// `true` or `false`.
    Bool(bool),
    /// A number of few digits, as nearly all are.
    Decimal(Decimal),
    /// Any other number; [`Value::as_number`] asks for both.
    Real(Real),
    /// Text, NFC.
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

const _: () = assert!(size_of::<Value>() <= 16 && size_of::<Type>() <= 16);

impl Value {
    /// A bare `null`.
    pub const NULL: Value = Value::Null(NullType::BARE);
    /// `true`.
    pub const TRUE: Value = Value::Bool(true);
    /// `false`.
    pub const FALSE: Value = Value::Bool(false);

    /// A null of a type.
    pub fn null(ty: Type) -> Value {
        Value::Null(NullType::of(ty))
    }

    /// The number that the value is; its marks are not looked below.
    #[inline]
    pub fn as_number(&self) -> Option<Number> {
        match self {
            Value::Decimal(decimal) => Some(decimal.number()),
            Value::Real(real) => Some(real.number()),
            _ => None,
        }
    }

    /// Returns true if the value is a number; its marks are not looked below.
    #[inline]
    pub fn is_number(&self) -> bool {
        matches!(self, Value::Decimal(_) | Value::Real(_))
    }

    /// The position in a list or tuple that the value is, as a key; its marks are not looked below.
    pub fn as_position(&self) -> Option<usize> {
        self.as_number()?.to_exact_usize()
    }

    /// Text; normalised to NFC.
    pub fn text(text: impl Into<Str>) -> Value {
        Value::String(text.into())
    }

    /// A whole number at the precision of lengths and indexes (64 bits).
    pub fn int(number: i64) -> Value {
        Number::from_i64(number).into()
    }

    /// A position in a list or tuple.
    pub fn position(at: usize) -> Value {
        Value::int(i64::try_from(at).unwrap_or(i64::MAX))
    }

    /// A tuple.
    pub fn tuple(items: Vec<Value>) -> Value {
        Value::Tuple(Arc::new(Tuple::new(items)))
    }

    /// An object; of equal names the last wins.
    pub fn object(attributes: impl IntoIterator<Item = (Str, Value)>) -> Value {
        Value::Object(Arc::new(Object::new(attributes)))
    }

    /// A list whose items all have the type `element` (the caller has converted them).
    pub fn list(element: Type, items: Vec<Value>) -> Value {
        Value::List(Arc::new(List::new(element, items)))
    }

    /// A map whose values all have the type `element`; of equal keys the last wins.
    pub fn map(element: Type, entries: impl IntoIterator<Item = (Str, Value)>) -> Value {
        Value::Map(Arc::new(Map::new(element, entries)))
    }

    /// A set of items that all have the type `element`: duplicates go, the references' order is
    /// made, and the marks of elements move to the set.
    pub fn set(element: Type, items: Vec<Value>) -> Value {
        Set::value(element, items)
    }

    /// The type. Costs nothing for primitives and collections; tuples and objects derive theirs.
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

    /// Returns true if the value is of that type, as [`Value::ty`] would say it; nothing is made to find out, but for
    /// a null or an unknown.
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

    /// The value below its own marks; the marks deeper inside stay.
    #[inline]
    pub fn bare(&self) -> &Value {
        match self {
            Value::Marked(m) => m.value(),
            bare => bare,
        }
    }

    /// The marks of the value itself, not those inside it.
    #[inline]
    pub fn marks(&self) -> Marks {
        match self {
            Value::Marked(m) => m.marks().clone(),
            _ => Marks::NONE,
        }
    }

    /// The value without its own marks, and the marks.
    #[inline]
    pub fn unmark(&self) -> (Value, Marks) {
        match self {
            Value::Marked(m) => (m.value().clone(), m.marks().clone()),
            bare => (bare.clone(), Marks::NONE),
        }
    }

    /// The value with `marks` added to its own.
    #[inline]
    pub fn mark(&self, marks: &Marks) -> Value {
        if marks.is_empty() {
            return self.clone();
        }
        let (bare, own) = self.unmark();
        Value::Marked(Arc::new(Marked::new(bare, own.union(marks))))
    }

    /// The same for a value that is given away: without `marks` it is not even cloned.
    #[inline]
    pub fn marked(self, marks: &Marks) -> Value {
        if marks.is_empty() { self } else { self.mark(marks) }
    }

    /// Returns true if the value is null (below marks).
    #[inline]
    pub fn is_null(&self) -> bool {
        matches!(self.bare(), Value::Null(_))
    }

    /// Returns true if the value itself is known (below marks); parts of it may be unknown.
    #[inline]
    pub fn is_known(&self) -> bool {
        !matches!(self.bare(), Value::Unknown(_))
    }

    /// Returns true if nothing in the value is unknown. Constant time.
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

    /// Returns true if a mark stands anywhere in the value. Constant time.
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

    /// Returns how deep collections nest: 0 for a primitive. Constant time.
    #[inline]
    pub fn depth(&self) -> u32 {
        self.measure().depth
    }

    /// Returns how deep and how large the value is when it is written out. Constant time, but for an unknown or a null
    /// of a list of lists.
    #[inline]
    pub fn measure(&self) -> ValueMeasure {
        match self {
            Value::Bool(_) | Value::Decimal(_) | Value::Real(_) => ValueMeasure::default(),
            Value::String(text) => ValueMeasure { depth: 0, weight: text.len() as u64 },
            composed => composed.measure_of_parts(),
        }
    }

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

    /// Returns what the value holds anywhere inside. Constant time.
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

fn tuple_type(tuple: &Tuple) -> Type {
    let mut elements = Vec::with_capacity(tuple.items().len());
    for item in tuple.items() {
        elements.push(item.ty());
    }
    Type::Tuple(Arc::new(TupleType::new(elements)))
}

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
        match number.into_held() {
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
