//! The arguments of a call that a part of its result comes from, by the flow of the function. Where that leaves it open, all
//! arguments count.

use groma_functions::ResultFlow;
use groma_value::Value;

use crate::path::{WhyStep, part};

/// An argument that a part of a function's result depends on.
pub(crate) struct ArgumentFlow {
    /// Which.
    pub(crate) arg: usize,
    /// How the part of the result is reached from it.
    pub(crate) how: FlowKind,
}

pub(crate) enum FlowKind {
    /// By the same steps.
    Same,
    /// By this step instead of the first one.
    Instead(WhyStep),
    /// By this step, and then the same steps.
    Below(WhyStep),
    /// By these steps instead of the first one.
    Both(WhyStep, WhyStep),
    /// It is no part of the result: it has decided something.
    Deciding,
}

/// The arguments that count for the part behind `step`, or for all of the result. `expands` says that the last argument
/// is a list of arguments.
pub(crate) fn lead(
    flow: ResultFlow,
    step: Option<&WhyStep>,
    values: &[Option<Value>],
    expands: bool,
) -> Vec<ArgumentFlow> {
    let all = || (0..values.len()).map(deciding).collect();
    chosen(flow, step, values, expands).unwrap_or_else(all)
}

fn deciding(arg: usize) -> ArgumentFlow {
    ArgumentFlow { arg, how: FlowKind::Deciding }
}

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

/// The last of the maps that has the name, and those that may have it.
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

/// Returns whether a map has an element of that name, where that is known.
fn has(map: &Value, step: &WhyStep) -> Option<bool> {
    match map.bare() {
        Value::Map(map) => Some(map.get(&step.name()).is_some()),
        Value::Object(object) => Some(object.get(&step.name()).is_some()),
        Value::Null(_) => Some(false),
        _ => None,
    }
}

/// The first argument that is something, and those before it, which are not.
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

/// Returns how many elements a list has, where that is known.
fn length(value: &Value) -> Option<usize> {
    match value.bare() {
        Value::List(list) => Some(list.items().len()),
        Value::Tuple(tuple) => Some(tuple.items().len()),
        _ => None,
    }
}

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

/// Returns where a list of names has a name: the last one counts.
fn position(names: &Value, step: &WhyStep) -> Option<usize> {
    let items = match names.bare() {
        Value::List(list) => list.items(),
        Value::Tuple(tuple) => tuple.items(),
        _ => return None,
    };
    let name = step.name();
    items.iter().rposition(|one| WhyStep::of(one).is_some_and(|one| one.name() == name))
}
