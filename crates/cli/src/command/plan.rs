//! `groma plan`: what carrying the configuration out would change, against an empty state.

use std::io::Write;

use groma_plan::{Action, Change, Plan};
use groma_project::{Output, Verdict};
use groma_syntax::Diagnostics;
use groma_value::Mark;

use super::row::Command;
use crate::flag::{self, Args, Flag, Takes};
use crate::session::{Exit, Session, Stop};
use crate::view::{diagnostic, json, value};
use crate::{limit, project, template};

/// `-detailed-exitcode`.
const DETAILED: Flag = Flag {
    name: "detailed-exitcode",
    takes: Takes::Nothing,
    about: "Exit with 2 where something would change",
    read: |args, _| flag::switch(&mut args.detailed),
};

pub(crate) const COMMAND: Command = Command {
    name: "plan",
    about: "Say what would be made, with every value that is known",
    operand: Some(("DIR", "The module's directory (default: the current one)")),
    flags: &[
        &[flag::json("Print the plan as a JSON document, on one line"), flag::PRETTY, DETAILED],
        flag::MODULE,
        flag::TEMPLATE,
        flag::BUILDS,
    ],
    more: "Nothing is asked of any provider and no state is read: everything is yet to be made.\n\n\
           Exit codes: 0 all is well, 1 the code has errors, 2 wrong use. With -detailed-exitcode: 0 nothing would \
           change, 1 the code has errors, 2 something would change, 3 wrong use.",
    run,
};

fn run(args: &Args, session: &mut Session<'_>) -> Result<Exit, Stop> {
    if template::is_meant(args, args.operand.as_deref(), session)? {
        return super::builds::run(args, session);
    }
    let mut plan = project::plan(args, args.operand.as_deref(), session)?;
    if args.strict {
        plan.demand_complete();
    }
    let sources = plan.evaluation().sources();
    limit::go_on(args, plan.evaluation().end(), plan.diagnostics(), &sources, session)?;
    if args.json {
        json::print(args.layout(), session.out, |out| plan.write_json(out))?;
    } else {
        let colour = session.colour(!args.no_color);
        diagnostic::print(plan.diagnostics(), &sources, colour, session.err)?;
    }
    let exit = if plan.is_errored() { Exit::ERRORS } else { Exit::WELL };
    let is_told = !args.json && (!plan.is_errored() || plan.is_partial());
    if !is_told && (plan.is_errored() || !args.detailed) {
        return Ok(exit);
    }
    let mut changes = plan.changes();
    if plan.is_partial() {
        // What must not be is not planned.
        changes.retain(|change| {
            change.instance.outcome.as_ref().is_none_or(|outcome| outcome.verdict < Verdict::Fail)
        });
    }
    let outputs = plan.evaluation().outputs(&mut Diagnostics::new());
    if is_told && !(plan.is_errored() && changes.is_empty()) {
        write(&plan, &changes, &outputs, session)?;
    }
    let is_changed = changes.iter().any(|change| change.action == Action::Create)
        || outputs.iter().any(|output| !output.value.is_null());
    Ok(if args.detailed && is_changed && exit == Exit::WELL { Exit::CHANGES } else { exit })
}

/// The text form: what is made or read, and the outputs.
fn write(
    plan: &Plan,
    changes: &[Change],
    outputs: &[Output],
    session: &mut Session<'_>,
) -> Result<(), Stop> {
    let out = &mut session.out;
    for change in changes {
        let word = match change.action {
            Action::Create => "create",
            Action::Read => "read later",
        };
        // The console's text hides what is sensitive.
        let text = value::text(&change.instance.value);
        writeln!(out, "{word} {} {text}\n", change.instance.address)?;
    }
    for invoked in plan.actions() {
        let told = &invoked.invocation;
        let text = value::text(&told.config);
        let (event, resource) = (told.event.word(), &told.triggered_by);
        writeln!(out, "invoke {} ({event} {resource}) {text}\n", told.address)?;
    }
    let gaps = plan.gaps();
    for one in &gaps.undecided {
        writeln!(out, "undecided {}: how many there are is not known\n", one.address)?;
    }
    for output in outputs {
        let hidden = output.sensitive || output.value.marks().contains(&Mark::Sensitive);
        let text = if hidden { "<sensitive>".to_owned() } else { value::text(&output.value) };
        writeln!(out, "output {} = {text}", output.name)?;
    }
    let made = changes.iter().filter(|change| change.action == Action::Create).count();
    if !outputs.is_empty() {
        writeln!(out)?;
    }
    let mut last = format!("{made} to create");
    match plan.actions().len() {
        0 => {}
        1 => last.push_str(", 1 action to invoke"),
        count => last.push_str(&format!(", {count} actions to invoke")),
    }
    if !gaps.is_empty() {
        last = format!("{last}; {}", gaps.summary());
    }
    if plan.is_errored() {
        last.push_str("; the errors leave the rest open");
    }
    writeln!(out, "{last}.")?;
    Ok(())
}
