//! Tests of operators, indexing and lengths on values that no code yields: with refinements, marks and causes.

use groma_value::ops::{self, IndexErrorKind};
use groma_value::{
    CauseId, Causes, Length, Marks, Number, NumberBound, Path, PathStep, Refinement, Type, Value,
    json,
};

/// Returns a number value with the precision of a literal.
fn n(number: i64) -> Value {
    Number::literal(number).into()
}

/// Returns an unknown number between two inclusive bounds.
fn between(low: i64, high: i64) -> Value {
    let bound = |at| Some(NumberBound { number: Number::literal(at), inclusive: true });
    let certain =
        Refinement { not_null: true, low: bound(low), high: bound(high), ..Refinement::default() };
    Value::refined(Type::Number, certain, Causes::one(CauseId(3)))
}

/// Returns an unknown string with a known prefix.
fn starting(prefix: &str) -> Value {
    let certain = Refinement { not_null: true, prefix: prefix.into(), ..Refinement::default() };
    Value::refined(Type::String, certain, Causes::NONE)
}

/// Returns the JSON of a result, `?` for an unknown, or the debug text of an error.
fn say<E: std::fmt::Debug>(result: Result<Value, E>) -> String {
    match result {
        Ok(value) if !value.is_known() => "?".into(),
        Ok(value) => json::plain(&value),
        Err(why) => format!("{why:?}"),
    }
}

/// Returns the JSON of `a == b`, `?` if unknown.
fn eq(a: &Value, b: &Value) -> String {
    say::<()>(Ok(ops::equal(a, b)))
}

/// Tests that values of different types are not equal.
#[test]
fn types_never_convert_for_equality() {
    assert_eq!(eq(&"1".into(), &n(1)), "false");
    assert_eq!(eq(&Value::NULL, &Value::null(Type::String)), "true");
    let tuple = Value::tuple(vec!["a".into()]);
    assert_eq!(eq(&tuple, &Value::list(Type::String, vec!["a".into()])), "false");
    let null = |ty: Type| Value::object([("a".into(), Value::null(ty))]);
    assert_eq!(eq(&null(Type::Dynamic), &null(Type::String)), "false");
    assert_eq!(
        eq(&Value::list(Type::Dynamic, vec![]), &Value::list(Type::String, vec![])),
        "false"
    );
}

/// Tests that equality with an unknown is unknown unless its type or refinement decides.
#[test]
fn unknowns_wait_unless_something_certain_decides() {
    let u = Value::unknown(Type::String);
    assert_eq!(eq(&u, &"a".into()), "?");
    assert_eq!(eq(&u, &n(1)), "false");
    assert_eq!(eq(&u, &Value::unknown(Type::Number)), "?");
    assert_eq!(eq(&u, &Value::NULL), "?");
    assert_eq!(eq(&u.refine_not_null(), &Value::NULL), "false");
    assert_eq!(eq(&starting("web"), &"db".into()), "false");
    assert_eq!(eq(&starting("web"), &starting("db")), "?");
    assert_eq!(eq(&between(1, 5), &n(9)), "false");
    assert_eq!(eq(&between(1, 5), &n(5)), "?");
    let pair = |a: &Value, b: &Value| Value::tuple(vec![a.clone(), b.clone()]);
    assert_eq!(eq(&pair(&u, &n(1)), &pair(&"a".into(), &n(2))), "?");
    assert_eq!(eq(&pair(&n(1), &u), &pair(&n(2), &u)), "false");
    let d = Value::unknown(Type::Dynamic);
    assert_eq!(eq(&pair(&d, &n(1)), &pair(&n(1), &"x".into())), "false");
    assert_eq!(eq(&d, &d), "?");
}

/// Tests that the known bounds of a length decide comparisons.
#[test]
fn a_length_decides_equality() {
    let certain = Refinement {
        not_null: true,
        length: Some(Length { low: 2, high: Some(5) }),
        ..Refinement::default()
    };
    let map = Value::refined(Type::map(Type::String), certain, Causes::NONE);
    assert_eq!(eq(&map, &Value::map(Type::String, [])), "false");
    assert_eq!(say(ops::greater_than(&ops::length(&map).expect("a length"), &n(1))), "true");
    assert_eq!(say(ops::greater_or_equal(&ops::length(&map).expect("a length"), &n(2))), "?");
}

