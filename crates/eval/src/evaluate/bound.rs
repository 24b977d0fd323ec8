//! The bounds of an evaluation: steps, nesting, and how large a value may grow. A value that is gathered part by part is
//! refused as soon as its parts are too large together, not when it is whole.

use groma_runtime::LimitExcess;
use groma_value::{Value, ValueMeasure};

use super::machine::CodeMachine;
use crate::code::OpId;
use crate::codes;
use crate::ended;

impl CodeMachine<'_, '_> {
    /// Charges one step, that of an operation or of a loop element, to the budget of the run; returns false if the evaluation
    /// must end.
    #[inline]
    pub(super) fn advance(&mut self, id: OpId) -> bool {
        if self.run.stopped.is_some() {
            return false;
        }
        match self.run.meter.charge_steps(1, &self.context.budget) {
            Ok(()) => true,
            Err(excess) => {
                self.exceed(excess, id);
                false
            }
        }
    }

    /// Charges one step to the budget of the run and enters a nesting level; returns false if a limit ended the evaluation.
    #[inline]
    pub(super) fn enter(&mut self, id: OpId) -> bool {
        if !self.advance(id) {
            return false;
        }
        if self.depth >= self.context.limits.nesting {
            self.too_deep(id);
            return false;
        }
        self.depth += 1;
        true
    }

    /// Returns true if the result of an operation is within the limits of depth and size, and passes it to the context's tracer
    /// if so.
    #[inline]
    pub(super) fn admits(&mut self, id: OpId, value: &Value) -> bool {
        let usual = self.context.limits.allow(value.measure()) && self.context.tracer.is_none();
        usual || self.show_or_refuse(id, value)
    }

    /// Passes the value of an operation to the context's tracer if there is one, and returns true; for a value beyond a limit,
    /// ends the evaluation and returns false.
    #[cold]
    fn show_or_refuse(&mut self, id: OpId, value: &Value) -> bool {
        let measure = value.measure();
        let allowed = self.context.limits.allow(measure);
        if !allowed {
            self.refuse(measure, id);
        } else if let Some(tracer) = &self.context.tracer {
            tracer.step(self.place(self.code.span_of(id)), value);
        }
        allowed
    }

    /// Adds the size of an element to the measure of a value under construction; if the value becomes too large, ends the
    /// evaluation at the operation `id` and returns false.
    #[inline]
    pub(super) fn take_in(&mut self, whole: &mut ValueMeasure, part: &Value, id: OpId) -> bool {
        whole.add(part.measure());
        if self.context.limits.allow(*whole) {
            return true;
        }
        self.refuse(*whole, id);
        false
    }

    /// Charges bytes of memory to the budget before an allocation; at the limit, ends the evaluation at the operation `id` and
    /// returns false.
    #[inline]
    pub(super) fn hold(&mut self, bytes: u64, id: OpId) -> bool {
        match self.run.meter.charge_bytes(bytes, &self.context.budget) {
            Ok(()) => true,
            Err(excess) => {
                self.exceed(excess, id);
                false
            }
        }
    }

    /// Ends the evaluation with the error for the exceeded limit, reported at an operation.
    #[cold]
    pub(super) fn exceed(&mut self, excess: LimitExcess, id: OpId) {
        let bound = match excess {
            LimitExcess::Run(bound) => bound,
            LimitExcess::Evaluation => {
                let steps = self.context.limits.steps;
                let detail = format!(
                    "This evaluation was stopped after {steps} steps. Use smaller collections."
                );
                return self.stop(&codes::LIMIT_EVALUATION, id, detail);
            }
        };
        let place = self.blamed(self.code.span_of(id));
        let found = ended(bound, &self.context.budget.initial_quota(), "").at(place);
        self.run.stopped.get_or_insert_with(|| found.into());
    }

    /// Ends the evaluation with the error for too deep nesting, reported at an operation.
    #[cold]
    fn too_deep(&mut self, id: OpId) {
        let limit = self.context.limits.nesting;
        let detail = format!(
            "This evaluation nests more than {limit} levels deep. Look for a template that renders itself, or move a \
             part of the expression to a local value."
        );
        self.stop(&codes::LIMIT_NESTING, id, detail);
    }

    /// Ends the evaluation with the error for a value that is too deep or too large, reported at an operation.
    #[cold]
    fn refuse(&mut self, measure: ValueMeasure, id: OpId) {
        let limits = &self.context.limits;
        if measure.depth as usize > limits.nesting {
            let limit = limits.nesting;
            let detail = format!("This makes a value that nests more than {limit} levels deep.");
            return self.stop(&codes::LIMIT_NESTING, id, detail);
        }
        let (weight, limit) = (measure.weight, limits.value_bytes);
        let detail = format!(
            "With this a value grows to {weight} bytes when it is printed, counting repeated parts each time; the \
             maximum is {limit}."
        );
        self.stop(&codes::LIMIT_SIZE, id, detail);
    }
}
