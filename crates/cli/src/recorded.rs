//! Reads a state with the schemas of the module in the current directory. The module is loaded only for its backend, workspace
//! and schemas, so errors in its code do not matter.

use groma::{
    Diagnostics, Edition,
    states::{STATE_MISSING, StateFile, StateInventory, state_at, state_text_at},
};

use crate::flag::CommandArgs;
use crate::given::plan_options;
use crate::project::{self, LoadedModule};
use crate::session::{EarlyStop, ExitStatus, RunSession};
use crate::view::diagnostic;

/// A state that was read, with the edition that reads it.
pub(crate) struct ReadState {
    /// The recorded objects; `None` if there is no state.
    pub inventory: Option<StateInventory>,
    /// The edition that reads it.
    pub edition: Edition,
}

/// Reads the state in `file`, or the one that a plan of the current directory's module would use.
pub(crate) fn read(
    args: &CommandArgs,
    file: Option<&str>,
    session: &mut RunSession<'_>,
) -> Result<ReadState, EarlyStop> {
    let mut args = args.clone();
    if let Some(file) = file {
        (args.state, args.state_text) = (Some(file.to_owned()), None);
    }
    let wanted = plan_options(&args)?.state;
    let loaded = project::load_values(&args, None, session)?;
    let evaluation = &loaded.evaluation;
    let mut found = Diagnostics::new();
    let state = state_at(evaluation, &wanted, &mut found);
    print_findings(found, &wanted, &args, &loaded, session)?;
    let inventory = state.map(|state| {
        StateInventory::of(state, evaluation.schemas(), evaluation.project().edition())
    });
    for (address, why) in inventory.iter().flat_map(StateInventory::unreadable) {
        writeln!(session.err, "note: {address} is shown without its attributes: {why}.")?;
    }
    Ok(ReadState { inventory, edition: evaluation.project().edition() })
}

/// Returns the text of the state that a plan of the current directory's module would use; `None` if there is none.
pub(crate) fn text(
    args: &CommandArgs,
    session: &mut RunSession<'_>,
) -> Result<Option<Vec<u8>>, EarlyStop> {
    let wanted = plan_options(args)?.state;
    let loaded = project::load_values(args, None, session)?;
    let mut found = Diagnostics::new();
    let text = state_text_at(&loaded.evaluation, &wanted, &mut found);
    print_findings(found, &wanted, args, &loaded, session)?;
    Ok(text)
}

/// Prints the diagnostics of reading a state; stops the command if one is an error, or if a file named by a flag is missing.
fn print_findings(
    found: Diagnostics,
    wanted: &StateFile,
    args: &CommandArgs,
    loaded: &LoadedModule,
    session: &mut RunSession<'_>,
) -> Result<(), EarlyStop> {
    if let StateFile::At(file) = wanted
        && found.iter().any(|one| *one.code == STATE_MISSING)
    {
        return Err(EarlyStop::Absent(format!(
            "{file}: there is no such file, so there is no state."
        )));
    }
    let colour = session.colour(!args.no_color);
    diagnostic::print(&found, &loaded.evaluation.sources(), colour, session.err)?;
    if found.has_errors() { Err(EarlyStop::Reported(ExitStatus::ERRORS)) } else { Ok(()) }
}
