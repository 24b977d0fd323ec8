//! `groma fmt`: files in the one layout that `terraform fmt`, `tofu fmt` and `packer fmt` give them. A file that cannot be
//! read as the language is told and left; the others are done all the same.

use std::collections::{BTreeSet, HashSet};
use std::io::{self, Read as _};
use std::path::PathBuf;

use groma::{Dialect, Edition};
use groma_format::{Forms, Refused, format_bytes};
use groma_syntax::{Diagnostic, Diagnostics, Sources, TEXT_LIMIT};

use super::row::Command;
use crate::codes;
use crate::files::{self, ChosenFile, Files, Found, LEADS_OUT, Trouble};
use crate::flag::{self, Args, Flag, Takes, switch};
use crate::host::Machine;
use crate::session::{Exit, Session, Stop};
use crate::view::diagnostic;
use crate::{difference, ending, limit, parallel, settings};

pub(crate) const COMMAND: Command = Command {
    name: "fmt",
    about: "Rewrite files in their one layout",
    operand: Some((
        "PATH...",
        "Files and folders (default: the current folder), or - for standard input",
    )),
    flags: &[FLAGS, &[flag::DIALECT], flag::LIMITS],
    more: "The paths of the files that had another layout are printed. Files whose names end with .tf, .tofu, .tfvars, \
           .tftest.hcl, .tofutest.hcl, .tfmock.hcl, .tfquery.hcl, .pkr.hcl or .pkrvars.hcl are looked at; with --dialect \
           those that this program looks at. Hidden ones are passed over unless they are named.\n\n\
           Exit codes: 0 all is well, 2 a file is not the language or cannot be read or written, or wrong use, 3 with \
           -check where a file has another layout.",
    run,
};

const FLAGS: &[Flag] = &[
    Flag {
        name: "recursive",
        takes: Takes::Nothing,
        about: "Look into the folders of folders too",
        read: |args, _| switch(&mut args.recursive),
    },
    Flag {
        name: "check",
        takes: Takes::Nothing,
        about: "Write nothing; exit with 3 where a file has another layout",
        read: |args, _| switch(&mut args.check),
    },
    Flag {
        name: "diff",
        takes: Takes::Nothing,
        about: "Print what changes, as diff -u does",
        read: |args, _| switch(&mut args.diff),
    },
    Flag {
        name: "list",
        takes: Takes::Truth,
        about: "Print the paths of files that had another layout (default: true)",
        read: |args, text| {
            args.unlisted = text == "false";
            Ok(())
        },
    },
    Flag {
        name: "write",
        takes: Takes::Truth,
        about: "Write the files (default: true); with -list=false -write=false all texts are printed",
        read: |args, text| {
            args.unwritten = text == "false";
            Ok(())
        },
    },
];

/// What is to be done with every file.
struct Task {
    /// For whose files, if that was said.
    edition: Option<Edition>,
    write: bool,
    list: bool,
    diff: bool,
    /// Nothing else is asked for, so the texts themselves are.
    print: bool,
}

impl Task {
    /// Packer changes blanks only.
    fn forms(&self, name: &str) -> Forms {
        let is_packer = |edition: Edition| edition.dialect == Dialect::Packer;
        match self.edition.map_or_else(|| ending::is_of_packer(name), is_packer) {
            true => Forms::Kept,
            false => Forms::New,
        }
    }

    /// A text as it is printed: Terraform ends it with a line end.
    fn ended(&self, mut text: Vec<u8>) -> Vec<u8> {
        let ends = self.edition.is_some_and(|edition| edition.dialect == Dialect::Terraform);
        if ends && text.last() != Some(&b'\n') {
            text.push(b'\n');
        }
        text
    }
}

/// What became of one file.
#[derive(Default)]
struct Outcome {
    /// Whether it had another layout.
    differs: bool,
    /// What is printed about it.
    out: Vec<u8>,
    refused: Option<Box<Refused>>,
    trouble: Option<Trouble>,
    /// What is to be remarked of what other runs have left.
    remarks: Vec<String>,
}

fn run(args: &Args, session: &mut Session<'_>) -> Result<Exit, Stop> {
    let edition = match session.machine.env("GROMA_DIALECT").filter(|text| !text.is_empty()) {
        Some(text) if args.edition.is_none() => {
            let mut named = Args::default();
            (flag::DIALECT.read)(&mut named, &text)
                .map_err(|why| Stop::Misuse(why.replacen("--dialect", "GROMA_DIALECT", 1)))?;
            named.edition
        }
        _ => args.edition,
    };
    let (list, write) = (!args.unlisted, !args.unwritten && !args.check);
    let print = !list && args.unwritten && !args.diff && !args.check;
    let task = Task { edition, write, list, diff: args.diff && (list || !args.check), print };
    if args.operands.first().is_some_and(|first| first == "-") {
        return standard_input(args, &task, session);
    }
    let mut troubles = Vec::new();
    let find = |take: &mut dyn FnMut(ChosenFile)| {
        troubles = targets(args, &task, &session.machine, take);
    };
    let (machine, writer) = (&session.machine, files::writer());
    let work = |target: ChosenFile| one(&target, &task, &writer, args, machine);
    let done = parallel::each(session.machine.threads(), find, work);
    let mut remarks = BTreeSet::new();
    // With -check an error leaves nothing to say of the others.
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
    limit::go_on(args, None, &Diagnostics::new(), &Sources::new(), session)?;
    if refused.is_empty() && troubles.is_empty() {
        session.out.write_all(&held)?;
        return Ok(if args.check && differs { Exit::DIFFERS } else { Exit::WELL });
    }
    session.out.flush()?;
    for one in refused {
        tell(args, &one.found, &one.sources, session)?;
    }
    let mut left_out = Diagnostics::new();
    for (shown, why) in troubles {
        left_out.push(Diagnostic::error(&codes::FILE_LEFT_OUT, format!("{shown}: {why}")));
    }
    tell(args, &left_out, &Sources::new(), session)?;
    Ok(Exit::REFUSED)
}

