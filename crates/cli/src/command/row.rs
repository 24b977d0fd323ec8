//! What is said of a command in its row. Which commands there are is not known here.

use crate::flag::{Args, Flag};
use crate::session::{Exit, Session, Stop};

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
