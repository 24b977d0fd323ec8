//! Schemas: the contents of a body and the types of its arguments, as data. A schema does not say what a provider computes: an
//! argument without `computed` may still have a default that only the provider knows.

mod coerce;
mod implied;

use std::sync::{Arc, OnceLock};

use crate::{AttributeNames, Object, Str, Type, Value};

/// The schema of one kind of object, such as a resource type: its version and the schema of its body.
#[derive(Clone, Debug)]
pub struct Schema {
    /// The version of the schema.
    pub version: u64,
    /// The schema of the object's body.
    pub block: Arc<BlockSchema>,
}

/// The schema of a body: its attributes and nested blocks.
#[derive(Clone, Default, Debug)]
pub struct BlockSchema {
    attributes: Vec<AttributeSchema>,
    blocks: Vec<NestedBlock>,
    /// True if blocks of this type are deprecated.
    pub deprecated: bool,
    /// The data shared by all objects of this schema, created with the first one.
    common: OnceLock<SharedSchema>,
}

/// The data shared by all objects of one body schema: attribute names, their order and the type.
#[derive(Clone, Debug)]
struct SharedSchema {
    names: Arc<AttributeNames>,
    /// For each attribute, and then for each nested block, its position among the sorted names.
    order: Vec<u32>,
    ty: Type,
}

/// The schema of an attribute, which is set by the configuration, computed by the provider, or both.
#[derive(Clone, Debug)]
pub struct AttributeSchema {
    /// The attribute's name.
    pub name: Str,
    /// The type of its value, or its nested attributes.
    pub shape: AttributeShape,
    /// True if the configuration must set it.
    pub required: bool,
    /// True if the configuration may set it.
    pub optional: bool,
    /// True if the provider computes a value when none is set.
    pub computed: bool,
    /// True if its value must not be shown.
    pub sensitive: bool,
    /// True if the value is passed to the provider and never stored: it reads back as null.
    pub write_only: bool,
    /// True if it is deprecated.
    pub deprecated: bool,
}

/// The value type of an attribute: a plain type or nested attributes.
#[derive(Clone, Debug)]
pub enum AttributeShape {
    /// A value of a type.
    Type(Type),
    /// Objects with attributes that have rules of their own.
    Nested(Arc<NestedObjects>),
}

/// The nested type of an attribute: one object or a collection of them, by the nesting mode, and the attributes of each.
#[derive(Clone, Debug)]
pub struct NestedObjects {
    /// The number of objects, and how they are identified.
    pub nesting: NestingMode,
    attributes: Vec<AttributeSchema>,
}

/// The schema of a nested block: its type, nesting mode, minimum and maximum number, and body.
#[derive(Clone, Debug)]
pub struct NestedBlock {
    /// The block type.
    pub name: Str,
    /// The number of blocks, and how they are identified.
    pub nesting: NestingMode,
    /// The minimum number of blocks; 0 if the block is optional.
    pub min: u64,
    /// The maximum number of blocks; 0 for no maximum.
    pub max: u64,
    /// The schema of each block's body.
    pub block: Arc<BlockSchema>,
}

/// The nesting mode of objects in a body: single, group, list, set or map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NestingMode {
    /// At most one; null if there is none.
    Single,
    /// Exactly one; an object of nulls if none is written.
    Group,
    /// Any number, identified by position.
    List,
    /// Any number, identified by content.
    Set,
    /// Any number, identified by a label.
    Map,
}

/// Returns the item called `name` from a list sorted by name, where `of` returns an item's name; `None` if there is none.
fn find<'i, T>(items: &'i [T], name: &str, of: impl Fn(&T) -> &Str) -> Option<&'i T> {
    let at = items.binary_search_by(|item| (**of(item)).cmp(name)).ok()?;
    items.get(at)
}

impl BlockSchema {
    /// Creates the schema of a body from attributes and nested blocks in any order.
    pub fn new(mut attributes: Vec<AttributeSchema>, mut blocks: Vec<NestedBlock>) -> BlockSchema {
        attributes.sort_by(|a, b| a.name.cmp(&b.name));
        blocks.sort_by(|a, b| a.name.cmp(&b.name));
        BlockSchema { attributes, blocks, deprecated: false, common: OnceLock::new() }
    }

    /// Returns the attribute names, their order and the type, which all objects of this schema share; built on first use.
    fn common(&self) -> &SharedSchema {
        self.common.get_or_init(|| {
            let own = self.attributes.iter().map(|one| &one.name);
            let all: Vec<&Str> = own.chain(self.blocks.iter().map(|one| &one.name)).collect();
            let names = AttributeNames::new(all.iter().copied().cloned());
            let position = |name: &&Str| names.position(name).unwrap_or(0) as u32;
            let order = all.iter().map(position).collect();
            SharedSchema { order, names, ty: self.implied() }
        })
    }

    /// Returns the object of a body from one value for each attribute and then for each nested block, in the order of the schema.
    /// All such objects share their names.
    pub fn object(&self, values: impl IntoIterator<Item = Value>) -> Value {
        let common = self.common();
        let mut placed = vec![Value::NULL; common.names.as_slice().len()];
        for (value, at) in values.into_iter().zip(&common.order) {
            placed[*at as usize] = value;
        }
        Value::Object(Arc::new(Object::with_names(common.names.clone(), placed)))
    }

    /// Returns the type of the object value of a body with this schema.
    pub fn ty(&self) -> Type {
        self.common().ty.clone()
    }

