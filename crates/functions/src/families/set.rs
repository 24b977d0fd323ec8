//! Functions of sets. The arguments are converted to one element type first, so `2` and `"2"` may become one element. Only a
//! union may contain unknowns: they may turn out equal to anything.

use groma_runtime::Availability;
use groma_runtime::OVERHEAD;
use groma_value::print::type_constraint;
use groma_value::sentence::type_in_words;
use groma_value::{Length, Marks, Refinement, Sentence, Type, Value, convert, unify};

use crate::call::argument::items;
use crate::call::charge::ELEMENT;
use crate::families::equality::{NumberSameness, ValueIndex};
use crate::{CallArgs, Failure};
use crate::{Function, FunctionBody, ParameterRow, ResultFlow, ReturnType, RowType};

/// The row of the parameter `sets`: sets with elements of any type.
const SET: ParameterRow = ParameterRow::new("sets", RowType::Set(&RowType::Any)).dynamic();

/// The rows of the functions of sets, such as `setunion`, sorted by name.
pub(crate) const FUNCTIONS: &[Function] = &[
    Function {
        name: "setintersection",
        flow: ResultFlow::Elements,
        params: &[ParameterRow { name: "first_set", ..SET }],
        rest: Some(ParameterRow { name: "other_sets", ..SET }),
        returns: ReturnType::By(common_type),
        doc: "Returns the elements that are in every set.",
        body: FunctionBody::Plain(setintersection),
        ..Function::ROW
    },
    Function {
        name: "setproduct",
        rest: Some(ParameterRow::new("sets", RowType::Any).lazy().marked()),
        returns: ReturnType::By(product_type),
        doc: "Returns every way of taking one element from each set or list, as tuples.",
        body: FunctionBody::Plain(setproduct),
        ..Function::ROW
    },
    Function {
        name: "setsubtract",
        flow: ResultFlow::Elements,
        params: &[ParameterRow { name: "from", ..SET }, ParameterRow { name: "without", ..SET }],
        returns: ReturnType::By(common_type),
        dialects: Availability::NOT_PACKER,
        doc: "Returns the elements of the first set that are not in the second.",
        body: FunctionBody::Plain(setsubtract),
        ..Function::ROW
    },
    Function {
        name: "setunion",
        flow: ResultFlow::Elements,
        params: &[ParameterRow { name: "first_set", ..SET }],
        rest: Some(ParameterRow { name: "other_sets", ..SET }),
        returns: ReturnType::By(common_type),
        doc: "Returns the elements that are in any of the sets.",
        body: FunctionBody::Plain(setunion),
        ..Function::ROW
    },
];

/// Returns the set type to which all arguments convert; an untyped empty set is ignored.
fn common_type(args: &CallArgs<'_>) -> Result<Type, Failure> {
    let mut elements = Vec::new();
    for set in args.all() {
        let Type::Set(element) = set.ty() else { continue };
        let open = *element == Type::Dynamic && items(set).is_some_and(<[Value]>::is_empty);
        if !open {
            elements.push(element);
        }
    }
    if elements.is_empty() {
        return Ok(Type::set(Type::Dynamic));
    }
    let common = unify(&elements.iter().map(|element| &**element).collect::<Vec<_>>());
    common.map(Type::set).ok_or_else(|| {
        let names: Vec<String> = elements.iter().map(|element| type_in_words(element)).collect();
        let names = names.join(", ");
        Failure::whole(format!("The elements of the sets have no common type: {names}."))
    })
}

/// Returns the common element type of the arguments, and the arguments converted to sets of this type.
fn common_sets(args: &CallArgs<'_>) -> Result<(Type, Vec<Value>), Failure> {
    let common = common_type(args)?;
    let mut sets = Vec::with_capacity(args.len());
    for (index, set) in args.all().iter().enumerate() {
        let name = args.param_name(index);
        let set = convert(set, &common).map_err(|why| Failure::mismatch(index, name, why))?;
        args.check_weight(&set)?;
        sets.push(set);
    }
    let element = common.element().cloned().unwrap_or(Type::Dynamic);
    Ok((element, sets))
}

