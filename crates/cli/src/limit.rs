//! The limits of a run, and the report when one is reached. That report is one diagnostic and nothing else, since a partial
//! result must not look like an answer.

use std::time::Duration;

use groma::{Budget, Quota, causes::ended, limits::RunEnd};
use groma_syntax::{Diagnostic, Diagnostics, Sources};

use crate::flag::CommandArgs;
use crate::host::MachineContext;
use crate::session::{EarlyStop, ExitStatus, RunSession};
use crate::view::diagnostic;

/// Default maximum time of a run over untrusted code.
const UNTRUSTED_TIME: Duration = Duration::from_secs(60);
/// Default maximum output of a run over untrusted code, in bytes.
const UNTRUSTED_OUTPUT: u64 = 100_000_000;
/// Default maximum memory of a run over untrusted code, in bytes.
const UNTRUSTED_MEMORY: u64 = 2_000_000_000;
/// The name of the command that serves an editor until the editor closes.
pub(crate) const SERVER: &str = "lsp";
/// The name of the command that answers another program's JSON requests until its input ends.
pub(crate) const DOOR: &str = "serve";

/// The name of the command that serves tools to coding agents.
pub(crate) const TOOLS: &str = "mcp";
/// The name of the command that asks many roots one question.
pub(crate) const FLEET: &str = "fleet";

/// Returns true if the command answers many requests, each with its own limits.
pub(crate) fn is_server(command: &str) -> bool {
    [SERVER, DOOR, FLEET, TOOLS].contains(&command)
}

/// Returns the memory and output limits of one request of a server, which are lower for untrusted code.
pub(crate) fn of_request(machine: &MachineContext) -> Quota {
    match machine.is_untrusted() {
        true => Quota { bytes: UNTRUSTED_MEMORY, output_bytes: UNTRUSTED_OUTPUT, ..Quota::DEFAULT },
        false => Quota { bytes: machine.memory_limit(), ..Quota::DEFAULT },
    }
}

/// Sets the default time, memory and output limits for untrusted code that flags do not set, since it may be written to run
/// forever.
pub(crate) fn limit_untrusted(args: &mut CommandArgs) {
    if is_server(args.command) {
        // A server runs as long as its client: each of its requests is limited instead.
        let bytes = args.memory.unwrap_or(UNTRUSTED_MEMORY);
        args.quota.get_or_insert_default().bytes = bytes;
        #[cfg(feature = "git")]
        args.fleet.root_time.get_or_insert(UNTRUSTED_TIME);
        return;
    }
    args.timeout.get_or_insert(UNTRUSTED_TIME);
    args.memory.get_or_insert(UNTRUSTED_MEMORY);
    if args.quota.is_none_or(|quota| quota.output_bytes == Quota::DEFAULT.output_bytes) {
        args.quota.get_or_insert_default().output_bytes = UNTRUSTED_OUTPUT;
    }
}

/// Returns a new budget with the limits of a parsed command line.
pub(crate) fn budget(args: &CommandArgs) -> Budget {
    Budget::new(quota(args))
}

/// Returns the limits on steps, memory, instances and texts of a parsed command line.
pub(crate) fn quota(args: &CommandArgs) -> Quota {
    let quota = args.quota.unwrap_or_default();
    match args.memory {
        None => quota,
        Some(bytes) => Quota { bytes, ..quota },
    }
}

/// Stops the command if its budget is used up, else does nothing; reports `end`, or, without one or if the budget says what it
/// was used for, a diagnostic of that, at the place of the diagnostic with the same code in `found`.
pub(crate) fn stop_if_ended(
    args: &CommandArgs,
    end: Option<Diagnostic>,
    found: &Diagnostics,
    sources: &Sources,
    session: &mut RunSession<'_>,
) -> Result<(), EarlyStop> {
    let Some(bound) = args.budget.ended() else { return Ok(()) };
    let is_end = |one: &&Diagnostic| one.code == limit_diagnostic(bound, args, "").code;
    let place = found.iter().find(is_end).and_then(|one| one.place);
    let end = match (args.budget.last_work(), end) {
        // The command line's flags apply before any value is evaluated.
        (Some(work), _) => Diagnostic { place, ..limit_diagnostic(bound, args, &work) },
        (None, Some(end)) => end,
        (None, None) => Diagnostic { place, ..limit_diagnostic(bound, args, "") },
    };
    report(args, &end, sources, session)?;
    Err(EarlyStop::Reported(ExitStatus::ERRORS))
}

/// Prints the diagnostic of the limit that ended a run, unless it is printed already; does nothing while the budget lasts.
pub(crate) fn report_end(
    args: &CommandArgs,
    session: &mut RunSession<'_>,
) -> Result<(), EarlyStop> {
    match session.watch.is_reported() {
        true => Ok(()),
        false => stop_if_ended(args, None, &Diagnostics::new(), &Sources::new(), session),
    }
}

/// Returns the diagnostic for a limit that was reached during `work`, without a place.
fn limit_diagnostic(bound: RunEnd, args: &CommandArgs, work: &str) -> Diagnostic {
    ended(bound, &args.budget.initial_quota(), work)
}

/// Prints the diagnostic of the limit that ended the run in the output format that the command line requests, after which
/// nothing else is printed.
pub(crate) fn report(
    args: &CommandArgs,
    end: &Diagnostic,
    sources: &Sources,
    session: &mut RunSession<'_>,
) -> Result<(), EarlyStop> {
    session.watch.mark_reported();
    let form = args.end_form();
    if let Some(document) = form.document(end, sources) {
        writeln!(session.out, "{document}")?;
        session.out.flush()?;
    }
    if form.goes_to_stderr() {
        diagnostic::print([end], sources, session.colour(!args.no_color), session.err)?;
    }
    Ok(())
}
