//! Values of a decoded body: the configuration as passed to a provider, and the planned object as far as the schema determines
//! it. Values known only to the provider (defaults, computed attributes) are unknown, never invented.

use groma_module::schema::is_early;
use groma_value::schema::{
    AttributeSchema, AttributeShape, BlockSchema, NestedBlock, NestedObjects, NestingMode,
};
use groma_value::{Causes, Refinement, Str, Value};

use crate::body::{BlockGroup, DecodedBody};

/// The causes given to the unknown attributes of a planned object.
#[derive(Clone, Debug)]
pub struct UnknownFilling {
    /// The causes of computed attributes.
    pub computed: Causes,
    /// The causes of missing arguments, which may have a default known only to the provider; `None` if missing arguments stay
    /// null.
    pub left: Option<Causes>,
    /// The causes of attributes computed during the plan, with the resource type whose rows list them.
    pub early: Option<(Str, Causes)>,
}

impl DecodedBody {
    /// Returns the object that the body configures, with missing arguments null and missing blocks empty.
    pub fn config(&self) -> Value {
        let arguments = self.arguments.iter().cloned();
        let blocks =
            self.block.blocks().iter().zip(&self.blocks).map(|(nested, blocks)| match blocks {
                BlockGroup::Absent => nested.nesting.none(&nested.block),
                BlockGroup::Unknown(causes) => unknown(nested, causes),
                BlockGroup::Made(made) => {
                    let bodies = made.iter().map(|(label, body)| (label.clone(), body.config()));
                    nested.nesting.gather(&nested.block, bodies.collect())
                }
            });
        self.block.object(arguments.chain(blocks))
    }

    /// Returns the object planned for a creation: configured values, and unknowns for computed attributes.
    pub fn planned(&self, filling: &UnknownFilling) -> Value {
        let arguments = self.block.attributes().iter().zip(&self.arguments);
        let arguments = arguments.map(|(attribute, value)| match filling.early(attribute) {
            Some(causes) if value.is_null() => {
                Value::unknown_because(attribute.ty(), causes.clone())
            }
            _ => filling.attribute(attribute, value),
        });
        let blocks = self.block.blocks().iter().zip(&self.blocks).map(|(nested, blocks)| {
            match blocks {
                BlockGroup::Absent => filling.absent(nested),
                BlockGroup::Unknown(causes) => unknown(nested, causes),
                // A provider may fill in blocks of its own if anything in them is computed.
                BlockGroup::Made(made) if made.is_empty() && nested.block.has_computed() => {
                    filling.absent(nested)
                }
                BlockGroup::Made(made) => {
                    let bodies =
                        made.iter().map(|(label, body)| (label.clone(), body.planned(filling)));
                    nested.nesting.gather(&nested.block, bodies.collect())
                }
            }
        });
        self.block.object(arguments.chain(blocks))
    }

    /// Returns the decoded body in which nothing is configured.
    fn empty(block: &std::sync::Arc<BlockSchema>) -> DecodedBody {
        DecodedBody {
            arguments: block.attributes().iter().map(|a| Value::null(a.ty())).collect(),
            blocks: block.blocks().iter().map(|_| BlockGroup::Absent).collect(),
            block: block.clone(),
        }
    }
}

/// Returns the unknown value of blocks whose number is unknown. A collection of blocks is never null.
fn unknown(nested: &NestedBlock, causes: &Causes) -> Value {
    let refinement = match nested.nesting {
        NestingMode::Single | NestingMode::Group => Refinement::default(),
        _ => Refinement::not_null(),
    };
    Value::refined(nested.ty(), refinement, causes.clone())
}

impl UnknownFilling {
    /// Returns the causes for an attribute that the provider computes already during the plan; `None` for others.
    fn early(&self, attribute: &AttributeSchema) -> Option<&Causes> {
        let (kind, causes) = self.early.as_ref()?;
        is_early(kind, &attribute.name).then_some(causes)
    }

    /// Returns the value of a block type that is not configured: it is unknown if the provider may compute it.
    fn absent(&self, nested: &NestedBlock) -> Value {
        match nested.nesting {
            NestingMode::Single => nested.nesting.none(&nested.block),
            NestingMode::Group => DecodedBody::empty(&nested.block).planned(self),
            NestingMode::List | NestingMode::Set | NestingMode::Map => match &self.left {
                Some(left) => unknown(nested, left),
                None => nested.nesting.none(&nested.block),
            },
        }
    }

    /// Returns the planned value of an attribute from its configured value.
    fn attribute(&self, attribute: &AttributeSchema, value: &Value) -> Value {
        let planned = match &attribute.shape {
            _ if attribute.write_only => Value::null(attribute.ty()),
            _ if value.is_null() => self.unset(attribute).mark(&value.marks()),
            AttributeShape::Type(_) => value.clone(),
            AttributeShape::Nested(nested) => self.nested(nested, value),
        };
        if attribute.sensitive { planned.sensitive() } else { planned }
    }

    /// Returns the planned value of an attribute that is not configured: unknown if it is computed or may have a default that
    /// only the provider knows, else null.
    fn unset(&self, attribute: &AttributeSchema) -> Value {
        let ty = attribute.ty();
        if attribute.computed {
            return Value::unknown_because(ty, self.computed.clone());
        }
        // Only plain arguments have defaults outside of the schema.
        match &self.left {
            Some(left) if attribute.is_settable() && ty.is_primitive() => {
                Value::unknown_because(ty, left.clone())
            }
            _ => Value::null(ty),
        }
    }

    /// Returns the planned value of an attribute with nested objects, from its configured value.
    fn nested(&self, nested: &NestedObjects, value: &Value) -> Value {
        let (bare, marks) = value.unmark();
        let one = |value: &Value| self.object(nested, value);
        let planned = match &bare {
            Value::Object(_) => self.object(nested, &bare),
            Value::List(list) => {
                Value::list(list.element().clone(), list.items().iter().map(one).collect())
            }
            Value::Set(set) => {
                Value::set(set.element().clone(), set.items().iter().map(one).collect())
            }
            Value::Map(map) => {
                let entries = map.entries().iter();
                let entries: Vec<(Str, Value)> =
                    entries.map(|(key, value)| (key.clone(), one(value))).collect();
                Value::map(map.element().clone(), entries)
            }
            other => other.clone(),
        };
        planned.mark(&marks)
    }

    /// Returns the planned value of one nested object, from its configured value.
    fn object(&self, nested: &NestedObjects, value: &Value) -> Value {
        let (bare, marks) = value.unmark();
        let Value::Object(object) = &bare else { return value.clone() };
        let attributes = nested.attributes().iter().map(|attribute| {
            let value = object.get(&attribute.name).cloned();
            let value = value.unwrap_or_else(|| Value::null(attribute.ty()));
            (attribute.name.clone(), self.attribute(attribute, &value))
        });
        Value::object(attributes).mark(&marks)
    }
}

/// Returns an object of a schema with all attributes unknown; with `hides`, those that the schema declares sensitive are marked
/// so.
pub fn unknown_object(block: &BlockSchema, hides: bool) -> Value {
    let attributes = block.attributes().iter().map(|attribute| {
        let value = Value::unknown(attribute.ty());
        let value = if hides && attribute.sensitive { value.sensitive() } else { value };
        (attribute.name.clone(), value)
    });
    let blocks = block.blocks().iter().map(|b| (b.name.clone(), Value::unknown(b.ty())));
    Value::object(attributes.chain(blocks))
}
