//! Logic on bools. The operands are evaluated already; it is the evaluator that may skip one. Editions differ in the meaning of
//! a null operand: with [`and`] and [`or`] the other operand may decide, [`and_strict`] and [`or_strict`] refuse every null.

use crate::ops::equal::unknown_bool;
use crate::{Mismatch, Type, Value, convert};

/// Returns the bool `!operand`; fails for null. An unknown result has no marks.
pub fn not(operand: &Value) -> Result<Value, Mismatch> {
    if let Value::Bool(b) = operand {
        return Ok(Value::Bool(!b));
    }
    let (bare, marks) = convert(operand, &Type::Bool)?.unmark();
    let result = match bare {
        Value::Bool(b) => Value::Bool(!b),
        Value::Unknown(u) => return Ok(unknown_bool(u.causes.clone())),
        _ => return Err(Mismatch::new("a bool is required, this is null")),
    };
    Ok(result.mark(&marks))
}

/// Returns the bool `left && right`: false on either side decides, and null counts as false.
pub fn and(left: &Value, right: &Value) -> Result<Value, Mismatch> {
    junction(left, right, LogicOperator { decisive: false, lenient: true })
}

/// Returns the bool `left || right`: true on either side decides; otherwise a null is an error unless the other operand is
/// unknown.
pub fn or(left: &Value, right: &Value) -> Result<Value, Mismatch> {
    junction(left, right, LogicOperator { decisive: true, lenient: true })
}

/// Returns the bool `left && right`; a null is an error, and an unknown operand makes the result unknown, without marks.
pub fn and_strict(left: &Value, right: &Value) -> Result<Value, Mismatch> {
    junction(left, right, LogicOperator { decisive: false, lenient: false })
}

/// Returns the bool `left || right`; a null is an error, and an unknown operand makes the result unknown, without marks.
pub fn or_strict(left: &Value, right: &Value) -> Result<Value, Mismatch> {
    junction(left, right, LogicOperator { decisive: true, lenient: false })
}

/// The rules of `&&` or `||`: the operand that decides alone, and the treatment of null.
#[derive(Clone, Copy)]
struct LogicOperator {
    /// The value of an operand that decides the result alone: false for `&&`, true for `||`.
    decisive: bool,
    /// True if a null is not an error where the other operand may decide the result.
    lenient: bool,
}

/// Returns the result of `&&` or `||` for two operands, by the rules of the operator.
fn junction(left: &Value, right: &Value, how: LogicOperator) -> Result<Value, Mismatch> {
    let (left, left_marks) = convert(left, &Type::Bool)?.unmark();
    let (right, right_marks) = convert(right, &Type::Bool)?.unmark();
    if !how.lenient {
        check_not_null(&left, "left")?;
        check_not_null(&right, "right")?;
    }
    let decides = |side: &Value| match side {
        Value::Bool(b) => *b == how.decisive,
        Value::Null(_) => how.lenient && !how.decisive,
        _ => false,
    };
    let waits = !left.is_known() || !right.is_known();
    let result = if (how.lenient || !waits) && (decides(&left) || decides(&right)) {
        Value::Bool(how.decisive)
    } else if waits {
        let result = unknown_bool(left.deep_causes().union(&right.deep_causes()));
        if !how.lenient {
            return Ok(result);
        }
        result
    } else {
        check_not_null(&left, "left")?;
        check_not_null(&right, "right")?;
        Value::Bool(!how.decisive)
    };
    Ok(result.mark(&left_marks.union(&right_marks)))
}

/// Fails if an operand is null; `side` names it in the message.
fn check_not_null(operand: &Value, side: &str) -> Result<(), Mismatch> {
    if operand.is_null() {
        return Err(Mismatch::new(format!("the {side} operand is null, a bool is required")));
    }
    Ok(())
}
