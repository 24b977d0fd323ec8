//! Changes of which it is not known how many there are. They stand apart from those that are: who judges a plan sees what
//! is written of them, and that it is not all.

use groma_folder::{Key, Mode};
use groma_project::DeferredResource;
use groma_value::json::{JsonObject, JsonText, array};

use super::object::Identity;
use super::value;
use crate::change::Action;
use crate::options::Goal;
use crate::plan::Plan;
use crate::targets::without_keys;

/// Why they are deferred: each waits for a `count` or `for_each`, its own or that of a module around it.
const REASON: &str = "instance_count_unknown";

/// Writes them, if there are some.
pub(super) fn write(plan: &Plan, top: &mut JsonObject<'_, '_>) {
    if plan.goal() != Goal::Change {
        return;
    }
    let facts = plan.facts();
    let is_planned = |one: &DeferredResource| {
        let whole = without_keys(&one.address);
        facts.scope.get().is_none_or(|scope| scope.wants(&whole))
    };
    let mut all = plan.evaluation().deferred();
    all.retain(is_planned);
    if all.is_empty() {
        return;
    }
    array(&all, top.key("deferred_changes"), |one, out| {
        let mut entry = JsonObject::open(out);
        entry.text("reason", REASON);
        change(one, entry.key("resource_change"));
        entry.close();
    });
}

fn change(one: &DeferredResource, out: &mut JsonText<'_>) {
    let action = if one.mode == Mode::Data { Action::Read } else { Action::Create };
    let mut change = JsonObject::open(out);
    let identity = Identity {
        address: &one.address,
        mode: one.mode,
        kind: &one.kind,
        name: &one.name,
        key: &Key::None,
        provider: &one.provider,
    };
    identity.write(&one.module, &mut change);
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
