//! Results of functions for arguments that are partly known: objects of which some attributes are known, and lists or sets of
//! which only the elements are. `None` if the result is unknown all the same.

use std::collections::BTreeMap;

use groma_value::{Str, Type, Value, convert};

use crate::CallArgs;

/// Returns the only element of the first argument if that is a collection of unknown kind with one known element; `None`
/// otherwise.
fn only<'a>(args: &CallArgs<'a>) -> Option<&'a Value> {
    match args.value(0).open_items()? {
        [only] => Some(only),
        _ => None,
    }
}

/// Returns the result of `one` or `element` for a collection of unknown kind with one element; `None` for other arguments.
pub(crate) fn single(args: &CallArgs<'_>) -> Option<Value> {
    let counts_back = || args.value(1).is_known() && !args.number(1).is_negative();
    (args.len() < 2 || counts_back()).then(|| only(args).cloned())?
}

/// Returns the result of `tolist` for a collection of unknown kind with one element; `None` for other arguments.
pub(crate) fn list(args: &CallArgs<'_>) -> Option<Value> {
    convert(&Value::tuple(vec![only(args)?.clone()]), &Type::list(Type::Dynamic)).ok()
}

/// Returns the result of `toset` for known elements in a collection of unknown kind; `None` for other arguments.
pub(crate) fn set(args: &CallArgs<'_>) -> Option<Value> {
    let items = args.value(0).open_items()?;
    convert(&Value::tuple(items.to_vec()), &Type::set(Type::Dynamic)).ok()
}

/// Returns the result of `lookup` for a known attribute of a partly known object; `None` for other arguments.
pub(crate) fn lookup(args: &CallArgs<'_>) -> Option<Value> {
    let (object, key) = (args.value(0), args.value(1));
    match (object.open_attributes()?, key.bare()) {
        (known, Value::String(name)) if args.len() <= 3 => {
            Some(known.get(name)?.mark(&object.marks()).mark(&key.marks()))
        }
        _ => None,
    }
}

/// Returns the result of `merge` if some arguments are partly known objects: a partly known object with the known attributes of
/// the last of these and all entries of the arguments after it; `None` for other arguments.
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
