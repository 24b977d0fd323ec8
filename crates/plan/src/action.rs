//! Actions that applying the plan would invoke: those triggered by changes of resources, or the single action that was
//! requested. Faults in triggers are reported only here, because they matter only then.

use std::sync::Arc;

use groma_config::{AddressPattern, DeclarationAddress, ModuleAddress, ResourceMode};
use groma_module::declare::{ActionEvent, ActionTrigger, Module};
use groma_project::{Evaluation, InstanceEvent, ModuleInstance};
use groma_syntax::{Diagnostic, Diagnostics};
use groma_value::Value;
use rustc_hash::FxHashMap;

use crate::apply_moves;
use crate::change::{Action, Change};
use crate::codes;
use crate::invocation::InvokedAction;
use crate::options::PlanGoal;
use crate::plan::{Plan, modules_of};
use crate::targets::OuterAddresses;

/// Returns the trigger events that an action on a resource instance raises.
fn events(action: Action) -> Vec<ActionEvent> {
    let (creating, destroying) = (ActionEvent::CREATING, ActionEvent::DESTROYING);
    match action {
        Action::Create | Action::ForgetThenCreate | Action::CreateThenForget => creating.to_vec(),
        Action::Update => ActionEvent::UPDATING.to_vec(),
        Action::Delete => destroying.to_vec(),
        Action::DeleteThenCreate | Action::CreateThenDelete => [creating, destroying].concat(),
        Action::NoOp | Action::Read | Action::Forget => Vec::new(),
    }
}

/// Returns true if any resource in the planned project has an action trigger that satisfies `is_meant`.
pub(crate) fn has_triggers(plan: &Plan, is_meant: fn(&ActionTrigger) -> bool) -> bool {
    let has = |module: &Arc<Module>| {
        let triggers = module.resources.iter().flat_map(|one| &one.lifecycle().action_triggers);
        triggers.into_iter().any(is_meant)
    };
    plan.evaluation.project().modules().any(|(_, module)| has(module))
}

/// Returns the action invocations that the changes of a plan trigger, with values from the evaluation `recorded`, if given: in
/// it every resource has its recorded value, as actions need it that run when everything is destroyed.
pub(crate) fn triggered(
    plan: &Plan,
    recorded: Option<&Evaluation>,
    out: &mut Diagnostics,
) -> Vec<InvokedAction> {
    if plan.goal() == PlanGoal::Refresh || !has_triggers(plan, |_| true) {
        return Vec::new();
    }
    let modules = modules_of(recorded.unwrap_or(&plan.evaluation)).into_iter();
    let modules: FxHashMap<ModuleAddress, ModuleInstance> =
        modules.map(|one| (one.path().clone(), one)).collect();
    let mut found = Vec::new();
    let changes = plan.changes.iter();
    for change in changes.filter(|one| one.mode == ResourceMode::Managed && one.deposed.is_none()) {
        let Some(module) = modules.get(change.path()) else {
            report_orphan(plan, change, out);
            continue;
        };
        let Some(at) = position(module.module(), change) else { continue };
        if module.module().resources[at].lifecycle().action_triggers.is_empty() {
            continue;
        }
        if change.is_open {
            report_open(change, module.module(), at, out);
            continue;
        }
        let events = events(change.action);
        let what = InstanceEvent {
            resource: at,
            key: change.instance.address.key(),
            events: &events,
            before: change.before.as_ref(),
        };
        let all = module.invocations(&what, out);
        found.extend(all.into_iter().filter_map(|one| InvokedAction::of(module, one)));
    }
    found
}

/// Returns the index of a changed managed resource in its module's `resources`; `None` if the module does not declare it.
fn position(module: &Module, change: &Change) -> Option<usize> {
    module.resource_position(ResourceMode::Managed, &change.kind, &change.name)
}

/// Reports as a remark at the resource at index `at` that the actions triggered by an instance of it are unknown, because
/// only its provider can decide what changes.
fn report_open(change: &Change, module: &Module, at: usize, out: &mut Diagnostics) {
    let detail = format!(
        "Only the provider can decide what happens to {}, so the actions that it triggers are not shown.",
        change.instance.address
    );
    let place = module.resources[at].place;
    out.push(Diagnostic::remark(&codes::UNDECIDED_ACTION, detail).at(place));
}

