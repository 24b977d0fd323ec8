//! Reasons why types do not fit: the path to the first difference and the two types there, never a whole type.

use super::fill::possible;
use super::unify::unify;
use crate::print::{quoted, with_article};
use crate::{Attribute, Mismatch, PathStep, Type, Value};

/// Returns the reason why values of type `from` do not convert to `to`: the path of the first difference and both types there.
pub fn mismatch(from: &Type, to: &Type) -> Mismatch {
    match (from, to) {
        (Type::List(a) | Type::Set(a), Type::List(b) | Type::Set(b))
        | (Type::Map(a), Type::Map(b)) => every_element(a, b),
        (Type::Tuple(t), Type::List(e) | Type::Set(e)) => {
            let types: Vec<&Type> = t.elements().iter().collect();
            if **e == Type::Dynamic {
                return no_common_type(&types);
            }
            let bad = types.iter().position(|ty| !possible(ty, e, true));
            match bad {
                Some(at) => mismatch(types[at], e).under(PathStep::Index(Value::position(at))),
                None => plain(from, to),
            }
        }
        (Type::Object(o), Type::Map(e)) => {
            if **e == Type::Dynamic {
                let types: Vec<&Type> = o.attributes().iter().map(|a| &a.ty).collect();
                return no_common_type(&types);
            }
            match o.attributes().iter().find(|a| !possible(&a.ty, e, true)) {
                Some(a) => mismatch(&a.ty, e).under(PathStep::Attribute(a.name.clone())),
                None => plain(from, to),
            }
        }
        (Type::Tuple(a), Type::Tuple(b)) => {
            let (has, wants) = (a.elements().len(), b.elements().len());
            if has != wants {
                let s = if wants == 1 { "" } else { "s" };
                return Mismatch::new(format!(
                    "a tuple of {wants} element{s} is required, this one has {has}"
                ));
            }
            let pairs = a.elements().iter().zip(b.elements());
            match pairs.enumerate().find(|(_, (a, b))| !possible(a, b, true)) {
                Some((at, (a, b))) => mismatch(a, b).under(PathStep::Index(Value::position(at))),
                None => plain(from, to),
            }
        }
        (Type::Object(a), Type::Object(b)) => {
            for wanted in b.attributes() {
                match a.get(&wanted.name) {
                    Some(found) if !possible(&found.ty, &wanted.ty, true) => {
                        return mismatch(&found.ty, &wanted.ty)
                            .under(PathStep::Attribute(wanted.name.clone()));
                    }
                    None if !wanted.optional => return absent_attribute(&wanted.name),
                    _ => {}
                }
            }
            plain(from, to)
        }
        (Type::Map(e), Type::Object(o)) => {
            let unfit = |wanted: &&Attribute| !wanted.optional && !possible(e, &wanted.ty, true);
            match o.attributes().iter().find(unfit) {
                Some(wanted) => mismatch(e, &wanted.ty)
                    .under(PathStep::Index(Value::String(wanted.name.clone()))),
                None => plain(from, to),
            }
        }
        _ => plain(from, to),
    }
}

/// Returns the reason why the elements of a collection, all of type `from`, do not convert to type `to`.
pub(super) fn every_element(from: &Type, to: &Type) -> Mismatch {
    let inner = mismatch(from, to);
    Mismatch::new(format!("every element: {}", inner.message))
}

/// Returns a mismatch whose message names both types as a whole.
fn plain(from: &Type, to: &Type) -> Mismatch {
    let (wanted, found) = (with_article(to), with_article(from));
    if wanted == found {
        return Mismatch::new(format!("{wanted} of another type is required"));
    }
    Mismatch::new(format!("{wanted} is required, this is {found}"))
}

/// Returns the mismatch for a missing required attribute.
pub(super) fn absent_attribute(name: &str) -> Mismatch {
    Mismatch::new(format!("the attribute {} is required", quoted(name)))
}

/// Returns the reason why types have no common type: the first of them, and the first other that does not fit it.
pub(super) fn no_common_type(types: &[&Type]) -> Mismatch {
    let all = "all elements must be of one type";
    let Some((first, rest)) = types.split_first() else { return Mismatch::new(all) };
    let clash = |a: &Type, b: &Type| match unify(&[a, b]) {
        None => true,
        Some(Type::Dynamic) => *a != Type::Dynamic || *b != Type::Dynamic,
        Some(_) => false,
    };
    match rest.iter().position(|ty| clash(first, ty)) {
        Some(at) => {
            let other = rest[at];
            let (a, b) = (with_article(first), with_article(other));
            let what = match (*first, other) {
                (Type::Dynamic, b) | (b, Type::Dynamic) => format!(
                    "one is {}, another has no type yet (an untyped null or an unknown)",
                    with_article(b)
                ),
                _ if a == b => format!(
                    "the first is {a}, this is another kind of {}",
                    crate::print::type_name(other)
                ),
                _ => format!("the first is {a}, this is {b}"),
            };
            Mismatch::new(format!("{all}: {what}")).under(PathStep::Index(Value::position(at + 1)))
        }
        None => Mismatch::new(all),
    }
}

/// Returns the reason why two elements with these types cannot be in one collection: the first part whose types differ, and both
/// types there, of which one may be `Dynamic`, that of an untyped null or unknown.
pub(super) fn difference(first: &Type, other: &Type) -> Mismatch {
    match (first, other) {
        (Type::List(a), Type::List(b))
        | (Type::Set(a), Type::Set(b))
        | (Type::Map(a), Type::Map(b)) => {
            Mismatch::new(format!("every element: {}", difference(a, b).message))
        }
        (Type::Tuple(a), Type::Tuple(b)) => {
            let mut pairs = a.elements().iter().zip(b.elements()).enumerate();
            match pairs.find(|(_, (a, b))| a != b) {
                Some((at, (a, b))) => difference(a, b).under(PathStep::Index(Value::position(at))),
                None => no_common_type(&[first, other]),
            }
        }
        (Type::Object(a), Type::Object(b)) => {
            let mut pairs = a.attributes().iter().zip(b.attributes());
            match pairs.find(|(a, b)| a != b) {
                Some((a, b)) => difference(&a.ty, &b.ty).under(PathStep::Attribute(a.name.clone())),
                None => no_common_type(&[first, other]),
            }
        }
        (a, b) => {
            let what = |ty: &Type| match ty {
                Type::Dynamic => "something untyped (null or unknown)".to_owned(),
                ty => with_article(ty),
            };
            Mismatch::new(format!(
                "all elements must be of one type: this is {}, in another element it is {}",
                what(b),
                what(a)
            ))
        }
    }
}
