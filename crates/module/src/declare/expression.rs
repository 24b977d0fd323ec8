//! Expressions of declarations: lowered once, with their resolved references. Some arguments accept constants only, without
//! references and calls.

use groma_eval::{Context, LocatedCode};
use groma_functions::FunctionLibrary;
use groma_syntax::ast::{ExprCase, ExprView};
use groma_syntax::{Diagnostic, Diagnostics, Expr, Phase, Place};
use groma_value::{Str, Value};

use crate::codes;
use crate::declare::referent::ReferentUse;

/// An expression of a declaration: its source, its lowered code and the declarations that it refers to.
#[derive(Clone, Debug)]
pub struct Expression {
    /// The source expression.
    pub expr: Expr,
    /// The lowered code.
    pub located: LocatedCode,
    /// The declarations that it refers to, filled in by resolution.
    pub uses: Box<[ReferentUse]>,
    /// True if unresolved references matter only if it is evaluated.
    pub deferred: bool,
}

impl Expression {
    /// Creates an expression by lowering its source; its references are not resolved yet.
    pub fn new(expr: &Expr, library: &FunctionLibrary) -> Expression {
        Expression {
            expr: expr.clone(),
            located: LocatedCode::of(expr, library),
            uses: Box::default(),
            deferred: false,
        }
    }

    /// Returns the value of an expression without references and calls; `None` for others, or if it has errors.
    pub fn constant(&self) -> Option<Value> {
        let code = &self.located.code;
        if let Some(value) = code.constant() {
            return Some(value.clone());
        }
        if !code.references().is_empty() {
            return None;
        }
        let is_free = match &self.expr {
            Expr::Native(native) => calls(native.view()).is_empty(),
            Expr::Json(_) => true,
        };
        if !is_free {
            return None;
        }
        let mut out = Diagnostics::new();
        let context = Context::bare(code.library().edition);
        let value = groma_eval::evaluate(&self.located, &context, &mut out);
        (!out.has_errors()).then_some(value)
    }

    /// Returns the source range of the expression.
    pub fn place(&self) -> Place {
        self.expr.place()
    }
}

/// Reports references and calls in an expression that must be constant; returns true if there are none; `whose` names the
/// expression in messages.
pub(crate) fn check_constant(expression: &Expression, whose: &str, out: &mut Diagnostics) -> bool {
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

/// Returns the diagnostic for an expression that is valid but not constant.
fn not_constant(detail: String, place: Place) -> Diagnostic {
    Diagnostic::error(&codes::NOT_CONSTANT, detail).at(place).in_phase(Phase::Value)
}

/// Returns the name and span of every function call in an expression, in source order. Iterative, not recursive.
fn calls(expression: ExprView<'_>) -> Vec<(Str, groma_syntax::Span)> {
    let mut found = Vec::new();
    let mut rest = vec![expression];
    while let Some(expression) = rest.pop() {
        let case = expression.case();
        if let ExprCase::Call(call) = &case {
            found.push((Str::from(call.name.as_ref()), expression.span()));
        }
        case.inner(|one| rest.push(one));
    }
    found.sort_by_key(|(_, span)| *span);
    found
}
