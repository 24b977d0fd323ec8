//! `groma workspace`: prints the selected workspace and lists those that exist. They are read where the reference programs keep
//! them, and never created.

use groma::json::texts;
use groma::{plans::EventLines, states::workspaces};

use super::row::CommandRow;
use crate::flag::{self, CommandArgs};
use crate::project;
use crate::session::{EarlyStop, ExitStatus, RunSession};
use crate::view::json;

/// The command `groma workspace`: its flags, help and entry point.
pub(crate) const COMMAND: CommandRow = CommandRow {
    name: "workspace",
    about: "Print the selected workspace, or list all",
    operand: Some(("list|show...", "What to print")),
    flags: &[
        &[flag::json("Print the list as lines of JSON, as `tofu workspace list -json` does")],
        flag::MODULE,
    ],
    more: "Workspaces of the local backend can be listed; for other backends only the selected one is known. \
           TF_WORKSPACE selects a workspace for one run.\n\n\
           Exit codes: 0 success, 1 the subcommand would change something, 2 wrong use.",
    run,
};

/// Runs the subcommand: `list` or `show`.
fn run(args: &CommandArgs, session: &mut RunSession<'_>) -> Result<ExitStatus, EarlyStop> {
    let asked = args.operand.as_deref().unwrap_or_default();
    match asked {
        "list" | "show" => {}
        "new" | "delete" | "select" => {
            return Err(EarlyStop::Absent(format!(
                "there is no `groma workspace {asked}`: Groma reads workspaces but never changes them; TF_WORKSPACE selects one for a run."
            )));
        }
        _ => {
            let why = "a subcommand is needed: groma workspace list or groma workspace show.";
            return Err(EarlyStop::Misuse(why.to_owned()));
        }
    }
    let loaded = project::load_values(args, None, session)?;
    let selected = loaded.project().workspace();
    if asked == "show" {
        if args.json {
            let why = "-json is for the list only: groma workspace list -json.";
            return Err(EarlyStop::Misuse(why.to_owned()));
        }
        writeln!(session.out, "{selected}")?;
        return Ok(ExitStatus::SUCCESS);
    }
    let all = workspaces(&loaded.evaluation);
    if args.json {
        let edition = loaded.project().edition();
        json::print_text(session.out, &session.watch, |out| {
            let mut lines = EventLines::new(edition, None, out);
            lines.version()?;
            lines.line("info", "workspaces", "workspace_list", |line| {
                line.text("current_workspace", selected);
                texts(&all, line.key("workspaces"));
            })
        })?;
        return Ok(ExitStatus::SUCCESS);
    }
    for name in all {
        writeln!(session.out, "{} {name}", if name == selected { "*" } else { " " })?;
    }
    writeln!(session.out)?;
    Ok(ExitStatus::SUCCESS)
}
