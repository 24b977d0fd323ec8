//! Access to parts of values: elements, attributes, lengths. An element has the marks of its container; a marked key marks an
//! element of a list or map, not an attribute.

use crate::grapheme::{self, UnicodeVersion};
use crate::print::{quoted, type_name};
use crate::{
    Causes, Length, Marks, Mismatch, Number, NumberBound, Refinement, Str, Type, Value, convert,
};

/// The kind of failure of an access by index or attribute: a null, a value without elements, a wrong key or a missing element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IndexErrorKind {
    /// The value is null.
    Null,
    /// The value has no elements or attributes of that kind.
    NotIndexable,
    /// The key has the wrong type, is null or is not a whole number.
    Key,
    /// No such element or attribute exists.
    Missing,
}

/// The reason why an access by index or attribute fails: its kind and a message.
#[derive(Clone, Debug)]
pub struct IndexError {
    /// The kind of failure.
    pub kind: IndexErrorKind,
    /// A message that begins in lower case.
    pub message: String,
}

/// Returns the error of an access by index or attribute, with its kind and message.
fn error<T>(kind: IndexErrorKind, message: impl Into<String>) -> Result<T, IndexError> {
    Err(IndexError { kind, message: message.into() })
}

/// Returns the unknown element of type `ty` at a key, with the causes of both the collection and the key, and a fingerprint.
fn unknown(ty: Type, collection: &Value, key: &Value) -> Value {
    let part = Value::unknown_because(ty, outer_causes(collection).union(&outer_causes(key)));
    if let Value::Unknown(whole) = collection.bare()
        && let Some(source) = &whole.mirrored
        && let Ok(source) = index(source, key)
    {
        return part.mirroring(&source.unmark().0);
    }
    match key.fingerprint() {
        Some(key) => part.derived(collection.fingerprint(), ("element", key)),
        None => part,
    }
}

/// Returns the causes of an unknown value, not those of its parts; none for other values.
fn outer_causes(value: &Value) -> Causes {
    match value.bare() {
        Value::Unknown(u) => u.causes.clone(),
        _ => Causes::NONE,
    }
}

/// Returns the value of `collection[key]`, or the reason why it does not exist.
pub fn index(collection: &Value, key: &Value) -> Result<Value, IndexError> {
    let (bare, marks) = collection.unmark();
    let hidden = marks.hide() || key.marks().hide();
    if bare.is_null() {
        return error(
            IndexErrorKind::Null,
            "this value is null, so it has no elements or attributes",
        );
    }
    if key.is_null() {
        return error(IndexErrorKind::Key, "the key is null; a null names no element");
    }
    let kind = IndexedKind::of(&bare);
    if let (Value::Unknown(open), true) = (&bare, key.is_known())
        && let Some(part) = open.element(key.bare())
    {
        let by = if open.is_object() { Marks::NONE } else { key.marks() };
        return Ok(part.mark(&marks).mark(&by));
    }
    if let IndexedKind::Open = kind {
        return Ok(unknown(Type::Dynamic, &bare, key).mark(&marks));
    }
    if let Value::Unknown(u) = key.bare()
        && u.ty == Type::Dynamic
    {
        return Ok(unknown(Type::Dynamic, &bare, key).mark(&marks));
    }
    if matches!(kind, IndexedKind::Set | IndexedKind::Leaf) {
        return error(IndexErrorKind::NotIndexable, not_indexable(&bare));
    }
    let wanted = if matches!(kind, IndexedKind::Sequence) { Type::Number } else { Type::String };
    let key = match convert(key, &wanted) {
        Ok(key) => key,
        Err(why) => {
            let what = if wanted == Type::Number { "a number" } else { "text" };
            return error(IndexErrorKind::Key, format!("the key must be {what}: {}", why.message));
        }
    };
    let found = match kind {
        IndexedKind::Sequence => element_at(&bare, &key, hidden)?,
        IndexedKind::Map => element_of(&bare, &key, hidden)?,
        _ => return Ok(attribute_by(&bare, &key, hidden)?.mark(&marks)),
    };
    // A key marks the element that it selects, but not an unknown element.
    let chosen = bare.is_known() || !bare.ty().is_collection();
    match chosen && key.is_known() {
        true => Ok(found.mark(&marks).mark(&key.marks())),
        false => Ok(found.mark(&marks)),
    }
}

