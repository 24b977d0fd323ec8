//! The types that schemas imply: of what a body is worth, and of what may be written for a nested
//! attribute.

use super::{AttributeSchema, AttributeShape, BlockSchema, NestedBlock, NestedObjects, Nesting};
use crate::{Attribute as Named, ObjectType, Str, Type};

impl BlockSchema {
    /// The type of the object that a body of this shape is worth, worked out anew.
    pub(super) fn implied(&self) -> Type {
        let attributes = self.attributes.iter().map(|a| (a.name.clone(), a.ty()));
        let blocks = self.blocks.iter().map(|b| (b.name.clone(), b.ty()));
        Type::object(attributes.chain(blocks))
    }
}

impl NestedBlock {
    /// The type of all blocks of this kind together. Where the blocks may differ in type, lists and
    /// maps of them have no type of their own.
    pub fn ty(&self) -> Type {
        let one = self.block.ty();
        match self.nesting {
            Nesting::List | Nesting::Map if one.has_dynamic() => Type::Dynamic,
            nesting => nesting.of(one),
        }
    }
}

impl AttributeSchema {
    /// The type of its value.
    pub fn ty(&self) -> Type {
        match &self.shape {
            AttributeShape::Type(ty) => ty.without_optional(),
            AttributeShape::Nested(nested) => {
                let inner = nested.attributes.iter().map(|a| (a.name.clone(), a.ty()));
                nested.nesting.of(Type::object(inner))
            }
        }
    }

    /// The type that is written: attributes that need not be set are optional there.
    pub fn written_type(&self) -> Type {
        match &self.shape {
            AttributeShape::Type(ty) => ty.clone(),
            AttributeShape::Nested(nested) => nested.written_type(),
        }
    }
}

impl NestedObjects {
    /// The type that is written: attributes that need not be set are optional there.
    pub fn written_type(&self) -> Type {
        let inner = self.attributes.iter().map(|attribute| Named {
            name: attribute.name.clone(),
            ty: attribute.written_type(),
            optional: !attribute.required,
        });
        self.nesting.of(Type::Object(std::sync::Arc::new(ObjectType::new(inner))))
    }
}

impl Nesting {
    /// The type of objects nested like this.
    pub fn of(self, object: Type) -> Type {
        match self {
            Nesting::Single | Nesting::Group => object,
            Nesting::List => Type::list(object),
            Nesting::Set => Type::set(object),
            Nesting::Map => Type::map(object),
        }
    }

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Nesting::Single => "single",
            Nesting::Group => "group",
            Nesting::List => "list",
            Nesting::Set => "set",
            Nesting::Map => "map",
        }
    }

    /// The nesting of that name.
    pub fn parse(name: &str) -> Option<Nesting> {
        let all = [Nesting::Single, Nesting::Group, Nesting::List, Nesting::Set, Nesting::Map];
        all.into_iter().find(|nesting| nesting.name() == name)
    }

    /// What stands for no block at all of this nesting.
    pub fn none(self, block: &BlockSchema) -> crate::Value {
        use crate::Value;
        let ty = block.ty();
        match self {
            Nesting::Single => Value::null(ty),
            Nesting::Group => block.nothing(),
            Nesting::List if ty.has_dynamic() => Value::tuple(Vec::new()),
            Nesting::List => Value::list(ty, Vec::new()),
            Nesting::Set => Value::set(ty, Vec::new()),
            Nesting::Map if ty.has_dynamic() => Value::object([]),
            Nesting::Map => Value::map(ty, []),
        }
    }

    /// The value of these bodies, which all have the shape of `block`; labels tell those of a map
    /// apart.
    pub fn gather(self, block: &BlockSchema, bodies: Vec<(Str, crate::Value)>) -> crate::Value {
        use crate::Value;
        let ty = block.ty();
        let plain = |bodies: Vec<(Str, Value)>| bodies.into_iter().map(|(_, body)| body).collect();
        match self {
            Nesting::Single | Nesting::Group => {
                let first = bodies.into_iter().next().map(|(_, body)| body);
                first.unwrap_or_else(|| self.none(block))
            }
            Nesting::List if ty.has_dynamic() => Value::tuple(plain(bodies)),
            Nesting::List => Value::list(ty, plain(bodies)),
            Nesting::Set => Value::set(ty, plain(bodies)),
            Nesting::Map if ty.has_dynamic() => Value::object(bodies),
            Nesting::Map => Value::map(ty, bodies),
        }
    }
}