/// Tests that the bounds of unknown numbers count as exclusive in comparisons.
#[test]
fn bounds_count_as_open_in_comparisons() {
    let u = between(1, 5);
    assert_eq!(say(ops::less_or_equal(&u, &n(5))), "?");
    assert_eq!(say(ops::less_or_equal(&u, &n(6))), "true");
    assert_eq!(say(ops::greater_than(&u, &n(10))), "false");
    assert_eq!(say(ops::less_than(&u, &between(6, 7))), "true");
    assert!(ops::less_than(&u, &Value::NULL).is_err());
    assert!(ops::less_than(&Value::unknown(Type::Bool), &n(1)).is_err());
}

/// Tests that sums of unknowns keep causes but not bounds, and arithmetic with zero.
#[test]
fn arithmetic_forgets_bounds_and_keeps_causes() {
    let sum = ops::add(&between(1, 5), &n(1)).expect("a sum");
    let Value::Unknown(u) = &sum else { unreachable!() };
    assert_eq!(u.refinement, Refinement::not_null());
    assert_eq!(u.causes.ids(), [CauseId(3)]);
    assert_eq!(say(ops::add(&"1.5".into(), &n(1))), "2.5");
    assert!(ops::divide(&n(0), &n(0)).is_err());
    assert_eq!(say(ops::divide(&n(1), &n(0))), "\"Inf\"");
    assert_eq!(say(ops::remainder(&n(5), &n(0))), "5");
    assert_eq!(ops::add(&n(1).sensitive(), &n(1)).expect("a sum").marks(), Marks::sensitive());
}

/// Tests `&&` and `||` with unknowns and nulls on either side.
#[test]
fn either_side_decides_logic() {
    let u = Value::unknown(Type::Bool);
    assert_eq!(say(ops::and(&u, &Value::FALSE)), "false");
    assert_eq!(say(ops::and(&Value::NULL, &Value::TRUE)), "false");
    assert_eq!(say(ops::and(&u, &Value::NULL)), "false");
    assert_eq!(say(ops::or(&Value::NULL, &Value::TRUE)), "true");
    assert_eq!(say(ops::or(&Value::NULL, &u)), "?");
    assert!(ops::or(&Value::NULL, &Value::FALSE).is_err());
    assert!(ops::and_strict(&Value::NULL, &Value::FALSE).is_err());
    assert!(ops::and(&Value::FALSE, &n(0)).is_err());
    assert_eq!(say(ops::not(&"0".into())), "true");
}

/// Tests that marks inside of operands are on the result of `==`.
#[test]
fn marks_inside_mark_the_verdict() {
    let hidden = Value::tuple(vec![n(1).sensitive()]);
    assert_eq!(ops::equal(&hidden, &Value::tuple(vec![n(1)])).marks(), Marks::sensitive());
}

/// Returns the kind of failure of `collection[key]`.
fn index_error(collection: &Value, key: &Value) -> IndexErrorKind {
    ops::index(collection, key).expect_err("an error").kind
}

/// Tests results and failures of access by index.
#[test]
fn indexes() {
    let list = Value::list(Type::String, vec!["p".into(), "q".into()]);
    assert_eq!(say(ops::index(&list, &"1.0".into())), "\"q\"");
    assert_eq!(say(ops::index(&list, &Value::unknown(Type::String))), "?");
    assert_eq!(index_error(&list, &n(2)), IndexErrorKind::Missing);
    assert_eq!(index_error(&list, &"first".into()), IndexErrorKind::Key);
    assert_eq!(index_error(&list, &Value::NULL), IndexErrorKind::Key);
    assert_eq!(index_error(&Value::NULL, &n(0)), IndexErrorKind::Null);
    assert_eq!(
        index_error(&Value::set(Type::Number, vec![n(1)]), &n(0)),
        IndexErrorKind::NotIndexable
    );
    assert_eq!(index_error(&"text".into(), &n(0)), IndexErrorKind::NotIndexable);
    let tuple = Value::unknown(Type::tuple([Type::String]));
    assert_eq!(ops::index(&tuple, &n(0)).expect("unknown").ty(), Type::String);
    assert_eq!(index_error(&tuple, &n(1)), IndexErrorKind::Missing);
    let object = Value::unknown(Type::object([("a".into(), Type::Bool)]));
    assert_eq!(ops::index(&object, &"a".into()).expect("unknown").ty(), Type::Dynamic);
    assert_eq!(ops::attribute(&object, "a").expect("unknown").ty(), Type::Bool);
    assert!(ops::attribute(&object, "b").is_err());
    assert!(ops::index(&Value::unknown(Type::Dynamic), &Value::tuple(vec![])).is_ok());
}