/// Warns of an instance that is destroyed with its module instance: the values that its actions would use no longer exist.
fn report_orphan(plan: &Plan, change: &Change, out: &mut Diagnostics) {
    let tree = plan.evaluation.project().tree();
    let Some(node) = apply_moves::node(tree, change.path()) else { return };
    let Some(at) = position(node.module(), change) else { return };
    let triggers = &node.module().resources[at].lifecycle().action_triggers;
    let events = events(change.action);
    let triggers = triggers.iter().filter(|one| one.events.iter().any(|one| events.contains(one)));
    for action in triggers.flat_map(|trigger| &trigger.actions) {
        let detail = format!(
            "{} is destroyed with the module that it is in, and this action is removed with it, so it does not run.",
            change.instance.address
        );
        out.push(Diagnostic::warning(&codes::ORPHANED_ACTION, detail).at(action.place));
    }
}

/// Returns the invocations of the action requested with `-invoke`. If the action's configuration refers to its caller, there is
/// one for each existing resource instance that triggers it.
pub(crate) fn requested(
    plan: &Plan,
    target: &AddressPattern,
    out: &mut Diagnostics,
) -> Vec<InvokedAction> {
    let missing = |out: &mut Diagnostics| {
        let detail = format!(
            "There is no {target}, so it cannot be run. Give the address of a declared action, with the keys of its modules."
        );
        out.push(Diagnostic::error(&codes::NO_SUCH_ACTION, detail));
        Vec::new()
    };
    let Some(wanted) = &target.resource else { return missing(out) };
    let around = AddressPattern { modules: target.modules.clone(), resource: None }.to_string();
    let modules = plan.modules();
    let Some(module) = modules.iter().find(|one| one.address() == around) else {
        return missing(out);
    };
    let declared = module.module();
    let Some(at) = declared.resource_position(ResourceMode::Action, &wanted.kind, &wanted.name)
    else {
        return missing(out);
    };
    let before = out.error_count();
    let asks = declared.resources[at].uses_caller();
    let callers = asks.then(|| callers(plan, module, at, out));
    if out.error_count() > before {
        return Vec::new();
    }
    let Some(all) = module.requested_invocations(at, &wanted.key, callers.as_deref(), out) else {
        return if out.error_count() > before { Vec::new() } else { missing(out) };
    };
    let place = declared.resources[at].place;
    if all.iter().any(|one| plan.evaluation.has_pending(&one.config)) {
        let detail = format!(
            "{target} depends on values that are known only after an apply, so it cannot be run alone. Apply first."
        );
        out.push(Diagnostic::error(&codes::ACTION_CONFIG, detail).at(place));
        return Vec::new();
    }
    all.into_iter().filter_map(|one| InvokedAction::of(module, one)).collect()
}

/// Returns the address and value of each existing resource instance that triggers an action, once per trigger that names the
/// action.
fn callers(
    plan: &Plan,
    module: &ModuleInstance,
    action: usize,
    out: &mut Diagnostics,
) -> Vec<(String, Value)> {
    let (facts, declared) = (plan.facts(), module.module());
    let own = &declared.resources[action];
    let prior = facts.prior();
    let mut found = Vec::new();
    for resource in &declared.resources {
        let triggers = resource.lifecycle().action_triggers.iter();
        let named = triggers.flat_map(|trigger| &trigger.actions);
        let times = named.filter(|one| (&one.kind, &one.name) == (&own.kind, &own.name)).count();
        if times == 0 {
            continue;
        }
        let address = module.resource_address(resource);
        let keys = prior.keys(&address);
        let targets = OuterAddresses::of(&facts.options.targets);
        if keys.is_empty() && (targets.is_empty() || targets.contains_resource(&address)) {
            let detail = format!(
                "{address} triggers {}, but does not exist yet, so its values are unknown. Create it first, or choose another caller with -target.",
                own.address()
            );
            out.push(Diagnostic::error(&codes::ACTION_CONFIG, detail).at(resource.place));
            continue;
        }
        for key in keys {
            let address = address.instance(key.clone());
            if !targets.is_empty() && !targets.contains(&address) {
                continue;
            }
            let Some(object) = prior.current(&address) else { continue };
            let shape = resource.block();
            match prior.value(object, shape.as_deref()) {
                Ok(Some(value)) => {
                    let value = crate::compare::hide(&value, shape.as_deref());
                    found.extend((0..times).map(|_| (address.to_string(), value.clone())));
                }
                Ok(None) => {}
                Err(why) => facts.report(&address, &why, Some(resource.place)),
            }
        }
    }
    found
}

/// Returns true if a declaration must be evaluated for the requested action `target`: it is the call of the action's module or of
/// a module that contains it.
pub(crate) fn is_needed(target: &AddressPattern, declaration: &DeclarationAddress) -> bool {
    let called = declaration.called_module();
    called.is_some_and(|called| called.contains(&target.modules.without_keys()))
}
