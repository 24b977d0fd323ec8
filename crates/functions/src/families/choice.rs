//! Functions that pick, count or test elements. Some of them stop at the first unknown element, others continue; the difference
//! is that of the reference programs.

use groma_runtime::Availability;
use groma_runtime::Semantics;
use groma_value::sentence::{plural, type_in_words};
use groma_value::{
    Number, NumberBound, Refinement, Sentence, Type, Value, convert, grapheme, ops, unify,
};

use crate::call::argument::items;
use crate::families::equality::{NumberSameness, ValueIndex};
use crate::families::open;
use crate::{CallArgs, Failure};
use crate::{
    CallCost, Function, FunctionBody, ParameterRow, ResultFlow, ResultPromise, ReturnType, RowType,
};

/// The row of the parameter `list`, which accepts any type.
const LIST: ParameterRow = ParameterRow::new("list", RowType::Any);
/// The row of the parameter `list`, a list of bools.
const BOOLS: ParameterRow = ParameterRow::new("list", RowType::List(&RowType::Bool));
/// The row type of lists with elements of any type.
const LISTS: RowType = RowType::List(&RowType::Any);
/// The result type of functions that return a bool.
const BOOL: ReturnType = ReturnType::Shape(RowType::Bool);
/// The result type of functions that return a number.
const NUMBER: ReturnType = ReturnType::Shape(RowType::Number);

/// The rows of the functions that select, count or test elements, such as `one`, sorted by name.
pub(crate) const FUNCTIONS: &[Function] = &[
    Function {
        name: "alltrue",
        params: &[BOOLS],
        returns: BOOL,
        cost: CallCost::Input,
        doc: "Returns whether every element is true; a null counts as false. True of no elements.",
        body: FunctionBody::Plain(alltrue),
        ..Function::ROW
    },
    Function {
        name: "anytrue",
        params: &[BOOLS],
        returns: BOOL,
        cost: CallCost::Input,
        doc: "Returns whether any element is true. False of no elements.",
        body: FunctionBody::Plain(anytrue),
        ..Function::ROW
    },
    Function {
        name: "coalesce",
        flow: ResultFlow::FirstNonEmpty,
        rest: Some(ParameterRow::new("values", RowType::Any).nullable().lazy().dynamic()),
        promise: ResultPromise::NOT_NULL_BUT_IN_PACKER,
        cost: CallCost::Elements,
        doc: "Returns the first value that is neither null nor an empty text, in the common type of all.",
        body: FunctionBody::Plain(coalesce),
        ..Function::ROW
    },
    Function {
        name: "coalescelist",
        flow: ResultFlow::FirstNonEmpty,
        rest: Some(ParameterRow::new("lists", RowType::Any).nullable().lazy().dynamic()),
        cost: CallCost::Elements,
        doc: "Returns the first list or tuple that has elements.",
        body: FunctionBody::Plain(coalescelist),
        ..Function::ROW
    },
    Function {
        name: "contains",
        params: &[
            LIST,
            ParameterRow::new("value", RowType::Any).nullable_in(Semantics::NULL_IN_CONTAINS),
        ],
        returns: BOOL,
        cost: CallCost::Input,
        doc: "Returns whether the list, set or tuple has an element that equals the value.",
        body: FunctionBody::Plain(contains),
        ..Function::ROW
    },
    Function {
        name: "element",
        flow: ResultFlow::Element,
        params: &[LIST.marked(), ParameterRow::new("index", RowType::Number)],
        returns: ReturnType::By(element_type),
        promise: ResultPromise::Nothing,
        cost: CallCost::Constant,
        doc: "Returns the element at the index, which starts over at the end of the list.",
        body: FunctionBody::Plain(element),
        open: Some(open::single),
        ..Function::ROW
    },
    Function {
        name: "index",
        params: &[LIST, ParameterRow::new("value", RowType::Any)],
        returns: NUMBER,
        cost: CallCost::Input,
        doc: "Returns the index of the first element that equals the value.",
        body: FunctionBody::Plain(index),
        ..Function::ROW
    },
    Function {
        name: "length",
        params: &[ParameterRow::new("value", RowType::Any).lazy().dynamic().marked()],
        returns: NUMBER,
        cost: CallCost::Constant,
        doc: "Returns how many elements, attributes or characters there are.",
        body: FunctionBody::Plain(length),
        ..Function::ROW
    },
    Function {
        name: "matchkeys",
        params: &[
            ParameterRow::new("values", LISTS).dynamic(),
            ParameterRow::new("keys", LISTS).dynamic(),
            ParameterRow::new("searchset", LISTS).dynamic(),
        ],
        returns: ReturnType::By(|args| matchkeys_common(args).map(|_| args.value(0).ty())),
        dialects: Availability::NOT_PACKER,
        doc: "Returns the values whose keys, at the same positions, are in the search set.",
        body: FunctionBody::Plain(matchkeys),
        ..Function::ROW
    },
    Function {
        name: "one",
        flow: ResultFlow::OnlyElement,
        params: &[LIST],
        returns: ReturnType::By(one_type),
        promise: ResultPromise::Nothing,
        dialects: Availability::NOT_PACKER,
        cost: CallCost::Constant,
        doc: "Returns the only element, or null if there is none.",
        body: FunctionBody::Plain(one),
        open: Some(open::single),
        ..Function::ROW
    },
];

