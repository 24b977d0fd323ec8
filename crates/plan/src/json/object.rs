//! Instances of resources: the list of changes, and the same instances as a tree of modules.

use groma_folder::{Key, Mode};
use groma_project::{Reading, ResourceInstance};
use groma_value::json::{JsonObject, JsonText, array};
use groma_value::{PathStep, Str, Value};
use rustc_hash::FxHashMap;

use super::value;
use crate::change::{Action, Change, Owner};
use crate::options::Goal;
use crate::plan::Plan;
use crate::prior::shape;

/// Which values a tree holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Writing {
    /// What is planned.
    Planned,
    /// What was read before.
    Read,
}

impl Writing {
    fn values(self, value: &Value, out: &mut JsonText<'_>) -> bool {
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
            let done = module
                .instances(at)
                .filter(|i| matches!(i.reading, Some(Reading::Done | Reading::Failed)));
            let owner = Owner::of(&module, resource);
            found.extend(done.map(|mut instance| {
                if instance.reading == Some(Reading::Failed) {
                    instance.value = without_answer(&instance.value);
                }
                Change::new(&owner, resource, instance, Action::Read, None)
            }));
        }
    }
    found
}

/// What was asked, without what was to be found: of data that could not be read nothing came back.
fn without_answer(value: &Value) -> Value {
    let Value::Object(object) = value.bare() else { return value.clone() };
    let attribute = |(name, value): (&Str, &Value)| match value.is_known() {
        true => (name.clone(), value.clone()),
        false => (name.clone(), Value::NULL),
    };
    Value::object(object.iter().map(attribute)).mark(&value.marks())
}

/// A module with what is in it and below it.
#[derive(Default)]
struct Branch<'s> {
    address: String,
    resources: Vec<&'s Change>,
    children: std::collections::BTreeMap<String, Branch<'s>>,
}

/// Writes a tree of modules, each with its resources in the order of texts.
pub(super) fn tree(mut all: Vec<&Change>, writing: Writing, out: &mut JsonText<'_>) {
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
fn write_branch(branch: &Branch<'_>, writing: Writing, out: &mut JsonText<'_>) {
    let mut module = JsonObject::open(out);
    if !branch.resources.is_empty() {
        array(&branch.resources, module.key("resources"), |change, out| {
            let mut one = JsonObject::open(out);
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
fn identity(change: &Change, with_module: bool, one: &mut JsonObject<'_, '_>) {
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

/// Writes one change. What was there before may hold unknowns where it `is_compared` with what is planned elsewhere.
pub(super) fn change(change: &Change, is_compared: bool, out: &mut JsonText<'_>) {
    let mut one = JsonObject::open(out);
    identity(change, true, &mut one);
    if let Some(key) = &change.deposed {
        one.text("deposed", key);
    }
    if let Some(address) = &change.previous {
        one.text("previous_address", address);
    }
    let mut what = one.object("change");
    array(change.action.slugs(), what.key("actions"), |word, out| {
        out.string(word);
    });
    match change.before.as_ref().filter(|before| value::is_shown(before)) {
        Some(before) if is_compared => drop(value::planned(before, what.key("before"))),
        Some(before) => drop(value::known(before, what.key("before"))),
        None => what.raw("before", "null"),
    }
    let value = &change.instance.value;
    if change.action.leaves() {
        let after = what.key("after");
        if !value::planned(value, after) {
            after.push_str("{}");
        }
    } else {
        what.raw("after", "null");
    }
    match value.is_wholly_known() {
        true => what.raw("after_unknown", "{}"),
        false => {
            value::unknown(value, what.key("after_unknown"));
        }
    }
    match &change.before {
        Some(before) if is_compared && !before.is_wholly_known() => {
            value::unknown(before, what.key("before_unknown"));
        }
        _ if is_compared => what.raw("before_unknown", "{}"),
        _ => {}
    }
    match &change.before {
        Some(before) => drop(value::sensitive(before, what.key("before_sensitive"))),
        None => what.flag("before_sensitive", false),
    }
    match change.action.leaves() {
        true => drop(value::sensitive(value, what.key("after_sensitive"))),
        false => what.flag("after_sensitive", false),
    }
    if !change.replace_paths.is_empty() {
        array(&change.replace_paths, what.key("replace_paths"), |path, out| {
            array(&path.0, out, |step, out| match step {
                PathStep::Attribute(name) => out.string(name),
                PathStep::Index(key) => drop(value::known(key, out)),
            });
        });
    }
    if let Some(id) = &change.importing {
        let mut importing = what.object("importing");
        match id {
            Some(id) => importing.text("id", id),
            None => importing.flag("unknown", true),
        }
        importing.close();
    }
    what.close();
    if let Some(reason) = change.reason {
        one.text("action_reason", reason);
    }
    one.close();
}

/// What was recorded of what is managed, as the configuration sees it.
pub(super) fn recorded(plan: &Plan) -> Vec<Change> {
    let facts = plan.facts();
    let known: FxHashMap<&str, &Change> = plan
        .changes()
        .iter()
        .filter(|change| change.deposed.is_none())
        .map(|change| (change.instance.address.as_str(), change))
        .collect();
    let slots = facts.prior().slots().iter().filter_map(|slot| {
        let object = facts.prior().object(slot.current?)?;
        let target = slot.target.as_ref()?;
        let wanted = target.resource.as_ref()?;
        let before = known.get(slot.address.as_str()).and_then(|change| change.before.clone());
        let before = before.or_else(|| {
            let schema = shape(object, &wanted.kind, plan.evaluation().schemas());
            let shape = schema.as_ref().map(|schema| &*schema.block);
            facts.prior().value(object, shape).ok().flatten()
        });
        let instance = ResourceInstance {
            address: slot.address.clone(),
            key: wanted.key.clone(),
            value: before?,
            is_whole: true,
            reading: None,
            outcome: None,
        };
        let owner = Owner::recorded(&target.modules, object.entry.provider.source.clone(), None);
        let (kind, name) = (wanted.kind.clone(), wanted.name.clone());
        Some(Change::bare(&owner, instance, Mode::Managed, kind, name))
    });
    slots.collect()
}

/// What has moved, where nothing else is done.
pub(super) fn drift(plan: &Plan) -> Vec<Change> {
    if plan.facts().options.goal != Goal::Refresh {
        return Vec::new();
    }
    let slots = plan.facts().prior();
    let mut all = recorded(plan);
    for change in &mut all {
        let slot = slots.slot(&change.instance.address);
        change.previous = slot.and_then(|slot| slot.from.as_ref()).map(ToString::to_string);
        change.before = Some(change.instance.value.clone());
    }
    all.retain(|change| change.previous.is_some());
    all
}
