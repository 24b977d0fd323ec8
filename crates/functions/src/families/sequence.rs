//! Functions from sequences to sequences: those that cut, reverse, join and filter lists. Most keep a tuple a tuple, with the
//! type of each position; those that require a list convert it first.

use groma_runtime::OVERHEAD;
use groma_value::sentence::{plural, type_in_words};
use groma_value::{Length, Marks, Number, Refinement, Sentence, Type, Value, unify};

use crate::call::argument::items;
use crate::call::charge::ELEMENT;
use crate::families::equality::{NumberSameness, ValueIndex};
use crate::{CallArgs, Failure};
use crate::{CallCost, Function, FunctionBody, ParameterRow, ResultFlow, ReturnType, RowType};

/// The row of the parameter `list`, which accepts any type.
const ANY: ParameterRow = ParameterRow::new("list", RowType::Any);
/// The row type of a list with elements of any type.
const ANY_LIST: RowType = RowType::List(&RowType::Any);
/// The row of the parameter `list`, a list of strings.
const TEXTS: ParameterRow = ParameterRow::new("list", RowType::List(&RowType::String));

/// The rows of the functions that return lists, such as `concat`, sorted by name.
pub(crate) const FUNCTIONS: &[Function] = &[
    Function {
        name: "chunklist",
        flow: ResultFlow::Elements,
        params: &[
            ParameterRow::new("list", ANY_LIST).dynamic().marked(),
            ParameterRow::new("size", RowType::Number).marked(),
        ],
        returns: ReturnType::By(|args| Ok(Type::list(args.value(0).ty()))),
        cost: CallCost::Elements,
        doc: "Returns the list cut into lists of so many elements; the last may be shorter.",
        body: FunctionBody::Plain(chunklist),
        ..Function::ROW
    },
    Function {
        name: "compact",
        flow: ResultFlow::Elements,
        params: &[TEXTS],
        returns: ReturnType::Shape(RowType::List(&RowType::String)),
        cost: CallCost::Elements,
        doc: "Returns the list without nulls and empty texts.",
        body: FunctionBody::Plain(compact),
        ..Function::ROW
    },
    Function {
        name: "concat",
        flow: ResultFlow::Concatenated,
        rest: Some(ParameterRow::new("lists", RowType::Any).marked()),
        returns: ReturnType::By(|args| Ok(concat_type(args)?.unwrap_or(Type::Dynamic))),
        cost: CallCost::Elements,
        doc: "Returns the elements of all lists in one: a list if all are lists of one common type, else \
              a tuple.",
        body: FunctionBody::Plain(concat),
        ..Function::ROW
    },
    Function {
        name: "distinct",
        flow: ResultFlow::Elements,
        params: &[ParameterRow::new("list", ANY_LIST).dynamic()],
        returns: ReturnType::By(|args| Ok(args.value(0).ty())),
        doc: "Returns the list with only the first of equal elements.",
        body: FunctionBody::Plain(distinct),
        ..Function::ROW
    },
    Function {
        name: "flatten",
        flow: ResultFlow::Elements,
        params: &[ANY.marked()],
        returns: ReturnType::Shape(RowType::Any),
        cost: CallCost::Elements,
        settles: |types| flat_element(types.first()?).map(Type::list),
        doc: "Returns a tuple of all elements, where lists, sets and tuples inside give their elements.",
        body: FunctionBody::Plain(flatten),
        ..Function::ROW
    },
    Function {
        name: "range",
        rest: Some(ParameterRow::new("numbers", RowType::Number)),
        returns: ReturnType::Shape(RowType::List(&RowType::Number)),
        doc: "Returns the numbers from a start (0 unless given) up to, not including, an end, by a step.",
        body: FunctionBody::Plain(range),
        ..Function::ROW
    },
    Function {
        name: "reverse",
        flow: ResultFlow::Reversed,
        params: &[ANY.marked()],
        returns: ReturnType::By(reverse_type),
        cost: CallCost::Elements,
        doc: "Returns the elements in the opposite order.",
        body: FunctionBody::Plain(reverse),
        ..Function::ROW
    },
    Function {
        name: "slice",
        flow: ResultFlow::Sliced,
        params: &[
            ANY.marked(),
            ParameterRow::new("start_index", RowType::Number),
            ParameterRow::new("end_index", RowType::Number),
        ],
        returns: ReturnType::By(slice_type),
        cost: CallCost::Constant,
        doc: "Returns the elements from the start index up to, not including, the end index.",
        body: FunctionBody::Plain(slice),
        ..Function::ROW
    },
    Function {
        name: "sort",
        flow: ResultFlow::Elements,
        params: &[TEXTS.lazy()],
        returns: ReturnType::Shape(RowType::List(&RowType::String)),
        cost: CallCost::Elements,
        doc: "Returns the texts in the order of their bytes.",
        body: FunctionBody::Plain(sort),
        ..Function::ROW
    },
];

