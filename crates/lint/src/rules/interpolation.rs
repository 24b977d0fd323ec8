//! Strings that consist of one interpolation. It keeps the type of its expression, so the quotes are redundant.

use groma_syntax::Diagnostic;
use groma_syntax::ast::ExprCase;

use crate::codes;
use crate::found::RuleFindings;
use crate::inner::{ExpressionUse, InnerExpression};
use crate::subject::LintedModule;

/// Finds strings that consist of one interpolation.
pub(super) fn look(
    node: &InnerExpression<'_>,
    subject: &LintedModule<'_>,
    found: &mut RuleFindings,
) {
    let ExprCase::Template(template) = node.case else { return };
    let Some(inner) = template.lone_interpolation() else { return };
    let place = node.place(node.view);
    if node.stands == ExpressionUse::Key || !subject.is_native(place) {
        return;
    }
    let detail = "The quotes and braces have no effect: this is the value inside, with its type.";
    let mut one = Diagnostic::warning(&codes::LONE_INTERPOLATION, detail).at(place);
    if node.stands == ExpressionUse::Alone && !node.view.text().contains(['\n', '#', '~']) {
        one = one.fix(place, inner.text(), "Write only the expression");
    }
    found.push(one);
}
