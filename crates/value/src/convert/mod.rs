//! Conversion between types. One walk over the value converts it; a part that already has its
//! type is shared, and no type of a whole value is built unless an `any` must be filled in.

mod fill;
mod mismatch;
mod primitive;
mod unify;

pub use fill::{Convertible, convertible};
pub use mismatch::mismatch;
pub use unify::{unify, unify_safe};

use fill::{filled, possible, same_shape};
use mismatch::{absent_attribute, no_common_type};

use crate::value::{Object, Set};
use crate::{Attribute, Length, Mismatch, ObjectType, Refinement, Step, Str, Type, Unknown, Value};

/// The value converted to `ty`, which may hold `Dynamic` ("as it is") and optional attributes
/// (absent ones become null). Marks, unknowns and their causes are carried.
pub fn convert(value: &Value, ty: &Type) -> Result<Value, Mismatch> {
    Ok(changed(value, ty, Shown(true))?.unwrap_or_else(|| value.clone()))
}

/// Whether messages may show the value: not below a sensitive or ephemeral mark.
#[derive(Clone, Copy)]
struct Shown(bool);

/// What a conversion gives: nothing where the value already fits.
type Changed = Result<Option<Value>, Mismatch>;

fn changed(value: &Value, to: &Type, shown: Shown) -> Changed {
    if let Value::Marked(m) = value {
        let below = Shown(shown.0 && !m.marks().hide());
        return Ok(changed(m.value(), to, below)?.map(|value| value.mark(m.marks())));
    }
    match (value, to) {
        (_, Type::Dynamic) => Ok(None),
        (Value::Null(from), _) => {
            if same_shape(from, to) {
                return Ok(None);
            }
            admit(from, to)?;
            Ok(Some(Value::Null(filled(from, to))))
        }
        (Value::Unknown(u), _) => {
            if same_shape(&u.ty, to) {
                return Ok(None);
            }
            admit(&u.ty, to)?;
            Ok(Some(unknown(u, to)))
        }
        (Value::Bool(_) | Value::Number(_) | Value::String(_), _) => {
            primitive::changed(value, to, shown)
        }
        (Value::List(l), Type::List(e)) => {
            if same_shape(l.element(), e) {
                return Ok(None);
            }
            let (element, items) = uniform(l.element(), e, l.items(), shown)?;
            Ok(Some(Value::list(element, items)))
        }
        (Value::List(l), Type::Set(e)) => {
            let (element, items) = uniform(l.element(), e, l.items(), shown)?;
            Ok(Some(Value::set(element, items)))
        }
        (Value::Set(s), Type::Set(e)) => {
            if same_shape(s.element(), e) {
                return Ok(None);
            }
            let (element, items) = uniform(s.element(), e, s.items(), shown)?;
            Ok(Some(Value::set(element, items)))
        }
        (Value::Set(s), Type::List(e)) => set_to_list(value, s, e, shown),
        (Value::Tuple(t), Type::List(e)) => {
            let (element, items) = mixed(e, t.items(), Kind::Sequence, shown)?;
            Ok(Some(Value::list(element, items)))
        }
        (Value::Tuple(t), Type::Set(e)) => {
            let (element, items) = mixed(e, t.items(), Kind::Sequence, shown)?;
            Ok(Some(Value::set(element, items)))
        }
        (Value::Tuple(t), Type::Tuple(to_tuple)) => {
            if t.items().len() != to_tuple.elements.len() {
                return Err(mismatch(&value.ty(), to));
            }
            let each = t.items().iter().zip(&to_tuple.elements).enumerate();
            let items = replaced(each, t.items(), |(at, (item, ty))| {
                changed(item, ty, shown).map_err(|why| why.under(Step::Index(Value::position(at))))
            })?;
            Ok(items.map(Value::tuple))
        }
        (Value::Map(m), Type::Map(e)) => {
            if same_shape(m.element(), e) {
                return Ok(None);
            }
            admit_elements(m.element(), e)?;
            let (keys, items) = split(m.entries());
            let (element, items) = mixed_entries(m.element(), e, &keys, items, shown)?;
            Ok(Some(Value::map(element, keys.into_iter().zip(items))))
        }
        (Value::Object(o), Type::Map(e)) => {
            let keys: Vec<Str> = o.names().as_slice().to_vec();
            let (element, items) =
                mixed_entries(&Type::Dynamic, e, &keys, o.values().to_vec(), shown)?;
            Ok(Some(Value::map(element, keys.into_iter().zip(items))))
        }
        (Value::Object(o), Type::Object(ty)) => object(o, ty, shown),
        (Value::Map(m), Type::Object(ty)) => {
            let get = |name: &str| m.get(name);
            let values = attributes(ty, get, |at| Step::Index(Value::String(at)), shown)?;
            Ok(Some(Value::object(values)))
        }
        _ => Err(mismatch(&value.ty(), to)),
    }
}

