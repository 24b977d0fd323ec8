//! The fast path of evaluation: known values without marks, of the types that operators require. Existing values (constants,
//! loop variables, roots and the attributes of objects below them) are borrowed, and a small expression over them needs no
//! [`CodeMachine`](super::machine::CodeMachine). For everything else (a mark, an unknown, a null, a conversion, an error) the
//! result is `None`, and the expression is evaluated from its beginning by the machine: nothing is counted or reported before
//! the result is certain.

use groma_syntax::ast::BinaryOp;
use groma_value::{Object, Str, Value, ops};

use crate::Context;
use crate::code::{Code, OpId, OpKind, Step, StepRange};
use crate::hint::{PositionHint, is_same};

/// Maximum number of operations of an expression that the fast path, a [`PlainEvaluator`], evaluates.
const MAX_OPERATIONS: usize = 16;

/// The fast-path evaluator of expressions over known, unmarked values of the operators' types.
#[derive(Clone, Copy)]
pub(super) struct PlainEvaluator<'v> {
    pub(super) code: &'v Code,
    pub(super) context: &'v Context,
    /// The values of loop variables and splat items.
    pub(super) slots: &'v [Value],
}

/// A value inside a [`PlainEvaluator`]: borrowed from code, scope or a slot, or the bool result of an operator.
#[derive(Clone, Copy)]
enum PlainValue<'v> {
    Lent(&'v Value),
    Flag(bool),
}

impl PlainValue<'_> {
    /// Returns the value as a bool; `None` if it is not one.
    #[inline]
    fn flag(self) -> Option<bool> {
        match self {
            PlainValue::Flag(flag) => Some(flag),
            PlainValue::Lent(Value::Bool(flag)) => Some(*flag),
            PlainValue::Lent(_) => None,
        }
    }
}

/// Returns the borrowed value of code that is a single constant or reference; `None` for other code, or if the fast path does not
/// apply.
#[inline(always)]
pub(super) fn lent<'v>(code: &'v Code, context: &'v Context) -> Option<&'v Value> {
    let value = match code.node(code.root) {
        OpKind::Value(value) => value,
        OpKind::Reference(index) => {
            PlainEvaluator { code, context, slots: &[] }.reference(*index)?
        }
        _ => return None,
    };
    // The console looks closer at marks.
    let is_closed = code.library.console && value.has_marks();
    (allows_fast_path(context) && is_allowed(value, context) && !is_closed).then_some(value)
}

/// Returns true if the fast path is allowed: there is no tracer and the run has not ended.
#[inline]
fn allows_fast_path(context: &Context) -> bool {
    context.tracer.is_none() && context.budget.ended().is_none()
}

/// Returns the value of code that is one small expression over known, unmarked values; `None` if the fast path does not apply.
#[inline]
pub(super) fn operation(code: &Code, context: &Context) -> Option<Value> {
    if !matches!(
        code.node(code.root),
        OpKind::Binary { .. } | OpKind::Not(_) | OpKind::Conditional { .. }
    ) {
        return None;
    }
    let limits = &context.limits;
    if limits.steps < MAX_OPERATIONS as u64
        || limits.nesting < MAX_OPERATIONS
        || !allows_fast_path(context)
    {
        return None;
    }
    let plain = PlainEvaluator { code, context, slots: &[] };
    match code.node(code.root) {
        OpKind::Binary { op, left, right } => {
            if let Some(value) = plain.pair(*op, *left, *right) {
                return is_allowed(&value, context).then_some(value);
            }
        }
        OpKind::Conditional { condition, then, otherwise } => {
            if let Some(value) = plain.choice(*condition, *then, *otherwise) {
                return Some(value);
            }
        }
        _ => {}
    }
    match plain.small_value(code.root, &mut MAX_OPERATIONS.clone())? {
        PlainValue::Lent(value) => Some(value.clone()),
        PlainValue::Flag(flag) => Some(Value::Bool(flag)),
    }
}

/// Returns true if a value is within the context's limits of size and depth.
#[inline]
fn is_allowed(value: &Value, context: &Context) -> bool {
    match value {
        Value::Bool(_) | Value::Decimal(_) | Value::Real(_) => true,
        Value::String(text) => text.len() <= context.limits.value_bytes,
        composed => context.limits.allow(composed.measure()),
    }
}

