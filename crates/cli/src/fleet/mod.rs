//! Implementation of `groma fleet`: finds the roots, asks them in batches, and writes one line each. A failing root yields a
//! line like any other and stops nothing.

mod ask;
mod bounds;
mod key;
mod roots;
mod search;
mod stamps;
mod table;

use std::io;

use groma::Quota;
use groma::disk::{DiskNotes, StampClock};
use groma_fleet::{FleetQuestion, ReadingCheck, ResultFile, StampedRoot, StoredGroup};

use crate::files::ResultFiles;
use crate::flag::CommandArgs;
use crate::given::ReadSchemas;
use crate::host::MachineContext;
use crate::parallel;
use crate::session::{EarlyStop, ExitStatus, RunSession};

use ask::{AnsweredRoot, BatchAsker, SettledFleetRoot};
use roots::NamedRoot;
use search::RootSearches;
use stamps::{EarlierStamps, StampWriter};
use table::FleetTable;

/// Number of roots loaded together. Code that only they share is dropped after each batch.
const BATCH: usize = 32;

/// Returns the limits of one root.
fn root_quota(args: &CommandArgs, machine: &MachineContext) -> Quota {
    let all = crate::limit::of_request(machine);
    let quota = args.quota.unwrap_or(all);
    let bytes = args.fleet.root_memory.or(args.memory).unwrap_or(all.bytes);
    Quota { bytes, ..quota }
}

/// Asks every root the question of the command line and writes one line for each.
pub(crate) fn run(
    args: &CommandArgs,
    session: &mut RunSession<'_>,
) -> Result<ExitStatus, EarlyStop> {
    let question = match (&args.fleet.question, &*args.expressions) {
        (Some(question), []) => question.clone(),
        (None, [expression]) => FleetQuestion::Eval(expression.clone()),
        (None, []) => FleetQuestion::Check,
        (None, _) => {
            return Err(EarlyStop::Misuse("-e may be given once: every root has one line.".into()));
        }
        (Some(_), _) => {
            let why = "-e cannot be used together with --check, --plan, --list or --outputs.";
            return Err(EarlyStop::Misuse(why.into()));
        }
    };
    if args.fleet.resume && args.fleet.out.is_none() {
        return Err(EarlyStop::Misuse("--resume needs --out FILE, whose lines it keeps.".into()));
    }
    let clock = StampClock::now();
    let machine = session.machine.clone();
    let threads = args.threads.unwrap_or_else(|| machine.threads());
    let out = args.fleet.out.as_ref().map(|file| (file, ResultFiles::new(machine.path(file))));
    let given = key::run(args, &question, &machine);
    let resumed = out.as_ref().filter(|_| args.fleet.resume);
    let earlier = resumed.and_then(|(_, files)| EarlierStamps::read(files));
    let noting = out.as_ref().map(|_| clock);
    let mut searches =
        RootSearches::new(args, &machine, (&given, threads), earlier.as_ref(), noting);
    let roots = roots::named(&mut searches, session)?;
    let searches = searches.finished;
    let mut table = FleetTable::new(roots.len(), machine.age());
    let stamped = match &earlier {
        Some(earlier) => earlier.current(&roots, &given, threads, &machine),
        None => vec![None; roots.len()],
    };
    if earlier.as_ref().is_some_and(|earlier| earlier.are_all(&roots, &stamped)) {
        stamped.iter().flatten().for_each(|root| table.keep(root.error.as_deref()));
        return ended(&table, &machine, session);
    }
    let begin = |(file, files): &(&String, ResultFiles)| {
        let results = ResultFile::begin(files.clone(), args.fleet.resume);
        results.map_err(|why| unwritten(file, &why))
    };
    let mut results = match &out {
        Some(out) => {
            let mut stamps = StampWriter::begin(&out.1, given.clone());
            stamps.add_searches(searches, earlier.as_ref());
            Some((begin(out)?, stamps))
        }
        None => None,
    };
    let bounds = bounds::RootBounds::begin(args, &machine);
    let mut fleet = FleetRun {
        args,
        machine: &machine,
        question: &question,
        threads,
        quota: root_quota(args, &machine),
        schemas: ReadSchemas::default(),
        asker: BatchAsker::new(results.is_some(), clock),
        check: ReadingCheck::default(),
        bounds: &bounds,
        clock,
        earlier: earlier.as_ref(),
        table,
    };
    let mut written = Ok(());
    for (batch, stamped) in roots.chunks(BATCH).zip(stamped.chunks(BATCH)) {
        written = fleet.batch(batch, stamped, results.as_mut(), session);
        if written.is_err() {
            break;
        }
    }
    bounds.finish();
    let file = args.fleet.out.clone().unwrap_or_default();
    let finished = match results {
        Some((results, stamps)) if written.is_ok() => results.finish().map(|()| stamps.finish()),
        _ => Ok(()),
    };
    match written {
        Err(LineTrouble::Stream(why)) => return Err(EarlyStop::Stream(why)),
        Err(LineTrouble::File(why)) => return Err(unwritten(&file, &why)),
        Ok(()) => finished.map_err(|why| unwritten(&file, &why))?,
    }
    let FleetRun { table, .. } = fleet;
    ended(&table, &machine, session)
}

/// Writes the table at the end of a run.
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

/// The reason why a line could not be written: standard output or the `--out` file failed.
enum LineTrouble {
    Stream(io::Error),
    File(io::Error),
}

