//! `groma providers schema`: the available schemas of a module's providers, as JSON.

use groma::address::ResourceMode;
use groma::json::{JsonLayout, JsonText};
use groma::projects::Project;

use super::row::CommandRow;
use crate::flag::{self, CommandArgs, FlagRow, FlagValue, set};
use crate::project;
use crate::session::{EarlyStop, ExitStatus, RunSession};
use crate::view::json;

/// The command `groma providers`: its flags, help and entry point.
pub(crate) const COMMAND: CommandRow = CommandRow {
    name: "providers",
    about: "Print the schemas of a module's providers, as far as they are available",
    operand: Some(("schema", "What to print")),
    flags: &[
        &[
            flag::json("Print a JSON document (the default)"),
            flag::PRETTY,
            FlagRow {
                name: "type",
                takes: FlagValue::Value("TYPE"),
                about: "Print only the schema of one type, as in aws_instance or data.aws_ami, whether the module uses it or not",
                read: |args, text| set(&mut args.schema_type, text.to_owned()),
            },
        ],
        flag::MODULE,
    ],
    more: "Schemas come from --schema, groma.toml or .terraform; no provider is run. Missing ones are reported on \
           standard error.\n\n\
           Exit codes: 0 success, 1 a schema cannot be read, or the subcommand is not available in Groma, 2 wrong \
           use.",
    run,
};

/// Prints the provider schemas that are available locally, and notes for which of the providers in use there is none.
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
    if let Some(named) = &args.schema_type {
        return one_type(named, args, project, session);
    }
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

/// Prints the provider schema of one resource type, named as in `aws_instance` or `data.aws_ami`, as JSON.
fn one_type(
    named: &str,
    args: &CommandArgs,
    project: &Project,
    session: &mut RunSession<'_>,
) -> Result<ExitStatus, EarlyStop> {
    let (mode, kind) = match named.split_once('.') {
        Some((word, kind)) => (ResourceMode::of(word), kind),
        None => (Some(ResourceMode::Managed), named),
    };
    let Some(mode) = mode else {
        let why = format!("-type={named}: a type is needed, as in aws_instance or data.aws_ami.");
        return Err(EarlyStop::Misuse(why));
    };
    let mut text = JsonText::new(JsonLayout::Compact);
    let count = project.schemas().write_type(mode, kind, project.edition(), &mut text);
    match count.map_err(|why| EarlyStop::Absent(format!("a schema cannot be read: {why}.")))? {
        0 => {
            let known = project.schemas().providers();
            let known: Vec<&str> = known.into_iter().map(|(address, _)| address).collect();
            let known = match known.as_slice() {
                [] => "no schemas are at hand: give them with --schema FILE".to_owned(),
                known => format!("the schemas at hand are of {}", known.join(", ")),
            };
            Err(EarlyStop::Misuse(format!("there is no schema of {named}; {known}.")))
        }
        _ => {
            let text = text.into_string();
            json::print(args.layout(), session.out, &session.watch, |out| out.push_str(&text))?;
            Ok(ExitStatus::SUCCESS)
        }
    }
}
