//! Validation of `caller` in actions and of triggers, independent of planned changes. An attribute of `caller` must exist in all
//! callers, `try` or not.

use groma_eval::{LocatedCode, Reference, Step};
use groma_syntax::ast::ExprCase;
use groma_syntax::{Diagnostic, Diagnostics, Expr, Phase, Place};
use groma_value::Value;

use crate::codes;
use crate::declare::{ActionEvent, ActionTrigger, Expression, Referent, Resource, TriggeredAction};
use crate::resolve::names::{ModuleNames, misplaced};
use crate::resolve::problem::ResolveProblem;
use crate::resolve::{Multiplicity, Surroundings};
use crate::visit::EvaluationTime;

impl ModuleNames {
    /// Resolves a reference to the resource that triggers an action, written `caller` or `self`.
    pub(super) fn resolve_caller(
        &self,
        reference: &Reference,
        around: &Surroundings,
    ) -> Result<Referent, ResolveProblem> {
        let root = &*reference.root;
        let detail = match &around.callers {
            None => {
                "\"caller\" is available only in the config of an action and in the condition of a trigger."
                    .to_owned()
            }
            Some(callers) if callers.is_empty() => format!(
                "No resource of this module triggers the action, so \"{root}\" refers to nothing."
            ),
            Some(callers) => {
                let mut all = callers.iter();
                all.try_for_each(|at| self.reach(*at, root, &reference.steps))?;
                return Ok(Referent::Settled);
            }
        };
        Err(misplaced(&detail).about_root())
    }
}

/// Warns of references in the action `resource`, the `at`-th resource of the module, that name a triggering resource
/// explicitly instead of using `caller`, and reports those in the action's repetition.
pub(crate) fn report_named_callers(
    names: &ModuleNames,
    at: u32,
    resource: &Resource,
    out: &mut Diagnostics,
) {
    let callers = names.callers_of(at);
    if callers.is_empty() {
        return;
    }
    resource.visit(&mut |seen| {
        let located = &seen.expression.located;
        for used in &seen.expression.uses {
            let Referent::Resource(target) = used.target else { continue };
            let Some(reference) = located.code.references().get(used.reference as usize) else {
                continue;
            };
            if !callers.contains(&target) {
                continue;
            }
            let caller = names.address_of(target);
            let place = located.place_of_first(reference, instance_steps(reference));
            let counts = seen.when() == EvaluationTime::Expanding;
            let detail = match counts {
                true => format!(
                    "{caller} triggers this action, so a reference to it forms a cycle."
                ),
                false => format!(
                    "{caller} triggers this action, so a reference to it forms a cycle. Write caller instead."
                ),
            };
            out.push(Diagnostic::warning(&codes::CALLER_BY_NAME, detail).at(place));
            if counts {
                let detail = format!(
                    "The number of instances of the action has to be known before {caller}, which triggers it, is planned."
                );
                let found = Diagnostic::error(&codes::CALLER_COUNTS, detail).at(place);
                out.push(found.in_phase(Phase::Plan));
            }
        }
    });
}

/// Returns the number of steps of a reference to a resource that select the resource or an instance of it.
pub(crate) fn instance_steps(reference: &Reference) -> usize {
    let whole = if &*reference.root == "resource" { 2 } else { 1 };
    whole + usize::from(matches!(reference.steps.get(whole), Some(Step::Index(_))))
}

/// Reports that `caller` is unset when a provisioner runs, which the programs find only then.
pub(crate) fn remark_unset(expression: &Expression, out: &mut Diagnostics) {
    let located = &expression.located;
    let references = located.code.references().iter();
    for reference in references.filter(|reference| &*reference.root == "caller") {
        let detail = "caller does not exist when a provisioner runs, so this fails. Write self.";
        let place = located.place_of_first(reference, 0);
        out.push(Diagnostic::remark(&codes::MISPLACED_REFERENCE, detail).at(place));
    }
}

/// Reports the condition of an `action_trigger` that refers to the triggering resource although its events include
/// `before_create`.
pub(crate) fn report_early(trigger: &ActionTrigger, condition: &Expression, out: &mut Diagnostics) {
    if !trigger.events.contains(&ActionEvent::BeforeCreate) {
        return;
    }
    let asks = |reference: &Reference| matches!(&*reference.root, "self" | "caller");
    if condition.located.code.references().iter().any(asks) {
        let detail = "Before a resource is created, its values are not fully known, so the condition of before_create cannot refer to it. Use after_create, or refer to the values that the resource depends on.";
        out.push(Diagnostic::error(&codes::ACTION_TRIGGER, detail).at(condition.place()));
    }
}