/// Returns the element type of the list that is the argument at `index`; dynamic for other values.
fn list_type(args: &CallArgs<'_>, index: usize) -> Type {
    match args.value(index).bare() {
        Value::List(list) => list.element().clone(),
        _ => Type::Dynamic,
    }
}

/// Implements `chunklist`: returns a list cut into lists of a given length.
fn chunklist(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let marks = args.value(0).marks().union(&args.value(1).marks());
    let size = args.number(1).to_exact_i64().and_then(|size| usize::try_from(size).ok());
    let Some(size) = size else {
        let shown = args.show(1);
        let message = Sentence::trusted(format!(
            "The size must be a whole number that is not negative, not {shown}."
        ));
        return Err(Failure::whole(message));
    };
    let element = list_type(args, 0);
    let items = args.items(0);
    let chunks: Vec<Value> = if items.is_empty() {
        Vec::new()
    } else if size == 0 {
        vec![args.value(0).bare().clone()]
    } else {
        let chunks = items.len().div_ceil(size);
        args.charge_bytes(chunks.saturating_mul(ELEMENT + OVERHEAD as usize))?;
        items.chunks(size).map(|chunk| Value::list(element.clone(), chunk.to_vec())).collect()
    };
    Ok(Value::list(Type::list(element), chunks).mark(&marks))
}

/// Implements `compact`: returns a list of strings without nulls and empty strings.
fn compact(args: &CallArgs<'_>) -> Result<Value, Failure> {
    if !args.value(0).is_wholly_known() {
        return Ok(args.unknown(Type::list(Type::String)));
    }
    let filled = |item: &&Value| matches!(item.bare(), Value::String(text) if !text.is_empty());
    Ok(Value::list(Type::String, args.items(0).iter().filter(filled).cloned().collect()))
}

/// Returns the result type of `concat`; `None` if it depends on the unknown length of a list.
fn concat_type(args: &CallArgs<'_>) -> Result<Option<Type>, Failure> {
    if args.is_empty() {
        return Err(Failure::whole("Give at least one list to concatenate."));
    }
    let types: Vec<Type> = args.all().iter().map(Value::ty).collect();
    if types.iter().all(|ty| matches!(ty, Type::List(_))) {
        let common = unify(&types.iter().collect::<Vec<_>>());
        if let Some(common @ Type::List(_)) = common {
            return Ok(Some(common));
        }
    }
    let mut positions = Vec::new();
    for (index, ty) in types.iter().enumerate() {
        match (ty, args.value(index).bare()) {
            (Type::Tuple(tuple), _) => positions.extend(tuple.elements().iter().cloned()),
            (Type::List(_), Value::Unknown(_)) => return Ok(None),
            (Type::List(element), _) => {
                let count = args.items(index).len();
                positions.extend(std::iter::repeat_n((**element).clone(), count));
            }
            (other, _) => {
                let message = Sentence::trusted(format!(
                    "A list or tuple is required, not {}.",
                    type_in_words(other)
                ));
                return Err(args.fail(index, message));
            }
        }
    }
    Ok(Some(Type::tuple(positions)))
}

