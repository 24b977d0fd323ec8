//! A plan as one JSON document, in the form that the ecosystem's tools read. What is only ours
//! stands under one key, `groma`.

mod action;
mod cause;
mod check;
mod configuration;
mod expression;
mod object;
mod relevant;
mod value;

use groma_eval::write_diagnostic;
use groma_project::Output;
use groma_runtime::Dialect;
use groma_syntax::{Diagnostics, Severity};
use groma_value::json::{Object, Text, array, texts};
use groma_value::{Type, Value, json_type};
use object::Writing;

use crate::change::Action;
use crate::plan::Plan;

/// The version of the form.
const FORMAT: &str = "1.2";

/// The whole document, piece by piece.
pub(crate) fn document(plan: &Plan, out: &mut Text<'_>) {
    let mut top = Object::open(out);
    top.text("format_version", FORMAT);
    let edition = plan.evaluation().project().edition();
    let version = edition.version.to_string();
    top.text("terraform_version", &version);
    let mut silent = Diagnostics::new();
    let changes = plan.changes();
    let outputs = plan.evaluation().outputs(&mut silent);
    variables(plan, &mut top);
    let mut planned = top.object("planned_values");
    planned_outputs(&outputs, &mut planned);
    object::tree(changes.iter().collect(), Writing::Planned, planned.key("root_module"));
    planned.close();
    array(&changes, top.key("resource_changes"), object::change);
    if !plan.actions().is_empty() {
        array(plan.actions(), top.key("action_invocations"), action::invocation);
    }
    output_changes(&outputs, &mut top);
    prior_state(plan, &outputs, &version, &mut top);
    configuration::write(plan, top.key("configuration"));
    let relevant = relevant::relevant(plan, &changes);
    if !relevant.is_empty() {
        array(&relevant, top.key("relevant_attributes"), |(resource, way), out| {
            let mut one = Object::open(out);
            one.text("resource", resource);
            array(way, one.key("attribute"), |step, out| out.push_str(step));
            one.close();
        });
    }
    check::write(plan, &mut top);
    diagnostics(plan, top.key("diagnostics"));
    if let Some(time) = plan.time() {
        top.text("timestamp", &time);
    }
    if edition.dialect != Dialect::OpenTofu {
        let is_new = |output: &Output| !output.value.is_null();
        let changes_anything =
            changes.iter().any(|c| c.action == Action::Create) || outputs.iter().any(is_new);
        top.flag("applyable", changes_anything && !plan.is_errored());
    }
    // What could not be read or counted is left out above.
    top.flag("complete", plan.is_complete());
    top.flag("errored", plan.is_errored());
    cause::write(plan, &changes, &outputs, top.key("groma"));
    top.close();
}

fn diagnostics(plan: &Plan, out: &mut Text<'_>) {
    let sources = plan.evaluation().sources();
    // The form knows errors and warnings only.
    let told = plan.diagnostics().iter().filter(|one| one.severity != Severity::Note);
    array(told, out, |one, out| write_diagnostic(one, &sources, out));
}

fn variables(plan: &Plan, top: &mut Object<'_, '_>) {
    let root = plan.evaluation().root();
    if root.module().variables.is_empty() {
        return;
    }
    let mut all = top.object("variables");
    for (at, variable) in root.module().variables.iter().enumerate() {
        let mut one = all.object(&variable.name);
        // What is given stands here as it was given; only a default has been converted. A null would say that it
        // is null, and not that nothing is known of it.
        let given = plan.evaluation().project().given(&variable.name);
        if let Some(value) = given.or(root.variable(at)).filter(|value| value::is_shown(value)) {
            value::known(value, one.key("value"));
        }
        one.close();
    }
    all.close();
}

/// Writes the type of an output; a null has none.
fn write_type(value: &Value, out: &mut Text<'_>) {
    let ty = if value.is_null() { Type::Dynamic } else { value.ty() };
    json_type::write_into(&ty, out);
}

fn planned_outputs(outputs: &[Output], planned: &mut Object<'_, '_>) {
    if outputs.is_empty() {
        return;
    }
    let mut all = planned.object("outputs");
    for output in outputs {
        let mut one = all.object(&output.name);
        one.flag("sensitive", output.sensitive);
        if output.value.is_wholly_known() {
            write_type(&output.value, one.key("type"));
            value::planned(&output.value, one.key("value"));
        }
        one.close();
    }
    all.close();
}

fn output_changes(outputs: &[Output], top: &mut Object<'_, '_>) {
    let mut all = top.object("output_changes");
    for output in outputs {
        let mut one = all.object(&output.name);
        let action = if output.value.is_null() { "no-op" } else { "create" };
        texts([action], one.key("actions"));
        one.raw("before", "null");
        if value::is_shown(&output.value) {
            value::planned(&output.value, one.key("after"));
        }
        if output.value.is_wholly_known() {
            one.flag("after_unknown", false);
        } else {
            value::unknown(&output.value, one.key("after_unknown"));
        }
        one.flag("before_sensitive", output.sensitive);
        one.flag("after_sensitive", output.sensitive);
        one.close();
    }
    all.close();
}

/// What is known before anything is done: the data that was read, and the outputs that need nothing else.
fn prior_state(plan: &Plan, outputs: &[Output], version: &str, top: &mut Object<'_, '_>) {
    let known: Vec<&Output> = outputs
        .iter()
        .filter(|output| output.value.is_wholly_known() && !output.value.is_null())
        .collect();
    let read = object::read(plan);
    if read.is_empty() && known.is_empty() {
        return;
    }
    let mut state = top.object("prior_state");
    state.text("format_version", "1.0");
    state.text("terraform_version", version);
    let mut values = state.object("values");
    if !known.is_empty() {
        let mut all = values.object("outputs");
        for output in known {
            let mut one = all.object(&output.name);
            one.flag("sensitive", output.sensitive);
            value::known(&output.value, one.key("value"));
            write_type(&output.value, one.key("type"));
            one.close();
        }
        all.close();
    }
    object::tree(read.iter().collect(), Writing::Read, values.key("root_module"));
    values.close();
    state.close();
}
