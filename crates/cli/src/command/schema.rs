//! `groma schema`: packs of the schemas of providers, from which one schema is read without the others.

use groma::Schemas;

use super::row::Command;
use crate::files;
use crate::flag::{Args, Flag, Takes, set};
use crate::session::{Exit, Session, Stop};

pub(crate) const COMMAND: Command = Command {
    name: "schema",
    about: "Pack the schemas of providers, for --schema",
    operand: Some((
        "pack FILE...",
        "Lists of schemas: what `providers schema -json` prints, plain or packed, or other packs",
    )),
    flags: &[OWN],
    more: "`groma schema pack FILE...` writes one pack of all lists; of two providers of one address the later counts. A \
           pack is given to --schema, or named in groma.toml. It holds all that the lists say, and only what is asked for \
           is read of it.\n\n\
           Exit codes: 0 all is well, 2 wrong use, or a file cannot be read or written.",
    run,
};

/// What a pack is called where nobody says so.
const USUAL: &str = "providers.schemas";

const OWN: &[Flag] = &[Flag {
    name: "out",
    takes: Takes::Value("FILE"),
    about: "Write the pack to FILE (default: providers.schemas)",
    read: |args, text| set(&mut args.out, text.to_owned()),
}];

fn run(args: &Args, session: &mut Session<'_>) -> Result<Exit, Stop> {
    let mut operands = args.operands.iter().map(String::as_str);
    match operands.next() {
        Some("pack") => {}
        Some(other) => {
            return Err(Stop::Misuse(format!(
                "groma schema can pack, and \"{other}\" is something else: groma schema pack FILE..."
            )));
        }
        None => return Err(Stop::Misuse("say what to do: groma schema pack FILE...".to_owned())),
    }
    let files: Vec<&str> = operands.collect();
    if files.is_empty() {
        return Err(Stop::Misuse(
            "there is nothing to pack: give files with what `terraform providers schema -json` or `tofu providers schema -json` prints."
                .to_owned(),
        ));
    }
    let machine = &session.machine;
    // Only files that the user names are read.
    let root = machine.root(".", Some(".")).map_err(Stop::Misuse)?;
    let host = machine.host(root, Vec::new(), files.iter().copied());
    let read = |file: &&str| {
        Schemas::load(&host, file).map_err(|why| Stop::Misuse(format!("{file}: {why}.")))
    };
    let all = files.iter().map(read).collect::<Result<Vec<Schemas>, Stop>>()?;
    let wrong = |why| Stop::Misuse(format!("the schemas cannot be packed: {why}."));
    let pack = Schemas::pack(&all).map_err(wrong)?;
    let packed = Schemas::of(pack.clone()).map_err(wrong)?;
    let out = args.out.as_deref().unwrap_or(USUAL);
    files::write(machine.place(out), out.to_owned(), &pack, true)
        .map_err(|(shown, why)| Stop::Misuse(format!("{shown}: {why}")))?;
    for (address, count) in packed.providers() {
        let what = if count == 1 { "schema" } else { "schemas" };
        writeln!(session.out, "{address}: {count} {what}")?;
    }
    writeln!(session.out, "{out}: {} bytes", pack.len())?;
    Ok(Exit::WELL)
}
