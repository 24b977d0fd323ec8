//! A tracer does not change an evaluation. It observes every operation, so the fast path is not taken: both ways must have
//! the same value and report the same.

use std::sync::Arc;

use groma_eval::{Context, LocatedCode, NamedValues, Tracer, evaluate};
use groma_functions::FunctionLibrary;
use groma_runtime::{Dialect, Edition};
use groma_syntax::{Diagnostics, Expr, FileId, Place, parse_expression};
use groma_value::{Marks, Type, Value, ops};
use proptest::prelude::*;

/// A tracer that ignores what it observes.
struct Watches;

impl Tracer for Watches {
    fn step(&self, _: Place, _: &Value) {}
}

/// Returns a scope of values of all kinds: known, unknown, null and sensitive.
fn scope() -> NamedValues {
    let object = |pairs: Vec<(&str, Value)>| {
        Value::object(pairs.into_iter().map(|(name, value)| (name.into(), value)))
    };
    let text = Value::from("text");
    let secret = text.mark(&Marks::sensitive());
    let names = vec![
        ("yes", Value::TRUE),
        ("no", Value::FALSE),
        ("null", Value::NULL),
        ("open", Value::unknown(Type::Dynamic)),
        ("flag", Value::unknown(Type::Bool)),
        ("one", Value::int(1)),
        ("zero", Value::int(0)),
        ("digit", "7".into()),
        ("word", "true".into()),
        ("text", text),
        ("secret", secret.clone()),
        ("hidden", Value::TRUE.mark(&Marks::sensitive())),
        ("o", object(vec![("a", "x".into()), ("b", Value::int(2)), ("s", secret)])),
        ("p", object(vec![("b", Value::TRUE), ("c", Value::NULL)])),
        ("m", Value::map(Type::String, [("a".into(), "1".into()), ("z".into(), "2".into())])),
        ("list", Value::tuple(vec!["b".into(), "a".into(), "c".into()])),
        ("pairs", Value::tuple(vec!["a".into(), "b".into(), "b".into()])),
    ];
    names.into_iter().collect()
}

/// Returns a generator of random expressions over the names of [`scope`].
fn expressions() -> impl Strategy<Value = String> {
    let names = prop::sample::select(vec![
        "yes", "no", "null", "open", "flag", "one", "zero", "digit", "word", "text", "secret",
        "hidden", "o", "p", "m", "list", "pairs", "o.a", "o.b", "o.s", "p.b", "o.none", "ghost",
        "1", "2.5", "\"text\"", "true", "m.a", "x",
    ])
    .prop_map(str::to_owned);
    names.prop_recursive(4, 24, 3, |inner| {
        let operators = prop::sample::select(vec![
            "+", "-", "*", "/", "%", "<", "<=", ">", ">=", "==", "!=", "&&", "||",
        ]);
        let inner = inner.boxed();
        prop_oneof![
            4 => (inner.clone(), operators, inner.clone())
                .prop_map(|(left, op, right)| format!("({left} {op} {right})")),
            2 => (inner.clone(), inner.clone(), inner.clone())
                .prop_map(|(condition, a, b)| format!("({condition} ? {a} : {b})")),
            1 => inner.clone().prop_map(|operand| format!("!({operand})")),
            1 => (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("\"${{{a}}}-${{{b}}}\"")),
            1 => (inner.clone(), inner.clone())
                .prop_map(|(value, test)| format!("[for x in list : {value} if {test}]")),
            1 => (inner.clone(), inner.clone())
                .prop_map(|(key, value)| format!("{{for x in pairs : {key} => {value}}}")),
            1 => (inner.clone(), inner.clone(), inner.clone())
                .prop_map(|(a, b, c)| format!("merge(o, {a}, {b}, {{ c = {c} }})")),
            1 => inner.clone().prop_map(|text| format!("upper({text})")),
            1 => inner.prop_map(|risky| format!("try({risky}, \"other\")")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]
    /// Tests that an evaluation with a tracer, which takes no fast path, has the same value and diagnostics.
    #[test]
    fn a_tracer_changes_nothing(text in expressions(), dialect in prop::sample::select(Dialect::ALL.to_vec())) {
        let edition = Edition::newest(dialect);
        let parse = parse_expression(&text.as_str().into(), FileId(0));
        let code = LocatedCode::of(&Expr::of(&parse), &FunctionLibrary::of(edition));
        let context = Context::bare(edition).with_scope(Arc::new(scope()));
        let watched = Context { tracer: Some(Arc::new(Watches)), ..context.clone() };
        let (mut found, mut seen) = (Diagnostics::new(), Diagnostics::new());
        // Twice: the second time names are where they were found.
        evaluate(&code, &context, &mut Diagnostics::new());
        let value = evaluate(&code, &context, &mut found);
        let same = evaluate(&code, &watched, &mut seen);
        prop_assert!(ops::same(&value, &same), "{text}: {value:?} and {same:?}");
        let said = |all: &Diagnostics| format!("{:?}", all.as_slice());
        prop_assert_eq!(said(&found), said(&seen), "{}", text);
    }
}