impl<'v> PlainEvaluator<'v> {
    /// Returns the borrowed value of an operation that is a constant, a loop variable or a reference; `None` for others. Such an
    /// operation is not charged as a step and cannot fail.
    #[inline]
    pub(super) fn lend(self, id: OpId) -> Option<&'v Value> {
        let value = match self.code.node(id) {
            OpKind::Value(value) => value,
            OpKind::Local(slot) => self.slots.get(*slot as usize)?,
            OpKind::Reference(index) => self.reference(*index)?,
            _ => return None,
        };
        is_allowed(value, self.context).then_some(value)
    }

    /// Returns the borrowed value of the reference at an index, if all its steps are attributes of objects; `None` for others.
    #[inline]
    fn reference(self, index: u32) -> Option<&'v Value> {
        let reference = self.code.references.get(index as usize)?;
        let (value, used) = self.context.scope.borrowed(reference)?;
        if used == reference.literal_count() {
            return Some(value);
        }
        walk(value, self.code.literal_steps(reference).after(used))
    }

    /// Returns the value of an operation over known, unmarked values; `None` once more than `few` operations were evaluated, or
    /// if the fast path does not apply.
    fn small_value(self, id: OpId, few: &mut usize) -> Option<PlainValue<'v>> {
        let value = match self.code.node(id) {
            OpKind::Value(value) => value,
            OpKind::Reference(index) => self.reference(*index)?,
            OpKind::Binary { op, left, right } => {
                *few = few.checked_sub(1)?;
                let (left, right) = (self.small_value(*left, few)?, self.small_value(*right, few)?);
                if let (PlainValue::Lent(left), PlainValue::Lent(right)) = (left, right) {
                    return match self.binary(*op, left, right)? {
                        Value::Bool(flag) => Some(PlainValue::Flag(flag)),
                        _ => None,
                    };
                }
                return flags(*op, left.flag()?, right.flag()?).map(PlainValue::Flag);
            }
            OpKind::Not(operand) => {
                *few = few.checked_sub(1)?;
                return Some(PlainValue::Flag(!self.small_value(*operand, few)?.flag()?));
            }
            OpKind::Conditional { condition, then, otherwise } => {
                *few = few.checked_sub(1)?;
                let flag = self.small_value(*condition, few)?.flag()?;
                let (yes, no) = (self.small_value(*then, few)?, self.small_value(*otherwise, few)?);
                return match (yes, no) {
                    (PlainValue::Lent(one), PlainValue::Lent(other)) if !are_alike(one, other) => {
                        None
                    }
                    (PlainValue::Lent(_), PlainValue::Lent(_)) => Some(if flag { yes } else { no }),
                    _ => {
                        let (yes, no) = (yes.flag()?, no.flag()?);
                        Some(PlainValue::Flag(if flag { yes } else { no }))
                    }
                };
            }
            _ => return None,
        };
        is_allowed(value, self.context).then_some(PlainValue::Lent(value))
    }

    /// Returns the result of a binary operator whose operands are constants, loop variables or references; `None` if the fast
    /// path does not apply.
    #[inline]
    pub(super) fn pair(self, op: BinaryOp, left: OpId, right: OpId) -> Option<Value> {
        self.binary(op, self.lend(left)?, self.lend(right)?)
    }

    /// Returns the result of an operator over two bools, two strings or two numbers; `None` for other operands.
    #[inline]
    pub(super) fn binary(self, op: BinaryOp, left: &Value, right: &Value) -> Option<Value> {
        let flag = match (left, right) {
            (Value::Bool(left), Value::Bool(right)) => flags(op, *left, *right)?,
            (Value::String(left), Value::String(right)) => match op {
                BinaryOp::Equal => left == right,
                BinaryOp::NotEqual => left != right,
                _ => return None,
            },
            _ if left.is_number() && right.is_number() => return self.numbers(op, left, right),
            _ => return None,
        };
        Some(Value::Bool(flag))
    }

    /// Returns the result of an operator over two numbers; `None` if the operator does not take numbers, or the operation would
    /// fail.
    fn numbers(self, op: BinaryOp, left: &Value, right: &Value) -> Option<Value> {
        let apply = match op {
            BinaryOp::Equal | BinaryOp::NotEqual => {
                let by_text = self.context.semantics.numbers_equal_by_text;
                let compare = if op == BinaryOp::Equal { ops::equal } else { ops::not_equal };
                return (!by_text).then(|| compare(left, right));
            }
            BinaryOp::Add => ops::add,
            BinaryOp::Subtract => ops::subtract,
            BinaryOp::Multiply => ops::multiply,
            BinaryOp::Divide => ops::divide,
            BinaryOp::Remainder => ops::remainder,
            BinaryOp::Less => ops::less_than,
            BinaryOp::LessOrEqual => ops::less_or_equal,
            BinaryOp::Greater => ops::greater_than,
            BinaryOp::GreaterOrEqual => ops::greater_or_equal,
            BinaryOp::And | BinaryOp::Or => return None,
        };
        apply(left, right).ok()
    }

    /// Returns the result of a conditional whose condition and arms are constants, loop variables or references; `None` if the
    /// fast path does not apply.
    #[inline]
    pub(super) fn choice(self, condition: OpId, then: OpId, otherwise: OpId) -> Option<Value> {
        let Value::Bool(flag) = self.lend(condition)? else { return None };
        let (yes, no) = (self.lend(then)?, self.lend(otherwise)?);
        are_alike(yes, no).then(|| if *flag { yes.clone() } else { no.clone() })
    }
}

/// Returns the value at the end of steps that are all attributes of objects; `None` for other steps.
#[inline(never)]
fn walk<'v>(mut value: &'v Value, steps: StepRange<'_>) -> Option<&'v Value> {
    for (step, hop) in steps.iter() {
        let (Step::Attribute(name), Value::Object(object)) = (step, value) else { return None };
        value = object.values().get(position(object, name, &hop.hint)?)?;
    }
    Some(value)
}

/// Returns the result of an operator over two bools; `None` if the operator does not take bools.
#[inline]
fn flags(op: BinaryOp, left: bool, right: bool) -> Option<bool> {
    Some(match op {
        BinaryOp::And => left && right,
        BinaryOp::Or => left || right,
        BinaryOp::Equal => left == right,
        BinaryOp::NotEqual => left != right,
        _ => return None,
    })
}

/// Returns true if two values have the same primitive type, so that neither is converted.
#[inline]
pub(super) fn are_alike(yes: &Value, no: &Value) -> bool {
    match (yes, no) {
        (Value::Bool(_), Value::Bool(_)) | (Value::String(_), Value::String(_)) => true,
        _ => yes.is_number() && no.is_number(),
    }
}

/// Returns the position of an attribute in an object's list of attributes, trying the hint first; `None` if the object lacks
/// it.
pub(super) fn position(object: &Object, name: &Str, hint: &PositionHint) -> Option<usize> {
    let names = object.names();
    let is_it = |at: usize| names.as_slice().get(at).is_some_and(|own| is_same(own, name));
    hint.find(is_it, || names.position(name))
}
