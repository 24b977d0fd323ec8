//! `groma edit`: reads and changes code by path, and renames declarations. The library resolves paths and makes the new texts;
//! this file finds the files and replaces all or none of them.

use std::io::Read as _;
use std::path::PathBuf;

use std::sync::Arc;

use groma::Host;
use groma::edit::{
    CodePath, Edit, EditContext, EditOp, EditRefusal, RenameResult, SourceText, apply_edits, get,
    get_each, language, read_edits, write_json,
};
use groma::json::JsonObject;
use groma_syntax::{Diagnostics, Sources, TEXT_LIMIT};

use super::row::CommandRow;
use crate::files::{self, ChosenFile, Files, PathEntry, PathError};
use crate::flag::{self, CommandArgs, FlagRow, FlagValue, GivenFlag, set, switch};
use crate::session::{EarlyStop, ExitStatus, RunSession};
use crate::settings;
use crate::view::json;
use crate::{limit, unified_diff};

/// The command `groma edit`: its flags, help and entry point.
pub(crate) const COMMAND: CommandRow = CommandRow {
    name: "edit",
    about: "Read and edit code by path: arguments, blocks, elements of lists and objects",
    operand: Some((
        "ARGUMENT...",
        "get PATH, set PATH CODE, add PATH CODE, remove PATH or rename PATH NAME, and the folder or file (default: the \
         current folder)",
    )),
    flags: &[
        &[
            FlagRow {
                name: "edits",
                takes: FlagValue::Value("FILE"),
                about: "Apply a JSON list of edits, - for standard input: [{\"op\": \"set\", \"path\": …, \"to\": …}]",
                read: |args, text| {
                    args.edits = Some(text.to_owned());
                    Ok(())
                },
            },
            FlagRow {
                name: "diff",
                takes: FlagValue::Nothing,
                about: "Print a unified diff of the changes (the default without -write)",
                read: |args, _| switch(&mut args.diff),
            },
            FlagRow {
                name: "write",
                takes: FlagValue::Nothing,
                about: "Write the files",
                read: |args, _| switch(&mut args.writes),
            },
            flag::json("Print the replacements and their places as JSON"),
            flag::PRETTY,
            FlagRow {
                name: "root",
                takes: FlagValue::Value("DIR"),
                about: "Search for uses of a name below DIR (default: the repository)",
                read: |args, text| set(&mut args.root, text.to_owned()),
            },
            FlagRow {
                name: "var-file",
                takes: FlagValue::Value("FILE"),
                about: "Also rename a variable in the variable file FILE (may repeat)",
                read: |args, text| {
                    args.assignments.push(GivenFlag::File(text.to_owned()));
                    Ok(())
                },
            },
            flag::DIALECT,
        ],
        flag::LIMITS,
    ],
    more: "A path consists of names, keys and positions: locals.sizes[\"a\"].cpu, module.vpc.source, \
           resource.aws_vpc.main.tags.Name, variable.zones.default[0], \
           resource.aws_security_group.a.ingress[1].from_port. `[]` at the end means after the last element or block; \
           `*` stands for every name, key or position, as in 'resource.aws_instance.*.ami' or ingress[*]. Put -- before code \
           that begins with -. Everything else stays as it is, comments included.\n\n\
           rename changes a name wherever it is used: var.NAME, local.NAME, output.NAME, module.NAME, check.NAME, \
           TYPE.NAME, data.TYPE.NAME, provider.NAME.ALIAS; in the folder, in modules that call it, in variable files \
           and in test files. A renamed resource or module gets a moved block.\n\n\
           Exit codes: 0 success, 1 an edit cannot be made and nothing is changed, 2 wrong use.",
    run,
};

/// The operation that an `edit` command line requests: reading a path, or edits.
enum EditRequest {
    Get(CodePath),
    Edits(Vec<Edit>),
}

/// Returns the error for an operation or path on the command line that is not valid.
fn misuse(EditRefusal(why): EditRefusal) -> EarlyStop {
    EarlyStop::Misuse(why)
}

