//! Lowering: the typed view of an expression becomes [`Code`]. It reports nothing: an error becomes a
//! [`Fault`], which is reported only if it is evaluated, since `try` and skipped operands may never
//! reach it.

mod call;
mod collection;
mod constant;
mod head;
mod json;
mod literal;
mod scratch;
mod template;
mod traversal;

use std::sync::Arc;

pub use literal::{LiteralSetting, settings};

use groma_functions::FunctionLibrary;
use groma_runtime::Limits;
use groma_syntax::ast::{self, ExprCase, ExprView, UnaryOp};
use groma_syntax::{DiagnosticCode, Expr, Span};
use groma_value::{Number, Value};

use crate::code::{CalledProvider, Code, CodeOperation, LocatedCode, OpId, OpKind, sources_of};
use crate::codes;
use crate::fault::Fault;
use scratch::ScratchBuffers;

/// Lowers an expression, in native or JSON syntax, to code.
pub fn lower(expr: &Expr, library: &FunctionLibrary) -> Arc<Code> {
    match expr {
        Expr::Native(native) => {
            let view = native.view();
            lower_view(view, view.span().start, library)
        }
        Expr::Json(json) => {
            let mut lowering = Lowering::new(library, json.span().start);
            let root = lowering.json(json.view());
            lowering.finish(root)
        }
    }
}

impl LocatedCode {
    /// Lowers an expression and returns the code with its file and offset.
    pub fn of(expr: &Expr, library: &FunctionLibrary) -> LocatedCode {
        LocatedCode { code: lower(expr, library), file: expr.file(), base: expr.span().start }
    }
}

/// Lowers an expression in native syntax to code; spans become relative to `base`.
pub fn lower_view(expression: ExprView<'_>, base: u32, library: &FunctionLibrary) -> Arc<Code> {
    let mut lowering = Lowering::new(library, base);
    let root = lowering.expression(expression);
    lowering.finish(root)
}

/// Lowers a template to code; spans become relative to its start.
pub fn lower_template(template: ast::TemplateView<'_>, library: &FunctionLibrary) -> Arc<Code> {
    let mut lowering = Lowering::new(library, template.span().start);
    let root = lowering.template(template, template.span());
    lowering.finish(root)
}

/// Lowers a template that a function call renders; if `stands_alone` is set, it must not call `templatefile` itself.
pub(crate) fn lower_nested(
    template: ast::TemplateView<'_>,
    library: &FunctionLibrary,
    stands_alone: bool,
) -> Arc<Code> {
    let mut lowering = Lowering::new(library, template.span().start);
    lowering.is_nested = true;
    lowering.stands_alone = stands_alone;
    let root = lowering.template(template, template.span());
    lowering.finish(root)
}

/// The state of lowering one expression to code: the operations added so far, and the names and slots of enclosing loops.
pub(crate) struct Lowering<'l> {
    library: &'l FunctionLibrary,
    base: u32,
    room: Box<ScratchBuffers>,
    providers: Vec<CalledProvider>,
    slots: u32,
    /// Names bound by enclosing `for`s and their slots, the innermost last.
    locals: Vec<(Box<str>, u32)>,
    /// The slots of the items of enclosing splats, the innermost last.
    items: Vec<u32>,
    next_slot: u32,
    depth: usize,
    /// The offset of the current template inside JSON, and the absolute span that its spans must not exceed.
    inside: Option<(u32, Span)>,
    /// True for a template that a function call renders.
    is_nested: bool,
    /// True for a rendered template that must not call `templatefile`.
    stands_alone: bool,
}

