//! `groma version`: ours, and the versions of the references that are answered for.

use std::io::{self, Write};

use groma_functions::{Dialect, Edition};

use super::Command;
use crate::flag;
use crate::session::Exit;
use crate::view::json::{self, Object};

pub(crate) const COMMAND: Command = Command {
    name: "version",
    about: "Print the version, and those of the programs it answers for",
    operand: None,
    flags: &[&[flag::json("Print a JSON object")]],
    more: "Exit codes: 0 all is well, 2 wrong use.",
    run: |args, session| {
        if args.json {
            let text = Object::default()
                .with("groma_version", &json::string(env!("CARGO_PKG_VERSION")))
                .with("editions", &json::array(editions().map(|edition| json::string(&edition))))
                .finish();
            writeln!(session.out, "{}", json::pretty(&text))?;
        } else {
            write(session.out)?;
        }
        Ok(Exit::WELL)
    },
};

/// The text form.
pub(crate) fn write(out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "groma {}", env!("CARGO_PKG_VERSION"))?;
    let editions: Vec<String> = editions().collect();
    writeln!(out, "answers as {} and versions before", editions.join(", "))
}

fn editions() -> impl Iterator<Item = String> {
    Dialect::ALL.into_iter().map(|dialect| {
        let edition = Edition::newest(dialect);
        format!("{}@{}", dialect.slug(), edition.version)
    })
}