/// Prints the code at a path, or makes the edits and prints, writes or describes them.
fn run(args: &CommandArgs, session: &mut RunSession<'_>) -> Result<ExitStatus, EarlyStop> {
    let (request, place) = parse_request(args, session)?;
    let place = place.unwrap_or(".");
    let writer = files::writer();
    if args.writes {
        let folder = settings::folder_of(place, &session.machine);
        let folder = std::path::absolute(session.machine.place(folder))?;
        for remark in files::restore_interrupted(&writer, &folder, &session.machine) {
            writeln!(session.err, "note: {remark}")?;
        }
    }
    let chosen = code_files(place, args, session)?;
    let texts = texts(&chosen)?;
    match request {
        EditRequest::Get(path) if path.is_pattern() => match get_each(&texts, &path, language()) {
            Ok(found) => {
                for (path, got) in found {
                    writeln!(session.out, "{path}: {}", got.text.trim_end())?;
                }
            }
            Err(why) => return refuse(&why, session),
        },
        EditRequest::Get(path) => match get(&texts, &path) {
            Ok(got) => writeln!(session.out, "{}", got.text.trim_end())?,
            Err(why) => return refuse(&why, session),
        },
        EditRequest::Edits(edits) => {
            let edited = match edited_files(args, place, &texts, &edits, session)? {
                Ok(edited) => edited,
                Err(why) => return refuse_edits(args, &why, session),
            };
            limit::stop_if_ended(args, None, &Diagnostics::new(), &Sources::new(), session)?;
            if args.writes
                && let Err(why) = replace_all(&writer, &edited, &chosen, place, args, session)
            {
                return refuse_edits(args, &EditRefusal(why), session);
            }
            if args.json {
                json::print(args.layout(), session.out, &session.watch, |out| {
                    write_json(&edited, out)
                })?;
                return Ok(ExitStatus::SUCCESS);
            }
            if args.diff || !args.writes {
                for one in &edited.files {
                    let (before, after) = (one.before.as_bytes(), one.after.as_bytes());
                    session.out.write_all(&unified_diff::unified(&one.path, before, after))?;
                }
            }
            for note in &edited.notes {
                writeln!(session.err, "note: {note}")?;
            }
            if !args.writes && !edited.files.is_empty() {
                writeln!(session.err, "note: no file was changed; -write writes the changes.")?;
            }
        }
    }
    Ok(ExitStatus::SUCCESS)
}

/// Returns the files of the code at `place`, the path on the command line, with the edits applied, or the reason why an edit
/// cannot be made.
fn edited_files(
    args: &CommandArgs,
    place: &str,
    texts: &[SourceText],
    edits: &[Edit],
    session: &RunSession<'_>,
) -> Result<Result<RenameResult, EditRefusal>, EarlyStop> {
    let dir = settings::folder_of(place, &session.machine);
    let root = session.machine.root(dir, args.root.as_deref()).map_err(EarlyStop::Misuse)?;
    let top = root.to_string_lossy().into_owned();
    let host: Arc<dyn Host> = Arc::new(session.machine.host(root, Vec::new(), std::iter::empty()));
    // Settings in the code's folder apply to names as they do to values.
    let mut settled = args.clone();
    settled.operand = Some(place.to_owned());
    settled.names_folder = true;
    settings::settle_on(&mut settled, true, None, &session.machine)?;
    let edition = settled.edition.filter(|_| settings::is_dialect_chosen(&settled));
    let given = settled.assignments.into_iter().filter_map(|given| match given {
        GivenFlag::File(path) => Some(path),
        GivenFlag::Var { .. } => None,
    });
    let value_files: Vec<String> = given.collect();
    let ground = EditContext { texts, dir, top: &top, edition, value_files: &value_files };
    Ok(apply_edits(&host, ground, edits))
}

/// Prints the reason why no edit is made to standard error; the exit status is 1.
fn refuse(why: &EditRefusal, session: &mut RunSession<'_>) -> Result<ExitStatus, EarlyStop> {
    writeln!(session.err, "error: {why}")?;
    Ok(ExitStatus::ERRORS)
}

