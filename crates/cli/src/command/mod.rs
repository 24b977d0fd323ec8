//! The commands as rows, and the way from an argument list to one of them. clap reads what [`argv`] has rewritten; the
//! flags then fill in [`Args`] in the order in which they were given.

mod ast;
mod batch;
mod builds;
mod check;
mod console;
mod eval;
mod fmt;
mod functions;
mod graph;
mod inspect;
mod list;
mod output;
mod plan;
mod version;

use std::ffi::OsString;
use std::io::{self, ErrorKind, Write};

use clap::error::ErrorKind as Trouble;
use clap::{Arg, ArgAction, ArgMatches};

use crate::argv;
use crate::environment;
use crate::flag::{Args, Flag, GLOBAL, Takes};
use crate::host::Machine;
use crate::limit::{self, Bounds};
use crate::screen::Screen;
use crate::session::{Exit, Session, Stop};
use crate::settings;

/// One command.
#[derive(Debug)]
pub(crate) struct Command {
    /// What is typed.
    pub name: &'static str,
    /// One line of help.
    pub about: &'static str,
    /// What it takes beside flags: the name in help, and a line about it.
    pub operand: Option<(&'static str, &'static str)>,
    /// Its flags, in groups that commands share.
    pub flags: &'static [&'static [Flag]],
    /// Further help, below the flags.
    pub more: &'static str,
    /// Does it.
    pub run: fn(&Args, &mut Session<'_>) -> Result<Exit, Stop>,
}

/// Every command, in the order of help.
pub(crate) const COMMANDS: &[Command] = &[
    ast::COMMAND,
    check::COMMAND,
    console::COMMAND,
    eval::COMMAND,
    fmt::COMMAND,
    functions::COMMAND,
    graph::COMMAND,
    inspect::COMMAND,
    list::COMMAND,
    output::COMMAND,
    plan::COMMAND,
    version::COMMAND,
];

/// Other names for commands, which users of the reference programs know.
pub(crate) const ALIASES: &[(&str, &str)] = &[("validate", "check")];

/// The name of the command that was meant by `name`.
pub(crate) fn meant(name: &str) -> &str {
    ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, command)| command)
}

/// Runs the program with the arguments after its name.
pub fn run(arguments: Vec<OsString>, session: Session<'_>) -> Exit {
    let Session { input, out, err, terminal, machine, watch } = session;
    let mut out = Screen::new(out, terminal.output, false);
    let mut err = Screen::new(err, terminal.errors, true);
    let (out, err) = (&mut out, &mut err);
    carry_out(arguments, Session { input, out, err, terminal, machine, watch })
}

fn carry_out(arguments: Vec<OsString>, mut session: Session<'_>) -> Exit {
    let misuse = misuse(&arguments, &session.machine);
    let done = parse_and_run(arguments, misuse, &mut session);
    let done = done.and_then(|exit| Ok(session.out.flush().map(|()| exit)?));
    match done {
        Ok(exit) => exit,
        Err(Stop::Stream(error)) if error.kind() == ErrorKind::BrokenPipe => Exit::WELL,
        Err(Stop::Stream(error)) => {
            // Standard error may be what failed; there is no other way to say so.
            let _ = writeln!(session.err, "groma: a stream failed: {error}");
            Exit::ERRORS
        }
        Err(Stop::Told(exit)) => {
            let _ = session.out.flush();
            exit
        }
        Err(Stop::Misuse(message)) => {
            let _ = session.out.flush();
            let _ = writeln!(session.err, "error: {message}");
            misuse
        }
    }
}

/// How wrong use ends: where 2 stands for changes, a slip of the finger must not look like one.
fn misuse(arguments: &[OsString], machine: &Machine) -> Exit {
    let given = arguments.iter().filter_map(|argument| argument.to_str());
    let mut names = given.filter_map(|argument| argument.strip_prefix('-'));
    let is_detailed =
        names.any(|name| name.trim_start_matches('-').starts_with("detailed-exitcode"));
    match is_detailed || environment::asks_for_detail(machine) {
        true => Exit::DETAILED_MISUSE,
        false => Exit::MISUSE,
    }
}

