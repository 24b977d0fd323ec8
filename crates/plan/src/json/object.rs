//! JSON of resource instances: the list of changes, and the same instances as a tree of modules.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use groma_config::{InstanceAddress, InstanceKey, ResourceAddress, ResourceMode, ResourceName};
use groma_project::{DataReading, ResourceInstance};
use groma_value::json::{JsonObject, JsonText, array};
use groma_value::{PathStep, Str, Value};
use rustc_hash::FxHashMap;

use super::provider_computed::ProviderComputed;
use super::value;
use crate::change::{Action, Change, ChangeContext, ChangeOwner, ContextCache, ImportId};
use crate::options::PlanGoal;
use crate::order::DependencyOrder;
use crate::plan::Plan;
use crate::prior::{PriorInstance, shape};
use crate::state::{RecordedInstance, ResourceEntry};
use crate::targets::is_out_of_scope;

/// The kind of values that are written in a tree of modules: planned, or read before planning.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ObjectWriting {
    /// The planned values.
    Planned,
    /// The values that were read before planning.
    Read,
}

impl ObjectWriting {
    /// Writes the values of a resource instance as JSON; returns false and writes nothing if the whole is unknown.
    fn values(self, value: &Value, out: &mut JsonText<'_>) -> bool {
        match self {
            ObjectWriting::Planned => value::planned(value, out),
            ObjectWriting::Read => value::known(value, out),
        }
    }
}

/// Returns the data sources that were read before planning, as changes with the action *read*.
pub(super) fn read(plan: &Plan) -> Vec<Change> {
    let mut found = Vec::new();
    for module in plan.modules() {
        for (at, resource) in module.module().resources.iter().enumerate() {
            if resource.mode != ResourceMode::Data {
                continue;
            }
            let done = module
                .instances(at)
                .filter(|i| matches!(i.reading, Some(DataReading::Done | DataReading::Failed)));
            let owner = ChangeOwner::of(&module, resource);
            found.extend(done.map(|mut instance| {
                if instance.reading == Some(DataReading::Failed) {
                    instance.value = without_answer(&instance.value);
                }
                Change::new(&owner, resource, instance, Action::Read, None)
            }));
        }
    }
    found
}

/// Returns the value of a data source that could not be read, with null for everything that is unknown.
fn without_answer(value: &Value) -> Value {
    let Value::Object(object) = value.bare() else { return value.clone() };
    let attribute = |(name, value): (&Str, &Value)| match value.is_known() {
        true => (name.clone(), value.clone()),
        false => (name.clone(), Value::NULL),
    };
    Value::object(object.iter().map(attribute)).mark(&value.marks())
}

/// A resource instance in a JSON tree of modules: planned, imported or recorded.
pub(super) enum TreeMember<'p> {
    Planned(&'p Change),
    Recorded(&'p PriorInstance, &'p ResourceEntry, Value, Arc<[Arc<str>]>),
    /// An imported object and the value that was read.
    Imported(&'p Change, &'p Value),
}

impl<'p> TreeMember<'p> {
    /// Returns the address of the instance's module.
    fn path(&self) -> &'p [(Str, InstanceKey)] {
        match self {
            TreeMember::Planned(change) | TreeMember::Imported(change, _) => change.path(),
            TreeMember::Recorded(past, ..) => past.address.module(),
        }
    }

    /// Returns the address of the instance.
    fn address(&self) -> &'p InstanceAddress {
        match self {
            TreeMember::Planned(change) | TreeMember::Imported(change, _) => {
                &change.instance.address
            }
            TreeMember::Recorded(past, ..) => &past.address,
        }
    }

    /// Returns the value of the instance; in a planned one, `left` makes the attributes unknown that only the provider
    /// knows.
    fn value(&self, left: &ProviderComputed<'_>) -> Cow<'_, Value> {
        match self {
            TreeMember::Planned(change) => left.value(change),
            TreeMember::Imported(_, value) => Cow::Borrowed(*value),
            TreeMember::Recorded(.., value, _) => Cow::Borrowed(value),
        }
    }

    /// Returns the dependencies that the state records of the instance; empty for a planned one.
    fn dependencies(&self) -> &[Arc<str>] {
        match self {
            TreeMember::Recorded(.., dependencies) => dependencies,
            TreeMember::Planned(_) | TreeMember::Imported(..) => &[],
        }
    }

    /// Returns the components of the instance's address.
    fn identity(&self) -> InstanceIdentity<'_> {
        match self {
            TreeMember::Planned(change) | TreeMember::Imported(change, _) => {
                InstanceIdentity::of(&change.instance.address, change.provider())
            }
            TreeMember::Recorded(past, entry, ..) => {
                InstanceIdentity::of(&past.address, &entry.provider.source)
            }
        }
    }
}

