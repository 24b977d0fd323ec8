//! `ignore_changes` of resources whose attributes are known without a schema.

use groma_syntax::ast::{Case, Expression as View};
use groma_syntax::{Code, Diagnostic, Diagnostics, Expr, Place};

use crate::declare::Raw;
use crate::nearest::did_you_mean;

static IGNORED: Code = Code { slug: "ignore-changes", summary: "Invalid ignore_changes" };

/// The attributes of `terraform_data` that can change, and those that it works out itself.
const SET: [&str; 2] = ["input", "triggers_replace"];
const WORKED_OUT: [&str; 2] = ["id", "output"];

pub(super) fn check(blocks: &[Raw], out: &mut Diagnostics) {
    let is_data = |block: &&Raw| {
        &*block.kind == "resource"
            && block.label(0) == "terraform_data"
            && block.argument("provider").is_none()
    };
    for block in blocks.iter().filter(is_data) {
        let lifecycles = block.blocks_of("lifecycle");
        for argument in lifecycles.filter_map(|inner| inner.argument("ignore_changes")) {
            let Expr::Native(native) = &argument.expr else { continue };
            let Case::Tuple(items) = native.view().case() else { continue };
            for item in items {
                let Some(name) = root(item) else { continue };
                if WORKED_OUT.contains(&name) {
                    let detail = format!(
                        "\"{name}\" is worked out by the provider and never set, so there is nothing to ignore about it. Remove it from the list."
                    );
                    out.push(Diagnostic::warning(&IGNORED, detail).at(block.header));
                } else if !SET.contains(&name) {
                    let hint = did_you_mean(name, SET);
                    let detail = format!("terraform_data has no attribute \"{name}\".{hint}");
                    let place = Place::new(native.file(), item.span());
                    out.push(Diagnostic::error(&IGNORED, detail).at(place));
                }
            }
        }
    }
}

/// The attribute at which a path starts.
fn root(expression: View<'_>) -> Option<&str> {
    let mut at = expression;
    loop {
        at = match at.case() {
            Case::Root(word) => return Some(word),
            Case::Attribute { object, .. }
            | Case::Index { object, .. }
            | Case::LegacyIndex { object, .. } => object,
            _ => return None,
        };
    }
}
