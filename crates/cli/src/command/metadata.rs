//! `groma metadata functions`: the functions of the language, for programs. `groma functions` is the same for people.

use groma::Edition;

use super::functions;
use super::row::CommandRow;
use crate::flag::{self, CommandArgs};
use crate::session::{EarlyStop, ExitStatus, RunSession};

pub(crate) const COMMAND: CommandRow = CommandRow {
    name: "metadata",
    about: "Print the signatures of all functions, for programs",
    operand: Some(("functions", "What is told")),
    flags: &[&[flag::json("Print a JSON object, as without it"), flag::DIALECT]],
    more: "`groma functions` tells them to people, each with its page.\n\n\
           Exit codes: 0 all is well, 2 wrong use.",
    run,
};

fn run(args: &CommandArgs, session: &mut RunSession<'_>) -> Result<ExitStatus, EarlyStop> {
    if args.operand.as_deref() != Some("functions") {
        let why = "groma metadata tells of functions alone: groma metadata functions -json.";
        return Err(EarlyStop::Misuse(why.to_owned()));
    }
    functions::all_signatures(args.edition.unwrap_or(Edition::DEFAULT), session)?;
    Ok(ExitStatus::WELL)
}
