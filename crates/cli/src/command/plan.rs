//! `groma plan`: what carrying the configuration out would change, against what the state records.

use std::io::Write;

use groma_folder::{Mode, Target};
use groma_plan::{Action, Change, OutputChange, Plan};
use groma_project::Verdict;
use groma_value::Mark;

use super::row::Command;
use crate::flag::{self, Args, Flag, Takes};
use crate::session::{Exit, Session, Stop};
use crate::view::{diagnostic, json, value};
use crate::{limit, project, template};

/// `-detailed-exitcode`.
pub(crate) const DETAILED: Flag = Flag {
    name: "detailed-exitcode",
    takes: Takes::Nothing,
    about: "Exit with 2 where something would change",
    read: |args, _| flag::switch(&mut args.detailed),
};

/// Flags that say what a plan goes on from and comes to.
pub(crate) const PLANNING: &[Flag] = &[
    Flag {
        name: "state",
        takes: Takes::Value("FILE"),
        about: "Go on from the state in FILE (default: terraform.tfstate, or what the local backend and the workspace say)",
        read: |args, text| flag::set(&mut args.state, text.to_string()),
    },
    Flag {
        name: "no-state",
        takes: Takes::Nothing,
        about: "Let nothing be there yet, whatever a state says",
        read: |args, _| flag::switch(&mut args.no_state),
    },
    Flag {
        name: "target",
        takes: Takes::Value("ADDRESS"),
        about: "Plan only this resource, instance or module, and what it needs (may repeat)",
        read: |args, text| address("target", text, &mut args.targets),
    },
    Flag {
        name: "exclude",
        takes: Takes::Value("ADDRESS"),
        about: "OpenTofu: plan all but this and what needs it (may repeat)",
        read: |args, text| address("exclude", text, &mut args.excludes),
    },
    Flag {
        name: "replace",
        takes: Takes::Value("ADDRESS"),
        about: "Replace this instance, whatever changes (may repeat)",
        read: |args, text| {
            address("replace", text, &mut args.replaces)?;
            let last = args.replaces.last().and_then(|target| target.resource.as_ref());
            match last.is_some_and(|resource| resource.mode == Mode::Managed) {
                true => Ok(()),
                false => Err(format!(
                    "-replace names a resource or an instance of one: \"{text}\" is none."
                )),
            }
        },
    },
    Flag {
        name: "destroy",
        takes: Takes::Nothing,
        about: "Plan that all that is recorded goes",
        read: |args, _| flag::switch(&mut args.destroy),
    },
    Flag {
        name: "refresh-only",
        takes: Takes::Nothing,
        about: "Plan no changes, and judge what is recorded",
        read: |args, _| flag::switch(&mut args.refresh_only),
    },
    Flag {
        name: "refresh",
        takes: Takes::Truth,
        about: "With -refresh=false: what is recorded counts exactly as it is recorded",
        read: |args, text| {
            args.no_refresh = text != "true";
            Ok(())
        },
    },
];

fn address(name: &str, text: &str, list: &mut Vec<Target>) -> Result<(), String> {
    match groma_plan::read_target(text) {
        Ok(target) => {
            list.push(target);
            Ok(())
        }
        Err(why) => Err(format!("-{name} needs an address, and \"{text}\" is none: {why}")),
    }
}

pub(crate) const COMMAND: Command = Command {
    name: "plan",
    about: "Say what would be made, with every value that is known",
    operand: Some(("DIR", "The module's directory (default: the current one)")),
    flags: &[
        &[flag::json("Print the plan as a JSON document, on one line"), flag::PRETTY, DETAILED],
        PLANNING,
        flag::MODULE,
        flag::TEMPLATE,
        flag::BUILDS,
    ],
    more: "Nothing is asked of any provider. A state is read where there is one, and never written: without one everything is \
           yet to be made.\n\n\
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
    let mut changes = plan.changes().to_vec();
    if plan.is_partial() {
        // What must not be is not planned.
        changes.retain(|change| {
            change.instance.outcome.as_ref().is_none_or(|outcome| outcome.verdict < Verdict::Fail)
        });
    }
    let outputs = plan.outputs();
    if is_told && !(plan.is_errored() && changes.is_empty()) {
        write(&plan, &changes, &outputs, session)?;
    }
    Ok(if args.detailed && plan.is_change() && exit == Exit::WELL { Exit::CHANGES } else { exit })
}

fn is_read(change: &Change) -> bool {
    change.action == Action::Read
}

fn word(action: Action) -> &'static str {
    match action {
        Action::NoOp => "keep",
        Action::Create => "create",
        Action::Read => "read later",
        Action::Update => "update",
        Action::DeleteThenCreate | Action::CreateThenDelete => "replace",
        Action::Delete => "delete",
        Action::Forget => "forget",
    }
}

/// The text form: what is made or read, and the outputs.
fn write(
    plan: &Plan,
    changes: &[Change],
    outputs: &[OutputChange],
    session: &mut Session<'_>,
) -> Result<(), Stop> {
    let out = &mut session.out;
    for change in changes.iter().filter(|change| change.is_change() || is_read(change)) {
        let word = word(change.action);
        let address = &change.instance.address;
        let mut about = String::new();
        if let Some(key) = &change.deposed {
            about.push_str(&format!(" (deposed {})", &**key));
        }
        if let Some(from) = &change.previous {
            about.push_str(&format!(" (moved from {from})"));
        }
        if change.importing.is_some() {
            about.push_str(" (imported)");
        }
        // The console's text hides what is sensitive.
        match change.action.leaves() {
            true => {
                writeln!(out, "{word} {address}{about} {}\n", value::text(&change.instance.value))?
            }
            false => writeln!(out, "{word} {address}{about}\n")?,
        }
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
        let hidden = output.sensitive || output.after.marks().contains(&Mark::Sensitive);
        let text = if hidden { "<sensitive>".to_owned() } else { value::text(&output.after) };
        match output.action {
            Action::Delete => writeln!(out, "output {} goes", output.name)?,
            _ => writeln!(out, "output {} = {text}", output.name)?,
        }
    }
    let count = |is_meant: &dyn Fn(Action) -> bool| {
        changes.iter().filter(|change| is_meant(change.action)).count()
    };
    let made = count(&|action| action == Action::Create);
    if !outputs.is_empty() {
        writeln!(out)?;
    }
    let mut last = format!("{made} to create");
    for (count, word) in [
        (count(&|action| action == Action::Update), "update"),
        (count(&Action::is_replacement), "replace"),
        (count(&|action| action == Action::Delete), "delete"),
        (count(&|action| action == Action::Forget), "forget"),
    ] {
        if count > 0 {
            last.push_str(&format!(", {count} to {word}"));
        }
    }
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
