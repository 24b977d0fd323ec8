//! Calls of functions of the language. A failure knows the index of its argument; here it gets the place of that argument's
//! start, or of the whole argument if that was expanded by `...`.

use std::cell::Cell;

use groma_functions::{CallContext, CauseSite, Failure, FailureKind, FunctionReads, check_count};
use groma_syntax::{DiagnosticCode, Place, Span};
use groma_value::{Causes, Mark, Value};

use super::expansion::CallArguments;
use super::machine::{CodeMachine, unknown_dynamic};
use super::sample;
use crate::code::{CallNode, OpId};
use crate::codes;
use crate::mock::MockAnswer;
use crate::possible_causes::class_of;
use crate::{Cause, CauseAddress, CauseClass, Context};

impl CodeMachine<'_, '_> {
    /// Evaluates a function call: its arguments first, then the function. Failures are reported and yield an unknown.
    #[inline(never)]
    pub(super) fn call(&mut self, call: &CallNode, id: OpId) -> Value {
        let (values, written) = match self.evaluate_arguments(call) {
            CallArguments::Args { values, written } => (values, written),
            CallArguments::Result(value) => return value,
        };
        if !self.are_values(&values, call, written, id) {
            return unknown_dynamic();
        }
        let place = self.blamed(call.head);
        let site = CallSite { context: self.context, place, drawn: &self.drawn };
        let context = self.call_context(&site);
        let mut result = groma_functions::call(call.function, &values, &context);
        if self.context.samples {
            result = result.map(|value| sample::settled(call.function, &values, value));
        }
        self.give_back(values);
        match result {
            Ok(value) => value,
            Err(failures) => {
                for failure in failures {
                    self.failure(call, written, failure, id);
                }
                unknown_dynamic()
            }
        }
    }

    /// Returns the inputs of a function besides its arguments, such as host, limits and budget, and the `site` of the call, which
    /// yields causes of unknowns.
    pub(super) fn call_context<'a>(&'a self, site: &'a dyn CauseSite) -> CallContext<'a> {
        CallContext {
            host: &*self.context.host,
            semantics: &self.context.semantics,
            limits: &self.context.limits,
            budget: &self.context.budget,
            meter: &self.run.meter,
            readings: &self.context.readings,
            now: self.context.now,
            seed: self.context.seed,
            base: &self.context.base,
            site,
            hidden: self.hidden,
        }
    }

    /// Returns true if the function accepts `count` arguments, some of them expanded by `...`; reports an error if not.
    pub(super) fn accepts_count(&mut self, call: &CallNode, count: usize, id: OpId) -> bool {
        match check_count(call.function, count) {
            Ok(()) => true,
            Err(failure) => {
                let written = call.args.len() - usize::from(call.expand);
                self.failure(call, written, failure, id);
                false
            }
        }
    }

    /// Returns true if no argument is a result of the console's function `type`; reports an error for one that is; `written` is
    /// the number of arguments not expanded by `...`.
    fn are_values(&mut self, values: &[Value], call: &CallNode, written: usize, id: OpId) -> bool {
        let is_type =
            |value: &Value| value.has_marks() && value.deep_marks().contains(&Mark::TypeText);
        let Some(index) = values.iter().position(is_type) else { return true };
        let message = "The result of `type` is for the console only; it is not a value.";
        self.failure(call, written, Failure::argument(index, message), id);
        false
    }

    /// Reports the failure of a function call; `written` is the number of arguments not expanded by `...`.
    #[inline(never)]
    pub(super) fn failure(&mut self, call: &CallNode, written: usize, failure: Failure, id: OpId) {
        if self.is_of_samples(call, &failure) {
            return;
        }
        let span = self.failure_span(call, written, &failure);
        if let FailureKind::Limit(excess) = failure.kind {
            return self.exceed(excess, id);
        }
        if failure.kind == FailureKind::LeftOut {
            return self.stop(&codes::LEFT_OUT, id, failure.message.into_text());
        }
        let code = diagnostic_code(failure.kind);
        self.fail_within(code, span, self.code.span_of(id), failure.message);
    }

    /// Returns the span at which a failure of a call is reported: that of the argument it names (or of the one that `...`
    /// expands, for an index from `written` on), the closing parenthesis for a wrong number of arguments, otherwise the
    /// function's name with the parenthesis.
    fn failure_span(&self, call: &CallNode, written: usize, failure: &Failure) -> Span {
        let expanded = call.args.last().filter(|_| call.expand);
        match failure.argument {
            Some(index) if index < written => call.args[index].head,
            Some(_) => expanded.map_or(call.head, |arg| self.code.span_of(arg.node)),
            None if failure.kind == FailureKind::Arity => call.close,
            None => call.head,
        }
    }
}

/// Returns the diagnostic code for a kind of failure of a function call.
fn diagnostic_code(kind: FailureKind) -> &'static DiagnosticCode {
    match kind {
        FailureKind::Arity => &codes::ARGUMENT_COUNT,
        FailureKind::Argument => &codes::ARGUMENT,
        FailureKind::Whole | FailureKind::Limit(_) | FailureKind::LeftOut => &codes::CALL_FAILED,
    }
}

/// The place of a call, for which a function creates causes if its result depends on the clock, randomness or the environment.
pub(super) struct CallSite<'a> {
    pub(super) context: &'a Context,
    pub(super) place: Place,
    /// The number of random draws in this evaluation.
    pub(super) drawn: &'a Cell<u32>,
}

impl CallSite<'_> {
    /// Returns a new cause of this class, at the place of the call, for an unknown result of `function`.
    fn cause(&self, function: &'static str, class: CauseClass) -> Causes {
        Causes::one(self.context.causes.intern(Cause {
            class,
            kind: "function",
            address: CauseAddress::function(function),
            place: Some(self.place),
        }))
    }
}

impl CauseSite for CallSite<'_> {
    fn causes(&self, function: &'static str, reads: FunctionReads) -> Causes {
        self.cause(function, class_of(reads).unwrap_or(CauseClass::Offline))
    }

    fn undecided(&self, function: &'static str) -> Causes {
        self.cause(function, CauseClass::Pending)
    }

    fn mocked(&self, function: &'static str, args: &[Value]) -> Option<Value> {
        match self.context.mocks.answer(function, args, &self.context.causes) {
            MockAnswer::Value(value) => Some(value),
            MockAnswer::Undecided | MockAnswer::Nothing => None,
        }
    }

    fn is_known_elsewhere(&self, causes: &Causes) -> bool {
        // A variable that is not given is as unknown to a check of theirs.
        let is_absent =
            |cause: Cause| cause.class == CauseClass::Offline && cause.kind != "variable";
        causes.ids().iter().any(|id| self.context.causes.get(*id).is_some_and(is_absent))
    }

    fn draw(&self) -> u64 {
        let nth = self.drawn.get();
        self.drawn.set(nth.wrapping_add(1));
        let place = (u64::from(self.place.file.0) << 32) | u64::from(self.place.span.start);
        place.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ u64::from(nth)
    }
}
