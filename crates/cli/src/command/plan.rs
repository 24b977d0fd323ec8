//! `groma plan`: shows what applying the configuration would change, compared with the state.

use groma::json::{JsonLayout, JsonText};
use groma::review::{Review, write_saved};
use groma::{
    Plan,
    address::{AddressPattern, ResourceMode},
};

use super::row::CommandRow;
use crate::flag::{self, CommandArgs, FlagRow, FlagValue};
use crate::session::{EarlyStop, ExitStatus, RunSession};
use crate::view::paint::TextPainter;
use crate::view::{diagnostic, json};
use crate::{bare, files, limit, project, template};

/// `-detailed-exitcode`: exit code 2 means that there are changes.
pub(crate) const DETAILED: FlagRow = FlagRow {
    name: "detailed-exitcode",
    takes: FlagValue::Nothing,
    about: "Exit with 2 if something would change",
    read: |args, _| flag::switch(&mut args.detailed),
};

/// Flags that select the output format: `--format` and `-compact`.
pub(crate) const FORMS: &[FlagRow] = &[
    FlagRow {
        name: "format",
        takes: FlagValue::Word("FORMAT", &["text", "json", "events", "markdown"]),
        about: "Print the plan as text, json, events (-json=events: the lines that `terraform plan -json` prints) or markdown (for a pull request comment)",
        read: |args, text| match text {
            "text" => Ok(()),
            "json" => flag::switch(&mut args.json),
            "markdown" => flag::switch(&mut args.markdown),
            "events" => flag::switch(&mut args.events),
            _ => Err(format!("--format must be text, json, events or markdown, not \"{text}\".")),
        },
    },
    COMPACT,
];

/// `-compact`: one line per resource.
pub(super) const COMPACT: FlagRow = FlagRow {
    name: "compact",
    takes: FlagValue::Nothing,
    about: "Print one line for each resource",
    read: |args, _| flag::switch(&mut args.compact),
};

/// `-out`: the file in which the plan is saved.
const OUT: &[FlagRow] = &[FlagRow {
    name: "out",
    takes: FlagValue::Value("FILE"),
    about: "Save the plan to FILE for `groma show`; it contains all values, sensitive ones included",
    read: |args, text| flag::set(&mut args.out, text.to_owned()),
}];

/// `-state`: the file of the prior state.
pub(super) const STATE_FILE: FlagRow = FlagRow {
    name: "state",
    takes: FlagValue::Value("FILE"),
    about: "Use FILE as the prior state, - for standard input (default: terraform.tfstate, or the file of the local backend and the workspace)",
    read: |args, text| flag::set(&mut args.state, text.to_string()),
};

/// Flags that select the prior state.
pub(crate) const STATE: &[FlagRow] = &[
    STATE_FILE,
    FlagRow {
        name: "no-state",
        takes: FlagValue::Nothing,
        about: "Ignore any state and plan as if nothing existed",
        read: |args, _| flag::switch(&mut args.no_state),
    },
];

