//! `groma man`: the help of a command as a manual page, which `man -l -` shows and a package installs. It says what
//! `groma help` says; the long form with examples is the manual.

use clap_mangen::Man;

use super::row::Command;
use super::{ALIASES, COMMANDS, meant};
use crate::line::line;
use crate::session::{Exit, Stop};
use groma::nearest;

pub(crate) const COMMAND: Command = Command {
    name: "man",
    about: "Print a manual page, of the program or of one command",
    operand: Some(("NAME", "The command (default: the page of the program)")),
    flags: &[],
    more: "`groma man plan | man -l -` shows a page; `groma man > groma.1` is how a package gets it.\n\n\
           Exit codes: 0 all is well, 2 wrong use.",
    run: |args, session| {
        let mut whole = line(COMMANDS, ALIASES);
        // Only so do commands know what they are called behind the program's name.
        whole.build();
        let page = match args.operand.as_deref() {
            None => Man::new(whole),
            Some(asked) => match whole.find_subcommand(meant(asked)) {
                Some(command) => Man::new(command.clone()),
                None => return Err(Stop::Misuse(no_page(asked))),
            },
        };
        page.manual("Groma")
            .source(concat!("groma ", env!("CARGO_PKG_VERSION")))
            .render(session.out)?;
        Ok(Exit::WELL)
    },
};

fn no_page(asked: &str) -> String {
    let near = nearest(asked, COMMANDS.iter().map(|row| row.name));
    let near = near.map(|near| format!(" Did you mean {near}?")).unwrap_or_default();
    format!("there is no command {asked}, so there is no page of it.{near}")
}
