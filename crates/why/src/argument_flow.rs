//! Argument flow: the arguments of a call from which a part of its result comes, by the `ResultFlow` of the function. Where the
//! flow does not determine them, the result depends on all arguments.

use groma_functions::ResultFlow;
use groma_value::Value;

use crate::path::{WhyStep, part};

/// An argument of a function call on which a part of the result depends, and how.
pub(crate) struct ArgumentFlow {
    /// The index of the argument.
    pub(crate) arg: usize,
    /// The relation of the argument's parts to the part of the result.
    pub(crate) how: FlowKind,
}

/// The relation of an argument to a part of a result: the path in the argument from which the part comes, or that the argument
/// only decides which value results.
pub(crate) enum FlowKind {
    /// The same path in the argument.
    Same,
    /// The same path with its first step replaced by this one.
    Instead(WhyStep),
    /// The same path below this step.
    Below(WhyStep),
    /// The same path with its first step replaced by these two.
    Both(WhyStep, WhyStep),
    /// No path: the argument is not a part of the result, but decides which value results.
    Deciding,
}

/// Returns the arguments of a call, with the given `values`, on which the part of the result at `step`, or without one the whole
/// result, depends: all if that cannot be determined; `expands` is true if the last one is expanded with `...`.
pub(crate) fn argument_flows(
    flow: ResultFlow,
    step: Option<&WhyStep>,
    values: &[Option<Value>],
    expands: bool,
) -> Vec<ArgumentFlow> {
    let all = || (0..values.len()).map(deciding).collect();
    chosen(flow, step, values, expands).unwrap_or_else(all)
}

/// Creates the flow of the argument at index `arg`, which decides which value results without being a part of it.
fn deciding(arg: usize) -> ArgumentFlow {
    ArgumentFlow { arg, how: FlowKind::Deciding }
}

/// Returns the arguments of a call, with the given `values`, on which the part of the result at `step` depends, by the `flow` of
/// the function; `None` if it may depend on any of them; `expands` is true if the last one is expanded with `...`.
fn chosen(
    flow: ResultFlow,
    step: Option<&WhyStep>,
    values: &[Option<Value>],
    expands: bool,
) -> Option<Vec<ArgumentFlow>> {
    let value = |at: usize| values.get(at).and_then(Option::as_ref);
    let one = |arg, how| Some(vec![ArgumentFlow { arg, how }]);
    match flow {
        ResultFlow::Merged => merged(step?, values, expands),
        _ if expands => None,
        ResultFlow::FirstNonEmpty => first(values),
        ResultFlow::Concatenated => {
            let mut at = step?.number()?;
            for (arg, list) in values.iter().enumerate() {
                let length = length(list.as_ref()?)?;
                if at < length {
                    return one(arg, FlowKind::Instead(WhyStep::At(at)));
                }
                at -= length;
            }
            None
        }
        ResultFlow::Lookup => {
            let key = WhyStep::of(value(1)?)?;
            let map = value(0).filter(|map| map.is_known() && !map.marks().hide())?;
            Some(match part(map, &key) {
                Some(_) => vec![ArgumentFlow { arg: 0, how: FlowKind::Below(key) }, deciding(1)],
                None => {
                    vec![deciding(0), deciding(1), ArgumentFlow { arg: 2, how: FlowKind::Same }]
                }
            })
        }
        ResultFlow::Element => {
            let (length, at) = (length(value(0)?)?, WhyStep::of(value(1)?)?.number()?);
            let at = WhyStep::At(at.checked_rem(length)?);
            Some(vec![ArgumentFlow { arg: 0, how: FlowKind::Below(at) }, deciding(1)])
        }
        ResultFlow::OnlyElement => length(value(0)?)
            .filter(|length| *length == 1)
            .and_then(|_| one(0, FlowKind::Below(WhyStep::At(0)))),
        ResultFlow::Reversed => {
            let at = length(value(0)?)?.checked_sub(step?.number()? + 1)?;
            one(0, FlowKind::Instead(WhyStep::At(at)))
        }
        ResultFlow::Sliced => {
            let at = WhyStep::of(value(1)?)?.number()? + step?.number()?;
            let list = ArgumentFlow { arg: 0, how: FlowKind::Instead(WhyStep::At(at)) };
            Some(vec![list, deciding(1), deciding(2)])
        }
        ResultFlow::Values => one(0, FlowKind::Instead(nth_key(value(0)?, step?.number()?)?)),
        ResultFlow::Zipped => {
            let at = WhyStep::At(position(value(0)?, step?)?);
            Some(vec![deciding(0), ArgumentFlow { arg: 1, how: FlowKind::Instead(at) }])
        }
        ResultFlow::Same | ResultFlow::SameList => one(0, FlowKind::Same),
        ResultFlow::SameSet if step.is_none() => one(0, FlowKind::Same),
        ResultFlow::SameSet | ResultFlow::Elements | ResultFlow::Mixed => None,
    }
}

