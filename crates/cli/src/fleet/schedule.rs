//! The order of a fleet's work: each thread takes the next roots, asks them, and writes the lines whose turn has come. Lines are
//! in the order of the roots, whichever thread ends first. No thread waits for another between reading, asking and dropping a
//! batch.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use groma::limits::EVALUATION_STACK;
use groma_fleet::StampedRoot;

use super::ask::AnsweredRoot;
use super::lines::{AnsweredBatch, KnownLine, LineTrouble, LineWriter};
use super::roots::NamedRoot;

/// Maximum number of roots that a thread loads together. Code that only they share is dropped after them.
const BATCH: usize = 12;

/// Number of batches that a run is divided into for each thread, at least: the last ones are small, so that all threads end at
/// about the same time.
const TURNS: usize = 4;

/// Maximum number of batches, for each thread of the run, that are taken and whose lines are not written yet; beyond it threads
/// wait for the earliest of them.
const WAITING: usize = 8;

/// The roots of a batch that a thread has taken to ask them, in their order, each with the evidence that its line of an earlier
/// run is still valid.
struct TakenBatch<'r> {
    /// The position of the batch among all batches.
    number: usize,
    roots: &'r [NamedRoot],
    stamped: &'r [Option<&'r StampedRoot>],
    known: Vec<KnownLine>,
}

/// The division of the roots of a fleet run into batches, from which each of its threads takes the next one to ask.
struct BatchSchedule<'r, 'l> {
    threads: usize,
    state: Mutex<ScheduleState<'r, 'l>>,
    /// Signalled when lines were written or the run has failed.
    changed: Condvar,
}

/// The progress of a run: the roots that no thread has taken yet, and the answers that wait for their turn to be written.
struct ScheduleState<'r, 'l> {
    roots: &'r [NamedRoot],
    stamped: &'r [Option<&'r StampedRoot>],
    lines: &'l mut LineWriter<'r>,
    /// Number of batches taken.
    taken: usize,
    /// Number of batches written.
    written: usize,
    /// The answered batches that are not written yet, by number.
    answered: BTreeMap<usize, AnsweredBatch<'r>>,
    /// The first failure to read or write a line, after which no batch is taken.
    trouble: Option<LineTrouble>,
    /// True if a thread has panicked, so that its batch will never be answered.
    is_lost: bool,
}

impl ScheduleState<'_, '_> {
    /// Returns true if no further batch is taken: all are, or the run has failed.
    fn is_over(&self) -> bool {
        self.roots.is_empty() || self.trouble.is_some() || self.is_lost
    }

    /// Writes the output lines of the batches of roots that are answered, up to the first that is not, since lines are in the
    /// order of the roots.
    fn write(&mut self) -> Result<(), LineTrouble> {
        while let Some(batch) = self.answered.remove(&self.written) {
            self.lines.write(batch)?;
            self.written += 1;
        }
        Ok(())
    }
}

impl<'r, 'l> BatchSchedule<'r, 'l> {
    /// Locks the progress of the run, ignoring the panic of another holder.
    fn lock(&self) -> MutexGuard<'_, ScheduleState<'r, 'l>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the next batch of roots to ask, after waiting while the lines of too many batches are not written yet; `None` if
    /// all are taken or the run has failed.
    fn take(&self) -> Option<TakenBatch<'r>> {
        let mut state = self.lock();
        let most = self.threads.saturating_mul(WAITING);
        while !state.is_over() && state.taken >= state.written.saturating_add(most) {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.is_over() {
            return None;
        }
        let turns = self.threads.saturating_mul(TURNS);
        let size = state.roots.len().div_ceil(turns).min(BATCH);
        let (roots, rest) = state.roots.split_at_checked(size)?;
        let (stamped, rest_stamped) = state.stamped.split_at_checked(size)?;
        (state.roots, state.stamped) = (rest, rest_stamped);
        match state.lines.known(roots, stamped) {
            Ok(known) => {
                let number = state.taken;
                state.taken += 1;
                Some(TakenBatch { number, roots, stamped, known })
            }
            Err(trouble) => {
                state.trouble = Some(trouble);
                self.changed.notify_all();
                None
            }
        }
    }

    /// Stores the answers of the batch with the number `number`, and writes the output lines of all batches that are next in
    /// order and answered.
    fn put_answers(&self, number: usize, batch: AnsweredBatch<'r>) {
        let mut state = self.lock();
        state.answered.insert(number, batch);
        if state.trouble.is_none()
            && let Err(trouble) = state.write()
        {
            state.trouble = Some(trouble);
        }
        self.changed.notify_all();
    }

    /// Takes batches one after another, asks their roots by `ask` and puts back the answers, until no further batch is taken.
    fn work(&self, ask: &(impl Fn(&'r [NamedRoot], Vec<KnownLine>) -> Vec<AnsweredRoot> + Sync)) {
        let _lost = PanicGuard(self);
        while let Some(TakenBatch { number, roots, stamped, known }) = self.take() {
            let answers = ask(roots, known);
            self.put_answers(number, AnsweredBatch { roots, stamped, answers });
        }
    }
}

/// A guard that ends the run for all threads when its own thread panics, since they would wait for its batch.
struct PanicGuard<'s, 'r, 'l>(&'s BatchSchedule<'r, 'l>);

impl Drop for PanicGuard<'_, '_, '_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.lock().is_lost = true;
            self.0.changed.notify_all();
        }
    }
}

/// Asks all roots on `threads` threads and writes their lines to `lines` in order; `stamped` has for each root its entry in
/// the stamp file of an earlier run, if that still holds. `ask` answers the roots of a batch, whose lines of an earlier run
/// are still valid where the evidence that it is given says so.
///
/// # Errors
///
/// The first line that could not be read or written; the lines before it are written.
pub(super) fn run<'r>(
    threads: usize,
    (roots, stamped): (&'r [NamedRoot], &'r [Option<&'r StampedRoot>]),
    lines: &mut LineWriter<'r>,
    ask: impl Fn(&'r [NamedRoot], Vec<KnownLine>) -> Vec<AnsweredRoot> + Sync,
) -> Result<(), LineTrouble> {
    let threads = threads.clamp(1, roots.len().max(1));
    let state = ScheduleState {
        roots,
        stamped,
        lines,
        taken: 0,
        written: 0,
        answered: BTreeMap::new(),
        trouble: None,
        is_lost: false,
    };
    let schedule = BatchSchedule { threads, state: Mutex::new(state), changed: Condvar::new() };
    thread::scope(|scope| {
        for _ in 1..threads {
            // If no thread can be started, the others do the work.
            let work = || schedule.work(&ask);
            if thread::Builder::new()
                .stack_size(EVALUATION_STACK)
                .spawn_scoped(scope, work)
                .is_err()
            {
                break;
            }
        }
        schedule.work(&ask);
    });
    let state = schedule.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    state.trouble.map_or(Ok(()), Err)
}
