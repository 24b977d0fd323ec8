//! Implementation of `groma fleet`: finds the roots, asks them in batches, and writes one line each. A failing root yields a
//! line like any other and stops nothing.

mod ask;
mod bounds;
mod earlier_stamps;
mod key;
mod lines;
mod roots;
mod schedule;
mod search;
mod stamps;
mod table;

use std::io;

use groma::Quota;
use groma::disk::{ReadLog, StampClock};
use groma_fleet::{FleetQuestion, ReadingCheck, ResultFile};

use crate::files::ResultFiles;
use crate::flag::CommandArgs;
use crate::given::ReadSchemas;
use crate::host::MachineContext;
use crate::session::{EarlyStop, ExitStatus, RunSession};

use ask::{AnsweredRoot, BatchAsker, SettledFleetRoot};
use earlier_stamps::EarlierStamps;
use lines::{KnownLine, LineTrouble, LineWriter};
use roots::NamedRoot;
use search::RootSearches;
use stamps::StampWriter;
use table::FleetTable;

/// Returns the limits of the work on one root of a fleet, from the flags or the machine's memory.
fn root_quota(args: &CommandArgs, machine: &MachineContext) -> Quota {
    let all = crate::limit::of_request(machine);
    let quota = args.quota.unwrap_or(all);
    let bytes = args.fleet.root_memory.or(args.memory).unwrap_or(all.bytes);
    Quota { bytes, ..quota }
}

/// Returns the question that a fleet command line asks of each root; to check it is the default.
fn question(args: &CommandArgs) -> Result<FleetQuestion, EarlyStop> {
    match (&args.fleet.question, &*args.expressions) {
        (Some(question), []) => Ok(question.clone()),
        (None, [expression]) => Ok(FleetQuestion::Eval(expression.clone())),
        (None, []) => Ok(FleetQuestion::Check),
        (None, _) => {
            Err(EarlyStop::Misuse("-e may be given once: every root has one line.".into()))
        }
        (Some(_), _) => {
            let why = "-e cannot be used together with --check, --plan, --list or --outputs.";
            Err(EarlyStop::Misuse(why.into()))
        }
    }
}

/// Asks every root the question of the command line and writes one line for each.
pub(crate) fn run(
    args: &CommandArgs,
    session: &mut RunSession<'_>,
) -> Result<ExitStatus, EarlyStop> {
    let question = question(args)?;
    if args.fleet.resume && args.fleet.out.is_none() {
        return Err(EarlyStop::Misuse("--resume needs --out FILE, whose lines it keeps.".into()));
    }
    let clock = StampClock::now();
    let machine = session.machine.clone();
    let threads = args.threads.unwrap_or_else(|| machine.threads());
    let out = args.fleet.out.as_ref().map(|file| (file, ResultFiles::new(machine.path(file))));
    let given = key::run_digest(args, &question, &machine);
    let resumed = out.as_ref().filter(|_| args.fleet.resume);
    let earlier = resumed.and_then(|(_, files)| EarlierStamps::read(files, threads));
    let noting = out.as_ref().map(|_| clock);
    let mut searches = RootSearches::new(args, &machine, &given, earlier.as_ref(), noting);
    let roots = roots::named(&mut searches, session)?;
    let searches = searches.finished;
    let mut table = FleetTable::new(roots.len(), machine.age());
    let stamped = match &earlier {
        Some(earlier) => given.current_roots(earlier, &roots, threads, &machine),
        None => vec![None; roots.len()],
    };
    let names = roots.iter().map(|root| &*root.name);
    if stamped.iter().all(Option::is_some)
        && earlier.as_ref().is_some_and(|earlier| earlier.has_exactly(names))
    {
        stamped.iter().flatten().for_each(|root| table.keep(root.error.as_deref()));
        return ended(&table, &machine, session);
    }
    let begin = |(file, files): &(&String, ResultFiles)| {
        let results = ResultFile::begin(files.clone(), args.fleet.resume);
        results.map_err(|why| unwritten(file, &why))
    };
    let results = match &out {
        Some(out) => {
            let mut stamps = StampWriter::begin(&out.1, given.clone());
            stamps.add_searches(searches, earlier.as_ref());
            Some((begin(out)?, stamps))
        }
        None => None,
    };
    let bounds = bounds::RootBounds::begin(args, &machine);
    let fleet = FleetRun {
        args,
        machine: &machine,
        question: &question,
        quota: root_quota(args, &machine),
        schemas: ReadSchemas::default(),
        asker: BatchAsker::new(results.is_some(), clock),
        check: ReadingCheck::default(),
        bounds: &bounds,
        clock,
    };
    let (out, watch) = (&mut *session.out, session.watch.clone());
    let mut lines = LineWriter::new(results, earlier.as_ref(), table, (out, watch), &machine);
    let asked = |roots: &[NamedRoot], known| fleet.ask(roots, known);
    let written = schedule::run(threads, (&roots, &stamped), &mut lines, asked);
    bounds.finish();
    let file = args.fleet.out.clone().unwrap_or_default();
    let table = match written {
        Err(LineTrouble::Stream(why)) => return Err(EarlyStop::Stream(why)),
        Err(LineTrouble::File(why)) => return Err(unwritten(&file, &why)),
        Ok(()) => lines.finish().map_err(|why| unwritten(&file, &why))?,
    };
    ended(&table, &machine, session)
}