/// Returns the element type that all these sets have; fails if two sets differ in it, since no set can then contain the elements
/// of both. They may differ after conversion to a common type that is dynamic in parts.
fn shared_element(sets: &[Value]) -> Result<Type, Failure> {
    let mut elements = sets.iter().filter_map(|set| set.ty().element().cloned());
    let Some(first) = elements.next() else { return Ok(Type::Dynamic) };
    match elements.find(|other| *other != first) {
        None => Ok(first),
        Some(other) => {
            let (first, other) = (type_constraint(&first), type_constraint(&other));
            Err(Failure::whole(format!(
                "The elements of the sets have no common type: {first} and {other}, and what is `any` there takes no type \
                 from the other. Convert both to one type."
            )))
        }
    }
}

/// Implements `setunion`: returns the elements that are in any of the sets.
fn setunion(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let (_, sets) = common_sets(args)?;
    let element = shared_element(&sets)?;
    let all = sets.iter().flat_map(|set| items(set).unwrap_or(&[]).iter().cloned()).collect();
    Ok(Value::set(element, all))
}

/// Implements `setintersection`: returns the elements that are in every set.
fn setintersection(args: &CallArgs<'_>) -> Result<Value, Failure> {
    filter_first(args, true)
}

/// Implements `setsubtract`: returns the elements of the first set that are not in the second.
fn setsubtract(args: &CallArgs<'_>) -> Result<Value, Failure> {
    filter_first(args, false)
}

/// Returns the elements of the first set that are in all other sets, or with `present` false, in none of them.
fn filter_first(args: &CallArgs<'_>, present: bool) -> Result<Value, Failure> {
    let (element, sets) = common_sets(args)?;
    // Only the sets before the first one with unknowns must have the same element type.
    let known = sets.iter().position(|set| !set.is_wholly_known());
    let shared = shared_element(&sets[..known.unwrap_or(sets.len())])?;
    if known.is_some() {
        return Ok(args.unknown(Type::set(element)));
    }
    let Some((first, others)) = sets.split_first() else {
        return Ok(Value::set(element, Vec::new()));
    };
    let mut kept: Vec<&Value> = items(first).unwrap_or(&[]).iter().collect();
    for other in others {
        let others = items(other).unwrap_or(&[]);
        let mut index = ValueIndex::new(NumberSameness::Identical);
        for (at, item) in others.iter().enumerate() {
            index.insert(at, item);
        }
        kept.retain(|item| index.find(item).is_some() == present);
    }
    Ok(Value::set(shared, kept.into_iter().cloned().collect()))
}

/// Returns the element types of the tuples in the result of `setproduct`, and true if no argument is a set.
fn product_elements(args: &CallArgs<'_>) -> Result<(Vec<Type>, bool), Failure> {
    if args.len() < 2 {
        return Err(Failure::whole("Give at least two sets or lists."));
    }
    let mut elements = Vec::with_capacity(args.len());
    let mut ordered = true;
    for (index, list) in args.all().iter().enumerate() {
        elements.push(match list.ty() {
            Type::Set(element) => {
                ordered = false;
                (*element).clone()
            }
            Type::List(element) => (*element).clone(),
            Type::Tuple(tuple) if tuple.elements().is_empty() => Type::Dynamic,
            Type::Tuple(tuple) => {
                unify(&tuple.elements().iter().collect::<Vec<_>>()).ok_or_else(|| {
                    args.fail(index, "The elements of this tuple have no common type.")
                })?
            }
            other => {
                let message = Sentence::trusted(format!(
                    "A set or a list is required, not {}.",
                    type_in_words(&other)
                ));
                return Err(args.fail(index, message));
            }
        });
    }
    Ok((elements, ordered))
}

