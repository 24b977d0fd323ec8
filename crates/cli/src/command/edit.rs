//! `groma edit`: code that is changed by path. What the paths lead to and how the result is written is the library's; here
//! files are found, and replaced all or none.

use std::io::Read as _;

use groma::edit::{CodePath, Edit, Op, Refusal, SourceText, apply, get, labels, read_edits};
use groma_syntax::TEXT_LIMIT;

use super::row::Command;
use crate::difference;
use crate::files::{self, ChosenFile, Found, Trouble};
use crate::flag::{Args, Flag, Takes, switch};
use crate::session::{Exit, Session, Stop};

pub(crate) const COMMAND: Command = Command {
    name: "edit",
    about: "Read and change code by path: arguments, blocks, elements of lists and objects",
    operand: Some((
        "ARGUMENT...",
        "get PATH, set PATH CODE, add PATH CODE or remove PATH, and the folder or file (default: the current folder)",
    )),
    flags: &[&[
        Flag {
            name: "edits",
            takes: Takes::Value("FILE"),
            about: "Make the edits of a JSON list, - for standard input: [{\"op\": \"set\", \"path\": …, \"to\": …}]",
            read: |args, text| {
                args.edits = Some(text.to_owned());
                Ok(())
            },
        },
        Flag {
            name: "diff",
            takes: Takes::Nothing,
            about: "Print what changes, as diff -u does (this is what happens without -write, too)",
            read: |args, _| switch(&mut args.diff),
        },
        Flag {
            name: "write",
            takes: Takes::Nothing,
            about: "Write the files",
            read: |args, _| switch(&mut args.writes),
        },
    ]],
    more: "A path is names, keys and positions: locals.sizes[\"a\"].cpu, module.vpc.source, resource.aws_vpc.main.tags.Name, \
           variable.zones.default[0], resource.aws_security_group.a.ingress[1].from_port. `[]` at its end is behind the last \
           element or block. Code that begins with - stands behind --. Only what is meant changes; comments stay. Files in \
           JSON syntax are not edited.\n\n\
           Exit codes: 0 all is well, 1 an edit cannot be made, and nothing is changed, 2 wrong use.",
    run,
};

/// What is asked for.
enum Asked {
    Get(CodePath),
    Edits(Vec<Edit>),
}

/// Who edits by hand has said so wrongly.
fn misuse(Refusal(why): Refusal) -> Stop {
    Stop::Misuse(why)
}

fn run(args: &Args, session: &mut Session<'_>) -> Result<Exit, Stop> {
    let (asked, place) = asked(args, session)?;
    let chosen = chosen(place.unwrap_or("."), session)?;
    let texts = texts(&chosen)?;
    match asked {
        Asked::Get(path) => match get(&texts, &path) {
            Ok(got) => writeln!(session.out, "{}", got.text.trim_end())?,
            Err(why) => return refuse(&why, &chosen, session),
        },
        Asked::Edits(edits) => {
            let changed = match apply(&texts, &edits, &labels) {
                Ok(changed) => changed,
                Err(why) => return refuse(&why, &chosen, session),
            };
            if args.diff || !args.writes {
                for one in &changed {
                    let (name, old) = (&texts[one.file].name, texts[one.file].text.as_bytes());
                    session.out.write_all(&difference::unified(name, old, one.text.as_bytes()))?;
                }
            }
            if args.writes {
                let texts = changed.iter().map(|one| {
                    let old = texts[one.file].text.as_bytes();
                    (&chosen.files[one.file], old, one.text.as_bytes())
                });
                if let Err((shown, why)) = replace_all(&texts.collect::<Vec<_>>()) {
                    writeln!(session.err, "error: {shown}: {why} Nothing is changed.")?;
                    return Ok(Exit::ERRORS);
                }
            }
        }
    }
    Ok(Exit::WELL)
}

/// Says why nothing is done.
fn refuse(why: &Refusal, chosen: &Chosen, session: &mut Session<'_>) -> Result<Exit, Stop> {
    writeln!(session.err, "error: {why}")?;
    if !chosen.passed_over.is_empty() {
        let names = chosen.passed_over.join(", ");
        writeln!(session.err, "note: {names}: files in JSON syntax are not edited.")?;
    }
    Ok(Exit::ERRORS)
}