/// Writes the final table of counts to standard error, and returns the exit status: 1 if any root has an error.
fn ended(
    table: &FleetTable,
    machine: &MachineContext,
    session: &mut RunSession<'_>,
) -> Result<ExitStatus, EarlyStop> {
    table.write(machine.age(), session.err)?;
    Ok(if table.is_ok() { ExitStatus::SUCCESS } else { ExitStatus::ERRORS })
}

/// Returns the error for a result file that cannot be written.
fn unwritten(file: &str, why: &io::Error) -> EarlyStop {
    EarlyStop::Misuse(format!(
        "--out={file} cannot be written: {why}. What was written so far is kept; --resume goes on from there."
    ))
}

/// The inputs, limits and caches of a fleet run, shared by all its batches.
struct FleetRun<'r> {
    args: &'r CommandArgs,
    machine: &'r MachineContext,
    question: &'r FleetQuestion,
    /// The limits of one root.
    quota: Quota,
    schemas: ReadSchemas,
    asker: BatchAsker,
    check: ReadingCheck,
    bounds: &'r bounds::RootBounds,
    clock: StampClock,
}

impl FleetRun<'_> {
    /// Asks the roots of a batch, except those whose line of an earlier run is still valid by the evidence in `known`.
    fn ask(&self, batch: &[NamedRoot], known: Vec<KnownLine>) -> Vec<AnsweredRoot> {
        // What is remembered of the disk would grow with the number of roots.
        let machine = self.machine.with_cached_disk();
        let notes_all = self.args.fleet.out.is_some();
        let known = batch.iter().zip(known);
        let settled =
            known.map(|(root, known)| (root, self.settle(root, known, notes_all, &machine)));
        self.asker.ask(settled.collect(), self.question, self.bounds)
    }

    /// Reads the settings of a root, and decides by the evidence `earlier` whether the line of an earlier run is kept; with
    /// `notes_all`, everything that is read for the root is recorded for the stamp file.
    fn settle(
        &self,
        root: &NamedRoot,
        earlier: KnownLine,
        notes_all: bool,
        machine: &MachineContext,
    ) -> SettledFleetRoot {
        if let Some(end) = self.args.budget.ended() {
            return SettledFleetRoot::Answered(bounds::ended_answer(end, self.args));
        }
        if matches!(earlier, KnownLine::Stamped) {
            return SettledFleetRoot::Stamped;
        }
        let notes = notes_all.then(ReadLog::default);
        let noting = notes.as_ref().map(|notes| machine.with_notes(notes));
        let noted = (noting.as_ref().unwrap_or(machine), notes.as_ref());
        let settled = ask::settle(self.args, root, self.question, self.quota, &self.schemas, noted);
        if let (KnownLine::Keyed(digest, groups), Some((settings, host))) =
            (earlier, settled.to_load())
            && digest == settings.digest
            && self.check.are_current(&groups, host)
        {
            let questions = groups.iter().flat_map(|group| &group.questions);
            let questions = questions.map(|(kind, name)| (*kind, &**name));
            return SettledFleetRoot::Kept(settings.records(questions, self.clock));
        }
        settled
    }
}
