//! Partly known values: objects of which some attributes are known, and collections of known elements and unknown kind. Such a
//! value is an unknown of the dynamic type, so code that needs its type, length, keys or text gets an unknown, too; only few
//! operations use its parts.

use std::sync::Arc;

use crate::value::Object;
use crate::{
    Causes, ElementOrder, KnownParts, Refinement, Str, Type, Unknown, Value, ValueMeasure, convert,
};

/// Maximum depth and size in bytes of the known parts of an unknown value, because dropping it recurses into them.
const LIMIT: ValueMeasure = ValueMeasure { depth: 64, weight: 1 << 20 };

impl KnownParts {
    /// Returns the nesting depth and the size in bytes of the known parts.
    pub(crate) fn measure(&self) -> ValueMeasure {
        match self {
            KnownParts::Attributes(whole) | KnownParts::Elements(whole, _) => whole.measure(),
        }
    }
}

impl Value {
    /// Returns an unknown object of which these attributes are known; `causes` say why others may exist.
    pub fn open_object(
        attributes: impl IntoIterator<Item = (Str, Value)>,
        causes: Causes,
    ) -> Value {
        open(KnownParts::Attributes(Value::object(attributes)), causes)
    }

    /// Returns an unknown value with these known elements: whether it is a list, set or tuple of them is unknown because of
    /// `causes`; `order` says whether they are in the order given.
    pub fn open_elements(items: Vec<Value>, order: ElementOrder, causes: Causes) -> Value {
        open(KnownParts::Elements(Value::tuple(items), order), causes)
    }

    /// Returns the known parts of a partly known value, ignoring its marks; `None` for other values.
    pub fn known_parts(&self) -> Option<&KnownParts> {
        match self.bare() {
            Value::Unknown(unknown) => unknown.parts.as_ref(),
            _ => None,
        }
    }

    /// Returns the elements of a collection of unknown kind; `None` for other values.
    pub fn open_items(&self) -> Option<&[Value]> {
        match self.known_parts()? {
            KnownParts::Elements(Value::Tuple(tuple), _) => Some(tuple.items()),
            _ => None,
        }
    }

    /// Returns the known attributes of a partly known object; `None` for other values.
    pub fn open_attributes(&self) -> Option<&Object> {
        match self.known_parts()? {
            KnownParts::Attributes(Value::Object(object)) => Some(object),
            _ => None,
        }
    }
}

/// Returns an unknown value of dynamic type with these known parts; parts beyond the size limits are dropped.
fn open(parts: KnownParts, causes: Causes) -> Value {
    let measure = parts.measure();
    let is_kept = measure.depth <= LIMIT.depth && measure.weight <= LIMIT.weight;
    Value::Unknown(Arc::new(Unknown {
        ty: Type::Dynamic,
        refinement: Refinement::not_null(),
        causes,
        parts: is_kept.then_some(parts),
        fingerprint: None,
        mirrored: None,
    }))
}

impl Unknown {
    /// Returns true if this is an object of which some attributes are known.
    pub fn is_object(&self) -> bool {
        matches!(self.parts, Some(KnownParts::Attributes(_)))
    }

    /// Returns the attribute `name` among the known parts; `None` if it is not known.
    pub(crate) fn attribute(&self, name: &str) -> Option<Value> {
        match self.parts.as_ref()? {
            KnownParts::Attributes(Value::Object(object)) => object.get(name).cloned(),
            _ => None,
        }
    }

    /// Returns the element or attribute at `key` among the known parts; `None` if it is not known. Elements without a known order
    /// have no positions.
    pub(crate) fn element(&self, key: &Value) -> Option<Value> {
        match (self.parts.as_ref()?, key) {
            (KnownParts::Attributes(Value::Object(object)), Value::String(name)) => {
                object.get(name).cloned()
            }
            (KnownParts::Elements(Value::Tuple(tuple), order), key) => {
                let has_order = *order == ElementOrder::Given || tuple.items().len() == 1;
                let at = match key {
                    Value::String(text) => text.parse().ok(),
                    key => key.as_position(),
                };
                tuple.items().get(at.filter(|_| has_order)?).cloned()
            }
            _ => None,
        }
    }

    /// Returns the partly known value converted to `to`; `None` if its known parts add nothing to a plain unknown of that type.
    pub(crate) fn converted(&self, to: &Type) -> Option<Value> {
        match (self.parts.as_ref()?, to) {
            (KnownParts::Attributes(Value::Object(object)), Type::Object(ty)) => {
                let attributes = ty.attributes().iter().map(|wanted| {
                    let ty = wanted.ty.without_optional();
                    let known = object.get(&wanted.name);
                    let value = known.and_then(|value| convert(value, &wanted.ty).ok());
                    let unknown = || {
                        Value::unknown_because(ty, self.causes.clone())
                            .derived(self.fingerprint, ("attribute", &wanted.name))
                    };
                    (wanted.name.clone(), value.unwrap_or_else(unknown))
                });
                Some(Value::object(attributes))
            }
            (KnownParts::Elements(all, _), Type::Set(_)) => convert(all, to).ok(),
            (KnownParts::Elements(all @ Value::Tuple(tuple), _), Type::List(_))
                if tuple.items().len() == 1 =>
            {
                convert(all, to).ok()
            }
            _ => None,
        }
    }
}
