//! Conversion of a plan to a review. Unchanged instances that do not move are left out.

use std::sync::Arc;

use groma_config::ResourceMode;
use groma_module::built_in::BuiltInType;
use groma_plan::{Action, Change, Plan, PlanGoal};
use groma_project::{ActionOccasion, ConditionVerdict};
use groma_value::{Mark, Str, Value};
use rustc_hash::FxHashMap;

use crate::model::{
    ActionItem, FLAG_TRIGGER, OutputItem, REQUESTED_EVENT, ResourceItem, Review, ReviewRemark,
    SharedDeclaration,
};
use crate::reasons::UnknownReasons;

/// Cache of the resource declaration of the last change: consecutive instances share it.
#[derive(Default)]
struct LastDeclaration(Option<Arc<SharedDeclaration>>);

impl LastDeclaration {
    /// Returns the resource declaration of a change, shared with the previous change if both belong to one resource.
    fn of(&mut self, change: &Change) -> Arc<SharedDeclaration> {
        let is_same = |known: &&Arc<SharedDeclaration>| {
            known.mode == change.mode
                && known.kind == change.kind
                && known.name == change.name
                && *known.module == *change.module()
                && known.shape.is_some() == change.shape().is_some()
        };
        if let Some(known) = self.0.as_ref().filter(is_same) {
            return known.clone();
        }
        let made = Arc::new(SharedDeclaration {
            mode: change.mode,
            kind: change.kind.clone(),
            name: change.name.clone(),
            module: Str::from(change.module()),
            shape: change.shape().cloned(),
        });
        self.0 = Some(made.clone());
        made
    }
}

impl Review {
    /// Returns the review of a plan. If errors left the plan partial, instances with failed conditions are omitted.
    pub fn of(plan: &Plan) -> Review {
        let is_partial = plan.is_errored();
        let fails = |change: &Change| {
            let outcome = change.instance.outcome.as_ref();
            outcome.is_some_and(|outcome| outcome.verdict >= ConditionVerdict::Fail)
        };
        let mut last = LastDeclaration::default();
        let (mut without_schema, mut open) = (0, 0);
        let mut items = Vec::new();
        // If nothing changes, moved objects are the only difference.
        for change in plan.changes().iter().chain(&plan.drift()) {
            without_schema += usize::from(!change.instance.is_whole);
            open += usize::from(change.is_open && change.action == Action::NoOp);
            let is_shown = change.is_change() || change.action == Action::Read;
            if is_shown && !(is_partial && fails(change)) {
                items.push(item(change, &mut last));
            }
        }
        let reasons = UnknownReasons::of(plan.evaluation());
        Review {
            goal: plan.goal(),
            // In a refresh-only plan no action is performed.
            program: (plan.goal() != PlanGoal::Refresh)
                .then(|| plan.evaluation().project().edition().dialect),
            items,
            drift: Vec::new(),
            is_incomplete: false,
            outputs: outputs(plan),
            invoked: invoked(plan),
            gaps: plan.gaps().clone(),
            without_schema,
            open,
            is_partial,
            outside: Vec::new(),
            command: None,
            notes: Vec::new(),
            has_empty_scope: plan.has_empty_scope(),
            remarks: uncounted_remarks(plan),
            possible: Vec::new(),
            uncounted: Vec::new(),
            unknown: 0,
            ignored: Vec::new(),
            is_comparison: false,
            is_of_documents: false,
            before: reasons.clone(),
            after: reasons,
        }
    }
}

/// Maximum number of recorded objects named in the remarks on objects of which it is unknown whether they are kept.
const MAX_NAMED: usize = 20;

/// Returns remarks on the recorded objects of resources with an unknown number of instances.
fn uncounted_remarks(plan: &Plan) -> Vec<ReviewRemark> {
    let all = plan.left_open();
    let remark =
        |address: &str, text: &str| ReviewRemark { address: address.into(), text: text.into() };
    let named = all.iter().take(MAX_NAMED);
    let mut remarks: Vec<ReviewRemark> = named
        .map(|one| {
            remark(
                &one.to_string(),
                "is recorded, and it is unknown whether it is kept, changed or destroyed",
            )
        })
        .collect();
    if let Some(more) = all.len().checked_sub(MAX_NAMED).filter(|more| *more > 0) {
        remarks.push(remark(&format!("{more} more"), "are recorded in the same way"));
    }
    remarks
}

