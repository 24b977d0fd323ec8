//! What a call is charged for its arguments, by the row's [`CallCost`], before anything is done with them: the one place that
//! every call comes through, so that a new function is charged without a word of its own. Sizes are looked up and never
//! walked, and what is small costs nothing beyond the step that the call itself is.

use groma_runtime::{HEAD, footprint};
use groma_value::Value;

use crate::{CallArgs, CallContext, CallCost, Failure, Function};

/// The maximum number of bytes of a text or a value that are walked in one step.
const BYTES_A_STEP: u64 = 256;

/// The maximum number of elements passed on in one step.
const ELEMENTS_A_STEP: usize = 16;

/// The weight in bytes below which arguments are not charged.
const SMALL: u64 = 256;

/// The number of bytes that an element takes in a collection: a value, and the name of an entry.
pub(crate) const ELEMENT: usize = 32;

/// Charges a call of `function` for its arguments.
pub(crate) fn arguments(
    function: &Function,
    args: &[Value],
    context: &CallContext<'_>,
) -> Result<(), Failure> {
    match function.cost {
        CallCost::Constant => Ok(()),
        CallCost::Makes | CallCost::Looks => {
            let weight = args.iter().fold(0, |all: u64, arg| all.saturating_add(weight(arg)));
            if weight < SMALL {
                return Ok(());
            }
            steps(weight / BYTES_A_STEP, context)?;
            match function.cost {
                CallCost::Makes => bytes(weight.saturating_add(weight / 2), context),
                _ => Ok(()),
            }
        }
        CallCost::Elements => {
            let count: usize = args.iter().map(elements).sum();
            if count < ELEMENTS_A_STEP {
                return Ok(());
            }
            steps((count / ELEMENTS_A_STEP) as u64, context)?;
            bytes((count * ELEMENT) as u64 + HEAD, context)
        }
    }
}

/// Charges for an argument that is rebuilt before the body sees it: converted, or without its marks.
pub(crate) fn remade(value: &Value, context: &CallContext<'_>) -> Result<(), Failure> {
    let weight = weight(value);
    if weight < SMALL {
        return Ok(());
    }
    steps(weight / BYTES_A_STEP, context)?;
    // Texts are shared; only what holds them is made anew.
    match value.depth() {
        0 | 1 => bytes((elements(value) * ELEMENT) as u64 + HEAD, context),
        _ => bytes(footprint(value), context),
    }
}

/// Returns the size of a value in the unit of [`Measure::weight`](groma_value::Measure::weight).
fn weight(value: &Value) -> u64 {
    value.measure().weight
}

/// Returns the number of elements of a value's outermost collection.
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

/// Charges steps to the call's meter.
fn steps(count: u64, context: &CallContext<'_>) -> Result<(), Failure> {
    context.meter.charge_steps(count, context.budget).map_err(Failure::limit)
}

/// Charges bytes to the call's meter.
fn bytes(count: u64, context: &CallContext<'_>) -> Result<(), Failure> {
    context.meter.charge_bytes(count, context.budget).map_err(Failure::limit)
}

/// An incremental charge for work without a limit of its own, which also checks the clock.
pub(crate) struct WorkCharge<'a, 'c> {
    args: &'a CallArgs<'c>,
    /// Bytes walked that are not charged yet.
    walked: usize,
}

impl<'a, 'c> WorkCharge<'a, 'c> {
    /// The maximum number of bytes that are walked before they are charged.
    const PIECE: usize = 1 << 16;

    /// Starts counting the work of a call that has walked nothing yet.
    pub(crate) fn new(args: &'a CallArgs<'c>) -> WorkCharge<'a, 'c> {
        WorkCharge { args, walked: 0 }
    }

    /// Charges for another `bytes` bytes of work.
    #[inline]
    pub(crate) fn walk(&mut self, bytes: usize) -> Result<(), Failure> {
        self.walked = self.walked.saturating_add(bytes);
        if self.walked < WorkCharge::PIECE {
            return Ok(());
        }
        let steps = self.walked / BYTES_A_STEP as usize;
        self.walked = 0;
        self.args.charge_steps(steps)
    }
}
