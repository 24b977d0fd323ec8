//! `groma ast`: the syntax trees of files as JSON, for programs that read code. Names are resolved to declarations, so the
//! folder of the file is loaded as a module or Packer template. Expressions are evaluated only with `--values`.

use groma::disk::DiskHost;
use groma::{
    ExpressionValues, Host, RootInputs,
    folders::{FileKind, FilePurpose},
    hosts::{EntryKind, HostError},
};
use groma_document::{DeclaredNames, ParsedText, write_syntax};

use super::row::CommandRow;
use crate::flag::{self, CommandArgs, FlagRow, FlagValue, switch};
use crate::session::{EarlyStop, ExitStatus, RunSession};
use crate::view::json;
use crate::{file_kind, limit, project, settings, template};

/// The command `groma ast`: its flags, help and entry point.
pub(crate) const COMMAND: CommandRow = CommandRow {
    name: "ast",
    about: "Print the syntax tree of a file, or of every file in a folder, as JSON",
    operand: Some(("PATH", "The file or folder (default: the current folder)")),
    flags: &[
        &[
            flag::PRETTY,
            FlagRow {
                name: "values",
                takes: FlagValue::Nothing,
                about: "Add the value of every expression, with the folder as the root module",
                read: |args, _| switch(&mut args.values),
            },
        ],
        flag::MODULE,
    ],
    more: "The output follows the JSON Schema docs/reference/ast.schema.json. Files in JSON syntax \
           have the same form; nested blocks that only a provider's schema can tell are arguments there.\n\n\
           Exit codes: 0 success, 1 a file has syntax errors, 2 wrong use.",
    run,
};

/// Prints the syntax trees of the named file, or of all files in the named folder.
fn run(args: &CommandArgs, session: &mut RunSession<'_>) -> Result<ExitStatus, EarlyStop> {
    let path = args.operands.first().map_or(".", String::as_str);
    let folder = settings::folder_of(path, &session.machine);
    let root = session.machine.root(folder, args.root.as_deref()).map_err(EarlyStop::Misuse)?;
    let allowed = session.machine.allowed(&args.allowed).map_err(EarlyStop::Misuse)?;
    let host = session.machine.host(root, allowed, std::iter::once(path));
    let names = files(path, &host)?;
    let declared = declared_names(args, path, session)?;
    let mut read = Vec::new();
    let mut failed = false;
    for name in names {
        let bytes = host.read(&name).map_err(|error| unreadable(&name, &error))?;
        let one = ParsedText::read(&name, &bytes);
        failed |= one.found.has_errors();
        read.push(one);
    }
    json::print(args.layout(), session.out, &session.watch, |out| {
        write_syntax(&read, &declared, out);
    })?;
    Ok(if failed { ExitStatus::ERRORS } else { ExitStatus::SUCCESS })
}

/// Returns the path itself if it is a file, else the paths of the native-syntax files in the folder, sorted.
fn files(path: &str, host: &DiskHost) -> Result<Vec<String>, EarlyStop> {
    if host.kind(path).map_err(|error| unreadable(path, &error))? != EntryKind::Directory {
        return Ok(vec![path.to_owned()]);
    }
    let entries = host.list(path).map_err(|error| unreadable(path, &error))?.into_iter();
    let shown = entries.filter(|entry| entry.kind == EntryKind::File && is_shown(&entry.name));
    let mut names: Vec<String> = shown.map(|entry| entry.name).collect();
    names.sort_unstable();
    Ok(names.into_iter().map(|name| join_path(path, name)).collect())
}

/// Returns true if a folder's listing includes a file of this name: it is not hidden and contains code.
fn is_shown(name: &str) -> bool {
    let is_json = || {
        FileKind::of(name).is_some_and(|kind| {
            let purposes = [FilePurpose::Code, FilePurpose::Query, FilePurpose::Values];
            kind.is_json() && purposes.contains(&kind.purpose)
        })
    };
    !name.starts_with('.') && (file_kind::is_read(name, None) || is_json())
}

/// Joins the path of a folder and a file name; in the folder `.` the path is the name alone.
fn join_path(folder: &str, name: String) -> String {
    match folder.trim_end_matches('/') {
        "." => name,
        folder => format!("{folder}/{name}"),
    }
}

/// Returns the usage error that says why a path cannot be read.
fn unreadable(path: &str, error: &HostError) -> EarlyStop {
    EarlyStop::Misuse(format!("{path} cannot be read: {error}."))
}

/// Returns the declarations of a module or template, which references in the printed trees resolve to; its errors are not
/// printed.
fn declared_names(
    args: &CommandArgs,
    path: &str,
    session: &mut RunSession<'_>,
) -> Result<DeclaredNames, EarlyStop> {
    if template::names_template(args, Some(path), session)? {
        if args.values {
            return Err(EarlyStop::Misuse(
                "--values is for modules; for a Packer template use `groma eval -e EXPRESSION`."
                    .into(),
            ));
        }
        let loaded =
            template::load(args, Some(path), template::TemplateRequest::default(), session)?;
        let evaluation = &loaded.evaluation;
        let sources = evaluation.sources();
        limit::stop_if_ended(args, evaluation.end(), &loaded.found, &sources, session)?;
        return Ok(DeclaredNames::of(&evaluation.references().vertices, &sources));
    }
    let inputs = if args.values { RootInputs::Given } else { RootInputs::Unknown };
    let loaded = project::load(args, args.operand.as_deref(), inputs, session)?;
    let values = match args.values {
        true => ExpressionValues::of(&loaded.evaluation),
        false => ExpressionValues::default(),
    };
    let project = loaded.project();
    limit::stop_if_ended(args, loaded.evaluation.end(), &loaded.found, project.sources(), session)?;
    Ok(DeclaredNames::of(&project.references().vertices, project.sources()).with(values))
}
