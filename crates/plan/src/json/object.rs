//! Instances of resources: the list of changes, and the same instances as a tree of modules.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use groma_folder::{Key, Mode, Target};
use groma_project::{Reading, ResourceInstance};
use groma_value::json::{JsonObject, JsonText, array};
use groma_value::{PathStep, Str, Value};

use super::left::Left;
use super::value;
use crate::change::{Action, Change, Circumstances, Common, ImportId, Owner};
use crate::options::Goal;
use crate::order::Needs;
use crate::plan::Plan;
use crate::prior::{Slot, shape};
use crate::state::{Entry, Recorded};
use crate::targets::{is_left, without_keys};

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

/// What stands in a tree: an instance of which something is planned, or what is recorded of one.
pub(super) enum Member<'p> {
    Planned(&'p Change),
    Recorded(&'p Slot, &'p Target, &'p Entry, Value, Vec<String>),
    /// What is taken over as it was found.
    Imported(&'p Change, &'p Value),
}

impl<'p> Member<'p> {
    fn path(&self) -> &'p [(Str, Key)] {
        match self {
            Member::Planned(change) | Member::Imported(change, _) => change.path(),
            Member::Recorded(_, target, ..) => &target.modules,
        }
    }

    fn value(&self, left: &Left<'_>) -> Cow<'_, Value> {
        match self {
            Member::Planned(change) => left.value(change),
            Member::Imported(_, value) => Cow::Borrowed(*value),
            Member::Recorded(.., value, _) => Cow::Borrowed(value),
        }
    }

    /// What it was made from, if that is recorded.
    fn dependencies(&self) -> &[String] {
        match self {
            Member::Recorded(.., dependencies) => dependencies,
            Member::Planned(_) | Member::Imported(..) => &[],
        }
    }

    fn identity(&self) -> Identity<'_> {
        match self {
            Member::Planned(change) | Member::Imported(change, _) => Identity::of(change),
            Member::Recorded(slot, target, entry, ..) => {
                let own = target.resource.as_ref();
                Identity {
                    address: &slot.address,
                    mode: Mode::Managed,
                    kind: own.map_or("", |own| &own.kind),
                    name: own.map_or("", |own| &own.name),
                    key: own.map_or(&Key::None, |own| &own.key),
                    provider: &entry.provider.source,
                }
            }
        }
    }
}

/// A module with what is in it and below it.
#[derive(Default)]
struct Branch<'p> {
    address: String,
    resources: Vec<Member<'p>>,
    children: std::collections::BTreeMap<String, Branch<'p>>,
}

/// Writes a tree of modules, each with its resources in the order of texts.
pub(super) fn tree<'p>(
    all: impl Iterator<Item = Member<'p>>,
    writing: Writing,
    left: &Left<'_>,
    out: &mut JsonText<'_>,
) {
    let mut root = Branch::default();
    let mut all = all.peekable();
    while let Some(first) = all.next() {
        let path = first.path();
        let mut branch = &mut root;
        let mut address = String::new();
        for (name, key) in path {
            if !address.is_empty() {
                address.push('.');
            }
            address.push_str(&format!("module.{}{}", &**name, key.suffix()));
            branch = branch.children.entry(address.clone()).or_default();
            branch.address.clone_from(&address);
        }
        branch.resources.push(first);
        while let Some(next) = all.next_if(|next| next.path() == path) {
            branch.resources.push(next);
        }
    }
    write_branch(root, writing, left, out);
}

/// Modules nest no deeper than files are loaded, so the recursion is bounded by the tree of modules.
fn write_branch(mut branch: Branch<'_>, writing: Writing, left: &Left<'_>, out: &mut JsonText<'_>) {
    let mut module = JsonObject::open(out);
    if !branch.resources.is_empty() {
        // No two have one address, and this takes no room.
        let order = |a: &Member<'_>, b: &Member<'_>| a.identity().address.cmp(b.identity().address);
        branch.resources.sort_unstable_by(order);
        array(&branch.resources, module.key("resources"), |member, out| {
            let mut one = JsonObject::open(out);
            member.identity().write("", &mut one);
            one.raw("schema_version", "0");
            let (value, values) = (member.value(left), one.key("values"));
            if !writing.values(&value, values) {
                values.push_str("{}");
            }
            value::sensitive(&value, one.key("sensitive_values"));
            let needed = member.dependencies();
            if !needed.is_empty() {
                array(needed, one.key("depends_on"), |address, out| out.string(address));
            }
            one.close();
        });
    }
    drop(branch.resources);
    if !branch.address.is_empty() {
        module.text("address", &branch.address);
    }
    if !branch.children.is_empty() {
        array(branch.children.into_values(), module.key("child_modules"), |child, out| {
            write_branch(child, writing, left, out);
        });
    }
    module.close();
}

