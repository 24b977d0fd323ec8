//! The row of a command. The list of commands is in `command/mod.rs`.

use crate::flag::{CommandArgs, FlagRow};
use crate::session::{EarlyStop, ExitStatus, RunSession};

/// One command.
#[derive(Debug)]
pub(crate) struct CommandRow {
    /// The name as it is typed.
    pub name: &'static str,
    /// One line of help.
    pub about: &'static str,
    /// The operand beside flags: its name in help, and a line about it.
    pub operand: Option<(&'static str, &'static str)>,
    /// Its flags, in groups that commands share.
    pub flags: &'static [&'static [FlagRow]],
    /// Further help, below the flags.
    pub more: &'static str,
    /// Does it.
    pub run: fn(&CommandArgs, &mut RunSession<'_>) -> Result<ExitStatus, EarlyStop>,
}