/// Reports an instance key of a triggered action that is missing, superfluous or of the wrong form; `shape` is the multiplicity
/// of the action, `repeated` that of the triggering resource.
pub(crate) fn check_key(
    action: &TriggeredAction,
    shape: Multiplicity,
    repeated: Multiplicity,
    out: &mut Diagnostics,
) {
    let address = format!("action.{}.{}", &*action.kind, &*action.name);
    let found = match (&action.key, shape) {
        (None, Multiplicity::One) => None,
        (None, Multiplicity::Numbered) => {
            Some((action.place, format!("{address} has count: choose one, as in {address}[0].")))
        }
        (None, Multiplicity::Keyed) => Some((
            action.place,
            format!("{address} has for_each: choose one, as in {address}[\"key\"]."),
        )),
        (Some(_), Multiplicity::One) => Some((
            action.place,
            format!("{address} has neither count nor for_each: name it without a key."),
        )),
        (Some(key), _) => key_problem(key, action, &address, shape, repeated),
    };
    if let Some((place, detail)) = found {
        out.push(Diagnostic::error(&codes::ACTION_TRIGGER, detail).at(place));
    }
}

/// Returns what is wrong with the key of an action at `address`, of the multiplicity `shape`, that a resource of the
/// multiplicity `repeated` triggers, as place and message; `None` if nothing is.
fn key_problem(
    key: &Expression,
    action: &TriggeredAction,
    address: &str,
    shape: Multiplicity,
    repeated: Multiplicity,
) -> Option<(Place, String)> {
    if let Some(constant) = key.constant().filter(|_| is_literal(&key.expr)) {
        let is_number = matches!(constant.bare(), Value::Decimal(_) | Value::Real(_));
        return match shape {
            Multiplicity::Numbered if !is_number => Some((
                action.place,
                format!("{address} has count, so its keys are numbers, as in {address}[0]."),
            )),
            Multiplicity::Keyed if !matches!(constant.bare(), Value::String(_)) => Some((
                action.place,
                format!(
                    "{address} has for_each, so its keys are strings, as in {address}[\"key\"]."
                ),
            )),
            _ => None,
        };
    }
    /// The message that says which instance keys a triggered action may have.
    const ALLOWED: &str = "The key of an action must be a constant, each.key or count.index.";
    match written(&key.located, &key.expr) {
        Some(("count", Some("index"))) => (repeated != Multiplicity::Numbered).then(|| {
            let detail = "count.index is available only if the resource sets count.";
            (key.place(), detail.to_owned())
        }),
        Some(("each", Some("key"))) => (repeated != Multiplicity::Keyed).then(|| {
            let detail = "each.key is available only if the resource sets for_each.";
            (key.place(), detail.to_owned())
        }),
        Some(("each" | "count", _)) | None => Some((key.place(), ALLOWED.to_owned())),
        Some(_) => Some((action.place, ALLOWED.to_owned())),
    }
}

/// Returns true if an expression in native syntax is a number, a plain string or a bare word such as `true`.
fn is_literal(expr: &Expr) -> bool {
    let Expr::Native(native) = expr else { return false };
    match native.view().case() {
        ExprCase::Number(_) | ExprCase::Root(_) => true,
        ExprCase::Template(template) => template.plain().is_some(),
        _ => false,
    }
}

/// Returns the root name of `expr`, whose code is `located`, if it is a plain reference, with its first step if that is an
/// attribute; `None` for others.
fn written<'e>(located: &'e LocatedCode, expr: &Expr) -> Option<(&'e str, Option<&'e str>)> {
    let Expr::Native(native) = expr else { return None };
    let is_plain = matches!(
        native.view().case(),
        ExprCase::Root(_)
            | ExprCase::Attribute { .. }
            | ExprCase::Index { .. }
            | ExprCase::LegacyIndex { .. }
    );
    let [reference] = located.code.references() else { return None };
    let first = match reference.steps.first() {
        Some(Step::Attribute(name)) => Some(&**name),
        _ => None,
    };
    (is_plain && located.code.span() == reference.span).then_some((&*reference.root, first))
}
