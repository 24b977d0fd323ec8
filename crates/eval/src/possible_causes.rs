//! The causes that code may name when it is evaluated, told before it is. The caller that numbers them first
//! numbers them in source order, whatever is evaluated first, and on however many threads.

use groma_functions::{Function, FunctionReads, SpecialForm};
use groma_syntax::{Place, Span};

use crate::code::OpKind;
use crate::{Cause, CauseClass, FunctionMocks, LocatedCode};

/// Returns the cause class of a function that depends on more than its arguments and files.
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
    /// Visits every cause that evaluating this code may name.
    pub fn visit_causes(&self, visit: &mut dyn FnMut(Cause)) {
        let mut add = |class: CauseClass, name: &str, head: Span| {
            let place: Option<Place> = Some(self.place(head));
            visit(Cause { class, kind: "function", address: format!("{name}()").into(), place });
        };
        for node in self.code.operations.iter().map(|one| &one.node) {
            match node {
                OpKind::Call(call) => {
                    if let Some(class) = class_of(call.function.reads) {
                        add(class, call.function.name, call.head);
                    }
                }
                OpKind::Provided(provided) => {
                    add(CauseClass::Offline, &provided.name, provided.call.head);
                }
                // What a template calls is told at the place of the call that renders it.
                OpKind::Form(SpecialForm::TemplateFile | SpecialForm::TemplateString, call) => {
                    let called = |function: &'static Function| {
                        class_of(function.reads).map(|class| (class, function.name))
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

impl FunctionMocks {
    /// Visits the cause of every mocked result.
    pub fn visit_causes(&self, visit: &mut dyn FnMut(Cause)) {
        for (function, mock) in self.all() {
            visit(mock.cause(function));
        }
    }
}