/// Returns the result type of `setproduct`: a set of tuples, or a list if no argument is a set.
fn product_type(args: &CallArgs<'_>) -> Result<Type, Failure> {
    let (elements, ordered) = product_elements(args)?;
    let tuple = Type::tuple(elements);
    Ok(if ordered { Type::list(tuple) } else { Type::set(tuple) })
}

/// Implements `setproduct`: returns all combinations of one element from each set or list, as tuples.
fn setproduct(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let (elements, ordered) = product_elements(args)?;
    let tuple = Type::tuple(elements.iter().cloned());
    let marks = args.all().iter().fold(Marks::NONE, |all, list| all.union(&list.marks()));
    let lengths: Vec<Option<Length>> = args.all().iter().map(length).collect();
    if lengths.iter().any(|length| !length.is_some_and(|length| length.high == Some(length.low)))
        || args.all().iter().any(|list| !list.is_known())
    {
        let ty = if ordered { Type::list(tuple) } else { Type::set(tuple) };
        let refinement = Refinement {
            not_null: true,
            length: product_length(&lengths),
            ..Refinement::default()
        };
        return Ok(args.refined(ty, refinement).mark(&marks));
    }
    let mut columns: Vec<Vec<Value>> = Vec::with_capacity(args.len());
    let mut total = 1usize;
    for (index, element) in elements.iter().enumerate() {
        let column: Result<Vec<Value>, Failure> = args
            .items(index)
            .iter()
            .map(|item| convert(item, element).map_err(|why| Failure::mismatch(index, "sets", why)))
            .collect();
        columns.push(column?);
        total = total.saturating_mul(args.items(index).len());
    }
    let elements_of_all = total.saturating_mul(args.len());
    args.check_elements(elements_of_all)?;
    args.charge_steps(elements_of_all / 4)?;
    args.charge_bytes(elements_of_all * ELEMENT + total * (ELEMENT + OVERHEAD as usize))?;
    let mut rows: Vec<Value> = Vec::with_capacity(total);
    let mut at = vec![0usize; columns.len()];
    while rows.len() < total {
        rows.push(Value::tuple(columns.iter().zip(&at).map(|(c, &i)| c[i].clone()).collect()));
        // The index in the last column changes first.
        for column in (0..columns.len()).rev() {
            at[column] += 1;
            if at[column] < columns[column].len() {
                break;
            }
            at[column] = 0;
        }
    }
    let product = if ordered { Value::list(tuple, rows) } else { Value::set(tuple, rows) };
    Ok(product.mark(&marks))
}

/// Returns the least and the greatest possible length of a list or set; `None` if nothing is certain. A set with an unknown
/// element may have fewer elements than stored.
fn length(list: &Value) -> Option<Length> {
    match list.bare() {
        Value::Set(set) if set.items().len() > 1 && !list.is_wholly_known() => None,
        Value::Unknown(unknown) => match &unknown.ty {
            Type::Tuple(tuple) => {
                let count = tuple.elements().len();
                Some(Length { low: count, high: Some(count) })
            }
            _ => unknown.refinement.length,
        },
        _ => {
            let count = items(list).map_or(0, <[Value]>::len);
            Some(Length { low: count, high: Some(count) })
        }
    }
}

/// Returns the bounds of the length of the unknown result of `setproduct` from those of its arguments, `None` for an argument
/// of uncertain length; `None` if any argument has no upper bound. The lower bound is one even if a list may be empty, as in
/// the reference programs.
fn product_length(lengths: &[Option<Length>]) -> Option<Length> {
    let highs: Option<Vec<usize>> =
        lengths.iter().map(|length| length.and_then(|l| l.high)).collect();
    let high = highs?.into_iter().fold(1usize, usize::saturating_mul);
    Some(Length { low: high.min(1), high: Some(high) })
}
