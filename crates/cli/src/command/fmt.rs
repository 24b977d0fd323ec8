//! `groma fmt`: files in the one layout that `terraform fmt`, `tofu fmt` and `packer fmt` give them. A file that cannot be
//! read as the language is told and left; the others are done all the same.

use std::collections::HashSet;
use std::io::{self, Read as _};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use groma_format::{Forms, Refused, format_bytes};
use groma_runtime::{Dialect, Edition, Version};
use groma_syntax::{Diagnostic, DiagnosticCode, Diagnostics, Sources, TEXT_LIMIT};

use super::row::Command;
use crate::difference;
use crate::files::{self, Found, Target, Trouble};
use crate::flag::{self, Args, Flag, Takes, switch};
use crate::session::{Exit, Session, Stop};
use crate::view::diagnostic;

pub(crate) const COMMAND: Command = Command {
    name: "fmt",
    about: "Rewrite files in their one layout",
    operand: Some((
        "PATH...",
        "Files and folders (default: the current folder), or - for standard input",
    )),
    flags: &[FLAGS, &[flag::DIALECT]],
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

static LEFT_OUT: DiagnosticCode =
    DiagnosticCode { slug: "file-left-out", summary: "File cannot be formatted" };

/// Code as deep as may be needs one megabyte; without optimization frames are several times as large.
const STACK: usize = 16 << 20;

/// So many files are in memory at a time.
const BATCH: usize = 1024;

/// So few files are not worth a thread.
const FEW: usize = 8;

/// The end of a file's name, and which programs take it.
struct Ending {
    name: &'static str,
    opentofu: bool,
    /// From which version on.
    terraform: Option<Version>,
    packer: bool,
}

impl Ending {
    const fn of_all_but_packer(name: &'static str) -> Ending {
        Ending { name, opentofu: true, terraform: Some(Version::new(0, 0, 0)), packer: false }
    }

    const fn of_opentofu(name: &'static str) -> Ending {
        Ending { name, opentofu: true, terraform: None, packer: false }
    }

    const fn of_terraform(name: &'static str, since: Version) -> Ending {
        Ending { name, opentofu: false, terraform: Some(since), packer: false }
    }

    const fn of_packer(name: &'static str) -> Ending {
        Ending { name, opentofu: false, terraform: None, packer: true }
    }

    fn is_taken_by(&self, edition: Edition) -> bool {
        match edition.dialect {
            Dialect::OpenTofu => self.opentofu,
            Dialect::Terraform => self.terraform.is_some_and(|since| edition.version >= since),
            Dialect::Packer => self.packer,
        }
    }
}

const ENDINGS: &[Ending] = &[
    Ending::of_all_but_packer(".tf"),
    Ending::of_all_but_packer(".tfvars"),
    Ending::of_all_but_packer(".tftest.hcl"),
    Ending::of_opentofu(".tofu"),
    Ending::of_opentofu(".tofutest.hcl"),
    Ending::of_terraform(".tfmock.hcl", Version::new(1, 7, 0)),
    Ending::of_terraform(".tfquery.hcl", Version::new(1, 14, 0)),
    Ending::of_packer(".pkr.hcl"),
    Ending::of_packer(".pkrvars.hcl"),
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
    fn wants(&self, name: &str) -> bool {
        let mut fitting = ENDINGS.iter().filter(|ending| name.ends_with(ending.name));
        fitting.any(|ending| self.edition.is_none_or(|edition| ending.is_taken_by(edition)))
    }

    /// Packer changes blanks only.
    fn forms(&self, name: &str) -> Forms {
        let is_packer = |edition: Edition| edition.dialect == Dialect::Packer;
        let by_name = || ENDINGS.iter().any(|ending| ending.packer && name.ends_with(ending.name));
        match self.edition.map_or_else(by_name, is_packer) {
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
    let (targets, mut troubles) = targets(args, &task, session);
    // With -check an error leaves nothing to say of the others.
    let mut held = Vec::new();
    let mut differs = false;
    let mut refused = Vec::new();
    for batch in targets.chunks(BATCH) {
        for outcome in all(batch, &task, session.machine.threads()) {
            differs |= outcome.differs;
            match args.check {
                true => held.extend(outcome.out),
                false => session.out.write_all(&outcome.out)?,
            }
            refused.extend(outcome.refused);
            troubles.extend(outcome.trouble);
        }
    }
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
        left_out.push(Diagnostic::error(&LEFT_OUT, format!("{shown}: {why}")));
    }
    tell(args, &left_out, &Sources::new(), session)?;
    Ok(Exit::REFUSED)
}

/// The files that the operands stand for, each once, and what could not be found.
fn targets(args: &Args, task: &Task, session: &Session<'_>) -> (Vec<Target>, Vec<Trouble>) {
    let here = [".".to_owned()];
    let operands = if args.operands.is_empty() { &here[..] } else { &args.operands };
    let mut found = Vec::new();
    for path in operands {
        let shown = session.machine.seen_from_here(path);
        match files::at(session.machine.place(path), shown) {
            Ok(Found::Folder(folder)) => {
                files::below(&folder, args.recursive, &|name| task.wants(name), &mut found);
            }
            Ok(Found::File(file)) if task.wants(&file.shown) => found.push(Ok(file)),
            Ok(Found::File(file)) => found.push(Err((file.shown, not_taken(task)))),
            Err(trouble) => {
                // Who mistypes a path may have meant something else by all that follows.
                found.push(Err(trouble));
                break;
            }
        }
    }
    let mut seen: HashSet<PathBuf> = HashSet::new();
    let (mut targets, mut troubles) = (Vec::new(), Vec::new());
    for mut one in found {
        let (Ok(Target { shown, .. }) | Err((shown, _))) = &mut one;
        if shown.starts_with("../") {
            // The way may lead up and down to here again.
            *shown = session.machine.seen_from_here(shown);
        }
        match one {
            // What was written a moment ago has its layout.
            Ok(target) if task.write && !seen.insert(target.real.clone()) => {}
            Ok(target) => targets.push(target),
            Err(trouble) => troubles.push(trouble),
        }
    }
    (targets, troubles)
}

fn not_taken(task: &Task) -> String {
    let taken = ENDINGS
        .iter()
        .filter(|ending| task.edition.is_none_or(|edition| ending.is_taken_by(edition)))
        .map(|ending| ending.name);
    let taken: Vec<&str> = taken.collect();
    format!(
        "It is none of the files that are formatted, whose names end with {}.",
        taken.join(", ")
    )
}

/// What becomes of some files, in their order; several at a time where there are many.
fn all(targets: &[Target], task: &Task, threads: usize) -> Vec<Outcome> {
    let threads = threads.min(targets.len() / FEW).max(1);
    if threads == 1 {
        return targets.iter().map(|target| one(target, task)).collect();
    }
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, Outcome)>> = Mutex::default();
    let work = || {
        let mut own = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(target) = targets.get(at) else { break };
            own.push((at, one(target, task)));
        }
        if let Ok(mut done) = done.lock() {
            done.extend(own);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            // Without another thread this one does it all.
            let _ = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        }
        work();
    });
    let mut done = done.into_inner().unwrap_or_default();
    done.sort_unstable_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, outcome)| outcome).collect()
}

