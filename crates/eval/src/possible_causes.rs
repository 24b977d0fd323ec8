//! The causes that an evaluation of code may create, listed before the evaluation. So the order of their ids is that of the
//! source, and depends neither on the order of evaluation nor on the number of threads.

use groma_functions::{Function, FunctionReads, SpecialForm};
use groma_syntax::{Place, Span};

use crate::code::{CallArgument, CallNode, OpKind};
use crate::{Cause, CauseAddress, CauseClass, FunctionMocks, LocatedCode};

/// Returns the class of the causes of a function's unknown results, given what the function reads besides its arguments; `None`
/// for nothing or files, for which it creates no causes.
pub(crate) fn class_of(reads: FunctionReads) -> Option<CauseClass> {
    match reads {
        FunctionReads::Nothing | FunctionReads::Files => None,
        FunctionReads::Clock | FunctionReads::Random => Some(CauseClass::Pending),
        FunctionReads::PlanClock | FunctionReads::Environment | FunctionReads::Network => {
            Some(CauseClass::Offline)
        }
    }
}

impl LocatedCode {
    /// Passes every cause that evaluating this code may create to `visit`, in source order.
    pub fn visit_causes(&self, visit: &mut dyn FnMut(Cause)) {
        let mut add = |class: CauseClass, name: &str, head: Span| {
            let place: Option<Place> = Some(self.place(head));
            visit(Cause { class, kind: "function", address: CauseAddress::function(name), place });
        };
        for node in self.code.operations.iter().map(|one| &one.node) {
            match node {
                OpKind::Call(call) => {
                    if let Some(class) = class_of(call.function.reads) {
                        add(class, call.function.name, call.head);
                    }
                    if self.may_be_undecided(call) {
                        add(CauseClass::Pending, call.function.name, call.head);
                    }
                }
                OpKind::Provided(provided) => {
                    add(CauseClass::Offline, &provided.name, provided.call.head);
                }
                // The causes of calls in a template have the place of the call that renders it.
                OpKind::Form(SpecialForm::TemplateFile | SpecialForm::TemplateString, call) => {
                    let called = |function: &'static Function| {
                        let has_waiting = (0..=function.params.len())
                            .any(|index| function.waits_for_type(index))
                            .then_some(CauseClass::Pending);
                        let class = class_of(function.reads).or(has_waiting)?;
                        Some((class, function.name))
                    };
                    for (class, name) in self.code.library.functions().filter_map(called) {
                        add(class, name, call.head);
                    }
                }
                _ => {}
            }
        }
    }
}

impl LocatedCode {
    /// Returns true if an argument of the call may turn out to be an untyped null, which would leave the call's result unknown.
    fn may_be_undecided(&self, call: &CallNode) -> bool {
        let is_literal = |argument: &CallArgument| matches!(self.code.node(argument.node), OpKind::Value(value) if !value.is_null());
        (0_usize..).zip(&*call.args).any(|(index, argument)| {
            let is_spread = call.expand && index + 1 == call.args.len();
            match is_spread {
                true => (index..=index.max(call.function.params.len()))
                    .any(|index| call.function.waits_for_type(index)),
                false => call.function.waits_for_type(index) && !is_literal(argument),
            }
        })
    }
}

impl FunctionMocks {
    /// Passes the cause of every mocked result to `visit`.
    pub fn visit_causes(&self, visit: &mut dyn FnMut(Cause)) {
        for (function, mock) in self.all() {
            visit(mock.cause(function));
        }
    }
}
