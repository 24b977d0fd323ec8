//! Instances of resources: the list of changes, and the same instances as a tree of modules.

use groma_folder::{Key, Mode};
use groma_project::Reading;
use groma_value::Value;

use super::value;
use crate::change::{Action, Change, Owner};
use crate::plan::Plan;
use groma_value::json::{Object, Text, array};

/// Which values a tree holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Writing {
    /// What is planned.
    Planned,
    /// What was read before.
    Read,
}

impl Writing {
    fn values(self, value: &Value, out: &mut Text<'_>) -> bool {
        match self {
            Writing::Planned => value::planned(value, out),
            Writing::Read => value::known(value, out),
        }
    }
}

/// The data that was read.
pub(super) fn read(plan: &Plan) -> Vec<Change> {
    let mut found = Vec::new();
    for module in plan.modules() {
        for (at, resource) in module.module().resources.iter().enumerate() {
            if resource.mode != Mode::Data {
                continue;
            }
            let done = module.instances(at).filter(|i| i.reading == Some(Reading::Done));
            let owner = Owner::of(&module, resource);
            found.extend(done.map(|i| Change::new(&owner, resource, i, Action::Read, None)));
        }
    }
    found
}

/// A module with what is in it and below it.
#[derive(Default)]
struct Branch<'s> {
    address: String,
    resources: Vec<&'s Change>,
    children: std::collections::BTreeMap<String, Branch<'s>>,
}

/// Writes a tree of modules, each with its resources in the order of texts.
pub(super) fn tree(mut all: Vec<&Change>, writing: Writing, out: &mut Text<'_>) {
    all.sort_by(|a, b| {
        (a.module().cmp(b.module()))
            .then_with(|| a.path().len().cmp(&b.path().len()))
            .then_with(|| a.instance.address.cmp(&b.instance.address))
    });
    let mut root = Branch::default();
    for inside in all.chunk_by(|a, b| a.path() == b.path()) {
        let mut branch = &mut root;
        let mut address = String::new();
        for (name, key) in inside[0].path() {
            if !address.is_empty() {
                address.push('.');
            }
            address.push_str(&format!("module.{}{}", &**name, key.suffix()));
            branch = branch.children.entry(address.clone()).or_default();
            branch.address.clone_from(&address);
        }
        branch.resources.extend(inside);
    }
    write_branch(&root, writing, out);
}

/// Modules nest no deeper than files are loaded, so the recursion is bounded by the tree of modules.
fn write_branch(branch: &Branch<'_>, writing: Writing, out: &mut Text<'_>) {
    let mut module = Object::open(out);
    if !branch.resources.is_empty() {
        array(&branch.resources, module.key("resources"), |change, out| {
            let mut one = Object::open(out);
            identity(change, false, &mut one);
            one.raw("schema_version", "0");
            let values = one.key("values");
            if !writing.values(&change.instance.value, values) {
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
            write_branch(child, writing, out);
        });
    }
    module.close();
}

/// Who an instance is.
fn identity(change: &Change, with_module: bool, one: &mut Object<'_, '_>) {
    one.text("address", &change.instance.address);
    if with_module && !change.module().is_empty() {
        one.text("module_address", change.module());
    }
    one.text("mode", if change.mode == Mode::Data { "data" } else { "managed" });
    one.text("type", &change.kind);
    one.text("name", &change.name);
    match &change.instance.key {
        Key::None => {}
        Key::Number(number) => one.raw("index", &number.to_string()),
        Key::Text(text) => one.text("index", text),
    }
    one.text("provider_name", change.provider());
}

/// Writes one change.
pub(super) fn change(change: &Change, out: &mut Text<'_>) {
    let mut one = Object::open(out);
    identity(change, true, &mut one);
    let mut what = one.object("change");
    array([change.action.slug()], what.key("actions"), |word, out| {
        out.string(word);
    });
    what.raw("before", "null");
    let value = &change.instance.value;
    let after = what.key("after");
    if !value::planned(value, after) {
        after.push_str("{}");
    }
    match value.is_wholly_known() {
        true => what.raw("after_unknown", "{}"),
        false => {
            value::unknown(value, what.key("after_unknown"));
        }
    }
    what.flag("before_sensitive", false);
    value::sensitive(value, what.key("after_sensitive"));
    what.close();
    if let Some(reason) = change.reason {
        one.text("action_reason", reason);
    }
    one.close();
}
