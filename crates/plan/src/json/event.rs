//! A plan as JSON lines, one event each, in the form of the programs' machine-readable output. Lines have timestamps only if the
//! clock is pinned: plans of the same code have equal lines.

use std::fmt;

use groma_config::{InstanceAddress, InstanceKey, implied_provider};
use groma_value::json::JsonObject;

use crate::change::{Action, Change, ImportId};
use crate::json::line::EventLines;
use crate::output::OutputChange;
use crate::plan::Plan;
use crate::reason::ChangeReason;

/// The numbers of instances that a plan adds, changes, imports, removes and forgets.
#[derive(Default)]
struct ActionSum {
    add: usize,
    change: usize,
    import: usize,
    remove: usize,
    forget: usize,
}

impl ActionSum {
    /// Returns the numbers of instances that changes add, change, import, remove and forget.
    fn of(changes: &[Change]) -> ActionSum {
        let mut sum = ActionSum::default();
        for change in changes {
            sum.import += usize::from(change.importing.is_some());
            let counted = match change.action {
                Action::Create => &mut sum.add,
                Action::Update => &mut sum.change,
                Action::Delete => &mut sum.remove,
                Action::Forget => &mut sum.forget,
                Action::DeleteThenCreate | Action::CreateThenDelete => {
                    sum.add += 1;
                    &mut sum.remove
                }
                Action::ForgetThenCreate | Action::CreateThenForget => {
                    sum.add += 1;
                    &mut sum.forget
                }
                Action::NoOp | Action::Read => continue,
            };
            *counted += 1;
        }
        sum
    }

    /// Returns the sentence that summarizes a plan: "Plan: 1 to add, 0 to change, 0 to destroy."
    fn text(&self) -> String {
        let ActionSum { add, change, import, remove, forget } = self;
        let import = if *import > 0 { format!("{import} to import, ") } else { String::new() };
        let forget = if *forget > 0 { format!(", {forget} to forget") } else { String::new() };
        format!("Plan: {import}{add} to add, {change} to change, {remove} to destroy{forget}.")
    }
}

/// Writes a plan as JSON lines, one event each.
pub(crate) fn events(plan: &Plan, out: &mut dyn fmt::Write) -> fmt::Result {
    let edition = plan.evaluation().project().edition();
    let conventions = plan.evaluation().project().conventions();
    let mut lines = EventLines::new(edition, plan.time(), out);
    lines.version()?;
    if !plan.is_errored() {
        for change in &plan.drift() {
            let message = format!("{}: Drift detected (move)", change.instance.address);
            lines.line("info", &message, "resource_drift", |line| write(change, "move", line))?;
        }
        for change in plan.changes() {
            let Some(action) = action(change) else { continue };
            let message = format!("{}: Plan to {action}", change.instance.address);
            lines.line("info", &message, "planned_change", |line| write(change, action, line))?;
        }
        let sum = ActionSum::of(plan.changes());
        lines.line("info", &sum.text(), "change_summary", |line| {
            let mut changes = line.object("changes");
            changes.number("add", sum.add);
            changes.number("change", sum.change);
            changes.number("import", sum.import);
            changes.number("remove", sum.remove);
            if conventions.counts_forgotten {
                changes.number("forget", sum.forget);
            }
            changes.text("operation", "plan");
            changes.close();
        })?;
        let outputs = plan.outputs();
        if !outputs.is_empty() {
            let message = format!("Outputs: {}", outputs.len());
            lines.line("info", &message, "outputs", |line| write_outputs(&outputs, line))?;
        }
    }
    let sources = plan.evaluation().sources();
    for one in plan.diagnostics() {
        lines.diagnostic(one, &sources)?;
    }
    Ok(())
}

/// Returns the verb that an event line has for the action of a change, as in "Plan to create"; `None` if there is nothing to
/// report.
fn action(change: &Change) -> Option<&'static str> {
    Some(match change.action {
        Action::NoOp if change.importing.is_some() => "import",
        Action::NoOp if change.previous.is_some() => "move",
        Action::NoOp => return None,
        Action::Create => "create",
        Action::Read => "read",
        Action::Update => "update",
        Action::Delete => "delete",
        Action::Forget => "remove",
        Action::DeleteThenCreate
        | Action::CreateThenDelete
        | Action::ForgetThenCreate
        | Action::CreateThenForget => "replace",
    })
}

/// Writes the properties of an event line about a planned change: the address of its instance, the verb `action`, such as
/// `create` or `move`, and the reason.
fn write(change: &Change, action: &str, line: &mut JsonObject<'_, '_>) {
    let mut one = line.object("change");
    write_address(&change.instance.address, one.object("resource"));
    if let Some(previous) = &change.previous {
        write_address(previous, one.object("previous_resource"));
    }
    one.text("action", action);
    if let Some(reason) = change.reason {
        one.text(
            "reason",
            match reason {
                ChangeReason::Tainted => "tainted",
                ChangeReason::Requested => "requested",
                ChangeReason::CannotUpdate => "cannot_update",
                other => other.slug(),
            },
        );
    }
    if let Some(ImportId { id, .. }) = &change.importing {
        let mut importing = one.object("importing");
        match id {
            Some(id) => importing.text("id", id),
            None => importing.flag("unknown", true),
        }
        importing.close();
    }
    one.close();
}

/// Writes the components of an instance address as a `resource` object.
fn write_address(address: &InstanceAddress, mut out: JsonObject<'_, '_>) {
    let name = address.resource().name();
    out.text("addr", &address.to_string());
    out.text("module", &address.module().to_string());
    out.text("resource", &format!("{name}{}", address.key()));
    out.text("implied_provider", implied_provider(&name.kind));
    out.text("resource_type", &name.kind);
    out.text("resource_name", &name.name);
    match address.key() {
        InstanceKey::None => out.raw("resource_key", "null"),
        InstanceKey::Number(number) => out.number("resource_key", number),
        InstanceKey::Text(text) => out.text("resource_key", text),
    }
    out.close();
}

/// Writes the changes of outputs as properties of an event line.
fn write_outputs(outputs: &[OutputChange], line: &mut JsonObject<'_, '_>) {
    let mut all = line.object("outputs");
    for output in outputs {
        let mut one = all.object(&output.name);
        one.flag("sensitive", output.sensitive);
        one.text(
            "action",
            match output.action {
                Action::NoOp => "noop",
                action => action.slugs().first().copied().unwrap_or("noop"),
            },
        );
        one.close();
    }
    all.close();
}

impl Plan {
    /// Writes the plan as lines, one event each: the version, the changes, their numbers, the outputs and the diagnostics.
    ///
    /// # Errors
    /// When the writer fails.
    pub fn write_events(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        events(self, out)
    }
}
