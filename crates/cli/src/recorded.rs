//! What a state records, read by the schemas of the module beside it. The module is loaded for its backend, its workspace
//! and its schemas alone, so what is wrong with its code is nobody's matter here.

use groma::{Diagnostics, Edition, Inventory, state_at};

use crate::flag::Args;
use crate::given::asked;
use crate::project;
use crate::session::{Exit, Session, Stop};
use crate::view::diagnostic;

/// A state that was read.
pub(crate) struct ReadState {
    /// What it records; nothing where there is no state.
    pub inventory: Option<Inventory>,
    /// The edition that reads it.
    pub edition: Edition,
}

/// Reads a state: the file, or the one that a plan of the module in the current directory would go on from.
pub(crate) fn read(
    args: &Args,
    file: Option<&str>,
    session: &mut Session<'_>,
) -> Result<ReadState, Stop> {
    let mut args = args.clone();
    if let Some(file) = file {
        (args.state, args.state_text) = (Some(file.to_owned()), None);
    }
    let wanted = asked(&args)?.state;
    let loaded = project::load_values(&args, None, session)?;
    let evaluation = &loaded.evaluation;
    let mut found = Diagnostics::new();
    let state = state_at(evaluation, &wanted, &mut found);
    let colour = session.colour(!args.no_color);
    diagnostic::print(&found, &evaluation.sources(), colour, session.err)?;
    if found.has_errors() {
        return Err(Stop::Told(Exit::ERRORS));
    }
    let inventory = state.map(|state| Inventory::of(state, evaluation.schemas()));
    for (address, why) in inventory.iter().flat_map(Inventory::unreadable) {
        writeln!(session.err, "note: {address} is told without its attributes: {why}.")?;
    }
    Ok(ReadState { inventory, edition: evaluation.project().edition() })
}
