//! Ordering of numbers. If an operand is unknown, its refined bounds may decide; they count as exclusive, so for a value in 1..5
//! `<= 5` is unknown and `<= 6` is true.

use std::cmp::Ordering;

use super::arithmetic::numbers;
use super::equal::{equal, unknown_bool};
use super::logic::or;
use crate::{Mismatch, Number, Value};

/// Returns the bool `left < right`; fails if an operand is not a number.
pub fn less_than(left: &Value, right: &Value) -> Result<Value, Mismatch> {
    order(left, right, Ordering::Less)
}

/// Returns the bool `left <= right`; fails if an operand is not a number.
pub fn less_or_equal(left: &Value, right: &Value) -> Result<Value, Mismatch> {
    or_equal(left, right, Ordering::Less)
}

/// Returns the bool `left > right`; fails if an operand is not a number.
pub fn greater_than(left: &Value, right: &Value) -> Result<Value, Mismatch> {
    order(left, right, Ordering::Greater)
}

/// Returns the bool `left >= right`; fails if an operand is not a number.
pub fn greater_or_equal(left: &Value, right: &Value) -> Result<Value, Mismatch> {
    or_equal(left, right, Ordering::Greater)
}

/// Returns the bool that is true if the operands are equal or ordered as `wanted`. Equality is a separate test: fractions are
/// equal by their texts, and two unknowns may be equal whatever their bounds are.
fn or_equal(left: &Value, right: &Value, wanted: Ordering) -> Result<Value, Mismatch> {
    let ordered = order(left, right, wanted)?;
    match ordered.bare() {
        Value::Bool(true) => Ok(ordered),
        _ => or(&ordered, &equal(left, right)),
    }
}

/// Returns the bool that is true if the operands are ordered as `wanted`; unknown if the bounds of unknowns do not decide it.
fn order(left: &Value, right: &Value, wanted: Ordering) -> Result<Value, Mismatch> {
    if let (Some(a), Some(b)) = (left.as_number(), right.as_number()) {
        return Ok(Value::Bool(a.compare(&b) == wanted));
    }
    let (left, right, marks) = numbers(left, right)?;
    let decided = match (left.as_number(), right.as_number()) {
        (Some(a), Some(b)) => Some(a.compare(&b)),
        _ => apart(&left, &right),
    };
    let result = match decided {
        Some(order) => Value::Bool(order == wanted),
        None => unknown_bool(left.deep_causes().union(&right.deep_causes())),
    };
    Ok(result.mark(&marks))
}

/// Returns the order of two numbers whose possible ranges do not overlap; `None` if they do. An unknown ranges between its
/// bounds.
fn apart(left: &Value, right: &Value) -> Option<Ordering> {
    let (left_low, left_high) = bounds(left);
    let (right_low, right_high) = bounds(right);
    if let (Some(high), Some(low)) = (left_high, right_low)
        && high.compare(&low).is_lt()
    {
        return Some(Ordering::Less);
    }
    if let (Some(low), Some(high)) = (left_low, right_high)
        && low.compare(&high).is_gt()
    {
        return Some(Ordering::Greater);
    }
    None
}

/// Returns the lower and the upper bound of a number, both its value if it is known; `None` for no bound.
fn bounds(value: &Value) -> (Option<Number>, Option<Number>) {
    match value {
        Value::Unknown(u) => (
            u.refinement.low.as_ref().map(|b| b.number.clone()),
            u.refinement.high.as_ref().map(|b| b.number.clone()),
        ),
        known => (known.as_number(), known.as_number()),
    }
}
