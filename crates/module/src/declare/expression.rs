//! Expressions as declarations hold them: lowered once, with what they refer to. Some places take
//! constants only; there neither references nor calls may stand.

use groma_eval::{Context, Located};
use groma_functions::Library;
use groma_syntax::ast::{Case, ExprView, ObjectItem, TemplatePart, TemplateView};
use groma_syntax::{Diagnostic, Diagnostics, Expr, Phase, Place};
use groma_value::{Str, Value};

use crate::codes;
use crate::declare::referent::Use;

/// An expression of a declaration.
#[derive(Clone, Debug)]
pub struct Expression {
    /// As written.
    pub expr: Expr,
    /// As it is evaluated.
    pub located: Located,
    /// What it refers to, filled in when all declarations are known.
    pub uses: Box<[Use]>,
    /// Whether what it refers to matters only if it is evaluated.
    pub deferred: bool,
}

impl Expression {
    /// Lowers an expression.
    pub fn new(expr: &Expr, library: &Library) -> Expression {
        Expression {
            expr: expr.clone(),
            located: Located::of(expr, library),
            uses: Box::default(),
            deferred: false,
        }
    }

    /// Its value, if it needs neither names nor functions to have one.
    pub fn constant(&self) -> Option<Value> {
        let code = &self.located.code;
        if let Some(value) = code.constant() {
            return Some(value.clone());
        }
        let is_free = match &self.expr {
            Expr::Native(native) => calls(native.view()).is_empty(),
            Expr::Json(_) => true,
        };
        if !code.references().is_empty() || !is_free {
            return None;
        }
        let mut out = Diagnostics::new();
        let context = Context::bare(code.library().edition);
        let value = groma_eval::evaluate(&self.located, &context, &mut out);
        (!out.has_errors()).then_some(value)
    }

    /// Where it stands.
    pub fn place(&self) -> Place {
        self.expr.place()
    }
}

/// Reports what keeps an expression from being a constant; true if nothing does.
pub fn check_constant(expression: &Expression, whose: &str, out: &mut Diagnostics) -> bool {
    let before = out.error_count();
    let (file, base) = (expression.located.file, expression.located.base);
    for reference in expression.located.code.references() {
        let detail = format!(
            "{whose} is a constant: it cannot refer to \"{}\", because nothing is evaluated yet when it is read.",
            &*reference.root
        );
        let place = Place::new(file, reference.span.shift(base));
        out.push(not_constant(detail, place));
    }
    if let Expr::Native(native) = &expression.expr {
        for (name, place) in calls(native.view()) {
            let detail = format!(
                "{whose} is a constant: it cannot call the function {name}. Compute the value in a local value instead."
            );
            out.push(not_constant(detail, Place::new(file, place)));
        }
    }
    out.error_count() == before
}

/// The text is fine; it has no value yet.
fn not_constant(detail: String, place: Place) -> Diagnostic {
    Diagnostic::error(&codes::NOT_CONSTANT, detail).at(place).in_phase(Phase::Value)
}

/// Every call in an expression, with its place. Walks without recursion.
fn calls(expression: ExprView<'_>) -> Vec<(Str, groma_syntax::Span)> {
    let mut found = Vec::new();
    let mut rest = vec![expression];
    while let Some(expression) = rest.pop() {
        match expression.case() {
            Case::Call(call) => {
                found.push((Str::from(call.name.as_ref()), expression.span()));
                rest.extend(call.args);
            }
            Case::Template(template) => rest.extend(inside(template)),
            Case::Parenthesised(inner) => rest.push(inner),
            Case::Unary { operand, .. } => rest.push(operand),
            Case::Binary { left, right, .. } => rest.extend([left, right]),
            Case::Conditional { condition, then, otherwise } => {
                rest.extend([condition, then, otherwise]);
            }
            Case::Tuple(items) => rest.extend(items),
            Case::Object(items) => {
                rest.extend(items.into_iter().flat_map(|ObjectItem { key, value }| [key, value]));
            }
            Case::For(each) => {
                rest.extend([each.collection, each.value]);
                rest.extend(each.key.into_iter().chain(each.condition));
            }
            Case::Attribute { object, .. } | Case::LegacyIndex { object, .. } => rest.push(object),
            Case::Index { object, key, .. } => rest.extend([object, key]),
            Case::Splat { source, each, .. } => rest.extend([source, each]),
            Case::Number(_) | Case::Root(_) | Case::SplatItem | Case::Missing => {}
        }
    }
    found.sort_by_key(|(_, span)| *span);
    found
}

/// The expressions directly inside a template.
fn inside(template: TemplateView<'_>) -> Vec<ExprView<'_>> {
    let mut found = Vec::new();
    let mut rest = template.parts();
    while let Some(part) = rest.pop() {
        match part {
            TemplatePart::Literal { .. } => {}
            TemplatePart::Interpolation { expr, .. } => found.push(expr),
            TemplatePart::If { condition, then, otherwise, .. } => {
                found.push(condition);
                rest.extend(then);
                rest.extend(otherwise.into_iter().flatten());
            }
            TemplatePart::For { collection, body, .. } => {
                found.push(collection);
                rest.extend(body);
            }
        }
    }
    found
}
