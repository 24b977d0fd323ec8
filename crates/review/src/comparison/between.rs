//! Instances and outputs of two plans, side by side: each by its address, once the newer code's moves are followed.

use std::collections::BTreeMap;
use std::sync::Arc;

use groma_folder::{Mode, ResourceTarget, Target};
use groma_plan::{Action, Change, OutputChange, Plan, followed};
use groma_syntax::Diagnostics;
use groma_value::{Mark, Str, Type, Value};
use rustc_hash::FxHashMap;

use crate::comparison::unread::Unread;
use crate::comparison::values::{Causal, Differences};
use crate::comparison::{Comparison, rename};

/// Compares two plans.
pub(crate) fn compare(base: Arc<Plan>, head: Arc<Plan>, all: bool) -> Comparison {
    let (before, after) = (base.declared(), head.declared());
    let moves = moves(&before, &head);
    let moved: FxHashMap<String, String> = addresses(&before, &moves);
    let causal = Causal {
        before: base.evaluation().causes(),
        after: head.evaluation().causes(),
        moved: &moved,
    };
    let mut known: FxHashMap<String, (Change, bool)> = FxHashMap::default();
    for (change, to) in before.into_iter().zip(&moves) {
        let is_moved = to.as_deref().is_some_and(|to| to != change.instance.address);
        let at = to.clone().unwrap_or_else(|| change.instance.address.clone());
        known.insert(at, (change, is_moved));
    }
    let (unread_before, unread_after) = (Unread::of(&base), Unread::of(&head));
    let mut changes = Vec::new();
    let mut incomparable = Vec::new();
    for mut change in after {
        let Some((was, is_moved)) = known.remove(&change.instance.address) else {
            if unread_before.covers(&change) {
                incomparable.push(change.instance.address);
                continue;
            }
            change.action = Action::Create;
            changes.push(change);
            continue;
        };
        let found = Differences::of(&was.instance.value, &change.instance.value, &causal);
        change.previous = is_moved.then_some(was.instance.address);
        change.before = Some(was.instance.value);
        change.action = match found.certain.is_empty() {
            true => Action::NoOp,
            false => Action::Update,
        };
        if all || change.action != Action::NoOp || change.previous.is_some() {
            changes.push(change);
        }
    }
    let mut gone: Vec<Change> = known.into_values().map(|(change, _)| change).collect();
    gone.sort_by(Change::order);
    for mut change in gone {
        if unread_after.covers(&change) {
            incomparable.push(change.instance.address);
            continue;
        }
        let value = std::mem::replace(&mut change.instance.value, Value::NULL);
        (change.before, change.action) = (Some(value), Action::Delete);
        changes.push(change);
    }
    changes.sort_by(Change::order);
    incomparable.sort();
    let outputs = outputs(&base, &head, &causal, all);
    let renames = rename::find(&changes);
    Comparison { base, head, changes, outputs, incomparable, renames }
}

/// Where each instance leads once the newer code's moves are followed; nothing for what does not move.
fn moves(before: &[Change], head: &Plan) -> Vec<Option<String>> {
    let target = |change: &Change| Target {
        modules: change.path().to_vec(),
        resource: Some(ResourceTarget {
            mode: change.mode,
            kind: change.kind.clone(),
            name: change.name.clone(),
            key: change.instance.key.clone(),
        }),
    };
    let managed: Vec<Target> =
        before.iter().filter(|one| one.mode == Mode::Managed).map(target).collect();
    let mut followed = followed(head.evaluation().project(), &managed).into_iter();
    let mut written = managed.iter();
    let all = before.iter().map(|change| {
        if change.mode != Mode::Managed {
            return None;
        }
        let (from, to) = (written.next()?, followed.next()?);
        (*from != to).then(|| to.to_string())
    });
    all.collect()
}

/// The addresses that have moved, with and without the keys of instances: causes are named in both ways.
fn addresses(before: &[Change], moves: &[Option<String>]) -> FxHashMap<String, String> {
    let mut found = FxHashMap::default();
    let whole = |address: &str| {
        address.strip_suffix(']').and_then(|at| Some(at.rsplit_once('[')?.0.to_owned()))
    };
    for (change, to) in before.iter().zip(moves) {
        let Some(to) = to else { continue };
        let from = &change.instance.address;
        let from_whole = whole(from).unwrap_or_else(|| from.clone());
        let to_whole = whole(to).unwrap_or_else(|| to.clone());
        found.entry(from_whole).or_insert(to_whole);
        found.insert(from.clone(), to.clone());
    }
    found
}

/// The outputs of the root, by name.
fn outputs(base: &Plan, head: &Plan, causal: &Causal<'_>, all: bool) -> Vec<OutputChange> {
    let mut silent = Diagnostics::new();
    let mut both: BTreeMap<Str, [Option<groma_project::OutputValue>; 2]> = BTreeMap::new();
    for (side, plan) in [base, head].into_iter().enumerate() {
        for output in plan.evaluation().outputs(&mut silent) {
            let name = output.name.clone();
            both.entry(name).or_default()[side] = Some(output);
        }
    }
    let mut found = Vec::new();
    for (name, [was, is]) in both {
        let is_hidden = |output: &Option<groma_project::OutputValue>| {
            output.as_ref().is_some_and(|output| {
                output.sensitive || output.value.marks().contains(&Mark::Sensitive)
            })
        };
        let sensitive = is_hidden(&was) || is_hidden(&is);
        let declared_sensitive = is.as_ref().or(was.as_ref()).is_some_and(|one| one.sensitive);
        let action = match (&was, &is) {
            (None, Some(_)) => Action::Create,
            (Some(_), None) => Action::Delete,
            (Some(was), Some(is)) => {
                let found = Differences::of(&was.value, &is.value, causal);
                match found.certain.is_empty() && was.sensitive == is.sensitive {
                    true => Action::NoOp,
                    false => Action::Update,
                }
            }
            (None, None) => continue,
        };
        let value = |output: Option<groma_project::OutputValue>| {
            output.map_or(Value::Null(Type::Dynamic), |output| output.value)
        };
        let (before, after) = (value(was), value(is));
        if all || action != Action::NoOp {
            found.push(OutputChange { name, action, before, after, sensitive, declared_sensitive });
        }
    }
    found
}
