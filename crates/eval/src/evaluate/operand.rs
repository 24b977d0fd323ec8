//! Values of the references near a diagnostic. They are computed after an evaluation, for the reported diagnostics only, not
//! for those that `try` has caught. Sensitive values are never described.

use groma_syntax::{Diagnostic, Diagnostics, ReferenceValue, Severity, Span};
use groma_value::Value;
use groma_value::sentence::brief;

use super::machine::{CodeMachine, SharedRun};
use crate::code::Step;
use crate::{Context, LocatedCode, Reference};

/// Maximum number of diagnostics of one expression that describe the values of references.
const FINDINGS: usize = 20;
/// Maximum number of reference values that one diagnostic describes.
const VALUES: usize = 6;

/// Returns a description of the value of each reference in an expression, each once, in source order.
pub fn operands(located: &LocatedCode, context: &Context) -> Vec<ReferenceValue> {
    within(located, context, |_| true)
}

/// Adds to each error the values of the references that its place touches.
pub(super) fn attach(found: Diagnostics, located: &LocatedCode, context: &Context) -> Diagnostics {
    if located.code.references.is_empty() {
        return found;
    }
    let mut rest = FINDINGS;
    let with = |mut one: Diagnostic| {
        let own = one.place.filter(|place| place.file == located.file);
        let Some(place) = own.filter(|_| one.severity == Severity::Error && rest > 0) else {
            return one;
        };
        rest -= 1;
        one.operands = within(located, context, touching(place.span, located.base));
        if let Some(around) = one.context.filter(|_| one.operands.is_empty()) {
            one.operands = within(located, context, touching(around, located.base));
        }
        one
    };
    found.into_iter().map(with).collect()
}

/// Returns a predicate for references that touch a span of the file; `base` is the start of the expression.
fn touching(span: Span, base: u32) -> impl Fn(&Reference) -> bool {
    move |reference| {
        let own = reference.span.shift(base);
        own.start <= span.end && span.start <= own.end
    }
}

/// Returns descriptions of the values of the references that `is_meant` accepts, each reference once.
fn within(
    located: &LocatedCode,
    context: &Context,
    is_meant: impl Fn(&Reference) -> bool,
) -> Vec<ReferenceValue> {
    let code = &*located.code;
    let mut told: Vec<ReferenceValue> = Vec::new();
    for (at, reference) in code.references.iter().enumerate().filter(|(_, one)| is_meant(one)) {
        let name = text(reference);
        if told.len() >= VALUES || told.iter().any(|known| known.name == name) {
            continue;
        }
        let mut run = SharedRun::new(context);
        let mut machine = CodeMachine::new(code, located.file, located.base, context, &mut run);
        let value = machine.reference(code.root, at);
        if !run.out.is_empty() || run.stopped.is_some() {
            continue;
        }
        if let Some(value) = in_words(&value) {
            told.push(ReferenceValue { name, value });
        }
    }
    told
}

/// Returns the source form of a reference, up to the first computed step.
fn text(reference: &Reference) -> String {
    let mut text = reference.root.to_string();
    for step in &reference.steps {
        match step {
            Step::Attribute(name) => {
                text.push('.');
                text.push_str(name);
            }
            Step::Index(key) => text.push_str(&format!("[{}]", groma_value::json::plain(key))),
            _ => break,
        }
    }
    text
}

/// Returns a short description of a value; `None` for an unknown without causes, which replaces the result of an error.
fn in_words(value: &Value) -> Option<String> {
    match value.bare() {
        Value::Unknown(unknown) if unknown.causes.is_empty() => None,
        _ => Some(brief(value)),
    }
}