/// Refuses what no value of the type could be converted to.
fn admit(from: &Type, to: &Type) -> Result<(), Mismatch> {
    if possible(from, to, true) { Ok(()) } else { Err(mismatch(from, to)) }
}

fn admit_elements(from: &Type, to: &Type) -> Result<(), Mismatch> {
    if possible(from, to, true) {
        return Ok(());
    }
    let why = mismatch(from, to);
    Err(Mismatch::new(format!("every element: {}", why.message)))
}

/// Runs `change` over all items and gives the new list, or nothing if nothing changed.
fn replaced<I>(
    each: impl Iterator<Item = I>,
    old: &[Value],
    mut change: impl FnMut(I) -> Changed,
) -> Result<Option<Vec<Value>>, Mismatch> {
    let mut new: Option<Vec<Value>> = None;
    for (at, item) in each.enumerate() {
        match (change(item)?, &mut new) {
            (Some(value), Some(list)) => list.push(value),
            (Some(value), None) => {
                let mut list = Vec::with_capacity(old.len());
                list.extend_from_slice(&old[..at]);
                list.push(value);
                new = Some(list);
            }
            (None, Some(list)) => list.push(old[at].clone()),
            (None, None) => {}
        }
    }
    Ok(new)
}

/// How the items of a collection are named in messages.
#[derive(Clone, Copy)]
enum Kind {
    Sequence,
    Entries,
}

/// The items of a list or set, all of type `from`, as items of type `to`.
fn uniform(
    from: &Type,
    to: &Type,
    items: &[Value],
    shown: Shown,
) -> Result<(Type, Vec<Value>), Mismatch> {
    admit_elements(from, to)?;
    if items.is_empty() {
        return Ok((
            if *to == Type::Dynamic { from.clone() } else { to.without_optional() },
            Vec::new(),
        ));
    }
    if same_shape(from, to) || *to == Type::Dynamic {
        return Ok((from.clone(), items.to_vec()));
    }
    let mut new = Vec::with_capacity(items.len());
    for (at, item) in items.iter().enumerate() {
        let step = || Step::Index(Value::position(at));
        let one = changed(item, to, shown).map_err(|why| why.under(step()))?;
        new.push(one.unwrap_or_else(|| item.clone()));
    }
    settle(to, new, Kind::Sequence, shown)
}

/// Items of any types as items of type `to`; `Dynamic` asks for a type that fits them all.
fn mixed(
    to: &Type,
    items: &[Value],
    kind: Kind,
    shown: Shown,
) -> Result<(Type, Vec<Value>), Mismatch> {
    if items.is_empty() {
        return Ok((to.without_optional(), Vec::new()));
    }
    let found;
    let to = if *to == Type::Dynamic {
        found = common(items, kind)?;
        &found
    } else {
        to
    };
    let mut new = Vec::with_capacity(items.len());
    for (at, item) in items.iter().enumerate() {
        let one =
            changed(item, to, shown).map_err(|why| why.under(Step::Index(Value::position(at))))?;
        new.push(one.unwrap_or_else(|| item.clone()));
    }
    settle(to, new, kind, shown)
}

fn mixed_entries(
    from: &Type,
    to: &Type,
    keys: &[Str],
    items: Vec<Value>,
    shown: Shown,
) -> Result<(Type, Vec<Value>), Mismatch> {
    if items.is_empty() && *to == Type::Dynamic {
        return Ok((from.clone(), items));
    }
    let name_key = |mut why: Mismatch| {
        // The walk counts positions; entries are named by their keys, which may be secret.
        if let Some(Step::Index(Value::Number(at))) = why.path.0.first()
            && let Some(key) = at.to_exact_usize().and_then(|at| keys.get(at))
        {
            if shown.0 {
                why.path.0[0] = Step::Index(Value::String(key.clone()));
            } else {
                why.path.0.remove(0);
            }
        }
        why
    };
    mixed(to, &items, Kind::Entries, shown).map_err(name_key)
}

/// The one type that all items can have.
fn common(items: &[Value], kind: Kind) -> Result<Type, Mismatch> {
    let types: Vec<Type> = items.iter().map(Value::ty).collect();
    let types: Vec<&Type> = types.iter().collect();
    match unify(&types) {
        // Something untyped beside structures leaves the type open. A map may still have one
        // type, a list may not.
        Some(Type::Dynamic) => {
            let mut typed = types.iter().filter(|ty| ***ty != Type::Dynamic);
            let Some(first) = typed.next() else { return Ok(Type::Dynamic) };
            match kind {
                Kind::Entries if typed.all(|ty| ty == first) => Ok((*first).clone()),
                _ => Err(no_common_type(&types)),
            }
        }
        Some(ty) => Ok(ty),
        None => Err(no_common_type(&types)),
    }
}

