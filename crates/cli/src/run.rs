//! A complete run: parses the command line, starts the watch, reads settings, runs the command and returns the exit code.

use std::ffi::OsString;
use std::io::{ErrorKind, Write};

use clap::error::ErrorKind as ClapErrorKind;

use crate::command::{
    ALIASES, COMMANDS, CommandRow, check, command_name, console, fmt, plan, version,
};
use crate::files;
use crate::flag::CommandArgs;
use crate::host::MachineContext;
use crate::input;
use crate::limit;
use crate::line::argv::RewrittenArgs;
use crate::line::{argv, elsewhere, environment, line, read};
use crate::screen::ScreenStream;
use crate::session::{ColourChoice, EarlyStop, ExitStatus, RunSession, TerminalStreams};
use crate::view::end::EndForm;
use crate::view::paint;
use crate::view::wrap::WrappedStream;
use crate::watch::RunBounds;
use crate::{check_many, codes, settings};
use groma::limits::RunEnd;
use groma_syntax::{Diagnostic, Sources, render};

/// Runs the program with the arguments that follow its name.
pub fn run(arguments: Vec<OsString>, session: RunSession<'_>) -> ExitStatus {
    let RunSession { input, out, err, terminal, painted, machine, watch } = session;
    let columns = machine.env("COLUMNS").and_then(|columns| columns.parse().ok());
    let terminal = TerminalStreams { columns, ..terminal };
    let out = ScreenStream::new(out, terminal.output, painted.clone(), &paint::PAINTS);
    // Each request of a server has its own output limit.
    let mut out = match limit::is_server(command_of(&arguments)) {
        true => out,
        false => out.counted(watch.clone()),
    };
    let mut err =
        ScreenStream::new(err, terminal.errors, ColourChoice::always(), &render::ESCAPE_SEQUENCES);
    let mut err = WrappedStream::new(&mut err, terminal.remark_width());
    let form = EndForm::of_unparsed(command_of(&arguments), &arguments);
    let session =
        RunSession { input, out: &mut out, err: &mut err, terminal, painted, machine, watch };
    match carry_out(arguments, session) {
        Ok(exit) => exit,
        Err(CommandMisuse { exit, told, why }) => {
            // A caller that asked for JSON gets a JSON document, unless output has begun.
            let found = Diagnostic::error(&codes::WRONG_USE, why);
            let document = form.document(&found, &Sources::new()).filter(|_| !out.has_begun());
            if let Some(document) = document {
                let _ = writeln!(out, "{document}");
            }
            let _ = out.flush();
            let _ = write!(err, "{told}");
            exit
        }
    }
}

/// An invalid command line, with the message and the exit code for it.
struct CommandMisuse {
    exit: ExitStatus,
    /// The text for standard error.
    told: String,
    /// The same as one sentence.
    why: String,
}

/// Runs the command line and converts an early stop into an exit status or a message.
fn carry_out(
    arguments: Vec<OsString>,
    mut session: RunSession<'_>,
) -> Result<ExitStatus, CommandMisuse> {
    let misuse = misuse(&arguments, &session.machine);
    let done = parse_and_run(arguments, misuse, &mut session);
    let done = done.and_then(|exit| Ok(session.out.flush().map(|()| exit)?));
    Ok(match done {
        Ok(exit) => exit,
        Err(EarlyStop::Stream(error)) if error.kind() == ErrorKind::BrokenPipe => {
            ExitStatus::SUCCESS
        }
        Err(EarlyStop::Stream(error)) => {
            // If standard error has failed too, this cannot be reported.
            let _ = writeln!(session.err, "groma: reading or writing failed: {error}");
            ExitStatus::ERRORS
        }
        Err(EarlyStop::Reported(exit)) => {
            let _ = session.out.flush();
            exit
        }
        // The run had reached a limit, which is reported already.
        Err(EarlyStop::Misuse(_)) if session.watch.is_reported() => ExitStatus::ERRORS,
        Err(EarlyStop::Misuse(why)) => {
            return Err(CommandMisuse { exit: misuse, told: format!("error: {why}\n"), why });
        }
        Err(EarlyStop::Absent(why)) => {
            return Err(CommandMisuse {
                exit: ExitStatus::ERRORS,
                told: format!("error: {why}\n"),
                why,
            });
        }
        Err(EarlyStop::Refused(told)) => {
            let first = told.split("\n\n").next().unwrap_or_default();
            let first = first.strip_prefix("error: ").unwrap_or(first);
            let why = first.split_whitespace().collect::<Vec<_>>().join(" ");
            return Err(CommandMisuse { exit: misuse, told, why });
        }
    })
}

/// Returns the name of the first command that an argument names, directly or by an alias; empty if none does.
fn command_of(arguments: &[OsString]) -> &'static str {
    let words = arguments.iter().filter_map(|argument| argument.to_str()).map(command_name);
    let mut known = words.filter_map(|word| COMMANDS.iter().find(|row| row.name == word));
    known.next().map_or("", |row| row.name)
}