/// Flags that select what is planned: targets, replacements, invoked actions, destruction and refreshing.
pub(crate) const PLANNING: &[FlagRow] = &[
    FlagRow {
        name: "target",
        takes: FlagValue::Value("ADDRESS"),
        about: "Plan only this resource, instance or module, and what it depends on (may repeat)",
        read: |args, text| address("target", text, &mut args.targets),
    },
    FlagRow {
        name: "exclude",
        takes: FlagValue::Value("ADDRESS"),
        about: "OpenTofu: plan everything except this and what depends on it (may repeat)",
        read: |args, text| address("exclude", text, &mut args.excludes),
    },
    FlagRow {
        name: "replace",
        takes: FlagValue::Value("ADDRESS"),
        about: "Replace this instance even if nothing changes (may repeat)",
        read: |args, text| {
            address("replace", text, &mut args.replaces)?;
            let last = args.replaces.last().and_then(|target| target.resource.as_ref());
            match last.is_some_and(|resource| resource.mode == ResourceMode::Managed) {
                true => Ok(()),
                false => Err(format!(
                    "-replace takes the address of a resource or of one of its instances, not \"{text}\"."
                )),
            }
        },
    },
    FlagRow {
        name: "invoke",
        takes: FlagValue::Value("ADDRESS"),
        about: "Terraform: plan only this action",
        read: |args, text| {
            if !args.invokes.is_empty() {
                return Err("-invoke may be given only once: it runs a single action.".to_owned());
            }
            match groma::plans::read_action(text) {
                Ok(target) => args.invokes.push(target),
                Err(why) => {
                    return Err(format!(
                        "-invoke takes the address of an action, not \"{text}\": {why}"
                    ));
                }
            }
            Ok(())
        },
    },
    FlagRow {
        name: "destroy",
        takes: FlagValue::Nothing,
        about: "Plan to destroy all recorded objects",
        read: |args, _| flag::switch(&mut args.destroy),
    },
    FlagRow {
        name: "refresh-only",
        takes: FlagValue::Nothing,
        about: "Plan no changes, and check conditions against the recorded objects",
        read: |args, _| flag::switch(&mut args.refresh_only),
    },
    FlagRow {
        name: "refresh",
        takes: FlagValue::Truth,
        about: "With -refresh=false: use recorded objects exactly as they are recorded",
        read: |args, text| {
            args.no_refresh = text != "true";
            Ok(())
        },
    },
];

/// Reads an address of a flag and adds it to `list`; the error names the flag.
fn address(name: &str, text: &str, list: &mut Vec<AddressPattern>) -> Result<(), String> {
    match groma::plans::read_target(text) {
        Ok(target) => {
            list.push(target);
            Ok(())
        }
        Err(why) => Err(format!("-{name} takes an address, not \"{text}\": {why}")),
    }
}

/// The command `groma plan`: its flags, help and entry point.
pub(crate) const COMMAND: CommandRow = CommandRow {
    name: "plan",
    about: "Show what would be created, updated and destroyed, with all values that are known",
    operand: Some(("DIR", "The module's directory (default: the current directory)")),
    flags: &[
        &[flag::json("Print the plan as a JSON document, on one line"), flag::PRETTY, DETAILED],
        FORMS,
        OUT,
        STATE,
        PLANNING,
        flag::MODULE,
        flag::TEMPLATE,
        flag::BUILDS,
    ],
    more: "No provider is run. The state is read if there is one, and never written; without a state, everything is \
           planned for creation.\n\n\
           Exit codes: 0 success, 1 the code has errors, 2 wrong use. With -detailed-exitcode: 0 nothing would \
           change, 1 the code has errors, 2 something would change, 3 wrong use.",
    run,
};