/// Returns the arguments of a call of `merge` that may supply the attribute `step`: the last map that has it, and later ones
/// whose keys are unknown; `None` if there are none, or if the list of maps that the call expands, with `expands`, is unknown.
fn merged(step: &WhyStep, values: &[Option<Value>], expands: bool) -> Option<Vec<ArgumentFlow>> {
    let mut found = Vec::new();
    for (arg, map) in values.iter().enumerate().rev() {
        if expands && arg + 1 == values.len() {
            let list = map.as_ref()?;
            let length = length(list)?;
            for at in (0..length).rev() {
                let map = part(list, &WhyStep::At(at))?;
                let has = has(&map, step)?;
                if has {
                    found.push(ArgumentFlow {
                        arg,
                        how: FlowKind::Both(WhyStep::At(at), step.clone()),
                    });
                    return Some(found);
                }
            }
            continue;
        }
        match map.as_ref().and_then(|map| has(map, step)) {
            Some(false) => {}
            Some(true) => {
                found.push(ArgumentFlow { arg, how: FlowKind::Same });
                return Some(found);
            }
            None => found.push(ArgumentFlow { arg, how: FlowKind::Same }),
        }
    }
    (!found.is_empty()).then_some(found)
}

/// Returns true if a map or an object has an element with the name of `step`, false for null too; `None` if that is unknown.
fn has(map: &Value, step: &WhyStep) -> Option<bool> {
    match map.bare() {
        Value::Map(map) => Some(map.get(&step.name()).is_some()),
        Value::Object(object) => Some(object.get(&step.name()).is_some()),
        Value::Null(_) => Some(false),
        _ => None,
    }
}

/// Returns the arguments of a call such as `coalesce` up to the first that is neither null nor empty, which is the result; `None`
/// if an unknown argument comes before it, or if there is no such argument.
fn first(values: &[Option<Value>]) -> Option<Vec<ArgumentFlow>> {
    let mut found = Vec::new();
    for (arg, value) in values.iter().enumerate() {
        let value = value.as_ref()?;
        let is_nothing = match value.bare() {
            Value::Null(_) => true,
            Value::String(text) => text.is_empty(),
            Value::Unknown(_) => return None,
            _ => length(value) == Some(0),
        };
        if !is_nothing {
            found.push(ArgumentFlow { arg, how: FlowKind::Same });
            return Some(found);
        }
        found.push(deciding(arg));
    }
    None
}

/// Returns the number of elements of a list or tuple; `None` for any other value.
fn length(value: &Value) -> Option<usize> {
    match value.bare() {
        Value::List(list) => Some(list.items().len()),
        Value::Tuple(tuple) => Some(tuple.items().len()),
        _ => None,
    }
}

/// Returns the key at index `at` of a map or an object, in the order of its keys, as a path step; `None` if there is none or it
/// is hidden by a mark.
fn nth_key(map: &Value, at: usize) -> Option<WhyStep> {
    if map.marks().hide() {
        return None;
    }
    match map.bare() {
        Value::Map(map) => map.entries().get(at).map(|(name, _)| WhyStep::Name(name.clone())),
        Value::Object(object) => object.iter().nth(at).map(|(name, _)| WhyStep::Name(name.clone())),
        _ => None,
    }
}

/// Returns the index of the name of `step` in a list of names, of several the last; `None` if the name is not in the list.
fn position(names: &Value, step: &WhyStep) -> Option<usize> {
    let items = match names.bare() {
        Value::List(list) => list.items(),
        Value::Tuple(tuple) => tuple.items(),
        _ => return None,
    };
    let name = step.name();
    items.iter().rposition(|one| WhyStep::of(one).is_some_and(|one| one.name() == name))
}
