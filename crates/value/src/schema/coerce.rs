//! Conversion of objects to a schema: missing attributes become null, missing blocks the empty collection (or null, or an object
//! of nulls), and every value gets the type of its attribute.

use super::{AttributeSchema, AttributeShape, BlockSchema, NestedBlock, NestingMode};
use crate::{Mismatch, PathStep, Str, Type, Value, convert};

impl BlockSchema {
    /// Returns the object value of an empty body: attributes are null, and nested blocks null, an object of nulls or an empty
    /// collection, by their nesting mode ([`NestingMode::none`]).
    pub fn empty_object(&self) -> Value {
        let attributes = self.attributes().iter().map(|a| Value::null(a.ty()));
        let blocks = self.blocks().iter().map(|nested| nested.nesting.none(&nested.block));
        self.object(attributes.chain(blocks))
    }

    /// Converts a body's value to the object type of this schema. Missing optional parts become null or empty; values that do not
    /// fit, missing required attributes and those that the schema lacks are errors with their path.
    pub fn coerce(&self, value: &Value) -> Result<Value, Mismatch> {
        let (bare, marks) = value.unmark();
        let given: Vec<(Str, Value)> = match &bare {
            Value::Null(_) => return Ok(Value::null(self.ty()).mark(&marks)),
            Value::Unknown(unknown) => {
                let ty = self.ty();
                let fits = matches!(unknown.ty, Type::Dynamic | Type::Object(_) | Type::Map(_));
                if !fits {
                    return Err(crate::mismatch(&unknown.ty, &ty));
                }
                let value = Value::unknown_because(ty.clone(), unknown.causes.clone());
                return Ok(value.derived(unknown.fingerprint, ("as", ty)).mark(&marks));
            }
            Value::Object(object) => {
                object.iter().map(|(name, value)| (name.clone(), value.clone())).collect()
            }
            Value::Map(map) => map.entries().to_vec(),
            other => return Err(crate::mismatch(&other.ty(), &self.ty())),
        };
        let get = |name: &str| given.iter().find(|(n, _)| **n == *name).map(|(_, value)| value);
        for (name, _) in &given {
            if self.attribute(name).is_none() && self.block(name).is_none() {
                return Err(Mismatch::new(format!(
                    "there is no attribute {}",
                    crate::print::quoted(name)
                )));
            }
        }
        let mut fields = Vec::with_capacity(self.attributes().len() + self.blocks().len());
        for attribute in self.attributes() {
            let value = attribute.coerce(get(&attribute.name))?;
            fields.push(value);
        }
        for nested in self.blocks() {
            let value = match get(&nested.name) {
                Some(value) => {
                    let step = |why: Mismatch| why.under(PathStep::Attribute(nested.name.clone()));
                    nested.coerce(value).map_err(step)?
                }
                None => nested.nesting.none(&nested.block),
            };
            fields.push(value);
        }
        Ok(self.object(fields).mark(&marks))
    }
}

impl AttributeSchema {
    /// Converts the attribute's value to its type; a missing value is null, or an error if it is required.
    fn coerce(&self, value: Option<&Value>) -> Result<Value, Mismatch> {
        let Some(value) = value else {
            return match self.required {
                true => Err(Mismatch::new(format!(
                    "the attribute {} is required",
                    crate::print::quoted(&self.name)
                ))),
                false => Ok(Value::null(self.ty())),
            };
        };
        convert(value, &self.written_type())
            .map_err(|why| why.under(PathStep::Attribute(self.name.clone())))
    }

    /// Returns true if the attribute has a plain type rather than nested attributes.
    pub fn is_plain(&self) -> bool {
        matches!(self.shape, AttributeShape::Type(_))
    }
}

impl NestedBlock {
    /// Converts the value of all blocks of this type: an object, or a collection of objects, by the nesting mode.
    fn coerce(&self, value: &Value) -> Result<Value, Mismatch> {
        let (bare, marks) = value.unmark();
        let bodies: Vec<(PathStep, Str, &Value)> = match (self.nesting, &bare) {
            (NestingMode::Single | NestingMode::Group, _) => return self.block.coerce(value),
            (_, Value::Null(_)) => return Ok(self.nesting.none(&self.block).mark(&marks)),
            (_, Value::Unknown(unknown)) => {
                let ty = self.ty();
                let value = Value::unknown_because(ty.clone(), unknown.causes.clone());
                return Ok(value.derived(unknown.fingerprint, ("as", ty)).mark(&marks));
            }
            (NestingMode::Map, Value::Map(map)) => {
                let entries = map.entries().iter();
                entries
                    .map(|(k, v)| (PathStep::Index(Value::String(k.clone())), k.clone(), v))
                    .collect()
            }
            (NestingMode::Map, Value::Object(object)) => {
                let entries = object.iter();
                entries
                    .map(|(k, v)| (PathStep::Index(Value::String(k.clone())), k.clone(), v))
                    .collect()
            }
            (NestingMode::List | NestingMode::Set, Value::List(list)) => numbered(list.items()),
            (NestingMode::List | NestingMode::Set, Value::Tuple(tuple)) => numbered(tuple.items()),
            (NestingMode::List | NestingMode::Set, Value::Set(set)) => numbered(set.items()),
            (_, other) => return Err(crate::mismatch(&other.ty(), &self.ty())),
        };
        let mut made = Vec::with_capacity(bodies.len());
        for (step, label, body) in bodies {
            made.push((label, self.block.coerce(body).map_err(|why| why.under(step))?));
        }
        Ok(self.nesting.gather(&self.block, made).mark(&marks))
    }
}

/// Returns the bodies in a list or set of nested blocks, each with its position as a path step and with an empty label.
fn numbered(items: &[Value]) -> Vec<(PathStep, Str, &Value)> {
    let step = |at| PathStep::Index(Value::position(at));
    items.iter().enumerate().map(|(at, item)| (step(at), Str::default(), item)).collect()
}
