//! Instances of resources: the list of changes, and the same instances as a tree of modules.

use groma_module::{Key, Mode, Reading};
use groma_value::json::string;

use super::value;
use super::writer::{Object, array};
use crate::change::Change;
use crate::plan::Plan;
use crate::provider;

/// An instance as it stands in a tree of modules.
pub(super) struct Shown {
    module: String,
    change: Change,
}

/// What is planned, in the order of texts.
pub(super) fn planned(changes: &[Change]) -> Vec<Shown> {
    let shown = |change: &Change| Shown { module: change.module.clone(), change: change.clone() };
    // What is read for a check is part of what was known before.
    let later = |change: &&Change| change.reason != Some("read_because_check_nested");
    sorted(changes.iter().filter(later).map(shown).collect())
}

/// The data that was read, in the order of texts.
pub(super) fn read(plan: &Plan) -> Vec<Shown> {
    let mut found = Vec::new();
    for module in plan.modules() {
        for (at, resource) in module.module().resources.iter().enumerate() {
            if resource.mode != Mode::Data {
                continue;
            }
            let done = module.instances(at).filter(|i| i.reading == Some(Reading::Done));
            found.extend(done.map(|instance| Shown {
                module: module.address().to_owned(),
                change: Change {
                    provider: provider::address(module.node(), resource),
                    module: module.address().to_owned(),
                    path: module.path(),
                    mode: resource.mode,
                    kind: resource.kind.clone(),
                    name: resource.name.clone(),
                    instance,
                    action: crate::Action::Read,
                    reason: None,
                },
            }));
        }
    }
    sorted(found)
}

fn sorted(mut all: Vec<Shown>) -> Vec<Shown> {
    all.sort_by(|a, b| {
        let depth = |shown: &Shown| shown.change.path.len();
        (a.module.cmp(&b.module))
            .then_with(|| depth(a).cmp(&depth(b)))
            .then_with(|| super::by_address(&a.change, &b.change))
    });
    all
}

/// A module with what is in it and below it.
#[derive(Default)]
struct Branch<'s> {
    address: String,
    resources: Vec<&'s Change>,
    children: std::collections::BTreeMap<String, Branch<'s>>,
}

/// Writes a tree of modules.
pub(super) fn tree(all: &[Shown], out: &mut String) {
    let mut root = Branch::default();
    for shown in all {
        let mut branch = &mut root;
        let mut address = String::new();
        for (name, key) in &shown.change.path {
            if !address.is_empty() {
                address.push('.');
            }
            address.push_str(&format!("module.{}{}", &**name, key.suffix()));
            branch = branch.children.entry(address.clone()).or_default();
            branch.address.clone_from(&address);
        }
        branch.resources.push(&shown.change);
    }
    write_branch(&root, out);
}

/// Modules nest no deeper than files are loaded, so the recursion is bounded by the tree of modules.
fn write_branch(branch: &Branch<'_>, out: &mut String) {
    let mut module = Object::open(out);
    if !branch.resources.is_empty() {
        array(&branch.resources, module.key("resources"), |change, out| {
            let mut one = Object::open(out);
            identity(change, false, &mut one);
            one.raw("schema_version", "0");
            let values = one.key("values");
            if !value::known(&change.instance.value, values) {
                values.push_str("{}");
            }
            value::sensitive(&change.instance.value, one.key("sensitive_values"));
            one.close();
        });
    }
    if !branch.address.is_empty() {
        module.text("address", &branch.address);
    }
    if !branch.children.is_empty() {
        array(branch.children.values(), module.key("child_modules"), |child, out| {
            write_branch(child, out);
        });
    }
    module.close();
}

/// Who an instance is.
fn identity(change: &Change, with_module: bool, one: &mut Object<'_>) {
    one.text("address", &change.instance.address);
    if with_module && !change.module.is_empty() {
        one.text("module_address", &change.module);
    }
    one.text("mode", if change.mode == Mode::Data { "data" } else { "managed" });
    one.text("type", &change.kind);
    one.text("name", &change.name);
    match &change.instance.key {
        Key::None => {}
        Key::Number(number) => one.raw("index", &number.to_string()),
        Key::Text(text) => one.raw("index", &string(text)),
    }
    one.text("provider_name", &change.provider);
}

/// Writes one change.
pub(super) fn change(change: &Change, out: &mut String) {
    let mut one = Object::open(out);
    identity(change, true, &mut one);
    let mut what = one.object("change");
    what.raw("actions", &format!("[\"{}\"]", change.action.slug()));
    what.raw("before", "null");
    let value = &change.instance.value;
    let after = what.key("after");
    if !value::known(value, after) {
        after.push_str("{}");
    }
    value::unknown(value, what.key("after_unknown"));
    what.flag("before_sensitive", false);
    value::sensitive(value, what.key("after_sensitive"));
    what.close();
    if let Some(reason) = change.reason {
        one.text("action_reason", reason);
    }
    one.close();
}