/// Who an instance is.
pub(super) struct Identity<'p> {
    pub(super) address: &'p str,
    pub(super) mode: Mode,
    pub(super) kind: &'p str,
    pub(super) name: &'p str,
    pub(super) key: &'p Key,
    pub(super) provider: &'p str,
}

impl Identity<'_> {
    fn of(change: &Change) -> Identity<'_> {
        Identity {
            address: &change.instance.address,
            mode: change.mode,
            kind: &change.kind,
            name: &change.name,
            key: &change.instance.key,
            provider: change.provider(),
        }
    }

    /// Writes it, and its module where that is told.
    pub(super) fn write(&self, module: &str, one: &mut JsonObject<'_, '_>) {
        one.text("address", self.address);
        if !module.is_empty() {
            one.text("module_address", module);
        }
        one.text("mode", if self.mode == Mode::Data { "data" } else { "managed" });
        one.text("type", self.kind);
        one.text("name", self.name);
        match self.key {
            Key::None => {}
            Key::Number(number) => one.raw("index", &number.to_string()),
            Key::Text(text) => one.text("index", text),
        }
        one.text("provider_name", self.provider);
    }
}

/// Writes one change. What was there before may hold unknowns where it `is_compared` with what is planned elsewhere.
pub(super) fn change(change: &Change, is_compared: bool, left: &Left<'_>, out: &mut JsonText<'_>) {
    let mut one = JsonObject::open(out);
    Identity::of(change).write(change.module(), &mut one);
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
    let value = &*left.value(change);
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
    if let Some(ImportId { id, .. }) = &change.importing {
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
pub(super) fn recorded(plan: &Plan) -> Vec<Member<'_>> {
    let facts = plan.facts();
    if facts.prior().slots().is_empty() {
        return Vec::new();
    }
    let needs = Needs::of(plan.evaluation().project());
    let mut known: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    let slots = facts.prior().slots().iter().filter_map(|slot| {
        let object = facts.prior().object(slot.current?)?;
        let target = slot.target.as_ref()?;
        let mut needed: BTreeSet<&str> = object.dependencies.iter().map(|one| &**one).collect();
        let change = plan.change_at(target);
        if !is_left(facts.scope.get(), &slot.address) {
            let whole = without_keys(&slot.address);
            let now = known.entry(whole).or_insert_with_key(|whole| needs.resources_of(whole));
            if change.is_some_and(|change| change.action == Action::NoOp) {
                // What stays as it is counts as made from what is written now.
                needed.clone_from(now);
            } else if facts.refreshes() {
                // Looking at it notes that beside what is recorded.
                needed.extend(now.iter());
            }
        }
        let needed = needed.into_iter().map(str::to_owned).collect();
        let before = change.and_then(|change| change.before.clone());
        let before = before.or_else(|| as_recorded(plan, object, target));
        Some(Member::Recorded(slot, target, &object.entry, before?, needed))
    });
    slots.collect()
}

/// What is taken over, as it was found where that is known.
pub(super) fn imported(plan: &Plan) -> impl Iterator<Item = Member<'_>> {
    let all = plan.changes().iter().filter(|change| change.importing.is_some());
    all.filter_map(|change| {
        let before = change.before.as_ref().filter(|before| before.is_wholly_known())?;
        Some(Member::Imported(change, before))
    })
}

fn as_recorded(plan: &Plan, object: &Recorded, target: &Target) -> Option<Value> {
    let evaluation = plan.evaluation();
    let kind = &target.resource.as_ref()?.kind;
    let schema = shape(object, kind, evaluation.schemas(), evaluation.project().edition());
    let shape = schema.as_ref().map(|schema| &*schema.block);
    plan.facts().prior().value(object, shape).ok().flatten()
}

/// What has moved, where nothing else is done.
pub(super) fn drift(plan: &Plan) -> Vec<Change> {
    let facts = plan.facts();
    if facts.options.goal != Goal::Refresh {
        return Vec::new();
    }
    let mut common = Common::default();
    let slots = facts.prior().slots().iter().filter_map(|slot| {
        let from = slot.from.as_ref()?;
        let object = facts.prior().object(slot.current?)?;
        let target = slot.target.as_ref()?;
        let wanted = target.resource.as_ref()?;
        let value = as_recorded(plan, object, target)?;
        let instance = ResourceInstance {
            address: slot.address.clone(),
            key: wanted.key.clone(),
            value: value.clone(),
            is_whole: true,
            reading: None,
            outcome: None,
        };
        let owner = common.recorded(&target.modules, &object.entry.provider.source, None);
        let (kind, name) = (wanted.kind.clone(), wanted.name.clone());
        let around = Circumstances {
            previous: Some(from.to_string()),
            ..Circumstances::of(owner, Mode::Managed, kind, name)
        };
        Some(Change::made(instance, Some(value), around))
    });
    slots.collect()
}
