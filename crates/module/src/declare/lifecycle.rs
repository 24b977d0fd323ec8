//! `lifecycle`: what it may say. It matters to a plan; here only its form is checked.

use groma_functions::Library;
use groma_syntax::ast::{Case, Expression as View};
use groma_syntax::{Code, Diagnostic, Diagnostics, Expr, Place};

use super::Expression;
use super::expression::keyword;
use super::gather::Gatherer;
use super::raw::{Argument, Raw};
use super::traversal::{is_traversal, quoted};

static IGNORED: Code = Code { slug: "ignore-changes", summary: "Invalid ignore_changes" };
static TRIGGERED: Code =
    Code { slug: "replace-triggered-by", summary: "Invalid replace_triggered_by" };
static NOT_LITERAL: Code = Code { slug: "not-literal", summary: "true or false is needed here" };

/// What is to trigger a replacement of the resource, as written.
pub(super) fn triggers(raw: &Raw, library: &Library) -> Vec<Expression> {
    let lifecycle = raw.blocks_of("lifecycle").next();
    let argument = lifecycle.and_then(|block| block.argument("replace_triggered_by"));
    argument.map(|argument| Expression::new(&argument.expr, library)).into_iter().collect()
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
        Expr::Json(document) => match document.view().case() {
            groma_syntax::json::Case::Array(_) => Some(Vec::new()),
            _ => None,
        },
    }
}

fn check_ignored(argument: &Argument, out: &mut Diagnostics) {
    let file = argument.expr.file();
    if let Expr::Json(document) = &argument.expr
        && matches!(document.view().case(), groma_syntax::json::Case::String(text) if text == "all")
    {
        return;
    }
    if let Expr::Native(native) = &argument.expr
        && matches!(native.view().case(), Case::Root("all"))
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
        let fine = match quoted(item) {
            Some(text) if text == "*" => {
                let detail = "To ignore changes of all attributes, write ignore_changes = all, without brackets and quotes.";
                out.push(Diagnostic::error(&IGNORED, detail).at(place));
                continue;
            }
            Some(text) => {
                let detail = "Attribute names in ignore_changes need no quotes.";
                out.push(Diagnostic::warning(&IGNORED, detail).at(place));
                let parse = groma_syntax::parse_expression(&text.as_str().into(), file);
                let expr = Expr::of(&parse);
                parse.diagnostics.is_empty()
                    && matches!(&expr, Expr::Native(native) if is_traversal(native.view()))
            }
            None => is_traversal(item),
        };
        if !fine {
            let detail = "ignore_changes names attributes of the resource, such as tags or tags[\"Name\"]; nothing is evaluated in it.";
            out.push(Diagnostic::error(&IGNORED, detail).at(place));
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

/// Whether an expression is the address of a resource, or of a part of one. Its keys are written out
/// or those of the instance itself.
fn is_resource(expression: View<'_>) -> bool {
    const OTHERS: [&str; 10] =
        ["count", "each", "false", "local", "module", "null", "path", "terraform", "true", "var"];
    let mut at = expression;
    let mut steps = 0;
    loop {
        at = match at.case() {
            Case::Root(word) => return steps > 0 && !OTHERS.contains(&word),
            Case::Missing => return true,
            Case::Attribute { object, .. } | Case::LegacyIndex { object, .. } => object,
            Case::Index { object, key, .. } => match key.case() {
                Case::Number(_) | Case::Missing => object,
                Case::Template(template) if template.plain().is_some() => object,
                Case::Attribute { object: root, name, .. } => match (root.case(), name) {
                    (Case::Root("count"), "index") | (Case::Root("each"), "key") => object,
                    _ => return false,
                },
                _ => return false,
            },
            _ => return false,
        };
        steps += 1;
    }
}
