//! Sharing of attribute names between objects that are created in succession. A reader of many records passes the depth of each
//! object, since objects of one depth mostly have the same names.

use std::sync::Arc;

use super::{AttributeNames, Object, Value};
use crate::Str;

/// Maximum number of attributes of an object whose names a [`ShapeCache`] keeps: larger objects are seldom repeated.
const MOST_NAMES: usize = 64;

/// The nesting depth from which a [`ShapeCache`] does not keep the names of objects: deeper objects are seldom repeated.
const MOST_LEVELS: usize = 16;

/// A cache of the attribute names of the last object at each nesting depth, shared by the next object with the same names.
#[derive(Default, Debug)]
pub struct ShapeCache(Vec<ObjectShape>);

/// An object's attribute names as given and sorted, and the position of each given name among the sorted ones.
#[derive(Clone, Debug)]
struct ObjectShape {
    /// The names in the order in which they were given.
    given: Vec<Str>,
    names: Arc<AttributeNames>,
    /// The position of each given name among the sorted ones.
    order: Vec<u32>,
}

impl ShapeCache {
    /// Returns the object with these attributes, at the nesting depth `level`; it shares its names with the last object of that
    /// depth if they agree. The last of equal names wins.
    pub fn object(&mut self, level: usize, attributes: Vec<(Str, Value)>) -> Value {
        if attributes.len() > MOST_NAMES || level >= MOST_LEVELS {
            return Value::object(attributes);
        }
        let is_known = self.0.get(level).is_some_and(|shape| {
            shape.given.len() == attributes.len()
                && shape.given.iter().zip(&attributes).all(|(given, (name, _))| given == name)
        });
        if !is_known {
            let shape = ObjectShape::of(&attributes);
            let empty = || ObjectShape::of(&[]);
            if self.0.len() <= level {
                self.0.resize_with(level + 1, empty);
            }
            self.0[level] = shape;
        }
        let shape = &self.0[level];
        let mut values = vec![Value::NULL; shape.names.as_slice().len()];
        for ((_, value), at) in attributes.into_iter().zip(&shape.order) {
            values[*at as usize] = value;
        }
        Value::Object(Arc::new(Object::with_names(shape.names.clone(), values)))
    }
}

impl ObjectShape {
    /// Returns the names of these attributes as given and sorted.
    fn of(attributes: &[(Str, Value)]) -> ObjectShape {
        let given: Vec<Str> = attributes.iter().map(|(name, _)| name.clone()).collect();
        let names = AttributeNames::new(given.iter().cloned());
        let position = |name: &Str| names.position(name).unwrap_or(0) as u32;
        let order = given.iter().map(position).collect();
        ObjectShape { given, names, order }
    }
}