/// What the command line asks for, and where.
fn asked<'a>(args: &'a Args, session: &mut Session<'_>) -> Result<(Asked, Option<&'a str>), Stop> {
    let operands: Vec<&str> = args.operands.iter().map(String::as_str).collect();
    if let Some(from) = &args.edits {
        let place = match operands[..] {
            [] => None,
            [place] => Some(place),
            _ => {
                return Err(Stop::Misuse(
                    "beside --edits only the folder or the file is named.".into(),
                ));
            }
        };
        let text = listed(from, session)?;
        return Ok((Asked::Edits(read_edits(&text).map_err(misuse)?), place));
    }
    let usage = || {
        Err(Stop::Misuse(
            "edit needs to know what to do: get PATH, set PATH CODE, add PATH CODE, remove PATH, or --edits FILE.".into(),
        ))
    };
    let (word, path, rest) = match operands[..] {
        [word, path, ref rest @ ..] => (word, path, rest),
        _ => return usage(),
    };
    let (asked, rest) = match (word, Op::named(word)) {
        ("get", _) => (Asked::Get(CodePath::read(path).map_err(misuse)?), rest),
        (_, Some(Op::Remove)) => {
            (Asked::Edits(vec![Edit::new(Op::Remove, path, None).map_err(misuse)?]), rest)
        }
        (_, Some(op)) => {
            let edit = Edit::new(op, path, rest.first().copied()).map_err(misuse)?;
            (Asked::Edits(vec![edit]), rest.get(1..).unwrap_or_default())
        }
        (other, None) => {
            return Err(Stop::Misuse(format!(
                "edit cannot {other}: it can get, set, add and remove."
            )));
        }
    };
    match rest {
        [] => Ok((asked, None)),
        [place] => Ok((asked, Some(*place))),
        [_, other, ..] => Err(Stop::Misuse(format!(
            "`{other}` is too much: code with blanks stands in quotes of the shell."
        ))),
    }
}

/// The list of edits.
fn listed(from: &str, session: &mut Session<'_>) -> Result<String, Stop> {
    let bytes = match from {
        "-" => {
            let mut bytes = Vec::new();
            let input = &mut *session.input;
            std::io::Read::take(input, TEXT_LIMIT as u64 + 1).read_to_end(&mut bytes)?;
            bytes
        }
        _ => match files::at(session.machine.place(from), from.to_owned()) {
            Ok(Found::File(file)) => files::read(&file, TEXT_LIMIT as u64).map_err(trouble)?,
            Ok(Found::Folder(_)) => {
                return Err(Stop::Misuse(format!("{from} is a folder, not a list of edits.")));
            }
            Err(why) => return Err(trouble(why)),
        },
    };
    String::from_utf8(bytes).map_err(|_| Stop::Misuse("the edits are not UTF-8.".into()))
}

fn trouble((shown, why): Trouble) -> Stop {
    Stop::Misuse(format!("{shown}: {why}"))
}

/// The files that may be edited.
struct Chosen {
    files: Vec<ChosenFile>,
    /// Those in JSON syntax.
    passed_over: Vec<String>,
}

/// The files of a folder that make its module or template, or the one that is named.
fn chosen(place: &str, session: &Session<'_>) -> Result<Chosen, Stop> {
    let is_json = |name: &str| name.ends_with(".json");
    let shown = session.machine.seen_from_here(place);
    match files::at(session.machine.place(place), shown).map_err(trouble)? {
        Found::File(file) if is_json(&file.shown) => {
            Err(Stop::Misuse(format!("{place} is in JSON syntax, which is not edited.")))
        }
        Found::File(file) => Ok(Chosen { files: vec![file], passed_over: Vec::new() }),
        Found::Folder(folder) => {
            let is_code = |name: &str| {
                let name = name.strip_suffix(".json").unwrap_or(name);
                [".tf", ".tofu", ".pkr.hcl"].iter().any(|end| name.ends_with(end))
            };
            let (mut native, mut json, mut failed) = (Vec::new(), Vec::new(), None);
            files::below(&folder, false, &is_code, &mut |found| match found {
                Ok(file) if is_json(&file.shown) => json.push(file.shown),
                Ok(file) => native.push(file),
                Err(why) => failed = Some(why),
            });
            match failed {
                Some(why) => Err(trouble(why)),
                None => Ok(Chosen { files: native, passed_over: json }),
            }
        }
    }
}

fn texts(chosen: &Chosen) -> Result<Vec<SourceText>, Stop> {
    let text = |file: &ChosenFile| {
        let bytes = files::read(file, TEXT_LIMIT as u64).map_err(trouble)?;
        let is_too_long = bytes.len() > TEXT_LIMIT;
        match String::from_utf8(bytes) {
            Ok(text) if !is_too_long => {
                Ok(SourceText { name: file.shown.clone(), text: text.into() })
            }
            Ok(_) => Err(Stop::Misuse(format!("{} is too long to be read.", file.shown))),
            Err(_) => Err(Stop::Misuse(format!("{} is not UTF-8.", file.shown))),
        }
    };
    chosen.files.iter().map(text).collect()
}

/// Replaces all of them: where one cannot be, those before it get their old bytes again.
fn replace_all(all: &[(&ChosenFile, &[u8], &[u8])]) -> Result<(), Trouble> {
    for (number, (file, _, new)) in all.iter().enumerate() {
        if let Err(why) = files::replace(file, new) {
            for (file, old, _) in &all[..number] {
                files::replace(file, old)?;
            }
            return Err(why);
        }
    }
    Ok(())
}
