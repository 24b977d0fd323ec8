//! `groma fmt`: formats files as `terraform fmt`, `tofu fmt` and `packer fmt` do. A file that cannot be parsed is reported and
//! left unchanged; the others are formatted all the same.

use std::collections::{BTreeSet, HashSet};
use std::io::{self, Read as _};
use std::path::PathBuf;

use groma::{Dialect, Edition};
use groma_format::{OlderForms, UnreadableText, format_bytes};
use groma_syntax::{Diagnostic, Diagnostics, Sources, TEXT_LIMIT};

use super::row::CommandRow;
use crate::codes;
use crate::files::{self, ChosenFile, Files, LEADS_OUT, PathEntry, PathError};
use crate::flag::{self, CommandArgs, FlagRow, FlagValue, switch};
use crate::host::MachineContext;
use crate::session::{EarlyStop, ExitStatus, RunSession};
use crate::view::diagnostic;
use crate::{file_kind, limit, parallel, settings, unified_diff};

/// The command `groma fmt`: its flags, help and entry point.
pub(crate) const COMMAND: CommandRow = CommandRow {
    name: "fmt",
    about: "Format files",
    operand: Some((
        "PATH...",
        "Files and folders (default: the current folder), or - for standard input",
    )),
    flags: &[FLAGS, &[flag::DIALECT], flag::LIMITS],
    more: "Prints the paths of the files that it changes. Files whose names end with .tf, .tofu, .tfvars, \
           .tftest.hcl, .tofutest.hcl, .tfmock.hcl, .tfquery.hcl, .pkr.hcl or .pkrvars.hcl are formatted; with \
           --dialect only those that this program formats. Hidden files are skipped unless they are named.\n\n\
           Exit codes: 0 success, 2 a file cannot be parsed, read or written, or wrong use, 3 with -check: a file is \
           not formatted.",
    run,
};

/// Flags that only `groma fmt` has.
const FLAGS: &[FlagRow] = &[
    FlagRow {
        name: "recursive",
        takes: FlagValue::Nothing,
        about: "Format the files in subfolders too",
        read: |args, _| switch(&mut args.recursive),
    },
    FlagRow {
        name: "check",
        takes: FlagValue::Nothing,
        about: "Do not write; exit with 3 if a file is not formatted",
        read: |args, _| switch(&mut args.check),
    },
    FlagRow {
        name: "diff",
        takes: FlagValue::Nothing,
        about: "Print a unified diff of the changes",
        read: |args, _| switch(&mut args.diff),
    },
    FlagRow {
        name: "list",
        takes: FlagValue::Truth,
        about: "Print the paths of files that are not formatted (default: true)",
        read: |args, text| {
            args.unlisted = text == "false";
            Ok(())
        },
    },
    FlagRow {
        name: "write",
        takes: FlagValue::Truth,
        about: "Write the files (default: true); with -list=false -write=false the formatted texts are printed",
        read: |args, text| {
            args.unwritten = text == "false";
            Ok(())
        },
    },
];

/// The flags of `groma fmt` that apply to each file: its edition, and what is written, listed and printed.
struct FormatTask {
    /// The edition whose files are formatted; `None` for those of every dialect.
    edition: Option<Edition>,
    write: bool,
    list: bool,
    diff: bool,
    /// True if the formatted texts themselves are printed, since no other output is requested.
    print: bool,
}

impl FormatTask {
    /// Returns the treatment of deprecated syntax in a file of this name: kept for Packer, otherwise rewritten.
    fn older_forms(&self, name: &str) -> OlderForms {
        let is_packer = |edition: Edition| edition.dialect == Dialect::Packer;
        match self.edition.map_or_else(|| file_kind::is_of_packer(name), is_packer) {
            true => OlderForms::Kept,
            false => OlderForms::New,
        }
    }

    /// Appends a final newline to a formatted text if it is missing and the dialect is Terraform.
    fn with_final_newline(&self, mut text: Vec<u8>) -> Vec<u8> {
        let ends = self.edition.is_some_and(|edition| edition.dialect == Dialect::Terraform);
        if ends && text.last() != Some(&b'\n') {
            text.push(b'\n');
        }
        text
    }
}

