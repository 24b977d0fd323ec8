//! A plan as one JSON document, in the form that the ecosystem's tools read. Extensions of ours are under one key, `groma`. A
//! comparison of two plans is the same document with the compared changes in it.

mod action;
mod cause;
mod check;
mod configuration;
mod deferred;
mod event;
mod expression;
mod inventory;
mod line;
mod object;
mod provider_computed;
mod relevant;
mod value;

pub use line::EventLines;
pub use value::write_change_values;

use groma_module::declare::Variable;
use groma_protocol::write_diagnostic;
use groma_syntax::Severity;
use groma_value::json::{JsonObject, JsonText, array, texts};
use groma_value::{Type, json_type};

use crate::change::{Action, Change};
use crate::output::OutputChange;
use crate::plan::Plan;
use cause::CauseReport;
use object::{ObjectWriting, TreeMember};
use provider_computed::ProviderComputed;

/// The version of the JSON format of plans.
pub const FORMAT: &str = "1.2";

/// Writes the whole JSON document of a plan, piece by piece.
pub(crate) fn document(plan: &Plan, out: &mut JsonText<'_>) {
    let mut top = JsonObject::open(out);
    top.text("format_version", FORMAT);
    let edition = plan.evaluation().project().edition();
    let version = edition.version.to_string();
    top.text("terraform_version", &version);
    let changes = plan.changes();
    let outputs = plan.outputs();
    variables(plan, &mut top);
    let mut planned = top.object("planned_values");
    planned_outputs(&outputs, &mut planned);
    let staying = changes.iter().filter(|change| change.action.leaves_object());
    let left = ProviderComputed::new(plan.evaluation().schemas());
    let module = planned.key("root_module");
    object::tree(staying.map(TreeMember::Planned), ObjectWriting::Planned, &left, module);
    planned.close();
    let drift = plan.drift();
    if !drift.is_empty() {
        array(&drift, top.key("resource_drift"), |change, out| {
            object::change(change, false, &left, out)
        });
    }
    array(changes, top.key("resource_changes"), |change, out| {
        object::change(change, false, &left, out)
    });
    deferred::write(plan, &mut top);
    if !plan.actions().is_empty() {
        array(plan.actions(), top.key("action_invocations"), action::invocation);
    }
    output_changes(&outputs, false, &mut top);
    prior_state(plan, &outputs, &version, &mut top);
    configuration::write(plan, top.key("configuration"));
    let relevant = relevant::relevant(plan, changes, &outputs);
    if !relevant.is_empty() {
        array(&relevant, top.key("relevant_attributes"), |(resource, way), out| {
            let mut one = JsonObject::open(out);
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
    if !plan.evaluation().project().conventions().omits_applyable {
        top.flag("applyable", plan.is_change() && !plan.is_errored());
    }
    // Modules and resources that could not be read or counted are missing above.
    top.flag("complete", plan.is_complete());
    top.flag("errored", plan.is_errored());
    cause::write(plan, &CauseReport::of_plan(changes, &outputs), &|_| {}, top.key("groma"));
    top.close();
}

/// The older plan of a comparison, `base`, and the changes and outputs that the comparison found.
pub struct ComparedPlans<'c> {
    /// The older plan.
    pub base: &'c Plan,
    /// The changes of instances: both values may contain unknowns.
    pub changes: &'c [Change],
    /// The changes of outputs.
    pub outputs: &'c [OutputChange],
    /// Writes further properties under `groma`.
    pub more: &'c dyn Fn(&mut JsonObject<'_, '_>),
}

/// Writes the JSON document of a plan, with the changes that a comparison found in place of its own. Planned values and prior
/// state are omitted: both sides are code.
fn comparison(plan: &Plan, with: &ComparedPlans<'_>, out: &mut JsonText<'_>) {
    let mut top = JsonObject::open(out);
    top.text("format_version", FORMAT);
    let edition = plan.evaluation().project().edition();
    top.text("terraform_version", &edition.version.to_string());
    variables(plan, &mut top);
    let left = ProviderComputed::new(plan.evaluation().schemas());
    array(with.changes, top.key("resource_changes"), |change, out| {
        object::change(change, true, &left, out);
    });
    output_changes(with.outputs, true, &mut top);
    configuration::write(plan, top.key("configuration"));
    check::write(plan, &mut top);
    diagnostics(plan, top.key("diagnostics"));
    if let Some(time) = plan.time() {
        top.text("timestamp", &time);
    }
    top.flag("complete", plan.is_complete() && with.base.is_complete());
    top.flag("errored", plan.is_errored());
    let before = with.changes.iter().filter_map(|change| {
        let address = change.previous.as_ref().unwrap_or(&change.instance.address);
        Some((address.to_string(), change.before.as_ref()?))
    });
    let outputs = with.outputs.iter();
    let outputs = outputs.map(|output| (format!("output.{}", &*output.name), &output.before));
    let before: Vec<_> = before.chain(outputs).collect();
    let told = CauseReport { open: None, ..CauseReport::of_plan(with.changes, with.outputs) };
    let more = |top: &mut JsonObject<'_, '_>| {
        cause::write_causes(with.base, &before, top.key("because_before"));
        (with.more)(top);
    };
    cause::write(plan, &told, &more, top.key("groma"));
    top.close();
}

/// Writes the diagnostics of a plan as JSON.
fn diagnostics(plan: &Plan, out: &mut JsonText<'_>) {
    let sources = plan.evaluation().sources();
    // The format has only errors and warnings.
    let told = plan.diagnostics().iter().filter(|one| one.severity != Severity::Note);
    array(told, out, |one, out| write_diagnostic(one, &sources, out));
}

/// Writes the values of the root module's variables.
fn variables(plan: &Plan, top: &mut JsonObject<'_, '_>) {
    let root = plan.evaluation().root();
    // The given value of an ephemeral variable is never written: only its default, if any.
    let is_shown = |variable: &Variable| !variable.ephemeral || variable.default.is_some();
    if !root.module().variables.iter().any(|variable| is_shown(variable)) {
        return;
    }
    let mut all = top.object("variables");
    let told = root.module().variables.iter().enumerate();
    for (at, variable) in told.filter(|(_, variable)| is_shown(variable)) {
        let mut one = all.object(&variable.name);
        // A given value is written unconverted; only a default has been converted. A null would mean that it is null, and not
        // that it is unknown.
        let given = match variable.ephemeral {
            true => variable.default.as_ref(),
            false => plan.evaluation().project().given_value(&variable.name).or(root.variable(at)),
        };
        if let Some(value) = given.filter(|value| value::is_shown(value)) {
            value::known(value, one.key("value"));
        }
        one.close();
    }
    all.close();
}

/// Writes the type of an output as JSON; for a new output that is null it is dynamic.
fn write_type(output: &OutputChange, out: &mut JsonText<'_>) {
    let value = &output.after;
    let is_kept = output.action == Action::NoOp || !output.before.is_null();
    let ty = if value.is_null() && !is_kept { Type::Dynamic } else { value.ty() };
    json_type::write_into(&ty, out);
}

/// Writes the planned values of the root module's outputs.
fn planned_outputs(outputs: &[OutputChange], planned: &mut JsonObject<'_, '_>) {
    let mut staying = outputs.iter().filter(|output| output.action != Action::Delete).peekable();
    if staying.peek().is_none() {
        return;
    }
    let mut all = planned.object("outputs");
    for output in staying {
        let mut one = all.object(&output.name);
        one.flag("sensitive", output.declared_sensitive);
        if output.after.is_wholly_known() {
            write_type(output, one.key("type"));
            value::planned(&output.after, one.key("value"));
        }
        one.close();
    }
    all.close();
}

/// Writes the changes of the root module's outputs; if `is_compared`, the values before are another plan's, and their unknown
/// parts are written, too.
fn output_changes(outputs: &[OutputChange], is_compared: bool, top: &mut JsonObject<'_, '_>) {
    let mut all = top.object("output_changes");
    for output in outputs {
        let mut one = all.object(&output.name);
        texts(output.action.slugs(), one.key("actions"));
        if value::is_shown(&output.before) {
            let write = if is_compared { value::planned } else { value::known };
            write(&output.before, one.key("before"));
        }
        if value::is_shown(&output.after) {
            value::planned(&output.after, one.key("after"));
        }
        if output.after.is_wholly_known() {
            one.flag("after_unknown", false);
        } else {
            value::unknown(&output.after, one.key("after_unknown"));
        }
        if is_compared && !output.before.is_wholly_known() {
            value::unknown(&output.before, one.key("before_unknown"));
        }
        one.flag("before_sensitive", output.sensitive);
        one.flag("after_sensitive", output.sensitive);
        one.close();
    }
    all.close();
}

/// Writes the prior state as the program at `version` would: recorded objects, data sources that were read, and outputs with
/// wholly known values other than null.
fn prior_state(plan: &Plan, outputs: &[OutputChange], version: &str, top: &mut JsonObject<'_, '_>) {
    let known: Vec<&OutputChange> = outputs
        .iter()
        .filter(|output| output.after.is_wholly_known() && !output.after.is_null())
        .collect();
    let read = object::read(plan);
    let recorded: Vec<TreeMember<'_>> =
        object::recorded(plan).into_iter().chain(object::imported(plan)).collect();
    if read.is_empty() && recorded.is_empty() && known.is_empty() {
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
            one.flag("sensitive", output.declared_sensitive);
            value::known(&output.after, one.key("value"));
            write_type(output, one.key("type"));
            one.close();
        }
        all.close();
    }
    let all = read.iter().map(TreeMember::Planned).chain(recorded);
    let left = ProviderComputed::new(plan.evaluation().schemas());
    object::tree(all, ObjectWriting::Read, &left, values.key("root_module"));
    values.close();
    state.close();
}

impl Plan {
    /// Returns the changes of objects that only moved to another address; empty unless the goal is to refresh.
    pub fn drift(&self) -> Vec<Change> {
        object::drift(self)
    }

    /// Returns the plan as a JSON document.
    pub fn json(&self) -> String {
        let mut text = JsonText::new(groma_value::json::JsonLayout::Compact);
        self.write_json(&mut text);
        text.into_string()
    }

    /// Writes the plan as JSON, piece by piece: if the text has a reader, the whole is never in memory.
    pub fn write_json(&self, out: &mut JsonText<'_>) {
        document(self, out);
    }

    /// Writes the plan as a JSON document, with the changes of a comparison in place of its own.
    pub fn write_comparison(&self, with: &ComparedPlans<'_>, out: &mut JsonText<'_>) {
        comparison(self, with, out);
    }
}
