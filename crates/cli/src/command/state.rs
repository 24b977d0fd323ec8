//! `groma state`: what a state records. It is read, and never written.

use groma::StateObject;
use groma::json::{Layout, array};
use groma::review::write_kept;

use super::row::Command;
use crate::flag::{self, Args};
use crate::recorded;
use crate::session::{Exit, Session, Stop};
use crate::view::json;
use crate::view::paint::Painter;

pub(crate) const COMMAND: Command = Command {
    name: "state",
    about: "List what a state records, show an object of it, or print it as it is",
    operand: Some(("list|show|pull ADDRESS...", "What is told, and of which addresses")),
    flags: &[&[flag::json("Print JSON"), super::plan::STATE_FILE], flag::MODULE],
    more: "`groma state list` prints the addresses of all that is recorded, or of what lies in or below those that are named; \
           `groma state show ADDRESS` one object, `groma state pull` the text of the state as it lies there.\n\n\
           Exit codes: 0 all is well, 1 there is no such object, or what is asked for would change the state, 2 wrong use.",
    run,
};

fn run(args: &Args, session: &mut Session<'_>) -> Result<Exit, Stop> {
    let mut operands = args.operands.iter().map(String::as_str);
    let asked = operands.next().unwrap_or_default();
    let addresses: Vec<&str> = operands.collect();
    match (asked, addresses.len()) {
        ("list", _) | ("show", 1) => {}
        ("pull", 0) => return pull(args, session),
        ("pull", _) => {
            return Err(Stop::Misuse(
                "state pull takes no addresses: it prints the whole state.".to_owned(),
            ));
        }
        ("show", _) => {
            return Err(Stop::Misuse("say which object: groma state show ADDRESS.".to_owned()));
        }
        ("mv" | "rm" | "push" | "replace-provider" | "identities", _) => {
            return Err(Stop::Absent(format!(
                "there is no `groma state {asked}`: Groma reads states and changes none; `groma state list` and `groma state show` tell what is recorded."
            )));
        }
        _ => {
            let why = "say what to tell: groma state list, groma state show ADDRESS, or groma state pull.";
            return Err(Stop::Misuse(why.to_owned()));
        }
    }
    let read = recorded::read(args, None, session)?;
    let objects = read.inventory.map(|all| all.objects).unwrap_or_default();
    if asked == "list" {
        return list(&objects, &addresses, args, session);
    }
    let Some(one) = objects.iter().find(|one| one.address == addresses[0] && one.deposed.is_none())
    else {
        return Err(Stop::Absent(format!("nothing is recorded at {}.", addresses[0])));
    };
    if args.json {
        json::print(Layout::Compact, session.out, &session.watch, |out| one.write_json(out))?;
        return Ok(Exit::WELL);
    }
    let in_colours = session.paints(!args.no_color);
    let mut painter = Painter::new(session.out, in_colours);
    let written = write_kept(one, &mut painter);
    painter.finish(written)?;
    Ok(Exit::WELL)
}

/// Prints the state as it is, nothing where there is none.
fn pull(args: &Args, session: &mut Session<'_>) -> Result<Exit, Stop> {
    if let Some(bytes) = recorded::text(args, session)? {
        session.out.write_all(&bytes)?;
        if bytes.last() != Some(&b'\n') {
            writeln!(session.out)?;
        }
    }
    Ok(Exit::WELL)
}

fn list(
    objects: &[StateObject],
    addresses: &[&str],
    args: &Args,
    session: &mut Session<'_>,
) -> Result<Exit, Stop> {
    let is_meant = |one: &&StateObject| {
        addresses.is_empty() || addresses.iter().any(|address| one.lies_below(address))
    };
    let current = objects.iter().filter(|one| one.deposed.is_none());
    let meant: Vec<&StateObject> = current.filter(is_meant).collect();
    if args.json {
        json::print(Layout::Compact, session.out, &session.watch, |out| {
            array(&meant, out, |one, out| out.string(&one.address));
        })?;
        return Ok(Exit::WELL);
    }
    for one in meant {
        writeln!(session.out, "{}", one.address)?;
    }
    Ok(Exit::WELL)
}
