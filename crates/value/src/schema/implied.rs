//! The types that schemas imply: of the value of a body, and of the code accepted for a nested attribute.

use super::{
    AttributeSchema, AttributeShape, BlockSchema, NestedBlock, NestedObjects, NestingMode,
};
use crate::{Attribute as Named, ObjectType, Str, Type};

impl BlockSchema {
    /// Builds the type of a body's object value from its attributes and nested blocks.
    pub(super) fn implied(&self) -> Type {
        let attributes = self.attributes.iter().map(|a| (a.name.clone(), a.ty()));
        let blocks = self.blocks.iter().map(|b| (b.name.clone(), b.ty()));
        Type::object(attributes.chain(blocks))
    }
}

impl NestedBlock {
    /// Returns the type of the value of all blocks of this type together. Lists and maps of blocks that may differ in type are
    /// dynamic.
    pub fn ty(&self) -> Type {
        let one = self.block.ty();
        match self.nesting {
            NestingMode::List | NestingMode::Map if one.has_dynamic() => Type::Dynamic,
            nesting => nesting.of(one),
        }
    }
}

impl AttributeSchema {
    /// Returns the type that the attribute's value has: without optional attributes.
    pub fn ty(&self) -> Type {
        match &self.shape {
            AttributeShape::Type(ty) => ty.without_optional(),
            AttributeShape::Nested(nested) => {
                let inner = nested.attributes.iter().map(|a| (a.name.clone(), a.ty()));
                nested.nesting.of(Type::object(inner))
            }
        }
    }

    /// Returns the type that code may give the attribute: nested attributes that are not required are optional.
    pub fn written_type(&self) -> Type {
        match &self.shape {
            AttributeShape::Type(ty) => ty.clone(),
            AttributeShape::Nested(nested) => nested.written_type(),
        }
    }
}

impl NestedObjects {
    /// Returns the type that code may give nested objects: attributes that are not required are optional.
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
    /// Returns the type of all nested objects together in this mode, each of type `object`: that type, or a list, set or map of
    /// it.
    pub fn of(self, object: Type) -> Type {
        match self {
            NestingMode::Single | NestingMode::Group => object,
            NestingMode::List => Type::list(object),
            NestingMode::Set => Type::set(object),
            NestingMode::Map => Type::map(object),
        }
    }

    /// Returns the name of the nesting mode, as in `providers schema -json`.
    pub fn name(self) -> &'static str {
        match self {
            NestingMode::Single => "single",
            NestingMode::Group => "group",
            NestingMode::List => "list",
            NestingMode::Set => "set",
            NestingMode::Map => "map",
        }
    }

    /// Returns the nesting mode with a name as in `providers schema -json`; `None` for other names.
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

    /// Returns the value of nested blocks in this mode if the code has none: null, an object of nulls, or an empty collection.
    pub fn none(self, block: &BlockSchema) -> crate::Value {
        use crate::Value;
        let ty = block.ty();
        match self {
            NestingMode::Single => Value::null(ty),
            NestingMode::Group => block.empty_object(),
            NestingMode::List if ty.has_dynamic() => Value::tuple(Vec::new()),
            NestingMode::List => Value::list(ty, Vec::new()),
            NestingMode::Set => Value::set(ty, Vec::new()),
            NestingMode::Map if ty.has_dynamic() => Value::object([]),
            NestingMode::Map => Value::map(ty, []),
        }
    }

    /// Returns the value of all nested blocks in this mode from their labels and bodies; in a map the label is the key.
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
