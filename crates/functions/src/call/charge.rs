//! Charges of a call for its arguments, by the [`CallCost`] of its row, before its body runs. Every call comes through here, so
//! that a new function is charged without code of its own. The sizes are stored in the values; small arguments cost nothing
//! beyond the step of the call.

use groma_runtime::{OVERHEAD, footprint};
use groma_value::Value;

use crate::{CallArgs, CallContext, CallCost, Failure, Function};

/// The number of bytes of arguments, or of data visited by a function, that cost one step.
const BYTES_A_STEP: u64 = 256;

/// The number of elements that cost one step in functions that only pass elements on, such as `concat`.
const ELEMENTS_A_STEP: usize = 16;

/// The total size of all arguments in bytes below which a call is not charged for them.
const SMALL: u64 = 256;

/// The bytes charged for each element of an allocated collection: a value, and the name of a map entry.
pub(crate) const ELEMENT: usize = 32;

/// Charges the steps and bytes for the arguments of a call, by the function's [`CallCost`].
pub(crate) fn arguments(
    function: &Function,
    args: &[Value],
    context: &CallContext<'_>,
) -> Result<(), Failure> {
    match function.cost {
        CallCost::Constant => Ok(()),
        CallCost::InputAndResult | CallCost::Input => {
            let weight = args.iter().fold(0, |all: u64, arg| all.saturating_add(weight(arg)));
            if weight < SMALL {
                return Ok(());
            }
            steps(weight / BYTES_A_STEP, context)?;
            match function.cost {
                CallCost::InputAndResult => bytes(weight.saturating_add(weight / 2), context),
                _ => Ok(()),
            }
        }
        CallCost::Elements => {
            let count: usize = args.iter().map(elements).sum();
            if count < ELEMENTS_A_STEP {
                return Ok(());
            }
            steps((count / ELEMENTS_A_STEP) as u64, context)?;
            bytes((count * ELEMENT) as u64 + OVERHEAD, context)
        }
    }
}

/// Charges the steps and bytes for an argument that must be converted or stripped of its marks before the call.
pub(crate) fn rebuilt_argument(value: &Value, context: &CallContext<'_>) -> Result<(), Failure> {
    let weight = weight(value);
    if weight < SMALL {
        return Ok(());
    }
    steps(weight / BYTES_A_STEP, context)?;
    // Strings are shared; only their containers are allocated anew.
    match value.depth() {
        0 | 1 => bytes((elements(value) * ELEMENT) as u64 + OVERHEAD, context),
        _ => bytes(footprint(value), context),
    }
}

/// Returns the approximate size of a value in bytes when written out.
fn weight(value: &Value) -> u64 {
    value.measure().weight
}

/// Returns the number of elements or attributes of a collection; 0 for other values.
fn elements(value: &Value) -> usize {
    match value.bare() {
        Value::List(list) => list.items().len(),
        Value::Set(set) => set.items().len(),
        Value::Tuple(tuple) => tuple.items().len(),
        Value::Map(map) => map.entries().len(),
        Value::Object(object) => object.len(),
        _ => 0,
    }
}

/// Charges `count` steps to the evaluation's meter; fails at the limit.
fn steps(count: u64, context: &CallContext<'_>) -> Result<(), Failure> {
    context.meter.charge_steps(count, context.budget).map_err(Failure::limit)
}

/// Charges `count` bytes to the evaluation's meter; fails at the limit.
fn bytes(count: u64, context: &CallContext<'_>) -> Result<(), Failure> {
    context.meter.charge_bytes(count, context.budget).map_err(Failure::limit)
}

/// A counter of visited bytes for work that no other limit bounds: it charges steps after every [`PIECE`](Self::PIECE) bytes,
/// which also checks the time limit.
pub(crate) struct WorkCharge<'a, 'c> {
    args: &'a CallArgs<'c>,
    /// The number of bytes visited that are not charged yet.
    uncharged: usize,
}

impl<'a, 'c> WorkCharge<'a, 'c> {
    /// The number of visited bytes that a [`WorkCharge`] collects before it charges steps for them.
    const PIECE: usize = 1 << 16;

    /// Creates a counter of a call's work, which begins at zero.
    pub(crate) fn new(args: &'a CallArgs<'c>) -> WorkCharge<'a, 'c> {
        WorkCharge { args, uncharged: 0 }
    }

    /// Counts `bytes` visited bytes, and charges steps once [`PIECE`](Self::PIECE) bytes are counted; fails at the limit of the
    /// evaluation or run.
    #[inline]
    pub(crate) fn count(&mut self, bytes: usize) -> Result<(), Failure> {
        self.uncharged = self.uncharged.saturating_add(bytes);
        if self.uncharged < WorkCharge::PIECE {
            return Ok(());
        }
        let steps = self.uncharged / BYTES_A_STEP as usize;
        self.uncharged = 0;
        self.args.charge_steps(steps)
    }
}
