//! Enforces the time and memory limits of a run from outside. A run whose budget is ended normally stops and reports that
//! itself; one that does not stop in time is abandoned, and the report is made here.

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
use crate::progress::PROGRESS_DELAY;
use crate::view::end::EndForm;

/// Maximum time that a run may take to stop after its budget is ended; then it is abandoned.
const STOP_TIME: Duration = Duration::from_millis(1_000);
/// Maximum time beyond `STOP_TIME` that a run which is printing its own report may take before it is abandoned.
const REPORT_TIME: Duration = Duration::from_millis(300);
/// The interval between two checks of a run's time and memory while the run is near no limit.
const IDLE_INTERVAL: Duration = Duration::from_millis(25);
/// The interval between two checks of a run's time and memory while its memory is near the limit.
const BUSY_INTERVAL: Duration = Duration::from_millis(2);
/// Maximum number of bytes that a run is assumed to allocate per millisecond.
const MAX_GROWTH: u64 = 4_000_000;

/// The names of the commands that show a progress line.
const PROGRESS_COMMANDS: [&str; 6] = ["plan", "diff", "check", "output", "list", "graph"];
/// Maximum number of characters that name the current work in the progress line.
const WIDTH: usize = 60;

/// The limits of a run on time and memory, which are enforced from another thread.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RunBounds {
    /// The time after which the run ends.
    pub timeout: Option<Duration>,
    /// The memory in bytes at which the run ends; `None` for the machine's default.
    pub memory: Option<u64>,
    /// True if progress is shown: the command works, rather than waits for requests.
    pub works: bool,
}

impl RunBounds {
    /// Returns the time and memory limits of a parsed command line.
    pub(crate) fn of(args: &CommandArgs) -> RunBounds {
        let works = PROGRESS_COMMANDS.contains(&args.command);
        RunBounds { timeout: args.timeout, memory: args.memory, works }
    }
}

/// The supervisor of one run, which enforces time and memory limits and reports progress. Clones share it.
#[derive(Clone, Default)]
pub struct RunWatch(Arc<WatchState>);

/// The watched run of a [`RunWatch`], and flags about its supervision, its report and its output.
#[derive(Default)]
struct WatchState {
    run: Mutex<Option<WatchedRun>>,
    /// True if the process' main thread checks it, so that no thread is needed.
    is_polled: AtomicBool,
    /// True if the end of the run is reported, or about to be.
    is_reported: AtomicBool,
    /// True if anything was written to standard output.
    has_begun: AtomicBool,
}

/// The run under watch: its budget, limits and evaluation.
struct WatchedRun {
    budget: Budget,
    bounds: RunBounds,
    /// The memory limit in bytes, determined on first use since most runs are over by then.
    memory: Option<u64>,
    form: EndForm,
    evaluation: Option<Evaluation>,
    /// Results that are kept until the run ends.
    held: Vec<Box<dyn Any + Send>>,
    /// The current activity, if the run reports it.
    said: Option<String>,
    /// The complete progress line, if the run provides one.
    whole: Option<String>,
    /// The age of the process when the run began.
    since: Duration,
    /// The time after the run's begin at which its end was first noticed.
    ended: Option<Duration>,
}

/// The result of one check of a run against its time and memory limits: it continues, or it does not stop and is abandoned.
pub enum WatchVerdict {
    /// The run goes on: check again after this time.
    Continue(Duration),
    /// The run does not stop: abandon it, and write these texts to standard output and standard error.
    Abandon(String, String),
}

impl RunWatch {
    /// Creates a watch without a thread: its owner calls [`RunWatch::check`] repeatedly.
    pub fn polled() -> RunWatch {
        let watch = RunWatch::default();
        watch.0.is_polled.store(true, Ordering::Relaxed);
        watch
    }