/// Implements `concat`: returns the elements of all lists in one list or tuple.
fn concat(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let marks = args.all().iter().fold(Marks::NONE, |all, list| all.union(&list.marks()));
    let total = (0..args.len()).map(|index| args.items(index).len()).sum();
    args.check_elements(total)?;
    let first = match args.value(0).bare() {
        Value::List(_) => args.value(0).ty(),
        _ => Type::Dynamic,
    };
    let ty = match &first {
        // All lists have the type of the first, so no type is computed.
        Type::List(element) if args.all().iter().all(|list| list.ty() == first) => {
            let all = (0..args.len()).flat_map(|index| args.items(index).iter().cloned()).collect();
            return Ok(Value::list((**element).clone(), all).mark(&marks));
        }
        _ if args.all().iter().all(|list| matches!(list.bare(), Value::Tuple(_))) => Type::Dynamic,
        _ => concat_type(args)?.unwrap_or(Type::Dynamic),
    };
    if args.is_empty() {
        concat_type(args)?;
    }
    let mut all = Vec::with_capacity(total);
    if let Type::List(element) = &ty {
        for (index, list) in args.all().iter().enumerate() {
            let list = groma_value::convert(list, &ty)
                .map_err(|why| Failure::mismatch(index, "lists", why))?;
            all.extend(items(&list).unwrap_or(&[]).iter().cloned());
        }
        return Ok(Value::list((**element).clone(), all).mark(&marks));
    }
    for index in 0..args.len() {
        all.extend(args.items(index).iter().cloned());
    }
    Ok(Value::tuple(all).mark(&marks))
}

/// Implements `distinct`: returns a list with only the first of equal elements.
fn distinct(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let list = args.value(0);
    if !list.is_wholly_known() {
        return Ok(args.unknown(list.ty()));
    }
    args.check_weight(list)?;
    let sameness = match args.context.semantics.numbers_equal_by_text {
        true => NumberSameness::EqualByText,
        false => NumberSameness::Equal,
    };
    let items = args.items(0);
    let mut seen = ValueIndex::new(sameness);
    let kept = items.iter().enumerate().filter(|(at, item)| seen.insert(*at, item));
    Ok(Value::list(list_type(args, 0), kept.map(|(_, item)| item.clone()).collect()))
}

/// Returns the type of all elements that a list type has after flattening; `None` if they differ or one is unknown.
fn flat_element(list: &Type) -> Option<Type> {
    let mut found: Option<&Type> = None;
    let mut waiting = vec![list];
    while let Some(ty) = waiting.pop() {
        match ty {
            Type::List(element) | Type::Set(element) => waiting.push(element),
            Type::Tuple(tuple) => waiting.extend(tuple.elements()),
            // The argument itself is not a list.
            ty if std::ptr::eq(ty, list) => return None,
            ty if found.is_none_or(|known| known == ty) => found = Some(ty),
            _ => return None,
        }
    }
    found.filter(|ty| **ty != Type::Dynamic).cloned()
}

/// Implements `flatten`: returns a tuple of all elements of a list, with lists in it replaced by their elements.
fn flatten(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let list = args.value(0);
    if items(list).is_none() {
        // As in the reference programs, the type is checked only if the argument is wholly known.
        if !list.is_wholly_known() {
            return Ok(args.unknown(Type::Dynamic));
        }
        let message = Sentence::trusted(format!(
            "A list, set or tuple is required, not {}.",
            type_in_words(&list.ty())
        ));
        return Err(Failure::whole(message));
    }
    let mut flat = FlatList { items: Vec::new(), marks: Marks::NONE, certain: true };
    flat.add(list, args)?;
    if flat.certain {
        Ok(Value::tuple(flat.items).mark(&flat.marks))
    } else {
        Ok(args.unknown(Type::Dynamic).mark(&flat.marks))
    }
}

/// The result of flattening a list so far: the elements, and the marks of all lists in it.
struct FlatList {
    items: Vec<Value>,
    marks: Marks,
    /// True if no nested list has an unknown number of elements.
    certain: bool,
}

