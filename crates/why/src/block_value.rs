//! The value of a block that has source text only: an object of its arguments and inner blocks. Blocks of one type are a tuple
//! even if there is one; a query may omit the position of a single block.

use groma_value::{Str, Value};

use crate::path::WhyStep;

/// The result of comparing the path of a query with the path of an argument: their common steps and the rest of both.
pub(crate) struct PathSplit<'s> {
    /// The steps of the path that the query covers.
    pub(crate) taken: &'s [WhyStep],
    /// The steps of the path beyond the query; not empty if the query ends at a block around the argument.
    pub(crate) behind: &'s [WhyStep],
    /// The steps of the query that lead into the argument's value.
    pub(crate) inside: &'s [WhyStep],
}

/// Splits the path of a query and that of an argument into their common steps and the rest of both; `None` if they diverge.
/// A position that the query omits stands for every position.
pub(crate) fn split_path<'s>(asked: &'s [WhyStep], path: &'s [WhyStep]) -> Option<PathSplit<'s>> {
    let (mut inside, mut behind) = (asked, path);
    while let ([asks, asked_rest @ ..], [step, path_rest @ ..]) = (inside, behind) {
        match (asks, step) {
            _ if asks == step => (inside, behind) = (asked_rest, path_rest),
            (WhyStep::Name(_), WhyStep::At(_)) => behind = path_rest,
            _ => return None,
        }
    }
    Some(PathSplit { taken: &path[..path.len() - behind.len()], behind, inside })
}

/// The value of an argument with the path that leads to it inside of a block.
pub(crate) type ValueAtPath<'s> = (&'s [WhyStep], Value);

/// Builds the object in which each of the given values is at its path. A missing position between others becomes an empty object.
pub(crate) fn block_value(mut parts: Vec<ValueAtPath<'_>>) -> Value {
    if let Some(at) = parts.iter().position(|(path, _)| path.is_empty()) {
        return parts.swap_remove(at).1;
    }
    let mut groups: Vec<(&WhyStep, Vec<ValueAtPath<'_>>)> = Vec::new();
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
