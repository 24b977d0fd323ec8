//! `groma check --watch`: checks again after each change until interrupted. A single root is kept between rounds, and only what
//! an edit affects is evaluated again; several roots are loaded anew each round.

use std::collections::BTreeSet;
use std::time::Duration;

use groma::{RootFindings, Workspace, projects::ProjectOptions};

use crate::files::{self, Stamp};
use crate::flag::CommandArgs;
use crate::given::ReadSchemas;
use crate::host::MachineContext;
use crate::project;
use crate::session::{EarlyStop, ExitStatus, RunSession};
use crate::watch::RunBounds;
use crate::{check_many, limit, settings, template};

/// The interval between two checks for changes, which also gives an editor time to finish saving.
const PAUSE: Duration = Duration::from_millis(200);

/// The state that `groma check --watch` keeps between two checks: the loaded root, schemas and files read.
#[derive(Default)]
pub(crate) struct RoundCache {
    root: Option<(ProjectOptions, Workspace)>,
    schemas: ReadSchemas,
    /// The stamp of the schema file when it was read.
    schema: Option<Stamp>,
    /// The files read in the last round.
    read: BTreeSet<String>,
    /// True if the note about the dialect was printed.
    told: bool,
}

/// Checks now and after each change of a file, each time by a call of `round`, to which the cache of the rounds before is passed.
/// Returns only if a stream fails, or if the first round finds the command line invalid.
pub(crate) fn check_repeatedly(
    args: &CommandArgs,
    session: &mut RunSession<'_>,
    round: impl Fn(&CommandArgs, &mut RoundCache, &mut RunSession<'_>) -> Result<ExitStatus, EarlyStop>,
) -> Result<ExitStatus, EarlyStop> {
    let mut kept = RoundCache::default();
    let mut is_first = true;
    loop {
        let known = kept.read.clone();
        let before = stamps(args, &known, &session.machine);
        let own = CommandArgs { budget: limit::budget(args), ..args.clone() };
        let (budget, bounds) = (own.budget.clone(), RunBounds::of(&own));
        session.watch.begin_again(&session.machine, budget, bounds, own.end_form());
        let done = round(&own, &mut kept, session);
        session.watch.finish();
        match done {
            // The next round may succeed where this one failed.
            Ok(_) | Err(EarlyStop::Reported(_)) => {}
            Err(EarlyStop::Misuse(why)) if !is_first => writeln!(session.err, "error: {why}")?,
            Err(stop) => return Err(stop),
        }
        is_first = false;
        session.out.flush()?;
        session.err.flush()?;
        // These stamps are taken before the comparison below: later changes differ from them, and if something changed during
        // the round, it is checked again.
        let read = kept.read.clone();
        let after = stamps(args, &read, &session.machine);
        if stamps(args, &known, &session.machine) == before {
            wait(after, || stamps(args, &read, &session.machine));
        }
        writeln!(session.err)?;
    }
}

/// Waits until the files' write times and lengths, as `look` returns them, differ from `before` and have settled.
fn wait(before: Vec<Stamp>, look: impl Fn() -> Vec<Stamp>) {
    let mut last = before.clone();
    loop {
        std::thread::sleep(PAUSE);
        let now = look();
        if now == last && now != before {
            return;
        }
        last = now;
    }
}

/// Returns the write time and length of every file in and below the checked folders, and of the files read elsewhere.
fn stamps(args: &CommandArgs, read: &BTreeSet<String>, machine: &MachineContext) -> Vec<Stamp> {
    let here = [".".to_owned()];
    let operands = if args.operands.is_empty() { &here[..] } else { &args.operands };
    let folders = operands.iter().map(|path| settings::folder_of(path, machine));
    let mut all: Vec<Stamp> = Vec::new();
    for folder in folders {
        files::stamps_below(&machine.place(folder), &mut all);
    }
    let named = args.schema.iter().chain(&args.mocks).chain(read);
    all.extend(named.map(|file| files::stamp(machine.place(file))));
    all.sort_unstable();
    all.dedup();
    all
}

impl RoundCache {
    /// Records which files the last check has read, so that changes of them start the next.
    pub(crate) fn record_files<'c>(&mut self, roots: impl Iterator<Item = &'c RootFindings>) {
        self.read = roots.flat_map(|root| root.files.iter().map(|name| name.to_string())).collect();
    }

    /// Checks the single root that the command line names, and keeps it loaded for the next check, after a file has changed.
    pub(crate) fn check_root(
        &mut self,
        args: &CommandArgs,
        session: &mut RunSession<'_>,
    ) -> Result<RootFindings, EarlyStop> {
        let mut own = args.clone();
        settings::settle(&mut own, true, session)?;
        if !std::mem::replace(&mut self.told, true) && own.report().is_none() {
            settings::note_dialect(&own, session)?;
        }
        let dir = own.operand.clone().unwrap_or_else(|| ".".to_owned());
        if template::names_template_on(&own, Some(&dir), &session.machine) {
            let (found, evaluation) = check_many::check_template(&own, &dir, &session.machine)?;
            limit::stop_if_ended(&own, evaluation.end(), &found, &evaluation.sources(), session)?;
            let checked = RootFindings::new(&dir, found, evaluation.sources());
            return Ok(RootFindings { evidence: own.evidence, ..checked });
        }
        let schema = own.schema.as_ref().map(|file| files::stamp(session.machine.place(file)));
        if self.schema != schema {
            (self.schemas, self.schema) = (ReadSchemas::default(), schema);
        }
        let (options, host) = project::to_check(&own, &dir, &self.schemas, &session.machine)?;
        if self.root.as_ref().is_none_or(|(last, _)| !last.load.is_same(&options.load)) {
            self.root = Some((options.clone(), Workspace::over(host)));
        }
        let (_, workspace) = self.root.as_ref().expect("it was just made where there was none");
        let snapshot = workspace.root_for(&dir, &options.load, &|| options.run.clone());
        session.watch.set_evaluation(snapshot.evaluation());
        let mut checked = snapshot.checked();
        let evaluation = snapshot.evaluation();
        limit::stop_if_ended(&own, evaluation.end(), &checked.found, &checked.sources, session)?;
        checked.found.extend(project::strict_error(&own, checked.found.iter(), || {
            match own.values {
                true => snapshot.evaluation().gaps(),
                false => snapshot.project().gaps(),
            }
        }));
        checked.sources = snapshot.sources();
        if own.lints() {
            checked.add_lint(snapshot.lint(&own.rules));
        }
        Ok(RootFindings { evidence: own.evidence, ..checked })
    }
}
