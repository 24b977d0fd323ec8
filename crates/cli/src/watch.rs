//! The watch over a run from outside: the clock and the memory of the process. A run that is told to end does so by
//! itself
//! and says where it was; one that does not hear it in time is left where it is, and what there is to say is said here.

use std::any::Any;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use groma::values::sentence::plural;
use groma::{
    Budget, causes::ended, editions::EditionDifference, limits::RunEnd, projects::Evaluation,
};
use groma_syntax::{Diagnostic, Sources, render};

use crate::flag::CommandArgs;
use crate::host::MachineContext;
use crate::progress::PATIENCE;
use crate::view::end::EndForm;

/// Maximum time that a run may take to stop.
const GRACE: Duration = Duration::from_millis(1_000);
/// Maximum time that a run may take to report that it stopped.
const TELLING: Duration = Duration::from_millis(300);
/// The interval between two readings of the clock when nothing is near its bound.
const SELDOM: Duration = Duration::from_millis(25);
/// The interval between two readings of memory when it is near its bound.
const OFTEN: Duration = Duration::from_millis(2);
/// No run takes more bytes than so many in a millisecond.
const GROWTH: u64 = 4_000_000;

/// Commands that answer once.
const WORKING: [&str; 6] = ["plan", "diff", "check", "output", "list", "graph"];
/// Maximum number of characters shown of a name.
const WIDTH: usize = 60;

/// When a run ends whatever it has counted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RunBounds {
    /// The time after which the run ends.
    pub timeout: Option<Duration>,
    /// When the process holds so many bytes.
    pub memory: Option<u64>,
    /// True if what it is at is worth a line: it works, and does not wait for questions.
    pub works: bool,
}

impl RunBounds {
    /// As the command line says.
    pub(crate) fn of(args: &CommandArgs) -> RunBounds {
        let works = WORKING.contains(&args.command);
        RunBounds { timeout: args.timeout, memory: args.memory, works }
    }
}

/// The watch over one run. Cloning shares it.
#[derive(Clone, Default)]
pub struct RunWatch(Arc<WatchState>);

#[derive(Default)]
struct WatchState {
    run: Mutex<Option<WatchedRun>>,
    /// True if the process' own watch looks at it.
    is_kept: AtomicBool,
    /// True if the end of the run is reported, or being reported.
    is_told: AtomicBool,
    /// True if anything was written to standard output.
    has_begun: AtomicBool,
}

/// The run under watch.
struct WatchedRun {
    budget: Budget,
    bounds: RunBounds,
    /// The memory limit of the process, given or not; worked out on first use, as most runs are over by then.
    memory: Option<u64>,
    form: EndForm,
    evaluation: Option<Evaluation>,
    held: Vec<Box<dyn Any + Send>>,
    /// The current activity, where the run reports it.
    said: Option<String>,
    /// The whole line of progress, where the run gives one.
    whole: Option<String>,
    /// The age of the process when the run began.
    since: Duration,
    /// When it was seen that the run was to end, after its begin.
    ended: Option<Duration>,
}

/// The result of a look.
pub enum WatchVerdict {
    /// Look again after this time.
    Again(Duration),
    /// The run does not come to its end: leave it, after writing this to standard output and standard error.
    Leave(String, String),
}

impl RunWatch {
    /// A watch without a thread: its keeper calls [`RunWatch::look`] again and again.
    pub fn kept() -> RunWatch {
        let watch = RunWatch::default();
        watch.0.is_kept.store(true, Ordering::Relaxed);
        watch
    }

    fn run(&self) -> MutexGuard<'_, Option<WatchedRun>> {
        self.0.run.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins to watch a run. Returns the watch to which its end is reported.
    pub(crate) fn begin(
        &self,
        machine: &MachineContext,
        budget: Budget,
        bounds: RunBounds,
        form: EndForm,
    ) {
        let memory = bounds.memory;
        let since = Duration::ZERO;
        let (evaluation, held, said, whole, ended) = (None, Vec::new(), None, None, None);
        *self.run() = Some(WatchedRun {
            budget,
            bounds,
            memory,
            form,
            evaluation,
            held,
            said,
            whole,
            since,
            ended,
        });
        let is_bound = bounds.timeout.is_some() || bounds.memory.is_some();
        if is_bound && !self.0.is_kept.load(Ordering::Relaxed) {
            let (watch, machine) = (self.clone(), machine.clone());
            // Without a thread there is no watch; what is counted is bounded all the same.
            let _ = std::thread::Builder::new().spawn(move || watch.stay(&machine));
        }
    }

