//! Tracing of an expression: the value of every part. Values carry no history, so the expression is evaluated again; a part
//! inside a loop has one entry for each iteration.

use std::sync::{Arc, Mutex, PoisonError};

use groma_eval::Tracer;
use groma_module::declare::{Expression, Referent, ReferentUse};
use groma_syntax::{Diagnostics, FileId, Place, Span};
use groma_value::Value;

use crate::evaluate::address::ScopeRef;
use crate::evaluate::evaluation::Evaluation;
use crate::evaluate::instance_scope::InstanceSet;
use crate::evaluate::request::RequestToken;

/// Maximum number of parts traced in one expression; further ones are left out.
const MAX_PARTS: usize = 10_000;

/// A part of an expression, by its span, with the value that it had.
#[derive(Clone, Debug)]
pub struct TracedPart {
    /// The span of the part in the text.
    pub span: Span,
    /// The value of the part.
    pub value: Value,
}

/// A tracer that records the values of the parts of one expression.
struct PartTracer {
    file: FileId,
    seen: Mutex<Vec<TracedPart>>,
}

impl Tracer for PartTracer {
    fn step(&self, place: Place, value: &Value) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        // Parts of other texts, such as a template file, are skipped.
        if place.file == self.file && seen.len() < MAX_PARTS {
            seen.push(TracedPart { span: place.span, value: value.clone() });
        }
    }
}

/// The values of the parts of an expression; those that were not evaluated are missing.
#[derive(Clone, Debug, Default)]
pub struct ExpressionTrace {
    /// Every part with its value, inner ones first; the whole is last. Spans are relative to the expression's file or part.
    pub parts: Vec<TracedPart>,
    /// True if the request ended before the dependencies were filled.
    pub is_pending: bool,
}

impl Evaluation {
    /// Runs a closure, whose queries then belong to a request: once the request is over, missing values stay missing and the
    /// answer is partial.
    pub fn within<T>(&self, request: &RequestToken, question: impl FnOnce() -> T) -> T {
        request.run(question)
    }

    /// Evaluates an expression of a declaration in the scope `from` and returns the values of its parts. Nothing is parsed,
    /// resolved or cached: the expression is the declaration's own. There are no parts if it refers to something undeclared.
    pub fn trace_expression(
        &self,
        expression: &Expression,
        from: &ScopeRef,
        request: &RequestToken,
        out: &mut Diagnostics,
    ) -> ExpressionTrace {
        let is_broken = |used: &ReferentUse| {
            matches!(used.target, Referent::Broken | Referent::Itself | Referent::News)
        };
        if !expression.deferred && expression.uses.iter().any(is_broken) {
            return ExpressionTrace::default();
        }
        let place = expression.place();
        let file = expression.located.file;
        let steps = Arc::new(PartTracer { file, seen: Mutex::default() });
        let tracer: Arc<dyn Tracer> = steps.clone();
        let value = request.run(|| self.world.trace_at(from, expression, tracer, out));
        let Some(value) = value else {
            return ExpressionTrace { parts: Vec::new(), is_pending: !self.world.has_ended() };
        };
        let mut parts =
            std::mem::take(&mut *steps.seen.lock().unwrap_or_else(PoisonError::into_inner));
        if parts.last().is_none_or(|last| last.span != place.span) {
            parts.push(TracedPart { span: place.span, value });
        }
        ExpressionTrace { parts, is_pending: false }
    }

    /// Returns up to `most` instances of a module, by its number in the project, and true if that is all. Unknown instances
    /// count as one.
    pub fn instances_of_module(
        &self,
        module: usize,
        most: usize,
        request: &RequestToken,
    ) -> (Vec<ScopeRef>, bool) {
        let mut calls = Vec::new();
        let Some(mut node) = self.project().nodes().nth(module) else { return (Vec::new(), true) };
        while let Some((parent, call)) = node.parent() {
            calls.push(call);
            node = parent;
        }
        let (mut found, mut is_all) = (vec![self.at_root()], true);
        for call in calls.into_iter().rev() {
            let mut inner = Vec::new();
            for at in found {
                let Some(instances) = request.run(|| self.instances_of_call(&at, call)) else {
                    is_all = false;
                    continue;
                };
                let count = match instances {
                    InstanceSet::Keyed(keys) => keys.len(),
                    InstanceSet::One | InstanceSet::Unknown(_) => 1,
                };
                for position in 0..count {
                    if inner.len() >= most || request.is_over() {
                        is_all = false;
                        break;
                    }
                    inner.extend(request.run(|| self.at_call(&at, call, position)));
                }
            }
            found = inner;
        }
        (found, is_all)
    }

    /// Evaluates the text of an expression in the scope `from` and returns its parts, inner ones first and the whole last,
    /// without literals. Empty if it cannot be evaluated at all.
    pub fn trace(&self, text: &str, from: &ScopeRef, out: &mut Diagnostics) -> Vec<TracedPart> {
        let mut steps: Option<Arc<PartTracer>> = None;
        let value = self.world.answer_with(from, text, "<expression>", out, &mut |file| {
            let made = Arc::new(PartTracer { file, seen: Mutex::default() });
            steps = Some(made.clone());
            Some(made as Arc<dyn Tracer>)
        });
        let Some(steps) = steps else { return Vec::new() };
        let mut seen =
            std::mem::take(&mut *steps.seen.lock().unwrap_or_else(PoisonError::into_inner));
        let start = text.len() - text.trim_start().len();
        let whole = Span::new(start as u32, text.trim_end().len().max(start) as u32);
        if seen.last().is_none_or(|last| last.span != whole) {
            seen.push(TracedPart { span: whole, value });
        }
        seen
    }
}
