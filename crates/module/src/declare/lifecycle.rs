//! `lifecycle`, `provisioner` and `connection`: what they may say. They matter to a plan; here only
//! their form and their references are checked.

use groma_functions::Library;
use groma_syntax::ast::{Case, Expression as View};
use groma_syntax::{Code, Diagnostic, Diagnostics, Expr, Place};

use super::Content;
use super::content::Contents;
use super::expression::keyword;
use super::gather::{Gatherer, is_traversal};
use super::raw::{Argument, Raw};

static IGNORED: Code = Code { slug: "ignore-changes", summary: "Invalid ignore_changes" };
static TRIGGERED: Code =
    Code { slug: "replace-triggered-by", summary: "Invalid replace_triggered_by" };
static NOT_LITERAL: Code = Code { slug: "not-literal", summary: "true or false is needed here" };

/// A provisioner or a connection.
#[derive(Debug)]
pub struct Provision {
    /// Its body.
    pub content: Content,
    /// Whether it runs when the resource is destroyed: only the resource itself is left then.
    pub on_destroy: bool,
}

/// The connections and provisioners of a resource, inner connections included.
pub(super) fn provisions(raw: &Raw, library: &Library, out: &mut Diagnostics) -> Vec<Provision> {
    let mut found = Vec::new();
    let mut contents = Contents { library, out };
    for block in &raw.blocks {
        match &*block.kind {
            "connection" => found.push(Provision {
                content: contents.read(block, &[], &[], None),
                on_destroy: false,
            }),
            "provisioner" => {
                let when = block.argument("when").and_then(|argument| keyword(&argument.expr));
                found.push(Provision {
                    content: contents.read(block, &["when", "on_failure"], &[], None),
                    on_destroy: when.as_deref() == Some("destroy"),
                });
            }
            _ => {}
        }
    }
    found
}

/// Checks the form of a resource's `lifecycle`.
pub(super) fn check(raw: &Raw, gatherer: &Gatherer<'_>, out: &mut Diagnostics) {
    for lifecycle in raw.blocks_of("lifecycle") {
        flag(lifecycle, "create_before_destroy", out);
        if !gatherer.rules.computed_prevent_destroy {
            flag(lifecycle, "prevent_destroy", out);
        }
        if let Some(argument) = lifecycle.argument("ignore_changes") {
            check_ignored(argument, out);
        }
        if let Some(argument) = lifecycle.argument("replace_triggered_by") {
            check_triggers(argument, out);
        }
    }
}

fn flag(lifecycle: &Raw, name: &str, out: &mut Diagnostics) {
    let Some(argument) = lifecycle.argument(name) else { return };
    let literal = match &argument.expr {
        Expr::Native(_) => keyword(&argument.expr),
        Expr::Json(json) => match json.view().case() {
            groma_syntax::json::Case::Bool(flag) => Some(flag.to_string()),
            _ => keyword(&argument.expr),
        },
    };
    if !matches!(literal.as_deref(), Some("true" | "false")) {
        let detail = format!(
            "\"{name}\" is read before anything is evaluated, so it has to be written out as true or false."
        );
        out.push(Diagnostic::error(&NOT_LITERAL, detail).at(argument.expr.place()));
    }
}

/// The items of a list that is written out; nothing where it is none.
fn items(argument: &Argument) -> Option<Vec<View<'_>>> {
    match &argument.expr {
        Expr::Native(native) => match native.view().case() {
            Case::Tuple(items) => Some(items),
            _ => None,
        },
        // In JSON the items are texts; what they say is looked at by those who use them.
        Expr::Json(_) => Some(Vec::new()),
    }
}

fn check_ignored(argument: &Argument, out: &mut Diagnostics) {
    let file = argument.expr.file();
    if matches!(argument.expr, Expr::Native(_)) && keyword(&argument.expr).as_deref() == Some("all")
    {
        return;
    }
    let Some(items) = items(argument) else {
        let detail =
            "ignore_changes takes a list of attribute names in square brackets, or the word all.";
        out.push(Diagnostic::error(&IGNORED, detail).at(argument.expr.place()));
        return;
    };
    for item in items {
        let place = Place::new(file, item.span());
        if !is_traversal(item) {
            let detail = "ignore_changes names attributes of the resource, such as tags or tags[\"Name\"]; nothing is evaluated in it.";
            out.push(Diagnostic::error(&IGNORED, detail).at(place));
        } else if let Case::Template(_) = item.case() {
            let detail = "Attribute names in ignore_changes need no quotes.";
            out.push(Diagnostic::warning(&IGNORED, detail).at(place));
        }
    }
}

fn check_triggers(argument: &Argument, out: &mut Diagnostics) {
    let file = argument.expr.file();
    let Some(items) = items(argument) else {
        let detail =
            "replace_triggered_by takes a list of references to resources in square brackets.";
        out.push(Diagnostic::error(&TRIGGERED, detail).at(argument.expr.place()));
        return;
    };
    for item in items {
        if !is_resource(item) {
            let detail = "replace_triggered_by lists resources and their attributes; nothing else can trigger a replacement.";
            let place = Place::new(file, item.span());
            out.push(Diagnostic::error(&TRIGGERED, detail).at(place));
        }
    }
}

/// Whether an expression starts at a managed resource.
fn is_resource(expression: View<'_>) -> bool {
    const OTHERS: [&str; 12] = [
        "count",
        "data",
        "each",
        "ephemeral",
        "false",
        "local",
        "module",
        "null",
        "path",
        "terraform",
        "true",
        "var",
    ];
    let mut at = expression;
    let mut steps = 0;
    loop {
        match at.case() {
            Case::Root(word) => return steps > 0 && !OTHERS.contains(&word),
            Case::Missing => return true,
            Case::Attribute { object, .. }
            | Case::Index { object, .. }
            | Case::LegacyIndex { object, .. } => at = object,
            _ => return false,
        }
        steps += 1;
    }
}
