//! Conditions that are the same whatever the inputs are. A count of 0 or a local that is true is a switch that somebody
//! turns by hand, and no finding.

use groma_syntax::Diagnostic;
use groma_syntax::ast::{BinaryOp, Case, ExprView, UnaryOp};

use crate::codes;
use crate::found::Found;
use crate::node::{Node, bare, plain};
use crate::subject::Subject;

pub(super) fn look(node: &Node<'_>, subject: &Subject<'_>, found: &mut Found<'_>) {
    match node.case {
        Case::Conditional { condition, .. } => {
            report(node, *condition, literal(*condition), found);
        }
        Case::Binary { op, left, right, .. } => {
            report(node, node.view, compared(node, subject, *op, *left, *right), found);
        }
        _ => {}
    }
}

fn report(node: &Node<'_>, view: ExprView<'_>, settled: Option<bool>, found: &mut Found<'_>) {
    let Some(settled) = settled else { return };
    let detail = format!("This is always {settled}, whatever the inputs are.");
    found.push(Diagnostic::warning(&codes::SETTLED_CONDITION, detail).at(node.place(view)));
}

/// What stands there as it is.
fn literal(view: ExprView<'_>) -> Option<bool> {
    match bare(view).case() {
        Case::Root("true") => Some(true),
        Case::Root("false") => Some(false),
        Case::Unary { op: UnaryOp::Not, operand, .. } => literal(operand).map(|one| !one),
        _ => None,
    }
}

fn compared(
    node: &Node<'_>,
    subject: &Subject<'_>,
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
        if matches!(other.case(), Case::Root("null")) && is_never_null(one, node, subject) {
            return Some(!is_equality);
        }
    }
    if let (Some(one), Some(other)) = (plain(left), plain(right)) {
        return Some((one == other) == is_equality);
    }
    let is_stable = !left.text().contains('(') && names_something(left);
    (is_stable && left.text() == right.text()).then_some(is_equality)
}

/// Whether it is an address: what is computed twice may be something else each time.
fn names_something(view: ExprView<'_>) -> bool {
    match view.case() {
        Case::Attribute { object, .. } => names_something(object),
        Case::Root(name) => !["true", "false", "null"].contains(&name),
        _ => false,
    }
}

fn is_length(view: ExprView<'_>) -> bool {
    matches!(view.case(), Case::Call(call) if call.name == "length")
}

fn is_zero(view: ExprView<'_>) -> bool {
    matches!(view.case(), Case::Number("0"))
}

/// Whether it is a variable that refuses null, or takes its default then.
fn is_never_null(view: ExprView<'_>, node: &Node<'_>, subject: &Subject<'_>) -> bool {
    let Case::Attribute { object, name, .. } = view.case() else { return false };
    let is_variable = matches!(object.case(), Case::Root("var")) && !node.binds("var");
    is_variable && subject.variable(name).is_some_and(|one| !one.nullable)
}