/// Tests that the marks of a key are on elements of maps, but not on attributes.
#[test]
fn a_marked_key_marks_elements_but_not_attributes() {
    let key = Value::text("a").sensitive();
    let map = Value::map(Type::Number, [("a".into(), n(1))]);
    assert_eq!(ops::index(&map, &key).expect("an element").marks(), Marks::sensitive());
    let object = Value::object([("a".into(), n(1))]);
    assert_eq!(ops::index(&object, &key).expect("an attribute").marks(), Marks::NONE);
    let marked = object.sensitive();
    assert_eq!(ops::attribute(&marked, "a").expect("an attribute").marks(), Marks::sensitive());
}

/// Tests that messages of failed accesses suggest names and show no sensitive ones.
#[test]
fn faults_help_and_keep_secrets() {
    let object = Value::object([("region".into(), n(1)), ("zone".into(), n(2))]);
    let near = ops::attribute(&object, "regoin").expect_err("no such").message;
    assert_eq!(near, "there is no attribute \"regoin\"; did you mean \"region\"?");
    let far = ops::attribute(&object, "size").expect_err("no such").message;
    assert_eq!(far, "there is no attribute \"size\", only \"region\", \"zone\"");
    let secret = ops::index(&object, &Value::text("hush").sensitive()).expect_err("no such");
    assert!(!secret.message.contains("hush"), "{}", secret.message);
    let one = Value::tuple(vec![n(1)]);
    let message = |at: i64| ops::index(&one, &n(at)).expect_err("no such").message;
    assert_eq!(message(1), "there is no element 1: it has 1 element, at position 0");
    assert_eq!(message(-1), "positions start at 0, so there is no element -1");
}

/// Tests the lengths of known and unknown values.
#[test]
fn lengths() {
    let length = |value: &Value| say(ops::length(value));
    assert_eq!(length(&"क्ष".into()), "2");
    assert_eq!(length(&Value::tuple(vec![n(1).sensitive()])), "1");
    assert_eq!(length(&Value::unknown(Type::tuple([Type::Bool, Type::Bool]))), "2");
    let least = ops::length(&starting("reef-")).expect("a length");
    assert_eq!(say(ops::greater_than(&least, &n(4))), "true");
    assert!(ops::length(&Value::TRUE).is_err());
    assert!(ops::length(&Value::NULL).is_err());
}

/// Tests which part of a value each path leads to.
#[test]
fn a_path_leads_to_a_part() {
    let object = |pairs: Vec<(&str, Value)>| {
        Value::object(pairs.into_iter().map(|(name, value)| (name.into(), value)))
    };
    let set = Value::set(Type::Number, vec![n(1), n(2)]);
    let value = object(vec![
        ("list", Value::tuple(vec![object(vec![("a", n(7))])])),
        ("set", set.mark(&Marks::sensitive())),
        ("open", Value::unknown(Type::Dynamic)),
        ("map", Value::map(Type::Number, vec![("k".into(), n(5))])),
        ("none", Value::NULL),
    ]);
    let attribute = |name: &str| PathStep::Attribute(name.into());
    let at = |steps: Vec<PathStep>| ops::at(&value, &Path(steps));
    let index = |number: i64| PathStep::Index(n(number));
    assert!(ops::same(&at(Vec::new()).expect("the value itself"), &value));
    let part = at(vec![attribute("list"), index(0), attribute("a")]).expect("a part");
    assert!(ops::same(&part, &n(7)));
    let element = at(vec![attribute("set"), index(2)]).expect("an element of a set");
    assert!(element.marks().hide(), "it takes the marks of its set");
    let key = PathStep::Index(Value::String("k".into()));
    assert!(ops::same(&at(vec![attribute("map"), key]).expect("an element of a map"), &n(5)));
    assert!(!at(vec![attribute("open"), attribute("a")]).expect("what is not known").is_known());
    for nowhere in [
        vec![attribute("other")],
        vec![attribute("list"), index(1)],
        vec![attribute("set"), index(3)],
        vec![attribute("map"), attribute("k")],
        vec![attribute("list"), PathStep::Index(Value::String("0".into()))],
        vec![PathStep::Index(Value::String("list".into()))],
        vec![attribute("none"), attribute("a")],
    ] {
        assert!(at(nowhere.clone()).is_none(), "{nowhere:?}");
    }
}

