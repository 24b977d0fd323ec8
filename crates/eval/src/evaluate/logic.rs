//! `&&` and `||`. Where the edition decides from one side, the other side's errors do not count,
//! whichever side it is; conversions to bool always do.

use groma_runtime::Semantics;
use groma_syntax::ast::BinaryOp;
use groma_value::{Type, Value, ops};

use super::machine::{CodeMachine, causes_of, has_errors, marks_of, unknown_of};
use super::operator::OperandSides;

impl CodeMachine<'_, '_> {
    /// Evaluates `&&` or `||` over evaluated operands, by the rules of the edition about errors and unknowns; `sides` has their
    /// spans and where their diagnostics begin.
    #[inline(never)]
    pub(super) fn logic(
        &mut self,
        op: BinaryOp,
        left: Value,
        right: Value,
        sides: &OperandSides,
    ) -> Value {
        if let (Value::Bool(left), Value::Bool(right)) = (&left, &right)
            && self.run.out.len() == sides.start
        {
            return Value::Bool(if op == BinaryOp::And {
                *left && *right
            } else {
                *left || *right
            });
        }
        let found = self.run.out.split_off(sides.middle);
        let right_failed = has_errors(&found);
        let left_failed = has_errors(&self.run.out.as_slice()[sides.start..]);
        let left = self.operand(left, &Type::Bool, sides.left);
        let right = self.operand(right, &Type::Bool, sides.right);
        let (Some(left), Some(right)) = (left, right) else {
            self.run.out.extend(found);
            return Value::unknown(Type::Bool);
        };
        let semantics = &self.context.semantics;
        let decisive = op == BinaryOp::Or;
        let decides = |side: &Value| match side.bare() {
            Value::Bool(flag) => *flag == decisive,
            Value::Null(_) => !decisive,
            _ => false,
        };
        let is_open = |side: &Value, failed: bool| failed || !side.is_known();
        let by_left = decides(&left) && !left_failed;
        let by_right = decides(&right) && !right_failed;
        if by_left && is_open(&right, right_failed) || by_right && is_open(&left, left_failed) {
            semantics.note(Semantics::SHORT_CIRCUIT);
        } else if left.is_null() || right.is_null() {
            semantics.note(Semantics::NULL_IN_LOGIC);
        }
        let (left, right) = without_undecisive_mocks((left, by_left), (right, by_right));
        if !semantics.short_circuit {
            self.run.out.extend(found);
            if left_failed || right_failed {
                return Value::unknown(Type::Bool);
            }
            return self.combined(op, &left, &right, sides);
        }
        let marks = marks_of([&left, &right]);
        if by_left {
            return Value::Bool(decisive).mark(&marks);
        }
        if by_right {
            self.run.out.split_off(sides.start);
            self.run.out.extend(found);
            return Value::Bool(decisive).mark(&marks);
        }
        if !left.is_known() && !right.is_known() && !left_failed {
            let causes = causes_of(&left).union(&causes_of(&right));
            return unknown_of(Type::Bool, causes).mark(&marks);
        }
        self.run.out.extend(found);
        if left_failed || right_failed {
            return Value::unknown(Type::Bool);
        }
        let result = if decisive { ops::or(&left, &right) } else { ops::and(&left, &right) };
        self.settle(result, sides.whole, Type::Bool)
    }

    /// Returns the result of `&&` or `||` in an edition without short circuit, where both operands always count; an error is
    /// reported at the operation that `sides` names.
    fn combined(
        &mut self,
        op: BinaryOp,
        left: &Value,
        right: &Value,
        sides: &OperandSides,
    ) -> Value {
        let result = match (op, self.context.semantics.null_in_logic) {
            (BinaryOp::And, true) => ops::and(left, right),
            (BinaryOp::And, false) => ops::and_strict(left, right),
            (_, true) => ops::or(left, right),
            (_, false) => ops::or_strict(left, right),
        };
        self.settle(result, sides.whole, Type::Bool)
    }
}

/// Returns both operands of `&&` or `||`, each given with true if it decides the result; one that does not decide it loses the
/// marks that say that it depends on a mock. If both decide and depend on a mock, the left one keeps its marks.
fn without_undecisive_mocks(
    (left, by_left): (Value, bool),
    (right, by_right): (Value, bool),
) -> (Value, Value) {
    match (by_left, by_right) {
        (true, true) if left.marks().is_mocked() && !right.marks().is_mocked() => {
            (unmocked(left), right)
        }
        (true, _) => (left, unmocked(right)),
        (false, true) => (unmocked(left), right),
        (false, false) => (left, right),
    }
}

/// Returns the value without the marks that say that it depends on a mock.
fn unmocked(value: Value) -> Value {
    if !value.marks().is_mocked() {
        return value;
    }
    let (bare, marks) = value.unmark();
    bare.mark(&marks.without_mocks())
}
