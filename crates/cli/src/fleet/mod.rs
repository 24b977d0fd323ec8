//! Implementation of `groma fleet`: finds the roots, asks them in batches, and writes one line each. A failing root yields a
//! line like any other and stops nothing.

mod ask;
mod bounds;
mod key;
mod roots;
mod table;

use std::io;

use groma::Quota;
use groma_fleet::{FleetQuestion, ReadingCheck, ResultFile};

use crate::files::ResultFiles;
use crate::flag::CommandArgs;
use crate::given::ReadSchemas;
use crate::host::MachineContext;
use crate::parallel;
use crate::session::{EarlyStop, ExitStatus, RunSession};

use ask::{AnsweredRoot, BatchAsker, SettledFleetRoot};
use roots::NamedRoot;
use table::FleetTable;

/// Number of roots loaded together. Code that only they share is dropped after each batch.
const BATCH: usize = 64;

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
    let machine = session.machine.with_cached_disk();
    let roots = roots::named(args, &machine, session)?;
    let threads = args.threads.unwrap_or_else(|| machine.threads());
    let begin = |file: &String| {
        let files = ResultFiles::new(session.machine.path(file));
        ResultFile::begin(files, args.fleet.resume).map_err(|why| unwritten(file, &why))
    };
    let mut results = args.fleet.out.as_ref().map(begin).transpose()?;
    let bounds = bounds::RootBounds::begin(args, &machine);
    let mut fleet = FleetRun {
        args,
        machine: &machine,
        question: &question,
        threads,
        quota: root_quota(args, &machine),
        schemas: ReadSchemas::default(),
        asker: BatchAsker::new(results.is_some()),
        check: ReadingCheck::default(),
        bounds: &bounds,
        table: FleetTable::new(roots.len(), machine.age()),
    };
    let mut written = Ok(());
    for batch in roots.chunks(BATCH) {
        written = fleet.batch(batch, results.as_mut(), session);
        if written.is_err() {
            break;
        }
    }
    bounds.finish();
    let file = args.fleet.out.clone().unwrap_or_default();
    let finished = match results {
        Some(results) if written.is_ok() => results.finish(),
        _ => Ok(()),
    };
    match written {
        Err(LineTrouble::Stream(why)) => return Err(EarlyStop::Stream(why)),
        Err(LineTrouble::File(why)) => return Err(unwritten(&file, &why)),
        Ok(()) => finished.map_err(|why| unwritten(&file, &why))?,
    }
    let FleetRun { table, .. } = fleet;
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
    table: FleetTable,
}

impl FleetRun<'_> {
    /// Asks the roots of a batch, unless a kept line is still valid, and writes their lines.
    fn batch(
        &mut self,
        batch: &[NamedRoot],
        mut results: Option<&mut ResultFile<ResultFiles>>,
        session: &mut RunSession<'_>,
    ) -> Result<(), LineTrouble> {
        let earlier = batch.iter().map(|root| {
            let (key, groups) = results.as_deref()?.earlier(&root.name)?;
            Some((key.settings.clone(), groups))
        });
        let earlier: Vec<_> = batch.iter().zip(earlier).collect();
        let find = |take: &mut dyn FnMut(_)| earlier.into_iter().for_each(take);
        let settled = parallel::each(self.threads, find, |(root, earlier)| {
            if let Some(end) = self.args.budget.ended() {
                return SettledFleetRoot::Answered(bounds::ended_answer(end, self.args));
            }
            let settled = ask::settle(
                self.args,
                root,
                self.question,
                self.quota,
                &self.schemas,
                self.machine,
            );
            match (settled, earlier) {
                (SettledFleetRoot::Module(module), Some((settings, groups)))
                    if settings == module.settings
                        && self.check.are_current(&groups, &*module.root.host) =>
                {
                    SettledFleetRoot::Kept
                }
                (settled, _) => settled,
            }
        });
        let answered = self.asker.ask(settled, self.question, self.threads, self.bounds);
        for (root, answered) in batch.iter().zip(answered) {
            let AnsweredRoot { answer, settings, groups, took } = answered;
            let Some(answer) = answer else {
                // The line of an earlier run is kept.
                if let Some(key) =
                    results.as_deref_mut().and_then(|results| results.keep(&root.name))
                {
                    self.table.keep(key.error.as_deref());
                }
                continue;
            };
            self.table.add(&root.name, &answer, took);
            match &mut results {
                Some(results) => {
                    let added = results.add(&root.name, &settings, &answer, groups);
                    added.map_err(LineTrouble::File)?;
                }
                None => {
                    let written = writeln!(session.out, "{}", answer.line(&root.name));
                    written.and_then(|()| session.out.flush()).map_err(LineTrouble::Stream)?;
                }
            }
        }
        session.watch.set_progress_line(self.table.progress(self.machine.age()));
        Ok(())
    }
}
