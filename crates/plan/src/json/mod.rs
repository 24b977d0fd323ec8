//! A plan as one JSON document, in the form that the ecosystem's tools read. What is only ours
//! stands under one key, `groma`.

mod cause;
mod check;
mod configuration;
mod expression;
mod object;
mod relevant;
mod value;
mod writer;

use groma_eval::diagnostic_json;
use groma_functions::Dialect;
use groma_module::Output;
use groma_syntax::Diagnostics;
use groma_value::{Type, Value, json_type};

use crate::change::{Action, Change};
use crate::plan::Plan;
use writer::{Object, array};

/// The version of the form.
const FORMAT: &str = "1.2";

/// The whole document.
pub(crate) fn document(plan: &Plan) -> String {
    let mut out = String::new();
    let mut top = Object::open(&mut out);
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
    object::tree(&object::planned(&changes), planned.key("root_module"));
    planned.close();
    array(&changes, top.key("resource_changes"), object::change);
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
    if !plan.diagnostics().is_empty() {
        diagnostics(plan, top.key("diagnostics"));
    }
    if edition.dialect != Dialect::OpenTofu {
        let is_new = |output: &Output| !output.value.is_null();
        let changes_anything =
            changes.iter().any(|c| c.action == Action::Create) || outputs.iter().any(is_new);
        top.flag("applyable", changes_anything && !plan.is_errored());
    }
    top.flag("complete", !plan.is_errored());
    top.flag("errored", plan.is_errored());
    cause::write(plan, &changes, &outputs, top.key("groma"));
    top.close();
    out
}

fn diagnostics(plan: &Plan, out: &mut String) {
    let sources = plan.evaluation().sources();
    array(plan.diagnostics().iter(), out, |one, out| {
        out.push_str(&diagnostic_json(one, &sources));
    });
}

fn variables(plan: &Plan, top: &mut Object<'_>) {
    let root = plan.evaluation().root();
    if root.module().variables.is_empty() {
        return;
    }
    let mut all = top.object("variables");
    for (at, variable) in root.module().variables.iter().enumerate() {
        let mut one = all.object(&variable.name);
        // A null would say that it is null, and not that nothing is known of it.
        let mut text = String::new();
        if let Some(value) = root.variable(at)
            && value::known(value, &mut text)
        {
            one.raw("value", &text);
        }
        one.close();
    }
    all.close();
}

/// The type of an output; a null has none.
fn type_of(value: &Value) -> String {
    let ty = if value.is_null() { Type::Dynamic } else { value.ty() };
    json_type::write(&ty)
}

fn planned_outputs(outputs: &[Output], planned: &mut Object<'_>) {
    if outputs.is_empty() {
        return;
    }
    let mut all = planned.object("outputs");
    for output in outputs {
        let mut one = all.object(&output.name);
        one.flag("sensitive", output.sensitive);
        if output.value.is_wholly_known() {
            one.raw("type", &type_of(&output.value));
            value::known(&output.value, one.key("value"));
        }
        one.close();
    }
    all.close();
}

fn output_changes(outputs: &[Output], top: &mut Object<'_>) {
    let mut all = top.object("output_changes");
    for output in outputs {
        let mut one = all.object(&output.name);
        let action = if output.value.is_null() { "[\"no-op\"]" } else { "[\"create\"]" };
        one.raw("actions", action);
        one.raw("before", "null");
        let mut text = String::new();
        if value::known(&output.value, &mut text) {
            one.raw("after", &text);
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
fn prior_state(plan: &Plan, outputs: &[Output], version: &str, top: &mut Object<'_>) {
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
            one.raw("type", &type_of(&output.value));
            one.close();
        }
        all.close();
    }
    object::tree(&read, values.key("root_module"));
    values.close();
    state.close();
}

/// The first characters of every change's address, for those who sort by text.
pub(crate) fn by_address(a: &Change, b: &Change) -> std::cmp::Ordering {
    a.instance.address.cmp(&b.instance.address)
}