/// Returns the value of `collection[key]` by the rules of editions in which `[key]` on an unknown object has the attribute's
/// type, as `.name` does.
pub fn index_typed(collection: &Value, key: &Value) -> Result<Value, IndexError> {
    if let (Value::Unknown(u), false) = (collection.bare(), key.is_null())
        && matches!(u.ty, Type::Object(_))
        && let Ok(Value::String(name)) = convert(key.bare(), &Type::String)
    {
        return attribute(collection, &name);
    }
    index(collection, key)
}

/// The kind of an indexed value, by which its elements are accessed.
enum IndexedKind {
    /// A list or tuple.
    Sequence,
    /// A map.
    Map,
    /// An object.
    Object,
    /// A set.
    Set,
    /// A value without elements.
    Leaf,
    /// An unknown of unknown type.
    Open,
}

impl IndexedKind {
    /// Returns the kind of an indexed value; that of an unknown by its type.
    fn of(value: &Value) -> IndexedKind {
        match value {
            Value::List(_) | Value::Tuple(_) => IndexedKind::Sequence,
            Value::Map(_) => IndexedKind::Map,
            Value::Object(_) => IndexedKind::Object,
            Value::Set(_) => IndexedKind::Set,
            Value::Unknown(u) => match u.ty {
                Type::Dynamic => IndexedKind::Open,
                Type::List(_) | Type::Tuple(_) => IndexedKind::Sequence,
                Type::Map(_) => IndexedKind::Map,
                Type::Object(_) => IndexedKind::Object,
                Type::Set(_) => IndexedKind::Set,
                _ => IndexedKind::Leaf,
            },
            _ => IndexedKind::Leaf,
        }
    }
}

/// Returns the message for an access by index to a set or a value without elements.
fn not_indexable(value: &Value) -> String {
    match value.ty() {
        Type::Set(_) => "the elements of a set have no keys or positions; convert it with \
                         tolist() to take one by position, or use a for expression"
            .to_owned(),
        ty => format!("a {} has no elements", type_name(&ty)),
    }
}

/// Returns the element of a list or tuple at the position `key`; with `hidden`, error messages show no values.
fn element_at(sequence: &Value, key: &Value, hidden: bool) -> Result<Value, IndexError> {
    let at = match key.bare().as_number() {
        Some(number) => number,
        None => {
            let ty = match sequence.ty() {
                Type::List(element) => (*element).clone(),
                _ => Type::Dynamic,
            };
            return Ok(unknown(ty, sequence, key));
        }
    };
    let items = match sequence {
        Value::List(l) => l.items(),
        Value::Tuple(t) => t.items(),
        Value::Unknown(u) => {
            return match &u.ty {
                Type::List(element) => Ok(unknown((**element).clone(), sequence, key)),
                Type::Tuple(tuple) => {
                    match at.to_exact_usize().and_then(|i| tuple.elements().get(i)) {
                        Some(ty) => Ok(unknown(ty.clone(), sequence, key)),
                        None => no_position(&at, tuple.elements().len(), hidden),
                    }
                }
                _ => Ok(unknown(Type::Dynamic, sequence, key)),
            };
        }
        _ => &[],
    };
    match at.to_exact_usize().and_then(|i| items.get(i)) {
        Some(item) => Ok(item.clone()),
        None => no_position(&at, items.len(), hidden),
    }
}

/// Returns the error for a position in a list or tuple that is negative, fractional or beyond the length `length`; with `hidden`,
/// the message does not show the position.
fn no_position(at: &Number, length: usize, hidden: bool) -> Result<Value, IndexError> {
    if hidden {
        return error(IndexErrorKind::Missing, "there is no element at this (sensitive) position");
    }
    let shown = crate::print::number(at);
    if !at.is_integer() {
        return error(IndexErrorKind::Key, format!("a position is a whole number, not {shown}"));
    }
    if at.is_negative() {
        return error(
            IndexErrorKind::Missing,
            format!("positions start at 0, so there is no element {shown}"),
        );
    }
    let has = match length {
        0 => "it has no elements".to_owned(),
        1 => "it has 1 element, at position 0".to_owned(),
        n => format!("it has {n} elements, at positions 0 to {}", n - 1),
    };
    error(IndexErrorKind::Missing, format!("there is no element {shown}: {has}"))
}

