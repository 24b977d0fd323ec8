//! `groma fleet`: asks many roots one question and prints one line of JSON for each. Standard output has only these lines; times
//! and counts go to standard error.

use groma_fleet::FleetQuestion;
use groma_settings::quantity;

use super::row::CommandRow;
use crate::flag::{self, CommandArgs, FlagRow, FlagValue, set, switch};
use crate::session::{EarlyStop, ExitStatus, RunSession};
use crate::{fleet, rules};

/// The command `groma fleet`: its flags, help and entry point.
pub(crate) const COMMAND: CommandRow = CommandRow {
    name: crate::limit::FLEET,
    about: "Evaluate, check or plan many root modules, and print one JSON line for each",
    operand: Some((
        "ROOTS...",
        "Directories, patterns such as 'live/**', or - for a list on standard input",
    )),
    flags: &[OWN, rules::FLAGS, flag::MODULE, flag::TEMPLATE],
    more: "Each line is {\"root\",\"ok\",\"answer\"}, with the JSON of the command of that name, or {\"root\",\"ok\":false,\
           \"error\"} if the code has errors, a limit was reached or nothing could be read. The lines come in the order \
           of the roots; those that a pattern or --find finds are sorted.\n\n\
           With --out the lines go to FILE, which contains only whole lines at any moment; FILE.keys beside it \
           records what each line depends on, so that --resume asks again only where something has changed. The content \
           of files decides; FILE.stamps records their times, so that untouched files are not read again.\n\n\
           Exit codes: 0 every root is ok, 1 some are not, 2 wrong use.",
    run,
};

/// Stores the question that the run asks every root; a second, different question is an error.
fn question(args: &mut CommandArgs, question: FleetQuestion) -> Result<(), String> {
    match &args.fleet.question {
        Some(other) if *other != question => {
            Err(format!("--{} and --{} cannot be used together.", other.text(), question.text()))
        }
        _ => set(&mut args.fleet.question, question),
    }
}

/// Flags that only `groma fleet` has.
const OWN: &[FlagRow] = &[
    FlagRow {
        name: "e",
        takes: FlagValue::Value("EXPR"),
        about: "Evaluate an expression in each root",
        read: |args, text| {
            args.expressions.push(text.to_string());
            Ok(())
        },
    },
    FlagRow {
        name: "check",
        takes: FlagValue::Nothing,
        about: "Find errors and questionable code (default)",
        read: |args, _| question(args, FleetQuestion::Check),
    },
    FlagRow {
        name: "plan",
        takes: FlagValue::Nothing,
        about: "Plan each root",
        read: |args, _| question(args, FleetQuestion::Plan),
    },
    FlagRow {
        name: "list",
        takes: FlagValue::Nothing,
        about: "List the instances of each root",
        read: |args, _| question(args, FleetQuestion::List),
    },
    FlagRow {
        name: "outputs",
        takes: FlagValue::Nothing,
        about: "Print the outputs of each root",
        read: |args, _| question(args, FleetQuestion::Outputs),
    },
    FlagRow {
        name: "values",
        takes: FlagValue::Nothing,
        about: "With --check: evaluate with the values of the variables, and also report what a plan would find",
        read: |args, _| switch(&mut args.values),
    },
    FlagRow {
        name: "find",
        takes: FlagValue::Value("DIR"),
        about: "Ask every root module below DIR: directories with code that no other one calls as a module (may repeat)",
        read: |args, text| {
            args.fleet.find.push(text.to_owned());
            Ok(())
        },
    },
    FlagRow {
        name: "out",
        takes: FlagValue::Value("FILE"),
        about: "Write the lines to FILE",
        read: |args, text| set(&mut args.fleet.out, text.to_owned()),
    },
    FlagRow {
        name: "resume",
        takes: FlagValue::Nothing,
        about: "Keep the lines in FILE of roots whose files, values and settings have not changed",
        read: |args, _| switch(&mut args.fleet.resume),
    },
    FlagRow {
        name: "sample",
        takes: FlagValue::Value("N"),
        about: "Ask only N of the roots, chosen by their names and --seed",
        read: |args, text| match text.parse() {
            Ok(count) => set(&mut args.fleet.sample, count),
            Err(_) => Err(format!("--sample takes a whole number, not \"{text}\".")),
        },
    },
    FlagRow {
        name: "changed-since",
        takes: FlagValue::Value("REV"),
        about: "Ask only roots that are affected by files changed since this git revision",
        read: |args, text| set(&mut args.fleet.since, text.to_owned()),
    },
    FlagRow {
        name: "budget",
        takes: FlagValue::Value("NAME=LIMIT"),
        about: "Limit each root: time=DURATION or memory=SIZE (may repeat); --limit also counts for each root, --timeout and --memory for all of them",
        read: |args, text| {
            let wrong = || {
                format!(
                    "--budget takes time=DURATION, as in time=5s, or memory=SIZE, not \"{text}\"."
                )
            };
            let (name, limit) = text.split_once('=').ok_or_else(wrong)?;
            match name {
                "time" => {
                    let time = quantity::duration(limit).filter(|time| !time.is_zero());
                    args.fleet.root_time = Some(time.ok_or_else(wrong)?);
                }
                "memory" => {
                    let memory = quantity::size(limit).filter(|size| *size > 0);
                    args.fleet.root_memory = Some(memory.ok_or_else(wrong)?);
                }
                _ => return Err(wrong()),
            }
            Ok(())
        },
    },
];

/// Asks every root the question of the command line and prints one line for each, by [`crate::fleet`].
fn run(args: &CommandArgs, session: &mut RunSession<'_>) -> Result<ExitStatus, EarlyStop> {
    fleet::run(args, session)
}
