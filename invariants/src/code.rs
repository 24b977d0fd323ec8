//! Evaluating text: the same text gives the same value and the same findings, and a value that is printed can be read.

use std::sync::Arc;

use groma_eval::{Context, EvaluationBasis, LocatedCode, NamedValues, evaluate};
use groma_functions::FunctionLibrary;
use groma_runtime::{Dialect, Edition};
use groma_syntax::ast::Bindings;
use groma_syntax::{Diagnostics, Expr, FileId, Parse, parse_expression, parse_template};
use groma_value::{Mark, Type, Value, json, print};

use crate::{LIMITS, budget, utf8};

/// Returns the variables that an input may refer to: known, sensitive and unknown values.
fn names() -> NamedValues {
    let mut names = NamedValues::new();
    let text = |text: &str| Value::text(text);
    names.insert(
        "a",
        Value::object([
            ("b".into(), text("x")),
            ("c".into(), Value::tuple(vec![text("y"), Value::NULL])),
        ]),
    );
    names.insert("l", Value::list(Type::String, vec![text("p"), text("q")]));
    names.insert("s", text("hidden").sensitive());
    names.insert("u", Value::unknown(Type::String));
    names.insert("d", Value::unknown(Type::Dynamic));
    names.insert("ul", Value::unknown(Type::list(Type::Number)));
    names
}

/// Returns an evaluation context with bounded resources, in whose scope are these variables.
fn context(dialect: Dialect, names: NamedValues) -> Context {
    let basis = EvaluationBasis {
        limits: LIMITS,
        budget: budget(),
        ..EvaluationBasis::bare(Edition::newest(dialect))
    };
    basis.with_scope(Arc::new(names))
}

/// Evaluates an expression as OpenTofu does with these variables; `None` if there is an error.
pub(crate) fn ask(text: &str, names: NamedValues) -> Option<Value> {
    let text: Arc<str> = text.into();
    let parse = parse_expression(&text, FileId(0));
    let mut out = Diagnostics::new();
    let library = FunctionLibrary::of(Edition::newest(Dialect::OpenTofu));
    let located = LocatedCode::of(&Expr::of(&parse), &library);
    let value = evaluate(&located, &context(Dialect::OpenTofu, names), &mut out);
    (parse.diagnostics.is_empty() && !out.has_errors()).then_some(value)
}

/// Checks that every reference of a lowered expression is a name that nothing in the expression, such as a `for`, binds.
fn bound_alike(parse: &Parse) {
    let Expr::Native(native) = Expr::of(parse) else { return };
    if !parse.diagnostics.is_empty() {
        return;
    }
    let bindings = Bindings::of(native.view());
    let edition = Edition::newest(Dialect::OpenTofu);
    let located = LocatedCode::of(&Expr::of(parse), &FunctionLibrary::of(edition));
    for reference in located.code.references() {
        let span = located.place(reference.span).span;
        let is_free = bindings.uses().iter().any(|one| {
            one.span.start == span.start && *one.name == *reference.root && one.binder.is_none()
        });
        assert!(is_free, "{} at {span:?} is bound or not found", reference.root);
    }
    for used in bindings.uses() {
        let Some(binder) = used.binder.and_then(|id| bindings.binder(id)) else { continue };
        assert_eq!(used.name, binder.name);
        assert!(!binder.span.of(parse.tree.text()).is_empty());
    }
}

/// Checks that an expression has the same result and the same findings when it is evaluated again.
fn same_twice(parse: &Parse) {
    bound_alike(parse);
    for dialect in [Dialect::OpenTofu, Dialect::Terraform, Dialect::Packer] {
        let located =
            LocatedCode::of(&Expr::of(parse), &FunctionLibrary::of(Edition::newest(dialect)));
        let run = || {
            let mut out = Diagnostics::new();
            let value = evaluate(&located, &context(dialect, names()), &mut out);
            let told: Vec<String> =
                out.iter().map(|one| format!("{:?} {}", one.place, one.detail)).collect();
            (value, told)
        };
        let (value, told) = run();
        let (again, retold) = run();
        assert_eq!(told, retold);
        assert_eq!(print::console(&value), print::console(&again));
        assert_eq!(json::plain(&value), json::plain(&again));
        assert!(told.iter().all(|one| !one.contains("hidden")), "a secret is told: {told:?}");
        if told.is_empty() {
            read_back(dialect, &value);
        }
    }
}

/// Checks that a value's console output evaluates to the same value; skips values that have no literal form.
fn read_back(dialect: Dialect, value: &Value) {
    let printed = print::console(value);
    // Types, control characters, heredocs and infinities are printed in forms of their own, and text that would begin a
    // template is printed without its escape, as the references print it.
    let plain = !value.deep_marks().contains(&Mark::TypeText)
        && dialect != Dialect::Packer
        && ["\\", "<<", "Inf", "(", "${", "%{"].iter().all(|form| !printed.contains(form));
    // Nor are numbers of more digits than anybody prints.
    let is_digit = |byte: u8| byte.is_ascii_digit();
    let is_short = |three: &[u8]| {
        !(is_digit(three[0]) && three[1] == b'p' && (is_digit(three[2]) || three[2] == b'-'))
    };
    let plain = plain && printed.as_bytes().windows(3).all(is_short);
    if !plain || !value.is_wholly_known() || value.has_marks() {
        return;
    }
    let Some(again) = ask(&printed, NamedValues::new()) else { panic!("{printed} cannot be read") };
    assert_eq!(print::console(&again), printed);
}

/// Checks that the input, as an expression, has the same value and diagnostics each time.
pub(crate) fn expression(bytes: &[u8]) {
    let Some(text) = utf8(bytes) else { return };
    same_twice(&parse_expression(&text.into(), FileId(0)));
}

/// Checks that the input, as a template, has the same value and diagnostics each time.
pub(crate) fn template(bytes: &[u8]) {
    let Some(text) = utf8(bytes) else { return };
    same_twice(&parse_template(&text.into(), FileId(0)));
}
