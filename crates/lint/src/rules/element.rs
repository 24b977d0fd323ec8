//! Duplicate strings in a literal set. The finding does not quote the string, which may be a secret.

use groma_syntax::Diagnostic;
use groma_syntax::ast::ExprCase;
use rustc_hash::FxHashSet;

use crate::codes;
use crate::found::RuleFindings;
use crate::inner::{InnerExpression, bare, plain};
use crate::subject::LintedModule;

/// Finds duplicate strings in the list literal of a `toset` call.
pub(super) fn look(node: &InnerExpression<'_>, _: &LintedModule<'_>, found: &mut RuleFindings) {
    let ExprCase::Call(call) = node.case else { return };
    let ("toset", [list]) = (&*call.name, &call.args[..]) else { return };
    let ExprCase::Tuple(items) = bare(*list).case() else { return };
    let mut known = FxHashSet::default();
    for item in items {
        if plain(item).is_some_and(|text| !known.insert(text.into_owned())) {
            let detail = "The same element occurs further left, and a set contains it only once.";
            let place = node.place(item);
            found.push(Diagnostic::warning(&codes::DUPLICATE_ELEMENT, detail).at(place));
        }
    }
}
