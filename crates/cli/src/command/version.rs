//! `groma version`: ours, and the versions of the references that are answered for.

use std::io::{self, Write};

use groma_runtime::{Dialect, Edition};

use super::row::Command;
use crate::flag::{self, Args};
use crate::session::Exit;
use crate::settings;
use crate::view::json::{self, Object};

pub(crate) const COMMAND: Command = Command {
    name: "version",
    about: "Print the version, and those of the programs it answers for",
    operand: None,
    flags: &[&[flag::json("Print a JSON object")]],
    more: "Exit codes: 0 all is well, 2 wrong use.",
    run: |args, session| {
        let mut here = Args::default();
        settings::settle(&mut here, true, session)?;
        if args.json {
            let text = Object::default()
                .with("groma_version", &json::string(env!("CARGO_PKG_VERSION")))
                .with("editions", &json::array(editions().map(|edition| json::string(&edition))));
            let text = match &here.evidence {
                Some(evidence) => text.with("dialect", &evidence.json()),
                None => text,
            };
            writeln!(session.out, "{}", json::pretty(&text.finish()))?;
        } else {
            write(session.out)?;
            if let Some(evidence) = &here.evidence {
                let (edition, reason) = (evidence.edition, &evidence.reason);
                writeln!(session.out, "reads this folder as {edition}: {reason}")?;
            }
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
