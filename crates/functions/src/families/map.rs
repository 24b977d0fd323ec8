//! Maps and objects. A result with one element type is a map, one with a type for each name an object; `merge` of maps with
//! different element types is therefore an object.

use std::collections::BTreeMap;

use groma_runtime::Availability;
use groma_value::sentence::{plural, type_in_words};
use groma_value::{Marks, Object, ObjectType, Sentence, Str, Type, Value, convert};

use crate::call::argument::items;
use crate::families::open;
use crate::{CallArgs, Failure};
use crate::{
    CallCost, Function, FunctionBody, ParameterRow, ResultFlow, ResultPromise, ReturnType, RowType,
};

/// The row of the parameter `map`, which accepts any type.
const MAP: ParameterRow = ParameterRow::new("map", RowType::Any);
/// The row of the parameter `arguments`, which accepts any type; unknowns and marks are passed to the function's body.
const ANYTHING: ParameterRow =
    ParameterRow::new("arguments", RowType::Any).nullable().lazy().dynamic().marked();
/// The row type of maps of lists of strings.
const LISTS_OF_TEXT: RowType = RowType::Map(&RowType::List(&RowType::String));

/// The row of `lookup` for editions in which the default may be omitted.
const LOOKUP: Function = Function {
    name: "lookup",
    flow: ResultFlow::Lookup,
    params: &[MAP.marked().lazy(), ParameterRow::new("key", RowType::String).marked().lazy()],
    rest: Some(ParameterRow::new("default", RowType::Any).nullable().lazy().dynamic().marked()),
    returns: ReturnType::By(lookup_type),
    promise: ResultPromise::Nothing,
    dialects: Availability::TERRAFORM,
    cost: CallCost::Constant,
    doc: "Returns the value of the key, or the default if the map does not have it.",
    body: FunctionBody::Plain(lookup),
    open: Some(open::lookup),
    ..Function::ROW
};

/// The rows of the functions of maps and objects, such as `merge`, sorted by name.
pub(crate) const FUNCTIONS: &[Function] = &[
    Function {
        name: "keys",
        flow: ResultFlow::Elements,
        params: &[MAP.lazy().marked()],
        returns: ReturnType::By(keys_type),
        cost: CallCost::Elements,
        doc: "Returns the keys or attribute names, sorted.",
        body: FunctionBody::Plain(keys),
        ..Function::ROW
    },
    Function {
        name: "list",
        rest: Some(ANYTHING),
        dialects: Availability::NOT_PACKER,
        removed: true,
        doc: "Removed from the language: write `tolist([...])`.",
        body: FunctionBody::Plain(|_| Err(removed_function("list", "tolist([...])"))),
        ..Function::ROW
    },
    Function {
        params: &[MAP.marked(), ParameterRow::new("key", RowType::String).marked()],
        dialects: Availability::OPENTOFU,
        ..LOOKUP
    },
    LOOKUP,
    Function {
        params: &[
            MAP.marked(),
            ParameterRow::new("key", RowType::String).marked(),
            ParameterRow::new("default", RowType::Any).marked(),
        ],
        rest: None,
        dialects: Availability::PACKER,
        ..LOOKUP
    },
    Function {
        name: "map",
        rest: Some(ANYTHING),
        dialects: Availability::NOT_PACKER,
        removed: true,
        doc: "Removed from the language: write `tomap({...})`.",
        body: FunctionBody::Plain(|_| Err(removed_function("map", "tomap({...})"))),
        ..Function::ROW
    },
    Function {
        name: "merge",
        flow: ResultFlow::Merged,
        rest: Some(ParameterRow::new("maps", RowType::Any).nullable().dynamic().marked()),
        returns: ReturnType::By(merge_type),
        cost: CallCost::Elements,
        doc: "Returns all entries of all maps and objects; of equal keys the last wins, nulls are skipped.",
        body: FunctionBody::Plain(merge),
        open: Some(open::merge),
        ..Function::ROW
    },
    Function {
        name: "transpose",
        params: &[ParameterRow::new("map", LISTS_OF_TEXT).dynamic()],
        returns: ReturnType::Shape(LISTS_OF_TEXT),
        dialects: Availability::NOT_PACKER,
        doc: "Returns a map of lists of texts turned round: each text gets the list of its keys.",
        body: FunctionBody::Plain(transpose),
        ..Function::ROW
    },
    Function {
        name: "values",
        flow: ResultFlow::Values,
        params: &[MAP.marked()],
        returns: ReturnType::By(values_type),
        cost: CallCost::Elements,
        doc: "Returns the values, in the order of their keys.",
        body: FunctionBody::Plain(values),
        ..Function::ROW
    },
    Function {
        name: "zipmap",
        flow: ResultFlow::Zipped,
        params: &[
            ParameterRow::new("keys", RowType::List(&RowType::String)).marked(),
            ParameterRow::new("values", RowType::Any).marked(),
        ],
        returns: ReturnType::By(zipmap_type),
        cost: CallCost::Elements,
        doc: "Returns the values under the keys at the same positions.",
        body: FunctionBody::Plain(zipmap),
        ..Function::ROW
    },
];