/// Prints the reason why no edit is made, as a JSON document with `-json`.
fn refuse_edits(
    args: &CommandArgs,
    why: &EditRefusal,
    session: &mut RunSession<'_>,
) -> Result<ExitStatus, EarlyStop> {
    if !args.json {
        return refuse(why, session);
    }
    json::print(args.layout(), session.out, &session.watch, |out| {
        let mut document = JsonObject::open(out);
        document.text("format_version", "1.0");
        document.text("error", &why.to_string());
        document.close();
    })?;
    Ok(ExitStatus::ERRORS)
}

/// Returns the requested operation, and the folder or file that it applies to; `None` if the command line names none.
fn parse_request<'a>(
    args: &'a CommandArgs,
    session: &mut RunSession<'_>,
) -> Result<(EditRequest, Option<&'a str>), EarlyStop> {
    let operands: Vec<&str> = args.operands.iter().map(String::as_str).collect();
    if let Some(from) = &args.edits {
        let place = match operands[..] {
            [] => None,
            [place] => Some(place),
            _ => {
                return Err(EarlyStop::Misuse(
                    "with --edits, give only the folder or the file.".into(),
                ));
            }
        };
        let text = read_edit_list(from, args, session)?;
        return Ok((EditRequest::Edits(read_edits(&text).map_err(misuse)?), place));
    }
    let usage = || {
        Err(EarlyStop::Misuse(
            "an operation is needed: get PATH, set PATH CODE, add PATH CODE, remove PATH, rename PATH NAME, or \
             --edits FILE."
                .into(),
        ))
    };
    let (word, path, rest) = match operands[..] {
        [word, path, ref rest @ ..] => (word, path, rest),
        _ => return usage(),
    };
    let (request, rest) = match (word, EditOp::named(word)) {
        ("get", _) => (EditRequest::Get(CodePath::read(path).map_err(misuse)?), rest),
        (_, Some(EditOp::Remove)) => {
            (EditRequest::Edits(vec![Edit::new(EditOp::Remove, path, None).map_err(misuse)?]), rest)
        }
        (_, Some(op)) => {
            let edit = Edit::new(op, path, rest.first().copied()).map_err(misuse)?;
            (EditRequest::Edits(vec![edit]), rest.get(1..).unwrap_or_default())
        }
        (other, None) => {
            return Err(EarlyStop::Misuse(format!(
                "unknown operation \"{other}\": edit can get, set, add, remove and rename."
            )));
        }
    };
    match rest {
        [] => Ok((request, None)),
        [place] => Ok((request, Some(*place))),
        [_, other, ..] => Err(EarlyStop::Misuse(format!(
            "unexpected argument `{other}`: put code that contains spaces in quotes."
        ))),
    }
}

/// Reads the JSON list of edits from a file, or from standard input for `-`.
fn read_edit_list(
    from: &str,
    args: &CommandArgs,
    session: &mut RunSession<'_>,
) -> Result<String, EarlyStop> {
    let bytes = match from {
        "-" => {
            let mut bytes = Vec::new();
            let input = &mut *session.input;
            std::io::Read::take(input, TEXT_LIMIT as u64 + 1).read_to_end(&mut bytes)?;
            bytes
        }
        _ => match locate(from, from.to_owned(), ".", args, session)? {
            PathEntry::File(file) => files::read(&file, TEXT_LIMIT as u64).map_err(path_error)?,
            PathEntry::Folder(_) => {
                return Err(EarlyStop::Misuse(format!("{from} is a folder, not a list of edits.")));
            }
        },
    };
    String::from_utf8(bytes).map_err(|_| EarlyStop::Misuse("the edits are not UTF-8.".into()))
}

/// Converts the reason why a path cannot be read to a usage error.
fn path_error((shown, why): PathError) -> EarlyStop {
    EarlyStop::Misuse(format!("{shown}: {why}"))
}

/// Returns the file or folder at a path, which messages call `shown`; an error if a link leads out of the bounds of the code at
/// `place`.
fn locate(
    path: &str,
    shown: String,
    place: &str,
    args: &CommandArgs,
    session: &RunSession<'_>,
) -> Result<PathEntry, EarlyStop> {
    let bounds = bounds(place, args, session)?;
    files::at(session.machine.place(path), shown, bounds.as_deref()).map_err(path_error)
}

