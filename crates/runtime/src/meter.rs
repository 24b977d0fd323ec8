//! The part of the run's budget that one evaluation uses. Steps and bytes are taken from the budget in large pieces, so that
//! the usual step touches nothing that threads share; a small evaluation uses credit, which is settled when it ends.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::budget::{Budget, RunEnd};
use crate::usage::{self, ResourceUsage};

/// Number of steps, and of bytes, that an evaluation may use before it takes any from the budget.
const CREDIT: u64 = 4_096;

/// Maximum number of steps taken from the budget in advance at once.
const ADVANCE_STEPS: u64 = 16_384;

/// Maximum number of bytes taken from the budget in advance at once.
const ADVANCE_BYTES: u64 = 1 << 20;

/// Number of steps or bytes up to which an evaluation is not charged, because the charge for its cell covers them.
const FREE_AMOUNT: u64 = 64;

/// A meter of the steps and bytes that one evaluation uses, which takes them from the budget in large pieces.
#[derive(Debug)]
pub struct Meter {
    /// Steps taken from the budget, or on credit, and not used yet.
    steps: LocalCount,
    /// All steps that were available so far, used or not.
    had: LocalCount,
    /// Steps available on credit, which have not been taken from the budget.
    owed: LocalCount,
    /// Steps that the evaluation's own limit allows beyond the available ones.
    more: LocalCount,
    /// Bytes of memory that the evaluation holds now.
    live: LocalCount,
    /// The largest number of bytes held at a time. Unlike the number taken in advance, it does not depend on how much of
    /// the budget is left.
    peak: LocalCount,
    /// Bytes taken from the budget so far.
    taken: LocalCount,
}

/// A counter that only one evaluation changes; atomic so that a meter without limits can be shared.
#[derive(Debug)]
struct LocalCount(AtomicU64);

impl LocalCount {
    /// Creates a counter that starts at `number`.
    const fn of(number: u64) -> LocalCount {
        LocalCount(AtomicU64::new(number))
    }

    /// Returns the value of the counter.
    #[inline]
    fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Sets the value of the counter.
    #[inline]
    fn set(&self, to: u64) {
        self.0.store(to, Ordering::Relaxed);
    }
}

/// The limit that an evaluation has exceeded: its own number of steps, or an amount of the run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LimitExcess {
    /// The evaluation has taken the maximum number of steps.
    Evaluation,
    /// The run was ended, for this reason.
    Run(RunEnd),
}

impl Meter {
    /// Creates the meter of an evaluation that may take at most `steps` steps.
    pub const fn new(steps: u64) -> Meter {
        let at_hand = if steps < CREDIT { steps } else { CREDIT };
        Meter {
            steps: LocalCount::of(at_hand),
            had: LocalCount::of(at_hand),
            owed: LocalCount::of(at_hand),
            more: LocalCount::of(steps - at_hand),
            live: LocalCount::of(0),
            peak: LocalCount::of(0),
            taken: LocalCount::of(0),
        }
    }

    /// Counts steps that the evaluation takes, getting more from the budget if needed.
    ///
    /// # Errors
    /// When there are none left.
    #[inline]
    pub fn charge_steps(&self, count: u64, budget: &Budget) -> Result<(), LimitExcess> {
        match self.steps.get().checked_sub(count) {
            Some(left) => {
                self.steps.set(left);
                Ok(())
            }
            None => self.take_steps(count, budget),
        }
    }

    /// Takes more steps from the budget for an evaluation that has used up its own, and counts `count` of them.
    #[cold]
    fn take_steps(&self, count: u64, budget: &Budget) -> Result<(), LimitExcess> {
        // A meter without bounds is shared, and another thread may have brought steps since.
        let missing = count.saturating_sub(self.steps.get());
        if missing > self.more.get() {
            return Err(LimitExcess::Evaluation);
        }
        let left = budget.steps_left().saturating_sub(self.owed.get());
        let taken = missing.max(ADVANCE_STEPS.min(left / 4)).min(self.more.get());
        budget.take_steps(self.owed.get().saturating_add(taken)).map_err(LimitExcess::Run)?;
        self.owed.set(0);
        self.had.set(self.had.get() + taken);
        self.more.set(self.more.get().saturating_sub(taken));
        self.steps.set(self.steps.get().saturating_add(taken).saturating_sub(count));
        Ok(())
    }

    /// Counts bytes of memory before their allocation, getting more from the budget if needed.
    ///
    /// # Errors
    /// When there are none left.
    #[inline]
    pub fn charge_bytes(&self, count: u64, budget: &Budget) -> Result<(), LimitExcess> {
        let live = self.live.get().saturating_add(count);
        if live <= self.taken.get().max(CREDIT) {
            self.live.set(live);
            return Ok(());
        }
        self.take_bytes(live, budget)
    }

    /// Takes more bytes from the budget for an evaluation that will hold `live` bytes.
    #[cold]
    fn take_bytes(&self, live: u64, budget: &Budget) -> Result<(), LimitExcess> {
        // A meter that is shared may have taken more by now.
        let missing = live.saturating_sub(self.taken.get());
        // A large amount is taken exactly. More will follow a small one, so more is taken in advance, unless little is left.
        let more = ADVANCE_BYTES.min(live).min(budget.bytes_left() / 4);
        let taken = missing.max(more);
        budget.take_bytes(taken).map_err(LimitExcess::Run)?;
        self.taken.set(self.taken.get() + taken);
        self.live.set(live);
        Ok(())
    }

    /// Returns the number of bytes that the evaluation holds now.
    #[inline]
    pub fn live(&self) -> u64 {
        self.live.get()
    }

    /// Frees the bytes charged since the evaluation held `before` bytes, except that up to `kept` of them stay charged.
    #[inline]
    pub fn release(&self, before: u64, kept: u64) {
        let live = self.live.get();
        self.peak.set(self.peak.get().max(live));
        let since = live.saturating_sub(before);
        self.live.set(before + since.min(kept));
    }

    /// Settles the evaluation with the budget: takes what was used on credit and gives back what was not used; at most `kept` of
    /// the held bytes stay charged.
    ///
    /// # Errors
    /// When the budget does not cover what was used on credit.
    pub fn finish(&self, kept: u64, budget: &Budget) -> Result<(), RunEnd> {
        let (mut kept, taken) = (self.live.get().min(kept), self.taken.get());
        if kept <= FREE_AMOUNT {
            kept = 0;
        }
        let mut settled = Ok(());
        if taken > kept {
            budget.give_bytes(taken - kept);
        } else if taken < kept {
            settled = budget.take_bytes(kept - taken);
        }
        let used = self.had.get() - self.steps.get();
        if used <= FREE_AMOUNT && taken == 0 && kept == 0 && self.owed.get() > 0 {
            return Ok(());
        }
        if self.owed.get() == 0 {
            budget.give_steps(self.steps.get());
        } else if used > FREE_AMOUNT {
            settled = settled.and_then(|()| budget.take_steps(used));
        }
        let steps = if used > FREE_AMOUNT { used } else { 0 };
        // Bytes within the credit were never taken from the budget.
        let peak = self.peak.get().max(self.live.get());
        let most = if peak > CREDIT { peak.max(kept) } else { kept };
        usage::add(ResourceUsage { steps, kept, most, instances: 0 });
        settled
    }
}
