//! Conversion of the items of a collection to one type. If the target element type is `any`, it is the common type of all items;
//! if `any` is deeper inside, the items are converted first and then unified.

use super::fill::{possible, same_shape};
use super::mismatch::{difference, every_element, no_common_type};
use super::unify::unify;
use super::{MessageVisibility, changed};
use crate::{Mismatch, PathStep, Type, Value};

/// The kind of collection to which elements are converted; each has its own rules for element types that contain `any`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum CollectionKind {
    /// A list, whose items must have one type, untyped nulls included.
    List,
    /// A set, whose items are not unified again if they differ in parts with `any`.
    Set,
    /// A map, whose items may have a common type despite untyped nulls among them, unlike those of a list.
    Map,
}

/// The result of converting the elements of a collection: their type and the elements, or why one does not convert.
type Items = Result<(Type, Vec<Value>), Mismatch>;

/// Converts the elements of a collection, which all have the type `from`, to type `to`.
pub(super) fn uniform(from: &Type, to: &Type, items: &[Value], shown: MessageVisibility) -> Items {
    if same_shape(from, to) || *to == Type::Dynamic {
        return Ok((from.clone(), items.to_vec()));
    }
    if !possible(from, to, true) {
        return Err(every_element(from, to));
    }
    let new = each(to, items, shown)?;
    to_one_type(to, new, CollectionKind::Map, shown)
}

/// Converts elements that differ in type, those of a new collection of `kind`, to type `to`, or if that is `Dynamic`, to
/// their common type.
pub(super) fn mixed(
    to: &Type,
    items: &[Value],
    kind: CollectionKind,
    shown: MessageVisibility,
) -> Items {
    if *to == Type::Dynamic {
        let to = common(items, kind)?;
        let new = each(&to, items, shown)?;
        return to_one_type(&to, new, kind, shown);
    }
    let new = each(to, items, shown)?;
    to_one_type(to, new, kind, shown)
}

/// Converts each item separately to type `to`; where that has `any`, the results may differ in type.
fn each(to: &Type, items: &[Value], shown: MessageVisibility) -> Result<Vec<Value>, Mismatch> {
    let mut new = Vec::with_capacity(items.len());
    for (at, item) in items.iter().enumerate() {
        match changed(item, to, shown) {
            Ok(one) => new.push(one.unwrap_or_else(|| item.clone())),
            Err(why) => return Err(why.under(PathStep::Index(Value::position(at)))),
        }
    }
    Ok(new)
}

/// Gives one type to the items of a collection of `kind`, which were converted to `to` and may differ in type where `to` has
/// `any`; fails if they have no common type.
fn to_one_type(
    to: &Type,
    items: Vec<Value>,
    kind: CollectionKind,
    shown: MessageVisibility,
) -> Items {
    if items.is_empty() || *to == Type::Dynamic || !to.has_dynamic() {
        return Ok((to.without_optional(), items));
    }
    let new = match kind {
        CollectionKind::Set => items,
        CollectionKind::List | CollectionKind::Map => each(&common(&items, kind)?, &items, shown)?,
    };
    let types: Vec<Type> = new.iter().map(Value::ty).collect();
    let mut typed = types.iter().enumerate().filter(|(_, ty)| **ty != Type::Dynamic);
    let Some((_, first)) = typed.next() else { return Ok((Type::Dynamic, new)) };
    match typed.find(|(_, ty)| *ty != first) {
        Some((at, other)) => {
            Err(difference(first, other).under(PathStep::Index(Value::position(at))))
        }
        None => {
            let new = each(first, &new, shown)?;
            Ok((first.clone(), new))
        }
    }
}

/// Returns the common type of all items of a collection of `kind`; `Dynamic` if all are of unknown type, an error if there is
/// none.
fn common(items: &[Value], kind: CollectionKind) -> Result<Type, Mismatch> {
    let types: Vec<Type> = items.iter().map(Value::ty).collect();
    let types: Vec<&Type> = types.iter().collect();
    let Some((first, _)) = types.split_first() else { return Ok(Type::Dynamic) };
    match unify(&types) {
        // An untyped item beside typed structures leaves the common type unknown.
        Some(Type::Dynamic) => {
            let typed = types.iter().find(|ty| ***ty != Type::Dynamic).unwrap_or(first);
            let agreed = types.iter().all(|ty| **ty == Type::Dynamic || ty == typed);
            if **typed == Type::Dynamic || (agreed && kind == CollectionKind::Map) {
                Ok((*typed).clone())
            } else {
                Err(no_common_type(&types))
            }
        }
        Some(ty) => Ok(ty),
        None => Err(no_common_type(&types)),
    }
}
