//! Validation of `prevent_destroy` and `replace_triggered_by` for a plan. They are evaluated in the scope of the module and not
//! of an instance, because they also apply to instances that no longer exist.

use groma_config::{InstanceKey, ResourceMode};
use groma_eval::Step;
use groma_module::declare::Expression;
use groma_module::dialect::Conventions;
use groma_project::{Evaluation, ModuleInstance, ResourceInstance};
use groma_syntax::{Diagnostic, Diagnostics};
use groma_value::{Mark, Str, Type, Value};

use crate::change::Action;
use crate::codes;
use crate::facts::PlanFacts;

/// Reports `prevent_destroy` and `replace_triggered_by` settings that cannot be evaluated.
pub(crate) fn check(evaluation: &Evaluation, facts: Option<&PlanFacts>, out: &mut Diagnostics) {
    let conventions = Conventions::of(evaluation.project().edition());
    let mut rest = vec![evaluation.root()];
    while let Some(module) = rest.pop() {
        for (at, resource) in module.module().resources.iter().enumerate() {
            let lifecycle = resource.lifecycle();
            let says_nothing = lifecycle.triggers.is_empty()
                && lifecycle.prevent_destroy.is_none()
                && lifecycle.destroy.is_none();
            if says_nothing || resource.mode != ResourceMode::Managed || !exists(&module, at) {
                continue;
            }
            for expression in &lifecycle.triggers {
                check_triggers(&module, at, expression, facts, out);
            }
            if let Some(expression) = &lifecycle.prevent_destroy {
                check_prevent_destroy(&module, expression, out);
            }
            if let Some(expression) = &lifecycle.destroy
                && !conventions.destroy_is_setting
                && !matches!(expression.constant(), Some(Value::Bool(_)))
            {
                let detail = "\"destroy\" is read before anything is evaluated, so it has to be the literal true or false, without quotes.";
                out.push(
                    Diagnostic::error(&codes::LIFECYCLE_DESTROY, detail).at(expression.place()),
                );
            }
        }
        rest.extend(module.children());
    }
}

/// Reports references in the `replace_triggered_by` of the resource at index `at` to instances that do not exist, or, if the
/// plan's `facts` are given, to attributes that do not exist.
fn check_triggers(
    module: &ModuleInstance,
    at: usize,
    expression: &Expression,
    facts: Option<&PlanFacts>,
    out: &mut Diagnostics,
) {
    let located = &expression.located;
    for reference in located.code.references() {
        let steps: &[Step] = &reference.steps;
        if &*reference.root == "data" {
            let detail = "Only managed resources can trigger a replacement, not data sources.";
            out.push(
                Diagnostic::error(&codes::TRIGGER_INSTANCE, detail)
                    .at(located.place(reference.span)),
            );
            continue;
        }
        let (kind, steps) = match (&*reference.root, steps) {
            ("resource", [Step::Attribute(kind), rest @ ..]) => (&**kind, rest),
            (root, steps) => (root, steps),
        };
        let [Step::Attribute(name), rest @ ..] = steps else { continue };
        let Some(other) = module.module().resource_position(ResourceMode::Managed, kind, name)
        else {
            continue;
        };
        if other == at || module.has_unknown_instances(other) {
            continue;
        }
        // A recorded instance that is destroyed can trigger a replacement, too.
        let mut keys: Vec<InstanceKey> =
            module.instances(other).map(|one| one.address.key().clone()).collect();
        if let Some(facts) = facts {
            let whole = module.resource_address(&module.module().resources[other]);
            keys.extend(facts.prior().keys(&whole).iter().cloned());
        }
        let is_there = match rest.first() {
            None | Some(Step::Splat) => !keys.is_empty(),
            Some(Step::Attribute(_)) => keys.contains(&InstanceKey::None),
            Some(Step::Index(at)) if at.is_number() => {
                at.as_position().is_some_and(|number| keys.contains(&InstanceKey::Number(number)))
            }
            Some(Step::Index(Value::String(text))) => {
                keys.contains(&InstanceKey::Text(text.clone()))
            }
            Some(Step::Index(_)) => continue,
            // The only computed keys are those of the instance itself.
            Some(Step::Unknown) => module.instances(at).all(|own| keys.contains(own.address.key())),
        };
        if let Some(attribute) =
            facts.and_then(|facts| missing_attribute(module, other, rest, facts))
        {
            let detail = format!(
                "{kind}.{} has no attribute \"{}\" to trigger a replacement. Name an existing attribute, or the whole resource.",
                &**name, &**attribute
            );
            out.push(
                Diagnostic::error(&codes::TRIGGER_INSTANCE, detail)
                    .at(located.place(reference.span)),
            );
        }
        if !is_there {
            let detail = format!(
                "{kind}.{} has no such instance to trigger a replacement. Change the key, or the instances of the resource.",
                &**name
            );
            out.push(
                Diagnostic::error(&codes::TRIGGER_INSTANCE, detail)
                    .at(located.place(reference.span)),
            );
        }
    }
}

