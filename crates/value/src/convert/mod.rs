//! Conversion of values to types. The value is traversed once; a part that already has its type is shared, and the type of a
//! whole value is built only if an `any` must be replaced.

mod elements;
mod fill;
mod mismatch;
mod primitive;
mod unify;

use std::sync::Arc;

pub use fill::{Convertibility, convertible};
pub use mismatch::mismatch;
pub use unify::unify;

use elements::{CollectionKind, mixed, uniform};
use fill::{filled, possible, same_shape};
use mismatch::{absent_attribute, every_element};

use crate::value::{Marked, Object};
use crate::{
    Attribute, Length, Mismatch, ObjectType, PathStep, Refinement, Str, TupleType, Type, Unknown,
    Value,
};

/// Converts a value to type `ty`; parts where that is `Dynamic` are unchanged, missing optional attributes become null. Marks,
/// unknowns and their causes are preserved.
pub fn convert(value: &Value, ty: &Type) -> Result<Value, Mismatch> {
    Ok(changed(value, ty, MessageVisibility(true))?.unwrap_or_else(|| value.clone()))
}

/// Converts an owned value like [`convert`], but an unshared tuple to a list in place, each element first changed by `prepare`;
/// the error is the value, partly converted. So a long tuple is never stored twice. With `prepare`, no other value is converted.
/// Converting the returned value again yields the mismatch.
///
/// # Errors
/// The value, if it does not convert to the type, or is a shared tuple that would become a list.
pub fn convert_owned(
    value: Value,
    ty: &Type,
    prepare: Option<&dyn Fn(&Value) -> Value>,
) -> Result<Value, Value> {
    let whole = |value: Value| match changed(&value, ty, MessageVisibility(true)) {
        Ok(None) => Ok(value),
        Ok(Some(new)) => Ok(new),
        Err(_) => Err(value),
    };
    let (tuple, element) = match (value, ty) {
        (Value::Tuple(tuple), Type::List(element)) if !element.has_dynamic() => (tuple, element),
        (value, _) if prepare.is_some() => return Err(value),
        (value, _) => return whole(value),
    };
    let mut items = match Arc::try_unwrap(tuple) {
        Ok(tuple) => tuple.into_items(),
        Err(shared) => return Err(Value::Tuple(shared)),
    };
    for item in &mut items {
        if let Some(prepare) = prepare {
            *item = prepare(item);
        }
        match changed(item, element, MessageVisibility(true)) {
            Ok(None) => {}
            Ok(Some(new)) => *item = new,
            Err(_) => return Err(Value::tuple(items)),
        }
    }
    items.shrink_to_fit();
    Ok(Value::list(element.without_optional(), items))
}

/// The permission to quote values in messages: false inside of a sensitive or ephemeral value.
#[derive(Clone, Copy)]
struct MessageVisibility(bool);

/// The result of a conversion: the converted value, or `None` if the value has the type already.
type Changed = Result<Option<Value>, Mismatch>;

// A function for each kind keeps stack frames small: these recurse with the depth of the value.
/// Converts a value to a type; `None` if it has that type already.
fn changed(value: &Value, to: &Type, shown: MessageVisibility) -> Changed {
    match value {
        _ if *to == Type::Dynamic => Ok(None),
        Value::Marked(m) => marked(m, to, shown),
        Value::Null(_) | Value::Unknown(_) => null_or_unknown(value, to),
        Value::Bool(_) | Value::Decimal(_) | Value::Real(_) | Value::String(_) => {
            primitive::changed(value, to, shown)
        }
        _ => match to {
            Type::List(e) => into_list(value, e, to, shown),
            Type::Set(e) => into_set(value, e, to, shown),
            Type::Map(e) => into_map(value, e, to, shown),
            Type::Tuple(ty) => into_tuple(value, ty, to, shown),
            Type::Object(ty) => into_object(value, ty, to, shown),
            _ => Err(mismatch(&value.ty(), to)),
        },
    }
}

/// Converts a marked value to a type, keeping its marks; `None` if it has that type already.
fn marked(marked: &Marked, to: &Type, shown: MessageVisibility) -> Changed {
    let below = MessageVisibility(shown.0 && !marked.marks().hide());
    let value = changed(marked.value(), to, below)?;
    Ok(value.map(|value| value.mark(marked.marks())))
}

/// Converts a null or an unknown, of which only the type changes; `None` if it has that type already.
fn null_or_unknown(value: &Value, to: &Type) -> Changed {
    let from = value.ty();
    if same_shape(&from, to) {
        return Ok(None);
    }
    if let Value::Unknown(open) = value
        && let Some(converted) = open.converted(to)
    {
        return Ok(Some(converted));
    }
    if !possible(&from, to, true) {
        return Err(mismatch(&from, to));
    }
    Ok(Some(match value {
        Value::Unknown(u) => unknown(u, to),
        _ => Value::null(filled(&from, to)),
    }))
}