impl FlatList {
    /// Appends the elements of a list, and recursively those of lists in it; the cost is charged to the call `args`.
    fn add(&mut self, list: &Value, args: &CallArgs<'_>) -> Result<(), Failure> {
        self.marks = self.marks.union(&list.marks());
        // A set with an unknown element may have fewer elements than stored.
        let uncertain = matches!(list.bare(), Value::Set(set) if set.items().len() > 1)
            && !list.is_wholly_known();
        if uncertain {
            self.certain = false;
            return Ok(());
        }
        let elements = items(list).unwrap_or(&[]);
        // Inner lists may be shared in memory, so there may be far more elements than allocated.
        args.charge_steps(elements.len() / 16 + 1)?;
        args.charge_bytes(elements.len() * ELEMENT)?;
        args.check_elements(self.items.len())?;
        for item in elements {
            match item.bare() {
                Value::List(_) | Value::Set(_) | Value::Tuple(_) => self.add(item, args)?,
                Value::Unknown(unknown) => match unknown.ty {
                    Type::List(_) | Type::Set(_) | Type::Tuple(_) => {
                        self.certain = false;
                        self.marks = self.marks.union(&item.marks());
                    }
                    Type::Dynamic if unknown.is_object() => self.items.push(item.clone()),
                    Type::Dynamic => self.certain = false,
                    _ => self.items.push(item.clone()),
                },
                _ => self.items.push(item.clone()),
            }
        }
        args.check_elements(self.items.len())
    }
}

/// Implements `range`: returns the numbers from a start up to an end (exclusive) by a step.
fn range(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let given: Vec<Number> = (0..args.len()).map(|index| args.number(index)).collect();
    let zero = Number::from_i64(0);
    let unit = |down: bool| Number::from_i64(if down { -1 } else { 1 });
    let (start, end, step) = match given.as_slice() {
        [end] => (zero.clone(), end.clone(), unit(end.compare(&zero).is_lt())),
        [start, end] => (start.clone(), end.clone(), unit(end.compare(start).is_lt())),
        [start, end, step] => (start.clone(), end.clone(), step.clone()),
        _ => {
            let message = Sentence::trusted(format!(
                "`range` takes an end, or a start and an end, or both and a step; {} are given.",
                plural(args.len(), "argument")
            ));
            return Err(Failure::whole(message));
        }
    };
    let down = step.compare(&zero).is_lt();
    let (wrong_way, relation) = match down {
        true => (end.compare(&start).is_gt(), "below the start when the step is negative"),
        false => (end.compare(&start).is_lt(), "above the start when the step is positive"),
    };
    if wrong_way {
        let message = format!("The end must be {relation}: {} is not.", args.show(1));
        return Err(args.fail(1, message));
    }
    let most = args.context.limits.range;
    let mut numbers = Vec::new();
    let mut next = start;
    while if down { next.compare(&end).is_gt() } else { next.compare(&end).is_lt() } {
        if numbers.len() >= most {
            let message = match step.is_zero() {
                true => "The step must not be 0, or the range never ends.".to_owned(),
                false => format!(
                    "The range has more than {most} numbers; bring start and end closer together \
                     or take a larger step."
                ),
            };
            return Err(Failure::whole(message));
        }
        args.charge_steps(1)?;
        args.charge_bytes(size_of::<Value>())?;
        numbers.push(next.clone().into());
        next = next.add(&step).map_err(|_| {
            Failure::whole("The sum of infinity and negative infinity is not a number.")
        })?;
    }
    Ok(Value::list(Type::Number, numbers))
}

/// Returns the result type of `reverse`: a list, or a tuple with the types in reverse order.
fn reverse_type(args: &CallArgs<'_>) -> Result<Type, Failure> {
    match args.value(0).ty() {
        Type::Tuple(tuple) => Ok(Type::tuple(tuple.elements().iter().rev().cloned())),
        Type::List(element) | Type::Set(element) => Ok(Type::List(element)),
        other => {
            let message = Sentence::trusted(format!(
                "A list, set or tuple is required, not {}.",
                type_in_words(&other)
            ));
            Err(args.fail(0, message))
        }
    }
}

/// Implements `reverse`: returns the elements of a list in reverse order.
fn reverse(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let turned = || args.items(0).iter().rev().cloned().collect();
    let value = match args.value(0).bare() {
        Value::Tuple(_) => Value::tuple(turned()),
        Value::List(list) => Value::list(list.element().clone(), turned()),
        Value::Set(set) => Value::list(set.element().clone(), turned()),
        _ => return reverse_type(args).map(Value::unknown),
    };
    Ok(value.mark(&args.value(0).marks()))
}