/// Returns the attribute that a reference in `replace_triggered_by` names although the schema of the resource `other` lacks it;
/// `None` if no instance of that resource changes, and for programs that do not report it.
fn missing_attribute<'s>(
    module: &ModuleInstance,
    other: usize,
    steps: &'s [Step],
    facts: &PlanFacts,
) -> Option<&'s Str> {
    if !Conventions::of(module.node().edition()).looks_for_trigger_attributes {
        return None;
    }
    let attribute = steps.iter().find_map(|step| match step {
        Step::Attribute(name) => Some(name),
        _ => None,
    })?;
    let block = module.module().resources[other].block()?;
    let changes = |instance: &ResourceInstance| {
        let decision = facts.decision(&instance.address);
        decision.is_some_and(|one| one.before.is_some() && one.action != Action::NoOp)
    };
    let is_missing = block.names().all(|known| *known != **attribute)
        && module.instances(other).any(|instance| changes(&instance));
    is_missing.then_some(attribute)
}

/// Returns true if the resource at index `at` has an instance, or its instances are unknown.
fn exists(module: &ModuleInstance, at: usize) -> bool {
    module.has_unknown_instances(at) || module.instances(at).next().is_some()
}

/// Reports a `prevent_destroy` whose value is not a known boolean.
fn check_prevent_destroy(module: &ModuleInstance, expression: &Expression, out: &mut Diagnostics) {
    let located = &expression.located;
    let before = out.error_count();
    for reference in located.code.references() {
        if matches!(&*reference.root, "count" | "each" | "self") {
            let detail = format!(
                "prevent_destroy applies to all instances of the resource, removed ones included, so it cannot refer to \"{}\".",
                &*reference.root
            );
            out.push(
                Diagnostic::error(&codes::PREVENT_DESTROY, detail)
                    .at(located.place(reference.span)),
            );
        }
    }
    if out.error_count() > before {
        return;
    }
    let value = module.evaluate(expression, None, out);
    if out.error_count() > before {
        return;
    }
    let (bare, marks) = value.unmark();
    let problem = match groma_value::convert(&bare, &Type::Bool) {
        _ if marks.contains(&Mark::Sensitive) => {
            "it is sensitive, and the plan would reveal it. Remove the mark with nonsensitive(…)"
                .to_owned()
        }
        _ if marks.contains(&Mark::Ephemeral) => {
            "it is ephemeral, but it has to be the same at the apply".to_owned()
        }
        Ok(_) => return,
        Err(why) => groma_config::sentence(&why),
    };
    let detail = format!("\"prevent_destroy\" has to be true or false: {problem}.");
    out.push(Diagnostic::error(&codes::PREVENT_DESTROY, detail).at(expression.place()));
}