/// Converts a list, set or tuple to a list type `to` with elements of type `element`.
fn into_list(value: &Value, element: &Type, to: &Type, shown: MessageVisibility) -> Changed {
    let (element, items) = match value {
        Value::List(l) if same_shape(l.element(), element) => return Ok(None),
        Value::List(l) => uniform(l.element(), element, l.items(), shown)?,
        Value::Set(s) if s.items().len() > 1 && !value.is_wholly_known() => {
            // The number of elements after the conversion is unknown, and so are their positions.
            if !possible(s.element(), element, true) {
                return Err(every_element(s.element(), element));
            }
            let ty = Type::list(filled(s.element(), element));
            let list = Value::unknown_because(ty.clone(), value.deep_causes());
            return Ok(Some(list.derived(value.fingerprint(), ("list", ty))));
        }
        Value::Set(s) => uniform(s.element(), element, s.items(), shown)?,
        Value::Tuple(t) => mixed(element, t.items(), CollectionKind::List, shown)?,
        _ => return Err(mismatch(&value.ty(), to)),
    };
    Ok(Some(Value::list(element, items)))
}

/// Converts a list, set or tuple to a set type `to` with elements of type `element`.
fn into_set(value: &Value, element: &Type, to: &Type, shown: MessageVisibility) -> Changed {
    let (element, items) = match value {
        Value::Set(s) if same_shape(s.element(), element) => return Ok(None),
        Value::Set(s) => uniform(s.element(), element, s.items(), shown)?,
        Value::List(l) => uniform(l.element(), element, l.items(), shown)?,
        Value::Tuple(t) => mixed(element, t.items(), CollectionKind::Set, shown)?,
        _ => return Err(mismatch(&value.ty(), to)),
    };
    Ok(Some(Value::set(element, items)))
}

/// Converts a map or object to a map type `to` with elements of type `element`.
fn into_map(value: &Value, element: &Type, to: &Type, shown: MessageVisibility) -> Changed {
    let (keys, converted) = match value {
        Value::Map(m) if same_shape(m.element(), element) => return Ok(None),
        Value::Map(m) => {
            let (keys, items): (Vec<Str>, Vec<Value>) = m.entries().iter().cloned().unzip();
            (keys, uniform(m.element(), element, &items, shown))
        }
        Value::Object(o) => {
            (o.names().as_slice().to_vec(), mixed(element, o.values(), CollectionKind::Map, shown))
        }
        _ => return Err(mismatch(&value.ty(), to)),
    };
    let (element, items) = converted.map_err(|why| named_by_key(why, &keys, shown))?;
    Ok(Some(Value::map(element, keys.into_iter().zip(items))))
}

/// Replaces the position with which a mismatch's path starts by the key at that position in `keys`, those of a map, or removes it
/// if the key must not be shown.
fn named_by_key(mut why: Mismatch, keys: &[Str], shown: MessageVisibility) -> Mismatch {
    if let Some(PathStep::Index(at)) = why.path.0.first()
        && let Some(key) = at.as_position().and_then(|at| keys.get(at))
    {
        if shown.0 {
            why.path.0[0] = PathStep::Index(Value::String(key.clone()));
        } else {
            why.path.0.remove(0);
        }
    }
    why
}

/// Converts a tuple to the tuple type `to`, whose content is `ty`, element by element; a mismatch for any other value or length.
fn into_tuple(value: &Value, ty: &TupleType, to: &Type, shown: MessageVisibility) -> Changed {
    match value {
        Value::Tuple(t) if t.items().len() == ty.elements().len() => {
            let mut new = ReplacedItems::of(t.items());
            for (at, (item, ty)) in t.items().iter().zip(ty.elements()).enumerate() {
                match changed(item, ty, shown) {
                    Ok(value) => new.push(value),
                    Err(why) => return Err(why.under(PathStep::Index(Value::position(at)))),
                }
            }
            Ok(new.items.map(Value::tuple))
        }
        _ => Err(mismatch(&value.ty(), to)),
    }
}