/// Items that were converted to `to`: where `to` holds an `any`, they may still differ and are
/// brought to one type.
fn settle(
    to: &Type,
    items: Vec<Value>,
    kind: Kind,
    shown: Shown,
) -> Result<(Type, Vec<Value>), Mismatch> {
    if *to == Type::Dynamic || !to.has_dynamic() {
        return Ok((to.without_optional(), items));
    }
    let element = common(&items, kind)?;
    let mut new = Vec::with_capacity(items.len());
    for (at, item) in items.into_iter().enumerate() {
        let one = changed(&item, &element, shown)
            .map_err(|why| why.under(Step::Index(Value::position(at))))?;
        new.push(one.unwrap_or(item));
    }
    Ok((element, new))
}

fn split(entries: &[(Str, Value)]) -> (Vec<Str>, Vec<Value>) {
    entries.iter().cloned().unzip()
}

fn set_to_list(value: &Value, set: &Set, to: &Type, shown: Shown) -> Changed {
    if set.items().len() > 1 && !value.is_wholly_known() {
        // How many elements remain is not settled, so neither is any position.
        admit_elements(set.element(), to)?;
        let ty = Type::list(filled(set.element(), to));
        return Ok(Some(Value::unknown_because(ty, value.deep_causes())));
    }
    let (element, items) = uniform(set.element(), to, set.items(), shown)?;
    Ok(Some(Value::list(element, items)))
}

fn object(from: &Object, to: &ObjectType, shown: Shown) -> Changed {
    let exact = from.len() == to.attributes().len()
        && from.names().as_slice().iter().zip(to.attributes()).all(|(name, a)| *name == a.name);
    if !exact {
        let values = attributes(to, |name| from.get(name), Step::Attribute, shown)?;
        return Ok(Some(Value::object(values)));
    }
    let each = from.values().iter().zip(to.attributes());
    let values = replaced(each, from.values(), |(value, attribute)| {
        changed(value, &attribute.ty, shown)
            .map_err(|why| why.under(Step::Attribute(attribute.name.clone())))
    })?;
    Ok(values.map(|values| {
        Value::Object(std::sync::Arc::new(Object::with_names(from.names().clone(), values)))
    }))
}

/// The attributes of an object of type `to`, each found by its name.
fn attributes<'v>(
    to: &ObjectType,
    get: impl Fn(&str) -> Option<&'v Value>,
    step: impl Fn(Str) -> Step,
    shown: Shown,
) -> Result<Vec<(Str, Value)>, Mismatch> {
    let mut values = Vec::with_capacity(to.attributes().len());
    for Attribute { name, ty, optional } in to.attributes() {
        let value = match get(name) {
            Some(value) => changed(value, ty, shown)
                .map_err(|why| why.under(step(name.clone())))?
                .unwrap_or_else(|| value.clone()),
            None if *optional => Value::Null(ty.without_optional()),
            None => return Err(absent_attribute(name)),
        };
        values.push((name.clone(), value));
    }
    Ok(values)
}

/// An unknown of another type. That it is not null stays certain, and of a length what the
/// conversion leaves certain; prefixes and bounds go.
fn unknown(from: &Unknown, to: &Type) -> Value {
    let ty = filled(&from.ty, to);
    let refinement = Refinement {
        not_null: from.refinement.not_null,
        length: length(from, to),
        ..Refinement::default()
    };
    Value::refined(ty, refinement, from.causes.clone())
}

fn length(from: &Unknown, to: &Type) -> Option<Length> {
    let exactly = |n| Some(Length { low: n, high: Some(n) });
    match (&from.ty, to) {
        (Type::Object(o), Type::Map(_)) => exactly(o.attributes().len()),
        (Type::Tuple(t), Type::List(_)) => exactly(t.elements.len()),
        (Type::Tuple(t), Type::Set(_)) => {
            let n = t.elements.len();
            Some(Length { low: n.min(1), high: Some(n) })
        }
        (Type::List(_), Type::Set(_)) => {
            let Length { low, high } = from.refinement.length?;
            Some(Length { low: low.min(1), high })
        }
        // Converted elements of a set may coincide.
        (Type::Set(a), Type::Set(b)) if a != b => {
            let Length { low, high } = from.refinement.length?;
            Some(Length { low: low.min(1), high })
        }
        (
            Type::List(_) | Type::Set(_) | Type::Map(_),
            Type::List(_) | Type::Set(_) | Type::Map(_),
        ) => from.refinement.length,
        _ => None,
    }
}