fn parse_and_run(
    arguments: Vec<OsString>,
    misuse: Exit,
    session: &mut Session<'_>,
) -> Result<Exit, Stop> {
    let mut texts = Vec::with_capacity(arguments.len());
    for argument in arguments {
        texts.push(argument.into_string().map_err(|bad| {
            Stop::Misuse(format!("the argument \"{}\" is not UTF-8.", bad.display()))
        })?);
    }
    let mut rewritten = argv::rewrite(&texts).map_err(Stop::Misuse)?;
    session.machine.distrust(rewritten.has("--untrusted"));
    let mut remarks = Vec::new();
    let is_heard =
        !session.machine.is_untrusted() && environment::concerns(&rewritten.args, &session.machine);
    if let Some((command, behind)) = rewritten.command().filter(|_| is_heard) {
        let added = environment::added(command, &session.machine).map_err(Stop::Misuse)?;
        rewritten.args.splice(behind..behind, added.args);
        remarks = added.remarks;
    }
    let matches = match line().try_get_matches_from(&rewritten.args) {
        Ok(matches) => matches,
        Err(trouble) => return answer(&trouble, misuse, session),
    };
    let Some((name, own)) = matches.subcommand() else {
        write!(session.err, "{}", line().render_help())?;
        return Ok(misuse);
    };
    let command = COMMANDS.iter().find(|command| command.name == name);
    let command = command.expect("clap knows only the rows' names");
    let mut args = read(command, own).map_err(Stop::Misuse)?;
    args.command = command.name;
    session.machine.distrust(args.untrusted);
    if session.machine.is_untrusted() {
        limit::restrain(&mut args);
    }
    args.budget = limit::budget(&args);
    for flag in rewritten.ignored {
        writeln!(session.err, "note: -{} is ignored: {}.", flag.name, flag.why)?;
    }
    for remark in remarks {
        writeln!(session.err, "note: {remark}.")?;
    }
    let unheard = session.machine.unheard();
    if session.machine.is_untrusted() && args_of_module(command) && !unheard.is_empty() {
        writeln!(
            session.err,
            "note: the code is not trusted, so {} in the environment {} not looked at.",
            unheard.join(", "),
            if unheard.len() == 1 { "is" } else { "are" }
        )?;
    }
    if let Some(folder) = &args.chdir {
        session.machine.change_directory(folder).map_err(Stop::Misuse)?;
    }
    let watch = session.watch.clone();
    watch.begin(&session.machine, args.budget.clone(), Bounds::of(&args), args.end_form());
    let done = run_all(command, &args, session);
    watch.finish();
    let done = done?;
    limit::tell_end(&args, session)?;
    Ok(done)
}

fn run_all(
    command: &'static Command,
    args: &Args,
    session: &mut Session<'_>,
) -> Result<Exit, Stop> {
    if command.name == fmt::COMMAND.name {
        // Its operands are one list, whose order counts.
        return run_one(command, args.clone(), session);
    }
    let folders = folders(args, session);
    if folders.len() > 1 {
        return each(command, args, &folders, session);
    }
    run_one(command, args.clone(), session)
}

/// The folders that several operands are about, each once: a hook hands over the files that were changed.
fn folders(args: &Args, session: &Session<'_>) -> Vec<String> {
    let mut folders: Vec<String> = Vec::new();
    for path in &args.operands {
        let folder = match groma_packer::is_template(path) {
            true => path,
            false => settings::folder_of(path, session),
        };
        if folders.iter().all(|known| known != folder) {
            folders.push(folder.to_owned());
        }
    }
    folders
}

/// Runs a command for one folder after the other; the worst exit code is that of all.
fn each(
    command: &'static Command,
    args: &Args,
    folders: &[String],
    session: &mut Session<'_>,
) -> Result<Exit, Stop> {
    if args.json {
        return Err(Stop::Misuse(format!(
            "with --json one folder is {}ed at a time, and these are {}: {}.",
            command.name,
            folders.len(),
            folders.join(", ")
        )));
    }
    let mut worst = Exit::WELL;
    for folder in folders {
        let own = Args { operand: Some(folder.clone()), ..args.clone() };
        writeln!(session.out, "{folder}:")?;
        let exit = run_one(command, own, session)?;
        worst = if worst == Exit::WELL { exit } else { worst };
    }
    Ok(worst)
}

fn run_one(
    command: &'static Command,
    mut args: Args,
    session: &mut Session<'_>,
) -> Result<Exit, Stop> {
    // Who reads a module takes values for its variables.
    if args_of_module(command) {
        let of_module = !args.lines || args.operand.is_some();
        settings::settle(&mut args, of_module, session)?;
    }
    let talks =
        command.name == console::COMMAND.name && session.terminal.input && session.terminal.output;
    if talks {
        settings::tell(&args, session)?;
        return (command.run)(&args, session);
    }
    // The code may mean something else to another program: who hears that something is wrong with it hears as what it
    // was read.
    let mut errors = Heard { err: &mut *session.err, has_written: false };
    let inner = Session {
        input: &mut *session.input,
        out: &mut *session.out,
        err: &mut errors,
        terminal: session.terminal,
        machine: session.machine.clone(),
        watch: session.watch.clone(),
    };
    let done = (command.run)(&args, &mut { inner });
    let names_it = !args.json && [check::COMMAND.name, plan::COMMAND.name].contains(&command.name);
    if errors.has_written || names_it && !matches!(done, Err(Stop::Misuse(_))) {
        settings::tell(&args, session)?;
    }
    done
}

fn args_of_module(command: &Command) -> bool {
    command.flags.iter().copied().flatten().any(|flag| flag.name == "var")
}

/// Standard error, and whether a command had anything to say there.
struct Heard<'e> {
    err: &'e mut dyn Write,
    has_written: bool,
}

impl Write for Heard<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.has_written |= !bytes.is_empty();
        self.err.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.err.flush()
    }
}

