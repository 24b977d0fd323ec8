//! Evaluations with very many diagnostics: the first are reported and the others counted. Hostile input leads to a
//! diagnostic before it uses up the memory.

use std::sync::Arc;

use groma_eval::{EvaluationBasis, LocatedCode, NamedValues, evaluate};
use groma_functions::FunctionLibrary;
use groma_runtime::{Edition, Limits};
use groma_syntax::{Diagnostics, Expr, FileId, parse_expression};
use groma_value::{Type, Value};

/// Evaluates an expression with these names and limits; returns its value and its diagnostics.
fn run_with(text: &str, names: NamedValues, limits: Limits) -> (Value, Diagnostics) {
    let parse = parse_expression(&text.into(), FileId(0));
    assert!(parse.diagnostics.is_empty(), "{text}");
    let edition = Edition::DEFAULT;
    let located = LocatedCode::of(&Expr::of(&parse), &FunctionLibrary::of(edition));
    let context =
        EvaluationBasis { limits, ..EvaluationBasis::bare(edition) }.with_scope(Arc::new(names));
    let mut out = Diagnostics::new();
    let value = evaluate(&located, &context, &mut out);
    (value, out)
}

/// Returns a scope with the list `words` of `count` strings.
fn words(count: usize) -> NamedValues {
    let items = (0..count).map(|at| Value::text(format!("w{at}"))).collect();
    [("words", Value::list(Type::String, items))].into_iter().collect()
}

/// Tests that diagnostics beyond the limit are replaced by one with their number.
#[test]
fn many_findings_are_counted() {
    let (_, out) = run_with("[for w in words : w + 1]", words(3_000), Limits::DEFAULT);
    assert_eq!(out.len(), 1_001);
    assert!(out.has_errors());
    assert!(
        out.as_slice()[1_000].detail.starts_with("2000 more findings"),
        "{:?}",
        out.as_slice()[1_000]
    );
}

/// Tests that the limit of diagnostics also holds for the failures of a single call.
#[test]
fn one_call_with_many_wrong_arguments_is_short() {
    let (_, out) = run_with("max(words...)", words(60_000), Limits::DEFAULT);
    assert_eq!(out.len(), 1_001);
}

/// Tests that diagnostics that `try` catches do not count towards the limit.
#[test]
fn findings_that_try_drops_do_not_count() {
    let text = "[for w in words : try(w + 1, 0)]";
    let (value, out) = run_with(text, words(3_000), Limits::DEFAULT);
    assert!(out.is_empty());
    assert!(value.is_wholly_known());
}

/// Tests that the size of a value counts a shared part at each of its occurrences.
#[test]
fn shared_parts_count_wherever_they_stand() {
    let mut value = Value::text("x");
    for _ in 0..60 {
        value = Value::tuple(vec![value.clone(), value]);
    }
    let names = |value: &Value| NamedValues::from_iter([("deep", value.clone())]);
    let (result, out) = run_with("[deep, deep]", names(&value), Limits::DEFAULT);
    assert!(!result.is_known());
    let detail = &out.iter().next().unwrap().detail;
    assert!(detail.starts_with("With this a value grows to "), "{detail}");

    // So do the parts of a type that is all that is known of a value.
    let unknown = Value::unknown(Type::tuple([Type::String, Type::String]));
    let text =
        "[for n in twenty : [for m in twenty : [for o in twenty : [for p in twenty : deep]]]]";
    let twenty = Value::tuple(vec![Value::TRUE; 20]);
    let names = NamedValues::from_iter([("deep", unknown), ("twenty", twenty)]);
    let limits = Limits { value_bytes: 1 << 20, ..Limits::DEFAULT };
    let (_, out) = run_with(text, names, limits);
    assert!(out.has_errors());
}

/// Tests that a value that grows too large ends the evaluation before it is complete.
#[test]
fn what_grows_is_refused_before_it_is_whole() {
    let many = || NamedValues::from_iter([("many", Value::tuple(vec![Value::TRUE; 1_000]))]);
    let limits = Limits { value_bytes: 1 << 20, steps: 500_000, ..Limits::DEFAULT };
    for text in [
        "[for a in many : [for b in many : a]]",
        "{ for a in many : \"x\" => [for b in many : a]... }",
        "[for a in many : many][*]",
        "concat([for a in many : many]...)",
        "[[for a in many : [for b in many : [for c in many : c]]]]",
    ] {
        let (_, out) = run_with(text, many(), limits);
        let summaries: Vec<_> = out.iter().map(|one| one.code.slug).collect();
        assert_eq!(summaries, ["limit-size"], "{text}");
    }
    // Loops over what is at hand already count their steps too.
    let (_, out) = run_with("[for a in many : length([for b in many : b])]", many(), limits);
    assert_eq!(out.iter().map(|one| one.code.slug).collect::<Vec<_>>(), ["limit-evaluation"]);
}

/// Tests that an evaluation with very many diagnostics is stopped, even inside `try`.
#[test]
fn an_evaluation_without_end_is_given_up() {
    let limits = Limits { findings: 10, ..Limits::DEFAULT };
    let (_, out) = run_with("try([for w in words : w + 1], 0)", words(3_000), limits);
    let last = out.as_slice().last().unwrap();
    assert!(last.detail.contains("stopped after 1000 findings"), "{}", last.detail);
}
