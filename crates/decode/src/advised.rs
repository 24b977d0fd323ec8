//! Values of references to resources with deprecated attributes: the same value with a mark on each deprecated part. A value
//! without any is returned unchanged, so most references only cost a check.

use groma_module::declare::Resource;
use groma_value::schema::{
    AttributeSchema, AttributeShape, BlockSchema, NestedBlock, NestedObjects,
};
use groma_value::{Deprecation, Mark, Marks, Str, Value};

/// A reference to a resource whose deprecated attributes get a mark, in editions that report deprecations by value.
#[derive(Clone, Copy)]
pub struct AdvisedReference<'a> {
    /// The resource.
    pub resource: &'a Resource,
    /// The schema, which declares deprecations.
    pub block: &'a BlockSchema,
    /// True if deprecated blocks and resources are marked as wholes, false if only attributes are.
    pub marks_wholes: bool,
}

impl AdvisedReference<'_> {
    /// Returns the resource's object with a deprecation mark on each deprecated part.
    pub fn object(self, value: Value) -> Value {
        let marked = self.body(&value, self.block, "").unwrap_or(value);
        match self.marks_wholes && self.block.deprecated {
            true => marked.mark(&self.advice("")),
            false => marked,
        }
    }

    /// Returns the resource's object with a deprecation mark on one attribute, the only one that will be used.
    pub fn object_with(self, value: Value, name: &str) -> Value {
        if self.marks_wholes && self.block.deprecated {
            return self.object(value);
        }
        let (bare, marks) = value.unmark();
        let Value::Object(object) = &bare else { return value };
        match object.get(name).and_then(|part| self.named(part, self.block, name, "")) {
            Some(part) => with_parts(&bare, &[(Str::from(name), part)]).mark(&marks),
            None => value,
        }
    }

    /// Returns the value of one attribute or block type, with a mark where it is deprecated.
    pub fn part(self, value: Value, name: &str) -> Value {
        self.named(&value, self.block, name, "").unwrap_or(value)
    }

    /// Returns the deprecation mark for the part at a path; for the empty path, of the whole resource.
    fn advice(self, path: &str) -> Marks {
        let address = self.resource.address();
        let what = match path.is_empty() {
            true => address,
            false => format!("\"{path}\" of {address}"),
        };
        let sentence = format!("According to the provider, {what} is deprecated.");
        Marks::one(Mark::Deprecated(Deprecation::Attribute, Str::from(sentence)))
    }

    /// Returns the value of the body at a path in the resource, with deprecated parts marked; `None` if nothing in it is
    /// deprecated.
    fn body(self, value: &Value, block: &BlockSchema, path: &str) -> Option<Value> {
        self.parts(value, |name, part| self.named(part, block, name, path))
    }

    /// Returns the object `value` in which `one`, given the name and the value of a part, replaces that part or returns `None` to
    /// keep it; `None` if no part is replaced.
    fn parts(self, value: &Value, one: impl Fn(&str, &Value) -> Option<Value>) -> Option<Value> {
        let (bare, marks) = value.unmark();
        let Value::Object(object) = &bare else { return None };
        let parts = object.iter().filter_map(|(name, part)| Some((name.clone(), one(name, part)?)));
        let parts: Vec<(Str, Value)> = parts.collect();
        (!parts.is_empty()).then(|| with_parts(&bare, &parts).mark(&marks))
    }

    /// Returns the value of the attribute or block type `name`, in the body at the path `above`, with deprecated parts marked;
    /// `None` if nothing in it is deprecated.
    fn named(self, value: &Value, block: &BlockSchema, name: &str, above: &str) -> Option<Value> {
        match (block.attribute(name), block.block(name)) {
            (Some(attribute), _) => self.attribute(value, attribute, above),
            (None, Some(nested)) => self.blocks(value, nested, above),
            (None, None) => None,
        }
    }

    /// Returns the value of an attribute, in the body at the path `above`, with deprecated parts marked; `None` if nothing in it
    /// is deprecated.
    fn attribute(self, value: &Value, attribute: &AttributeSchema, above: &str) -> Option<Value> {
        if attribute.deprecated {
            return Some(value.mark(&self.advice(&joined(above, &attribute.name))));
        }
        let AttributeShape::Nested(nested) = &attribute.shape else { return None };
        let path = joined(above, &attribute.name);
        elements(value, &|value| self.nested(value, nested, &path))
    }

    /// Returns the value of an attribute with nested objects, at a path in the resource, with deprecated parts marked; `None` if
    /// nothing in it is deprecated.
    fn nested(self, value: &Value, nested: &NestedObjects, path: &str) -> Option<Value> {
        self.parts(value, |name, part| self.attribute(part, nested.attribute(name)?, path))
    }

    /// Returns the blocks of one type, in the body at the path `above`, with deprecated parts marked; `None` if nothing in them
    /// is deprecated.
    fn blocks(self, value: &Value, nested: &NestedBlock, above: &str) -> Option<Value> {
        let path = joined(above, &nested.name);
        let is_advised = nested.block.deprecated;
        let marks_each = is_advised && !self.marks_wholes && advises_inside(&nested.block);
        let marked = elements(value, &|value| {
            let inner = self.body(value, &nested.block, &path);
            match marks_each {
                true => Some(inner.as_ref().unwrap_or(value).mark(&self.advice(&path))),
                false => inner,
            }
        });
        match is_advised && self.marks_wholes {
            true => Some(marked.as_ref().unwrap_or(value).mark(&self.advice(&path))),
            false => marked,
        }
    }
}

/// Returns a collection, or a single object, in which `one` replaces each object or returns `None` to keep it; `None` if no
/// object is replaced.
fn elements(value: &Value, one: &dyn Fn(&Value) -> Option<Value>) -> Option<Value> {
    let (bare, marks) = value.unmark();
    let mut is_changed = false;
    let mut each = |value: &Value| {
        let changed = one(value);
        is_changed |= changed.is_some();
        changed.unwrap_or_else(|| value.clone())
    };
    let made = match &bare {
        Value::Object(_) => return one(value),
        Value::List(list) => {
            Value::list(list.element().clone(), list.items().iter().map(&mut each).collect())
        }
        Value::Set(set) => {
            Value::set(set.element().clone(), set.items().iter().map(&mut each).collect())
        }
        Value::Tuple(tuple) => Value::tuple(tuple.items().iter().map(&mut each).collect()),
        Value::Map(map) => {
            let entries = map.entries().iter().map(|(key, value)| (key.clone(), each(value)));
            let entries: Vec<(Str, Value)> = entries.collect();
            Value::map(map.element().clone(), entries)
        }
        _ => return None,
    };
    is_changed.then(|| made.mark(&marks))
}

/// Returns true if any attribute of a block or of its nested blocks is deprecated.
fn advises_inside(block: &BlockSchema) -> bool {
    block.attributes().iter().any(|attribute| attribute.deprecated)
        || block.blocks().iter().any(|nested| advises_inside(&nested.block))
}

/// Returns an object value with the attributes in `parts` replaced; any other value is returned as it is.
fn with_parts(object: &Value, parts: &[(Str, Value)]) -> Value {
    let Value::Object(object) = object else { return object.clone() };
    let all = object.iter().map(|(name, value)| {
        let other = parts.iter().find(|(known, _)| known == name);
        (name.clone(), other.map_or(value, |(_, other)| other).clone())
    });
    Value::object(all.collect::<Vec<_>>())
}

/// Returns a path of names extended by one name, with a dot between them.
fn joined(above: &str, name: &str) -> String {
    match above.is_empty() {
        true => name.to_owned(),
        false => format!("{above}.{name}"),
    }
}