/// What clap answers by itself: help, and what is wrong with the arguments.
fn answer(trouble: &clap::Error, misuse: Exit, session: &mut Session<'_>) -> Result<Exit, Stop> {
    let text = trouble.render();
    match trouble.kind() {
        Trouble::DisplayHelp => {
            write!(session.out, "{text}")?;
            Ok(Exit::WELL)
        }
        Trouble::DisplayVersion => {
            version::write(session.out)?;
            Ok(Exit::WELL)
        }
        _ => {
            write!(session.err, "{text}")?;
            Ok(misuse)
        }
    }
}

/// The rows as clap sees them.
fn line() -> clap::Command {
    clap::Command::new("groma")
        .no_binary_name(true)
        .bin_name("groma")
        .about("Says what Terraform, OpenTofu and Packer code means, from source alone")
        .version(env!("CARGO_PKG_VERSION"))
        .disable_version_flag(true)
        .arg(
            Arg::new("version")
                .long("version")
                .action(ArgAction::Version)
                .help("Print the version"),
        )
        .args(GLOBAL.iter().map(|flag| argument(flag).global(true).display_order(900)))
        .subcommands(COMMANDS.iter().map(subcommand))
        .after_help("A flag may be written with one dash or two: -json, --json. `groma help COMMAND` says more.")
}

fn subcommand(command: &Command) -> clap::Command {
    let own = command.flags.iter().copied().flatten().map(argument);
    let aliases = ALIASES.iter().filter(|(_, meant)| *meant == command.name);
    let mut sub = clap::Command::new(command.name)
        .about(command.about)
        .args(own)
        .aliases(aliases.map(|(alias, _)| *alias));
    if let Some((name, about)) = command.operand {
        let arg = Arg::new("operand").value_name(name.trim_end_matches('.')).help(about);
        sub = sub.arg(if name.ends_with('.') { arg.num_args(0..) } else { arg });
    }
    if command.more.is_empty() { sub } else { sub.after_help(command.more) }
}

fn argument(flag: &Flag) -> Arg {
    let arg = Arg::new(flag.name).help(flag.about);
    let mut letters = flag.name.chars();
    let arg = match (letters.next(), letters.next()) {
        (Some(letter), None) => arg.short(letter),
        _ => arg.long(flag.name),
    };
    match flag.takes {
        Takes::Nothing => arg.action(ArgAction::SetTrue).overrides_with(flag.name),
        Takes::Truth => arg.value_name("BOOL").action(ArgAction::Append),
        Takes::Value(name) => {
            arg.value_name(name).action(ArgAction::Append).allow_hyphen_values(true)
        }
    }
}

/// Fills in [`Args`], flag by flag in the order of the command line.
fn read(command: &'static Command, matches: &ArgMatches) -> Result<Args, String> {
    let mut given: Vec<(usize, &Flag, &str)> = Vec::new();
    for flag in GLOBAL.iter().chain(command.flags.iter().copied().flatten()) {
        if let Takes::Nothing = flag.takes {
            if matches.get_flag(flag.name) {
                given.push((matches.index_of(flag.name).unwrap_or(0), flag, ""));
            }
            continue;
        }
        let values = matches.get_many::<String>(flag.name).into_iter().flatten();
        let places = matches.indices_of(flag.name).into_iter().flatten();
        given.extend(places.zip(values).map(|(place, value)| (place, flag, value.as_str())));
    }
    given.sort_by_key(|(place, ..)| *place);
    let mut args = Args::default();
    for (_, flag, value) in given {
        (flag.read)(&mut args, value)?;
        args.given.push(flag.name);
    }
    if command.operand.is_some() {
        let all = matches.get_many::<String>("operand").into_iter().flatten().cloned();
        args.operands = all.collect();
        args.operand = args.operands.first().cloned();
    }
    args.names_folder = command.operand.is_some_and(|(name, _)| name != "NAME");
    Ok(args)
}

#[cfg(test)]
mod tests {
    use super::{COMMANDS, line};
    use crate::flag::{GLOBAL, IGNORED};

    #[test]
    fn clap_accepts_the_rows() {
        line().debug_assert();
    }

    #[test]
    fn every_command_has_a_page() {
        let pages = concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance/pages/cli");
        for command in COMMANDS {
            let page = std::path::Path::new(pages).join(command.name).with_extension("md");
            assert!(page.exists(), "{} is missing", page.display());
        }
    }

    #[test]
    fn every_command_tells_its_exit_codes() {
        for command in COMMANDS {
            assert!(command.more.contains("Exit codes: 0 "), "{}", command.name);
        }
    }

    #[test]
    fn no_flag_is_both_used_and_ignored() {
        for command in COMMANDS {
            for flag in GLOBAL.iter().chain(command.flags.iter().copied().flatten()) {
                assert!(IGNORED.iter().all(|row| row.name != flag.name), "{}", flag.name);
                assert!(flag.about.chars().next().is_some_and(char::is_uppercase), "{}", flag.name);
            }
        }
    }
}