/// The result of formatting one file: its output, and any reason why it was not formatted.
#[derive(Default)]
struct FormatOutcome {
    /// True if formatting changes the file.
    differs: bool,
    /// The output about it: its name, a diff or its text.
    out: Vec<u8>,
    refused: Option<Box<UnreadableText>>,
    trouble: Option<PathError>,
    /// Remarks about files that interrupted runs have left behind.
    remarks: Vec<String>,
}

/// Formats the files that the command line names, in parallel.
fn run(args: &CommandArgs, session: &mut RunSession<'_>) -> Result<ExitStatus, EarlyStop> {
    let edition = match session.machine.env("GROMA_DIALECT").filter(|text| !text.is_empty()) {
        Some(text) if args.edition.is_none() => {
            let mut named = CommandArgs::default();
            (flag::DIALECT.read)(&mut named, &text)
                .map_err(|why| EarlyStop::Misuse(why.replacen("--dialect", "GROMA_DIALECT", 1)))?;
            named.edition
        }
        _ => args.edition,
    };
    let (list, write) = (!args.unlisted, !args.unwritten && !args.check);
    let print = !list && args.unwritten && !args.diff && !args.check;
    let task = FormatTask { edition, write, list, diff: args.diff && (list || !args.check), print };
    if args.operands.first().is_some_and(|first| first == "-") {
        return standard_input(args, &task, session);
    }
    let mut troubles = Vec::new();
    let find = |take: &mut dyn FnMut(ChosenFile)| {
        troubles = targets(args, &task, &session.machine, take);
    };
    let (machine, writer) = (&session.machine, files::writer());
    let work = |target: ChosenFile| format_file(&target, &task, &writer, args, machine);
    let done = parallel::each(session.machine.threads(), find, work);
    let mut remarks = BTreeSet::new();
    // With -check an error suppresses the output about the other files.
    let mut held = Vec::new();
    let mut differs = false;
    let mut refused = Vec::new();
    for outcome in done {
        differs |= outcome.differs;
        match args.check {
            true => held.extend(outcome.out),
            false => session.out.write_all(&outcome.out)?,
        }
        refused.extend(outcome.refused);
        troubles.extend(outcome.trouble);
        remarks.extend(outcome.remarks);
    }
    for remark in remarks {
        writeln!(session.err, "note: {remark}")?;
    }
    limit::stop_if_ended(args, None, &Diagnostics::new(), &Sources::new(), session)?;
    if refused.is_empty() && troubles.is_empty() {
        session.out.write_all(&held)?;
        return Ok(if args.check && differs { ExitStatus::DIFFERS } else { ExitStatus::SUCCESS });
    }
    session.out.flush()?;
    for one in refused {
        print_findings(args, &one.found, &one.sources, session)?;
    }
    let mut left_out = Diagnostics::new();
    for (shown, why) in troubles {
        left_out.push(Diagnostic::error(&codes::FILE_LEFT_OUT, format!("{shown}: {why}")));
    }
    print_findings(args, &left_out, &Sources::new(), session)?;
    Ok(ExitStatus::REFUSED)
}

/// Passes each file that the operands name or contain to `take`, once, and returns the paths that are not formatted, with
/// reasons.
fn targets(
    args: &CommandArgs,
    task: &FormatTask,
    machine: &MachineContext,
    take: &mut dyn FnMut(ChosenFile),
) -> Vec<PathError> {
    let here = [".".to_owned()];
    let operands = if args.operands.is_empty() { &here[..] } else { &args.operands };
    let mut seen: HashSet<PathBuf> = HashSet::new();
    let mut troubles = Vec::new();
    let mut sort_out = |mut found: Result<ChosenFile, PathError>| {
        let (Ok(ChosenFile { shown, .. }) | Err((shown, _))) = &mut found;
        if shown.starts_with("../") {
            // The path may lead up and back down to the current directory.
            *shown = machine.seen_from_here(shown);
        }
        match found {
            // A file that was written a moment ago is formatted already.
            Ok(target) if task.write && !seen.insert(target.real.clone()) => {}
            Ok(target) => take(target),
            Err(trouble) => troubles.push(trouble),
        }
    };
    let wanted = |name: &str| file_kind::is_read(name, task.edition);
    for path in operands {
        let shown = machine.seen_from_here(path);
        let folder = settings::folder_of(path, machine);
        let (bounds, found) = match machine.bounds(folder, None) {
            Ok(bounds) => {
                let found = files::at(machine.place(path), shown, bounds.as_deref());
                (bounds, found)
            }
            Err(_) => (None, Err((shown, LEADS_OUT.to_owned()))),
        };
        match found {
            Ok(PathEntry::Folder(folder)) => {
                files::below(&folder, args.recursive, bounds.as_deref(), &wanted, &mut sort_out);
            }
            Ok(PathEntry::File(file)) if wanted(&file.shown) => sort_out(Ok(file)),
            Ok(PathEntry::File(file)) => sort_out(Err((file.shown, wrong_ending(task)))),
            Err(trouble) => {
                // After a mistyped path the remaining operands may not be what the user meant.
                sort_out(Err(trouble));
                break;
            }
        }
    }
    troubles
}

