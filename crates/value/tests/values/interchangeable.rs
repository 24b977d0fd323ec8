//! Tests of interchangeable values: copies are interchangeable, and any observable difference prevents it.

use groma_value::{
    CauseChanges, CauseId, Causes, ElementOrder, Fingerprint, Mark, Marks, Number, Refinement,
    Type, Value, convert, interchangeable,
};
use proptest::prelude::*;

/// Returns a set of causes with this single id.
fn because(id: u32) -> Causes {
    Causes::one(CauseId(id))
}

/// Returns the set of changed causes with these ids.
fn changed(ids: &[u32]) -> CauseChanges {
    CauseChanges::of(ids.iter().map(|id| CauseId(*id)))
}

/// Returns values each of which differs observably from all others.
fn distinct() -> Vec<Value> {
    let unknown = |ty: Type, id| Value::unknown_because(ty, because(id));
    let text = Value::text("a");
    let not_null = Refinement::not_null();
    let longer = (0..=Causes::LIMIT as u32).fold(Causes::NONE, |all, id| all.union(&because(id)));
    let eight = (0..Causes::LIMIT as u32).fold(Causes::NONE, |all, id| all.union(&because(id)));
    let parts = |id| vec![("p".into(), unknown(Type::String, id))];
    vec![
        Value::NULL,
        Value::null(Type::String),
        Value::null(Type::List(Type::String.into())),
        Value::TRUE,
        Value::FALSE,
        Value::int(1),
        Value::from(Number::parse("1").expect("a number")),
        Value::from(Number::parse("-0").expect("a number")),
        Value::int(0),
        Value::from(Number::parse("0.5").expect("a number")),
        text.clone(),
        Value::text("b"),
        text.sensitive(),
        text.mark(&Marks::one(Mark::Ephemeral)),
        text.mark(&Marks::one(Mark::Mocked(CauseId(1)))),
        text.mark(&Marks::one(Mark::Mocked(CauseId(2)))),
        Value::tuple(Vec::new()),
        Value::list(Type::String, Vec::new()),
        Value::list(Type::Number, Vec::new()),
        Value::set(Type::String, Vec::new()),
        Value::map(Type::String, Vec::new()),
        Value::object([]),
        unknown(Type::Dynamic, 1),
        unknown(Type::Dynamic, 2),
        Value::unknown(Type::Dynamic),
        unknown(Type::String, 1),
        Value::refined(Type::String, not_null.clone(), because(1)),
        Value::refined(Type::Dynamic, not_null, because(1)),
        Value::unknown_because(Type::Dynamic, longer),
        Value::unknown_because(Type::Dynamic, eight),
        unknown(Type::Dynamic, 1).traced(Fingerprint::of(1)),
        unknown(Type::Dynamic, 1).traced(Fingerprint::of(2)),
        Value::open_object(parts(1), because(1)),
        Value::open_object(parts(2), because(1)),
        Value::open_object(parts(1), because(2)),
        Value::open_elements(vec![text.clone()], ElementOrder::Given, because(1)),
        Value::open_elements(vec![text], ElementOrder::Unknown, because(1)),
    ]
}

/// Returns a value alone and in each kind of container.
fn contained(value: &Value) -> Vec<Value> {
    vec![
        value.clone(),
        Value::tuple(vec![Value::int(7), value.clone()]),
        Value::object([("k".into(), value.clone())]),
        Value::list(value.ty(), vec![value.clone()]),
        Value::map(value.ty(), [("k".into(), value.clone())]),
        Value::tuple(vec![Value::object([("k".into(), value.clone())]).sensitive()]),
    ]
}

/// Tests that distinct values are never interchangeable, also inside of containers.
#[test]
fn what_can_be_observed_makes_a_difference() {
    let none = changed(&[]);
    let (left, right) = (distinct(), distinct());
    for (i, a) in left.iter().enumerate() {
        for (j, b) in right.iter().enumerate() {
            for (a, b) in contained(a).iter().zip(&contained(b)) {
                assert_eq!(interchangeable(a, b, &none), i == j, "{a:?} and {b:?}");
                assert_eq!(interchangeable(b, a, &none), i == j, "{b:?} and {a:?}");
            }
        }
    }
}

/// Tests that a value with a changed cause is not interchangeable with itself.
#[test]
fn a_changed_cause_makes_a_value_another_one_wherever_it_is() {
    let values = [
        Value::unknown_because(Type::String, because(1).union(&because(5))),
        Value::open_object(
            [("p".into(), Value::unknown_because(Type::Bool, because(5)))],
            because(1),
        ),
        Value::text("a").mark(&Marks::one(Mark::Mocked(CauseId(5)))),
    ];
    for value in values.iter().flat_map(contained) {
        let copy = value.clone();
        assert!(interchangeable(&value, &copy, &changed(&[])));
        assert!(interchangeable(&value, &copy, &changed(&[2])));
        assert!(!interchangeable(&value, &copy, &changed(&[5])), "{value:?}");
        assert!(interchangeable(&value, &copy, &changed(&[2]).from(CauseId(6))));
        assert!(!interchangeable(&value, &copy, &changed(&[2]).from(CauseId(5))), "{value:?}");
    }
}

/// Returns a strategy for containers of distinct values.
fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop::sample::select(distinct());
    leaf.prop_recursive(3, 24, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::tuple),
            prop::collection::vec(("[a-c]", inner.clone()), 0..3).prop_map(|all| {
                Value::object(all.into_iter().map(|(name, value)| (name.as_str().into(), value)))
            }),
            inner.clone().prop_map(|value| value.sensitive()),
            inner.prop_map(|value| Value::list(value.ty(), vec![value.clone(), value])),
        ]
    })
}

proptest! {
    /// Tests that operations on a value and its copy have interchangeable results.
    #[test]
    fn interchangeable_operands_give_interchangeable_results(value in any_value()) {
        let none = changed(&[]);
        // A copy that shares no allocation with the value.
        let copy = value.transform(&mut |part| match part {
            Value::Unknown(unknown) => Value::Unknown(std::sync::Arc::new((**unknown).clone())),
            part => part.clone(),
        });
        prop_assert!(interchangeable(&value, &copy, &none));
        prop_assert_eq!(value.ty(), copy.ty());
        prop_assert_eq!(value.deep_marks(), copy.deep_marks());
        let causes = (value.deep_causes(), copy.deep_causes());
        prop_assert_eq!(causes.0.ids(), causes.1.ids());
        for ty in [Type::String, Type::List(Type::String.into()), Type::Map(Type::Dynamic.into())] {
            match (convert(&value, &ty), convert(&copy, &ty)) {
                (Ok(one), Ok(other)) => prop_assert!(interchangeable(&one, &other, &none)),
                (one, other) => prop_assert_eq!(one.is_ok(), other.is_ok()),
            }
        }
    }
}