/// A module in a JSON tree: its resource instances and its child modules.
#[derive(Default)]
struct ModuleBranch<'p> {
    address: String,
    resources: Vec<TreeMember<'p>>,
    children: std::collections::BTreeMap<String, ModuleBranch<'p>>,
}

/// Writes a JSON tree of modules with these resource instances and their values of the kind `writing`, sorted by the text of
/// their addresses; in planned values, `left` makes the attributes unknown that only the provider knows.
pub(super) fn tree<'p>(
    all: impl Iterator<Item = TreeMember<'p>>,
    writing: ObjectWriting,
    left: &ProviderComputed<'_>,
    out: &mut JsonText<'_>,
) {
    let mut root = ModuleBranch::default();
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

/// Writes a module of the JSON tree with its instances and children and their values of the kind `writing`; in planned ones,
/// `left` makes the attributes unknown that only the provider knows. Recursion is bounded by the depth of the module tree.
fn write_branch(
    mut branch: ModuleBranch<'_>,
    writing: ObjectWriting,
    left: &ProviderComputed<'_>,
    out: &mut JsonText<'_>,
) {
    let mut module = JsonObject::open(out);
    if !branch.resources.is_empty() {
        // The order is that of the texts, which may differ from that of addresses. No two are equal.
        let members = branch.resources.drain(..);
        let mut members: Vec<(String, TreeMember<'_>)> =
            members.map(|member| (member.address().to_string(), member)).collect();
        members.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        array(&members, module.key("resources"), |(address, member), out| {
            let mut one = JsonObject::open(out);
            member.identity().write(address, "", &mut one);
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

/// The components of a resource instance's address: mode, type, name, key and provider.
pub(super) struct InstanceIdentity<'p> {
    pub(super) mode: ResourceMode,
    pub(super) kind: &'p str,
    pub(super) name: &'p str,
    pub(super) key: &'p InstanceKey,
    pub(super) provider: &'p str,
}

impl<'p> InstanceIdentity<'p> {
    /// Returns the components of an instance address, with the given provider.
    pub(super) fn of(address: &'p InstanceAddress, provider: &'p str) -> InstanceIdentity<'p> {
        let ResourceName { mode, kind, name } = address.resource().name();
        InstanceIdentity { mode: *mode, kind, name, key: address.key(), provider }
    }

    /// Writes the address of the instance as text, its components, and the module's address unless that is empty.
    pub(super) fn write(&self, address: &str, module: &str, one: &mut JsonObject<'_, '_>) {
        one.text("address", address);
        if !module.is_empty() {
            one.text("module_address", module);
        }
        one.text("mode", if self.mode == ResourceMode::Data { "data" } else { "managed" });
        one.text("type", self.kind);
        one.text("name", self.name);
        match self.key {
            InstanceKey::None => {}
            InstanceKey::Number(number) => one.raw("index", &number.to_string()),
            InstanceKey::Text(text) => one.text("index", text),
        }
        one.text("provider_name", self.provider);
    }
}

/// Writes the change of one resource instance, with the planned value as the view `left` shows it, in which what only the
/// provider knows is unknown; if `is_compared`, the prior value is that of another plan and may contain unknowns.
pub(super) fn change(
    change: &Change,
    is_compared: bool,
    left: &ProviderComputed<'_>,
    out: &mut JsonText<'_>,
) {
    let mut one = JsonObject::open(out);
    let address = &change.instance.address;
    InstanceIdentity::of(address, change.provider()).write(
        &address.to_string(),
        change.module(),
        &mut one,
    );
    if let Some(key) = &change.deposed {
        one.text("deposed", key);
    }
    if let Some(address) = &change.previous {
        one.text("previous_address", &address.to_string());
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
    if change.action.leaves_object() {
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
    match change.action.leaves_object() {
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
        one.text("action_reason", reason.slug());
    }
    one.close();
}

/// Returns the recorded managed instances, at their addresses after moves.
pub(super) fn recorded(plan: &Plan) -> Vec<TreeMember<'_>> {
    let facts = plan.facts();
    if facts.prior().instances().is_empty() {
        return Vec::new();
    }
    let needs = DependencyOrder::of(plan.evaluation().project());
    let mut known: FxHashMap<&ResourceAddress, Arc<[Arc<str>]>> = FxHashMap::default();
    let instances = facts.prior().instances().iter().filter_map(|past| {
        let object = facts.prior().object(past.current?)?;
        let recorded = || object.dependencies.iter().map(|one| Arc::from(&**one));
        let merged = |now: &[Arc<str>]| -> Arc<[Arc<str>]> {
            let all: BTreeSet<Arc<str>> = recorded().chain(now.iter().cloned()).collect();
            all.into_iter().collect()
        };
        let change = plan.change_at(&past.address);
        let mut now = || {
            let now = known.entry(past.address.resource());
            now.or_insert_with_key(|resource| needs.resources_of(&(*resource).into())).clone()
        };
        let needed = match is_out_of_scope(facts.scope.get(), &past.address) {
            // An unchanged object counts as created from the present configuration.
            false if change.is_some_and(|change| change.action == Action::NoOp) => now(),
            // A refresh adds the present dependencies to the recorded ones.
            false if facts.refreshes() => merged(&now()),
            _ => merged(&[]),
        };
        let before = change.and_then(|change| change.before.clone());
        let before = before.or_else(|| as_recorded(plan, object));
        Some(TreeMember::Recorded(past, &object.entry, before?, needed))
    });
    instances.collect()
}

/// Returns the imported objects whose values a provider has read.
pub(super) fn imported(plan: &Plan) -> impl Iterator<Item = TreeMember<'_>> {
    let all = plan.changes().iter().filter(|change| change.importing.is_some());
    all.filter_map(|change| {
        let before = change.before.as_ref().filter(|before| before.is_wholly_known())?;
        Some(TreeMember::Imported(change, before))
    })
}

/// Returns the decoded value that the state records of an object, if it can be read.
fn as_recorded(plan: &Plan, object: &RecordedInstance) -> Option<Value> {
    let evaluation = plan.evaluation();
    let schema =
        shape(object, &object.entry.kind, evaluation.schemas(), evaluation.project().edition());
    let shape = schema.as_ref().map(|schema| &*schema.block);
    plan.facts().prior().value(object, shape).ok().flatten()
}

/// Collects the objects that moved to another address, each as a *no-op* change with its previous address; none unless the goal
/// of the plan is to refresh.
pub(super) fn drift(plan: &Plan) -> Vec<Change> {
    let facts = plan.facts();
    if facts.options.goal != PlanGoal::Refresh {
        return Vec::new();
    }
    let mut common = ContextCache::default();
    let instances = facts.prior().instances().iter().filter_map(|past| {
        let from = past.from.as_ref()?;
        let object = facts.prior().object(past.current?)?;
        let wanted = past.address.resource().name();
        let value = as_recorded(plan, object)?;
        let instance = ResourceInstance {
            address: past.address.clone(),
            value: value.clone(),
            is_whole: true,
            reading: None,
            outcome: None,
        };
        let owner = common.recorded(past.address.module(), &object.entry.provider.source, None);
        let (kind, name) = (wanted.kind.clone(), wanted.name.clone());
        let around = ChangeContext {
            previous: Some(from.clone()),
            ..ChangeContext::of(owner, ResourceMode::Managed, kind, name)
        };
        Some(Change::with_context(instance, Some(value), around))
    });
    instances.collect()
}
