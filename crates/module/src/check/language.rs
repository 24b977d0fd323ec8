//! Validation of language settings in a `terraform` block. There has only ever been one language edition, and experiments exist
//! only in experimental versions.

use std::sync::Arc;

use crate::dialect::LanguageSetting;
use groma_config::{RawBlock, keyword};
use groma_eval::news;
use groma_syntax::ast::ExprCase;
use groma_syntax::{Diagnostics, Expr};

use crate::codes;
use crate::declare::DeclarationReader;

/// Reports in a module's settings blocks a list of experiments that is not empty, and a language edition other than that of the
/// dialect, such as `TF2021`.
pub(super) fn check(
    blocks: &[Arc<RawBlock>],
    gatherer: &DeclarationReader<'_>,
    out: &mut Diagnostics,
) {
    let LanguageSetting { block: kind, argument, edition } = gatherer.conventions.language;
    let known = gatherer.library.edition;
    for block in blocks.iter().filter(|block| *block.kind == *kind) {
        if let Some(argument) = block.argument("experiments")
            && !is_empty(&argument.expr)
        {
            let detail = "Experiments exist only in experimental versions. Remove the argument.";
            out.push(news::refuse(&codes::EXPERIMENT, detail, known).at(argument.name_place));
        }
        if let Some(argument) = block.argument(argument)
            && !is_edition(&argument.expr, edition)
        {
            let detail = format!(
                "The only edition of the language is {edition}, written without quotes. Remove the argument."
            );
            let found = news::refuse(&codes::LANGUAGE_EDITION, detail, known);
            out.push(found.at(argument.expr.place()));
        }
    }
}

/// Returns true if an expression is an empty list in native syntax.
fn is_empty(expr: &Expr) -> bool {
    matches!(expr, Expr::Native(native) if matches!(native.view().case(), ExprCase::Tuple(items) if items.is_empty()))
}

/// Returns true if an expression is the word `edition` (bare in native syntax, quoted in JSON), or if a syntax error has left
/// none.
fn is_edition(expr: &Expr, edition: &str) -> bool {
    match expr {
        Expr::Native(native) => match native.view().case() {
            ExprCase::Root(found) => found == edition,
            ExprCase::Missing => true,
            _ => false,
        },
        Expr::Json(_) => keyword(expr).as_deref() == Some(edition),
    }
}