    /// Begins to watch a further run of a process that goes on; it has its own time.
    pub(crate) fn begin_again(
        &self,
        machine: &MachineContext,
        budget: Budget,
        bounds: RunBounds,
        form: EndForm,
    ) {
        self.0.is_told.store(false, Ordering::Release);
        self.0.has_begun.store(false, Ordering::Relaxed);
        self.begin(machine, budget, bounds, form);
        if let Some(run) = &mut *self.run() {
            run.since = machine.age();
        }
    }

    /// Ends the watch over a run, after which others may come.
    pub(crate) fn finish(&self) {
        *self.run() = None;
    }

    /// Ends the watch for good. Where the process ends as well, what the run has made is left to the system, which takes it
    /// back at once; piece by piece that may take a tenth of the time.
    pub(crate) fn finish_for_good(&self) {
        let run = self.run().take();
        if self.0.is_kept.load(Ordering::Relaxed) {
            std::mem::forget(run);
        }
    }

    /// Ends the run that is watched, if there is one.
    #[cfg(feature = "mcp")]
    pub(crate) fn cancel(&self) {
        if let Some(run) = &*self.run() {
            run.budget.end(RunEnd::Cancelled);
        }
    }

    /// Holds what a run has made for as long as the run lasts.
    pub(crate) fn hold(&self, made: impl Any + Send) {
        if let Some(run) = &mut *self.run() {
            run.held.push(Box::new(made));
        }
    }

    /// Says what is evaluated, so that its work can be named.
    pub(crate) fn see(&self, evaluation: &Evaluation) {
        if let Some(run) = &mut *self.run() {
            run.evaluation = Some(evaluation.clone());
        }
    }

    /// Says what the run is at in a line of its own, which names times itself.
    #[cfg(feature = "git")]
    pub(crate) fn say_whole(&self, line: String) {
        if let Some(run) = &mut *self.run() {
            run.whole = Some(line);
        }
    }

    /// Says what the run is at, where nothing that is watched shows it.
    #[cfg(feature = "install")]
    pub(crate) fn say(&self, text: &str) {
        if let Some(run) = &mut *self.run() {
            run.said = Some(render::harmless(text).chars().take(WIDTH).collect());
        }
    }

