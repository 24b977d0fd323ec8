//! `groma version`: Groma's version, and the versions of the reference programs that it follows.

use std::collections::BTreeMap;
use std::io::{self, Write};

use groma::json::{JsonLayout, JsonObject, texts};
use groma::{
    Dialect, Edition, Host as _,
    schemas::{LOCK_FILE, locked_versions},
};

use super::row::CommandRow;
use crate::flag::{self, CommandArgs};
use crate::session::{EarlyStop, ExitStatus, RunSession};
use crate::settings;
use crate::view::json;

/// The command `groma version`: its flags, help and behaviour.
pub(crate) const COMMAND: CommandRow = CommandRow {
    name: "version",
    about: "Print the versions of Groma and of the programs whose behaviour it follows",
    operand: None,
    flags: &[&[flag::json("Print a JSON object")]],
    more: "Exit codes: 0 success, 2 wrong use.",
    run: |args, session| {
        let mut here = CommandArgs::default();
        settings::settle(&mut here, true, session)?;
        if args.json {
            let chosen = locked_providers(session)?;
            json::print(JsonLayout::Pretty, session.out, &session.watch, |out| {
                let mut object = JsonObject::open(out);
                if let Some(edition) = folder_edition(&here) {
                    object.text("terraform_version", &edition.version.to_string());
                }
                object.text("platform", &platform());
                let mut selections = object.object("provider_selections");
                for (provider, version) in &chosen {
                    selections.text(provider, version);
                }
                selections.close();
                object.text("groma_version", env!("CARGO_PKG_VERSION"));
                texts(editions(), object.key("editions"));
                let mut measured = object.object("measured");
                for (edition, asked) in measured_against() {
                    measured.text(&edition, asked);
                }
                measured.close();
                if let Some(evidence) = &here.evidence {
                    evidence.write_json(object.key("dialect"));
                }
                object.close();
            })?;
        } else {
            write(session.out)?;
            if let Some(evidence) = &here.evidence {
                // Other programs search for the name, then a version between "v" and a blank.
                let Edition { dialect, version, .. } = evidence.edition;
                let reason = &evidence.reason;
                writeln!(session.out, "reads this folder as {dialect} v{version} ({reason})")?;
            }
        }
        Ok(ExitStatus::SUCCESS)
    },
};

/// Returns the platform in Go's terms, such as `linux_amd64`, as the `version -json` of the reference programs prints it.
fn platform() -> String {
    let system = match () {
        () if cfg!(target_os = "macos") => "darwin",
        () if cfg!(target_os = "windows") => "windows",
        () if cfg!(target_os = "freebsd") => "freebsd",
        () => "linux",
    };
    let processor = match () {
        () if cfg!(target_arch = "aarch64") => "arm64",
        () if cfg!(target_arch = "x86") => "386",
        () if cfg!(target_arch = "arm") => "arm",
        () => "amd64",
    };
    format!("{system}_{processor}")
}

/// Returns the provider versions that the dependency lock file of the current folder records, by provider address.
fn locked_providers(session: &RunSession<'_>) -> Result<BTreeMap<String, String>, EarlyStop> {
    let root = session.machine.root(".", None).map_err(EarlyStop::Misuse)?;
    let host = session.machine.host(root, Vec::new(), std::iter::empty());
    let bytes = host.read(LOCK_FILE).unwrap_or_default();
    Ok(locked_versions(&String::from_utf8_lossy(&bytes)))
}

/// Writes the versions of Groma and of the reference programs that it follows, as text.
pub(crate) fn write(out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "groma {}", env!("CARGO_PKG_VERSION"))?;
    let editions: Vec<String> = editions().collect();
    writeln!(out, "follows {} and earlier versions", editions.join(", "))?;
    let measured: Vec<String> = measured_against()
        .map(|(edition, asked)| match edition.strip_suffix(asked) {
            Some(_) => edition,
            None => format!("{edition} ({asked})"),
        })
        .collect();
    writeln!(out, "tested against {}", measured.join(", "))
}

/// Yields each edition with recorded behaviour, and the exact version of the program it was recorded from.
fn measured_against() -> impl Iterator<Item = (String, &'static str)> {
    Dialect::ALL.into_iter().flat_map(|dialect| {
        let all = dialect.recordings().iter();
        all.map(move |one| (format!("{}@{}", dialect.slug(), one.version), one.asked))
    })
}

/// Returns the edition of the current folder for callers that ask for a Terraform version; `None` if it is one of Packer's.
fn folder_edition(here: &CommandArgs) -> Option<Edition> {
    let edition = here.evidence.as_ref().map_or(Edition::DEFAULT, |one| one.edition);
    (edition.dialect != Dialect::Packer).then_some(edition)
}

/// Yields the newest edition of each dialect, such as `terraform@1.15`.
fn editions() -> impl Iterator<Item = String> {
    Dialect::ALL.into_iter().map(|dialect| {
        let edition = Edition::newest(dialect);
        format!("{}@{}", dialect.slug(), edition.version)
    })
}
