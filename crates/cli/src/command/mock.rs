//! `groma mock`: writes a mock file as a starting point, with the missing values that the results of a root depend on. Only the
//! named file is written.

use groma::values::sentence::plural;
use groma_format::{OlderForms, format};
use groma_syntax::{Diagnostics, FileId, Severity, parse_file};

use super::row::CommandRow;
use crate::flag::{self, CommandArgs, FlagRow, FlagValue};
use crate::session::{EarlyStop, ExitStatus, RunSession};
use crate::view::diagnostic;
use crate::{files, limit, project, template};

/// The command `groma mock`: its flags, help and entry point.
pub(crate) const COMMAND: CommandRow = CommandRow {
    name: "mock",
    about: "Write a mock file with the values that a module's results depend on",
    operand: Some(("DIR", "The module's directory (default: the current directory)")),
    flags: &[OWN, flag::MODULE],
    more: "The file holds values for data sources, for attributes known only after apply, for provider functions and \
           for modules that are not available. Only what the results depend on is listed, the most used first. \
           Existing mocks are taken into account, so a second run lists what is still missing.\n\n\
           Exit codes: 0 success, 1 the code has errors, 2 wrong use.",
    run,
};

/// Flags that only `groma mock` has.
const OWN: &[FlagRow] = &[
    FlagRow {
        name: "out",
        takes: FlagValue::Value("FILE"),
        about: "Write to FILE, which must not exist (default: standard output)",
        read: |args, text| flag::set(&mut args.out_file, text.to_string()),
    },
    FlagRow {
        name: "force",
        takes: FlagValue::Nothing,
        about: "Overwrite an existing file",
        read: |args, _| flag::switch(&mut args.force),
    },
    FlagRow {
        name: "from-state",
        takes: FlagValue::Value("FILE"),
        about: "Fill in the values recorded in the state FILE, except sensitive ones",
        read: |args, text| flag::set(&mut args.state, text.to_string()),
    },
];

/// Drafts a mock file for a module, and prints it or writes it to the file of `-out`.
fn run(args: &CommandArgs, session: &mut RunSession<'_>) -> Result<ExitStatus, EarlyStop> {
    let directory = args.operand.as_deref();
    if template::names_template(args, directory, session)? {
        return Err(EarlyStop::Misuse(
            "this is a Packer template, and mock files are written for modules only. Write mock_data and mock_function blocks by hand.".into(),
        ));
    }
    let loaded = project::load_values(args, directory, session)?;
    let mut found = loaded.found.clone();
    loaded.note_if_empty(directory, session)?;
    let colour = session.colour(!args.no_color);
    let draft = loaded.snapshot().mock_draft(args.state.as_deref());
    let draft = draft.map_err(|why| EarlyStop::Misuse(format!("--from-state: {}", why.0)))?;
    loaded.evaluation.evaluate_all(&mut found);
    let sources = loaded.evaluation.sources();
    sources.sort(&mut found);
    limit::stop_if_ended(args, loaded.evaluation.end(), &found, &sources, session)?;
    let errors: Diagnostics =
        found.into_iter().filter(|one| one.severity == Severity::Error).collect();
    diagnostic::print(&errors, &sources, colour, session.err)?;
    let text = laid_out(draft.text());
    match &args.out_file {
        None => write!(session.out, "{text}")?,
        Some(file) => {
            let path = session.machine.path(file);
            let folder = directory.unwrap_or(".");
            let bounds = session.machine.bounds(folder, args.root.as_deref());
            let bounds = bounds.map_err(EarlyStop::Misuse)?;
            files::write(path, file.clone(), text.as_bytes(), args.force, bounds.as_deref())
                .map_err(|(file, why)| EarlyStop::Misuse(format!("-out={file}: {why}")))?;
        }
    }
    let place = args.out_file.as_ref().map_or(String::new(), |file| format!(" in {file}"));
    match (draft.waiting, draft.count()) {
        (0, _) => writeln!(session.err, "note: no result depends on a missing value.")?,
        (waiting, blocks) => {
            let mocks = plural(blocks, "mock");
            let left = draft.left;
            writeln!(
                session.err,
                "note: {waiting} unknown values depend on missing ones; with {mocks}{place}, {left} would remain."
            )?;
        }
    }
    Ok(if errors.has_errors() { ExitStatus::ERRORS } else { ExitStatus::SUCCESS })
}

/// Formats the text of a proposed mock file in the canonical layout, which `groma fmt` yields.
fn laid_out(text: String) -> String {
    let parse = parse_file(&text.as_str().into(), FileId(0));
    format(&parse, OlderForms::Kept).ok().flatten().unwrap_or(text)
}
