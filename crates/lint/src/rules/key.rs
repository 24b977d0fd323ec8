//! Duplicate keys in an object literal. The programs use the last one silently.

use groma_syntax::Diagnostic;
use groma_syntax::ast::ExprCase;
use rustc_hash::FxHashMap;

use crate::codes;
use crate::found::RuleFindings;
use crate::inner::{InnerExpression, plain};
use crate::subject::LintedModule;

/// Finds duplicate keys in an object literal.
pub(super) fn look(node: &InnerExpression<'_>, _: &LintedModule<'_>, found: &mut RuleFindings) {
    let ExprCase::Object(items) = node.case else { return };
    if items.len() < 2 {
        return;
    }
    let mut known: FxHashMap<String, groma_syntax::Place> = FxHashMap::default();
    for item in items {
        let key = match item.key.case() {
            ExprCase::Root(name) => name.to_owned(),
            _ => match plain(item.key) {
                Some(text) => text.into_owned(),
                None => continue,
            },
        };
        let place = node.place(item.key);
        if let Some(first) = known.insert(key.clone(), place) {
            let detail = format!(
                "The key \"{key}\" occurs earlier in this object, and only the last value is used. Remove one of them."
            );
            let one = Diagnostic::warning(&codes::REPEATED_KEY, detail).at(first);
            found.push(one.note_at("This is the value that is used.", place));
        }
    }
}
