//! `groma providers schema`: the available schemas of a module's providers, as JSON.

use super::row::CommandRow;
use crate::flag::{self, CommandArgs};
use crate::project;
use crate::session::{EarlyStop, ExitStatus, RunSession};
use crate::view::json;

/// The command `groma providers`: its flags, help and entry point.
pub(crate) const COMMAND: CommandRow = CommandRow {
    name: "providers",
    about: "Print the schemas of a module's providers, as far as they are available",
    operand: Some(("schema", "What to print")),
    flags: &[&[flag::json("Print a JSON document (the default)"), flag::PRETTY], flag::MODULE],
    more: "Schemas come from --schema, groma.toml or .terraform; no provider is run. Missing ones are reported on \
           standard error.\n\n\
           Exit codes: 0 success, 1 a schema cannot be read, or the subcommand is not available in Groma, 2 wrong \
           use.",
    run,
};

/// Prints the available provider schemas and notes the missing ones.
fn run(args: &CommandArgs, session: &mut RunSession<'_>) -> Result<ExitStatus, EarlyStop> {
    match args.operand.as_deref() {
        Some("schema") => {}
        Some(asked @ ("lock" | "mirror")) => {
            return Err(EarlyStop::Absent(format!(
                "there is no `groma providers {asked}`: Groma does not install providers."
            )));
        }
        _ => {
            let why = "groma providers prints schemas only: groma providers schema -json.";
            return Err(EarlyStop::Misuse(why.to_owned()));
        }
    }
    let loaded = project::load_values(args, None, session)?;
    let project = loaded.project();
    let sources = project.provider_sources();
    let mut missing = Ok(Vec::new());
    json::print(args.layout(), session.out, &session.watch, |out| {
        missing = project.schemas().write_json(&sources, project.edition(), out);
    })?;
    match missing {
        Ok(missing) => {
            for source in missing {
                let told = "is not available: give it with --schema FILE";
                writeln!(session.err, "note: the schema of {source} {told}.")?;
            }
            Ok(ExitStatus::SUCCESS)
        }
        Err(why) => Err(EarlyStop::Absent(format!("a schema cannot be read: {why}."))),
    }
}
