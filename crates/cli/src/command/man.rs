//! `groma man`: the help of a command as a manual page, shown as text on a terminal and printed as roff source elsewhere, for
//! `man -l -` or a package. It has the contents of `groma help`; the manual has the long form with examples.

use clap_mangen::Man;

use super::row::CommandRow;
use super::{ALIASES, COMMANDS, command_name};
use crate::line::line;
use crate::session::{EarlyStop, ExitStatus};
use crate::view::manual;
use groma::values::nearest;

/// The command `groma man`: its flags, help and behaviour.
pub(crate) const COMMAND: CommandRow = CommandRow {
    name: "man",
    about: "Show the manual page of the program or of a command",
    operand: Some(("NAME", "The command (default: the page of the program)")),
    flags: &[],
    more: "On a terminal the page is shown as text. In a pipe or a file it is the source of the page, for `man -l -` \
           or for a package to install: `groma man > groma.1`.\n\n\
           Exit codes: 0 success, 2 wrong use.",
    run: |args, session| {
        let mut whole = line(COMMANDS, ALIASES);
        // Building gives each subcommand its full name.
        whole.build();
        let page = match args.operand.as_deref() {
            None => Man::new(whole),
            Some(asked) => match whole.find_subcommand(command_name(asked)) {
                Some(command) => Man::new(command.clone()),
                None => return Err(EarlyStop::Misuse(no_page(asked))),
            },
        };
        let page = page.manual("Groma").source(concat!("groma ", env!("CARGO_PKG_VERSION")));
        if session.terminal.output {
            let mut source = Vec::new();
            page.render(&mut source)?;
            let source = String::from_utf8_lossy(&source);
            write!(session.out, "{}", manual::text(&source, session.terminal.text_width()))?;
        } else {
            page.render(session.out)?;
        }
        Ok(ExitStatus::SUCCESS)
    },
};

/// Returns the message about a command that does not exist.
fn no_page(asked: &str) -> String {
    let near = nearest(asked, COMMANDS.iter().map(|row| row.name));
    let near = near.map(|near| format!(" Did you mean {near}?")).unwrap_or_default();
    format!("there is no command {asked}.{near}")
}
