//! JSON of deferred changes: resources whose number of instances is unknown. They are listed apart from other changes, so that a
//! policy sees their configuration and that it is incomplete. If the resource has recorded objects, those are listed instead of
//! the planned ones.

use groma_config::{InstanceKey, ResourceMode};
use groma_project::DeferredResource;
use groma_value::json::{JsonObject, JsonText, array};

use super::object::InstanceIdentity;
use super::value;
use crate::change::Action;
use crate::compare::hide;
use crate::plan::Plan;
use crate::prior::{PriorInstance, shape};

/// The `reason` of a deferred change: an unknown `count` or `for_each` of the resource or of a module around it.
const REASON: &str = "instance_count_unknown";

/// Writes the deferred changes of a plan as a property of its document, unless there are none.
pub(super) fn write(plan: &Plan, top: &mut JsonObject<'_, '_>) {
    let all = plan.uncounted();
    if all.is_empty() {
        return;
    }
    let entries = all.iter().flat_map(|one| match one.recorded.as_slice() {
        [] => vec![(&one.resource, None)],
        all => all.iter().map(|past| (&one.resource, Some(*past))).collect(),
    });
    let entries: Vec<(&DeferredResource, Option<&PriorInstance>)> = entries.collect();
    array(&entries, top.key("deferred_changes"), |(resource, past), out| {
        let mut entry = JsonObject::open(out);
        entry.text("reason", REASON);
        match past {
            Some(past) => recorded(plan, resource, past, entry.key("resource_change")),
            None => change(resource, entry.key("resource_change")),
        }
        entry.close();
    });
}

/// Writes the deferred change of a recorded object whose resource has an unknown number of instances; it may be kept, updated or
/// destroyed.
fn recorded(plan: &Plan, one: &DeferredResource, past: &PriorInstance, out: &mut JsonText<'_>) {
    let mut change = JsonObject::open(out);
    let (address, module) = (past.address.to_string(), past.address.module().to_string());
    InstanceIdentity::of(&past.address, &one.provider).write(&address, &module, &mut change);
    let prior = plan.facts().prior();
    let object = past.current.and_then(|at| prior.object(at));
    let before = object.and_then(|object| {
        let evaluation = plan.evaluation();
        let edition = evaluation.project().edition();
        let schema = shape(object, &one.resource.kind, evaluation.schemas(), edition);
        let block = schema.as_ref().map(|schema| &*schema.block);
        Some(hide(&prior.value(object, block).ok()??, block))
    });
    let mut what = change.object("change");
    array(Action::Update.slugs(), what.key("actions"), |word, out| out.string(word));
    match &before {
        Some(before) => drop(value::known(before, what.key("before"))),
        None => what.raw("before", "null"),
    }
    what.raw("after", "{}");
    what.raw("after_unknown", "true");
    match &before {
        Some(before) => drop(value::sensitive(before, what.key("before_sensitive"))),
        None => what.flag("before_sensitive", false),
    }
    what.raw("after_sensitive", "{}");
    what.close();
    change.close();
}

/// Writes the deferred change of a resource with an unknown number of instances, none of which is recorded.
fn change(one: &DeferredResource, out: &mut JsonText<'_>) {
    let action =
        if one.resource.mode == ResourceMode::Data { Action::Read } else { Action::Create };
    let mut change = JsonObject::open(out);
    let identity = InstanceIdentity {
        mode: one.resource.mode,
        kind: &one.resource.kind,
        name: &one.resource.name,
        key: &InstanceKey::None,
        provider: &one.provider,
    };
    let (address, module) = (one.address.to_string(), one.address.module().to_string());
    identity.write(&address, &module, &mut change);
    let mut what = change.object("change");
    array(action.slugs(), what.key("actions"), |word, out| out.string(word));
    what.raw("before", "null");
    let after = what.key("after");
    if !value::planned(&one.value, after) {
        after.push_str("{}");
    }
    match one.value.is_wholly_known() {
        true => what.raw("after_unknown", "{}"),
        false => drop(value::unknown(&one.value, what.key("after_unknown"))),
    }
    what.flag("before_sensitive", false);
    value::sensitive(&one.value, what.key("after_sensitive"));
    what.close();
    change.close();
}
