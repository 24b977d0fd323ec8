//! Literals that are read without evaluation: strings, bare words, and references with literal keys.

use groma_syntax::Expr;
use groma_syntax::ast::{ExprCase, ExprView};

/// Returns true if an expression is a root name followed by attribute names and literal keys only.
pub fn is_traversal(expression: ExprView<'_>) -> bool {
    let mut at = expression;
    loop {
        at = match at.case() {
            ExprCase::Root(word) => return !matches!(word, "true" | "false" | "null"),
            ExprCase::Missing => return true,
            ExprCase::Attribute { object, .. } | ExprCase::LegacyIndex { object, .. } => object,
            ExprCase::Index { object, key, .. } => match key.case() {
                ExprCase::Number(_) | ExprCase::Missing => object,
                ExprCase::Template(template) if template.plain().is_some() => object,
                _ => return false,
            },
            _ => return false,
        };
    }
}

/// Returns the text of a quoted string without interpolations in native syntax, such as a reference that old code quotes; `None`
/// for any other expression.
pub fn quoted(expression: ExprView<'_>) -> Option<String> {
    match expression.case() {
        ExprCase::Template(template) => template.plain().map(|text| text.into_owned()),
        _ => None,
    }
}

/// Returns the text of a quoted string without interpolations, in either syntax; `None` for any other expression.
pub fn literal_text(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Native(native) => match native.view().case() {
            ExprCase::Template(template) => template.plain().map(|text| text.into_owned()),
            _ => None,
        },
        Expr::Json(json) => match json.view().case() {
            groma_syntax::json::JsonCase::String(text) => {
                (!text.contains("${") && !text.contains("%{")).then(|| text.into_owned())
            }
            _ => None,
        },
    }
}

/// Returns the expression that an address is read from, and the byte offset to add to its places: the expression itself, or the
/// parsed content of a JSON string; `None` for JSON without such content.
pub fn address_expression(expr: &Expr) -> Option<(Expr, u32)> {
    let Expr::Json(json) = expr else { return Some((expr.clone(), 0)) };
    let groma_syntax::json::JsonCase::String(text) = json.view().case() else { return None };
    let parse = groma_syntax::parse_expression(&(*text).into(), expr.file());
    let found = Expr::of(&parse);
    parse.diagnostics.is_empty().then(|| (found, expr.place().span.start + 1))
}

/// Returns the word that is the whole expression, bare as in `type = string` or quoted; `None` for any other expression.
pub fn keyword(expr: &Expr) -> Option<String> {
    bare_word(expr).or_else(|| literal_text(expr))
}

/// Returns the word that is the whole expression, which is bare in native syntax and quoted in JSON; `None` for any other
/// expression.
pub fn bare_word(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Native(native) => match native.view().case() {
            ExprCase::Root(word) => Some(word.to_owned()),
            _ => None,
        },
        Expr::Json(_) => literal_text(expr),
    }
}