/// Reads a file, and does with it what is to be done.
fn one(target: &Target, task: &Task) -> Outcome {
    let bytes = match files::read(target, TEXT_LIMIT as u64) {
        Ok(bytes) => bytes,
        Err(trouble) => return Outcome { trouble: Some(trouble), ..Outcome::default() },
    };
    let (mut outcome, text) = lay_out(&target.shown, bytes, task);
    if let (true, Some(text)) = (task.write, text) {
        outcome.trouble = files::replace(target, &text).err();
    }
    outcome
}

/// What is to be said of a text, and its layout where it had another.
fn lay_out(shown: &str, bytes: Vec<u8>, task: &Task) -> (Outcome, Option<Vec<u8>>) {
    let mut outcome = Outcome::default();
    let text = match format_bytes(shown, &bytes, task.forms(shown)) {
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
            outcome.out.extend(difference::unified(shown, &bytes, text));
        }
    }
    if !task.print {
        return (outcome, text);
    }
    outcome.out = task.ended(text.unwrap_or(bytes));
    (outcome, None)
}

/// `groma fmt -`: one text in, one out.
fn standard_input(args: &Args, task: &Task, session: &mut Session<'_>) -> Result<Exit, Stop> {
    let mut bytes = Vec::new();
    let input = &mut *session.input;
    io::Read::take(input, TEXT_LIMIT as u64 + 1).read_to_end(&mut bytes)?;
    let diff = args.diff && !args.check;
    let task = Task { list: false, diff, print: !args.diff && !args.check, ..*task };
    let (outcome, _) = lay_out("<stdin>", bytes, &task);
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
