//! Types. `Dynamic` means an unknown type of a value and any type in a constraint; it is never the type of a known value that is
//! not null.

use std::sync::Arc;

use crate::{Str, ValueMeasure};

/// The type of a value, or a type constraint, which several types may meet. 16 bytes, cheap to clone.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// Of a value: of unknown type; in a constraint: any type.
    Dynamic,
    /// `true` or `false`.
    Bool,
    /// A number of any size.
    Number,
    /// A string.
    String,
    /// A sequence of one element type.
    List(Arc<Type>),
    /// Distinct elements of one type.
    Set(Arc<Type>),
    /// String keys to values of one type.
    Map(Arc<Type>),
    /// A sequence in which each position has its own type.
    Tuple(Arc<TupleType>),
    /// Named attributes, each of its own type.
    Object(Arc<ObjectType>),
}

/// The type of tuples of one length: the type of each element in order.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TupleType {
    elements: Vec<Type>,
    measure: ValueMeasure,
}

/// An attribute of an object type: its name, its type, and true if it is optional.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Attribute {
    /// The attribute's name, in Normal Form C.
    pub name: Str,
    /// The attribute's type.
    pub ty: Type,
    /// True if a value may lack it. Only constraints have optional attributes.
    pub optional: bool,
}

/// The type of objects: their attributes sorted by name, each name once.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ObjectType {
    attributes: Vec<Attribute>,
    measure: ValueMeasure,
}

impl Type {
    /// Returns the type of lists whose elements have the type `element`.
    pub fn list(element: Type) -> Type {
        Type::List(Arc::new(element))
    }
    /// Returns the type of sets whose elements have the type `element`.
    pub fn set(element: Type) -> Type {
        Type::Set(Arc::new(element))
    }
    /// Returns the type of maps whose values have the type `element`.
    pub fn map(element: Type) -> Type {
        Type::Map(Arc::new(element))
    }
    /// Returns the type of tuples whose elements have these types.
    pub fn tuple(elements: impl IntoIterator<Item = Type>) -> Type {
        Type::Tuple(Arc::new(TupleType::new(elements.into_iter().collect())))
    }
    /// Returns the type of objects with these required attributes; the last of equal names wins.
    pub fn object(attributes: impl IntoIterator<Item = (Str, Type)>) -> Type {
        Type::Object(Arc::new(ObjectType::new(
            attributes.into_iter().map(|(name, ty)| Attribute { name, ty, optional: false }),
        )))
    }

    /// Returns true if the type is bool, number or string.
    pub fn is_primitive(&self) -> bool {
        matches!(self, Type::Bool | Type::Number | Type::String)
    }
    /// Returns true if the type is a list, set or map.
    pub fn is_collection(&self) -> bool {
        self.element().is_some()
    }
    /// Returns the element type of a list, set or map; `None` for other types.
    pub fn element(&self) -> Option<&Type> {
        match self {
            Type::List(e) | Type::Set(e) | Type::Map(e) => Some(e),
            _ => None,
        }
    }
    /// Returns the nesting depth of the type and its size in bytes when written out, in time linear in the nesting of
    /// collections.
    pub fn measure(&self) -> ValueMeasure {
        match self {
            Type::Dynamic | Type::Bool | Type::Number | Type::String => ValueMeasure::default(),
            Type::List(e) | Type::Set(e) | Type::Map(e) => ValueMeasure::of_parts([e.measure()]),
            Type::Tuple(t) => t.measure,
            Type::Object(o) => o.measure,
        }
    }
    /// Returns true if the type is or contains `Dynamic`.
    pub fn has_dynamic(&self) -> bool {
        match self {
            Type::Dynamic => true,
            Type::Bool | Type::Number | Type::String => false,
            Type::List(e) | Type::Set(e) | Type::Map(e) => e.has_dynamic(),
            Type::Tuple(t) => t.elements().iter().any(Type::has_dynamic),
            Type::Object(o) => o.attributes().iter().any(|a| a.ty.has_dynamic()),
        }
    }
    /// Returns true if the type is or contains an object type with an optional attribute.
    fn has_optional(&self) -> bool {
        match self {
            Type::Dynamic | Type::Bool | Type::Number | Type::String => false,
            Type::List(e) | Type::Set(e) | Type::Map(e) => e.has_optional(),
            Type::Tuple(t) => t.elements().iter().any(Type::has_optional),
            Type::Object(o) => o.attributes().iter().any(|a| a.optional || a.ty.has_optional()),
        }
    }
    /// Returns the type with all attributes required, as the types of values have them.
    pub fn without_optional(&self) -> Type {
        if !self.has_optional() {
            return self.clone();
        }
        match self {
            Type::List(e) => Type::list(e.without_optional()),
            Type::Set(e) => Type::set(e.without_optional()),
            Type::Map(e) => Type::map(e.without_optional()),
            Type::Tuple(t) => Type::tuple(t.elements().iter().map(Type::without_optional)),
            Type::Object(o) => {
                let plain = |a: &Attribute| Attribute {
                    name: a.name.clone(),
                    ty: a.ty.without_optional(),
                    optional: false,
                };
                let attributes = o.attributes().iter().map(plain).collect();
                Type::Object(Arc::new(ObjectType::sorted(attributes)))
            }
            plain => plain.clone(),
        }
    }
}

impl TupleType {
    /// Creates a tuple type from the types of its elements in order.
    pub fn new(elements: Vec<Type>) -> TupleType {
        let measure = ValueMeasure::of_parts(elements.iter().map(Type::measure));
        TupleType { elements, measure }
    }
    /// Returns the types of the tuple's elements in order.
    pub fn elements(&self) -> &[Type] {
        &self.elements
    }
}

impl ObjectType {
    /// Creates an object type from attributes in any order; the last of equal names wins.
    pub fn new(attributes: impl IntoIterator<Item = Attribute>) -> ObjectType {
        let mut attributes: Vec<Attribute> = attributes.into_iter().collect();
        attributes.reverse();
        attributes.sort_by(|a, b| a.name.cmp(&b.name));
        attributes.dedup_by(|later, kept| later.name == kept.name);
        ObjectType::sorted(attributes)
    }
    /// Creates an object type from attributes already sorted by name, without duplicates.
    pub(crate) fn sorted(attributes: Vec<Attribute>) -> ObjectType {
        debug_assert!(attributes.windows(2).all(|pair| pair[0].name < pair[1].name));
        let mut measure = ValueMeasure::PARENT;
        for attribute in &attributes {
            measure.add_name(&attribute.name);
            measure.add(attribute.ty.measure());
        }
        ObjectType { attributes, measure }
    }
    /// Returns the attributes of the type, sorted by name.
    pub fn attributes(&self) -> &[Attribute] {
        &self.attributes
    }
    /// Returns the attribute `name`; `None` if the type does not have it.
    pub fn get(&self, name: &str) -> Option<&Attribute> {
        let at = self.attributes.binary_search_by(|a| a.name.as_ref().cmp(name)).ok()?;
        Some(&self.attributes[at])
    }
}