    /// Locks the state of the watched run, ignoring the panic of another holder; `None` if no run is watched.
    fn run(&self) -> MutexGuard<'_, Option<WatchedRun>> {
        self.0.run.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins to watch a run, whose budget is ended when it exceeds `bounds`; the report of that has the format `form`. Unless
    /// the process' main thread checks it, a thread is started.
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
        if is_bound && !self.0.is_polled.load(Ordering::Relaxed) {
            let (watch, machine) = (self.clone(), machine.clone());
            // Without a thread time and memory are not limited; counted limits apply all the same.
            let _ = std::thread::Builder::new().spawn(move || watch.enforce(&machine));
        }
    }

    /// Begins to watch a further run of the same process, with its own time; if a limit ends it, the report has the format
    /// `form`.
    pub(crate) fn begin_again(
        &self,
        machine: &MachineContext,
        budget: Budget,
        bounds: RunBounds,
        form: EndForm,
    ) {
        self.0.is_reported.store(false, Ordering::Release);
        self.0.has_begun.store(false, Ordering::Relaxed);
        self.begin(machine, budget, bounds, form);
        if let Some(run) = &mut *self.run() {
            run.since = machine.age();
        }
    }

    /// Stops watching the current run; another may follow.
    pub(crate) fn finish(&self) {
        *self.run() = None;
    }

    /// Stops watching the last run of this watch. If the process ends too, results are leaked, since freeing them piece by piece
    /// takes time.
    pub(crate) fn finish_for_good(&self) {
        let run = self.run().take();
        if self.0.is_polled.load(Ordering::Relaxed) {
            std::mem::forget(run);
        }
    }

    /// Ends the budget of the run that is watched, if any, as cancelled.
    #[cfg(feature = "mcp")]
    pub(crate) fn cancel(&self) {
        if let Some(run) = &*self.run() {
            run.budget.end(RunEnd::Cancelled);
        }
    }

    /// Keeps a result until the run ends, instead of freeing it at once.
    pub(crate) fn hold(&self, made: impl Any + Send) {
        if let Some(run) = &mut *self.run() {
            run.held.push(Box::new(made));
        }
    }

    /// Records the evaluation, so that progress and reports can name its current work.
    pub(crate) fn set_evaluation(&self, evaluation: &Evaluation) {
        if let Some(run) = &mut *self.run() {
            run.evaluation = Some(evaluation.clone());
        }
    }

    /// Sets the text that replaces the default progress line.
    #[cfg(feature = "git")]
    pub(crate) fn set_progress_line(&self, line: String) {
        if let Some(run) = &mut *self.run() {
            run.whole = Some(line);
        }
    }

    /// Sets the text by which the progress line names the current work while that is not an evaluation.
    #[cfg(feature = "install")]
    pub(crate) fn set_activity(&self, text: &str) {
        if let Some(run) = &mut *self.run() {
            run.said = Some(render::harmless(text).chars().take(WIDTH).collect());
        }
    }

    /// Returns the differences between editions that have influenced the run's answers so far.
    pub(crate) fn effective_differences(&self) -> Vec<&'static EditionDifference> {
        let run = self.run();
        let evaluation = run.as_ref().and_then(|run| run.evaluation.as_ref());
        evaluation.map(|one| one.project().effective_differences()).unwrap_or_default()
    }

    /// Records that the end of the run is being reported.
    pub(crate) fn mark_reported(&self) {
        self.0.is_reported.store(true, Ordering::Release);
    }

    /// Returns true if the end of the run is reported, or about to be.
    pub(crate) fn is_reported(&self) -> bool {
        self.0.is_reported.load(Ordering::Acquire)
    }

    /// Records that standard output contains part of an answer, so that no other document is printed there if the run is
    /// abandoned.
    pub fn mark_output(&self) {
        self.0.has_begun.store(true, Ordering::Relaxed);
    }

    /// Counts bytes of an answer that are about to be written, with an error beyond the output limit. After the end of the run
    /// they are part of its report, and not counted.
    ///
    /// # Errors
    /// If the answer would be too long.
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

    /// Returns how many more bytes of output the run may write.
    pub(crate) fn output_left(&self) -> usize {
        let left = self.run().as_ref().map_or(u64::MAX, |run| run.budget.output_left());
        usize::try_from(left).unwrap_or(usize::MAX)
    }

    /// Checks the run's limits repeatedly until it is over or abandoned.
    fn enforce(&self, machine: &MachineContext) {
        while let WatchVerdict::Continue(after) = self.check(machine) {
            if self.run().is_none() {
                return;
            }
            std::thread::sleep(after);
        }
    }

    /// Returns the progress line at this age of the run; `None` if it is too early, or if the command shows no progress.
    pub fn progress(&self, age: Duration) -> Option<String> {
        let watched = self.run();
        let run = watched.as_ref().filter(|_| age >= PROGRESS_DELAY)?;
        if run.whole.is_some() {
            return run.whole.clone();
        }
        if !run.bounds.works && run.said.is_none() || run.budget.ended().is_some() {
            return None;
        }
        let work = run.evaluation.as_ref().and_then(Evaluation::current_work);
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

    /// Checks time and memory once, and ends the run's budget if a limit is reached.
    pub fn check(&self, machine: &MachineContext) -> WatchVerdict {
        let mut watched = self.run();
        let Some(run) = &mut *watched else { return WatchVerdict::Continue(IDLE_INTERVAL) };
        let now = machine.age().saturating_sub(run.since);
        let resident = machine.resident();
        let most = *run.memory.get_or_insert_with(|| machine.memory_limit());
        if run.bounds.timeout.is_some_and(|timeout| now >= timeout) {
            run.budget.end(RunEnd::Time);
        }
        if resident >= most {
            run.budget.end_at(most);
        }
        let Some(bound) = run.budget.ended() else {
            let memory = Duration::from_millis(most.saturating_sub(resident) / MAX_GROWTH / 2);
            let time =
                run.bounds.timeout.map_or(IDLE_INTERVAL, |timeout| timeout.saturating_sub(now));
            return WatchVerdict::Continue(memory.min(time).clamp(BUSY_INTERVAL, IDLE_INTERVAL));
        };
        let since = now.saturating_sub(*run.ended.get_or_insert(now));
        let is_grown = resident > most.saturating_add(most / 10);
        let is_due = match bound {
            RunEnd::Time | RunEnd::Memory | RunEnd::Cancelled => since >= STOP_TIME || is_grown,
            // The run has stopped by itself and only needs to report that.
            RunEnd::Steps | RunEnd::Instances | RunEnd::Sources | RunEnd::Output => {
                run.bounds.timeout.is_some_and(|timeout| now >= timeout + STOP_TIME) || is_grown
            }
        };
        if !is_due {
            return WatchVerdict::Continue(BUSY_INTERVAL);
        }
        if self.is_reported() {
            drop(watched);
            if since < STOP_TIME + REPORT_TIME && !is_grown {
                return WatchVerdict::Continue(BUSY_INTERVAL);
            }
            return WatchVerdict::Abandon(String::new(), String::new());
        }
        self.mark_reported();
        let (found, sources) = run.end(bound);
        let mut document = String::new();
        if !self.0.has_begun.load(Ordering::Relaxed)
            && let Some(text) = run.form.document(&found, &sources)
        {
            document = format!("{text}\n");
        }
        let told = match run.form.goes_to_stderr() {
            true => format!("{}\n\n", render::render(&found, &sources, false).trim_end()),
            false => String::new(),
        };
        WatchVerdict::Abandon(document, told)
    }
}

impl WatchedRun {
    /// Returns the diagnostic of the limit that ended a run which does not report it itself, with the texts that it refers to.
    fn end(&self, bound: RunEnd) -> (Diagnostic, Sources) {
        let work = self.evaluation.as_ref().and_then(Evaluation::current_work);
        let (name, place) = match work {
            Some((name, place)) => (name, place),
            None => (self.budget.last_work().unwrap_or_default(), None),
        };
        let mut found = ended(bound, &self.budget.initial_quota(), &name);
        found.place = place;
        let sources = self.evaluation.as_ref().map(Evaluation::sources);
        (found, sources.unwrap_or_default())
    }
}
