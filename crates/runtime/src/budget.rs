//! The amounts that a whole run may use: one budget, shared by all cells and threads. Taking from it fails once it is used
//! up, and then no more work is started. A run may be ended from any thread.

use std::sync::atomic::{AtomicI64, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use groma_value::Value;

use crate::usage::{self, ResourceUsage};

/// The amounts that a whole run may use: steps, bytes of memory, instances, and bytes of files and of answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Quota {
    /// Steps of all evaluations: operations, elements that loops iterate over, and elements that functions iterate over.
    pub steps: u64,
    /// Bytes of values, instances and files that are held at the same time.
    pub bytes: u64,
    /// Instances of modules, resources and blocks.
    pub instances: u64,
    /// Bytes that are read from files.
    pub source_bytes: u64,
    /// Bytes that are written as an answer.
    pub output_bytes: u64,
}

impl Quota {
    /// The amounts that apply to a run if its caller sets no others.
    pub const DEFAULT: Quota = Quota {
        steps: 1_000_000_000,
        bytes: 16 << 30,
        instances: 2_000_000,
        source_bytes: 1 << 30,
        output_bytes: 1 << 30,
    };
}

impl Default for Quota {
    fn default() -> Quota {
        Quota::DEFAULT
    }
}

/// The reason why a run was ended: a used-up amount, its time, or a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum RunEnd {
    /// All of [`Quota::steps`] are taken.
    Steps = 1,
    /// All of [`Quota::bytes`] are held.
    Memory,
    /// All of [`Quota::instances`] are made.
    Instances,
    /// All of [`Quota::source_bytes`] are read.
    Sources,
    /// All of [`Quota::output_bytes`] are written.
    Output,
    /// The run took longer than its time limit.
    Time,
    /// The run was cancelled, or ended for a reason that the budget does not know.
    Cancelled,
}

impl RunEnd {
    /// Decodes the reason from the number in which a budget stores it; `None` for 0, which stands for a run that goes on.
    fn of(number: u8) -> Option<RunEnd> {
        let all = [
            RunEnd::Steps,
            RunEnd::Memory,
            RunEnd::Instances,
            RunEnd::Sources,
            RunEnd::Output,
            RunEnd::Time,
            RunEnd::Cancelled,
        ];
        all.into_iter().find(|bound| *bound as u8 == number)
    }
}

/// The amounts that a run may still use, shared by all clones of the budget.
#[derive(Clone, Debug)]
pub struct Budget(Arc<SharedBudget>);

/// The shared counters of a budget: the part that is left of each amount, and the reason why the run ended.
#[derive(Debug)]
struct SharedBudget {
    quota: Quota,
    /// The reason why the run ends, as a number; 0 while it goes on. Read far more often than the rest is written.
    ended: CacheLine<AtomicU8>,
    steps: CacheLine<AtomicI64>,
    bytes: CacheLine<AtomicI64>,
    instances: CacheLine<AtomicI64>,
    source_bytes: CacheLine<AtomicI64>,
    output_bytes: CacheLine<AtomicI64>,
    /// The current work, as a number whose meaning the evaluation defines.
    work: CacheLine<AtomicU64>,
    /// The number of bytes at which the process watchdog has ended the run; 0 if it has not.
    watched: AtomicU64,
    /// The description of the work during which the run ended, if known.
    last: Mutex<Option<String>>,
}

/// A counter on its own cache line, so that writing it does not slow down readers of its neighbours.
#[derive(Debug)]
#[repr(align(128))]
struct CacheLine<T>(T);

/// The steps, bytes and instances that are left of a budget at some moment.
#[derive(Clone, Copy, Debug)]
pub struct BudgetRemainder {
    steps: i64,
    bytes: i64,
    instances: i64,
}

/// The amounts that work has taken from a budget and not given back: steps, bytes held, instances, and bytes read from files.
#[derive(Clone, Copy, Default, Debug)]
pub struct BudgetSpending {
    usage: ResourceUsage,
    source_bytes: u64,
}

/// Creates a counter with this value on a cache line of its own.
fn counter(of: u64) -> CacheLine<AtomicI64> {
    CacheLine(AtomicI64::new(i64::try_from(of).unwrap_or(i64::MAX)))
}

impl Budget {
    /// Creates a budget of which nothing is used yet.
    pub fn new(quota: Quota) -> Budget {
        Budget(Arc::new(SharedBudget {
            quota,
            ended: CacheLine(AtomicU8::new(0)),
            steps: counter(quota.steps),
            bytes: counter(quota.bytes),
            instances: counter(quota.instances),
            source_bytes: counter(quota.source_bytes),
            output_bytes: counter(quota.output_bytes),
            work: CacheLine(AtomicU64::new(u64::MAX)),
            watched: AtomicU64::new(0),
            last: Mutex::default(),
        }))
    }

    /// Returns true if both budgets share the same counters.
    pub fn is_same(&self, other: &Budget) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Returns the amounts with which the budget was created.
    pub fn quota(&self) -> &Quota {
        &self.0.quota
    }

