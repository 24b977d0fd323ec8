//! Tests of the elements that a set keeps, and of their order.

use groma_value::{MemberIndex, Number, Type, Value, json, ops};
use proptest::prelude::*;

/// Returns the number value of a text.
fn n(text: &str) -> Value {
    Number::parse(text).expect("a number").into()
}

/// Returns the set of the numbers with these texts.
fn numbers(texts: &[&str]) -> Value {
    Value::set(Type::Number, texts.iter().map(|text| n(text)).collect())
}

/// Tests the order of numbers, strings and bools.
#[test]
fn primitives_have_their_natural_order() {
    assert_eq!(json::plain(&numbers(&["10", "9", "100", "-1", "9.0"])), "[-1,9,10,100]");
    assert_eq!(json::plain(&numbers(&["0", "-0", "0"])), "[-0,0]");
    let texts = |texts: &[&str]| {
        Value::set(Type::String, texts.iter().map(|text| Value::text(*text)).collect())
    };
    assert_eq!(json::plain(&texts(&["b", "a", "Z", "b", "é"])), r#"["Z","a","b","é"]"#);
    let bools = Value::set(Type::Bool, vec![Value::TRUE, Value::FALSE, Value::TRUE]);
    assert_eq!(json::plain(&bools), "[false,true]");
}

/// Tests that objects are ordered by the text of their values.
#[test]
fn structures_are_ordered_by_text() {
    let one = |k: &str| Value::object([("v".into(), n(k))]);
    let ty = one("1").ty();
    let set = Value::set(ty, vec![one("9"), one("100"), one("-1"), one("10"), one("9")]);
    assert_eq!(json::plain(&set), r#"[{"v":-1},{"v":100},{"v":10},{"v":9}]"#);
}

/// Tests that numbers equal in ten digits remain distinct elements.
#[test]
fn numbers_are_told_apart_beyond_ten_digits() {
    let set = numbers(&["12345678901234567890", "12345678901234567891"]);
    assert_eq!(json::plain(&set), "[12345678901234567890,12345678901234567891]");
    let pair = |text: &str| Value::tuple(vec![n(text)]);
    let ty = pair("1").ty();
    let set = Value::set(ty, vec![pair("12345678901"), pair("12345678902"), pair("12345678901")]);
    assert_eq!(json::plain(&set), "[[12345678901],[12345678902]]");
}

/// Tests that all unknown elements are kept, and that nulls come last.
#[test]
fn unknowns_stay_each_and_nulls_come_last() {
    let unknown = Value::unknown(Type::String);
    let null = Value::null(Type::String);
    let items = vec![null.clone(), unknown.clone(), "b".into(), unknown, null, "a".into()];
    let set = Value::set(Type::String, items);
    assert_eq!(json::plain(&set), r#"["a","b",null,null,null]"#);
    assert!(!ops::length(&set).expect("a length").is_known());
    let Value::Set(node) = &set else { unreachable!() };
    assert_eq!(node.contains(&"a".into()), Some(true));
    assert_eq!(node.contains(&"c".into()), None);
}

/// Tests that marks of elements are moved to the set.
#[test]
fn marks_of_elements_move_to_the_set() {
    let item = Value::object([("p".into(), n("1").sensitive())]);
    let set = Value::set(item.ty(), vec![item]);
    assert!(set.marks().contains(&groma_value::Mark::Sensitive));
    let Value::Set(node) = set.bare() else { unreachable!() };
    assert!(!node.items()[0].has_marks());
}

/// Tests a membership index and a set of fifty thousand numbers.
#[test]
fn members_answer_many_questions() {
    let items: Vec<Value> = (0..50_000).map(|i| Value::int(100_000_000_000 + i)).collect();
    let members = MemberIndex::of(&items);
    assert!(items.iter().all(|item| members.contains(item)));
    assert!(!members.contains(&Value::int(1)));
    let set = Value::set(Type::Number, items.iter().chain(&items).cloned().collect());
    assert_eq!(ops::length(&set).map(|n| json::plain(&n)).expect("a length"), "50000");
}

proptest! {
    /// Tests that the order of insertion has no effect on a set.
    #[test]
    fn order_does_not_depend_on_insertion(mut texts in prop::collection::vec("[a-c\"\\\\é]{0,3}", 0..12)) {
        let build = |texts: &[String]| {
            let items: Vec<Value> = texts
                .iter()
                .map(|text| Value::object([("k".into(), Value::text(text.as_str()))]))
                .collect();
            Value::set(Type::object([("k".into(), Type::String)]), items)
        };
        let one = build(&texts);
        texts.reverse();
        let other = build(&texts);
        prop_assert!(ops::same(&one, &other));
        let equal = ops::equal(&one, &other);
        prop_assert!(ops::same(&equal, &Value::TRUE));
    }
}