/// Returns the element of a map at the key `key`; with `hidden`, error messages show no values.
fn element_of(map: &Value, key: &Value, hidden: bool) -> Result<Value, IndexError> {
    let element = match map {
        Value::Map(m) => m.element().clone(),
        other => other.ty().element().cloned().unwrap_or(Type::Dynamic),
    };
    match (map, key.bare()) {
        (Value::Map(m), Value::String(name)) => match m.get(name) {
            Some(value) => Ok(value.clone()),
            None => {
                let names = m.entries().iter().map(|(key, _)| key);
                error(IndexErrorKind::Missing, missing("element", name, names, hidden))
            }
        },
        _ => Ok(unknown(element, map, key)),
    }
}

/// Returns the attribute of an object that the string `key` names; with `hidden`, error messages show no values.
fn attribute_by(object: &Value, key: &Value, hidden: bool) -> Result<Value, IndexError> {
    match (object, key.bare()) {
        (Value::Object(o), Value::String(name)) => match o.get(name) {
            Some(value) => Ok(value.clone()),
            None => error(
                IndexErrorKind::Missing,
                missing("attribute", name, o.names().as_slice().iter(), hidden),
            ),
        },
        _ => Ok(unknown(Type::Dynamic, object, key)),
    }
}

/// Returns the value of `object.name`, where the object may be a map, or the reason why it does not exist.
pub fn attribute(object: &Value, name: &str) -> Result<Value, IndexError> {
    let (bare, marks) = object.unmark();
    let name = Str::from(name);
    let found = match &bare {
        Value::Null(_) => {
            return error(
                IndexErrorKind::Null,
                format!("this value is null, so it has no attribute {}", quoted(&name)),
            );
        }
        Value::Object(o) => match o.get(&name) {
            Some(value) => value.clone(),
            None => {
                let names = o.names().as_slice().iter();
                return error(
                    IndexErrorKind::Missing,
                    missing("attribute", &name, names, marks.hide()),
                );
            }
        },
        Value::Map(m) => match m.get(&name) {
            Some(value) => value.clone(),
            None => {
                let names = m.entries().iter().map(|(key, _)| key);
                return error(
                    IndexErrorKind::Missing,
                    missing("element", &name, names, marks.hide()),
                );
            }
        },
        Value::Unknown(u) => match &u.ty {
            Type::Dynamic => match u.attribute(&name) {
                Some(known) => known,
                None => unknown(Type::Dynamic, &bare, &Value::String(name.clone())),
            },
            Type::Map(element) => unknown((**element).clone(), &bare, &Value::String(name)),
            Type::Object(ty) => match ty.get(&name) {
                Some(attribute) => {
                    unknown(attribute.ty.clone(), &bare, &Value::String(name.clone()))
                }
                None => {
                    let names = ty.attributes().iter().map(|a| &a.name);
                    return error(
                        IndexErrorKind::Missing,
                        missing("attribute", &name, names, marks.hide()),
                    );
                }
            },
            ty => return error(IndexErrorKind::NotIndexable, no_attributes(ty, &name)),
        },
        other => return error(IndexErrorKind::NotIndexable, no_attributes(&other.ty(), &name)),
    };
    Ok(found.mark(&marks))
}

/// Returns the message for an attribute access on a value without attributes.
fn no_attributes(ty: &Type, name: &Str) -> String {
    let shown = quoted(name);
    match ty {
        Type::List(e) | Type::Set(e) if matches!(**e, Type::Object(_) | Type::Map(_)) => format!(
            "a {} has no attribute {shown} of its own; take one element by its position, or the \
             attribute of each element with [*]",
            type_name(ty)
        ),
        ty => format!("a {} has no attributes", type_name(ty)),
    }
}

