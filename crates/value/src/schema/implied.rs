//! The types that schemas imply: of what a body is worth, and of what may be written for a nested
//! attribute.

use super::{
    AttributeSchema, AttributeShape, BlockSchema, NestedBlock, NestedObjects, NestingMode,
};
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
            NestingMode::List | NestingMode::Map if one.has_dynamic() => Type::Dynamic,
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

impl NestingMode {
    /// The type of objects nested like this.
    pub fn of(self, object: Type) -> Type {
        match self {
            NestingMode::Single | NestingMode::Group => object,
            NestingMode::List => Type::list(object),
            NestingMode::Set => Type::set(object),
            NestingMode::Map => Type::map(object),
        }
    }

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            NestingMode::Single => "single",
            NestingMode::Group => "group",
            NestingMode::List => "list",
            NestingMode::Set => "set",
            NestingMode::Map => "map",
        }
    }

    /// The nesting of that name.
    pub fn parse(name: &str) -> Option<NestingMode> {
        let all = [
            NestingMode::Single,
            NestingMode::Group,
            NestingMode::List,
            NestingMode::Set,
            NestingMode::Map,
        ];
        all.into_iter().find(|nesting| nesting.name() == name)
    }

    /// Returns what stands for no block at all of this nesting.
    pub fn none(self, block: &BlockSchema) -> crate::Value {
        use crate::Value;
        let ty = block.ty();
        match self {
            NestingMode::Single => Value::null(ty),
            NestingMode::Group => block.nothing(),
            NestingMode::List if ty.has_dynamic() => Value::tuple(Vec::new()),
            NestingMode::List => Value::list(ty, Vec::new()),
            NestingMode::Set => Value::set(ty, Vec::new()),
            NestingMode::Map if ty.has_dynamic() => Value::object([]),
            NestingMode::Map => Value::map(ty, []),
        }
    }

    /// The value of these bodies, which all have the shape of `block`; labels tell those of a map
    /// apart.
    pub fn gather(self, block: &BlockSchema, bodies: Vec<(Str, crate::Value)>) -> crate::Value {
        use crate::Value;
        let ty = block.ty();
        let plain = |bodies: Vec<(Str, Value)>| bodies.into_iter().map(|(_, body)| body).collect();
        match self {
            NestingMode::Single | NestingMode::Group => {
                let first = bodies.into_iter().next().map(|(_, body)| body);
                first.unwrap_or_else(|| self.none(block))
            }
            NestingMode::List if ty.has_dynamic() => Value::tuple(plain(bodies)),
            NestingMode::List => Value::list(ty, plain(bodies)),
            NestingMode::Set => Value::set(ty, plain(bodies)),
            NestingMode::Map if ty.has_dynamic() => Value::object(bodies),
            NestingMode::Map => Value::map(ty, bodies),
        }
    }
}