/// Tests which step a name or number denotes in values of each type.
#[test]
fn a_value_tells_what_a_key_means_in_it() {
    let text = |text: &str| Value::String(text.into());
    let object = Value::object([("a".into(), n(1)), ("0".into(), n(2))]);
    let map = Value::map(Type::Number, vec![("a".into(), n(3)), ("0".into(), n(4))]);
    let list = Value::list(Type::Number, vec![n(5)]).mark(&Marks::sensitive());
    let part = |value: &Value, key: Value| {
        let part = ops::at_step(value, &ops::step_by(value, &key)?)?;
        Some((part.bare().as_position(), part.marks().hide()))
    };
    for (value, key, wanted) in [
        (&object, text("a"), Some((Some(1), false))),
        (&object, n(0), Some((Some(2), false))),
        (&object, text("b"), None),
        (&map, text("a"), Some((Some(3), false))),
        (&map, n(0), Some((Some(4), false))),
        (&list, n(0), Some((Some(5), true))),
        (&list, text("0"), Some((Some(5), true))),
        (&list, text("a"), None),
        (&list, n(1), None),
        (&Value::set(Type::Number, vec![n(1)]), n(1), None),
        (&Value::NULL, text("a"), None),
        (&Value::unknown(Type::Dynamic), text("a"), Some((None, false))),
        (&Value::unknown(Type::Dynamic), n(0), Some((None, false))),
        (&Value::unknown(Type::Map(Type::Number.into())), text("a"), Some((None, false))),
        (&Value::unknown(Type::List(Type::Number.into())), text("a"), None),
        (&Value::unknown(Type::String), text("a"), None),
    ] {
        assert_eq!(part(value, key.clone()), wanted, "{key:?} in {value:?}");
    }
}

/// Tests symmetry and reflexivity of the kinds of equality.
#[test]
fn equality_keeps_its_laws() {
    let unknown = Value::unknown(Type::Number);
    let list = |items: Vec<Value>| Value::list(Type::Number, items);
    let samples = [
        n(1),
        n(1).mark(&Marks::sensitive()),
        n(2),
        Value::NULL,
        Value::null(Type::Number),
        unknown.clone(),
        list(vec![n(1)]),
        list(vec![n(1).mark(&Marks::sensitive())]),
        list(vec![unknown]),
        Value::tuple(vec![n(1)]),
    ];
    for left in &samples {
        let is_known = left.is_wholly_known();
        assert!(ops::same(left, left), "{left:?}");
        assert_eq!(ops::surely_same(left, left), is_known, "{left:?}");
        for right in &samples {
            assert_eq!(ops::same(left, right), ops::same(right, left));
            assert_eq!(ops::surely_same(left, right), ops::surely_same(right, left));
            assert!(ops::same(&ops::equal(left, right), &ops::equal(right, left)));
            let is_sure = ops::same(left, right) && is_known;
            assert!(!is_sure || ops::surely_same(left, right), "{left:?} {right:?}");
        }
    }
    assert!(ops::surely_same(&samples[0], &samples[1]), "marks do not count");
    assert!(!ops::same(&samples[0], &samples[1]), "marks count");
}
