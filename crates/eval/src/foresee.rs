//! The causes that code may name when it is evaluated, told before it is. Whoever numbers them first
//! numbers them in source order, whatever is evaluated first, and on however many threads.

use groma_functions::{Form, Function, Reads};
use groma_syntax::{Place, Span};

use crate::code::Op;
use crate::{Cause, Class, Located, Mocks};

/// Why what a function gives is not known, if it depends on more than its arguments and files.
pub(crate) fn class_of(reads: Reads) -> Option<Class> {
    match reads {
        Reads::Nothing | Reads::Files => None,
        Reads::Clock | Reads::Random => Some(Class::Pending),
        Reads::PlanClock | Reads::Environment | Reads::Network => Some(Class::Offline),
    }
}

impl Located {
    /// Visits every cause that evaluating this may name.
    pub fn foresee(&self, visit: &mut dyn FnMut(Cause)) {
        let mut add = |class: Class, name: &str, head: Span| {
            let place: Option<Place> = Some(self.place(head));
            visit(Cause { class, kind: "function", address: format!("{name}()").into(), place });
        };
        for node in self.code.operations.iter().map(|one| &one.node) {
            match node {
                Op::Call(call) => {
                    if let Some(class) = class_of(call.function.reads) {
                        add(class, call.function.name, call.head);
                    }
                }
                Op::Provided(provided) => {
                    add(Class::Offline, &provided.name, provided.call.head);
                }
                // What a template calls is told at the place of the call that renders it.
                Op::Form(Form::TemplateFile | Form::TemplateString, call) => {
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

impl Mocks {
    /// Visits the cause of every answer.
    pub fn foresee(&self, visit: &mut dyn FnMut(Cause)) {
        for (function, mock) in self.all() {
            visit(mock.cause(function));
        }
    }
}
