//! What a run may use, as the command line says it, and what is said when a run comes to its end. That is one diagnostic
//! and nothing else: what was worked out by then is a part, and a part must not look like an answer.

use std::time::Duration;

use groma::{Bound, Budget, Quota, ended};
use groma_syntax::{Diagnostic, Diagnostics, Sources};

use crate::flag::Args;
use crate::session::{Exit, Session, Stop};
use crate::view::diagnostic;

/// So long an answer about a stranger's code may be where the command line says nothing else.
const STRANGERS_OUTPUT: u64 = 100_000_000;

/// Bounds a run over a stranger's code where the command line does not: it may be made to take for ever.
pub(crate) fn restrain(args: &mut Args) {
    args.timeout.get_or_insert(Duration::from_secs(60));
    args.memory.get_or_insert(2_000_000_000);
    if args.quota.is_none_or(|quota| quota.output_bytes == Quota::DEFAULT.output_bytes) {
        args.quota.get_or_insert_default().output_bytes = STRANGERS_OUTPUT;
    }
}

/// What a run may use.
pub(crate) fn budget(args: &Args) -> Budget {
    let quota = args.quota.unwrap_or_default();
    Budget::new(match args.memory {
        None => quota,
        Some(bytes) => Quota { bytes, ..quota },
    })
}

/// Stops a command whose run has come to its end, and says so. `end` is where that was, if it is known; else it is
/// among what was found.
pub(crate) fn go_on(
    args: &Args,
    end: Option<Diagnostic>,
    found: &Diagnostics,
    sources: &Sources,
    session: &mut Session<'_>,
) -> Result<(), Stop> {
    let Some(bound) = args.budget.ended() else { return Ok(()) };
    let is_end = |one: &&Diagnostic| one.code == plain(bound, args, "").code;
    let place = found.iter().find(is_end).and_then(|one| one.place);
    let end = match (args.budget.last_work(), end) {
        // Who said it in words was there before any value was worked out.
        (Some(work), _) => Diagnostic { place, ..plain(bound, args, &work) },
        (None, Some(end)) => end,
        (None, None) => Diagnostic { place, ..plain(bound, args, "") },
    };
    tell(args, &end, sources, session)?;
    Err(Stop::Told(Exit::ERRORS))
}

/// Says what nobody has said yet of a run that has come to its end.
pub(crate) fn tell_end(args: &Args, session: &mut Session<'_>) -> Result<(), Stop> {
    match session.watch.is_told() {
        true => Ok(()),
        false => go_on(args, None, &Diagnostics::new(), &Sources::new(), session),
    }
}

fn plain(bound: Bound, args: &Args, work: &str) -> Diagnostic {
    ended(bound, &args.budget.told(), work)
}

/// Says one diagnostic in the form that was asked for, and that nothing else is to be said.
pub(crate) fn tell(
    args: &Args,
    end: &Diagnostic,
    sources: &Sources,
    session: &mut Session<'_>,
) -> Result<(), Stop> {
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
