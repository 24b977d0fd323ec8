//! Tests of traversals: removing and adding marks, collecting causes, building and dropping deep values.

use groma_value::{
    CauseId, Causes, Mark, Marks, Number, Path, PathStep, Type, Value, codec, json, ops,
};

/// Returns a number value with the precision of a literal.
fn n(number: i64) -> Value {
    Number::literal(number).into()
}

/// Returns an object with sensitive parts, a sensitive map and an unknown.
fn sample() -> Value {
    Value::object([
        ("a".into(), Value::tuple(vec![n(1).sensitive(), n(2)])),
        ("b".into(), Value::map(Type::Number, [("k".into(), n(3).sensitive())]).sensitive()),
        ("c".into(), Value::unknown_because(Type::Bool, Causes::one(CauseId(4)))),
    ])
}

/// Tests that removing marks with their paths and adding them again yields the same value.
#[test]
fn marks_come_off_and_go_back() {
    let value = sample();
    let (bare, marks) = value.unmark_deep();
    assert!(!bare.has_marks() && marks == Marks::sensitive());
    let (again, places) = value.unmark_deep_paths();
    assert!(ops::same(&bare, &again));
    let texts: Vec<String> = places.iter().map(|(path, _)| codec::path_text(path)).collect();
    assert_eq!(texts, [".a[0]", ".b", ".b[\"k\"]"]);
    assert!(ops::same(&again.mark_paths(&places), &value));
}

/// Tests that marks for a path that does not exist are added to the nearest container.
#[test]
fn a_place_that_is_gone_marks_what_is_above() {
    let path = Path(vec![PathStep::Attribute("a".into()), PathStep::Index(n(9))]);
    let marked = sample().unmark_deep().0.mark_paths(&[(path, Marks::one(Mark::Ephemeral))]);
    assert_eq!(codec::listing(&marked).ephemeral, [".a"]);
}

/// Tests that the causes of all parts are collected and ignored by raw equality.
#[test]
fn causes_are_gathered_and_take_no_part_in_sameness() {
    let value = sample();
    assert_eq!(value.deep_causes().ids(), [CauseId(4)]);
    let other = Value::unknown_because(Type::Bool, Causes::one(CauseId(9)));
    assert!(ops::same(&Value::unknown(Type::Bool), &other));
}

/// Tests that a transformation changes parts at every depth and keeps their marks.
#[test]
fn transform_goes_inside_out() {
    let doubled = sample().transform(&mut |value| match value {
        Value::Decimal(_) | Value::Real(_) => ops::add(value, value).expect("a sum"),
        other => other.clone(),
    });
    assert_eq!(json::plain(&doubled), "{\"a\":[2,4],\"b\":{\"k\":6},\"c\":null}");
    assert_eq!(codec::listing(&doubled).sensitive.len(), 3);
}

/// Tests that summaries show marks and unknowns at any depth.
#[test]
fn summaries_follow_marks_and_unknowns() {
    let value = sample();
    assert!(value.has_marks() && !value.is_wholly_known());
    assert_eq!(value.depth(), 2);
    let mocked = Value::tuple(vec![n(1).mark(&Marks::one(Mark::Mocked(CauseId(0))))]);
    assert!(mocked.summary().mocked);
    assert!(Value::set(Type::Number, vec![n(1).sensitive()]).has_marks());
}

/// Returns a sensitive unknown inside of this number of nested tuples.
fn nested(levels: usize) -> Value {
    (0..levels).fold(Value::unknown(Type::Bool).sensitive(), |inner, _| Value::tuple(vec![inner]))
}

/// Tests that operations on a value of a thousand levels fit a small stack.
#[test]
fn a_thousand_levels_fit_a_small_stack() {
    let work = || {
        let value = nested(1000);
        let (bare, _) = value.unmark_deep();
        let (_, places) = value.unmark_deep_paths();
        let again = bare.mark_paths(&places);
        assert!(ops::same(&again, &value));
        let _ = ops::equal(&value, &again);
        let _ = groma_value::convert(&value, &Type::list(Type::Dynamic));
        let _ = groma_value::print::console(&bare);
        let _ = codec::listing(&value);
        let _ = Value::set(bare.ty(), vec![bare.clone(), bare]);
    };
    std::thread::Builder::new()
        .stack_size(2 << 20)
        .spawn(work)
        .expect("a thread")
        .join()
        .expect("ends");
}

/// Tests that dropping a very deep value does not exhaust the stack.
#[test]
fn dropping_does_not_recurse() {
    let work = || drop(nested(1_000_000));
    std::thread::Builder::new()
        .stack_size(256 << 10)
        .spawn(work)
        .expect("a thread")
        .join()
        .expect("ends");
}