impl<'l> Lowering<'l> {
    /// Creates the state of lowering a text whose spans begin at `base`.
    fn new(library: &'l FunctionLibrary, base: u32) -> Lowering<'l> {
        Lowering {
            library,
            base,
            room: ScratchBuffers::take(),
            providers: Vec::new(),
            slots: 0,
            locals: Vec::new(),
            items: Vec::new(),
            next_slot: 0,
            depth: 0,
            inside: None,
            is_nested: false,
            stands_alone: false,
        }
    }

    /// Builds the code from the operations added so far; `root` is the operation of the whole expression.
    fn finish(mut self, root: OpId) -> Arc<Code> {
        let code = Code {
            sources: sources_of(&self.room.operations),
            operations: self.room.operations.drain(..).collect(),
            root,
            references: self.room.references.drain(..).collect(),
            step_infos: self.room.step_infos.drain(..).collect(),
            slots: u16::try_from(self.slots).unwrap_or(u16::MAX),
            library: *self.library,
            providers: self.providers.into(),
        };
        self.room.give_back();
        Arc::new(code)
    }

    /// Adds an operation and returns its id; `span` is absolute.
    fn add(&mut self, node: OpKind, span: Span) -> OpId {
        let id = OpId(u32::try_from(self.room.operations.len()).unwrap_or(u32::MAX));
        let span = self.relative(span);
        self.room.operations.push(CodeOperation { node, span });
        id
    }

    /// Returns an absolute span relative to the start of the code.
    fn relative(&self, span: Span) -> Span {
        let span = match self.inside {
            Some((base, whole)) => {
                let span = span.shift(base);
                Span::new(span.start.min(whole.end), span.end.min(whole.end))
            }
            None => span,
        };
        Span::new(span.start.saturating_sub(self.base), span.end.saturating_sub(self.base))
    }

    /// Adds an operation that reports this error if it is evaluated.
    fn fault(&mut self, row: &'static DiagnosticCode, span: Span, detail: String) -> OpId {
        let fault = Fault { row, span: self.relative(span), detail, absent: None };
        self.add(OpKind::Fault(Box::new(fault)), span)
    }

    /// Adds an operation that, if evaluated, reports that `what` does not exist.
    fn absence(
        &mut self,
        row: &'static DiagnosticCode,
        span: Span,
        detail: String,
        what: String,
    ) -> OpId {
        let fault = Fault { row, span: self.relative(span), detail, absent: Some(what.into()) };
        self.add(OpKind::Fault(Box::new(fault)), span)
    }

    /// Returns the value of an operation that is a constant; `None` for others.
    fn value(&self, id: OpId) -> Option<&Value> {
        match self.room.operations.get(id.0 as usize) {
            Some(CodeOperation { node: OpKind::Value(value), .. }) => Some(value),
            _ => None,
        }
    }

    /// Reserves a free slot for the variable of a loop.
    fn slot(&mut self) -> u32 {
        let slot = self.next_slot;
        self.next_slot += 1;
        self.slots = self.slots.max(self.next_slot);
        slot
    }

    /// Runs `build` one nesting level deeper; at the maximum depth it adds an error instead.
    fn deeper(&mut self, span: Span, build: impl FnOnce(&mut Self) -> OpId) -> OpId {
        if self.depth >= Limits::DEFAULT.nesting {
            let detail =
                "This nests too deeply to be evaluated; move a part of it to a local value."
                    .to_owned();
            return self.fault(&codes::LIMIT_NESTING, span, detail);
        }
        self.depth += 1;
        let id = build(self);
        self.depth -= 1;
        id
    }

    /// Lowers an expression to an operation, checking the nesting depth.
    fn expression(&mut self, expression: ExprView<'_>) -> OpId {
        self.deeper(expression.span(), |lowering| lowering.dispatch(expression))
    }

    /// Lowers an expression to an operation by its kind, such as a call or a template.
    fn dispatch(&mut self, expression: ExprView<'_>) -> OpId {
        let span = expression.span();
        match expression.case() {
            ExprCase::Number(text) => self.number(text, span),
            case @ (ExprCase::Root(_)
            | ExprCase::Attribute { .. }
            | ExprCase::Index { .. }
            | ExprCase::LegacyIndex { .. }
            | ExprCase::Splat { .. }
            | ExprCase::SplatItem) => self.postfix(expression, case),
            ExprCase::Template(template) => self.template(template, span),
            ExprCase::Parenthesised(inner) => self.expression(inner),
            ExprCase::Unary { op, operand, .. } => self.unary(op, operand, span),
            ExprCase::Binary { .. } => self.binary(expression),
            ExprCase::Conditional { condition, then, otherwise } => {
                let condition = self.expression(condition);
                let then = self.expression(then);
                let otherwise = self.expression(otherwise);
                self.add(OpKind::Conditional { condition, then, otherwise }, span)
            }
            ExprCase::Tuple(items) => self.tuple(&items, span),
            ExprCase::Object(items) => self.object(&items, span),
            ExprCase::For(each) => self.comprehension(&each, span),
            ExprCase::Call(call) => self.call(&call, span),
            ExprCase::Missing => self.add(OpKind::Missing, span),
        }
    }

    /// Lowers a number literal to a constant.
    fn number(&mut self, text: &str, span: Span) -> OpId {
        match Number::parse_literal(text) {
            // A literal is read once and used in many computations.
            Some(number) => self.add(OpKind::Value(number.in_binary().into()), span),
            None => self.add(OpKind::Missing, span),
        }
    }

    /// Lowers `!` or `-` with its operand to an operation, or a negated number literal to a constant.
    fn unary(&mut self, op: UnaryOp, operand: ExprView<'_>, span: Span) -> OpId {
        let operand = self.expression(operand);
        let node = match (op, self.value(operand).and_then(Value::as_number)) {
            (UnaryOp::Negate, Some(number)) => OpKind::Value(number.negate().into()),
            (UnaryOp::Negate, _) => OpKind::Negate(operand),
            (UnaryOp::Not, _) => OpKind::Not(operand),
        };
        self.add(node, span)
    }

    /// Lowers a binary operation, or computes it if both operands are number literals. Left operands nest without bound (`a + b +
    /// c`), so a loop walks them.
    fn binary(&mut self, expression: ExprView<'_>) -> OpId {
        let mut pending = Vec::new();
        let mut current = expression;
        while let ExprCase::Binary { op, left, right, .. } = current.case() {
            pending.push((op, right, current.span()));
            current = left;
        }
        let mut left = self.expression(current);
        while let Some((op, right, span)) = pending.pop() {
            let right = self.expression(right);
            let constant = match (self.value(left), self.value(right)) {
                (Some(left), Some(right)) => constant::combine(op, left, right),
                _ => None,
            };
            left =
                self.add(constant.map_or(OpKind::Binary { op, left, right }, OpKind::Value), span);
        }
        left
    }
}
