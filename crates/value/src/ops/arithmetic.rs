//! Arithmetic on values. A result with an unknown operand is an unknown number that is not null; refinements of the operands are
//! lost, as in the reference programs.

use crate::{Mismatch, Number, NumberError, Refinement, Type, Value, convert};

/// Returns `left + right`; fails if an operand is not a number.
pub fn add(left: &Value, right: &Value) -> Result<Value, Mismatch> {
    binary(left, right, |a, b| a.add(b))
}

/// Returns `left - right`; fails if an operand is not a number.
pub fn subtract(left: &Value, right: &Value) -> Result<Value, Mismatch> {
    binary(left, right, |a, b| a.subtract(b))
}

/// Returns `left * right`; fails if an operand is not a number.
pub fn multiply(left: &Value, right: &Value) -> Result<Value, Mismatch> {
    binary(left, right, |a, b| a.multiply(b))
}

/// Returns `left / right`; a number divided by zero is infinite, zero by zero an error.
pub fn divide(left: &Value, right: &Value) -> Result<Value, Mismatch> {
    binary(left, right, |a, b| a.divide(b))
}

/// Returns `left % right`, with the sign of the left operand; if `right` is zero, the left operand.
pub fn remainder(left: &Value, right: &Value) -> Result<Value, Mismatch> {
    binary(left, right, |a, b| a.remainder(b))
}

/// Returns `-operand`; fails if the operand is not a number.
pub fn negate(operand: &Value) -> Result<Value, Mismatch> {
    let (bare, marks) = convert(operand, &Type::Number)?.unmark();
    let result = match &bare {
        known if let Some(n) = known.as_number() => Value::from(n.negate()),
        // The marks of an unknown operand are lost.
        Value::Unknown(_) => return Ok(unknown_number(&bare)),
        _ => return Err(Mismatch::new("a number is required, this is null")),
    };
    Ok(result.mark(&marks))
}

/// Returns an unknown number that is not null, with the causes of all unknowns in an operand.
fn unknown_number(operand: &Value) -> Value {
    Value::refined(Type::Number, Refinement::not_null(), operand.deep_causes())
}

/// Applies the arithmetic operation `compute` to two values: the result has the marks of both, or is unknown with the causes
/// of unknown operands.
fn binary(
    left: &Value,
    right: &Value,
    compute: impl Fn(&Number, &Number) -> Result<Number, NumberError>,
) -> Result<Value, Mismatch> {
    if let (Some(a), Some(b)) = (left.as_number(), right.as_number()) {
        return compute(&a, &b).map(Value::from).map_err(|error| undefined(error, &a, &b));
    }
    let (left, right, marks) = numbers(left, right)?;
    let result = match (left.as_number(), right.as_number()) {
        (Some(a), Some(b)) => Value::from(compute(&a, &b).map_err(|error| {
            if marks.is_empty() { undefined(error, &a, &b) } else { Mismatch::new(UNDEFINED) }
        })?),
        _ => {
            let causes = left.deep_causes().union(&right.deep_causes());
            Value::refined(Type::Number, Refinement::not_null(), causes)
        }
    };
    Ok(result.mark(&marks))
}

/// The message for an operation without a result, such as zero divided by zero.
const UNDEFINED: &str = "the operation has no result for these numbers";

/// Returns the mismatch for an operation that has no result for these numbers.
fn undefined(_error: NumberError, a: &Number, b: &Number) -> Mismatch {
    let (a, b) = (crate::print::number(a), crate::print::number(b));
    Mismatch::new(format!("the operation has no result for {a} and {b}"))
}

/// Returns both operands converted to numbers, without their marks, and the union of these marks.
pub(super) fn numbers(
    left: &Value,
    right: &Value,
) -> Result<(Value, Value, crate::Marks), Mismatch> {
    let (left, left_marks) = convert(left, &Type::Number)?.unmark();
    let (right, right_marks) = convert(right, &Type::Number)?.unmark();
    if left.is_null() {
        return Err(Mismatch::new("the left operand is null, a number is required"));
    }
    if right.is_null() {
        return Err(Mismatch::new("the right operand is null, a number is required"));
    }
    Ok((left, right, left_marks.union(&right_marks)))
}
