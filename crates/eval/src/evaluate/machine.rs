//! The evaluator of one expression: its slots, its diagnostics, and the dispatch to each kind of operation. It borrows the code
//! and keeps nothing afterwards.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use groma_runtime::{Meter, OVERHEAD, footprint};
use groma_syntax::{
    Diagnostic, DiagnosticCode, Diagnostics, FileId, Place, Severity, SourceExcerpt, Span,
};
use groma_value::{
    Causes, Mark, Marks, Mismatch, Refinement, Sentence, Type, Value, ValueMeasure, convert,
};

use crate::code::{Code, OpId, OpKind};
use crate::codes;
use crate::fault::Fault;
use crate::{CauseAddress, Context, news};

use super::{plain, render};

/// Factor by which the number of diagnostics that stops an evaluation exceeds the number that may be reported.
const FINDINGS_BEFORE_STOP: usize = 100;

/// The part of an evaluation's state that it shares with the templates it renders: diagnostics, meter, and the template files
/// that are lowered already.
pub(crate) struct SharedRun {
    pub(super) out: Diagnostics,
    pub(super) meter: Meter,
    /// The error of a limit that was exceeded. Nothing catches it: the whole evaluation ends.
    pub(super) stopped: Option<Box<Diagnostic>>,
    /// Lines of a template that could not be rendered, to be quoted by the diagnostic about it.
    pub(super) quoted: Vec<SourceExcerpt>,
    /// The template files that were read and lowered already, by path.
    pub(super) templates: Option<BTreeMap<String, Arc<render::PreparedTemplate>>>,
}

impl SharedRun {
    /// Creates the state of an evaluation: no diagnostics, and a meter with the limits of its context.
    pub(super) fn new(context: &Context) -> SharedRun {
        let meter = Meter::new(context.limits.steps);
        SharedRun {
            out: Diagnostics::new(),
            meter,
            stopped: None,
            quoted: Vec::new(),
            templates: None,
        }
    }
}

/// The evaluator of one lowered expression or template: its slots, diagnostics and context.
pub(crate) struct CodeMachine<'c, 'r> {
    pub(super) code: &'c Code,
    pub(super) file: FileId,
    pub(super) base: u32,
    pub(super) context: &'c Context,
    pub(super) run: &'r mut SharedRun,
    pub(super) slots: Vec<Value>,
    /// Memory for the arguments of the next call.
    pub(super) spare: Vec<Value>,
    pub(super) depth: usize,
    /// For a template that is rendered: the place of the outermost call that renders it.
    pub(super) rendered_at: Option<Place>,
    /// The number of random draws in this evaluation.
    pub(super) drawn: Cell<u32>,
    /// True if diagnostics must not show values, because they may be parts of a sensitive value: the elements of a sensitive
    /// collection carry no mark while it is iterated.
    pub(super) hidden: bool,
    /// The last result of each operation, if fingerprints are computed; else empty.
    pub(super) results: Vec<Option<Value>>,
}

impl<'c, 'r> CodeMachine<'c, 'r> {
    /// Creates the evaluator of code whose spans start at `base` in `file`.
    pub(super) fn new(
        code: &'c Code,
        file: FileId,
        base: u32,
        context: &'c Context,
        run: &'r mut SharedRun,
    ) -> CodeMachine<'c, 'r> {
        let slots = match code.slots {
            0 => Vec::new(),
            count => vec![Value::NULL; count as usize],
        };
        let results = match &context.trace {
            None => Vec::new(),
            Some(_) => vec![None; code.operations.len()],
        };
        CodeMachine {
            code,
            file,
            base,
            context,
            run,
            slots,
            spare: Vec::new(),
            depth: 0,
            rendered_at: None,
            drawn: Cell::new(0),
            hidden: false,
            results,
        }
    }

    /// Evaluates an operation and returns its value. Operations without operands count neither as step nor as nesting level.
    pub(super) fn eval(&mut self, id: OpId) -> Value {
        if !self.results.is_empty() {
            let errors = self.errors();
            let value = self.eval_plainly(id);
            return self.keep_result(id, value, errors);
        }
        self.eval_plainly(id)
    }

