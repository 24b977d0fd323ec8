//! The row type of commands. The table of all commands is in `command/mod.rs`.

use crate::flag::{CommandArgs, FlagRow};
use crate::session::{EarlyStop, ExitStatus, RunSession};

/// A command: its name, help, flags and entry point.
#[derive(Debug)]
pub(crate) struct CommandRow {
    /// The name on the command line.
    pub name: &'static str,
    /// One line of help.
    pub about: &'static str,
    /// The operand: its name in help, and a line about it.
    pub operand: Option<(&'static str, &'static str)>,
    /// Its flags, in groups that commands share.
    pub flags: &'static [&'static [FlagRow]],
    /// Further help, below the flags.
    pub more: &'static str,
    /// Runs the command.
    pub run: fn(&CommandArgs, &mut RunSession<'_>) -> Result<ExitStatus, EarlyStop>,
}