/// Implements `alltrue`: returns true if every element of a list is true.
fn alltrue(args: &CallArgs<'_>) -> Result<Value, Failure> {
    for item in args.items(0) {
        match item.bare() {
            Value::Unknown(_) => return Ok(args.unknown(Type::Bool)),
            Value::Bool(true) => {}
            _ => return Ok(Value::FALSE),
        }
    }
    Ok(Value::TRUE)
}

/// Implements `anytrue`: returns true if any element of a list is true.
fn anytrue(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let items = args.items(0);
    if items.iter().any(|item| matches!(item.bare(), Value::Bool(true))) {
        return Ok(Value::TRUE);
    }
    Ok(if items.iter().all(Value::is_known) { Value::FALSE } else { args.unknown(Type::Bool) })
}

/// Implements `coalesce`: returns the first argument that is neither null nor an empty string.
fn coalesce(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let types: Vec<Type> = args.all().iter().map(Value::ty).collect();
    let Some(common) = unify(&types.iter().collect::<Vec<_>>()) else {
        let message = match types.is_empty() {
            true => "Give at least one value.".to_owned(),
            false => format!(
                "The values have no common type to choose from: {}.",
                types.iter().map(type_in_words).collect::<Vec<_>>().join(", ")
            ),
        };
        return Err(Failure::whole(message));
    };
    // A value that does not convert to the common type is skipped like a null, or an error, by edition.
    let strict = args.context.semantics.coalesce_refuses_misfits;
    let mut passed = None;
    for (index, value) in args.all().iter().enumerate() {
        if value.is_null() {
            continue;
        }
        match convert(value, &common) {
            Ok(value) if !value.is_known() => return Ok(args.unknown(common)),
            Ok(Value::String(text)) if text.is_empty() => {}
            Ok(value) => return Ok(value),
            Err(why) => {
                passed.get_or_insert(Failure::mismatch(index, "values", why));
                if strict {
                    break;
                }
            }
        }
    }
    if let Some(failure) = passed {
        return Err(failure);
    }
    Err(Failure::whole("Every value is null or an empty string; give one that is neither."))
}

