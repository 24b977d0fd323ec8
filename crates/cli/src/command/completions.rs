//! `groma completions`: the script that lets a shell complete commands, flags and paths. It is made from the rows of the
//! commands each time, so it is never behind them; a shell that keeps a copy is, after an update.

use clap_complete::{Shell, generate};

use super::row::Command;
use super::{ALIASES, COMMANDS};
use crate::line::line;
use crate::session::{Exit, Stop};

pub(crate) const COMMAND: Command = Command {
    name: "completions",
    about: "Print the script that lets a shell complete commands and flags",
    operand: Some(("SHELL", "bash, elvish, fish, powershell or zsh")),
    flags: &[],
    more: "Exit codes: 0 all is well, 2 wrong use.",
    run: |args, session| {
        let known: Vec<&str> = SHELLS.iter().map(|(name, _)| *name).collect();
        let known = known.join(", ");
        let Some(asked) = &args.operand else {
            return Err(Stop::Misuse(format!(
                "for which shell? There are {known}, as in: groma completions bash"
            )));
        };
        let Some((_, shell)) = SHELLS.iter().find(|(name, _)| name == asked) else {
            return Err(Stop::Misuse(format!(
                "no script is made for a shell \"{asked}\", but for {known}."
            )));
        };
        // Its generators take a stream that cannot fail.
        let mut script = Vec::new();
        generate(*shell, &mut line(COMMANDS, ALIASES), "groma", &mut script);
        session.out.write_all(&script)?;
        Ok(Exit::WELL)
    },
};

const SHELLS: &[(&str, Shell)] = &[
    ("bash", Shell::Bash),
    ("elvish", Shell::Elvish),
    ("fish", Shell::Fish),
    ("powershell", Shell::PowerShell),
    ("zsh", Shell::Zsh),
];
