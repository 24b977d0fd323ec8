//! Comparison of the results of two plan documents, from any program. A document does not contain fingerprints, so values that
//! are unknown in both count as equal.

use std::collections::BTreeMap;

use groma_impact::{ChangeCounts, ValueDifferences};
use groma_plan::{Action, PLAN_FORMAT, write_change_values};
use groma_value::json::{JsonObject, JsonText, array, texts};
use groma_value::{Str, Value};

use super::PlanDocument;
use crate::model::{OutputItem, PossibleGroup, ResourceItem, Review};

/// The comparison of two plan documents, as a review.
pub struct ComparedDocuments {
    review: Review,
}

/// The action by which two plans differ for an instance or output, and true if it is only possible.
struct Outcome {
    action: Action,
    is_possible: bool,
}

/// Returns the action that leads from the value planned by one document to that planned by another; `None` if neither plans one.
fn outcome(before: Option<&Value>, after: Option<&Value>) -> Option<Outcome> {
    let (action, is_possible) = match (before, after) {
        (None, None) => return None,
        (None, Some(_)) => (Action::Create, false),
        (Some(_), None) => (Action::Delete, false),
        (Some(before), Some(after)) => {
            let found = ValueDifferences::of(before, after);
            match (found.certain.is_empty(), found.open.is_empty()) {
                (true, true) => (Action::NoOp, false),
                (is_possible, _) => (Action::Update, is_possible),
            }
        }
    };
    Some(Outcome { action, is_possible })
}

/// Returns the changes of instances that exist after their plan is applied, by address.
fn remaining(items: Vec<ResourceItem>) -> BTreeMap<Str, ResourceItem> {
    let leaves = |one: &ResourceItem| one.action.leaves_object() && one.deposed.is_none();
    items.into_iter().filter(leaves).map(|one| (one.address.clone(), one)).collect()
}

impl ComparedDocuments {
    /// Compares an older plan document with a newer one, keeping unchanged instances only if `all` is true.
    pub fn between(base: PlanDocument, head: PlanDocument, all: bool) -> ComparedDocuments {
        let is_incomplete = !base.is_complete || !head.is_complete;
        let is_partial = base.is_errored || head.is_errored;
        let (mut was, is) = (remaining(base.items), remaining(head.items));
        let mut items = Vec::new();
        for (address, item) in is {
            let before = was.remove(&address).and_then(|one| one.after);
            items.extend(resource(item.clone(), before, item.after));
        }
        for (_, item) in was {
            let before = item.after.clone();
            items.extend(resource(item, before, None));
        }
        items.retain(|one| all || one.action != Action::NoOp);
        items.sort_by(|one, other| order(one).cmp(&order(other)));
        let of = |outputs: Vec<OutputItem>| -> BTreeMap<Str, OutputItem> {
            let leaves = |one: &OutputItem| one.action.leaves_object();
            outputs.into_iter().filter(leaves).map(|one| (one.name.clone(), one)).collect()
        };
        let (mut was, is) = (of(base.outputs), of(head.outputs));
        let mut outputs = Vec::new();
        for (name, item) in is {
            let before = was.remove(&name);
            let sensitive = item.sensitive || before.as_ref().is_some_and(|one| one.sensitive);
            let before = before.map(|one| one.after);
            let Some(found) = outcome(before.as_ref(), Some(&item.after)) else { continue };
            let before = before.unwrap_or(Value::NULL);
            let Outcome { action, is_possible } = found;
            outputs.push(OutputItem { action, is_possible, before, sensitive, ..item });
        }
        outputs.extend(was.into_values().map(|item| OutputItem {
            action: Action::Delete,
            before: item.after,
            after: Value::NULL,
            ..item
        }));
        outputs.retain(|one| all || one.action != Action::NoOp);
        outputs.sort_by(|one, other| one.name.cmp(&other.name));
        let numbers = |flags: Vec<bool>| -> Vec<usize> {
            flags.iter().enumerate().filter(|(_, is)| **is).map(|(at, _)| at).collect()
        };
        let group = PossibleGroup {
            because: Vec::new(),
            items: numbers(items.iter().map(|one| one.is_possible).collect()),
            outputs: numbers(outputs.iter().map(|one| one.is_possible).collect()),
        };
        let possible = if group.count() > 0 { vec![group] } else { Vec::new() };
        let review = Review {
            items,
            outputs,
            possible,
            is_incomplete,
            is_partial,
            is_comparison: true,
            is_of_documents: true,
            ..Review::default()
        };
        ComparedDocuments { review }
    }

