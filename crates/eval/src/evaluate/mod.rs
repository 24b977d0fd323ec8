//! Evaluation of lowered code in a context. It never fails: errors are reported and yield an unknown value. Larger operations
//! have functions of their own, so that the frame of the recursion stays small; operations that nest to the left without bound
//! are evaluated by loops.

mod bound;
mod call;
mod conditional;
mod expansion;
mod fingerprint;
mod form;
mod iterate;
mod logic;
mod machine;
mod names;
mod object;
mod operand;
mod operator;
mod plain;
mod provided;
mod render;
mod sample;
mod splat;
mod template;
mod traverse;

use groma_runtime::{LimitExcess, footprint};
use groma_syntax::{Diagnostic, Diagnostics};
use groma_value::{Fingerprint, Value};

use crate::code::OpKind;
use crate::codes;
use crate::{Context, LocatedCode, ended};

use machine::{CodeMachine, SharedRun, has_errors, unknown_dynamic};

pub use operand::operands;

/// Evaluates code in a context and returns its value; errors go to `out` and yield an unknown value.
#[inline(never)]
pub fn evaluate(located: &LocatedCode, context: &Context, out: &mut Diagnostics) -> Value {
    match plain::lent(&located.code, context) {
        // Made right where the caller wants it.
        Some(value) => value.clone(),
        None => evaluate_operation(located, context, false, out),
    }
}

/// Evaluates code like [`evaluate`], for a value that stays in memory: its bytes are charged until the run ends.
#[inline(never)]
pub fn evaluate_to_keep(located: &LocatedCode, context: &Context, out: &mut Diagnostics) -> Value {
    match plain::lent(&located.code, context) {
        Some(value) => value.clone(),
        None => evaluate_operation(located, context, true, out),
    }
}

/// Returns the fingerprint of the known or unknown value of code in a context; `None` if the context computes no fingerprints, or
/// a value that the code names has none.
pub fn fingerprint(located: &LocatedCode, context: &Context) -> Option<Fingerprint> {
    context.trace.as_ref()?;
    let mut run = SharedRun::new(context);
    let code = &*located.code;
    let mut machine = CodeMachine::new(code, located.file, located.base, context, &mut run);
    machine.read_files().or_else(|| machine.fingerprint(code.root))
}

/// Evaluates code that is not a single constant or reference, by the fast path for known, unmarked values if possible, and if
/// `stays` is set, charges the memory of the value until the run ends.
#[inline(never)]
fn evaluate_operation(
    located: &LocatedCode,
    context: &Context,
    stays: bool,
    out: &mut Diagnostics,
) -> Value {
    match plain::operation(&located.code, context) {
        Some(value) => value,
        None => evaluate_in(located, context, stays, out),
    }
}

/// Evaluates code by a [`CodeMachine`], the evaluator that covers every operation, and if `stays` is set, charges the memory of
/// the value until the run ends.
#[inline(never)]
fn evaluate_in(
    located: &LocatedCode,
    context: &Context,
    stays: bool,
    out: &mut Diagnostics,
) -> Value {
    let code = &*located.code;
    if let OpKind::Value(value) = code.node(code.root) {
        return value.clone();
    }
    let mut run = SharedRun::new(context);
    if let Some(bound) = context.budget.ended() {
        let place = located.place(code.span_of(code.root));
        out.push(ended(bound, &context.budget.initial_quota(), "").at(place));
        return unknown_dynamic();
    }
    let mut machine = CodeMachine::new(code, located.file, located.base, context, &mut run);
    let mut value = machine.eval(code.root);
    if code.library.console && value.has_marks() {
        value = machine.refuse_type_text(value);
    }
    let kept = if stays && run.meter.live() > 0 { footprint(&value) } else { 0 };
    if let Err(bound) = run.meter.finish(kept, &context.budget) {
        CodeMachine::new(code, located.file, located.base, context, &mut run)
            .exceed(LimitExcess::Run(bound), code.root);
    }
    if run.out.is_empty() && run.stopped.is_none() {
        return value;
    }
    report_limited(operand::attach(run.out, located, context), context.limits.findings, out);
    if let Some(stopped) = run.stopped {
        out.push(*stopped);
        return unknown_dynamic();
    }
    value
}

/// Appends the first `most` diagnostics to `out`, and one with the number of the others.
fn report_limited(found: Diagnostics, most: usize, out: &mut Diagnostics) {
    if found.len() <= most {
        out.extend(found);
        return;
    }
    let mut told = found.into_vec();
    let rest = told.split_off(most);
    out.extend(told);
    let detail = format!("{} more findings of this expression are not shown.", rest.len());
    let mut more = match has_errors(&rest) {
        true => Diagnostic::error(&codes::FINDINGS, detail),
        false => Diagnostic::warning(&codes::FINDINGS, detail),
    };
    more.place = rest.first().and_then(|one| one.place);
    out.push(more);
}