    /// Returns the amounts with which the budget was created, for display; if [`end_at`](Self::end_at) ended the run, the bytes
    /// are those that the process used then, if these are fewer.
    pub fn initial_quota(&self) -> Quota {
        match self.0.watched.load(Ordering::Relaxed) {
            0 => self.0.quota,
            bytes => Quota { bytes: bytes.min(self.0.quota.bytes), ..self.0.quota },
        }
    }

    /// Ends the run because the process uses `bytes` of memory.
    pub fn end_at(&self, bytes: u64) {
        if self.ended().is_none() {
            self.0.watched.store(bytes, Ordering::Relaxed);
        }
        self.end(RunEnd::Memory);
    }

    /// Ends the run, from any thread: current work stops soon, and none is started. The first reason wins.
    pub fn end(&self, why: RunEnd) {
        let _ = self.0.ended.0.compare_exchange(0, why as u8, Ordering::AcqRel, Ordering::Acquire);
    }

    /// Returns true if the run was ended because its steps, memory or instances were used up, so that it would end in any other
    /// run too.
    pub fn is_used_up(&self) -> bool {
        matches!(self.ended(), Some(RunEnd::Steps | RunEnd::Memory | RunEnd::Instances))
    }

    /// Returns the reason why the run was ended; `None` while it goes on.
    #[inline]
    pub fn ended(&self) -> Option<RunEnd> {
        match self.0.ended.0.load(Ordering::Relaxed) {
            0 => None,
            number => RunEnd::of(number),
        }
    }

    /// Subtracts an amount from a counter; ends the run with the reason `bound` if there is not enough left.
    fn take(&self, from: &AtomicI64, count: u64, bound: RunEnd) -> Result<(), RunEnd> {
        if let Some(ended) = self.ended() {
            return Err(ended);
        }
        let count = i64::try_from(count).unwrap_or(i64::MAX);
        if from.fetch_sub(count, Ordering::Relaxed) >= count {
            return Ok(());
        }
        from.fetch_add(count, Ordering::Relaxed);
        self.end(bound);
        Err(self.ended().unwrap_or(bound))
    }

    /// Takes evaluation steps from the budget.
    ///
    /// # Errors
    /// The reason why the run ends.
    pub(crate) fn take_steps(&self, count: u64) -> Result<(), RunEnd> {
        self.take(&self.0.steps.0, count, RunEnd::Steps)
    }

    /// Gives steps that were taken and not used back to the budget.
    pub(crate) fn give_steps(&self, count: u64) {
        self.0.steps.0.fetch_add(count as i64, Ordering::Relaxed);
    }

    /// Takes bytes of memory from the budget, before their allocation.
    ///
    /// # Errors
    /// The reason why the run ends.
    pub fn take_bytes(&self, count: u64) -> Result<(), RunEnd> {
        self.take(&self.0.bytes.0, count, RunEnd::Memory)
    }

    /// Gives bytes that are no longer held back to the budget.
    pub(crate) fn give_bytes(&self, count: u64) {
        self.0.bytes.0.fetch_add(count as i64, Ordering::Relaxed);
    }

    /// Takes instances from the budget, and the bytes that they hold for the rest of the run.
    ///
    /// # Errors
    /// The reason why the run ends.
    pub fn take_instances(&self, count: u64, bytes: u64) -> Result<(), RunEnd> {
        usage::add(ResourceUsage { instances: count, kept: bytes, most: bytes, steps: 0 });
        self.take(&self.0.instances.0, count, RunEnd::Instances)?;
        self.take(&self.0.bytes.0, bytes, RunEnd::Memory)
    }

    /// Takes amounts from the budget for work that was done in advance, without this budget.
    ///
    /// # Errors
    /// The reason why the run ends.
    pub fn take_all(&self, usage: ResourceUsage) -> Result<(), RunEnd> {
        self.take(&self.0.steps.0, usage.steps, RunEnd::Steps)?;
        self.take(&self.0.instances.0, usage.instances, RunEnd::Instances)?;
        self.take(&self.0.bytes.0, usage.most.max(usage.kept), RunEnd::Memory)?;
        self.give_bytes(usage.most.saturating_sub(usage.kept));
        Ok(())
    }

    /// Returns the amounts that were taken from the budget so far.
    pub fn spending(&self) -> BudgetSpending {
        let SharedBudget { quota, steps, bytes, instances, source_bytes, .. } = &*self.0;
        let of = |all: u64, left: &CacheLine<AtomicI64>| {
            let taken = counter(all).0.into_inner().saturating_sub(left.0.load(Ordering::Relaxed));
            u64::try_from(taken).unwrap_or(0)
        };
        let bytes = of(quota.bytes, bytes);
        let (steps, instances) = (of(quota.steps, steps), of(quota.instances, instances));
        let usage = ResourceUsage { steps, kept: bytes, most: bytes, instances };
        BudgetSpending { usage, source_bytes: of(quota.source_bytes, source_bytes) }
    }

    /// Takes from the budget what work in advance has taken from another one.
    ///
    /// # Errors
    /// The reason why the run ends.
    pub fn take_spending(&self, spent: BudgetSpending) -> Result<(), RunEnd> {
        self.take_source(spent.source_bytes)?;
        self.take_all(spent.usage)
    }