    /// Evaluates an operation and returns its value, without recording its fingerprint.
    #[inline(always)]
    fn eval_plainly(&mut self, id: OpId) -> Value {
        let code = self.code;
        match code.node(id) {
            OpKind::Value(value) => value.clone(),
            OpKind::Local(slot) => self.local(*slot),
            OpKind::Reference(index) => self.reference(id, *index as usize),
            node => self.compute(id, node),
        }
    }

    /// Evaluates an operation that is not a constant, a loop variable or a reference; `node` is its kind.
    #[inline(never)]
    pub(super) fn compute(&mut self, id: OpId, node: &OpKind) -> Value {
        if !self.enter(id) {
            return unknown_dynamic();
        }
        let held = self.run.meter.live();
        let value = match node {
            OpKind::Value(_) | OpKind::Local(_) | OpKind::Reference(_) | OpKind::Missing => {
                unknown_dynamic()
            }
            OpKind::Traverse(_) | OpKind::Index { .. } | OpKind::Splat { .. } => self.postfix(id),
            OpKind::Not(operand) => self.not(*operand, id),
            OpKind::Negate(operand) => self.negate(*operand, id),
            OpKind::Binary { .. } => self.binary(id),
            OpKind::Conditional { condition, then, otherwise } => {
                self.conditional(*condition, *then, *otherwise)
            }
            OpKind::Tuple(items) => self.tuple(items, id),
            OpKind::Object(object) => self.object(object, id),
            OpKind::For(each) => self.iterate(each),
            OpKind::Template(parts) => self.template(parts),
            OpKind::TemplateFor(each) => self.template_for(each),
            OpKind::Call(call) => self.call(call, id),
            OpKind::Provided(node) => self.provided(node, id),
            OpKind::Form(form, call) => self.form(*form, call, id),
            OpKind::TypeForm(form) => self.type_form(form.value, &form.wanted, &form.call),
            OpKind::Fault(found) => self.fault(found),
        };
        self.depth -= 1;
        // Intermediate values are freed; memory that the value shares with others was never counted.
        if self.run.meter.live() != held {
            self.run.meter.release(held, footprint(&value));
        }
        if self.admits(id, &value) { value } else { unknown_dynamic() }
    }

    /// Reports an error found by lowering and returns an unknown.
    #[inline(never)]
    fn fault(&mut self, found: &Fault) -> Value {
        // The message of a fault quotes code and no value, so it may be shown.
        let detail = Sentence::trusted(found.detail.clone());
        match &found.absent {
            Some(what) => self.report_absence(found.row, found.span, detail, what),
            None => {
                self.fail(found.row, found.span, detail);
                unknown_dynamic()
            }
        }
    }

    /// Reports that `what` does not exist and returns an unknown: as an error, or as a note if the edition is newer than the
    /// known ones and may have it.
    pub(super) fn report_absence(
        &mut self,
        row: &'static DiagnosticCode,
        span: Span,
        detail: impl Into<Sentence>,
        what: &str,
    ) -> Value {
        let edition = self.context.semantics.edition();
        if !news::is_news(row, edition) {
            self.fail(row, span, detail);
            return unknown_dynamic();
        }
        let detail = detail.into().shown(self.hidden).into_text();
        let place = self.place(span);
        self.push(news::refuse(row, detail, edition).at(place));
        news::unknown(&self.context.causes, CauseAddress::other(what), Some(self.blamed(span)))
    }