/// Returns the message about a file that is not formatted because of its name's ending; it lists the endings that are formatted.
fn wrong_ending(task: &FormatTask) -> String {
    let taken: Vec<&str> = file_kind::read_endings(task.edition).collect();
    format!(
        "This kind of file is not formatted; the names of those that are end with {}.",
        taken.join(", ")
    )
}

/// Formats a file, and writes it back if it differs and the settings in `task` say so. Returns output and problems.
fn format_file(
    target: &ChosenFile,
    task: &FormatTask,
    writer: &Files,
    args: &CommandArgs,
    machine: &MachineContext,
) -> FormatOutcome {
    if args.budget.ended().is_some() {
        return FormatOutcome::default();
    }
    let mut remarks = Vec::new();
    if let (true, Some(folder)) = (task.write, target.real.parent()) {
        remarks = files::restore_interrupted(writer, folder, machine);
    }
    let bytes = match files::read(target, TEXT_LIMIT as u64) {
        Ok(bytes) => bytes,
        Err(trouble) => {
            return FormatOutcome { trouble: Some(trouble), remarks, ..FormatOutcome::default() };
        }
    };
    let (mut outcome, text) = format_text(&target.shown, &bytes, task);
    if let (true, Some(text)) = (task.write, text) {
        outcome.trouble = files::replace(writer, target, &bytes, &text).err();
    }
    FormatOutcome { remarks, ..outcome }
}

/// Formats `bytes`, the text of the file `shown`; returns the output about it, and the new text: `None` if it is unchanged or
/// printed instead of written.
fn format_text(shown: &str, bytes: &[u8], task: &FormatTask) -> (FormatOutcome, Option<Vec<u8>>) {
    let mut outcome = FormatOutcome::default();
    let text = match format_bytes(shown, bytes, task.older_forms(shown)) {
        Ok(text) => text,
        Err(refused) => {
            outcome.refused = Some(refused);
            return (outcome, None);
        }
    };
    if let Some(text) = &text {
        outcome.differs = true;
        if task.list {
            outcome.out.extend(format!("{shown}\n").bytes());
        }
        if task.diff {
            outcome.out.extend(unified_diff::unified(shown, bytes, text));
        }
    }
    if !task.print {
        return (outcome, text);
    }
    outcome.out = task.with_final_newline(text.unwrap_or_else(|| bytes.to_vec()));
    (outcome, None)
}

/// Formats standard input and prints the result, for `groma fmt -`.
fn standard_input(
    args: &CommandArgs,
    task: &FormatTask,
    session: &mut RunSession<'_>,
) -> Result<ExitStatus, EarlyStop> {
    let mut bytes = Vec::new();
    let input = &mut *session.input;
    io::Read::take(input, TEXT_LIMIT as u64 + 1).read_to_end(&mut bytes)?;
    let diff = args.diff && !args.check;
    let task = FormatTask { list: false, diff, print: !args.diff && !args.check, ..*task };
    let (outcome, _) = format_text("<stdin>", &bytes, &task);
    if let Some(refused) = outcome.refused {
        print_findings(args, &refused.found, &refused.sources, session)?;
        return Ok(ExitStatus::REFUSED);
    }
    session.out.write_all(&outcome.out)?;
    Ok(if args.check && outcome.differs { ExitStatus::DIFFERS } else { ExitStatus::SUCCESS })
}

/// Prints diagnostics to standard error.
fn print_findings(
    args: &CommandArgs,
    found: &Diagnostics,
    sources: &Sources,
    session: &mut RunSession<'_>,
) -> Result<(), EarlyStop> {
    let colour = session.colour(!args.no_color);
    Ok(diagnostic::print(found, sources, colour, session.err)?)
}