/// Returns the value of an object of the resource type `kind` for display: in a built-in type, an attribute that repeats a
/// sensitive argument is marked as sensitive, too.
pub(crate) fn shown(value: &Value, kind: &str) -> Value {
    let (bare, marks) = value.unmark();
    let Value::Object(object) = &bare else { return value.clone() };
    let Some(own) = BuiltInType::of(kind).filter(|_| value.has_marks()) else {
        return value.clone();
    };
    let is_hidden = |name: &str| {
        let input = own.mirrored(name).and_then(|input| object.get(input));
        input.is_some_and(|input| input.has_marks() && input.deep_marks().hide())
    };
    let all = object.iter().map(|(name, value)| {
        // An unknown has nothing to hide.
        let is_hidden = value.is_known() && !value.is_null() && is_hidden(name);
        (name.clone(), if is_hidden { value.sensitive() } else { value.clone() })
    });
    Value::object(all.collect::<Vec<_>>()).mark(&marks)
}

/// Returns an object in which every attribute that contains the sensitive import id `id` is marked as sensitive, for display
/// only.
fn without_id(value: Value, id: &str) -> Value {
    let (bare, marks) = value.unmark();
    let Value::Object(object) = &bare else { return value };
    let is_id = |value: &Value| matches!(value.bare(), Value::String(text) if **text == *id);
    let all = object.iter().map(|(name, value)| {
        (name.clone(), if is_id(value) { value.sensitive() } else { value.clone() })
    });
    Value::object(all.collect::<Vec<_>>()).mark(&marks)
}

/// Converts the change of an instance in a plan to the form of a review; `last` caches the declaration of the previous change.
fn item(change: &Change, last: &mut LastDeclaration) -> ResourceItem {
    let hidden = change.importing.as_ref().filter(|importing| importing.is_hidden);
    let hidden = hidden.and_then(|importing| importing.id.as_deref());
    let seen = |value: &Value| {
        let value = shown(value, &change.kind);
        match hidden {
            Some(id) => without_id(value, id),
            None => value,
        }
    };
    ResourceItem {
        address: Str::from(change.instance.address.to_string()),
        declared: last.of(change),
        key: change.instance.address.key().clone(),
        action: change.action,
        reason: change.reason,
        previous: change.previous.as_ref().map(|one| Str::from(one.to_string())),
        importing: change.importing.clone(),
        deposed: change.deposed.clone(),
        replace_paths: change.replace_paths.clone(),
        before: change.before.as_ref().map(seen),
        after: change.action.leaves_object().then(|| seen(&change.instance.value)),
        is_open: change.is_open,
        is_possible: false,
        origins: Vec::new(),
    }
}

/// Converts the changes of instances in a plan to the form of a review.
pub(crate) fn items<'c>(changes: impl Iterator<Item = &'c Change>) -> Vec<ResourceItem> {
    let mut last = LastDeclaration::default();
    changes.map(|change| item(change, &mut last)).collect()
}

/// Converts the change of an output in a plan to the form of a review.
pub(crate) fn output(output: groma_plan::OutputChange) -> OutputItem {
    OutputItem {
        sensitive: output.sensitive || output.after.marks().contains(&Mark::Sensitive),
        name: output.name,
        action: output.action,
        before: output.before,
        after: output.after,
        is_possible: false,
        origins: Vec::new(),
    }
}

/// Returns the changes of a plan's outputs in the form of a review.
fn outputs(plan: &Plan) -> Vec<OutputItem> {
    plan.outputs().into_iter().map(output).collect()
}

/// Returns the actions that a plan would run in the form of a review.
fn invoked(plan: &Plan) -> Vec<ActionItem> {
    let mut known: FxHashMap<(Str, Str), Arc<SharedDeclaration>> = FxHashMap::default();
    let item = |invoked: &groma_plan::InvokedAction| {
        let told = &invoked.invocation;
        let declared = known.entry((told.kind.clone(), told.name.clone())).or_insert_with(|| {
            Arc::new(SharedDeclaration {
                mode: ResourceMode::Action,
                kind: told.kind.clone(),
                name: told.name.clone(),
                module: Str::new(),
                shape: None,
            })
        });
        let (event, by) = match &told.occasion {
            ActionOccasion::Triggered { event, by, .. } => (event.word(), Str::from(by)),
            ActionOccasion::Asked { caller: Some(caller) } => (REQUESTED_EVENT, Str::from(caller)),
            ActionOccasion::Asked { caller: None } => (REQUESTED_EVENT, FLAG_TRIGGER.into()),
        };
        ActionItem {
            address: Str::from(&told.address),
            declared: declared.clone(),
            event,
            triggered_by: by,
            config: told.config.clone(),
        }
    };
    plan.actions().iter().map(item).collect()
}