/// Creates the failure for a function that was removed from the language; `instead` is its replacement.
fn removed_function(name: &str, instead: &str) -> Failure {
    Failure::whole(format!("`{name}` was removed from the language; write `{instead}` instead."))
}

/// Creates the failure for an argument that is not a map or object but of the given type.
fn map_required(args: &CallArgs<'_>, index: usize, ty: &Type) -> Failure {
    args.fail(
        index,
        Sentence::trusted(format!("A map or an object is required, not {}.", type_in_words(ty))),
    )
}

/// Returns the result type of `keys`: a list for a map, a tuple for an object.
fn keys_type(args: &CallArgs<'_>) -> Result<Type, Failure> {
    match args.value(0).ty() {
        Type::Map(_) => Ok(Type::list(Type::String)),
        Type::Object(object) => Ok(Type::tuple(object.attributes().iter().map(|_| Type::String))),
        other => Err(map_required(args, 0, &other)),
    }
}

/// Implements `keys`: returns the keys of a map or attribute names of an object, sorted.
fn keys(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let map = args.value(0);
    let texts = |names: Vec<Str>| names.into_iter().map(Value::String).collect::<Vec<_>>();
    if let Value::Object(object) = map.bare() {
        return Ok(Value::tuple(texts(object.names().as_slice().to_vec())).mark(&map.marks()));
    }
    let found = match (map.bare(), map.ty()) {
        (Value::Map(map), _) => {
            Value::list(Type::String, texts(map.entries().iter().map(|(k, _)| k.clone()).collect()))
        }
        (Value::Unknown(_), Type::Map(_)) => args.unknown(Type::list(Type::String)),
        // The names are those of the type, so the value may be unknown.
        (_, Type::Object(object)) => {
            Value::tuple(texts(object.attributes().iter().map(|a| a.name.clone()).collect()))
        }
        (_, other) => return Err(map_required(args, 0, &other)),
    };
    Ok(found.mark(&map.marks()))
}

/// Returns the result type of `values`: a list for a map, a tuple for an object.
fn values_type(args: &CallArgs<'_>) -> Result<Type, Failure> {
    match args.value(0).ty() {
        Type::Map(element) => Ok(Type::List(element)),
        Type::Object(object) => Ok(Type::tuple(object.attributes().iter().map(|a| a.ty.clone()))),
        other => {
            let message = Sentence::trusted(format!(
                "A map or an object is required, not {}.",
                type_in_words(&other)
            ));
            Err(Failure::whole(message))
        }
    }
}

/// Implements `values`: returns the values of a map or object in the order of their keys.
fn values(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let found = match args.value(0).bare() {
        Value::Map(map) => {
            let items = map.entries().iter().map(|(_, value)| value.clone()).collect();
            Value::list(map.element().clone(), items)
        }
        Value::Object(object) => Value::tuple(object.values().to_vec()),
        _ => return values_type(args).map(Value::unknown),
    };
    Ok(found.mark(&args.value(0).marks()))
}

/// Fails if `lookup` has more than three arguments.
fn lookup_count(args: &CallArgs<'_>) -> Result<(), Failure> {
    if args.len() <= 3 {
        return Ok(());
    }
    let given = args.len();
    let message =
        format!("`lookup` takes a map, a key and perhaps a default; {given} arguments are given.");
    Err(Failure::whole(message))
}