/// Returns the exit code for wrong use: 2, or 3 if the arguments have `-detailed-exitcode`, with which 2 means changes, so
/// that a typing error does not look like changes.
fn misuse(arguments: &[OsString], machine: &MachineContext) -> ExitStatus {
    let given = arguments.iter().filter_map(|argument| argument.to_str());
    let mut names = given.filter_map(|argument| argument.strip_prefix('-'));
    let is_detailed =
        names.any(|name| name.trim_start_matches('-').starts_with("detailed-exitcode"));
    match is_detailed || environment::asks_for_detail(machine) {
        true => ExitStatus::DETAILED_MISUSE,
        false => ExitStatus::MISUSE,
    }
}

/// Parses the command line, prepares the session and runs the command; `misuse` is the exit code for a wrong command line.
fn parse_and_run(
    arguments: Vec<OsString>,
    misuse: ExitStatus,
    session: &mut RunSession<'_>,
) -> Result<ExitStatus, EarlyStop> {
    let mut texts = Vec::with_capacity(arguments.len());
    for argument in arguments {
        texts.push(argument.into_string().map_err(|bad| {
            EarlyStop::Misuse(format!("the argument \"{}\" is not UTF-8.", bad.display()))
        })?);
    }
    if let Some(why) = elsewhere::missing_command(&texts) {
        return Err(EarlyStop::Absent(why));
    }
    let mut rewritten = argv::rewrite(&texts).map_err(EarlyStop::Misuse)?;
    session.machine.distrust(rewritten.has("--untrusted"));
    let mut remarks = Vec::new();
    let is_heard = !session.machine.is_untrusted()
        && environment::applies_to(&rewritten.args, &session.machine);
    if let Some((command, behind)) = rewritten.command().filter(|_| is_heard) {
        let added =
            environment::arguments_for(command, &session.machine).map_err(EarlyStop::Misuse)?;
        rewritten.args.splice(behind..behind, added.args);
        remarks = added.remarks;
    }
    // Suggestions for a mistyped flag should come from the command's flags, and parsing all commands' flags is slow.
    let commands = match rewritten.command() {
        Some((command, _)) => std::slice::from_ref(command),
        None => COMMANDS,
    };
    let width = session.terminal.text_width();
    let line = |commands| line(commands, ALIASES).term_width(width);
    let matches = match line(commands).try_get_matches_from(&rewritten.args) {
        Ok(matches) => matches,
        Err(trouble) => return answer(&trouble, session),
    };
    let Some((name, own)) = matches.subcommand() else {
        write!(session.err, "{}", line(COMMANDS).render_help())?;
        return Ok(misuse);
    };
    let command = COMMANDS.iter().find(|command| command.name == name);
    let command = command.expect("clap knows only the rows' names");
    let mut args = read(command, own).map_err(EarlyStop::Misuse)?;
    args.command = command.name;
    session.machine.distrust(args.untrusted);
    if session.machine.is_untrusted() {
        limit::limit_untrusted(&mut args);
    }
    args.budget = limit::budget(&args);
    write_notes(&args, command, &rewritten, &remarks, session)?;
    if let Some(folder) = &args.chdir {
        session.machine.change_directory(folder).map_err(EarlyStop::Misuse)?;
    }
    run_watched(command, args, session)
}

/// Writes notes about what Groma ignores or does otherwise in this run: flags, arguments from the environment, to which
/// `remarks` refer, and environment variables.
fn write_notes(
    args: &CommandArgs,
    command: &CommandRow,
    rewritten: &RewrittenArgs,
    remarks: &[String],
    session: &mut RunSession<'_>,
) -> Result<(), EarlyStop> {
    // A caller that combines JSON with another program's flags may expect the lines that this program prints.
    if args.json && command.name == plan::COMMAND.name && rewritten.is_foreign {
        let note = "note: -json prints one document here; -json=events prints lines, as `terraform plan -json` does.";
        writeln!(session.err, "{note}")?;
    }
    for flag in &rewritten.ignored {
        writeln!(session.err, "note: -{} is ignored: {}.", flag.name, flag.why)?;
    }
    for remark in remarks {
        writeln!(session.err, "note: {remark}.")?;
    }
    let is_heard = !session.machine.is_untrusted() || !args_of_module(command);
    let unheard = if is_heard { Vec::new() } else { session.machine.ignored_variables() };
    if !unheard.is_empty() {
        writeln!(
            session.err,
            "note: the code is untrusted, so {} in the environment {} ignored.",
            unheard.join(", "),
            if unheard.len() == 1 { "is" } else { "are" }
        )?;
    }
    Ok(())
}

