//! `lifecycle`: what it may say. It matters to a plan; here only its form is checked.

use groma_eval::Step;
use groma_functions::Library;
use groma_syntax::ast::{Case, Expression as View};
use groma_syntax::{Code, Diagnostic, Diagnostics, Expr, Place};
use groma_value::schema::Block;
use groma_value::{Number, Str, Value};

use super::Expression;
use super::expression::keyword;
use super::gather::Gatherer;
use super::raw::{Argument, Raw};
use super::reach::reach;
use super::traversal::{is_traversal, quoted};

static IGNORED: Code = Code { slug: "ignore-changes", summary: "Invalid ignore_changes" };
static TRIGGERED: Code =
    Code { slug: "replace-triggered-by", summary: "Invalid replace_triggered_by" };
static NOT_LITERAL: Code = Code { slug: "not-literal", summary: "true or false is needed here" };

/// What is to trigger a replacement of the resource, as written.
pub(super) fn triggers(raw: &Raw, library: &Library) -> Vec<Expression> {
    let lifecycle = raw.blocks_of("lifecycle").next();
    let argument = lifecycle.and_then(|block| block.argument("replace_triggered_by"));
    let Some(argument) = argument else { return Vec::new() };
    let Expr::Json(document) = &argument.expr else {
        return vec![Expression::new(&argument.expr, library)];
    };
    let groma_syntax::json::Case::Array(items) = document.view().case() else { return Vec::new() };
    let read = |item: groma_syntax::json::Value<'_>| {
        let groma_syntax::json::Case::String(text) = item.case() else { return None };
        let parse = groma_syntax::parse_expression(&(*text).into(), argument.expr.file());
        let mut expression = Expression::new(&Expr::of(&parse), library);
        expression.located.base += item.span().start + 1;
        parse.diagnostics.is_empty().then_some(expression)
    };
    items.into_iter().filter_map(read).collect()
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
    const OTHERS: [&str; 11] = [
        "action",
        "count",
        "each",
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

/// Whether what is to be ignored exists, and could change at all.
pub(super) fn ignored(raw: &Raw, block: &Block, whose: &str, out: &mut Diagnostics) {
    let arguments = raw.blocks_of("lifecycle").filter_map(|one| one.argument("ignore_changes"));
    for argument in arguments {
        let Some(items) = items(argument) else { continue };
        let before = out.error_count();
        for item in items {
            let Some(steps) = steps(item) else { continue };
            let place = Place::new(argument.expr.file(), item.span());
            if let Err(detail) = reach(block, whose, &steps) {
                out.push(Diagnostic::error(&IGNORED, detail).at(place));
            }
            let Some(Step::Attribute(name)) = steps.first() else { continue };
            let is_worked_out = block.attribute(name).is_some_and(|one| !one.is_settable());
            if is_worked_out && out.error_count() == before {
                let detail = format!(
                    "\"{}\" is worked out by the provider and never set, so there is nothing to ignore about it. Remove it from the list.",
                    &**name
                );
                out.push(Diagnostic::warning(&IGNORED, detail).at(raw.header));
            }
        }
    }
}

/// The steps of a path that is written out. Which number a key is makes no difference.
fn steps(item: View<'_>) -> Option<Vec<Step>> {
    let mut found = Vec::new();
    let mut at = item;
    loop {
        at = match at.case() {
            Case::Root(word) => {
                found.push(Step::Attribute(Str::from(word)));
                break;
            }
            Case::Attribute { object, name, .. } => {
                found.push(Step::Attribute(Str::from(name)));
                object
            }
            Case::LegacyIndex { object, .. } => {
                found.push(Step::Index(Value::from(Number::from(0i64))));
                object
            }
            Case::Index { object, key, .. } => {
                found.push(match key.case() {
                    Case::Number(_) => Step::Index(Value::from(Number::from(0i64))),
                    Case::Template(template) => {
                        Step::Index(Value::text(template.plain()?.into_owned()))
                    }
                    _ => Step::Unknown,
                });
                object
            }
            _ => return None,
        };
    }
    found.reverse();
    Some(found)
}
