//! The value of every part of an expression. Values carry no history, so the expression is evaluated again for it; a part
//! that a loop comes to several times is there once for each time.

use std::sync::{Arc, Mutex, PoisonError};

use groma_eval::Tracer;
use groma_module::declare::{Expression, Referent, ReferentUse};
use groma_syntax::{Diagnostics, FileId, Place, Span};
use groma_value::Value;

use crate::evaluate::address::ScopeRef;
use crate::evaluate::evaluation::Evaluation;
use crate::evaluate::instance_scope::InstanceSet;
use crate::evaluate::request::RequestToken;

/// The maximum number of steps that are told of one expression.
const MOST: usize = 10_000;

/// A part of an expression, and what it was worth.
#[derive(Clone, Debug)]
pub struct TracedPart {
    /// The place where it stands in the text.
    pub span: Span,
    /// Its value.
    pub value: Value,
}

/// The steps of one question.
struct TraceSteps {
    file: FileId,
    seen: Mutex<Vec<TracedPart>>,
}

impl Tracer for TraceSteps {
    fn step(&self, place: Place, value: &Value) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        // What stands in other texts, as a template file does, is no part of this one.
        if place.file == self.file && seen.len() < MOST {
            seen.push(TracedPart { span: place.span, value: value.clone() });
        }
    }
}

/// The values of the parts of an expression, as far as they could be worked out.
#[derive(Clone, Debug, Default)]
pub struct ExpressionTrace {
    /// Every part with its value, inner ones first; the whole is the last. Places are those of the expression's file or part.
    pub parts: Vec<TracedPart>,
    /// True if the request ended before everything was there that the expression needs.
    pub is_pending: bool,
}

impl Evaluation {
    /// Asks something as a part of a request: once that is over, what is missing stays missing, and the answer is what there is.
    pub fn within<T>(&self, request: &RequestToken, question: impl FnOnce() -> T) -> T {
        request.run(question)
    }

    /// Every part of an expression of a declaration with its value where `from` stands. Nothing is parsed, resolved or kept:
    /// the expression is the declaration's own. It has no parts if it refers to what is not there.
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
        let steps = Arc::new(TraceSteps { file, seen: Mutex::default() });
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

    /// Every instance of a module by its number in the project, up to `most` of them, and whether that is all. Instances whose
    /// number is not known are one.
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
                    InstanceSet::One | InstanceSet::Unsettled(_) => 1,
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

    /// Every part of an expression with its value where `from` stands, inner ones first; the whole is the last. Literals
    /// are their own values and left out. Nothing where the expression cannot be evaluated at all.
    pub fn trace(&self, text: &str, from: &ScopeRef, out: &mut Diagnostics) -> Vec<TracedPart> {
        let mut steps: Option<Arc<TraceSteps>> = None;
        let value = self.world.answer_with(from, text, "<expression>", out, &mut |file| {
            let made = Arc::new(TraceSteps { file, seen: Mutex::default() });
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
