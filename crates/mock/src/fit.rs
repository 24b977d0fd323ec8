//! Conversion of a partial value to a type: missing attributes stay unknown.

use groma_value::{Causes, Mismatch, PathStep, Type, Value, convert};

/// Converts a mocked value to an attribute's type; object attributes missing from it are unknown with the causes `rest`.
pub(crate) fn fit(value: &Value, ty: &Type, rest: &Causes) -> Result<Value, Mismatch> {
    match (value.bare(), ty) {
        (Value::Object(given), Type::Object(wanted)) => {
            if let Some((name, _)) = given.iter().find(|(name, _)| wanted.get(name).is_none()) {
                return Err(Mismatch::new(format!("there is no attribute \"{}\"", &**name)));
            }
            let parts = wanted.attributes().iter().map(|attribute| {
                let value = match given.get(&attribute.name) {
                    None => Value::unknown_because(attribute.ty.clone(), rest.clone()),
                    Some(value) => fit(value, &attribute.ty, rest)
                        .map_err(|why| why.under(PathStep::Attribute(attribute.name.clone())))?,
                };
                Ok((attribute.name.clone(), value))
            });
            Ok(Value::object(parts.collect::<Result<Vec<_>, Mismatch>>()?))
        }
        (_, Type::List(element) | Type::Set(element)) if !element.has_dynamic() => {
            let Some(items) = items(value.bare()) else { return convert(value, ty) };
            let items = items.iter().enumerate().map(|(at, item)| {
                fit(item, element, rest)
                    .map_err(|why| why.under(PathStep::Index(Value::position(at))))
            });
            let items = items.collect::<Result<Vec<_>, Mismatch>>()?;
            Ok(match ty {
                Type::List(_) => Value::list((**element).clone(), items),
                _ => Value::set((**element).clone(), items),
            })
        }
        (Value::Object(given), Type::Map(element)) if !element.has_dynamic() => {
            let entries = given.iter().map(|(name, value)| {
                let value = fit(value, element, rest)
                    .map_err(|why| why.under(PathStep::Attribute(name.clone())))?;
                Ok((name.clone(), value))
            });
            Ok(Value::map((**element).clone(), entries.collect::<Result<Vec<_>, Mismatch>>()?))
        }
        _ => convert(value, ty),
    }
}

/// Returns the elements of a list, set or tuple; `None` for other values.
fn items(value: &Value) -> Option<&[Value]> {
    match value {
        Value::Tuple(tuple) => Some(tuple.items()),
        Value::List(list) => Some(list.items()),
        Value::Set(set) => Some(set.items()),
        _ => None,
    }
}