/// Takes the files that the operands stand for, each once, and tells what could not be found.
fn targets(
    args: &Args,
    task: &Task,
    machine: &Machine,
    take: &mut dyn FnMut(ChosenFile),
) -> Vec<Trouble> {
    let here = [".".to_owned()];
    let operands = if args.operands.is_empty() { &here[..] } else { &args.operands };
    let mut seen: HashSet<PathBuf> = HashSet::new();
    let mut troubles = Vec::new();
    let mut sort_out = |mut found: Result<ChosenFile, Trouble>| {
        let (Ok(ChosenFile { shown, .. }) | Err((shown, _))) = &mut found;
        if shown.starts_with("../") {
            // The way may lead up and down to here again.
            *shown = machine.seen_from_here(shown);
        }
        match found {
            // What was written a moment ago has its layout.
            Ok(target) if task.write && !seen.insert(target.real.clone()) => {}
            Ok(target) => take(target),
            Err(trouble) => troubles.push(trouble),
        }
    };
    let wanted = |name: &str| ending::is_taken(name, task.edition);
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
            Ok(Found::Folder(folder)) => {
                files::below(&folder, args.recursive, bounds.as_deref(), &wanted, &mut sort_out);
            }
            Ok(Found::File(file)) if wanted(&file.shown) => sort_out(Ok(file)),
            Ok(Found::File(file)) => sort_out(Err((file.shown, not_taken(task)))),
            Err(trouble) => {
                // Who mistypes a path may have meant something else by all that follows.
                sort_out(Err(trouble));
                break;
            }
        }
    }
    troubles
}

fn not_taken(task: &Task) -> String {
    let taken: Vec<&str> = ending::taken(task.edition).collect();
    format!(
        "It is none of the files that are formatted, whose names end with {}.",
        taken.join(", ")
    )
}

/// Reads a file, and does with it what is to be done.
fn one(
    target: &ChosenFile,
    task: &Task,
    writer: &Files,
    args: &Args,
    machine: &Machine,
) -> Outcome {
    if args.budget.ended().is_some() {
        return Outcome::default();
    }
    let mut remarks = Vec::new();
    if let (true, Some(folder)) = (task.write, target.real.parent()) {
        remarks = files::put_right(writer, folder, machine);
    }
    let bytes = match files::read(target, TEXT_LIMIT as u64) {
        Ok(bytes) => bytes,
        Err(trouble) => return Outcome { trouble: Some(trouble), remarks, ..Outcome::default() },
    };
    let (mut outcome, text) = lay_out(&target.shown, &bytes, task);
    if let (true, Some(text)) = (task.write, text) {
        outcome.trouble = files::replace(writer, target, &bytes, &text).err();
    }
    Outcome { remarks, ..outcome }
}

/// What is to be said of a text, and its layout where it had another.
fn lay_out(shown: &str, bytes: &[u8], task: &Task) -> (Outcome, Option<Vec<u8>>) {
    let mut outcome = Outcome::default();
    let text = match format_bytes(shown, bytes, task.forms(shown)) {
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
            outcome.out.extend(difference::unified(shown, bytes, text));
        }
    }
    if !task.print {
        return (outcome, text);
    }
    outcome.out = task.ended(text.unwrap_or_else(|| bytes.to_vec()));
    (outcome, None)
}

/// `groma fmt -`: one text in, one out.
fn standard_input(args: &Args, task: &Task, session: &mut Session<'_>) -> Result<Exit, Stop> {
    let mut bytes = Vec::new();
    let input = &mut *session.input;
    io::Read::take(input, TEXT_LIMIT as u64 + 1).read_to_end(&mut bytes)?;
    let diff = args.diff && !args.check;
    let task = Task { list: false, diff, print: !args.diff && !args.check, ..*task };
    let (outcome, _) = lay_out("<stdin>", &bytes, &task);
    if let Some(refused) = outcome.refused {
        tell(args, &refused.found, &refused.sources, session)?;
        return Ok(Exit::REFUSED);
    }
    session.out.write_all(&outcome.out)?;
    Ok(if args.check && outcome.differs { Exit::DIFFERS } else { Exit::WELL })
}

fn tell(
    args: &Args,
    found: &Diagnostics,
    sources: &Sources,
    session: &mut Session<'_>,
) -> Result<(), Stop> {
    let colour = session.colour(!args.no_color);
    Ok(diagnostic::print(found, sources, colour, session.err)?)
}
