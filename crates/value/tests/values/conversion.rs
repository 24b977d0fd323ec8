//! Tests of conversion and common types through the public functions. Facts of the reference programs are in
//! `conformance/vectors/conversion.jsonl`; these need no evaluator.

use std::sync::Arc;

use groma_value::{
    Attribute, CauseId, Causes, Convertibility, Length, Marks, Number, ObjectType, Refinement,
    Type, Value, codec, convert, convertible, json, mismatch, ops, unify,
};

/// Returns a number value with the precision of a literal.
fn n(number: i64) -> Value {
    Number::literal(number).into()
}

/// Returns an object with these attributes.
fn object(attributes: &[(&str, Value)]) -> Value {
    Value::object(attributes.iter().map(|(name, value)| ((*name).into(), value.clone())))
}

/// Returns an object type from attributes: name, type, and true if optional.
fn object_type(attributes: &[(&str, Type, bool)]) -> Type {
    let attributes = attributes.iter().map(|(name, ty, optional)| Attribute {
        name: (*name).into(),
        ty: ty.clone(),
        optional: *optional,
    });
    Type::Object(Arc::new(ObjectType::new(attributes)))
}

/// Returns the type of lists with elements of any type.
fn list_of_any() -> Type {
    Type::list(Type::Dynamic)
}

/// Returns the converted value and its type as JSON, or the path and the message of the mismatch.
fn shown(value: &Value, ty: &Type) -> Result<String, String> {
    match convert(value, ty) {
        Ok(value) => Ok(json::plain(&value) + " " + &groma_value::json_type::write(&value.ty())),
        Err(why) => Err(format!("{}: {}", codec::path_text(&why.path), why.message)),
    }
}

/// Tests conversions between strings, numbers and bools.
#[test]
fn primitives_go_through_their_spelling() {
    let to_number = |text: &str| convert(&text.into(), &Type::Number).is_ok();
    assert!(to_number("1e3") && to_number(".5") && to_number("+7") && to_number("inf"));
    assert!(!to_number("") && !to_number(" 1") && !to_number("0x10") && !to_number("nan"));
    let to_bool = |text: &str| convert(&text.into(), &Type::Bool).map(|v| json::plain(&v)).ok();
    assert_eq!(to_bool("1").as_deref(), Some("true"));
    assert_eq!(to_bool("false").as_deref(), Some("false"));
    assert_eq!(to_bool("TRUE"), None);
    assert!(convert(&n(1), &Type::Bool).is_err());
    assert!(convert(&Value::TRUE, &Type::Number).is_err());
    assert_eq!(shown(&n(-15), &Type::String), Ok("\"-15\" \"string\"".into()));
}

/// Tests that a mismatch has the path and names both types.
#[test]
fn refusals_name_the_place_and_both_sides() {
    let value = object(&[("a", Value::tuple(vec![n(1), "x".into()]))]);
    let ty = object_type(&[("a", Type::list(Type::Number), false)]);
    assert_eq!(shown(&value, &ty), Err(".a[1]: a number is required, \"x\" is not one".into()));
    let ty = object_type(&[("a", Type::String, false)]);
    assert_eq!(shown(&value, &ty), Err(".a: a string is required, this is a tuple".into()));
    let ty = object_type(&[("b", Type::String, false)]);
    assert_eq!(shown(&value, &ty), Err(": the attribute \"b\" is required".into()));
    let why = mismatch(&Type::list(Type::map(Type::Bool)), &Type::list(Type::map(Type::Number)));
    assert_eq!(why.message, "every element: every element: a number is required, this is a bool");
}

/// Tests that a mismatch does not quote sensitive values or keys.
#[test]
fn a_secret_is_not_told_by_its_refusal() {
    let value = Value::tuple(vec![Value::text("hush").sensitive()]);
    let why = shown(&value, &Type::list(Type::Number)).expect_err("no number");
    assert!(why.starts_with("[0]: ") && !why.contains("hush"), "{why}");
    let value = Value::map(Type::String, [("key".into(), Value::text("hush"))]).sensitive();
    let why = shown(&value, &Type::map(Type::Number)).expect_err("no number");
    assert!(!why.contains("hush") && !why.contains("key"), "{why}");
}

/// Tests that the element type `any` becomes the common type of the elements.
#[test]
fn an_any_takes_the_common_type() {
    let mixed = Value::tuple(vec![Value::TRUE, "x".into(), n(3)]);
    assert_eq!(
        shown(&mixed, &list_of_any()),
        Ok("[\"true\",\"x\",\"3\"] [\"list\",\"string\"]".into())
    );
    let clash = Value::tuple(vec![n(1), Value::TRUE]);
    let why = shown(&clash, &list_of_any()).expect_err("no common type");
    assert_eq!(why, "[1]: all elements must be of one type: the first is a number, this is a bool");
    assert_eq!(
        shown(&Value::tuple(vec![]), &list_of_any()),
        Ok("[] [\"list\",\"dynamic\"]".into())
    );
    let nulls = Value::tuple(vec![n(1), Value::NULL]);
    assert_eq!(shown(&nulls, &list_of_any()), Ok("[1,null] [\"list\",\"number\"]".into()));
}

