//! Operators with one or two operands. Operands are converted first, and a conversion error is reported at the operand; an error
//! of both operands is reported at the whole operation.

use groma_syntax::Span;
use groma_syntax::ast::BinaryOp;
use groma_value::{Mismatch, Type, Value, ops};

use super::machine::{CodeMachine, OperandSpine, has_errors, sentence, to_primitive};
use crate::code::{Code, OpId, OpKind};
use crate::codes;

impl CodeMachine<'_, '_> {
    /// Evaluates `!operand` to a bool; `whole` is the operation.
    #[inline(never)]
    pub(super) fn not(&mut self, operand: OpId, whole: OpId) -> Value {
        self.unary(operand, whole, Type::Bool, ops::not)
    }

    /// Evaluates `-operand` to a number; `whole` is the operation.
    #[inline(never)]
    pub(super) fn negate(&mut self, operand: OpId, whole: OpId) -> Value {
        self.unary(operand, whole, Type::Number, ops::negate)
    }

    /// Evaluates the unary operation `whole`: converts the operand to `ty` and calls `apply` with it.
    fn unary(
        &mut self,
        operand: OpId,
        whole: OpId,
        ty: Type,
        apply: fn(&Value) -> Result<Value, Mismatch>,
    ) -> Value {
        let errors = self.errors();
        let value = self.eval(operand);
        if self.errors() > errors {
            return Value::unknown(ty);
        }
        let value = match to_primitive(value, &ty) {
            Ok(value) => value,
            Err(why) => {
                let span = self.code.span_of(operand);
                self.fail(&codes::OPERAND, span, sentence(&why.message));
                return Value::unknown(ty);
            }
        };
        self.settle(apply(&value), whole, ty)
    }

    /// Evaluates the binary operation `id`, whose left operands nest without bound (`a + b + c`), so a loop walks them.
    #[inline(never)]
    pub(super) fn binary(&mut self, id: OpId) -> Value {
        let code = self.code;
        let mut pending = OperandSpine::new();
        let mut at = id;
        let mut first = left_of(code, at);
        while let Some(inner) = first
            && left_of(code, inner).is_some()
        {
            pending.push(at);
            at = inner;
            first = left_of(code, at);
        }
        let Some(first) = first else { return Value::unknown(Type::Dynamic) };
        let start = self.run.out.len();
        let plain = match code.node(at) {
            OpKind::Binary { op, right, .. } => {
                self.plain().and_then(|plain| plain.pair(*op, first, *right))
            }
            _ => None,
        };
        let mut value = match plain {
            Some(value) => value,
            None => {
                let value = self.eval(first);
                self.combine(at, value, first, start)
            }
        };
        let mut left = at;
        while let Some(at) = pending.pop() {
            value = self.combine(at, value, left, start);
            left = at;
        }
        value
    }

    /// Evaluates the right operand of the binary operation `whole` and applies its operator to `value`, which is that of `left`,
    /// and to the result; the diagnostics of the left operand begin at the index `start`.
    fn combine(&mut self, whole: OpId, value: Value, left: OpId, start: usize) -> Value {
        let code = self.code;
        let OpKind::Binary { op, right, .. } = code.node(whole) else { return value };
        let middle = self.run.out.len();
        if self.run.out.len() == start
            && let Some(plain) = self.plain()
            && let Some(other) = plain.lend(*right)
            && let Some(result) = plain.binary(*op, &value, other)
        {
            return result;
        }
        let other = self.eval(*right);
        if self.run.out.len() == start
            && let Some(plain) = self.plain()
            && let Some(result) = plain.binary(*op, &value, &other)
        {
            return result;
        }
        let (left, right) = (code.span_of(left), code.span_of(*right));
        let sides = OperandSides { whole, left, right, start, middle };
        match op {
            BinaryOp::And | BinaryOp::Or => self.logic(*op, value, other, &sides),
            BinaryOp::Equal | BinaryOp::NotEqual => self.equality(*op, &value, &other, &sides),
            _ => self.arithmetic(*op, value, other, &sides),
        }
    }