    /// Returns the schema of a body for an object type, in which every attribute is optional.
    pub fn of_object(object: &crate::ObjectType) -> BlockSchema {
        let attributes = object.attributes().iter();
        let optional = |a: &crate::Attribute| AttributeSchema::optional(&a.name, a.ty.clone());
        BlockSchema::new(attributes.map(optional).collect(), Vec::new())
    }

    /// Returns the schemas of the attributes, sorted by name.
    pub fn attributes(&self) -> &[AttributeSchema] {
        &self.attributes
    }

    /// Returns the schema of the attribute `name`; `None` if the body does not have it.
    pub fn attribute(&self, name: &str) -> Option<&AttributeSchema> {
        find(&self.attributes, name, |attribute| &attribute.name)
    }

    /// Returns the schemas of the nested blocks, sorted by name.
    pub fn blocks(&self) -> &[NestedBlock] {
        &self.blocks
    }

    /// Returns the schema of the nested block `name`; `None` if the body does not have it.
    pub fn block(&self, name: &str) -> Option<&NestedBlock> {
        find(&self.blocks, name, |block| &block.name)
    }

    /// Returns true if the body has an attribute or a nested block with this name.
    pub fn has_name(&self, name: &str) -> bool {
        self.attribute(name).is_some() || self.block(name).is_some()
    }

    /// Returns true if the provider may fill in arguments that the schema does not mark computed. The older plugin SDK allows
    /// that; it gives every object a settable `id`, which newer ones do not.
    pub fn has_hidden_defaults(&self) -> bool {
        self.attribute("id").is_some_and(|id| id.optional && id.computed)
    }

    /// Iterates over the names of all attributes and then of all nested blocks.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let attributes = self.attributes.iter().map(|attribute| &*attribute.name);
        attributes.chain(self.blocks.iter().map(|block| &*block.name))
    }

    /// Returns true if an attribute at any depth is sensitive.
    pub fn holds_sensitive(&self) -> bool {
        self.attributes.iter().any(AttributeSchema::holds_sensitive)
            || self.blocks.iter().any(|nested| nested.block.holds_sensitive())
    }

    /// Returns true if the provider may compute an attribute at any depth.
    pub fn has_computed(&self) -> bool {
        self.attributes.iter().any(AttributeSchema::has_computed)
            || self.blocks.iter().any(|nested| nested.block.has_computed())
    }
}

impl NestedObjects {
    /// Creates the schema of nested objects from attributes in any order.
    pub fn new(nesting: NestingMode, mut attributes: Vec<AttributeSchema>) -> NestedObjects {
        attributes.sort_by(|a, b| a.name.cmp(&b.name));
        NestedObjects { nesting, attributes }
    }

    /// Returns the schemas of the nested attributes, sorted by name.
    pub fn attributes(&self) -> &[AttributeSchema] {
        &self.attributes
    }

    /// Returns the schema of the nested attribute `name`; `None` if there is none.
    pub fn attribute(&self, name: &str) -> Option<&AttributeSchema> {
        find(&self.attributes, name, |attribute| &attribute.name)
    }
}

impl AttributeSchema {
    /// Creates the schema of an optional attribute with a name and a type.
    pub fn optional(name: &str, ty: Type) -> AttributeSchema {
        AttributeSchema {
            name: Str::from(name),
            shape: AttributeShape::Type(ty),
            required: false,
            optional: true,
            computed: false,
            sensitive: false,
            write_only: false,
            deprecated: false,
        }
    }

    /// Returns true if the configuration may set the attribute.
    pub fn is_settable(&self) -> bool {
        self.required || self.optional
    }

    /// Returns the nesting mode and the object type of an attribute that may also be written as blocks: a list or set of objects;
    /// `None` for others.
    pub fn as_blocks(&self) -> Option<(NestingMode, &crate::ObjectType)> {
        let AttributeShape::Type(ty) = &self.shape else { return None };
        let (nesting, element) = match ty {
            Type::List(element) => (NestingMode::List, element),
            Type::Set(element) => (NestingMode::Set, element),
            _ => return None,
        };
        match &**element {
            Type::Object(object) if self.is_settable() => Some((nesting, object)),
            _ => None,
        }
    }

    /// Returns true if the attribute or a nested attribute is sensitive.
    pub fn holds_sensitive(&self) -> bool {
        match &self.shape {
            _ if self.sensitive => true,
            AttributeShape::Nested(nested) => {
                nested.attributes.iter().any(AttributeSchema::holds_sensitive)
            }
            AttributeShape::Type(_) => false,
        }
    }

    /// Returns true if the provider may compute the attribute or a nested attribute.
    fn has_computed(&self) -> bool {
        match &self.shape {
            AttributeShape::Nested(nested) => {
                self.computed || nested.attributes.iter().any(AttributeSchema::has_computed)
            }
            AttributeShape::Type(_) => self.computed,
        }
    }
}

/// The signature of a provider's function: its parameters and result type.
#[derive(Clone, PartialEq, Debug)]
pub struct FunctionSignature {
    /// The parameters, in order.
    pub parameters: Vec<FunctionParameter>,
    /// The parameter for all further arguments, if the function accepts any.
    pub rest: Option<FunctionParameter>,
    /// The type of the result.
    pub result: Type,
}

/// A parameter of a provider's function: its name, its type, and true if it accepts null.
#[derive(Clone, PartialEq, Debug)]
pub struct FunctionParameter {
    /// The parameter's name.
    pub name: Str,
    /// The type to which arguments are converted.
    pub ty: Type,
    /// True if arguments may be null.
    pub nullable: bool,
}
