//! What a run may use, as the command line says it, and what is said when a run comes to its end. That is one diagnostic
//! and nothing else: what was worked out by then is a part, and a part must not look like an answer.

use std::time::Duration;

use groma::{Budget, Quota, causes::ended, limits::RunEnd};
use groma_syntax::{Diagnostic, Diagnostics, Sources};

use crate::flag::CommandArgs;
use crate::host::MachineContext;
use crate::session::{EarlyStop, ExitStatus, RunSession};
use crate::view::diagnostic;

/// Maximum time that untrusted code may take, unless the command line sets another.
const STRANGERS_TIME: Duration = Duration::from_secs(60);
/// Maximum size of an answer about untrusted code, unless the command line sets another.
const STRANGERS_OUTPUT: u64 = 100_000_000;
/// Maximum number of bytes that untrusted code may take, unless the command line sets another.
const STRANGERS_MEMORY: u64 = 2_000_000_000;
/// The command that answers an editor until it goes.
pub(crate) const SERVER: &str = "lsp";
/// The command that answers another program until it goes.
pub(crate) const DOOR: &str = "serve";

/// The command that serves tools to coding agents.
pub(crate) const TOOLS: &str = "mcp";
/// The command that asks many roots one question.
pub(crate) const FLEET: &str = "fleet";

/// Returns true if a command answers many requests, each with bounds of its own.
pub(crate) fn is_server(command: &str) -> bool {
    [SERVER, DOOR, FLEET, TOOLS].contains(&command)
}

/// Returns what one request of a server may use.
pub(crate) fn of_request(machine: &MachineContext) -> Quota {
    match machine.is_untrusted() {
        true => Quota { bytes: STRANGERS_MEMORY, output_bytes: STRANGERS_OUTPUT, ..Quota::DEFAULT },
        false => Quota { bytes: machine.affordable(), ..Quota::DEFAULT },
    }
}

/// Bounds a run over a stranger's code where the command line does not: it may be made to take for ever.
pub(crate) fn restrain(args: &mut CommandArgs) {
    if is_server(args.command) {
        // It runs for as long as its client does: each look at a root is bounded instead.
        let bytes = args.memory.unwrap_or(STRANGERS_MEMORY);
        args.quota.get_or_insert_default().bytes = bytes;
        #[cfg(feature = "git")]
        args.fleet.root_time.get_or_insert(STRANGERS_TIME);
        return;
    }
    args.timeout.get_or_insert(STRANGERS_TIME);
    args.memory.get_or_insert(STRANGERS_MEMORY);
    if args.quota.is_none_or(|quota| quota.output_bytes == Quota::DEFAULT.output_bytes) {
        args.quota.get_or_insert_default().output_bytes = STRANGERS_OUTPUT;
    }
}

/// Returns what a run may use.
pub(crate) fn budget(args: &CommandArgs) -> Budget {
    Budget::new(quota(args))
}

/// Returns the bounds that a command line and the settings beside the code give.
pub(crate) fn quota(args: &CommandArgs) -> Quota {
    let quota = args.quota.unwrap_or_default();
    match args.memory {
        None => quota,
        Some(bytes) => Quota { bytes, ..quota },
    }
}

/// Stops a command whose run has come to its end, and says so. `end` is where that was, if it is known; else it is
/// among what was found.
pub(crate) fn go_on(
    args: &CommandArgs,
    end: Option<Diagnostic>,
    found: &Diagnostics,
    sources: &Sources,
    session: &mut RunSession<'_>,
) -> Result<(), EarlyStop> {
    let Some(bound) = args.budget.ended() else { return Ok(()) };
    let is_end = |one: &&Diagnostic| one.code == plain(bound, args, "").code;
    let place = found.iter().find(is_end).and_then(|one| one.place);
    let end = match (args.budget.last_work(), end) {
        // A flag on the command line was there before any value was worked out.
        (Some(work), _) => Diagnostic { place, ..plain(bound, args, &work) },
        (None, Some(end)) => end,
        (None, None) => Diagnostic { place, ..plain(bound, args, "") },
    };
    tell(args, &end, sources, session)?;
    Err(EarlyStop::Told(ExitStatus::ERRORS))
}

/// Reports the end of a run that is not reported yet.
pub(crate) fn tell_end(args: &CommandArgs, session: &mut RunSession<'_>) -> Result<(), EarlyStop> {
    match session.watch.is_told() {
        true => Ok(()),
        false => go_on(args, None, &Diagnostics::new(), &Sources::new(), session),
    }
}

fn plain(bound: RunEnd, args: &CommandArgs, work: &str) -> Diagnostic {
    ended(bound, &args.budget.told(), work)
}

/// Says one diagnostic in the form that was asked for, and that nothing else is to be said.
pub(crate) fn tell(
    args: &CommandArgs,
    end: &Diagnostic,
    sources: &Sources,
    session: &mut RunSession<'_>,
) -> Result<(), EarlyStop> {
    session.watch.tell();
    let form = args.end_form();
    if let Some(document) = form.document(end, sources) {
        writeln!(session.out, "{document}")?;
        session.out.flush()?;
    }
    if form.is_told_aside() {
        diagnostic::print([end], sources, session.colour(!args.no_color), session.err)?;
    }
    Ok(())
}
