//! `groma mock`: a mock file to begin with, for what the answers of a root wait for. Nothing is written but the file that
//! is named.

use groma::sentence::plural;
use groma_format::{OlderForms, format};
use groma_syntax::{Diagnostics, FileId, Severity, parse_file};

use super::row::CommandRow;
use crate::flag::{self, CommandArgs, FlagRow, FlagValue};
use crate::session::{EarlyStop, ExitStatus, RunSession};
use crate::view::diagnostic;
use crate::{files, limit, project, template};

pub(crate) const COMMAND: CommandRow = CommandRow {
    name: "mock",
    about: "Write a mock file for what the answers of a module wait for",
    operand: Some(("DIR", "The module's directory (default: the current one)")),
    flags: &[OWN, flag::MODULE],
    more: "The file says what to take for data sources, for what is known only after an apply, for functions of \
           providers and for modules that are not at hand; most wanted first, and only what is asked for. Mocks that \
           are there already count, so a second run lists what is still wanted.\n\n\
           Exit codes: 0 all is well, 1 the code has errors, 2 wrong use.",
    run,
};

const OWN: &[FlagRow] = &[
    FlagRow {
        name: "out",
        takes: FlagValue::Value("FILE"),
        about: "Write it to FILE, which must not be there yet (default: standard output)",
        read: |args, text| flag::set(&mut args.out_file, text.to_string()),
    },
    FlagRow {
        name: "force",
        takes: FlagValue::Nothing,
        about: "Overwrite the file",
        read: |args, _| flag::switch(&mut args.force),
    },
    FlagRow {
        name: "from-state",
        takes: FlagValue::Value("FILE"),
        about: "Fill in what the state in FILE records, but for what is sensitive",
        read: |args, text| flag::set(&mut args.state, text.to_string()),
    },
];

fn run(args: &CommandArgs, session: &mut RunSession<'_>) -> Result<ExitStatus, EarlyStop> {
    let directory = args.operand.as_deref();
    if template::is_meant(args, directory, session)? {
        return Err(EarlyStop::Misuse(
            "this is a Packer template, and mocks are written for modules: mock_data and mock_function say what to take for what a template asks.".into(),
        ));
    }
    let loaded = project::load_values(args, directory, session)?;
    let mut found = loaded.found.clone();
    loaded.tell_if_bare(directory, session)?;
    let colour = session.colour(!args.no_color);
    let draft = loaded.snapshot().mock_draft(args.state.as_deref());
    let draft = draft.map_err(|why| EarlyStop::Misuse(format!("--from-state: {}", why.0)))?;
    loaded.evaluation.evaluate_all(&mut found);
    let sources = loaded.evaluation.sources();
    found.sort_by_place();
    limit::go_on(args, loaded.evaluation.end(), &found, &sources, session)?;
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
        (0, _) => writeln!(session.err, "note: nothing waits for an answer.")?,
        (waiting, blocks) => {
            let mocks = plural(blocks, "mock");
            let left = draft.left;
            writeln!(
                session.err,
                "note: {waiting} unknown values wait for answers; with {mocks}{place} {left} would."
            )?;
        }
    }
    Ok(if errors.has_errors() { ExitStatus::ERRORS } else { ExitStatus::WELL })
}

fn laid_out(text: String) -> String {
    let parse = parse_file(&text.as_str().into(), FileId(0));
    format(&parse, OlderForms::Kept).ok().flatten().unwrap_or(text)
}
