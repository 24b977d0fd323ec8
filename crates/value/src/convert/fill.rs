//! Conversions between types, without a value: which are possible, and which types replace the `any`s of a target.

use super::unify::{unify, unify_by};
use crate::{Attribute, ObjectType, Type};

/// The extent to which values of one type convert to another: never, for some values, or always.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Convertibility {
    /// No value converts.
    Never,
    /// Some values convert, others fail.
    Perhaps,
    /// Every value converts.
    Always,
}

/// Returns the extent to which values of type `from` convert to type `to`: never, for some values, or always.
pub fn convertible(from: &Type, to: &Type) -> Convertibility {
    if possible(from, to, false) {
        Convertibility::Always
    } else if possible(from, to, true) {
        Convertibility::Perhaps
    } else {
        Convertibility::Never
    }
}

/// Returns true if two types are equal apart from the optionality of attributes.
pub(super) fn same_shape(a: &Type, b: &Type) -> bool {
    match (a, b) {
        (Type::List(a), Type::List(b))
        | (Type::Set(a), Type::Set(b))
        | (Type::Map(a), Type::Map(b)) => std::sync::Arc::ptr_eq(a, b) || same_shape(a, b),
        (Type::Tuple(a), Type::Tuple(b)) => {
            a.elements().len() == b.elements().len()
                && a.elements().iter().zip(b.elements()).all(|(a, b)| same_shape(a, b))
        }
        (Type::Object(a), Type::Object(b)) => {
            a.attributes().len() == b.attributes().len()
                && a.attributes()
                    .iter()
                    .zip(b.attributes())
                    .all(|(a, b)| a.name == b.name && same_shape(&a.ty, &b.ty))
        }
        (a, b) => a == b,
    }
}

/// Returns true if values of type `from` convert to `to`: all of them, or with `risky` at least some.
pub(super) fn possible(from: &Type, to: &Type, risky: bool) -> bool {
    match (from, to) {
        (_, Type::Dynamic) => true,
        (Type::Dynamic, _) => risky,
        (Type::Bool, Type::Bool)
        | (Type::Number, Type::Number)
        | (Type::Bool | Type::Number | Type::String, Type::String) => true,
        (Type::String, Type::Bool | Type::Number) => risky,
        (Type::List(a) | Type::Set(a), Type::List(b) | Type::Set(b))
        | (Type::Map(a), Type::Map(b)) => same_shape(a, b) || possible(a, b, risky),
        (Type::Tuple(t), Type::List(e) | Type::Set(e)) => {
            let types: Vec<&Type> = t.elements().iter().collect();
            all_to(&types, e, risky, false)
        }
        (Type::Object(o), Type::Map(e)) => {
            let types: Vec<&Type> = o.attributes().iter().map(|a| &a.ty).collect();
            all_to(&types, e, risky, true)
        }
        (Type::Tuple(a), Type::Tuple(b)) => {
            a.elements().len() == b.elements().len()
                && a.elements().iter().zip(b.elements()).all(|(a, b)| possible(a, b, risky))
        }
        (Type::Object(a), Type::Object(b)) => {
            b.attributes().iter().all(|wanted| match a.get(&wanted.name) {
                Some(found) => possible(&found.ty, &wanted.ty, risky),
                None => wanted.optional,
            })
        }
        (Type::Map(e), Type::Object(o)) => {
            // The presence of an optional attribute depends on the keys of the map.
            risky && o.attributes().iter().all(|a| a.optional || possible(e, &a.ty, risky))
        }
        _ => false,
    }
}

/// Returns true if values of all `types` can be elements of one collection whose element type is `element`: with `risky` also by
/// conversions that fail for some values, with `open` and `risky` also if only the values determine the element type.
pub(super) fn all_to(types: &[&Type], element: &Type, risky: bool, open: bool) -> bool {
    if types.is_empty() {
        return true;
    }
    if *element != Type::Dynamic {
        return types.iter().all(|ty| possible(ty, element, risky));
    }
    match unify_by(types, risky) {
        None => false,
        // The values of an object may still turn out to have one type.
        Some(Type::Dynamic) if !(open && risky) => types.iter().all(|ty| **ty == Type::Dynamic),
        Some(element) => types.iter().all(|ty| possible(ty, &element, risky)),
    }
}

/// Returns the type that a value of type `from` has after conversion to `to`: every `any` in `to` is replaced by the
/// corresponding part of `from`, and no attribute is optional.
pub(super) fn filled(from: &Type, to: &Type) -> Type {
    match (from, to) {
        (Type::Dynamic, _) => to.without_optional(),
        (_, Type::Dynamic) => from.clone(),
        (Type::List(f) | Type::Set(f), Type::List(t)) => Type::list(filled(f, t)),
        (Type::List(f) | Type::Set(f), Type::Set(t)) => Type::set(filled(f, t)),
        (Type::Tuple(f), Type::List(t)) => Type::list(filled_all(f.elements().iter(), t)),
        (Type::Tuple(f), Type::Set(t)) => Type::set(filled_all(f.elements().iter(), t)),
        (Type::Map(f), Type::Map(t)) => Type::map(filled(f, t)),
        (Type::Object(f), Type::Map(t)) => {
            Type::map(filled_all(f.attributes().iter().map(|a| &a.ty), t))
        }
        (Type::Tuple(f), Type::Tuple(t)) if f.elements().len() == t.elements().len() => {
            Type::tuple(f.elements().iter().zip(t.elements()).map(|(f, t)| filled(f, t)))
        }
        (Type::Object(f), Type::Object(t)) => filled_object(t, |name| f.get(name).map(|a| &a.ty)),
        (Type::Map(f), Type::Object(t)) => filled_object(t, |_| Some(&**f)),
        _ => to.without_optional(),
    }
}

/// Returns the type `to` with each `any` replaced by the common type of the corresponding parts of several types.
fn filled_all<'t>(from: impl Iterator<Item = &'t Type>, to: &Type) -> Type {
    let types: Vec<&Type> = from.collect();
    filled(&unify(&types).unwrap_or(Type::Dynamic), to)
}

/// Returns the object type `to` with each `any` in an attribute's type replaced by the corresponding part of the type that `from`
/// returns for the attribute's name.
fn filled_object<'t>(to: &ObjectType, from: impl Fn(&str) -> Option<&'t Type>) -> Type {
    let attributes = to.attributes().iter().map(|attribute| Attribute {
        name: attribute.name.clone(),
        ty: match from(&attribute.name) {
            Some(ty) => filled(ty, &attribute.ty),
            None => attribute.ty.without_optional(),
        },
        optional: false,
    });
    Type::Object(std::sync::Arc::new(ObjectType::new(attributes)))
}
