//! What a reference to a resource is worth where its provider advises against parts of it: the same value with a mark on
//! each such part. A value without any stays the one that it was, so most references cost a look and nothing else.

use groma_value::schema::{
    AttributeSchema, AttributeShape, BlockSchema, NestedBlock, NestedObjects,
};
use groma_value::{Deprecation, Mark, Marks, Str, Value};

/// What references to a resource are worth, where an edition warns of deprecated parts by their values.
#[derive(Clone, Copy)]
pub struct AdvisedReference<'a> {
    /// The resource, as it is referred to.
    pub address: &'a str,
    /// What its provider says of its parts.
    pub block: &'a BlockSchema,
    /// True if blocks and resources that are deprecated as a whole are marked, or only parts of them.
    pub marks_wholes: bool,
}

impl AdvisedReference<'_> {
    /// The object with a mark on each part that the provider advises against.
    pub fn object(self, value: Value) -> Value {
        let marked = self.body(&value, self.block, "").unwrap_or(value);
        match self.marks_wholes && self.block.deprecated {
            true => marked.mark(&self.advice("")),
            false => marked,
        }
    }

    /// The same of an object of which only one attribute will be looked at.
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

    /// The value of one attribute or kind of block.
    pub fn part(self, value: Value, name: &str) -> Value {
        self.named(&value, self.block, name, "").unwrap_or(value)
    }

    fn advice(self, path: &str) -> Marks {
        let what = match path.is_empty() {
            true => self.address.to_owned(),
            false => format!("\"{path}\" of {}", self.address),
        };
        let sentence = format!("According to the provider, {what} is deprecated.");
        Marks::one(Mark::Deprecated(Deprecation::Attribute, Str::from(sentence)))
    }

    /// The body with its marks; nothing where it has none.
    fn body(self, value: &Value, block: &BlockSchema, path: &str) -> Option<Value> {
        self.parts(value, |name, part| self.named(part, block, name, path))
    }

    /// The object with what `one` makes of its parts; nothing where it changes none.
    fn parts(self, value: &Value, one: impl Fn(&str, &Value) -> Option<Value>) -> Option<Value> {
        let (bare, marks) = value.unmark();
        let Value::Object(object) = &bare else { return None };
        let parts = object.iter().filter_map(|(name, part)| Some((name.clone(), one(name, part)?)));
        let parts: Vec<(Str, Value)> = parts.collect();
        (!parts.is_empty()).then(|| with_parts(&bare, &parts).mark(&marks))
    }

    fn named(self, value: &Value, block: &BlockSchema, name: &str, above: &str) -> Option<Value> {
        match (block.attribute(name), block.block(name)) {
            (Some(attribute), _) => self.attribute(value, attribute, above),
            (None, Some(nested)) => self.blocks(value, nested, above),
            (None, None) => None,
        }
    }

    fn attribute(self, value: &Value, attribute: &AttributeSchema, above: &str) -> Option<Value> {
        if attribute.deprecated {
            return Some(value.mark(&self.advice(&joined(above, &attribute.name))));
        }
        let AttributeShape::Nested(nested) = &attribute.shape else { return None };
        let path = joined(above, &attribute.name);
        elements(value, &|value| self.nested(value, nested, &path))
    }

    fn nested(self, value: &Value, nested: &NestedObjects, path: &str) -> Option<Value> {
        self.parts(value, |name, part| self.attribute(part, nested.attribute(name)?, path))
    }

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

/// The objects of a collection, or one object, with what `one` makes of each; nothing where it changes none.
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

/// Returns true if a provider advises against any attribute inside of such a block.
fn advises_inside(block: &BlockSchema) -> bool {
    block.attributes().iter().any(|attribute| attribute.deprecated)
        || block.blocks().iter().any(|nested| advises_inside(&nested.block))
}

/// An object with other values for some of its attributes.
fn with_parts(object: &Value, parts: &[(Str, Value)]) -> Value {
    let Value::Object(object) = object else { return object.clone() };
    let all = object.iter().map(|(name, value)| {
        let other = parts.iter().find(|(known, _)| known == name);
        (name.clone(), other.map_or(value, |(_, other)| other).clone())
    });
    Value::object(all.collect::<Vec<_>>())
}

fn joined(above: &str, name: &str) -> String {
    match above.is_empty() {
        true => name.to_owned(),
        false => format!("{above}.{name}"),
    }
}
