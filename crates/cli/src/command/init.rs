//! `groma init`: downloads modules, which is all that a plan needs here. Programs that call another tool expect this command
//! first.

use super::get::{self, InstallStep};
use super::row::CommandRow;
use crate::flag::{self, CommandArgs};
use crate::session::{EarlyStop, ExitStatus, RunSession};
use crate::template;
use crate::view::json;
use groma::{Edition, plans::EventLines};

/// The command `groma init`: its flags, help and entry point.
pub(crate) const COMMAND: CommandRow = CommandRow {
    name: "init",
    about: "Download the modules that the code calls, as get does",
    operand: Some(("DIR", "The root module's directory (default: the current directory)")),
    flags: &[
        &[flag::json("Print lines of JSON, as `terraform init` does")],
        get::FLAGS,
        flag::MODULE,
    ],
    more: "Providers and backends are not set up, because Groma never uses them. Flags about them are accepted and \
           ignored.\n\n\
           Exit codes: 0 success, 1 a module cannot be downloaded or the code has errors, 2 wrong use.",
    run,
};

/// The remark that providers and backends are not set up.
const NOT_SET_UP: &str =
    "No provider is installed and no backend is set up: Groma never uses them.";
/// The remark that no plugin is installed for a Packer template.
const NO_PLUGIN: &str = "Nothing is installed for a Packer template: Groma runs no plugins.";

/// Downloads the modules that the code calls; for a Packer template there is nothing to do.
fn run(args: &CommandArgs, session: &mut RunSession<'_>) -> Result<ExitStatus, EarlyStop> {
    let is_template = template::names_template(args, args.operand.as_deref(), session)?;
    if args.json {
        return in_lines(args, is_template, session);
    }
    if is_template {
        writeln!(session.out, "{NO_PLUGIN}")?;
        return Ok(ExitStatus::SUCCESS);
    }
    let exit = get::run(args, session)?;
    if exit == ExitStatus::SUCCESS {
        writeln!(session.out, "{NOT_SET_UP}")?;
    }
    Ok(exit)
}

/// Downloads the modules that the code calls, and reports each step as a line of JSON; for a Packer template (`is_template`)
/// nothing is downloaded.
fn in_lines(
    args: &CommandArgs,
    is_template: bool,
    session: &mut RunSession<'_>,
) -> Result<ExitStatus, EarlyStop> {
    let edition = args.edition.unwrap_or(Edition::DEFAULT);
    let line = |text: &str, session: &mut RunSession<'_>| {
        json::print_text(session.out, &session.watch, |out| {
            EventLines::new(edition, None, out).line("info", text, "init_output", |_| {})
        })
    };
    json::print_text(session.out, &session.watch, |out| {
        EventLines::new(edition, None, out).version()
    })?;
    if is_template {
        line(NO_PLUGIN, session)?;
        return Ok(ExitStatus::SUCCESS);
    }
    let exit = get::download(args, session, &mut |step, session| match step {
        InstallStep::Line(text) => line(&text, session),
        InstallStep::Found(found, sources) => {
            json::print_text(session.out, &session.watch, |out| {
                let mut lines = EventLines::new(edition, None, out);
                found.iter().try_for_each(|one| lines.diagnostic(one, sources))
            })
        }
    })?;
    if exit == ExitStatus::SUCCESS {
        line(NOT_SET_UP, session)?;
    }
    Ok(exit)
}