/// Plans a module or a Packer template and prints the plan as text, Markdown or JSON, as the flags select.
fn run(args: &CommandArgs, session: &mut RunSession<'_>) -> Result<ExitStatus, EarlyStop> {
    let forms = [
        (args.json, "-json"),
        (args.events, "-json=events"),
        (args.markdown, "--format markdown"),
        (args.compact, "-compact"),
    ];
    let forms: Vec<&str> =
        forms.iter().filter(|(is_given, _)| *is_given).map(|one| one.1).collect();
    if let [one, other, ..] = forms.as_slice() {
        let why = format!("{one} and {other} cannot be used together.");
        return Err(EarlyStop::Misuse(why));
    }
    if template::names_template(args, args.operand.as_deref(), session)? {
        if args.out.as_deref().is_some_and(|file| !file.is_empty()) {
            let why = "-out is for modules; this is a Packer template.";
            return Err(EarlyStop::Misuse(why.to_owned()));
        }
        if args.markdown || args.compact || args.events {
            let why = format!("{} is for modules; this is a Packer template.", forms[0]);
            return Err(EarlyStop::Misuse(why));
        }
        return super::builds::run(args, session);
    }
    let mut plan = project::plan(args, args.operand.as_deref(), session)?;
    if args.strict {
        plan.demand_complete();
    }
    let sources = plan.evaluation().sources();
    limit::stop_if_ended(args, plan.evaluation().end(), plan.diagnostics(), &sources, session)?;
    let exit = if plan.is_errored() { ExitStatus::ERRORS } else { ExitStatus::SUCCESS };
    if args.json {
        json::print(args.layout(), session.out, &session.watch, |out| plan.write_json(out))?;
    } else if args.events {
        json::print_text(session.out, &session.watch, |out| plan.write_events(out))?;
    } else {
        if !plan.is_errored() || plan.is_partial() {
            let folder = args.operand.iter().map(String::as_str);
            let command = Some(full_command("plan", folder));
            let review = Review { command, ..Review::of(&plan) };
            // If all of the plan failed, there is no text to show.
            if !(plan.is_errored() && review.items.is_empty()) {
                write(&review, args, session)?;
                // Diagnostics follow the plan, where other programs look for warnings.
                if plan.diagnostics().iter().next().is_some() {
                    writeln!(session.out)?;
                }
                session.out.flush()?;
            }
            session.watch.hold(review);
        }
        let colour = session.colour(!args.no_color);
        diagnostic::print(plan.diagnostics(), &sources, colour, session.err)?;
    }
    let is_bare = plan.evaluation().project().root().files().is_empty();
    if is_bare
        && !args.json
        && let Some(below) = bare::below(args.operand.as_deref(), &session.machine)
    {
        writeln!(session.err, "note: {below}")?;
    }
    if let Some(file) = args.out.as_deref().filter(|file| !file.is_empty()) {
        save(&plan, file, args, session)?;
    }
    let changes = args.detailed && exit == ExitStatus::SUCCESS && plan.is_change();
    session.watch.hold(plan);
    Ok(if changes { ExitStatus::CHANGES } else { exit })
}

/// Saves a plan for `groma show`. A plan with errors is not saved, since it is incomplete.
fn save(
    plan: &Plan,
    file: &str,
    args: &CommandArgs,
    session: &mut RunSession<'_>,
) -> Result<(), EarlyStop> {
    if plan.is_errored() {
        writeln!(session.err, "note: the plan has errors and is not saved.")?;
        return Ok(());
    }
    let mut text = JsonText::new(JsonLayout::Compact);
    write_saved(plan, &Review::of(plan), env!("CARGO_PKG_VERSION"), &mut text);
    let bytes = format!("{}\n", text.into_string());
    let folder = args.operand.as_deref().unwrap_or(".");
    let bounds = session.machine.bounds(folder, args.root.as_deref()).map_err(EarlyStop::Misuse)?;
    files::write_private(&session.machine.path(file), file, bytes.as_bytes(), bounds.as_deref())
        .map_err(|(shown, why)| EarlyStop::Absent(format!("{shown}: {why}")))?;
    if !args.json && !args.events {
        writeln!(session.err, "note: the plan is saved in {file}; `groma show {file}` prints it.")?;
    }
    Ok(())
}

/// Returns the command line that prints in full what a pull request comment abbreviates: the command `name` with the arguments
/// `words`, quoted for a shell.
pub(crate) fn full_command<'a>(name: &str, words: impl Iterator<Item = &'a str>) -> String {
    let is_plain =
        |word: &str| word.chars().all(|c| c.is_alphanumeric() || "-_./~^@:=".contains(c));
    let words = words.map(|word| match is_plain(word) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    });
    std::iter::once(format!("groma {name}")).chain(words).collect::<Vec<_>>().join(" ")
}

/// Writes a review as Markdown, as one line per resource or as text, as the flags select.
pub(crate) fn write(
    review: &Review,
    args: &CommandArgs,
    session: &mut RunSession<'_>,
) -> Result<(), EarlyStop> {
    let in_colours = !args.markdown && session.begin_colours(!args.no_color);
    let mut painter = TextPainter::new(session.out, in_colours);
    let written = match (args.markdown, args.compact) {
        (true, _) => review.write_markdown(&mut painter),
        (_, true) => review.write_compact(&mut painter),
        _ => review.write_text(&mut painter),
    };
    Ok(painter.finish(written)?)
}