/// Returns the result type of `lookup`: that of the map's elements, the attribute or the default.
fn lookup_type(args: &CallArgs<'_>) -> Result<Type, Failure> {
    lookup_count(args)?;
    let default = args.from(2).first();
    match args.value(0).ty() {
        Type::Map(element) => {
            lookup_default(args, &element)?;
            Ok((*element).clone())
        }
        Type::Object(_) if !args.value(1).is_known() => Ok(Type::Dynamic),
        Type::Object(object) => match (object.get(args.text(1)), default) {
            (Some(attribute), _) => Ok(attribute.ty.clone()),
            (None, Some(default)) => Ok(default.ty()),
            (None, None) => Err(no_attribute(args, &object)),
        },
        other => Err(map_required(args, 0, &other)),
    }
}

/// Returns the default of `lookup` converted to the map's element type; `None` without a default. One that does not convert is an
/// error even if it is not needed.
fn lookup_default(args: &CallArgs<'_>, element: &Type) -> Result<Option<Value>, Failure> {
    let Some(default) = args.from(2).first() else { return Ok(None) };
    let converted = convert(default, element);
    converted.map(Some).map_err(|why| Failure::mismatch(2, "default", why))
}

/// Creates the failure of `lookup` for an object without the attribute, if no default is given.
fn no_attribute(args: &CallArgs<'_>, object: &ObjectType) -> Failure {
    let names: Vec<&str> = object.attributes().iter().take(8).map(|a| &*a.name).collect();
    let has = match names.is_empty() {
        true => "it has none".to_owned(),
        false => format!("it has {}", names.join(", ")),
    };
    let key = args.show(1);
    args.fail(0, format!("The object has no attribute {key} ({has}), and there is no default."))
}

/// Implements `lookup`: returns the value at a key of a map or object, or a default.
fn lookup(args: &CallArgs<'_>) -> Result<Value, Failure> {
    lookup_count(args)?;
    let map = args.value(0);
    let marks = map.marks().union(&args.value(1).marks());
    if !map.is_known() || !args.value(1).is_known() {
        return Ok(args.unknown(lookup_type(args)?).mark(&marks));
    }
    let key = args.text(1);
    // In Packer the result is unknown unless the whole map is known.
    let waits = !args.context.semantics.lookup_without_default && !map.is_wholly_known();
    let (found, default) = match map.bare() {
        Value::Map(map) => (map.get(key), lookup_default(args, map.element())?),
        Value::Object(object) => (object.get(key), args.from(2).first().cloned()),
        _ => return Err(map_required(args, 0, &map.ty())),
    };
    if waits {
        return Ok(args.unknown(lookup_type(args)?).mark(&marks));
    }
    if let Some(value) = found.or(default.as_ref()) {
        return Ok(value.mark(&marks));
    }
    if let Type::Object(object) = map.ty() {
        return Err(no_attribute(args, &object));
    }
    let key = args.show(1);
    Err(Failure::whole(Sentence::trusted(format!(
        "The map has no key {key}, and there is no default."
    ))))
}

/// Returns the result type of `merge`: that of all arguments if they agree, else an object type; dynamic if the type or the keys
/// of an argument are unknown. Fails for other than maps and objects.
fn merge_type(args: &CallArgs<'_>) -> Result<Type, Failure> {
    let mut attributes: BTreeMap<Str, Type> = BTreeMap::new();
    let mut open = false;
    let first = args.value(0).ty();
    let mut alike = true;
    for map in args.all() {
        let ty = map.ty();
        alike &= ty == first;
        match (&ty, map.bare()) {
            (Type::Dynamic, _) => return Ok(Type::Dynamic),
            (Type::Map(_) | Type::Object(_), Value::Null(_)) => {}
            (Type::Object(object), _) => {
                attributes
                    .extend(object.attributes().iter().map(|a| (a.name.clone(), a.ty.clone())));
            }
            (Type::Map(element), Value::Map(map)) => {
                let keys = map.entries().iter().map(|(key, _)| key.clone());
                attributes.extend(keys.map(|key| (key, (**element).clone())));
            }
            (Type::Map(_), _) => open = true,
            (other, _) => {
                let ty = type_in_words(other);
                let message = Sentence::trusted(format!(
                    "Every argument must be a map or an object, not {ty}."
                ));
                return Err(Failure::whole(message));
            }
        }
    }
    match args.is_empty() {
        false if alike => Ok(first),
        false if open => Ok(Type::Dynamic),
        _ => Ok(Type::object(attributes)),
    }
}

/// Maximum number of arguments of `merge` that are merged in order; with more, all entries are sorted together.
const FEW_MAPS: usize = 4;

