//! Computed attributes inside objects that may be written as blocks, such as the rules of a security group. An omitted one is
//! null in the language, but no provider plans a null there: it plans an empty string, an empty list or a default. Policies take
//! a null for a setting, so it is written as unknown.

use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::Arc;

use groma_config::ResourceMode;
use groma_module::ProviderSchemas;
use groma_value::schema::{AttributeSchema, Schema};
use groma_value::{Str, Value};

use crate::change::{Action, Change};

/// A view of planned values in which the attributes that only the provider knows are unknown.
pub(super) struct ProviderComputed<'p> {
    schemas: &'p ProviderSchemas,
    /// The resource type seen last: instances of one resource are adjacent.
    last: RefCell<Option<CachedSchema>>,
}

/// A cache entry: a resource type with its provider, and its schema if some of its attributes are known only to the provider.
struct CachedSchema {
    provider: String,
    kind: Str,
    schema: Option<Arc<Schema>>,
}

/// Returns true if the objects of an attribute may be written as blocks in the configuration.
fn is_like_blocks(attribute: &AttributeSchema) -> bool {
    attribute.as_blocks().is_some()
}

impl<'p> ProviderComputed<'p> {
    /// Returns a view of planned values that finds computed attributes by these schemas.
    pub(super) fn new(schemas: &'p ProviderSchemas) -> ProviderComputed<'p> {
        ProviderComputed { schemas, last: RefCell::default() }
    }

    /// Returns the schema of a resource type, if some of its attributes are known only to the provider.
    fn schema(&self, provider: &str, kind: &Str) -> Option<Arc<Schema>> {
        let mut last = self.last.borrow_mut();
        if let Some(known) = &*last
            && known.kind == *kind
            && known.provider == provider
        {
            return known.schema.clone();
        }
        let found = self.schemas.of_type(provider, ResourceMode::Managed, kind);
        let schema = found.filter(|schema| {
            let block = &schema.block;
            block.has_hidden_defaults() && block.attributes().iter().any(is_like_blocks)
        });
        let (provider, kind) = (provider.to_owned(), kind.clone());
        *last = Some(CachedSchema { provider, kind, schema: schema.clone() });
        schema
    }

    /// Returns the planned value of a change, in which the computed attributes that the configuration omits are unknown.
    pub(super) fn value<'c>(&self, change: &'c Change) -> Cow<'c, Value> {
        let value = &change.instance.value;
        if change.mode != ResourceMode::Managed
            || change.action == Action::NoOp
            || self.schemas.is_empty()
        {
            return Cow::Borrowed(value);
        }
        let (Some(schema), Value::Object(object)) =
            (self.schema(change.provider(), &change.kind), value.bare())
        else {
            return Cow::Borrowed(value);
        };
        let attributes = object.iter().map(|(name, value)| {
            let is_left = schema.block.attribute(name).is_some_and(is_like_blocks);
            (name.clone(), if is_left { objects(value) } else { value.clone() })
        });
        Cow::Owned(Value::object(attributes).mark(&value.marks()))
    }
}

/// Returns a list or set of objects with each null attribute of the objects replaced by an unknown value.
fn objects(value: &Value) -> Value {
    let made = match value.bare() {
        Value::List(list) => {
            Value::list(list.element().clone(), list.items().iter().map(object).collect())
        }
        Value::Set(set) => {
            Value::set(set.element().clone(), set.items().iter().map(object).collect())
        }
        _ => return value.clone(),
    };
    made.mark(&value.marks())
}

/// Returns an object with each null attribute replaced by an unknown value.
fn object(value: &Value) -> Value {
    let Value::Object(object) = value.bare() else { return value.clone() };
    let attributes = object.iter().map(|(name, value)| match value.is_null() {
        true => (name.clone(), Value::unknown(value.ty()).mark(&value.marks())),
        false => (name.clone(), value.clone()),
    });
    Value::object(attributes).mark(&value.marks())
}
