//! What a `terraform` block says of the language itself. There was never more than one edition of it,
//! and experiments exist only in versions that are made for them.

use groma_functions::Dialect;
use groma_syntax::ast::Case;
use groma_syntax::{Code, Diagnostic, Diagnostics, Expr};

use crate::declare::{Gatherer, Raw, keyword};

static EXPERIMENT: Code =
    Code { slug: "experiment", summary: "There are no experiments in this edition" };
static LANGUAGE: Code = Code { slug: "language-edition", summary: "Unknown language edition" };

/// The only edition of the language that there ever was.
const EDITION: &str = "TF2021";

pub(super) fn check(blocks: &[Raw], gatherer: &Gatherer<'_>, out: &mut Diagnostics) {
    if gatherer.library.edition.dialect != Dialect::Terraform {
        return;
    }
    for block in blocks.iter().filter(|block| &*block.kind == "terraform") {
        if let Some(argument) = block.argument("experiments") {
            let detail = "Experiments exist only in versions that are made for trying them out. Remove the argument.";
            out.push(Diagnostic::error(&EXPERIMENT, detail).at(argument.name_place));
        }
        if let Some(argument) = block.argument("language")
            && !is_edition(&argument.expr)
        {
            let detail = format!(
                "The only edition of the language is {EDITION}, written without quotes. Remove the argument."
            );
            out.push(Diagnostic::error(&LANGUAGE, detail).at(argument.expr.place()));
        }
    }
}

fn is_edition(expr: &Expr) -> bool {
    match expr {
        Expr::Native(native) => match native.view().case() {
            Case::Root(found) => found == EDITION,
            Case::Missing => true,
            _ => false,
        },
        Expr::Json(_) => keyword(expr).as_deref() == Some(EDITION),
    }
}