    /// Evaluates `==` or `!=` over evaluated operands to a bool, an unknown one if an operand had errors, which `sides` locates
    /// among the diagnostics.
    fn equality(
        &mut self,
        op: BinaryOp,
        left: &Value,
        right: &Value,
        sides: &OperandSides,
    ) -> Value {
        if has_errors(&self.run.out.as_slice()[sides.start..]) {
            return Value::unknown(Type::Bool);
        }
        if self.context.samples && !(left.is_known() && right.is_known()) {
            // The type of a sampled loop's result may differ from that of the actual result.
            return Value::unknown(Type::Bool);
        }
        let same_text = self.context.semantics.numbers_equal_by_text;
        let result = match (left.as_number(), right.as_number()) {
            (Some(a), Some(b)) if same_text => Value::Bool(a.to_text() == b.to_text()),
            _ => ops::equal(left, right),
        };
        if op == BinaryOp::Equal {
            return result;
        }
        // `not` alone would take the marks off an unknown.
        ops::not(&result).unwrap_or(result.clone()).mark(&result.marks())
    }

    /// Evaluates an arithmetic operator or an ordering such as `<` over evaluated operands; `sides` has their spans and where
    /// their diagnostics begin.
    fn arithmetic(
        &mut self,
        op: BinaryOp,
        left: Value,
        right: Value,
        sides: &OperandSides,
    ) -> Value {
        let result = match op {
            BinaryOp::Less
            | BinaryOp::LessOrEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterOrEqual => Type::Bool,
            _ => Type::Number,
        };
        let (left, right) = if left.is_number() && right.is_number() {
            (left, right)
        } else {
            let left = self.operand(left, &Type::Number, sides.left);
            let right = self.operand(right, &Type::Number, sides.right);
            let (Some(left), Some(right)) = (left, right) else {
                return Value::unknown(result);
            };
            (left, right)
        };
        if has_errors(&self.run.out.as_slice()[sides.start..]) {
            return Value::unknown(result);
        }
        let apply = match op {
            BinaryOp::Less => ops::less_than,
            BinaryOp::LessOrEqual => ops::less_or_equal,
            BinaryOp::Greater => ops::greater_than,
            BinaryOp::GreaterOrEqual => ops::greater_or_equal,
            BinaryOp::Add => ops::add,
            BinaryOp::Subtract => ops::subtract,
            BinaryOp::Multiply => ops::multiply,
            BinaryOp::Divide => ops::divide,
            _ => ops::remainder,
        };
        self.settle(apply(&left, &right), sides.whole, result)
    }

    /// Converts an operand to the type of its operator; `None` after reporting that it cannot be converted.
    pub(super) fn operand(&mut self, value: Value, ty: &Type, span: Span) -> Option<Value> {
        match to_primitive(value, ty) {
            Ok(value) => Some(value),
            Err(why) => {
                self.fail(&codes::OPERAND, span, sentence(&why.message));
                None
            }
        }
    }

    /// Returns the result of an operator, or reports its error at `whole` and returns an unknown of type `ty`.
    pub(super) fn settle(
        &mut self,
        result: Result<Value, Mismatch>,
        whole: OpId,
        ty: Type,
    ) -> Value {
        match result {
            Ok(value) => value,
            Err(why) => {
                let span = self.code.span_of(whole);
                self.fail(&codes::OPERATION, span, sentence(&why.message));
                Value::unknown(ty)
            }
        }
    }
}

/// A binary operation with the spans of its two operands, and the indices at which the diagnostics of each begin.
pub(super) struct OperandSides {
    pub(super) whole: OpId,
    pub(super) left: Span,
    pub(super) right: Span,
    /// Index of the first diagnostic of the left operand.
    pub(super) start: usize,
    /// Index of the first diagnostic of the right operand.
    pub(super) middle: usize,
}

/// Returns the left operand of a binary operation; `None` for other operations.
fn left_of(code: &Code, id: OpId) -> Option<OpId> {
    match code.node(id) {
        OpKind::Binary { left, .. } => Some(*left),
        _ => None,
    }
}