/// Implements `coalescelist`: returns the first list or tuple that has elements.
fn coalescelist(args: &CallArgs<'_>) -> Result<Value, Failure> {
    if args.is_empty() {
        return Err(Failure::whole("Give at least one list."));
    }
    let known = args.all().iter().take_while(|list| list.is_known());
    for list in known {
        let typed_null = |ty: &Type| matches!(ty, Type::List(_) | Type::Tuple(_));
        let fits = match list.bare() {
            Value::List(_) | Value::Tuple(_) => true,
            Value::Null(ty) => typed_null(ty),
            _ => false,
        };
        if !fits {
            let ty = list.ty();
            let message = Sentence::trusted(format!(
                "Every argument must be a list or a tuple, not {}.",
                type_in_words(&ty)
            ));
            return Err(Failure::whole(message));
        }
    }
    for list in args.all() {
        match items(list) {
            Some([]) => {}
            Some(_) => return Ok(list.clone()),
            None if list.is_null() => {}
            None => return Ok(args.unknown(coalescelist_type(args))),
        }
    }
    Err(Failure::whole("Every list is null or has no elements; give one that has some."))
}

/// Returns the common type of the arguments; dynamic if they differ in type or one is unknown.
fn coalescelist_type(args: &CallArgs<'_>) -> Type {
    let first = args.value(0).ty();
    let alike = args.all().iter().all(|list| list.is_known() && list.ty() == first);
    if alike { first } else { Type::Dynamic }
}

/// Implements `contains`: returns true if a collection has an element equal to a value.
fn contains(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let Some(items) = items(args.value(0)) else {
        let ty = type_in_words(&args.value(0).ty());
        return Err(Failure::whole(Sentence::trusted(format!(
            "A list, set or tuple is required, not {ty}."
        ))));
    };
    let mut perhaps = false;
    for item in items {
        match equal(args, args.value(1), item) {
            Some(true) => return Ok(Value::TRUE),
            Some(false) => {}
            None => perhaps = true,
        }
    }
    Ok(if perhaps { args.unknown(Type::Bool) } else { Value::FALSE })
}

/// Returns true if two values are equal by the edition's `==`; `None` if that depends on unknowns.
fn equal(args: &CallArgs<'_>, left: &Value, right: &Value) -> Option<bool> {
    if args.context.semantics.numbers_equal_by_text
        && let (Some(left), Some(right)) = (left.bare().as_number(), right.bare().as_number())
    {
        return Some(left.equals_as_text(&right));
    }
    match ops::equal(left, right).bare() {
        Value::Bool(equal) => Some(*equal),
        _ => None,
    }
}

/// Returns the position in a list of `length` elements that the second argument denotes, wrapped around the end; fails if it is
/// not whole or the list is empty.
fn wrapped(args: &CallArgs<'_>, length: usize) -> Result<usize, Failure> {
    let Some(index) = args.number(1).to_exact_i64() else {
        let message =
            Sentence::trusted(format!("The index must be a whole number, not {}.", args.show(1)));
        return Err(Failure::whole(message));
    };
    let length = i64::try_from(length).unwrap_or(i64::MAX);
    if length == 0 {
        return Err(Failure::whole("The list is empty, so it has no element to return."));
    }
    Ok(usize::try_from(index.rem_euclid(length)).unwrap_or(0))
}

/// Returns the result type of `element`: the type of the element at the index; dynamic for a tuple with an unknown index. Fails
/// for other than lists and tuples, and for a negative index where the edition refuses one.
fn element_type(args: &CallArgs<'_>) -> Result<Type, Failure> {
    let known_index = args.value(1).is_known();
    if known_index && args.number(1).is_negative() && !counts_from_end(args)? {
        let message = format!(
            "{} does not count from the end of {}: the index must not be negative.",
            args.context.semantics.edition(),
            type_in_words(&args.value(0).ty())
        );
        return Err(Failure::whole(message));
    }
    match args.value(0).ty() {
        Type::List(element) => Ok((*element).clone()),
        Type::Tuple(_) if !known_index => Ok(Type::Dynamic),
        Type::Tuple(tuple) => {
            let at = wrapped(args, tuple.elements().len())?;
            Ok(tuple.elements().get(at).cloned().unwrap_or(Type::Dynamic))
        }
        other => {
            let ty = type_in_words(&other);
            Err(Failure::whole(Sentence::trusted(format!(
                "A list or tuple is required, not {ty}."
            ))))
        }
    }
}

