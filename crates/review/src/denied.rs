//! Claims of a comparison that another program's plan denies: changes that were called certain, but that the plan against real
//! objects does not contain. Unknown parts of the plan deny nothing.

use groma_config::ResourceMode;
use groma_impact::{ComparedAddress, Comparison};
use groma_plan::{Action, Change};
use groma_value::codec::path_text;
use groma_value::json::{self, JsonObject, JsonText};
use groma_value::{Path, PathStep, Str, Type, Value, convert};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::document::PlanDocument;
use crate::model::ResourceItem;

/// A change that a comparison called certain, but that a plan contradicts, with the reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeniedClaim {
    /// The address of the instance or of the output.
    pub address: ComparedAddress,
    /// The claimed action: `create`, `update` or `delete`.
    pub claim: &'static str,
    /// The contradiction, as the rest of a sentence after the address.
    pub reason: String,
}

impl DeniedClaim {
    /// Writes the address, the claimed action and the reason as a JSON object.
    pub fn write_json(&self, out: &mut JsonText<'_>) {
        let mut one = JsonObject::open(out);
        one.text("address", &self.address.to_string());
        one.text("claim", self.claim);
        one.text("reason", &self.reason);
        one.close();
    }
}

/// Returns the certain changes of a comparison that a plan contradicts: instances first, then outputs.
pub fn denied_claims(comparison: &Comparison, plan: &PlanDocument) -> Vec<DeniedClaim> {
    let current = plan.items.iter().filter(|one| one.deposed.is_none());
    let items: FxHashMap<&str, &ResourceItem> = current.map(|one| (&*one.address, one)).collect();
    // Addresses of a document are texts, and need not be addresses at all.
    let deferred: FxHashSet<&str> = plan.deferred.iter().map(|(_, one)| &*one.address).collect();
    let certain = comparison.changes().iter().filter(|one| !one.is_open);
    let claims =
        certain.filter(|one| one.mode == ResourceMode::Managed && one.action != Action::NoOp);
    let mut found = Vec::new();
    for change in claims {
        let address = change.instance.address.to_string();
        if deferred.contains(&*address) {
            continue;
        }
        if let Some(reason) = denial(change, items.get(&*address).copied()) {
            let claim = change.action.slugs().first().copied().unwrap_or_default();
            let address = change.instance.address.clone().into();
            found.push(DeniedClaim { address, claim, reason });
        }
    }
    for output in comparison.outputs() {
        let address = ComparedAddress::output(&output.name);
        if output.action == Action::NoOp || comparison.is_possible(&address) {
            continue;
        }
        let theirs = plan.outputs.iter().find(|one| one.name == output.name);
        let reason = match (output.action, theirs) {
            (Action::Delete, Some(theirs)) if theirs.action.leaves_object() => {
                Some("does not change according to the plan".to_owned())
            }
            (Action::Delete, _) | (_, None) => None,
            (_, Some(theirs)) => contradiction(&output.after, &theirs.after, &mut Vec::new())
                .map(|path| differing_words(&path)),
        };
        if let Some(reason) = reason {
            let claim = output.action.slugs().first().copied().unwrap_or_default();
            found.push(DeniedClaim { address, claim, reason });
        }
    }
    found
}

/// Returns the phrase that says that a value differs at a path.
fn differing_words(path: &Path) -> String {
    match path.0.is_empty() {
        true => "has a different value according to the plan".to_owned(),
        false => format!("has a different value at {} according to the plan", path_text(path)),
    }
}

/// Returns the reason why a plan contradicts a comparison's `change` of an instance, `None` if it does not; `item` is the change
/// of the same instance in that plan, if it has one.
fn denial(change: &Change, item: Option<&ResourceItem>) -> Option<String> {
    let Some(item) = item else {
        return Some("is not in the plan".to_owned());
    };
    let is_same = |words: &str| Some(format!("{words} according to the plan"));
    match (change.action, item.action) {
        (Action::Delete, action) if action.leaves_object() => is_same("stays"),
        (Action::Delete, _) => None,
        (_, Action::Delete | Action::Forget) => is_same("goes"),
        (_, Action::NoOp) => is_same("stays as it is"),
        (Action::Create, Action::Update) => is_same("is there already"),
        _ => {
            let theirs = item.after.as_ref()?;
            let path = contradiction(&change.instance.value, theirs, &mut Vec::new())?;
            Some(differing_words(&path))
        }
    }
}

/// Returns the path at which the planned value `theirs` contradicts the expected value `ours`, if it does: null and unknown parts
/// of `ours` expect nothing, unknown parts of `theirs` contradict nothing.
fn contradiction(ours: &Value, theirs: &Value, way: &mut Vec<PathStep>) -> Option<Path> {
    let (ours, theirs) = (ours.bare(), theirs.bare());
    if ours.is_null() || !ours.is_known() || !theirs.is_known() {
        return None;
    }
    let here = |way: &Vec<PathStep>| Some(Path(way.clone()));
    match ours {
        Value::Object(all) => {
            all.iter().find_map(|(name, one)| part(one, theirs, name.clone(), way))
        }
        Value::Map(all) => {
            let entries = all.entries().iter();
            entries.into_iter().find_map(|(name, one)| part(one, theirs, name.clone(), way))
        }
        Value::List(_) | Value::Tuple(_) | Value::Set(_) => {
            let (own, other) = (items(ours)?, items(theirs));
            let Some(other) = other else { return here(way) };
            if own.len() != other.len() {
                return here(way);
            }
            if matches!(ours, Value::Set(_)) {
                // The order of elements is arbitrary in each program.
                let is_known = ours.is_wholly_known() && theirs.is_wholly_known();
                return (is_known && sorted_texts(own) != sorted_texts(other))
                    .then(|| Path(way.clone()));
            }
            own.iter().zip(other).enumerate().find_map(|(at, (one, other))| {
                way.push(PathStep::Index(Value::position(at)));
                let found = contradiction(one, other, way);
                way.pop();
                found
            })
        }
        plain => {
            let text = |value: &Value| convert(value, &Type::String).ok();
            match (text(plain), text(theirs)) {
                (Some(own), Some(other)) if json::plain(&own) == json::plain(&other) => None,
                _ => here(way),
            }
        }
    }
}

/// Returns the path at which the expected value `one` contradicts the attribute `name` of the planned object `theirs`, if it
/// does.
fn part(one: &Value, theirs: &Value, name: Str, way: &mut Vec<PathStep>) -> Option<Path> {
    let other = match theirs {
        Value::Object(all) => all.get(&name).cloned(),
        Value::Map(all) => {
            all.entries().iter().find(|(key, _)| **key == *name).map(|(_, one)| one.clone())
        }
        _ => None,
    };
    let other = other.unwrap_or(Value::NULL);
    way.push(PathStep::Attribute(name));
    let found = contradiction(one, &other, way);
    way.pop();
    found
}

/// Returns the elements of a list, tuple or set; `None` for any other value.
fn items(value: &Value) -> Option<&[Value]> {
    match value {
        Value::List(all) => Some(all.items()),
        Value::Tuple(all) => Some(all.items()),
        Value::Set(all) => Some(all.items()),
        _ => None,
    }
}

/// Returns the texts of a collection's elements, sorted so that their order does not count.
fn sorted_texts(items: &[Value]) -> Vec<String> {
    let mut all: Vec<String> = items.iter().map(json::plain).collect();
    all.sort();
    all
}
