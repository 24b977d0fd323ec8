//! JSON of the results of conditions, grouped by the declared object that they belong to, with its instances.

use groma_address::text::below;
use groma_config::{DeclarationAddress, DeclarationName, InstanceKey, ResourceMode};
use groma_module::declare::Resource;
use groma_project::{
    ConditionOutcome, ConditionSubject, ConditionVerdict, ModuleInstance, ModuleNode,
};
use groma_value::json::{JsonObject, JsonText, array};
use rustc_hash::FxHashMap;

use crate::options::PlanGoal;
use crate::plan::Plan;
use crate::targets::{TargetSelection, is_out_of_scope};

/// A declared variable, output, resource or check with conditions, and the outcomes of these in its instances.
struct CheckedObject {
    /// The properties of its address, without the displayed text.
    address: Vec<(&'static str, String)>,
    instances: Vec<CheckedInstance>,
    /// True if it was not evaluated.
    is_open: bool,
}

/// The declared objects that have conditions, by address.
type CheckedObjects = FxHashMap<DeclarationAddress, CheckedObject>;

/// An instance of an object with conditions, and the outcome of these.
struct CheckedInstance {
    shown: String,
    module: String,
    key: InstanceKey,
    outcome: ConditionOutcome,
}

/// Writes the results of all conditions as the property `checks` of a plan's JSON document, unless there are none.
pub(super) fn write(plan: &Plan, top: &mut JsonObject<'_, '_>) {
    let mut entries = CheckedObjects::default();
    declare(plan.evaluation().project().tree(), &mut entries);
    let facts = plan.facts();
    // A destroy plan evaluates no conditions.
    let is_evaluated = facts.options.goal != PlanGoal::Destroy;
    if is_evaluated {
        for module in plan.modules() {
            gather(&module, facts.scope.get(), &mut entries);
        }
    }
    if entries.is_empty() {
        return;
    }
    let mut shown: Vec<(String, CheckedObject)> = entries
        .into_iter()
        .map(|(address, mut entry)| {
            let is_wanted =
                facts.scope.get().is_none_or(|scope| scope.contains_declaration(&address));
            let is_untouched = facts.scope.get().is_some() && entry.instances.is_empty();
            entry.is_open = !is_evaluated || !is_wanted || is_untouched;
            (address.to_string(), entry)
        })
        .collect();
    shown.sort_by(|(one, _), (other, _)| one.cmp(other));
    array(&shown, top.key("checks"), |(shown, entry), out| entry_json(shown, entry, out));
}

/// Returns true if a resource has preconditions or postconditions.
fn has_conditions(resource: &Resource) -> bool {
    let lifecycle = resource.lifecycle();
    !lifecycle.preconditions.is_empty() || !lifecycle.postconditions.is_empty()
}

/// Adds the objects with conditions that a module and its children declare. Recursion is bounded by the depth of the module tree.
fn declare(node: ModuleNode<'_>, entries: &mut CheckedObjects) {
    let module = node.module();
    let around = node.address();
    let mut add = |name: DeclarationName, mut address: Vec<(&'static str, String)>| {
        if !around.is_empty() {
            address.push(("module", around.clone()));
        }
        let entry = CheckedObject { address, instances: Vec::new(), is_open: false };
        entries.insert(DeclarationAddress::new(node.path(), name), entry);
    };
    for variable in module.variables.iter().filter(|v| !v.validations.is_empty()) {
        let address = vec![("kind", "var".to_owned()), ("name", variable.name.to_string())];
        add(DeclarationName::Variable(variable.name.clone()), address);
    }
    for output in module.outputs.iter().filter(|o| !o.preconditions.is_empty()) {
        let address = vec![("kind", "output_value".to_owned()), ("name", output.name.to_string())];
        add(DeclarationName::Output(output.name.clone()), address);
    }
    for check in &module.checks {
        let address = vec![("kind", "check".to_owned()), ("name", check.name.to_string())];
        add(DeclarationName::Check(check.name.clone()), address);
    }
    for resource in module.resources.iter().filter(|r| has_conditions(r)) {
        let mode = if resource.mode == ResourceMode::Data { "data" } else { "managed" };
        let address = vec![
            ("kind", "resource".to_owned()),
            ("mode", mode.to_owned()),
            ("name", resource.name.to_string()),
            ("type", resource.kind.to_string()),
        ];
        add(DeclarationName::Resource(resource.own_name()), address);
    }
    for child in (0..module.calls.len()).filter_map(|call| node.child(call)) {
        declare(child, entries);
    }
}

/// Adds the outcomes of the conditions in a module instance to those of their declared objects, of resources only within
/// `scope` if a plan is limited.
fn gather(module: &ModuleInstance, scope: Option<&TargetSelection>, entries: &mut CheckedObjects) {
    let declared = module.module();
    let path = module.node().path();
    let inside = |name: DeclarationName| DeclarationAddress::new(path.clone(), name);
    let mut add = |name: DeclarationName, key: InstanceKey, outcome: Option<ConditionOutcome>| {
        let Some(outcome) = outcome else { return };
        if let Some(entry) = entries.get_mut(&inside(name.clone())) {
            let shown = below(module.address(), &format!("{name}{key}"));
            let module = module.address().to_owned();
            entry.instances.push(CheckedInstance { shown, module, key, outcome });
        }
    };
    for (at, variable) in declared.variables.iter().enumerate() {
        let outcome = module.outcome(ConditionSubject::Variable(at));
        add(DeclarationName::Variable(variable.name.clone()), InstanceKey::None, outcome);
    }
    for (at, output) in declared.outputs.iter().enumerate() {
        let outcome = module.outcome(ConditionSubject::Output(at));
        add(DeclarationName::Output(output.name.clone()), InstanceKey::None, outcome);
    }
    for (at, check) in declared.checks.iter().enumerate() {
        let outcome = module.outcome(ConditionSubject::Check(at));
        add(DeclarationName::Check(check.name.clone()), InstanceKey::None, outcome);
    }
    for (at, resource) in declared.resources.iter().enumerate().filter(|(_, r)| has_conditions(r)) {
        let name = DeclarationName::Resource(resource.own_name());
        if scope.is_some_and(|scope| !scope.contains_declaration(&inside(name.clone()))) {
            continue;
        }
        for instance in module.instances(at) {
            // All instances of a resource within the scope are listed, even those left unchanged.
            let outcome = match is_out_of_scope(scope, &instance.address) {
                true => Some(ConditionOutcome {
                    verdict: ConditionVerdict::Unknown,
                    problems: Vec::new(),
                }),
                false => instance.outcome.map(|outcome| *outcome),
            };
            add(name.clone(), instance.address.key().clone(), outcome);
        }
    }
}

/// Writes a declared object with conditions, at the address text `shown`, and the results of these in its instances.
fn entry_json(shown: &str, entry: &CheckedObject, out: &mut JsonText<'_>) {
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
    let worst = worst.unwrap_or(if entry.is_open {
        ConditionVerdict::Unknown
    } else {
        ConditionVerdict::Pass
    });
    one.text("status", worst.slug());
    if !entry.instances.is_empty() {
        array(&entry.instances, one.key("instances"), instance_json);
    }
    one.close();
}

/// Writes the result of an instance's conditions: its status and the messages of those that failed.
fn instance_json(instance: &CheckedInstance, out: &mut JsonText<'_>) {
    let mut one = JsonObject::open(out);
    let mut address = one.object("address");
    match &instance.key {
        InstanceKey::None => {}
        InstanceKey::Number(number) => address.raw("instance_key", &number.to_string()),
        InstanceKey::Text(text) => address.text("instance_key", text),
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