/// Returns true if `element` accepts its negative index, counted from the end, for this type of list in the edition.
fn counts_from_end(args: &CallArgs<'_>) -> Result<bool, Failure> {
    let semantics = &args.context.semantics;
    semantics.note(match args.value(0).ty() {
        Type::Tuple(_) => Semantics::NEGATIVE_ELEMENT,
        _ => Semantics::NEGATIVE_ELEMENT_OF_LIST,
    });
    match args.value(0).ty() {
        // An edition that counts from the end only in lists accepts for tuples negative multiples of the length.
        Type::Tuple(tuple) if !semantics.negative_element => {
            Ok(semantics.negative_element_of_list && wrapped(args, tuple.elements().len())? == 0)
        }
        Type::Tuple(_) => Ok(true),
        _ => Ok(semantics.negative_element_of_list),
    }
}

/// Implements `element`: returns the element at an index that wraps around the end of the list.
fn element(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let list = args.value(0);
    if !matches!(list.bare(), Value::List(_) | Value::Tuple(_)) || args.number(1).is_negative() {
        element_type(args)?;
    }
    let items = args.items(0);
    let at = wrapped(args, items.len())?;
    Ok(items.get(at).cloned().unwrap_or(Value::NULL).mark(&list.marks()))
}

/// Implements `index`: returns the index of the first element equal to a value.
fn index(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let list = args.value(0);
    if !matches!(list.bare(), Value::List(_) | Value::Tuple(_)) {
        let ty = type_in_words(&list.ty());
        return Err(Failure::whole(Sentence::trusted(format!(
            "A list or tuple is required, not {ty}."
        ))));
    }
    for (at, item) in args.items(0).iter().enumerate() {
        match equal(args, item, args.value(1)) {
            Some(true) => return Ok(Number::from_usize(at).into()),
            Some(false) => {}
            None => return Ok(args.unknown(Type::Number)),
        }
    }
    let message = match args.items(0).is_empty() {
        true => "The list is empty, so it does not have the value.".into(),
        false => Sentence::trusted(format!("No element equals {}.", args.show(1))),
    };
    Err(Failure::whole(message))
}

/// Implements `length`: returns the number of elements, attributes or grapheme clusters.
fn length(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let value = args.value(0);
    let marks = value.marks();
    let count = |count: usize| Ok(Value::from(Number::from_usize(count)).mark(&marks));
    match value.bare() {
        Value::Tuple(tuple) => return count(tuple.items().len()),
        Value::Object(object) => return count(object.len()),
        Value::String(text) => {
            args.charge_steps(text.len() / 64)?;
            return count(grapheme::count(text, args.context.semantics.unicode));
        }
        _ => {}
    }
    match (value.bare(), value.ty()) {
        (_, Type::Tuple(tuple)) => count(tuple.elements().len()),
        (_, Type::Object(object)) => count(object.attributes().len()),
        (Value::Unknown(unknown), Type::String) => {
            let low = grapheme::count(&unknown.refinement.prefix, args.context.semantics.unicode);
            let number = Number::from_usize(low);
            let low = Some(NumberBound { number, inclusive: true });
            let refinement = Refinement { not_null: true, low, ..Refinement::default() };
            Ok(args.refined(Type::Number, refinement).mark(&marks))
        }
        (Value::Unknown(_), Type::Dynamic) => Ok(args.unknown(Type::Number).mark(&marks)),
        (bare, Type::List(_) | Type::Set(_) | Type::Map(_)) => {
            let length = ops::length(bare).map_err(|why| Failure::whole(why.message))?;
            Ok(length.mark(&marks))
        }
        (_, other) => {
            let ty = type_in_words(&other);
            let message = Sentence::trusted(format!(
                "A string, a collection, a tuple or an object is required, not {ty}."
            ));
            Err(Failure::whole(message))
        }
    }
}

