//! The value of every part of an expression. Values carry no history, so the expression is evaluated again for it; a part
//! that a loop comes to several times is there once for each time.

use std::sync::{Arc, Mutex, PoisonError};

use groma_eval::Tracer;
use groma_syntax::{Diagnostics, FileId, Place, Span};
use groma_value::Value;

use crate::evaluate::address::ScopeRef;
use crate::evaluate::evaluation::Evaluation;

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

impl Evaluation {
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