/// The state of a fleet run over all its batches.
struct FleetRun<'r> {
    args: &'r CommandArgs,
    machine: &'r MachineContext,
    question: &'r FleetQuestion,
    threads: usize,
    /// The limits of one root.
    quota: Quota,
    schemas: ReadSchemas,
    asker: BatchAsker,
    check: ReadingCheck,
    bounds: &'r bounds::RootBounds,
    clock: StampClock,
    earlier: Option<&'r EarlierStamps>,
    table: FleetTable,
}

/// A result and the stamps beside it.
type StampedResult = (ResultFile<ResultFiles>, StampWriter);

/// The key of the line that an earlier run wrote for a root: its settings, and what was read for it.
type EarlierKey = (String, Vec<StoredGroup>);

impl FleetRun<'_> {
    /// Asks the roots of a batch, unless a kept line is still valid, and writes their lines.
    fn batch(
        &mut self,
        batch: &[NamedRoot],
        stamped: &[Option<&StampedRoot>],
        mut results: Option<&mut StampedResult>,
        session: &mut RunSession<'_>,
    ) -> Result<(), LineTrouble> {
        // What is remembered of the disk would grow with the number of roots.
        let machine = self.machine.with_cached_disk();
        let mut earlier = Vec::with_capacity(batch.len());
        for (root, stamped) in batch.iter().zip(stamped) {
            let known = results.as_deref_mut().map(|(results, _)| (results, *stamped));
            earlier.push((root, known_line(root, known).map_err(LineTrouble::File)?));
        }
        let notes_all = results.is_some();
        let find = |take: &mut dyn FnMut(_)| earlier.into_iter().for_each(take);
        let settled = parallel::each(self.threads, find, |(root, earlier)| {
            self.settle(root, earlier, notes_all, &machine)
        });
        let settled = batch.iter().zip(settled).collect();
        let answered = self.asker.ask(settled, self.question, self.threads, self.bounds);
        for ((root, answered), stamped) in batch.iter().zip(answered).zip(stamped) {
            let own = || machine.path(&root.root.dir).to_string_lossy().into_owned();
            let AnsweredRoot { line, settings, groups, looks, is_stamped, took } = answered;
            let Some(line) = line else {
                // The line of an earlier run is kept.
                let Some((results, stamps)) = results.as_deref_mut() else { continue };
                let Some(key) = results.keep(&root.name) else { continue };
                self.table.keep(key.error.as_deref());
                match (self.earlier, stamped) {
                    (Some(earlier), Some(stamped)) if is_stamped => {
                        stamps.keep(root, &own(), earlier, stamped);
                    }
                    _ => {
                        let line = (&*key.line, key.error.as_deref());
                        looks.into_iter().for_each(|looks| stamps.add(root, &own(), line, looks));
                    }
                }
                continue;
            };
            self.table.add(&root.name, line.error.as_ref(), took);
            match &mut results {
                Some((results, stamps)) => {
                    let added = results.add(&root.name, &settings, &line, &groups);
                    added.map_err(LineTrouble::File)?;
                    if let Some(looks) = looks {
                        let digest = line.digest();
                        stamps.add(root, &own(), (&digest, line.error.as_deref()), looks);
                    }
                }
                None => {
                    let written = writeln!(session.out, "{}", line.text);
                    written.and_then(|()| session.out.flush()).map_err(LineTrouble::Stream)?;
                }
            }
        }
        session.watch.set_progress_line(self.table.progress(self.machine.age()));
        Ok(())
    }

    /// Reads the settings of a root, and says whether the line of an earlier run stays.
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
        let notes = notes_all.then(DiskNotes::default);
        let noting = notes.as_ref().map(|notes| machine.noting(notes));
        let noted = (noting.as_ref().unwrap_or(machine), notes.as_ref());
        let settled = ask::settle(self.args, root, self.question, self.quota, &self.schemas, noted);
        match (settled, earlier) {
            (SettledFleetRoot::Module(module), KnownLine::Keyed((settings, groups)))
                if settings == module.terms.settings
                    && self.check.are_current(&groups, &*module.root.host) =>
            {
                let questions = groups.iter().flat_map(|group| &group.questions);
                let questions = questions.map(|(kind, name)| (*kind, &**name));
                SettledFleetRoot::Kept(module.terms.looks(questions, self.clock))
            }
            (settled, _) => settled,
        }
    }
}

/// What is known of the line of a root before it is looked at.
enum KnownLine {
    Nothing,
    /// An earlier run has written it.
    Keyed(EarlierKey),
    /// The same, and it stays as far as stamps tell.
    Stamped,
}

/// Returns what is known of the line of a root, from the results of earlier runs and the stamps that are still current.
fn known_line(
    root: &NamedRoot,
    known: Option<(&mut ResultFile<ResultFiles>, Option<&StampedRoot>)>,
) -> io::Result<KnownLine> {
    let Some((results, stamped)) = known else { return Ok(KnownLine::Nothing) };
    let Some(key) = results.earlier(&root.name) else { return Ok(KnownLine::Nothing) };
    if stamped.is_some_and(|stamped| stamped.line == key.line) {
        return Ok(KnownLine::Stamped);
    }
    let settings = key.settings.clone();
    // A root that the engine failed on has none.
    let groups = results.earlier_groups(&root.name)?.filter(|groups| !groups.is_empty());
    Ok(groups.map_or(KnownLine::Nothing, |groups| KnownLine::Keyed((settings, groups))))
}