/// Returns the common type of the keys and the search set of `matchkeys`, its second and third argument.
fn matchkeys_common(args: &CallArgs<'_>) -> Result<Type, Failure> {
    let (keys, search) = (args.value(1).ty(), args.value(2).ty());
    unify(&[&keys, &search]).ok_or_else(|| {
        let (keys, search) = (type_in_words(&keys), type_in_words(&search));
        Failure::whole(Sentence::trusted(format!(
            "The keys and the search set cannot be compared: {keys}, {search}."
        )))
    })
}

/// Implements `matchkeys`: returns the values whose keys, at the same positions, are in a search set.
fn matchkeys(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let common = matchkeys_common(args)?;
    let values = args.items(0);
    if values.len() != args.items(1).len() {
        let message = format!(
            "There must be as many keys as values, but there are {} and {}.",
            plural(values.len(), "value"),
            plural(args.items(1).len(), "key")
        );
        return Err(Failure::whole(message));
    }
    let element = match args.value(0).bare() {
        Value::List(list) => list.element().clone(),
        _ => Type::Dynamic,
    };
    let as_common = |index: usize| {
        convert(args.value(index), &common)
            .map_err(|why| Failure::mismatch(index, args.param_name(index), why))
    };
    let (keys, search) = (as_common(1)?, as_common(2)?);
    let (keys, search) = (items(&keys).unwrap_or(&[]), items(&search).unwrap_or(&[]));
    if search.is_empty() {
        return Ok(Value::list(element, Vec::new()));
    }
    if !args.value(0).is_wholly_known() || !args.value(1).is_wholly_known() {
        return Ok(args.unknown(args.value(0).ty()));
    }
    let mut wanted = ValueIndex::new(NumberSameness::Equal);
    let mut waiting: Vec<(usize, &Value)> = Vec::new();
    for (at, item) in search.iter().enumerate() {
        match item.is_wholly_known() {
            true => drop(wanted.insert(at, item)),
            false => waiting.push((at, item)),
        }
    }
    let mut matched = Vec::new();
    for (key, value) in keys.iter().zip(values) {
        let found = wanted.find(key);
        let before = |at: usize| found.is_none_or(|found| at < found);
        // If a comparison before a match is undecided, the reference programs return an empty list.
        let mut undecided = waiting.iter().take_while(|(at, _)| before(*at));
        if undecided.any(|(_, item)| equal(args, key, item).is_none()) {
            return Ok(Value::list(element, Vec::new()));
        }
        if found.is_some() {
            matched.push(value.clone());
        }
    }
    Ok(Value::list(element, matched))
}

/// Returns the result type of `one`: that of the collection's elements.
fn one_type(args: &CallArgs<'_>) -> Result<Type, Failure> {
    match args.value(0).ty() {
        Type::List(element) | Type::Set(element) => Ok((*element).clone()),
        Type::Tuple(tuple) => match tuple.elements() {
            [] => Ok(Type::Dynamic),
            [only] => Ok(only.clone()),
            more => Err(too_many(args, more.len())),
        },
        other => {
            let message = Sentence::trusted(format!(
                "A list, set or tuple is required, not {}.",
                type_in_words(&other)
            ));
            Err(args.fail(0, message))
        }
    }
}

/// Creates the failure of the function `one` for a collection with more than one element; `count` is their number.
fn too_many(args: &CallArgs<'_>, count: usize) -> Failure {
    args.fail(0, format!("There must be at most one element, but there are {count}."))
}

/// Implements `one`: returns the only element of a collection, or null if it is empty.
fn one(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let uncertain = matches!(args.value(0).bare(), Value::Set(set) if set.items().len() > 1)
        && !args.value(0).is_wholly_known();
    match items(args.value(0)) {
        _ if uncertain => Ok(args.unknown(one_type(args)?)),
        Some([]) => Ok(Value::null(one_type(args)?)),
        Some([only]) => Ok(only.clone()),
        Some(more) => Err(too_many(args, more.len())),
        None => one_type(args).map(Value::null),
    }
}
