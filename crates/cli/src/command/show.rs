//! `groma show`: a plan that was saved, or a state, as text or as the document that other programs read.

use groma::Host as _;
use groma::json::Layout;
use groma::review::{PlanDocument, Shown, write_inventory};

use super::plan;
use super::row::Command;
use crate::flag::{self, Args, Flag, Takes};
use crate::session::{Exit, Session, Stop};
use crate::view::json;
use crate::view::paint::Painter;
use crate::{project, recorded};

/// No file that is shown has more bytes.
const LONGEST: u64 = 1 << 30;

/// `--format`: how people or programs want to read it.
const FORMAT: Flag = Flag {
    name: "format",
    takes: Takes::Word("FORMAT", &["text", "json", "markdown"]),
    about: "Print it as text, json or (a plan) markdown, for the comment of a pull request",
    read: |args, text| match text {
        "text" => Ok(()),
        "json" => flag::switch(&mut args.json),
        "markdown" => flag::switch(&mut args.markdown),
        _ => Err(format!("--format takes text, json or markdown: \"{text}\" is none of them.")),
    },
};

pub(crate) const COMMAND: Command = Command {
    name: "show",
    about: "Print a saved plan or a state",
    operand: Some((
        "FILE",
        "What `groma plan -out` has saved, a plan or a state (default: the state of the current directory)",
    )),
    flags: &[
        &[flag::json("Print a JSON document"), FORMAT, plan::COMPACT, plan::STATE_FILE],
        flag::MODULE,
    ],
    more: "A saved plan is shown as it was made, whatever has become of the code. The document of a plan, of whichever \
           program, is told as a plan is; the schemas that are at hand tell its blocks from attributes. Of a state they \
           say what is sensitive.\n\n\
           Exit codes: 0 all is well, 1 the file cannot be read or is nothing that can be shown, 2 wrong use.",
    run,
};

fn run(args: &Args, session: &mut Session<'_>) -> Result<Exit, Stop> {
    if args.json && (args.markdown || args.compact) {
        let other = if args.markdown { "--format markdown" } else { "-compact" };
        return Err(Stop::Misuse(format!(
            "-json and {other} do not go together: give one of them."
        )));
    }
    let Some(file) = args.operand.as_deref().filter(|file| !file.is_empty()) else {
        return show_state(args, None, session);
    };
    let is_text = !args.markdown && !args.compact;
    let text = read(file, session)?;
    match Shown::of(&text).map_err(|why| Stop::Absent(format!("{file}: {why}")))? {
        Shown::Saved { document, .. } if args.json => writeln!(session.out, "{document}")?,
        Shown::Saved { text, .. } if is_text => write!(session.out, "{text}")?,
        Shown::Saved { document, .. } => show_plan(&document, file, args, session)?,
        Shown::Plan | Shown::StateDocument if args.json => {
            writeln!(session.out, "{}", text.trim_end())?;
        }
        Shown::Plan => show_plan(&text, file, args, session)?,
        Shown::StateDocument => {
            return Err(Stop::Absent(format!(
                "{file}: It is the document of a state, which is shown as it is with -json."
            )));
        }
        Shown::State => return show_state(args, Some(file), session),
    }
    Ok(Exit::WELL)
}

/// Tells the document of a plan as a plan is told.
fn show_plan(text: &str, file: &str, args: &Args, session: &mut Session<'_>) -> Result<(), Stop> {
    let loaded = project::load_values(args, None, session)?;
    let schemas = loaded.evaluation.schemas();
    let edition = loaded.evaluation.project().edition();
    let shape =
        |source: &str, mode, kind: &str| groma::shape_of(schemas, source, mode, kind, edition);
    let document =
        PlanDocument::read(text, &shape).map_err(|why| Stop::Absent(format!("{file}: {why}")))?;
    let review = document.into_review(loaded.evaluation.project().edition().dialect);
    plan::write(&review, args, session)
}

/// The document of a plan that a file holds, as it was written or in a plan that was saved.
pub(super) fn read_plan(file: &str, session: &Session<'_>) -> Result<String, Stop> {
    let text = read(file, session)?;
    match Shown::of(&text).map_err(|why| Stop::Absent(format!("{file}: {why}")))? {
        Shown::Saved { document, .. } => Ok(document),
        Shown::Plan => Ok(text),
        Shown::StateDocument | Shown::State => {
            Err(Stop::Absent(format!("{file}: It is a state, and a plan is needed here.")))
        }
    }
}

/// The text of a file that the user names, which may lie anywhere.
fn read(file: &str, session: &Session<'_>) -> Result<String, Stop> {
    let fails = |why: String| Stop::Absent(format!("{file}: {why}"));
    let root = session.machine.root(".", Some(".")).map_err(Stop::Misuse)?;
    let host = session.machine.host(root, Vec::new(), std::iter::once(file));
    let bytes = host.read_within(file, LONGEST);
    let bytes = bytes.map_err(|why| fails(format!("It cannot be read: {why}.")))?;
    if bytes.starts_with(b"PK") {
        let why = "It is a plan that another program has saved, which only that program can read: what its `show -json` prints is read here.";
        return Err(fails(why.to_owned()));
    }
    String::from_utf8(bytes)
        .map_err(|_| fails("It is neither a plan nor a state: it is no text.".to_owned()))
}

fn show_state(args: &Args, file: Option<&str>, session: &mut Session<'_>) -> Result<Exit, Stop> {
    let read = recorded::read(args, file, session)?;
    match (&read.inventory, args.json) {
        (Some(all), true) => json::print(Layout::Compact, session.out, &session.watch, |out| {
            all.write_json(read.edition.version, out);
        })?,
        (None, true) => writeln!(session.out, "{{\"format_version\":\"1.0\"}}")?,
        (Some(all), false) if !all.objects.is_empty() || !all.outputs.is_empty() => {
            let in_colours = session.paints(!args.no_color);
            let mut painter = Painter::new(session.out, in_colours);
            let written = write_inventory(all, &mut painter);
            painter.finish(written)?;
        }
        _ => writeln!(session.out, "No state.")?,
    }
    Ok(Exit::WELL)
}