/// Maximum number of keys or attribute names that the message for a missing one lists.
const NAMES_SHOWN: usize = 8;

/// Returns the message for a missing element or attribute (`what`): with the most similar of `names`, those that the map or
/// object has, or a list of them; without names if `hidden`.
fn missing<'n>(
    what: &str,
    name: &str,
    names: impl ExactSizeIterator<Item = &'n Str> + Clone,
    hidden: bool,
) -> String {
    if hidden {
        return format!("there is no {what} of this name (the names are sensitive)");
    }
    let wanted = quoted(name);
    if let Some(near) = nearest(name, names.clone()) {
        return format!("there is no {what} {wanted}; did you mean {}?", quoted(near));
    }
    let count = names.len();
    if count == 0 {
        return format!("there is no {what} {wanted}, there are none at all");
    }
    let mut list: Vec<String> = names.take(NAMES_SHOWN).map(|n| quoted(n)).collect();
    if count > NAMES_SHOWN {
        list.push(format!("{} more", count - NAMES_SHOWN));
    }
    format!("there is no {what} {wanted}, only {}", list.join(", "))
}

/// Returns the name most similar to `name` among those that a map or object has; `None` if none is similar, or there are more
/// than 1000.
fn nearest<'n>(name: &str, names: impl ExactSizeIterator<Item = &'n Str>) -> Option<&'n str> {
    if names.len() > 1000 {
        return None;
    }
    crate::nearest(name, names.map(|known| &**known))
}

/// Returns the length of a value as `length()` counts: elements of a collection, attributes of an object, or grapheme clusters
/// (Unicode 15) of a string.
pub fn length(value: &Value) -> Result<Value, Mismatch> {
    let (bare, marks) = value.unmark();
    let result = match &bare {
        Value::List(l) => count(l.items().len()),
        Value::Tuple(t) => count(t.items().len()),
        Value::Map(m) => count(m.entries().len()),
        Value::Object(o) => count(o.len()),
        Value::String(s) => count(grapheme::count(s, UnicodeVersion::V15)),
        Value::Set(s) if s.items().len() < 2 || bare.is_wholly_known() => count(s.items().len()),
        Value::Set(s) => between(1, Some(s.items().len()), bare.deep_causes()),
        Value::Unknown(u) => match &u.ty {
            Type::Dynamic => between(0, None, u.causes.clone()),
            Type::Tuple(t) => count(t.elements().len()),
            Type::Object(o) => count(o.attributes().len()),
            Type::String => {
                let least = grapheme::count(&u.refinement.prefix, UnicodeVersion::V15);
                between(least, None, u.causes.clone())
            }
            Type::List(_) | Type::Set(_) | Type::Map(_) => {
                let known = u.refinement.length.unwrap_or(Length { low: 0, high: None });
                between(known.low, known.high, u.causes.clone())
            }
            ty => return Err(no_length(ty)),
        },
        Value::Null(_) => return Err(Mismatch::new("a null has no length")),
        other => return Err(no_length(&other.ty())),
    };
    Ok(result.mark(&marks))
}

/// Returns the mismatch for a value whose type does not have a length.
fn no_length(ty: &Type) -> Mismatch {
    Mismatch::new(format!(
        "a collection, an object or a string is required, this is a {}",
        type_name(ty)
    ))
}

/// Returns a number of elements as a number value.
fn count(n: usize) -> Value {
    Value::position(n)
}

/// Returns an unknown number between two inclusive bounds; `None` for no upper bound.
fn between(low: usize, high: Option<usize>, causes: Causes) -> Value {
    let bound = |n| NumberBound { number: Number::from_usize(n), inclusive: true };
    let refinement = Refinement {
        not_null: true,
        low: Some(bound(low)),
        high: high.map(bound),
        ..Refinement::default()
    };
    Value::refined(Type::Number, refinement, causes)
}

impl Marks {
    /// Returns true if these marks forbid showing the value: sensitive or ephemeral.
    pub fn hide(&self) -> bool {
        self.contains(&crate::Mark::Sensitive) || self.contains(&crate::Mark::Ephemeral)
    }
}
