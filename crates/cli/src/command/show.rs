//! `groma show`: prints a saved plan or a state as text, Markdown or JSON.

use groma::Host as _;
use groma::json::JsonLayout;
use groma::review::{PlanDocument, SavedFile, write_inventory};

use super::plan;
use super::row::CommandRow;
use crate::flag::{self, CommandArgs, FlagRow, FlagValue};
use crate::session::{EarlyStop, ExitStatus, RunSession};
use crate::view::json;
use crate::view::paint::TextPainter;
use crate::{project, recorded};

/// Maximum number of bytes in a file that is shown; a larger one is an error.
const MAX_BYTES: u64 = 1 << 30;

/// `--format`: the output format.
const FORMAT: FlagRow = FlagRow {
    name: "format",
    takes: FlagValue::Word("FORMAT", &["text", "json", "markdown"]),
    about: "Print as text, json or, for a plan, markdown (for a pull request comment)",
    read: |args, text| match text {
        "text" => Ok(()),
        "json" => flag::switch(&mut args.json),
        "markdown" => flag::switch(&mut args.markdown),
        _ => Err(format!("--format must be text, json or markdown, not \"{text}\".")),
    },
};

/// The command `groma show`: its flags, help and entry point.
pub(crate) const COMMAND: CommandRow = CommandRow {
    name: "show",
    about: "Print a saved plan or a state",
    operand: Some((
        "FILE",
        "A plan saved by `groma plan -out`, a plan as JSON, or a state (default: the state of the current directory)",
    )),
    flags: &[
        &[flag::json("Print a JSON document"), FORMAT, plan::COMPACT, plan::STATE_FILE],
        flag::MODULE,
    ],
    more: "A saved plan is printed as it was made, even if the code has changed since. The JSON of a plan, by any \
           program, is printed like a plan; provider schemas, if available, tell its blocks from attributes and which \
           values of a state are sensitive.\n\n\
           Exit codes: 0 success, 1 the file cannot be read or is neither a plan nor a state, 2 wrong use.",
    run,
};

/// Prints the plan or the state in the file that the command line names, or else the state of the current directory.
fn run(args: &CommandArgs, session: &mut RunSession<'_>) -> Result<ExitStatus, EarlyStop> {
    if args.json && (args.markdown || args.compact) {
        let other = if args.markdown { "--format markdown" } else { "-compact" };
        return Err(EarlyStop::Misuse(format!("-json and {other} cannot be used together.")));
    }
    let Some(file) = args.operand.as_deref().filter(|file| !file.is_empty()) else {
        return show_state(args, None, session);
    };
    let is_text = !args.markdown && !args.compact;
    let text = read(file, session)?;
    match SavedFile::of(&text).map_err(|why| EarlyStop::Absent(format!("{file}: {why}")))? {
        SavedFile::Saved { document, .. } if args.json => writeln!(session.out, "{document}")?,
        SavedFile::Saved { text, .. } if is_text => write!(session.out, "{text}")?,
        SavedFile::Saved { document, .. } => show_plan(&document, file, args, session)?,
        SavedFile::Plan | SavedFile::StateDocument if args.json => {
            writeln!(session.out, "{}", text.trim_end())?;
        }
        SavedFile::Plan => show_plan(&text, file, args, session)?,
        SavedFile::StateDocument => {
            return Err(EarlyStop::Absent(format!(
                "{file}: It is the JSON of a state; print it with -json."
            )));
        }
        SavedFile::State => return show_state(args, Some(file), session),
    }
    Ok(ExitStatus::SUCCESS)
}

/// Prints the plan document `text`, read from `file`, in the form that `groma plan` would print it.
fn show_plan(
    text: &str,
    file: &str,
    args: &CommandArgs,
    session: &mut RunSession<'_>,
) -> Result<(), EarlyStop> {
    let loaded = project::load_values(args, None, session)?;
    let schemas = loaded.evaluation.schemas();
    let edition = loaded.evaluation.project().edition();
    let shape = |source: &str, mode, kind: &str| {
        groma::schemas::shape_of(schemas, source, mode, kind, edition)
    };
    let document = PlanDocument::read(text, &shape)
        .map_err(|why| EarlyStop::Absent(format!("{file}: {why}")))?;
    let review = document.into_review(loaded.evaluation.project().edition().dialect);
    plan::write(&review, args, session)
}

/// Returns the JSON of the plan in a file, which may be a document or a plan saved by `groma plan -out`.
#[cfg(feature = "git")]
pub(super) fn read_plan(file: &str, session: &RunSession<'_>) -> Result<String, EarlyStop> {
    let text = read(file, session)?;
    match SavedFile::of(&text).map_err(|why| EarlyStop::Absent(format!("{file}: {why}")))? {
        SavedFile::Saved { document, .. } => Ok(document),
        SavedFile::Plan => Ok(text),
        SavedFile::StateDocument | SavedFile::State => {
            Err(EarlyStop::Absent(format!("{file}: It is a state, but a plan is needed.")))
        }
    }
}

/// Reads a file that the user names; it may lie anywhere.
fn read(file: &str, session: &RunSession<'_>) -> Result<String, EarlyStop> {
    let fails = |why: String| EarlyStop::Absent(format!("{file}: {why}"));
    let root = session.machine.root(".", Some(".")).map_err(EarlyStop::Misuse)?;
    let host = session.machine.host(root, Vec::new(), std::iter::once(file));
    let bytes = host.read_within(file, MAX_BYTES);
    let bytes = bytes.map_err(|why| fails(format!("It cannot be read: {why}.")))?;
    if bytes.starts_with(b"PK") {
        let why = "It is a plan in the private format of another program: give the output of its `show -json` instead.";
        return Err(fails(why.to_owned()));
    }
    String::from_utf8(bytes)
        .map_err(|_| fails("It is neither a plan nor a state: it is not text.".to_owned()))
}

/// Prints the state in `file`, or without one that of the current directory, as text or JSON.
fn show_state(
    args: &CommandArgs,
    file: Option<&str>,
    session: &mut RunSession<'_>,
) -> Result<ExitStatus, EarlyStop> {
    let read = recorded::read(args, file, session)?;
    match (&read.inventory, args.json) {
        (Some(all), true) => {
            json::print(JsonLayout::Compact, session.out, &session.watch, |out| {
                all.write_json(read.edition.version, out);
            })?
        }
        (None, true) => writeln!(session.out, "{{\"format_version\":\"1.0\"}}")?,
        (Some(all), false) if !all.objects.is_empty() || !all.outputs.is_empty() => {
            let in_colours = session.begin_colours(!args.no_color);
            let mut painter = TextPainter::new(session.out, in_colours);
            let written = write_inventory(all, &mut painter);
            painter.finish(written)?;
        }
        _ => writeln!(session.out, "No state.")?,
    }
    Ok(ExitStatus::SUCCESS)
}
