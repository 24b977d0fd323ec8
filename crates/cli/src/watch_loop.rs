//! `groma check --watch`: checks again whenever something has changed, until it is interrupted. A root that is looked
//! at alone is kept between the rounds, and only what an edit touches is worked out anew; of many each round is whole.

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

/// The interval between two looks at files, which is also the time that a save in several steps may take.
const PAUSE: Duration = Duration::from_millis(200);

/// The cache that is kept from one round to the next.
#[derive(Default)]
pub(crate) struct RoundCache {
    root: Option<(ProjectOptions, Workspace)>,
    schemas: ReadSchemas,
    /// The stamp of the file of schemas when it was read.
    schema: Option<Stamp>,
    /// The files that were read in the last round.
    read: BTreeSet<String>,
    told: bool,
}

/// Does `round` now and after each change. Ends only where a stream does, or where the command line makes no sense.
pub(crate) fn again_and_again(
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
            // What a round could not do the next one may.
            Ok(_) | Err(EarlyStop::Told(_)) => {}
            Err(EarlyStop::Misuse(why)) if !is_first => writeln!(session.err, "error: {why}")?,
            Err(stop) => return Err(stop),
        }
        is_first = false;
        session.out.flush()?;
        session.err.flush()?;
        // Looked at before it is asked whether anything has changed meanwhile: what changes after this differs from it, and
        // what did before may have been read before it did.
        let read = kept.read.clone();
        let after = stamps(args, &read, &session.machine);
        if stamps(args, &known, &session.machine) == before {
            wait(after, || stamps(args, &read, &session.machine));
        }
        writeln!(session.err)?;
    }
}

/// Waits for a change of what was seen `before`, and until nothing changes any more.
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

/// Returns what tells whether anything has changed: everything in and below the folders that are looked at, and what
/// was read.
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
    /// Keeps in mind which files were read.
    pub(crate) fn saw<'c>(&mut self, roots: impl Iterator<Item = &'c RootFindings>) {
        self.read = roots.flat_map(|root| root.files.iter().map(|name| name.to_string())).collect();
    }

    /// Returns what is wrong with the one root that a command line is about, which is kept for the next round.
    pub(crate) fn look(
        &mut self,
        args: &CommandArgs,
        session: &mut RunSession<'_>,
    ) -> Result<RootFindings, EarlyStop> {
        let mut own = args.clone();
        settings::settle(&mut own, true, session)?;
        if !std::mem::replace(&mut self.told, true) && own.report().is_none() {
            settings::tell(&own, session)?;
        }
        let dir = own.operand.clone().unwrap_or_else(|| ".".to_owned());
        if template::is_meant_on(&own, Some(&dir), &session.machine) {
            let (found, evaluation) = check_many::of_template(&own, &dir, &session.machine)?;
            limit::go_on(&own, evaluation.end(), &found, &evaluation.sources(), session)?;
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
        session.watch.see(snapshot.evaluation());
        let mut checked = snapshot.checked();
        let evaluation = snapshot.evaluation();
        limit::go_on(&own, evaluation.end(), &checked.found, &checked.sources, session)?;
        checked.found.extend(project::strictly(&own, checked.found.iter(), || match own.values {
            true => snapshot.evaluation().gaps(),
            false => snapshot.project().gaps(),
        }));
        checked.sources = snapshot.sources();
        if own.lints() {
            checked.take_in(snapshot.lint(&own.rules));
        }
        Ok(RootFindings { evidence: own.evidence, ..checked })
    }
}