    /// Takes the bytes of a file from the budget before it is read.
    ///
    /// # Errors
    /// The reason why the run ends.
    pub fn take_source(&self, bytes: u64) -> Result<(), RunEnd> {
        self.take(&self.0.source_bytes.0, bytes, RunEnd::Sources)
    }

    /// Takes the bytes of an answer from the budget before they are written.
    ///
    /// # Errors
    /// The reason why the run ends.
    pub fn take_output(&self, bytes: u64) -> Result<(), RunEnd> {
        self.take(&self.0.output_bytes.0, bytes, RunEnd::Output)
    }

    /// Returns the number of answer bytes that may still be written.
    pub fn output_left(&self) -> u64 {
        u64::try_from(self.0.output_bytes.0.load(Ordering::Relaxed)).unwrap_or(0)
    }

    /// Returns the number of instances taken so far.
    pub fn instances_made(&self) -> u64 {
        let left = self.0.instances.0.load(Ordering::Relaxed);
        self.quota().instances.saturating_sub(u64::try_from(left).unwrap_or(0))
    }

    /// Returns the number of evaluation steps that are left of the budget.
    pub(crate) fn steps_left(&self) -> u64 {
        u64::try_from(self.0.steps.0.load(Ordering::Relaxed)).unwrap_or(0)
    }

    /// Returns the number of bytes of memory that are left of the budget.
    pub(crate) fn bytes_left(&self) -> u64 {
        u64::try_from(self.0.bytes.0.load(Ordering::Relaxed)).unwrap_or(0)
    }

    /// Publishes what the run is working on, as a number defined by the caller, for the thread that watches the run.
    #[inline]
    pub fn work_on(&self, number: u64) {
        self.0.work.0.store(number, Ordering::Relaxed);
    }

    /// Returns the number of the current work as published by [`Budget::work_on`]; `None` if none was published.
    pub fn work(&self) -> Option<u64> {
        Some(self.0.work.0.load(Ordering::Relaxed)).filter(|work| *work != u64::MAX)
    }

    /// Records a description of what the run was working on when it was ended; nothing while it goes on. Only the first
    /// description is kept.
    pub fn record_work(&self, what: impl FnOnce() -> String) {
        if self.ended().is_some() {
            self.0.last.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(what);
        }
    }

    /// Returns the recorded description of the work during which the run was ended, if any.
    pub fn last_work(&self) -> Option<String> {
        self.0.last.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the steps, bytes and instances that are left of the budget now.
    pub fn remainder(&self) -> BudgetRemainder {
        let of = |counter: &CacheLine<AtomicI64>| counter.0.load(Ordering::Relaxed);
        let SharedBudget { steps, bytes, instances, .. } = &*self.0;
        BudgetRemainder { steps: of(steps), bytes: of(bytes), instances: of(instances) }
    }

    /// Gives back all bytes taken since the remainder `to`, for when none of them is held any more; no other thread may take any
    /// at the same time.
    pub fn release_to(&self, to: BudgetRemainder) {
        self.0.bytes.0.store(to.bytes, Ordering::Relaxed);
    }

    /// Restores all steps and output bytes for another question in the same run; if an amount was used up, the run goes on with
    /// the amounts that were left in `before`.
    pub fn begin_question(&self, before: BudgetRemainder) {
        if self.is_used_up() {
            self.restore(before);
        }
        let steps = counter(self.0.quota.steps).0.into_inner();
        self.0.steps.0.store(steps, Ordering::Relaxed);
        let room = counter(self.0.quota.output_bytes).0.into_inner();
        self.0.output_bytes.0.store(room, Ordering::Relaxed);
    }

    /// Restores the amounts that were left in `to`, because the work since then is counted again later. A run that only this work
    /// ended goes on; no other thread may take anything at the same time.
    pub fn restore(&self, to: BudgetRemainder) {
        let set = |counter: &CacheLine<AtomicI64>, left| counter.0.store(left, Ordering::Relaxed);
        set(&self.0.steps, to.steps);
        set(&self.0.bytes, to.bytes);
        set(&self.0.instances, to.instances);
        *self.0.last.lock().unwrap_or_else(PoisonError::into_inner) = None;
        for counted in [RunEnd::Steps, RunEnd::Memory, RunEnd::Instances] {
            let ended = &self.0.ended.0;
            let _ = ended.compare_exchange(counted as u8, 0, Ordering::AcqRel, Ordering::Acquire);
        }
    }
}

impl Default for Budget {
    fn default() -> Budget {
        Budget::new(Quota::DEFAULT)
    }
}

/// Returns the approximate memory of a value in bytes, as if it shared nothing with others.
pub fn footprint(value: &Value) -> u64 {
    // A part of a collection takes half as much again as when it is written out, and has an overhead.
    let weight = value.measure().weight;
    weight.saturating_add(weight / 2).saturating_add(OVERHEAD)
}

/// The bytes charged for a collection or text in addition to its content.
pub const OVERHEAD: u64 = 64;
