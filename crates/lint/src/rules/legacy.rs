//! Syntax from before 0.12 that still works. A number after a dot inside of a splat has another meaning than in brackets, and is
//! not reported.

use groma_syntax::Diagnostic;
use groma_syntax::ast::ExprCase;

use crate::codes;
use crate::found::RuleFindings;
use crate::inner::{ExpressionUse, InnerExpression};
use crate::subject::LintedModule;

/// Characters in a `lookup` call that prevent a fix: line ends and the characters that begin comments.
const UNTIDY: [char; 3] = ['\n', '#', '/'];

/// Finds indexes written after a dot, as in `a.0`.
pub(super) fn index(
    node: &InnerExpression<'_>,
    subject: &LintedModule<'_>,
    found: &mut RuleFindings,
) {
    let ExprCase::LegacyIndex { digits, span, .. } = node.case else { return };
    let place = node.place(node.view);
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    if node.is_in_splat || !is_number || !subject.is_native(place) {
        return;
    }
    let place = groma_syntax::Place::new(place.file, *span);
    let detail = format!(
        "An index after a dot is the syntax of the language before 0.12. Write [{digits}]."
    );
    let one = Diagnostic::warning(&codes::LEGACY_INDEX, detail).at(place);
    found.push(one.fix(place, format!("[{digits}]"), "Write the key in brackets"));
}

/// Finds splats written after a dot, as in `a.*.b`. No fix is offered, because following index steps have another meaning than
/// after brackets.
pub(super) fn splat(
    node: &InnerExpression<'_>,
    subject: &LintedModule<'_>,
    found: &mut RuleFindings,
) {
    let ExprCase::Splat { full: false, marker, .. } = node.case else { return };
    let place = node.place(node.view);
    if subject.is_native(place) {
        let detail = "A splat after a dot is the syntax of the language before 0.12. Write [*].";
        let place = groma_syntax::Place::new(place.file, *marker);
        found.push(Diagnostic::warning(&codes::LEGACY_SPLAT, detail).at(place));
    }
}

/// Finds calls of `lookup` without a default, which are deprecated.
pub(super) fn call(
    node: &InnerExpression<'_>,
    subject: &LintedModule<'_>,
    found: &mut RuleFindings,
) {
    let ExprCase::Call(call) = node.case else { return };
    let ("lookup", [map, key], false) = (&*call.name, &call.args[..], call.expand) else { return };
    let place = node.place(node.view);
    let detail = "Without a default `lookup` is the same as brackets, and fails for a missing key. Write the key in brackets, or give a default.";
    let mut one = Diagnostic::warning(&codes::LOOKUP_WITHOUT_DEFAULT, detail).at(place);
    let is_name = matches!(
        map.case(),
        ExprCase::Attribute { .. } | ExprCase::Index { .. } | ExprCase::Root(_)
    );
    let is_tidy = !node.view.text().contains(UNTIDY);
    if is_name && is_tidy && node.stands != ExpressionUse::Key && subject.is_native(place) {
        let text = format!("{}[{}]", map.text().trim(), key.text().trim());
        one = one.fix(place, text, "Write the key in brackets");
    }
    found.push(one);
}