    /// Returns the comparison as a review.
    pub fn review(&self) -> &Review {
        &self.review
    }

    /// Returns true if an instance or output differs between the two plans; with `certain`, possible differences do not count.
    pub fn is_change(&self, certain: bool) -> bool {
        let counts =
            |action: Action, is_possible: bool| action != Action::NoOp && !(certain && is_possible);
        self.review.items.iter().any(|one| counts(one.action, one.is_possible))
            || self.review.outputs.iter().any(|one| counts(one.action, one.is_possible))
    }

    /// Writes the comparison as JSON; `more` writes properties of the caller into it, such as where the documents come from.
    pub fn write_json(&self, out: &mut JsonText<'_>, more: &dyn Fn(&mut JsonObject<'_, '_>)) {
        let Review { items, outputs, is_incomplete, is_partial, .. } = &self.review;
        let mut top = JsonObject::open(out);
        top.text("format_version", PLAN_FORMAT);
        array(items, top.key("resource_changes"), write_item);
        let mut all = top.object("output_changes");
        for output in outputs {
            let mut one = all.object(&output.name);
            texts(output.action.slugs(), one.key("actions"));
            let (before, after) = (Some(&output.before), Some(&output.after));
            write_change_values(&mut one, before, after);
            one.close();
        }
        all.close();
        top.flag("complete", !is_incomplete && !is_partial);
        top.flag("errored", *is_partial);
        let mut ours = top.object("groma");
        let instances =
            items.iter().filter(|one| one.is_possible).map(|one| one.address.to_string());
        let of_root = outputs.iter().filter(|one| one.is_possible);
        let of_root = of_root.map(|one| format!("output.{}", &*one.name));
        let possible: Vec<String> = instances.chain(of_root).collect();
        array(&possible, ours.key("possible"), |address, out| {
            let mut one = JsonObject::open(out);
            one.text("address", address);
            array(&[] as &[&str], one.key("because"), |_, _| {});
            one.close();
        });
        let counts = self.review.counts();
        let counts = ChangeCounts {
            create: counts.add - counts.replace,
            update: counts.change,
            replace: counts.replace,
            delete: counts.destroy - counts.replace,
            possible: counts.possible,
            unknown: counts.unknown,
        };
        counts.write(&mut ours);
        array(&[] as &[&str], ours.key("beside"), |_, _| {});
        array(&[] as &[&str], ours.key("unreached"), |_, _| {});
        more(&mut ours);
        ours.close();
        top.close();
    }
}

/// Returns the sort key of an instance's change: module, data sources first, type, name and instance key.
fn order(one: &ResourceItem) -> (&str, bool, &str, &str, &groma_config::InstanceKey) {
    let declared = &one.declared;
    let is_data = declared.mode == groma_config::ResourceMode::Data;
    (&declared.module, !is_data, &declared.kind, &declared.name, &one.key)
}

/// Returns the change of an instance, whose address `item` supplies, from the value that one document plans to that of another;
/// `None` if neither plans one.
fn resource(
    item: ResourceItem,
    before: Option<Value>,
    after: Option<Value>,
) -> Option<ResourceItem> {
    let Outcome { action, is_possible } = outcome(before.as_ref(), after.as_ref())?;
    Some(ResourceItem {
        action,
        is_possible,
        before,
        after,
        reason: None,
        previous: None,
        importing: None,
        replace_paths: Vec::new(),
        is_open: false,
        ..item
    })
}

/// Writes the change of an instance as an entry of the document's `resource_changes`.
fn write_item(item: &ResourceItem, out: &mut JsonText<'_>) {
    let mut one = JsonObject::open(out);
    one.text("address", &item.address);
    if !item.declared.module.is_empty() {
        one.text("module_address", &item.declared.module);
    }
    let is_data = item.declared.mode == groma_config::ResourceMode::Data;
    one.text("mode", if is_data { "data" } else { "managed" });
    one.text("type", &item.declared.kind);
    one.text("name", &item.declared.name);
    match &item.key {
        groma_config::InstanceKey::None => {}
        groma_config::InstanceKey::Number(number) => one.number("index", *number),
        groma_config::InstanceKey::Text(text) => one.text("index", text),
    }
    let mut change = one.object("change");
    texts(item.action.slugs(), change.key("actions"));
    write_change_values(&mut change, item.before.as_ref(), item.after.as_ref());
    change.close();
    one.close();
}
