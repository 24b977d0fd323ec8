//! The value of a block that is only written: its arguments, and those of the blocks inside, as one object. Blocks of one
//! type are a tuple there, even where there is one; a question may leave the number of an only block out.

use groma_value::{Str, Value};

use crate::path::WhyStep;

/// The steps of a query, split along the path to an argument of a block.
pub(crate) struct PathLead<'s> {
    /// The beginning of the way that they lead along.
    pub(crate) taken: &'s [WhyStep],
    /// The rest of the way to the argument: they end at a block around it.
    pub(crate) behind: &'s [WhyStep],
    /// The rest of the steps: they lead into its value.
    pub(crate) inside: &'s [WhyStep],
}

/// Returns where steps lead, seen from the way to an argument, if they lead along it. A number that is left out stands for
/// every number.
pub(crate) fn lead<'s>(asked: &'s [WhyStep], path: &'s [WhyStep]) -> Option<PathLead<'s>> {
    let (mut inside, mut behind) = (asked, path);
    while let ([asks, asked_rest @ ..], [step, path_rest @ ..]) = (inside, behind) {
        match (asks, step) {
            _ if asks == step => (inside, behind) = (asked_rest, path_rest),
            (WhyStep::Name(_), WhyStep::At(_)) => behind = path_rest,
            _ => return None,
        }
    }
    Some(PathLead { taken: &path[..path.len() - behind.len()], behind, inside })
}

/// A value at the end of a way.
pub(crate) type LedValue<'s> = (&'s [WhyStep], Value);

/// Returns the values at the ends of ways as one value. What stands between numbers that are there is an empty object.
pub(crate) fn block_value(mut parts: Vec<LedValue<'_>>) -> Value {
    if let Some(at) = parts.iter().position(|(path, _)| path.is_empty()) {
        return parts.swap_remove(at).1;
    }
    let mut groups: Vec<(&WhyStep, Vec<LedValue<'_>>)> = Vec::new();
    for (path, value) in parts {
        let Some((step, rest)) = path.split_first() else { continue };
        match groups.iter_mut().find(|(known, _)| *known == step) {
            Some((_, group)) => group.push((rest, value)),
            None => groups.push((step, vec![(rest, value)])),
        }
    }
    let is_numbered = groups.iter().all(|(step, _)| matches!(step, WhyStep::At(_)));
    if !is_numbered || groups.is_empty() {
        let named = |(step, group): (&WhyStep, Vec<_>)| -> (Str, Value) {
            (step.name(), block_value(group))
        };
        return Value::object(groups.into_iter().map(named));
    }
    let mut items: Vec<Value> = Vec::new();
    groups.sort_by_key(|(step, _)| *step);
    for (step, group) in groups {
        let WhyStep::At(at) = step else { continue };
        while items.len() < *at {
            items.push(Value::object([]));
        }
        items.push(block_value(group));
    }
    Value::tuple(items)
}