/// Runs a command under its limits, and reports the limit that ended it, if any.
fn run_watched(
    command: &'static CommandRow,
    mut args: CommandArgs,
    session: &mut RunSession<'_>,
) -> Result<ExitStatus, EarlyStop> {
    let watch = session.watch.clone();
    watch.begin(&session.machine, args.budget.clone(), RunBounds::of(&args), args.end_form());
    let done =
        input::take_state(&mut args, session).and_then(|()| run_all(command, &args, session));
    watch.finish_for_good();
    // An apparent misuse may be due to a limit that stopped reading.
    let is_cut = match &done {
        Err(EarlyStop::Stream(_)) => args.budget.ended() == Some(RunEnd::Output),
        Err(EarlyStop::Misuse(_)) => args.budget.ended().is_some(),
        _ => false,
    };
    if is_cut {
        limit::report_end(&args, session)?;
    }
    let done = done?;
    limit::report_end(&args, session)?;
    Ok(done)
}

/// Runs a command, after reading the settings of the root that it names; a command for many roots reads those of each itself.
fn run_all(
    command: &'static CommandRow,
    args: &CommandArgs,
    session: &mut RunSession<'_>,
) -> Result<ExitStatus, EarlyStop> {
    #[cfg(feature = "mcp")]
    if command.name == limit::TOOLS {
        return crate::command::serve_tools(args, session, run);
    }
    if command.name == fmt::COMMAND.name {
        // The order of its operands matters, so they stay one list.
        return run_one(command, args.clone(), session);
    }
    if command.name == check::COMMAND.name
        && (args.watch || check_many::has_many_roots(args, &session.machine))
    {
        // Each root has its own settings, which may change between rounds.
        return (command.run)(args, session);
    }
    if ["diff", limit::FLEET].contains(&command.name) {
        // So have its roots, and its operands name revisions.
        return (command.run)(args, session);
    }
    run_one(command, args.clone(), session)
}

/// Reads the settings of one root and runs the command; notes the dialect that was used if that may explain the result.
fn run_one(
    command: &'static CommandRow,
    mut args: CommandArgs,
    session: &mut RunSession<'_>,
) -> Result<ExitStatus, EarlyStop> {
    // Every command that reads a module has `-var`.
    if args_of_module(command) {
        let of_module = !args.lines || args.operand.is_some();
        settings::settle(&mut args, of_module, session)?;
        note_interrupted(&args, session)?;
    }
    let talks =
        command.name == console::COMMAND.name && session.terminal.input && session.terminal.output;
    if talks {
        settings::note_dialect(&args, session)?;
        return (command.run)(&args, session);
    }
    let done = (command.run)(&args, session);
    let is_wrong =
        matches!(done, Ok(ExitStatus::ERRORS) | Err(EarlyStop::Reported(ExitStatus::ERRORS)));
    let is_done = !matches!(done, Err(EarlyStop::Misuse(_) | EarlyStop::Stream(_)));
    let is_thorough = [check::COMMAND.name, plan::COMMAND.name].contains(&command.name);
    let tells = match &args.evidence {
        // Another edition may differ in what led to the answer.
        _ if !settings::differing_editions(&args, &session.watch.effective_differences())
            .is_empty() =>
        {
            true
        }
        _ if !is_done || args.report().is_some() => false,
        Some(evidence) if !evidence.edition.is_recorded() => is_wrong || is_thorough,
        // An error in this dialect may be valid code in the intended one.
        Some(evidence) => is_wrong && evidence.is_guess,
        None => false,
    };
    if tells {
        settings::note_dialect(&args, session)?;
    }
    done
}

/// Prints notes about incomplete writes of interrupted runs.
fn note_interrupted(args: &CommandArgs, session: &mut RunSession<'_>) -> Result<(), EarlyStop> {
    let folder = settings::folder_of(args.operand.as_deref().unwrap_or("."), &session.machine);
    let Ok(folder) = std::path::absolute(session.machine.place(folder)) else { return Ok(()) };
    for remark in files::interrupted_remarks(&files::writer(), &folder, &session.machine) {
        writeln!(session.err, "note: {remark}")?;
    }
    Ok(())
}

/// Returns true if the command reads a module: it has the flag `-var`.
fn args_of_module(command: &CommandRow) -> bool {
    command.flags.iter().copied().flatten().any(|flag| flag.name == "var")
}

/// Prints what clap returns instead of parsed arguments: help, the version, or an error about the arguments.
fn answer(trouble: &clap::Error, session: &mut RunSession<'_>) -> Result<ExitStatus, EarlyStop> {
    let text = trouble.render();
    match trouble.kind() {
        ClapErrorKind::DisplayHelp => {
            write!(session.out, "{text}")?;
            Ok(ExitStatus::SUCCESS)
        }
        ClapErrorKind::DisplayVersion => {
            version::write(session.out)?;
            Ok(ExitStatus::SUCCESS)
        }
        _ => Err(EarlyStop::Refused(text.to_string())),
    }
}
