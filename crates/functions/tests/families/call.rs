//! Tests of what a call handles for every function, so that no body has to.

use groma_functions::{
    CallContext, Failure, FailureKind, FoundFunction, Function, FunctionLibrary, call,
};
use groma_runtime::{Edition, Semantics};
use groma_value::{CauseId, Causes, Marks, Refinement, Type, Value, ops};

/// Returns the row of a function of the default edition, those of givens included.
fn function(name: &str) -> &'static Function {
    match FunctionLibrary::of(Edition::DEFAULT).with_given().find(name) {
        FoundFunction::Function(function) => function,
        other => panic!("{name}: {other:?}"),
    }
}

/// Calls a function of the default edition in isolation.
fn run(name: &str, args: &[Value]) -> Result<Value, Vec<Failure>> {
    let semantics = Semantics::of(Edition::DEFAULT);
    call(function(name), args, &CallContext::bare(&semantics))
}

/// Returns the result of a call that must succeed.
fn value(name: &str, args: &[Value]) -> Value {
    run(name, args).unwrap_or_else(|why| panic!("{name}: {why:?}"))
}

/// Returns a string value.
fn text(text: &str) -> Value {
    Value::text(text)
}

/// Returns a tuple of string values.
fn texts(texts: &[&str]) -> Value {
    Value::tuple(texts.iter().map(|t| Value::text(*t)).collect())
}

/// Checks that two values are the same in type, content and marks.
fn is(got: &Value, want: &Value) {
    assert!(ops::same(got, want), "got {got:?}, want {want:?}");
}

/// Tests that a wrong number of arguments is the only failure reported.
#[test]
fn a_wrong_count_hides_the_rest() {
    let few = run("upper", &[]).unwrap_err();
    assert_eq!((few[0].kind, few[0].argument), (FailureKind::Arity, None));
    let many = run("upper", &[text("a"), text("b"), text("c")]).unwrap_err();
    assert_eq!((many.len(), many[0].argument), (1, Some(1)));
    assert_eq!(many[0].message.text(), "`upper(string)` takes 1 argument, but 3 are given.");
}

/// Tests that all arguments that do not convert are reported, but only the first null.
#[test]
fn every_bad_conversion_is_reported_and_the_first_null() {
    let list = Value::tuple(Vec::new());
    let both = run("replace", &[list.clone(), text("a"), list]).unwrap_err();
    assert_eq!(both.iter().map(|f| f.argument).collect::<Vec<_>>(), [Some(0), Some(2)]);
    let nulls = run("split", &[Value::NULL, Value::NULL]).unwrap_err();
    assert_eq!(nulls.iter().map(|f| f.argument).collect::<Vec<_>>(), [Some(0)]);
}

/// Tests that an unknown argument makes the result unknown with its causes.
#[test]
fn an_unknown_argument_gives_an_unknown_with_its_causes() {
    let cause = Causes::one(CauseId(7));
    let unknown = Value::unknown_because(Type::String, cause);
    let Value::Unknown(got) = value("upper", std::slice::from_ref(&unknown)) else {
        panic!("known")
    };
    assert_eq!(got.ty, Type::String);
    assert_eq!(got.refinement, Refinement::not_null());
    assert_eq!(got.causes.ids(), [CauseId(7)]);
    // A null is reported even if another argument is unknown.
    assert!(run("split", &[unknown, Value::NULL]).is_err());
}

/// Tests the result for an argument of unknown type.
#[test]
fn an_untyped_argument_gives_an_untyped_unknown() {
    let unknown = Value::unknown(Type::Dynamic);
    is(&value("reverse", std::slice::from_ref(&unknown)), &unknown);
    is(&value("upper", &[unknown]), &Value::unknown(Type::String).refine_not_null());
}

/// Tests that the marks of arguments are on the result or its elements.
#[test]
fn marks_move_to_the_result() {
    let secret = text("b").sensitive();
    let joined = value("join", &[text("-"), Value::tuple(vec![text("a"), secret.clone()])]);
    is(&joined, &text("a-b").sensitive());
    // A function to which marks are passed keeps them on the elements.
    let reversed = value("reverse", &[Value::tuple(vec![text("a"), secret.clone()])]);
    is(&reversed, &Value::tuple(vec![secret.clone(), text("a")]));
    assert_eq!(value("length", &[Value::tuple(vec![secret])]).marks(), Marks::NONE);
}

/// Tests that messages do not quote sensitive arguments.
#[test]
fn secrets_stay_out_of_messages() {
    let why = run("parseint", &[text("hush").sensitive(), Value::int(10)]).unwrap_err();
    assert!(!why[0].message.text().contains("hush"), "{}", why[0].message);
}

/// Tests that a result with too many elements is a failure.
#[test]
fn results_are_bounded() {
    let items = Value::list(Type::String, vec![text("x"); 3000]);
    let why = run("setproduct", &[items.clone(), items]).unwrap_err();
    assert_eq!(
        why[0].message.text(),
        "The result would have 18000000 elements; at most 4000000 are made."
    );
}

/// Tests results of functions from several families.
#[test]
fn families_answer() {
    is(&value("distinct", &[texts(&["b", "a", "b"])]), &value("tolist", &[texts(&["b", "a"])]));
    is(&value("substr", &[text("abcd"), Value::int(-2), Value::int(0)]), &text("cd"));
    is(&value("title", &[text("salt_water sea-air")]), &text("Salt_water Sea-Air"));
    is(
        &value("log", &[Value::int(8), Value::int(2)]),
        &value("pow", &[Value::int(3), Value::int(1)]),
    );
    is(&value("coalesce", &[text(""), Value::int(5)]), &text("5"));
    is(&value("element", &[texts(&["n", "e", "s"]), Value::int(-7)]), &text("s"));
}