/// Returns the start and the end index of `slice`, checked against the length as far as that is known; `None` if one is unknown.
fn slice_bounds(args: &CallArgs<'_>) -> Result<Option<(usize, usize)>, Failure> {
    let list = args.value(0);
    let length = match list.bare() {
        Value::List(_) | Value::Tuple(_) => Some(args.items(0).len()),
        _ => match list.ty() {
            Type::Tuple(tuple) => Some(tuple.elements().len()),
            Type::List(_) => None,
            Type::Set(_) => {
                let message = "A set has no order; convert it to a list with `tolist`.";
                return Err(args.fail(0, message));
            }
            other => {
                let message = Sentence::trusted(format!(
                    "A list or tuple is required, not {}.",
                    type_in_words(&other)
                ));
                return Err(args.fail(0, message));
            }
        },
    };
    let bound = |index: usize| -> Result<Option<usize>, Failure> {
        if !args.value(index).is_known() {
            return Ok(None);
        }
        let (name, shown) = (args.param_name(index), args.show(index));
        let Some(at) = args.number(index).to_exact_i64() else {
            return Err(args.fail(
                index,
                Sentence::trusted(format!("The {name} must be a whole number, not {shown}.")),
            ));
        };
        match (usize::try_from(at), length) {
            (Err(_), _) => Err(args.fail(
                index,
                Sentence::trusted(format!("The {name} must not be negative, it is {shown}.")),
            )),
            (Ok(at), Some(length)) if at > length => {
                let elements = plural(length, "element");
                let message = format!("The {name} is {shown}, but there are only {elements}.");
                Err(args.fail(index, message))
            }
            (Ok(at), _) => Ok(Some(at)),
        }
    };
    match (bound(1)?, bound(2)?) {
        (Some(start), Some(end)) if start > end => {
            let (start, end) = (args.show(1), args.show(2));
            let message = Sentence::trusted(format!(
                "The start_index {start} must not be above the end_index {end}."
            ));
            Err(args.fail(1, message))
        }
        (Some(start), Some(end)) => Ok(Some((start, end))),
        _ => Ok(None),
    }
}

/// Returns the result type of `slice`: that of a list, or a part of a tuple type; dynamic if an index into a tuple is unknown.
fn slice_type(args: &CallArgs<'_>) -> Result<Type, Failure> {
    let bounds = slice_bounds(args)?;
    Ok(match (args.value(0).ty(), bounds) {
        (Type::Tuple(tuple), Some((start, end))) => {
            Type::tuple(tuple.elements()[start..end].iter().cloned())
        }
        (list @ Type::List(_), _) => list,
        _ => Type::Dynamic,
    })
}

/// Implements `slice`: returns the elements of a list from a start index up to an end index (exclusive).
fn slice(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let bounds = slice_bounds(args)?;
    let part = match bounds {
        Some((start, end)) => {
            let part = args.items(0).get(start..end).unwrap_or(&[]);
            args.charge_steps(part.len() / 16)?;
            args.charge_bytes(part.len() * ELEMENT)?;
            part.to_vec()
        }
        None => Vec::new(),
    };
    let value = match args.value(0).bare() {
        Value::List(list) => Value::list(list.element().clone(), part),
        _ => Value::tuple(part),
    };
    Ok(value.mark(&args.value(0).marks()))
}

/// Implements `sort`: returns a list of strings in the order of their bytes.
fn sort(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let list = args.value(0);
    if !list.is_wholly_known() {
        // The order depends on every text, the length does not.
        let length = match list.bare() {
            Value::Unknown(unknown) => unknown.refinement.length,
            _ => Some(Length { low: args.items(0).len(), high: Some(args.items(0).len()) }),
        };
        let refinement = Refinement { not_null: true, length, ..Refinement::default() };
        return Ok(args.refined(Type::list(Type::String), refinement));
    }
    let count = args.items(0).len();
    let comparisons = count.saturating_mul(count.checked_ilog2().unwrap_or(0) as usize);
    args.charge_steps(comparisons / 2)?;
    let mut items = args.items(0).to_vec();
    if let Some(at) = items.iter().position(Value::is_null) {
        return Err(Failure::whole(format!("Element {at} is null; only strings can be sorted.")));
    }
    items.sort_by(|left, right| match (left.bare(), right.bare()) {
        (Value::String(left), Value::String(right)) => left.as_bytes().cmp(right.as_bytes()),
        _ => std::cmp::Ordering::Equal,
    });
    Ok(Value::list(Type::String, items))
}
