//! `groma show`: a plan that was saved, or a state, as text or as the document that other programs read.

use groma::Host as _;
use groma::json::Layout;
use groma::review::{Shown, write_inventory};

use super::row::Command;
use crate::flag::{self, Args};
use crate::recorded;
use crate::session::{Exit, Session, Stop};
use crate::view::json;
use crate::view::paint::Painter;

/// No file that is shown has more bytes.
const LONGEST: u64 = 1 << 30;

pub(crate) const COMMAND: Command = Command {
    name: "show",
    about: "Print a saved plan or a state",
    operand: Some((
        "FILE",
        "What `groma plan -out` has saved, a plan or a state (default: the state of the current directory)",
    )),
    flags: &[&[flag::json("Print a JSON document"), super::plan::STATE_FILE], flag::MODULE],
    more: "A saved plan is shown as it was made, whatever has become of the code. The document of a plan, of whichever \
           program, is printed as it is. Of a state the schemas that are at hand say what is sensitive.\n\n\
           Exit codes: 0 all is well, 1 the file cannot be read or is nothing that can be shown, 2 wrong use.",
    run,
};

fn run(args: &Args, session: &mut Session<'_>) -> Result<Exit, Stop> {
    let Some(file) = args.operand.as_deref().filter(|file| !file.is_empty()) else {
        return show_state(args, None, session);
    };
    let text = read(file, session)?;
    match Shown::of(&text).map_err(|why| Stop::Absent(format!("{file}: {why}")))? {
        Shown::Saved { document, .. } if args.json => writeln!(session.out, "{document}")?,
        Shown::Saved { text, .. } => write!(session.out, "{text}")?,
        Shown::Plan | Shown::StateDocument if args.json => {
            writeln!(session.out, "{}", text.trim_end())?;
        }
        Shown::Plan | Shown::StateDocument => {
            return Err(Stop::Absent(format!(
                "{file}: It is a document for programs, which is shown as it is with -json."
            )));
        }
        Shown::State => return show_state(args, Some(file), session),
    }
    Ok(Exit::WELL)
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
