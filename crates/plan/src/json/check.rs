//! What became of conditions, by the object that they are about: one entry for each that is
//! declared, with its instances.

use std::collections::BTreeMap;

use groma_folder::{Key, Mode};
use groma_module::declare::Resource;
use groma_project::{ModuleInstance, ModuleNode, Outcome, Subject, Verdict};
use groma_value::json::string;
use groma_value::json::{JsonObject, JsonText, array};

use crate::options::Goal;
use crate::plan::Plan;
use crate::targets::{Targeting, is_left};

/// A declared object with conditions.
struct Entry {
    /// Its address as JSON, without the text that is shown.
    address: Vec<(&'static str, String)>,
    instances: Vec<Instance>,
    /// Whether nobody has looked at it.
    is_open: bool,
}

/// An instance of it.
struct Instance {
    shown: String,
    module: String,
    key: Key,
    outcome: Outcome,
}

/// Writes the list, if there are any.
pub(super) fn write(plan: &Plan, top: &mut JsonObject<'_, '_>) {
    let mut entries: BTreeMap<String, Entry> = BTreeMap::new();
    declare(plan.evaluation().project().tree(), &mut entries);
    let facts = plan.facts();
    // Where all goes nothing is judged.
    let is_judged = facts.options.goal != Goal::Destroy;
    if is_judged {
        for module in plan.modules() {
            gather(&module, facts.scope.get(), &mut entries);
        }
    }
    for (address, entry) in &mut entries {
        let is_wanted = facts.scope.get().is_none_or(|scope| scope.wants(address));
        let is_untouched = facts.scope.get().is_some() && entry.instances.is_empty();
        entry.is_open = !is_judged || !is_wanted || is_untouched;
    }
    if entries.is_empty() {
        return;
    }
    array(&entries, top.key("checks"), |(shown, entry), out| entry_json(shown, entry, out));
}

fn is_judged(resource: &Resource) -> bool {
    let lifecycle = resource.lifecycle();
    !lifecycle.preconditions.is_empty() || !lifecycle.postconditions.is_empty()
}

fn inside(module: &str, inner: &str) -> String {
    if module.is_empty() { inner.to_owned() } else { format!("{module}.{inner}") }
}

/// Modules nest no deeper than files are loaded, so the recursion is bounded by the tree of modules.
fn declare(node: ModuleNode<'_>, entries: &mut BTreeMap<String, Entry>) {
    let module = node.module();
    let around = node.address();
    let mut add = |inner: String, mut address: Vec<(&'static str, String)>| {
        if !around.is_empty() {
            address.push(("module", around.clone()));
        }
        let entry = Entry { address, instances: Vec::new(), is_open: false };
        entries.insert(inside(&around, &inner), entry);
    };
    for variable in module.variables.iter().filter(|v| !v.validations.is_empty()) {
        let address = vec![("kind", "var".to_owned()), ("name", variable.name.to_string())];
        add(format!("var.{}", &*variable.name), address);
    }
    for output in module.outputs.iter().filter(|o| !o.preconditions.is_empty()) {
        let address = vec![("kind", "output_value".to_owned()), ("name", output.name.to_string())];
        add(format!("output.{}", &*output.name), address);
    }
    for check in &module.checks {
        let address = vec![("kind", "check".to_owned()), ("name", check.name.to_string())];
        add(format!("check.{}", &*check.name), address);
    }
    for resource in module.resources.iter().filter(|r| is_judged(r)) {
        let mode = if resource.mode == Mode::Data { "data" } else { "managed" };
        let address = vec![
            ("kind", "resource".to_owned()),
            ("mode", mode.to_owned()),
            ("name", resource.name.to_string()),
            ("type", resource.kind.to_string()),
        ];
        add(resource.address(), address);
    }
    for child in (0..module.calls.len()).filter_map(|call| node.child(call)) {
        declare(child, entries);
    }
}

fn gather(
    module: &ModuleInstance,
    scope: Option<&Targeting>,
    entries: &mut BTreeMap<String, Entry>,
) {
    let declared = module.module();
    let fixed = module.node().address();
    let mut add = |inner: &str, key: Key, outcome: Option<Outcome>| {
        if let (Some(outcome), Some(entry)) = (outcome, entries.get_mut(&inside(&fixed, inner))) {
            let shown = inside(module.address(), &format!("{inner}{}", key.suffix()));
            let module = module.address().to_owned();
            entry.instances.push(Instance { shown, module, key, outcome });
        }
    };
    for (at, variable) in declared.variables.iter().enumerate() {
        let outcome = module.outcome(Subject::Variable(at));
        add(&format!("var.{}", &*variable.name), Key::None, outcome);
    }
    for (at, output) in declared.outputs.iter().enumerate() {
        let outcome = module.outcome(Subject::Output(at));
        add(&format!("output.{}", &*output.name), Key::None, outcome);
    }
    for (at, check) in declared.checks.iter().enumerate() {
        let outcome = module.outcome(Subject::Check(at));
        add(&format!("check.{}", &*check.name), Key::None, outcome);
    }
    for (at, resource) in declared.resources.iter().enumerate().filter(|(_, r)| is_judged(r)) {
        let address = resource.address();
        if scope.is_some_and(|scope| !scope.wants(&inside(&fixed, &address))) {
            continue;
        }
        for instance in module.instances(at) {
            // Of a resource that is looked at all instances are told, also those that are left as they are.
            let outcome = match is_left(scope, &instance.address) {
                true => Some(Outcome { verdict: Verdict::Unknown, problems: Vec::new() }),
                false => instance.outcome.map(|outcome| *outcome),
            };
            add(&address, instance.key, outcome);
        }
    }
}

fn entry_json(shown: &str, entry: &Entry, out: &mut JsonText<'_>) {
    let mut one = JsonObject::open(out);
    let mut address = one.object("address");
    let mut parts: Vec<(&str, &str)> =
        entry.address.iter().map(|(name, text)| (*name, text.as_str())).collect();
    parts.push(("to_display", shown));
    parts.sort_unstable();
    for (name, text) in parts {
        address.text(name, text);
    }
    address.close();
    let worst = entry.instances.iter().map(|i| i.outcome.verdict).max();
    let worst = worst.unwrap_or(if entry.is_open { Verdict::Unknown } else { Verdict::Pass });
    one.text("status", worst.slug());
    if !entry.instances.is_empty() {
        array(&entry.instances, one.key("instances"), instance_json);
    }
    one.close();
}

fn instance_json(instance: &Instance, out: &mut JsonText<'_>) {
    let mut one = JsonObject::open(out);
    let mut address = one.object("address");
    match &instance.key {
        Key::None => {}
        Key::Number(number) => address.raw("instance_key", &number.to_string()),
        Key::Text(text) => address.raw("instance_key", &string(text)),
    }
    if !instance.module.is_empty() {
        address.text("module", &instance.module);
    }
    address.text("to_display", &instance.shown);
    address.close();
    one.text("status", instance.outcome.verdict.slug());
    if !instance.outcome.problems.is_empty() {
        array(&instance.outcome.problems, one.key("problems"), |message, out| {
            let mut problem = JsonObject::open(out);
            problem.text("message", message);
            problem.close();
        });
    }
    one.close();
}
