//! `groma diff --moved`: the `moved` blocks that keep renamed objects from being destroyed and created again. A block belongs to
//! the module that declares the new name; for an installed module it goes into the root's code.

use std::collections::BTreeMap;
use std::sync::Arc;

use groma::edit::{Edit, EditOp, EditRefusal, SourceText, apply, language};
use groma::hosts::file_path;
use groma::json::{JsonObject, array};
use groma::values::sentence::plural;

use crate::files::{self, ChosenFile, PathEntry};
use crate::flag::CommandArgs;
use crate::revisions::ComparedSides;
use crate::session::{EarlyStop, ExitStatus, RunSession};
use crate::view::json;

/// The `from` and `to` addresses of a `moved` block.
type Addresses = (String, String);

/// Prints the `moved` blocks that would turn replacements into moves, by file; with `-write` adds them to the files.
pub(super) fn run(
    sections: &[ComparedSides],
    args: &CommandArgs,
    session: &mut RunSession<'_>,
) -> Result<ExitStatus, EarlyStop> {
    let mut files: BTreeMap<String, Vec<Addresses>> = BTreeMap::new();
    for one in sections {
        for (file, block) in blocks(one) {
            let all = files.entry(file).or_default();
            if !all.contains(&block) {
                all.push(block);
            }
        }
    }
    if args.json {
        json::print(args.layout(), session.out, &session.watch, |out| {
            let mut top = JsonObject::open(out);
            let all: Vec<(&String, &Addresses)> = files
                .iter()
                .flat_map(|(file, all)| all.iter().map(move |one| (file, one)))
                .collect();
            array(&all, top.key("moved"), |(file, (from, to)), out| {
                let mut one = JsonObject::open(out);
                one.text("file", file);
                one.text("from", from);
                one.text("to", to);
                one.close();
            });
            top.close();
        })?;
    } else if files.is_empty() {
        writeln!(session.out, "Nothing looks renamed.")?;
    } else {
        for (at, (file, all)) in files.iter().enumerate() {
            let blank = if at > 0 { "\n" } else { "" };
            writeln!(session.out, "{blank}# {file}")?;
            for (at, block) in all.iter().enumerate() {
                let blank = if at > 0 { "\n" } else { "" };
                writeln!(session.out, "{blank}moved {}", body(block))?;
            }
        }
    }
    let is_errored = sections.iter().any(|one| one.comparison.head().is_errored());
    if args.writes && !files.is_empty() {
        if let Err(why) = write(&files, args, session) {
            writeln!(session.err, "error: {why}")?;
            return Ok(ExitStatus::ERRORS);
        }
        let count = files.values().map(Vec::len).sum();
        let (blocks, files) = (plural(count, "moved block"), plural(files.len(), "file"));
        writeln!(session.err, "note: wrote {blocks} in {files}.")?;
    }
    Ok(if is_errored { ExitStatus::ERRORS } else { ExitStatus::SUCCESS })
}

/// Returns the proposed `moved` blocks of a root, each with the path of the file to which it is to be appended.
fn blocks(section: &ComparedSides) -> Vec<(String, Addresses)> {
    let all = section.comparison.moved_blocks();
    let project = section.comparison.head().evaluation().project();
    let root = project.root().files().first().map(|file| project.sources().get(*file).name());
    let of_root = root.map_or_else(|| file_path::join(&section.of.dir, "main.tf"), str::to_owned);
    let block = |(file, block): (String, groma::impact::MovedBlock)| {
        let is_installed = file.split('/').any(|name| name == ".terraform");
        match is_installed && !block.module.is_empty() {
            true => {
                let whole = |address: &str| format!("{}.{address}", block.module);
                (of_root.clone(), (whole(&block.from), whole(&block.to)))
            }
            false => (file, (block.from, block.to)),
        }
    };
    all.into_iter().map(block).collect()
}

/// Returns the body of a `moved` block as code, braces included.
fn body((from, to): &Addresses) -> String {
    format!("{{\n  from = {from}\n  to   = {to}\n}}")
}

/// Appends `moved` blocks to files: to each file, whose name is the key in `all`, one for each of its pairs of addresses;
/// writes all files or none.
fn write(
    all: &BTreeMap<String, Vec<Addresses>>,
    args: &CommandArgs,
    session: &RunSession<'_>,
) -> Result<(), String> {
    let machine = &session.machine;
    let writer = files::writer();
    let bounds = machine.bounds(".", args.root.as_deref())?;
    let mut made: Vec<(ChosenFile, Vec<u8>, Vec<u8>)> = Vec::new();
    for (name, blocks) in all {
        let told = |(shown, why): (String, String)| format!("{shown}: {why}");
        let target = match files::at(machine.place(name), name.clone(), bounds.as_deref()) {
            Ok(PathEntry::File(target)) => target,
            Ok(PathEntry::Folder(_)) => return Err(format!("{name}: It is a folder.")),
            Err(why) => return Err(told(why)),
        };
        let bytes = files::read(&target, groma_syntax::TEXT_LIMIT as u64).map_err(told)?;
        let text = String::from_utf8(bytes.clone())
            .map_err(|_| format!("{name}: It is not text in UTF-8."))?;
        let text = SourceText { name: name.clone(), text: Arc::from(text) };
        let edits: Result<Vec<Edit>, EditRefusal> = blocks
            .iter()
            .map(|block| Edit::new(EditOp::Add, "moved[]", Some(&body(block))))
            .collect();
        let changed = edits.and_then(|edits| apply(&[text], &edits, language()));
        let changed = changed.map_err(|why| format!("{name}: {why}"))?;
        made.extend(
            changed.into_iter().map(|one| (target.clone(), bytes.clone(), one.text.into_bytes())),
        );
    }
    let all: Vec<(&ChosenFile, &[u8], &[u8])> =
        made.iter().map(|(file, before, after)| (file, &before[..], &after[..])).collect();
    files::replace_all(&writer, &all)
}
