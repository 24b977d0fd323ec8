//! References that are read and not evaluated: names, and keys that are written out.

use groma_syntax::ast::{Case, Expression as View};

/// Whether an expression is a name followed by names and literal keys.
pub(crate) fn is_traversal(expression: View<'_>) -> bool {
    let mut at = expression;
    loop {
        at = match at.case() {
            Case::Root(word) => return !matches!(word, "true" | "false" | "null"),
            Case::Missing => return true,
            Case::Attribute { object, .. } | Case::LegacyIndex { object, .. } => object,
            Case::Index { object, key, .. } => match key.case() {
                Case::Number(_) | Case::Missing => object,
                Case::Template(template) if template.plain().is_some() => object,
                _ => return false,
            },
            _ => return false,
        };
    }
}

/// The text of a reference in quotes, as old code has them.
pub(crate) fn quoted(expression: View<'_>) -> Option<String> {
    match expression.case() {
        Case::Template(template) => template.plain().map(|text| text.into_owned()),
        _ => None,
    }
}