    /// Returns the fast-path evaluator of known, unmarked values, which reads the same slots; `None` if a tracer must see every
    /// operation.
    #[inline]
    pub(super) fn plain(&self) -> Option<plain::PlainEvaluator<'_>> {
        let CodeMachine { code, context, slots, .. } = self;
        context.tracer.is_none().then_some(plain::PlainEvaluator { code, context, slots })
    }

    /// Returns the value of a slot, which is a loop variable or the item of a splat.
    pub(super) fn local(&self, slot: u32) -> Value {
        self.slots.get(slot as usize).cloned().unwrap_or(Value::NULL)
    }

    /// Sets the value of a slot, which is a loop variable or the item of a splat.
    pub(super) fn bind(&mut self, slot: u32, value: Value) {
        if let Some(place) = self.slots.get_mut(slot as usize) {
            *place = value;
        }
    }

    /// Evaluates the items of a tuple expression to a tuple.
    #[inline(never)]
    pub(super) fn tuple(&mut self, items: &[OpId], id: OpId) -> Value {
        if !self.hold(room(items.len()), id) {
            return unknown_dynamic();
        }
        let mut values = Vec::with_capacity(items.len());
        let mut whole = ValueMeasure::PARENT;
        for item in items {
            let value = self.eval(*item);
            if !self.take_in(&mut whole, &value, *item) {
                return unknown_dynamic();
            }
            values.push(value);
        }
        Value::tuple(values)
    }

    /// Returns the place that diagnostics name for a span: of a rendered template, that of the call that renders it.
    pub(super) fn blamed(&self, span: Span) -> Place {
        self.rendered_at.unwrap_or_else(|| self.place(span))
    }

    /// Returns the place in the file of a span that is relative to the code.
    pub(super) fn place(&self, span: Span) -> Place {
        Place::new(self.file, span.shift(self.base))
    }

    /// Ends the whole evaluation with an error at an operation; `try` does not catch the error.
    pub(super) fn stop(&mut self, row: &'static DiagnosticCode, id: OpId, detail: String) {
        let place = self.blamed(self.code.span_of(id));
        self.run.stopped.get_or_insert_with(|| Diagnostic::error(row, detail).at(place).into());
    }

    /// Reports an error at a span of the code.
    #[inline(never)]
    pub(super) fn fail(
        &mut self,
        row: &'static DiagnosticCode,
        span: Span,
        detail: impl Into<Sentence>,
    ) {
        let place = self.place(span);
        let detail = detail.into().shown(self.hidden).into_text();
        self.push(Diagnostic::error(row, detail).at(place));
    }

    /// Runs `work`; its diagnostics hide values if one of these marks forbids showing them.
    pub(super) fn with_marks<T>(&mut self, marks: &Marks, work: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.hidden;
        self.hidden |= marks.hide();
        let done = work(self);
        self.hidden = before;
        done
    }

    /// Adds a diagnostic; ends the evaluation if there are too many.
    pub(super) fn push(&mut self, found: Diagnostic) {
        let most = self.context.limits.findings.saturating_mul(FINDINGS_BEFORE_STOP);
        if self.run.out.len() >= most {
            let detail = format!("This evaluation was stopped after {most} findings.");
            let place = self.rendered_at.or(found.place);
            let stopped = Diagnostic { place, ..Diagnostic::error(&codes::FINDINGS, detail) };
            self.run.stopped.get_or_insert_with(|| stopped.into());
            return;
        }
        self.run.out.push(found);
    }

    /// Reports an error at `span`, the part of the construct at `context` that is at fault.
    #[inline(never)]
    pub(super) fn fail_within(
        &mut self,
        row: &'static DiagnosticCode,
        span: Span,
        context: Span,
        detail: impl Into<Sentence>,
    ) {
        let place = self.place(span);
        let detail = detail.into().shown(self.hidden).into_text();
        let context = context.shift(self.base);
        self.push(Diagnostic::error(row, detail).at(place).within(context));
    }

    /// Returns the number of errors that this evaluation has reported so far.
    pub(super) fn errors(&self) -> usize {
        self.run.out.error_count()
    }

    /// Returns the value; if a part of it is a result of the console's function `type`, reports an error and returns an unknown.
    #[inline(never)]
    pub(super) fn refuse_type_text(&mut self, value: Value) -> Value {
        if !value.deep_marks().contains(&Mark::TypeText) || is_type_text(&value) {
            return value;
        }
        let detail = "The result of `type` cannot be a part of another value; call it on its own.";
        self.run.out.push(Diagnostic::error(&codes::TYPE_VALUE, detail));
        unknown_dynamic()
    }
}