/// The entries of one argument of `merge`, a map or an object, sorted by name.
#[derive(Clone, Copy)]
enum MergeLayer<'v> {
    Map(&'v [(Str, Value)]),
    Object(&'v Object),
}

impl<'v> MergeLayer<'v> {
    /// Returns the entries of a map or object for merging; `None` for other values.
    fn of(value: &'v Value) -> Option<MergeLayer<'v>> {
        match value.bare() {
            Value::Map(map) => Some(MergeLayer::Map(map.entries())),
            Value::Object(object) => Some(MergeLayer::Object(object)),
            _ => None,
        }
    }

    /// Returns the name and the value of the entry at an index; `None` beyond the last.
    #[inline]
    fn entry(self, at: usize) -> Option<(&'v Str, &'v Value)> {
        match self {
            MergeLayer::Map(entries) => entries.get(at).map(|(name, value)| (name, value)),
            MergeLayer::Object(object) => {
                object.names().as_slice().get(at).zip(object.values().get(at))
            }
        }
    }

    /// Returns the number of entries of this argument of `merge`.
    fn len(self) -> usize {
        match self {
            MergeLayer::Map(entries) => entries.len(),
            MergeLayer::Object(object) => object.len(),
        }
    }
}

/// Merges a few sorted arguments: returns all names in order, and for each the value in the last argument that has it.
fn merge_sorted(layers: &[MergeLayer<'_>]) -> (Vec<Str>, Vec<Value>) {
    let most = layers.iter().map(|layer| layer.len()).sum();
    let (mut names, mut values) = (Vec::with_capacity(most), Vec::with_capacity(most));
    let mut places = [0; FEW_MAPS];
    loop {
        let mut least: Option<(&Str, &Value)> = None;
        for (layer, at) in layers.iter().zip(&places) {
            if let Some(entry) = layer.entry(*at)
                && least.is_none_or(|(name, _)| entry.0 <= name)
            {
                least = Some(entry);
            }
        }
        let Some((name, value)) = least else { return (names, values) };
        for (layer, at) in layers.iter().zip(&mut places) {
            *at += usize::from(layer.entry(*at).is_some_and(|(own, _)| own == name));
        }
        names.push(name.clone());
        values.push(value.clone());
    }
}

/// Returns the result of `merge` for few unmarked arguments with an object among them; `None` if the slower code of [`merge`] for
/// any arguments must handle them.
fn merge_few(args: &CallArgs<'_>) -> Option<Value> {
    let values = args.all();
    let mut layers = [MergeLayer::Map(&[]); FEW_MAPS];
    let layers = layers.get_mut(..values.len())?;
    let mut objects = 0;
    for (layer, value) in layers.iter_mut().zip(values) {
        *layer = MergeLayer::of(value).filter(|_| !value.has_marks())?;
        objects += usize::from(matches!(layer, MergeLayer::Object(_)));
    }
    // The result of maps only may be a map, so the general code handles them.
    if objects == 0 || args.check_elements(layers.iter().map(|layer| layer.len()).sum()).is_err() {
        return None;
    }
    let (names, values) = merge_sorted(layers);
    Some(Value::Object(Object::sorted(names, values).into()))
}

/// Implements `merge`: returns all entries of several maps and objects, of which the last with an equal key wins.
fn merge(args: &CallArgs<'_>) -> Result<Value, Failure> {
    if let Some(merged) = merge_few(args) {
        return Ok(merged);
    }
    let mut entries: Vec<(Str, Value)> = Vec::new();
    let mut marks = Marks::NONE;
    let mut element: Option<Type> = None;
    let mut all_maps = true;
    let mut open = false;
    for map in args.all() {
        // After an untyped null, the reference programs ignore the types of further arguments.
        if let Value::Object(_) = map.bare() {
            // An object is not a map; its full type, which is expensive, is not needed.
            all_maps &= open;
        } else if !open {
            match map.ty() {
                Type::Map(of) => {
                    all_maps &= element.as_ref().is_none_or(|element| *element == *of);
                    element.get_or_insert_with(|| (*of).clone());
                }
                Type::Object(_) => all_maps = false,
                Type::Dynamic => open = true,
                _ => merge_type(args).map(drop)?,
            }
        }
        match map.bare() {
            Value::Map(map) => entries.extend(map.entries().iter().cloned()),
            Value::Object(object) => {
                entries.extend(object.iter().map(|(name, value)| (name.clone(), value.clone())));
            }
            Value::Null(_) | Value::Unknown(_) => continue,
            // The elements of a set of strings are their own keys.
            Value::Set(set) if open && set.element() == &Type::String => {
                let texts = set.items().iter().filter_map(|item| match item.bare() {
                    Value::String(text) => Some((text.clone(), item.clone())),
                    _ => None,
                });
                entries.extend(texts);
            }
            _ if open && items(map).is_some_and(<[Value]>::is_empty) => {}
            other => {
                let ty = type_in_words(&other.ty());
                let message = Sentence::trusted(format!(
                    "Every argument must be a map or an object, not {ty}."
                ));
                return Err(Failure::whole(message));
            }
        }
        marks = marks.union(&map.marks());
    }
    args.check_elements(entries.len())?;
    let merged = match element {
        Some(element) if all_maps && !open => Value::map(element, entries),
        _ => Value::object(entries),
    };
    Ok(merged.marked(&marks))
}

/// Implements `transpose`: returns a map of lists of strings with keys and strings exchanged.
fn transpose(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let lists = Type::list(Type::String);
    if !args.value(0).is_wholly_known() {
        return Ok(args.unknown(Type::map(lists)));
    }
    let Value::Map(map) = args.value(0).bare() else {
        return Ok(args.unknown(Type::map(lists)));
    };
    let mut turned: BTreeMap<&Str, Vec<Value>> = BTreeMap::new();
    for (key, list) in map.entries() {
        let Some(texts) = items(list) else {
            return Err(args.fail(0, format!("The list of \"{key}\" is null; give a list.")));
        };
        for text in texts {
            let Value::String(text) = text.bare() else {
                return Err(
                    args.fail(0, format!("The list of \"{key}\" contains null; give strings."))
                );
            };
            // The keys are visited in order, so each list is sorted.
            turned.entry(text).or_default().push(Value::String(key.clone()));
        }
    }
    let entries =
        turned.into_iter().map(|(text, keys)| (text.clone(), Value::list(Type::String, keys)));
    Ok(Value::map(lists, entries))
}

/// Returns the result type of `zipmap`: a map, or an object for values in a tuple.
fn zipmap_type(args: &CallArgs<'_>) -> Result<Type, Failure> {
    match args.value(1).ty() {
        Type::List(element) => Ok(Type::Map(element)),
        Type::Tuple(_) if !args.value(0).is_wholly_known() => Ok(Type::Dynamic),
        Type::Tuple(tuple) => {
            let keys = zipmap_keys(args, tuple.elements().len())?;
            Ok(Type::object(keys.0.into_iter().zip(tuple.elements().iter().cloned())))
        }
        other => {
            let ty = type_in_words(&other);
            Err(Failure::whole(Sentence::trusted(format!(
                "The values must be a list or a tuple, not {ty}."
            ))))
        }
    }
}

/// Returns the keys of `zipmap` and the union of their marks; fails unless there are `count` keys, the number of values.
fn zipmap_keys(args: &CallArgs<'_>, count: usize) -> Result<(Vec<Str>, Marks), Failure> {
    let keys = args.items(0);
    if keys.len() != count {
        let message = format!(
            "There must be as many values as keys, but there are {} and {}.",
            plural(keys.len(), "key"),
            plural(count, "value")
        );
        return Err(Failure::whole(message));
    }
    let mut marks = Marks::NONE;
    let mut names = Vec::with_capacity(count);
    for (at, key) in keys.iter().enumerate() {
        let Value::String(name) = key.bare() else {
            return Err(Failure::whole(format!("Key {at} is null; every key must be a string.")));
        };
        marks = marks.union(&key.marks());
        names.push(name.clone());
    }
    Ok((names, marks))
}

/// Implements `zipmap`: returns a map or object from a list of keys and one of values.
fn zipmap(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let (keys, values) = (args.value(0), args.value(1));
    let marks = keys.marks().union(&values.marks());
    if !keys.is_wholly_known() || items(values).is_none() {
        return Ok(args.unknown(zipmap_type(args)?).mark(&marks));
    }
    if matches!(values.bare(), Value::Set(_)) {
        zipmap_type(args)?;
    }
    let values = args.items(1);
    let (names, key_marks) = zipmap_keys(args, values.len())?;
    let entries = names.into_iter().zip(values.iter().cloned());
    let zipped = match args.value(1).bare() {
        Value::List(list) => Value::map(list.element().clone(), entries),
        _ => Value::object(entries),
    };
    Ok(zipped.mark(&marks.union(&key_marks)))
}
