//! Conditions with the same result for any inputs. A count of 0 or a local that is true is a manual switch and not reported.

use groma_syntax::Diagnostic;
use groma_syntax::ast::{BinaryOp, ExprCase, ExprView, UnaryOp};
use groma_value::Type;

use crate::codes;
use crate::found::RuleFindings;
use crate::inner::{InnerExpression, bare, plain};
use crate::known::type_of;
use crate::subject::LintedModule;

/// Finds conditions that have the same result for any inputs.
pub(super) fn look(
    node: &InnerExpression<'_>,
    subject: &LintedModule<'_>,
    found: &mut RuleFindings,
) {
    match node.case {
        ExprCase::Conditional { condition, .. } => {
            report(node, *condition, literal(*condition), found);
        }
        ExprCase::Binary { op, left, right, .. } => {
            report(node, node.view, compared(node, subject, *op, *left, *right), found);
        }
        _ => {}
    }
}

/// Finds comparisons with `[]`, which no list equals, except those that are reported as constant conditions anyway.
pub(super) fn look_at_lists(
    node: &InnerExpression<'_>,
    subject: &LintedModule<'_>,
    found: &mut RuleFindings,
) {
    let ExprCase::Binary { op: op @ (BinaryOp::Equal | BinaryOp::NotEqual), left, right, .. } =
        node.case
    else {
        return;
    };
    let is_empty = |view: ExprView<'_>| matches!(bare(view).case(), ExprCase::Tuple(items) if items.is_empty());
    let is_counted = subject.is_active(codes::SETTLED_CONDITION.slug);
    let is_settled = || is_counted && compared(node, subject, *op, *left, *right).is_some();
    if (is_empty(*left) || is_empty(*right)) && !is_settled() {
        let detail =
            "No list, set or map equals [], which is an empty tuple. Compare the length with 0.";
        let place = node.place(node.view);
        found.push(Diagnostic::warning(&codes::EMPTY_LIST_COMPARISON, detail).at(place));
    }
}

/// Finds conditionals with two identical results.
pub(super) fn look_at_results(
    node: &InnerExpression<'_>,
    _: &LintedModule<'_>,
    found: &mut RuleFindings,
) {
    let ExprCase::Conditional { then, otherwise, .. } = node.case else { return };
    if bare(*then).text().trim() == bare(*otherwise).text().trim() {
        let detail = "Both results are the same, so the condition has no effect. Write only the result, or what the other was meant to be.";
        let place = node.place(node.view);
        found.push(Diagnostic::warning(&codes::SAME_RESULTS, detail).at(place));
    }
}

/// Reports the condition `view` if it has the constant result `settled`.
fn report(
    node: &InnerExpression<'_>,
    view: ExprView<'_>,
    settled: Option<bool>,
    found: &mut RuleFindings,
) {
    let Some(settled) = settled else { return };
    let detail = format!("This is always {settled}, whatever the inputs are.");
    found.push(Diagnostic::warning(&codes::SETTLED_CONDITION, detail).at(node.place(view)));
}

/// Returns the value of `true`, `false` or their negation; `None` for any other expression.
fn literal(view: ExprView<'_>) -> Option<bool> {
    match bare(view).case() {
        ExprCase::Root("true") => Some(true),
        ExprCase::Root("false") => Some(false),
        ExprCase::Unary { op: UnaryOp::Not, operand, .. } => literal(operand).map(|one| !one),
        _ => None,
    }
}

/// Returns the result of a comparison if it is the same for any inputs; `None` otherwise.
fn compared(
    node: &InnerExpression<'_>,
    subject: &LintedModule<'_>,
    op: BinaryOp,
    left: ExprView<'_>,
    right: ExprView<'_>,
) -> Option<bool> {
    let (left, right) = (bare(left), bare(right));
    if is_length(left) && is_zero(right) {
        return match op {
            BinaryOp::GreaterOrEqual => Some(true),
            BinaryOp::Less => Some(false),
            _ => None,
        };
    }
    let is_equality = match op {
        BinaryOp::Equal => true,
        BinaryOp::NotEqual => false,
        _ => return None,
    };
    for (one, other) in [(left, right), (right, left)] {
        if matches!(other.case(), ExprCase::Root("null")) && is_never_null(one, node, subject) {
            return Some(!is_equality);
        }
    }
    for (one, other) in [(left, right), (right, left)] {
        if let Some(ty) = type_of(one, node, subject)
            && is_of_another_type(&ty, other)
        {
            return Some(!is_equality);
        }
    }
    if let (Some(one), Some(other)) = (plain(left), plain(right)) {
        return Some((one == other) == is_equality);
    }
    let is_stable = !left.text().contains('(') && names_something(left);
    (is_stable && left.text() == right.text()).then_some(is_equality)
}

/// Returns true if the literal `written` cannot equal a value of the type `ty`, because values of different types are never
/// equal.
fn is_of_another_type(ty: &Type, written: ExprView<'_>) -> bool {
    match (ty, written.case()) {
        (Type::Dynamic, _) => false,
        (ty, ExprCase::Number(_)) => !matches!(ty, Type::Number),
        (ty, ExprCase::Root("true" | "false")) => !matches!(ty, Type::Bool),
        (ty, ExprCase::Template(template)) => {
            !matches!(ty, Type::String) && template.lone_interpolation().is_none()
        }
        (ty, ExprCase::Tuple(_)) => !matches!(ty, Type::Tuple(_)),
        (ty, ExprCase::Object(_)) => !matches!(ty, Type::Object(_)),
        _ => false,
    }
}

/// Returns true if an expression is a reference, which has the same value each time, unlike the result of a call.
fn names_something(view: ExprView<'_>) -> bool {
    match view.case() {
        ExprCase::Attribute { object, .. } => names_something(object),
        ExprCase::Root(name) => !["true", "false", "null"].contains(&name),
        _ => false,
    }
}

/// Returns true if an expression is a call of `length`.
fn is_length(view: ExprView<'_>) -> bool {
    matches!(view.case(), ExprCase::Call(call) if call.name == "length")
}

/// Returns true if an expression is the number 0.
fn is_zero(view: ExprView<'_>) -> bool {
    matches!(view.case(), ExprCase::Number("0"))
}

/// Returns true if an expression is a variable that rejects null or replaces it with its default.
fn is_never_null(
    view: ExprView<'_>,
    node: &InnerExpression<'_>,
    subject: &LintedModule<'_>,
) -> bool {
    let ExprCase::Attribute { object, name, .. } = view.case() else { return false };
    let is_variable = matches!(object.case(), ExprCase::Root("var")) && !node.binds(object);
    is_variable && subject.variable(name).is_some_and(|one| !one.nullable)
}