/// Returns the memory in bytes that is charged for a collection of `parts` elements.
pub(super) fn room(parts: usize) -> u64 {
    OVERHEAD + (parts * size_of::<Value>()) as u64
}

/// Returns an unknown of the dynamic type without causes, which stands for the result of an error.
pub(super) fn unknown_dynamic() -> Value {
    /// The unknown of the dynamic type, built on first use.
    static UNKNOWN: LazyLock<Value> = LazyLock::new(|| Value::unknown(Type::Dynamic));
    UNKNOWN.clone()
}

/// Returns an unknown value of this type, known not to be null, with these causes.
pub(super) fn unknown_of(ty: Type, causes: Causes) -> Value {
    Value::refined(ty, Refinement::not_null(), causes)
}

/// Returns true if the value is a result of the console's function `type`.
pub(super) fn is_type_text(value: &Value) -> bool {
    // The result of comparing two types carries the mark too, but is not a type text.
    matches!(value, Value::Marked(marked) if marked.marks().contains(&Mark::TypeText))
        && matches!(value.bare(), Value::String(_))
}

/// Converts a value to a primitive type; a value of that type is returned as it is.
pub(super) fn to_primitive(value: Value, ty: &Type) -> Result<Value, Mismatch> {
    let already = match value.bare() {
        Value::Bool(_) => *ty == Type::Bool,
        Value::Decimal(_) | Value::Real(_) => *ty == Type::Number,
        Value::String(_) => *ty == Type::String,
        _ => false,
    };
    if is_type_text(&value) {
        return Err(Mismatch::new("this is the result of `type`, which is for the console only"));
    }
    if already { Ok(value) } else { convert(&value, ty) }
}

/// Returns the causes of an unknown value; none for a known one.
pub(super) fn causes_of(value: &Value) -> Causes {
    match value.bare() {
        Value::Unknown(unknown) => unknown.causes.clone(),
        _ => Causes::NONE,
    }
}

/// Returns true if any of the diagnostics is an error.
pub(super) fn has_errors(found: &[Diagnostic]) -> bool {
    found.iter().any(|one| one.severity == Severity::Error)
}

/// Returns a part of a message as a sentence, capitalised and with a full stop.
pub(super) fn sentence(part: &str) -> String {
    let mut letters = part.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    let stop = if part.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{first}{}{stop}", letters.as_str())
}

/// Returns the union of the marks of several values.
pub(super) fn marks_of<'v>(values: impl IntoIterator<Item = &'v Value>) -> Marks {
    let mut all = Marks::NONE;
    for value in values {
        if let Value::Marked(marked) = value {
            all = all.union(marked.marks());
        }
    }
    all
}

/// A stack of operations whose left operands are being evaluated; the first eight need no allocation.
pub(super) struct OperandSpine {
    pub(super) near: [OpId; 8],
    pub(super) len: usize,
    pub(super) far: Vec<OpId>,
}

impl OperandSpine {
    /// Creates an empty stack, for the operations whose left operands are being evaluated.
    pub(super) fn new() -> OperandSpine {
        OperandSpine { near: [OpId(0); 8], len: 0, far: Vec::new() }
    }

    /// Pushes an operation whose left operand is evaluated next onto the stack.
    pub(super) fn push(&mut self, id: OpId) {
        match self.near.get_mut(self.len) {
            Some(place) => {
                *place = id;
                self.len += 1;
            }
            None => self.far.push(id),
        }
    }

    /// Removes and returns the operation pushed last onto the stack; `None` if it is empty.
    pub(super) fn pop(&mut self) -> Option<OpId> {
        if let Some(id) = self.far.pop() {
            return Some(id);
        }
        self.len = self.len.checked_sub(1)?;
        self.near.get(self.len).copied()
    }
}
