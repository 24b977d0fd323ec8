//! What functions give of arguments that are open: objects of which some attributes are known, and lists or sets of which
//! only the elements are. Each is asked before the call would be unknown, and says nothing where it is unknown all the same.

use std::collections::BTreeMap;

use groma_value::{Str, Type, Value, convert};

use crate::CallArgs;

/// Returns the only element of an open list or set, whose order then does not matter.
fn only<'a>(args: &CallArgs<'a>) -> Option<&'a Value> {
    match args.value(0).open_items()? {
        [only] => Some(only),
        _ => None,
    }
}

/// Returns the result of `one`, or of `element` at a position not counted from the end, for an open collection.
pub(crate) fn single(args: &CallArgs<'_>) -> Option<Value> {
    let counts_back = || args.value(1).is_known() && !args.number(1).is_negative();
    (args.len() < 2 || counts_back()).then(|| only(args).cloned())?
}

/// Returns the result of `tolist` for an open collection of one element.
pub(crate) fn list(args: &CallArgs<'_>) -> Option<Value> {
    convert(&Value::tuple(vec![only(args)?.clone()]), &Type::list(Type::Dynamic)).ok()
}

/// Returns the result of `toset` for an open collection.
pub(crate) fn set(args: &CallArgs<'_>) -> Option<Value> {
    let items = args.value(0).open_items()?;
    convert(&Value::tuple(items.to_vec()), &Type::set(Type::Dynamic)).ok()
}

/// Returns the result of `lookup` for a known attribute of an open object.
pub(crate) fn lookup(args: &CallArgs<'_>) -> Option<Value> {
    let (object, key) = (args.value(0), args.value(1));
    match (object.open_attributes()?, key.bare()) {
        (known, Value::String(name)) if args.len() <= 3 => {
            Some(known.get(name)?.mark(&object.marks()).mark(&key.marks()))
        }
        _ => None,
    }
}

/// Returns the result of `merge` with open objects: only the known attributes of the last open one and the entries after it are
/// certain.
pub(crate) fn merge(args: &CallArgs<'_>) -> Option<Value> {
    let mut entries: BTreeMap<Str, Value> = BTreeMap::new();
    let mut causes = None;
    let mut marks = groma_value::Marks::NONE;
    for map in args.all() {
        marks = marks.union(&map.marks());
        match map.bare() {
            Value::Null(_) => {}
            Value::Object(object) => {
                entries.extend(object.iter().map(|(name, value)| (name.clone(), value.clone())));
            }
            Value::Map(map) => entries.extend(map.entries().iter().cloned()),
            Value::Unknown(unknown) => {
                let known = map.open_attributes()?;
                entries = known.iter().map(|(name, one)| (name.clone(), one.clone())).collect();
                let before: groma_value::Causes = causes.unwrap_or_default();
                causes = Some(before.union(&unknown.causes));
            }
            _ => return None,
        }
    }
    args.check_elements(entries.len()).ok()?;
    Some(Value::open_object(entries, causes?).mark(&marks))
}
