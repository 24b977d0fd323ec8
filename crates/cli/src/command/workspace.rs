//! `groma workspace`: which one is selected, and which there are. They are read where the programs keep them, and never made.

use groma::workspaces;

use super::row::Command;
use crate::flag::{self, Args};
use crate::project;
use crate::session::{Exit, Session, Stop};

pub(crate) const COMMAND: Command = Command {
    name: "workspace",
    about: "Print the selected workspace, or a list of all",
    operand: Some(("list|show...", "What is told")),
    flags: &[flag::MODULE],
    more: "Those of the local backend are known; of other backends only the selected one is. TF_WORKSPACE selects another \
           one for a run.\n\n\
           Exit codes: 0 all is well, 1 what is asked for would change something, 2 wrong use.",
    run,
};

fn run(args: &Args, session: &mut Session<'_>) -> Result<Exit, Stop> {
    let asked = args.operand.as_deref().unwrap_or_default();
    match asked {
        "list" | "show" => {}
        "new" | "delete" | "select" => {
            return Err(Stop::Absent(format!(
                "there is no `groma workspace {asked}`: Groma reads workspaces and changes none; TF_WORKSPACE selects one for a run."
            )));
        }
        _ => {
            let why = "say what to tell: groma workspace list, or groma workspace show.";
            return Err(Stop::Misuse(why.to_owned()));
        }
    }
    let loaded = project::load_values(args, None, session)?;
    let selected = loaded.project().workspace();
    if asked == "show" {
        writeln!(session.out, "{selected}")?;
        return Ok(Exit::WELL);
    }
    for name in workspaces(&loaded.evaluation) {
        writeln!(session.out, "{} {name}", if name == selected { "*" } else { " " })?;
    }
    writeln!(session.out)?;
    Ok(Exit::WELL)
}
