//! `groma state`: lists and shows the objects of a state. The state is never written.

use groma::json::{JsonLayout, array};
use groma::review::write_state_object;
use groma::states::StateObject;

use super::row::CommandRow;
use crate::flag::{self, CommandArgs};
use crate::recorded;
use crate::session::{EarlyStop, ExitStatus, RunSession};
use crate::view::json;
use crate::view::paint::TextPainter;

/// The command `groma state`: its flags, help and entry point.
pub(crate) const COMMAND: CommandRow = CommandRow {
    name: "state",
    about: "List or show the objects of a state, or print the state as it is",
    operand: Some(("list|show|pull ADDRESS...", "What to print, and for which addresses")),
    flags: &[&[flag::json("Print JSON"), super::plan::STATE_FILE], flag::MODULE],
    more: "`groma state list` prints the addresses of all recorded objects, or of those at or below the given \
           addresses; `groma state show ADDRESS` prints one object, `groma state pull` the text of the state \
           file.\n\n\
           Exit codes: 0 success, 1 there is no such object, or the subcommand would change the state, 2 wrong use.",
    run,
};

/// Runs the subcommand: `list`, `show` or `pull`.
fn run(args: &CommandArgs, session: &mut RunSession<'_>) -> Result<ExitStatus, EarlyStop> {
    let mut operands = args.operands.iter().map(String::as_str);
    let asked = operands.next().unwrap_or_default();
    let addresses: Vec<&str> = operands.collect();
    match (asked, addresses.len()) {
        ("list", _) | ("show", 1) => {}
        ("pull", 0) => return pull(args, session),
        ("pull", _) => {
            return Err(EarlyStop::Misuse(
                "state pull takes no addresses: it prints the whole state.".to_owned(),
            ));
        }
        ("show", _) => {
            return Err(EarlyStop::Misuse(
                "an address is needed: groma state show ADDRESS.".to_owned(),
            ));
        }
        ("mv" | "rm" | "push" | "replace-provider" | "identities", _) => {
            return Err(EarlyStop::Absent(format!(
                "there is no `groma state {asked}`: Groma reads states but never changes them; use `groma state list` or `groma state show`."
            )));
        }
        _ => {
            let why = "a subcommand is needed: groma state list, groma state show ADDRESS, or groma state pull.";
            return Err(EarlyStop::Misuse(why.to_owned()));
        }
    }
    let read = recorded::read(args, None, session)?;
    let objects = read.inventory.map(|all| all.objects).unwrap_or_default();
    if asked == "list" {
        return list(&objects, &addresses, args, session);
    }
    let Some(one) = objects.iter().find(|one| one.address == addresses[0] && one.deposed.is_none())
    else {
        return Err(EarlyStop::Absent(format!("the state has no object at {}.", addresses[0])));
    };
    if args.json {
        json::print(JsonLayout::Compact, session.out, &session.watch, |out| one.write_json(out))?;
        return Ok(ExitStatus::SUCCESS);
    }
    let in_colours = session.begin_colours(!args.no_color);
    let mut painter = TextPainter::new(session.out, in_colours);
    let written = write_state_object(one, &mut painter);
    painter.finish(written)?;
    Ok(ExitStatus::SUCCESS)
}

/// Prints the state's text unchanged; prints nothing if there is no state.
fn pull(args: &CommandArgs, session: &mut RunSession<'_>) -> Result<ExitStatus, EarlyStop> {
    if let Some(bytes) = recorded::text(args, session)? {
        session.out.write_all(&bytes)?;
        if bytes.last() != Some(&b'\n') {
            writeln!(session.out)?;
        }
    }
    Ok(ExitStatus::SUCCESS)
}

/// Prints the addresses of the recorded objects, or of those at or below the given addresses.
fn list(
    objects: &[StateObject],
    addresses: &[&str],
    args: &CommandArgs,
    session: &mut RunSession<'_>,
) -> Result<ExitStatus, EarlyStop> {
    let is_meant = |one: &&StateObject| {
        addresses.is_empty() || addresses.iter().any(|address| one.lies_below(address))
    };
    let current = objects.iter().filter(|one| one.deposed.is_none());
    let meant: Vec<&StateObject> = current.filter(is_meant).collect();
    if args.json {
        json::print(JsonLayout::Compact, session.out, &session.watch, |out| {
            array(&meant, out, |one, out| out.string(&one.address));
        })?;
        return Ok(ExitStatus::SUCCESS);
    }
    for one in meant {
        writeln!(session.out, "{}", one.address)?;
    }
    Ok(ExitStatus::SUCCESS)
}
