//! Addresses in `moved` and `removed` blocks: they are read before anything is evaluated, so they are
//! written out in full.

use groma_functions::Dialect;
use groma_syntax::ast::{Case, Expression as View};
use groma_syntax::{Code, Diagnostic, Diagnostics, Expr};

use crate::declare::{Gatherer, Raw};

static ADDRESS: Code = Code { slug: "invalid-address", summary: "This is not an address" };
static FORGOTTEN: Code =
    Code { slug: "removed-without-lifecycle", summary: "Removed object is only forgotten" };

pub(super) fn check(blocks: &[Raw], gatherer: &Gatherer<'_>, out: &mut Diagnostics) {
    let is_tofu = gatherer.library.edition.dialect == Dialect::OpenTofu;
    for block in blocks {
        let names: &[&str] = match &*block.kind {
            "moved" => &["from", "to"],
            "removed" => &["from"],
            _ => continue,
        };
        for argument in names.iter().filter_map(|name| block.argument(name)) {
            // In JSON an address is a text, and what it says is looked at by those who use it.
            if let Expr::Native(native) = &argument.expr
                && !is_address(native.view())
            {
                let detail = format!(
                    "\"{}\" takes an address that is written out without quotes, such as aws_instance.web[0] or module.net; nothing is evaluated in it.",
                    &*argument.name
                );
                out.push(Diagnostic::error(&ADDRESS, detail).at(argument.expr.place()));
            }
        }
        let keeps = block.blocks_of("lifecycle").next().is_none();
        if is_tofu && &*block.kind == "removed" && keeps {
            let detail = "Without a lifecycle block the object is forgotten and goes on existing. Add lifecycle { destroy = false } if that is meant, or destroy = true if it is to go.";
            out.push(Diagnostic::warning(&FORGOTTEN, detail).at(block.header));
        }
    }
}

/// Whether an expression is a name followed by names and literal keys.
fn is_address(expression: View<'_>) -> bool {
    let mut at = expression;
    loop {
        at = match at.case() {
            Case::Root(_) | Case::Missing => return true,
            Case::Attribute { object, .. } | Case::LegacyIndex { object, .. } => object,
            Case::Index { object, key, .. } => match key.case() {
                Case::Number(_) => object,
                Case::Template(template) if template.plain().is_some() => object,
                _ => return false,
            },
            _ => return false,
        };
    }
}