/// Tests that a map, unlike a list, accepts an untyped null beside an object.
#[test]
fn an_untyped_null_beside_structures() {
    let a = object(&[("x", n(1))]);
    assert!(convert(&Value::tuple(vec![a.clone(), Value::NULL]), &list_of_any()).is_err());
    let map = object(&[("a", a), ("b", Value::NULL)]);
    assert_eq!(
        shown(&map, &Type::map(Type::Dynamic)),
        Ok("{\"a\":{\"x\":1},\"b\":null} [\"map\",[\"object\",{\"x\":\"number\"}]]".into())
    );
}

/// Tests that untyped nulls inside of elements prevent a common type with structures.
#[test]
fn what_stays_untyped_must_stay_so_everywhere() {
    let a = |value: Value| object(&[("a", value)]);
    let both = vec![a(Value::NULL), a(Value::tuple(vec![n(1)]))];
    let why = shown(&Value::tuple(both), &list_of_any()).expect_err("no common type");
    assert_eq!(
        why,
        "[1].a: all elements must be of one type: this is a tuple, in another element it is \
         something untyped (null or unknown)"
    );
    let both = vec![a(Value::NULL), a(n(1))];
    assert!(convert(&Value::tuple(both), &list_of_any()).is_ok());
}

/// Tests that elements with untyped parts are unified in a list, but not in a set.
#[test]
fn a_set_does_not_bring_open_elements_together() {
    let open = Value::set(Type::Dynamic, vec![]);
    let mixed = Value::tuple(vec![Value::tuple(vec![n(1)]), open]);
    assert!(convert(&mixed, &list_of_any()).is_ok());
    assert!(convert(&mixed, &Type::set(Type::Dynamic)).is_err());
}

/// Tests that missing optional attributes become null, and extra ones are dropped.
#[test]
fn absent_optional_attributes_become_null() {
    let inner = object_type(&[("p", Type::Number, true)]);
    let ty = object_type(&[("a", Type::String, false), ("b", inner, true)]);
    let value = object(&[("a", n(1)), ("extra", n(2))]);
    assert_eq!(
        shown(&value, &ty),
        Ok("{\"a\":\"1\",\"b\":null} [\"object\",{\"a\":\"string\",\"b\":[\"object\",{\"p\":\"number\"}]}]".into())
    );
    let map = Value::map(Type::String, [("a".into(), Value::text("x"))]);
    assert!(shown(&map, &object_type(&[("a", Type::String, false)])).is_ok());
    assert!(shown(&map, &object_type(&[("c", Type::String, false)])).is_err());
}

/// Tests that converting a value to its own type returns the same allocation.
#[test]
fn a_value_that_fits_is_shared() {
    let Value::Tuple(node) = Value::tuple(vec![n(1), "a".into()]) else { unreachable!() };
    let ty = Type::tuple([Type::Dynamic, Type::String]);
    let Ok(Value::Tuple(same)) = convert(&Value::Tuple(node.clone()), &ty) else { unreachable!() };
    assert!(Arc::ptr_eq(&node, &same));
}

/// Tests that conversion keeps marks, and moves those of elements to a set.
#[test]
fn marks_are_carried_and_sets_gather_them() {
    let value = Value::tuple(vec!["a".into(), n(2).sensitive()]);
    let list = convert(&value, &list_of_any()).expect("a list");
    assert_eq!(codec::listing(&list).sensitive, ["[1]"]);
    let set = convert(&value, &Type::set(Type::Dynamic)).expect("a set");
    assert_eq!(codec::listing(&set).sensitive, [""]);
    assert!(set.has_marks());
}

/// Tests the causes and refinements of unknowns after conversion.
#[test]
fn unknowns_keep_their_causes_and_what_stays_certain() {
    let causes = Causes::one(CauseId(7));
    let certain = Refinement {
        not_null: true,
        length: Some(Length { low: 2, high: Some(5) }),
        ..Refinement::default()
    };
    let list = Value::refined(Type::list(Type::String), certain, causes);
    let Ok(Value::Unknown(set)) = convert(&list, &Type::set(Type::Dynamic)) else { unreachable!() };
    assert_eq!(set.ty, Type::set(Type::String));
    assert!(set.refinement.not_null);
    assert_eq!(set.refinement.length, Some(Length { low: 1, high: Some(5) }));
    assert_eq!(set.causes.ids(), [CauseId(7)]);
    let tuple = Value::unknown(Type::tuple([Type::String, Type::Number]));
    let Ok(Value::Unknown(list)) = convert(&tuple, &list_of_any()) else { unreachable!() };
    assert_eq!(list.ty, Type::list(Type::String));
    assert_eq!(list.refinement.length, Some(Length { low: 2, high: Some(2) }));
    assert!(convert(&Value::unknown(Type::Bool), &Type::Number).is_err());
}