/// Converts an object or map to the object type `to`, whose content is `ty`.
fn into_object(value: &Value, ty: &ObjectType, to: &Type, shown: MessageVisibility) -> Changed {
    match value {
        Value::Object(o) if has_names(o, ty) => {
            let mut new = ReplacedItems::of(o.values());
            for (value, attribute) in o.values().iter().zip(ty.attributes()) {
                match changed(value, &attribute.ty, shown) {
                    Ok(value) => new.push(value),
                    Err(why) => return Err(why.under(PathStep::Attribute(attribute.name.clone()))),
                }
            }
            let with_names = |values| Object::with_names(o.names().clone(), values);
            Ok(new.items.map(|values| Value::Object(Arc::new(with_names(values)))))
        }
        Value::Object(o) => attributes(ty, &|name| o.get(name), &PathStep::Attribute, shown),
        Value::Map(m) => {
            if !possible(&value.ty(), to, true) {
                return Err(mismatch(&value.ty(), to));
            }
            let step = |name| PathStep::Index(Value::String(name));
            attributes(ty, &|name| m.get(name), &step, shown)
        }
        _ => Err(mismatch(&value.ty(), to)),
    }
}

/// Returns true if an object has exactly the attribute names of an object type, in the same order.
fn has_names(object: &Object, ty: &ObjectType) -> bool {
    object.len() == ty.attributes().len()
        && object.names().as_slice().iter().zip(ty.attributes()).all(|(name, a)| *name == a.name)
}

/// Returns an object of the type `to`, with each attribute value that `get` returns converted, and nulls for missing optional
/// ones; a missing required one is an error, and `step` gives the path step of an attribute for errors.
fn attributes<'v>(
    to: &ObjectType,
    get: &dyn Fn(&str) -> Option<&'v Value>,
    step: &dyn Fn(Str) -> PathStep,
    shown: MessageVisibility,
) -> Changed {
    let mut values = Vec::with_capacity(to.attributes().len());
    for Attribute { name, ty, optional } in to.attributes() {
        let value = match get(name) {
            Some(value) => match changed(value, ty, shown) {
                Ok(new) => new.unwrap_or_else(|| value.clone()),
                Err(why) => return Err(why.under(step(name.clone()))),
            },
            None if *optional => Value::null(ty.without_optional()),
            None => return Err(absent_attribute(name)),
        };
        values.push((name.clone(), value));
    }
    Ok(Some(Value::object(values)))
}

/// A copy-on-write list of values: copied when the first item is replaced.
struct ReplacedItems<'v> {
    old: &'v [Value],
    done: usize,
    items: Option<Vec<Value>>,
}

impl<'v> ReplacedItems<'v> {
    /// Creates a copy-on-write list of these items, of which none is replaced yet.
    fn of(old: &'v [Value]) -> ReplacedItems<'v> {
        ReplacedItems { old, done: 0, items: None }
    }

    /// Replaces the next item of the list, in order, by `item`; `None` keeps the old item.
    fn push(&mut self, item: Option<Value>) {
        if self.items.is_none() && item.is_some() {
            let mut items = Vec::with_capacity(self.old.len());
            items.extend_from_slice(&self.old[..self.done]);
            self.items = Some(items);
        }
        if let Some(items) = &mut self.items {
            items.push(item.unwrap_or_else(|| self.old[self.done].clone()));
        }
        self.done += 1;
    }
}

/// Returns the unknown value that `from` becomes by conversion to type `to`, with the same causes. It keeps non-nullness, and of
/// length bounds what remains certain; prefixes and number bounds are dropped.
fn unknown(from: &Unknown, to: &Type) -> Value {
    let ty = filled(&from.ty, to);
    let refinement = Refinement {
        not_null: from.refinement.not_null,
        length: length(from, to),
        ..Refinement::default()
    };
    Value::refined(ty.clone(), refinement, from.causes.clone())
        .derived(from.fingerprint, ("as", ty))
}

/// Returns the bounds of an unknown collection's length that remain certain after its conversion to `to`; `None` for no bounds.
fn length(from: &Unknown, to: &Type) -> Option<Length> {
    let exactly = |n| Some(Length { low: n, high: Some(n) });
    // Elements of a set may become equal by the conversion.
    let at_most = |n: Length| Length { low: n.low.min(1), high: n.high };
    match (&from.ty, to) {
        (Type::Object(o), Type::Map(_)) => exactly(o.attributes().len()),
        (Type::Tuple(t), Type::List(_)) => exactly(t.elements().len()),
        (Type::Tuple(t), Type::Set(_)) => exactly(t.elements().len()).map(at_most),
        (Type::List(_), Type::Set(_)) => from.refinement.length.map(at_most),
        (Type::Set(a), Type::Set(b)) if a != b => from.refinement.length.map(at_most),
        (from_ty, _) if from_ty.is_collection() && to.is_collection() => from.refinement.length,
        _ => None,
    }
}
