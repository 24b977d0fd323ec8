//! `groma list`: prints the addresses of all instances in a project. The placeholder `[*]` stands for an unknown number of
//! instances, so no declaration is missing from the list.

use groma::ExpressionAnswer;
use groma::json::JsonLayout;
use groma_document::write_list;

use super::row::CommandRow;
use crate::flag::{self, CommandArgs};
use crate::project;
use crate::session::{EarlyStop, ExitStatus, RunSession};
use crate::view::{diagnostic, json};

/// The command `groma list`: its flags, help and entry point.
pub(crate) const COMMAND: CommandRow = CommandRow {
    name: "list",
    about: "List all instances of resources and modules, or the builds of a Packer template",
    operand: Some(("DIR", "The module's directory (default: the current directory)")),
    flags: &[
        &[flag::json("Print a JSON array of objects, with reasons and places")],
        flag::MODULE,
        flag::TEMPLATE,
        flag::BUILDS,
    ],
    more: "ADDRESS[*] stands for the instances whose number is unknown; --json shows why.\n\n\
           Exit codes: 0 success, 1 the code has errors, 2 wrong use.",
    run,
};

/// Prints the addresses of all instances of resources and modules, or of the builds of a Packer template.
fn run(args: &CommandArgs, session: &mut RunSession<'_>) -> Result<ExitStatus, EarlyStop> {
    let opened = project::open(args, args.operand.as_deref(), session)?;
    opened.note_if_empty(args.operand.as_deref(), session)?;
    let ExpressionAnswer { value: listed, findings: found } = opened.root().list();
    let sources = opened.sources();
    opened.stop_if_ended(args, &found, session)?;
    if args.json {
        json::print(JsonLayout::Pretty, session.out, &session.watch, |out| {
            write_list(opened.root(), &listed, out);
        })?;
    } else {
        listed.addresses().iter().try_for_each(|one| writeln!(session.out, "{one}"))?;
    }
    diagnostic::print(&found, &sources, session.colour(!args.no_color), session.err)?;
    Ok(if opened.failed || found.has_errors() { ExitStatus::ERRORS } else { ExitStatus::SUCCESS })
}