/// Tests that a set of several elements with unknowns becomes an unknown list.
#[test]
fn a_set_with_unknowns_makes_an_unknown_list() {
    let open = Value::set(Type::String, vec!["a".into(), Value::unknown(Type::String)]);
    let list = convert(&open, &Type::list(Type::String)).expect("a list");
    assert!(!list.is_known());
    let one = Value::set(Type::String, vec![Value::unknown(Type::String)]);
    assert!(convert(&one, &list_of_any()).expect("a list").is_known());
}

/// Tests which types convert to which: always, for some values, or never.
#[test]
fn conversions_between_types() {
    let always = |a: &Type, b: &Type| assert_eq!(convertible(a, b), Convertibility::Always);
    let perhaps = |a: &Type, b: &Type| assert_eq!(convertible(a, b), Convertibility::Perhaps);
    let never = |a: &Type, b: &Type| assert_eq!(convertible(a, b), Convertibility::Never);
    always(&Type::Number, &Type::String);
    perhaps(&Type::String, &Type::Number);
    never(&Type::Number, &Type::Bool);
    always(&Type::set(Type::Number), &Type::list(Type::String));
    perhaps(&Type::map(Type::String), &object_type(&[("a", Type::String, false)]));
    never(&Type::list(Type::String), &Type::tuple([Type::String]));
    never(&Type::tuple([Type::String]), &Type::tuple([]));
    always(&Type::tuple([]), &Type::list(Type::Bool));
    perhaps(&Type::Dynamic, &Type::Bool);
    always(&Type::Bool, &Type::Dynamic);
    never(&Type::String, &Type::list(Type::String));
}

/// Tests the common types of several types.
#[test]
fn common_types() {
    let t = |elements: &[&Type]| Type::tuple(elements.iter().map(|ty| (*ty).clone()));
    let o = |attributes: &[(&str, Type)]| {
        Type::object(attributes.iter().map(|(name, ty)| ((*name).into(), ty.clone())))
    };
    let (s, n, b, d) = (Type::String, Type::Number, Type::Bool, Type::Dynamic);
    let list = |e: &Type| Type::list(e.clone());
    let cases: Vec<(Vec<Type>, Option<Type>)> = vec![
        (vec![], None),
        (vec![n.clone(), b.clone()], None),
        (vec![n.clone(), b.clone(), s.clone()], Some(s.clone())),
        (vec![n.clone(), d.clone()], Some(n.clone())),
        (vec![t(&[&n]), t(&[&s])], Some(t(&[&s]))),
        (vec![t(&[&n]), t(&[&s, &b])], Some(list(&s))),
        (vec![t(&[]), t(&[&n])], Some(list(&n))),
        (vec![list(&s), t(&[&n, &n])], Some(list(&s))),
        (vec![list(&n), t(&[&s])], Some(list(&s))),
        (vec![list(&n), t(&[])], Some(list(&n))),
        (vec![Type::set(s.clone()), t(&[&n])], Some(Type::set(s.clone()))),
        (vec![Type::set(s.clone()), list(&n)], Some(list(&n))),
        (vec![list(&d), list(&s)], Some(list(&s))),
        (vec![list(&n), list(&b)], None),
        (vec![o(&[("a", n.clone())]), o(&[("a", s.clone())])], Some(o(&[("a", s.clone())]))),
        (vec![o(&[("a", n.clone())]), o(&[("b", s.clone())])], Some(Type::map(s.clone()))),
        (vec![o(&[("a", n.clone())]), o(&[])], Some(Type::map(n.clone()))),
        (vec![o(&[("a", n.clone())]), o(&[("a", b.clone())])], None),
        (vec![o(&[("a", n.clone())]), d.clone()], Some(d.clone())),
        (vec![Type::map(s.clone()), o(&[("b", n.clone())])], Some(Type::map(s.clone()))),
        (vec![t(&[&n]), o(&[("a", n.clone())])], None),
        (vec![list(&d), t(&[&Type::set(d.clone()), &n])], None),
        (vec![s.clone(), t(&[&s])], None),
        (vec![t(&[&d]), t(&[&list(&n)])], Some(t(&[&d]))),
    ];
    for (types, wanted) in cases {
        let found = unify(&types.iter().collect::<Vec<_>>());
        assert_eq!(found, wanted, "{types:?}");
    }
}

/// Tests that converting a converted value again does not change it.
#[test]
fn converting_twice_changes_nothing() {
    let value = object(&[("a", Value::tuple(vec![n(1), "x".into()])), ("b", Value::NULL)]);
    let ty = object_type(&[
        ("a", list_of_any(), false),
        ("b", Type::map(Type::String), false),
        ("c", Type::Bool, true),
    ]);
    let once = convert(&value, &ty).expect("converts");
    let twice = convert(&once, &ty).expect("converts");
    assert!(ops::same(&once, &twice));
    assert_eq!(once.marks(), Marks::NONE);
}
