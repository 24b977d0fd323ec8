//! `groma metadata functions`: the functions of the language as JSON. `groma functions` prints them as text.

use groma::Edition;

use super::functions;
use super::row::CommandRow;
use crate::flag::{self, CommandArgs};
use crate::session::{EarlyStop, ExitStatus, RunSession};

/// The command `groma metadata`: its flags, help and entry point.
pub(crate) const COMMAND: CommandRow = CommandRow {
    name: "metadata",
    about: "Print the signatures of all functions as JSON",
    operand: Some(("functions", "What to print")),
    flags: &[&[flag::json("Print a JSON object (the default)"), flag::DIALECT]],
    more: "`groma functions` shows the same as text, with a manual page for each function.\n\n\
           Exit codes: 0 success, 2 wrong use.",
    run,
};

/// Prints the signatures of all functions of an edition as JSON.
fn run(args: &CommandArgs, session: &mut RunSession<'_>) -> Result<ExitStatus, EarlyStop> {
    if args.operand.as_deref() != Some("functions") {
        let why = "groma metadata prints functions only: groma metadata functions -json.";
        return Err(EarlyStop::Misuse(why.to_owned()));
    }
    functions::all_signatures(args.edition.unwrap_or(Edition::DEFAULT), session)?;
    Ok(ExitStatus::SUCCESS)
}