/// Returns the folders within which links to files of the code at `place` must stay; `None` for trusted code, whose links are not
/// restricted.
fn bounds(
    place: &str,
    args: &CommandArgs,
    session: &RunSession<'_>,
) -> Result<Option<Vec<PathBuf>>, EarlyStop> {
    let folder = settings::folder_of(place, &session.machine);
    session.machine.bounds(folder, args.root.as_deref()).map_err(EarlyStop::Misuse)
}

/// Returns the code files of the folder `place`, or `place` itself if it is a file.
fn code_files(
    place: &str,
    args: &CommandArgs,
    session: &RunSession<'_>,
) -> Result<Vec<ChosenFile>, EarlyStop> {
    let shown = session.machine.seen_from_here(place);
    let folder = match locate(place, shown, place, args, session)? {
        PathEntry::File(file) => return Ok(vec![file]),
        PathEntry::Folder(folder) => folder,
    };
    let is_code = |name: &str| {
        let name = name.strip_suffix(".json").unwrap_or(name);
        [".tf", ".tofu", ".pkr.hcl", ".pkr"].iter().any(|end| name.ends_with(end))
    };
    let (mut all, mut failed) = (Vec::new(), None);
    let bounds = bounds(place, args, session)?;
    files::below(&folder, false, bounds.as_deref(), &is_code, &mut |found| match found {
        Ok(file) => all.push(file),
        Err(why) => failed = Some(why),
    });
    failed.map_or(Ok(all), |why| Err(path_error(why)))
}

/// Reads the code files that `groma edit` prints or changes as UTF-8 text; a file that is too long or not UTF-8 is a usage
/// error.
fn texts(chosen: &[ChosenFile]) -> Result<Vec<SourceText>, EarlyStop> {
    let text = |file: &ChosenFile| {
        let bytes = files::read(file, TEXT_LIMIT as u64).map_err(path_error)?;
        let is_too_long = bytes.len() > TEXT_LIMIT;
        match String::from_utf8(bytes) {
            Ok(text) if !is_too_long => {
                Ok(SourceText { name: file.shown.clone(), text: text.into() })
            }
            Ok(_) => Err(EarlyStop::Misuse(format!("{} is too large to read.", file.shown))),
            Err(_) => Err(EarlyStop::Misuse(format!("{} is not UTF-8.", file.shown))),
        }
    };
    chosen.iter().map(text).collect()
}

/// Writes all edited files or none: to the files in `chosen` that they were read from, or else at their paths within the
/// bounds of the code at `place`. The error says which file failed and what was written nevertheless.
fn replace_all(
    writer: &Files,
    edited: &RenameResult,
    chosen: &[ChosenFile],
    place: &str,
    args: &CommandArgs,
    session: &RunSession<'_>,
) -> Result<(), String> {
    let nothing = |shown: &str, why: &str| format!("{shown}: {why} Nothing was changed.");
    let folder = settings::folder_of(place, &session.machine);
    let bounds = session.machine.bounds(folder, args.root.as_deref())?;
    let mut files = Vec::new();
    for one in &edited.files {
        let known = chosen.iter().find(|file| file.shown == one.path);
        files.push(match known {
            Some(file) => file.clone(),
            None => match files::at(
                session.machine.place(&one.path),
                one.path.clone(),
                bounds.as_deref(),
            ) {
                Ok(PathEntry::File(file)) => file,
                Ok(PathEntry::Folder(file)) => {
                    return Err(nothing(&file.shown, "It has become a folder."));
                }
                Err((shown, why)) => return Err(nothing(&shown, &why)),
            },
        });
    }
    let texts = edited.files.iter().map(|one| (one.before.as_bytes(), one.after.as_bytes()));
    let pairs = files.iter().zip(texts).map(|(file, (before, after))| (file, before, after));
    files::replace_all(writer, &pairs.collect::<Vec<_>>())
}