    /// Returns what has decided an answer of the run so far that editions do differently.
    pub(crate) fn decided(&self) -> Vec<&'static EditionDifference> {
        let run = self.run();
        let evaluation = run.as_ref().and_then(|run| run.evaluation.as_ref());
        evaluation.map(|one| one.project().decided()).unwrap_or_default()
    }

    /// Says that the end of the run is being told.
    pub(crate) fn tell(&self) {
        self.0.is_told.store(true, Ordering::Release);
    }

    /// Returns true if the end of the run is told.
    pub(crate) fn is_told(&self) -> bool {
        self.0.is_told.load(Ordering::Acquire)
    }

    /// Says that standard output holds a part of an answer.
    pub fn answering(&self) {
        self.0.has_begun.store(true, Ordering::Relaxed);
    }

    /// Takes bytes of an answer that are about to be written. Of a run that has come to its end they are what says so.
    ///
    /// # Errors
    /// Where the answer would be too long.
    pub(crate) fn take_output(&self, bytes: usize) -> io::Result<()> {
        let run = self.run();
        let Some(run) = run.as_ref().filter(|run| run.budget.ended().is_none()) else {
            return Ok(());
        };
        match run.budget.take_output(bytes as u64) {
            Err(RunEnd::Output) => Err(io::Error::other("the output is too long")),
            _ => Ok(()),
        }
    }

    /// Returns how many bytes of an answer may still be written.
    pub(crate) fn room(&self) -> usize {
        let left = self.run().as_ref().map_or(u64::MAX, |run| run.budget.output_left());
        usize::try_from(left).unwrap_or(usize::MAX)
    }

    /// Ends the run where its time or its memory is over, and as long as it lasts.
    fn stay(&self, machine: &MachineContext) {
        while let WatchVerdict::Again(after) = self.look(machine) {
            if self.run().is_none() {
                return;
            }
            std::thread::sleep(after);
        }
    }

    /// Returns what the run is at, so long after it began; nothing where that is not worth a line.
    pub fn progress(&self, age: Duration) -> Option<String> {
        let watched = self.run();
        let run = watched.as_ref().filter(|_| age >= PATIENCE)?;
        if run.whole.is_some() {
            return run.whole.clone();
        }
        if !run.bounds.works && run.said.is_none() || run.budget.ended().is_some() {
            return None;
        }
        let work = run.evaluation.as_ref().and_then(Evaluation::at_work_on);
        let stage = match (&run.said, &run.evaluation, work) {
            (Some(said), ..) => said.clone(),
            (None, None, _) => "Reading".to_owned(),
            (None, Some(_), None) => "Evaluating".to_owned(),
            (None, Some(_), Some((name, _))) => {
                let name: String = render::harmless(&name).chars().take(WIDTH).collect();
                format!("Evaluating {name}")
            }
        };
        let made = match run.budget.instances_made() {
            0 => String::new(),
            made => {
                format!(", {}", plural(usize::try_from(made).unwrap_or(usize::MAX), "instance"))
            }
        };
        Some(format!("{stage}{made}, {} s …", age.as_secs()))
    }

    /// Looks at the clock and the memory, and ends the run where it is time.
    pub fn look(&self, machine: &MachineContext) -> WatchVerdict {
        let mut watched = self.run();
        let Some(run) = &mut *watched else { return WatchVerdict::Again(SELDOM) };
        let now = machine.age().saturating_sub(run.since);
        let resident = machine.resident();
        let most = *run.memory.get_or_insert_with(|| machine.affordable());
        if run.bounds.timeout.is_some_and(|timeout| now >= timeout) {
            run.budget.end(RunEnd::Time);
        }
        if resident >= most {
            run.budget.end_at(most);
        }
        let Some(bound) = run.budget.ended() else {
            let memory = Duration::from_millis(most.saturating_sub(resident) / GROWTH / 2);
            let time = run.bounds.timeout.map_or(SELDOM, |timeout| timeout.saturating_sub(now));
            return WatchVerdict::Again(memory.min(time).clamp(OFTEN, SELDOM));
        };
        let since = now.saturating_sub(*run.ended.get_or_insert(now));
        let is_grown = resident > most.saturating_add(most / 10);
        let is_due = match bound {
            RunEnd::Time | RunEnd::Memory | RunEnd::Cancelled => since >= GRACE || is_grown,
            // It has ended by itself; what is left is to say so.
            RunEnd::Steps | RunEnd::Instances | RunEnd::Sources | RunEnd::Output => {
                run.bounds.timeout.is_some_and(|timeout| now >= timeout + GRACE) || is_grown
            }
        };
        if !is_due {
            return WatchVerdict::Again(OFTEN);
        }
        if self.is_told() {
            drop(watched);
            if since < GRACE + TELLING && !is_grown {
                return WatchVerdict::Again(OFTEN);
            }
            return WatchVerdict::Leave(String::new(), String::new());
        }
        self.tell();
        let (found, sources) = run.end(bound);
        let mut document = String::new();
        if !self.0.has_begun.load(Ordering::Relaxed)
            && let Some(text) = run.form.document(&found, &sources)
        {
            document = format!("{text}\n");
        }
        let told = match run.form.is_told_aside() {
            true => format!("{}\n\n", render::render(&found, &sources, false).trim_end()),
            false => String::new(),
        };
        WatchVerdict::Leave(document, told)
    }
}

impl WatchedRun {
    /// Returns what there is to say about the end of a run that does not say it itself.
    fn end(&self, bound: RunEnd) -> (Diagnostic, Sources) {
        let work = self.evaluation.as_ref().and_then(Evaluation::at_work_on);
        let (name, place) = match work {
            Some((name, place)) => (name, place),
            None => (self.budget.last_work().unwrap_or_default(), None),
        };
        let mut found = ended(bound, &self.budget.told(), &name);
        found.place = place;
        let sources = self.evaluation.as_ref().map(Evaluation::sources);
        (found, sources.unwrap_or_default())
    }
}
