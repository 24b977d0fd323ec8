//! Tests of the invariants of all values that constructors and conversions make: one type in a collection, correct summaries,
//! marks never nested, sets without marks inside.

use groma_value::{
    Attribute, CauseId, Causes, Number, ObjectType, Refinement, Type, Value, ValueMeasure,
    ValueSummary, convert, convertible, ops, unify,
};
use groma_value::{Convertibility, json, json_type};
use proptest::prelude::*;
use std::sync::Arc;

/// Checks the invariants of a value and all its parts, and returns its summary, computed anew.
fn checked(value: &Value) -> ValueSummary {
    let over = |items: &mut dyn Iterator<Item = &Value>, element: Option<&Type>| {
        let (mut all, mut parts) = (ValueSummary::default(), Vec::new());
        for item in items {
            let one = checked(item);
            if let Some(element) = element {
                assert_eq!(item.ty(), *element, "an element has the element type");
            }
            all.unknown |= one.unknown;
            all.untraced |= one.untraced;
            all.marked |= one.marked;
            all.mocked |= one.mocked;
            parts.push(one.measure);
        }
        parts.extend(element.map(measured));
        all.measure = above(&parts);
        all
    };
    let found = match value {
        Value::Unknown(u) => {
            let measure = measured(&u.ty);
            ValueSummary { unknown: true, untraced: true, measure, ..ValueSummary::default() }
        }
        Value::Null(ty) => ValueSummary { measure: measured(ty), ..ValueSummary::default() },
        Value::String(text) => ValueSummary {
            measure: ValueMeasure { depth: 0, weight: text.len() as u64 },
            ..ValueSummary::default()
        },
        Value::List(l) => over(&mut l.items().iter(), Some(l.element())),
        Value::Set(s) => {
            let found = over(&mut s.items().iter(), Some(s.element()));
            assert!(!found.marked, "elements of sets carry no marks");
            let again = Value::set(s.element().clone(), s.items().iter().rev().cloned().collect());
            assert_eq!(json::plain(&again), json::plain(value), "sets are in order, each once");
            found
        }
        Value::Map(m) => {
            assert!(m.entries().windows(2).all(|pair| pair[0].0 < pair[1].0));
            let mut found = over(&mut m.entries().iter().map(|(_, v)| v), Some(m.element()));
            found.measure.weight +=
                m.entries().iter().map(|(key, _)| key.len() as u64).sum::<u64>();
            found
        }
        Value::Tuple(t) => over(&mut t.items().iter(), None),
        Value::Object(o) => {
            let mut found = over(&mut o.values().iter(), None);
            found.measure.weight += o.iter().map(|(name, _)| name.len() as u64).sum::<u64>();
            found
        }
        Value::Marked(m) => {
            assert!(!matches!(m.value(), Value::Marked(_)) && !m.marks().is_empty());
            ValueSummary { marked: true, ..checked(m.value()) }
        }
        _ => ValueSummary::default(),
    };
    assert_eq!(found, value.summary());
    found
}

/// Returns the measure of a collection with parts of these measures.
fn above(parts: &[ValueMeasure]) -> ValueMeasure {
    ValueMeasure {
        depth: parts.iter().map(|part| part.depth + 1).max().unwrap_or(1),
        weight: parts.iter().map(|part| part.weight + 10).sum(),
    }
}

/// Returns the measure of a type, computed anew and compared with the stored one.
fn measured(ty: &Type) -> ValueMeasure {
    let found = match ty {
        Type::List(e) | Type::Set(e) | Type::Map(e) => above(&[measured(e)]),
        Type::Tuple(t) => above(&t.elements().iter().map(measured).collect::<Vec<_>>()),
        Type::Object(o) => {
            let parts: Vec<ValueMeasure> = o.attributes().iter().map(|a| measured(&a.ty)).collect();
            let mut found = above(&parts);
            found.weight += o.attributes().iter().map(|a| a.name.len() as u64).sum::<u64>();
            found
        }
        _ => ValueMeasure::default(),
    };
    assert_eq!(found, ty.measure());
    found
}

/// Returns a strategy for types of every kind.
fn any_type() -> impl Strategy<Value = Type> {
    let leaf = prop_oneof![
        2 => Just(Type::Dynamic),
        1 => Just(Type::Bool),
        1 => Just(Type::Number),
        2 => Just(Type::String),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(Type::list),
            inner.clone().prop_map(Type::set),
            inner.clone().prop_map(Type::map),
            prop::collection::vec(inner.clone(), 0..3).prop_map(Type::tuple),
            prop::collection::vec(("[abc]", inner, any::<bool>()), 0..3).prop_map(|attributes| {
                let attributes = attributes.into_iter().map(|(name, ty, optional)| Attribute {
                    name: name.as_str().into(),
                    ty,
                    optional,
                });
                Type::Object(Arc::new(ObjectType::new(attributes)))
            }),
        ]
    })
}

/// Returns a strategy for values of every kind, with nulls, unknowns and marks.
fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        2 => Just(Value::NULL),
        1 => any_type().prop_map(|ty| Value::null(ty.without_optional())),
        1 => any_type().prop_map(|ty| {
            let ty = ty.without_optional();
            Value::refined(ty, Refinement::not_null(), Causes::one(CauseId(1)))
        }),
        1 => any::<bool>().prop_map(Value::Bool),
        2 => (-3_i64..12).prop_map(|n| Value::from(Number::literal(n))),
        3 => prop_oneof![Just("1"), Just("true"), Just("x"), Just("")].prop_map(Value::text),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            4 => prop::collection::vec(inner.clone(), 0..4).prop_map(Value::tuple),
            4 => prop::collection::vec(("[abc]", inner.clone()), 0..4).prop_map(|entries| {
                Value::object(entries.into_iter().map(|(k, v)| (k.as_str().into(), v)))
            }),
            1 => inner.clone().prop_map(|value| value.sensitive()),
            1 => inner.clone().prop_map(|value| {
                convert(&value, &Type::list(Type::Dynamic)).unwrap_or(value)
            }),
            1 => inner.clone().prop_map(|value| {
                convert(&value, &Type::set(Type::Dynamic)).unwrap_or(value)
            }),
            1 => inner.prop_map(|value| {
                convert(&value, &Type::map(Type::Dynamic)).unwrap_or(value)
            }),
        ]
    })
}

/// Returns true if a type fits the constraint `wanted`, in which `any` stands for any type.
fn conforms(ty: &Type, wanted: &Type) -> bool {
    match (ty, wanted) {
        (_, Type::Dynamic) => true,
        (Type::List(a), Type::List(b))
        | (Type::Set(a), Type::Set(b))
        | (Type::Map(a), Type::Map(b)) => conforms(a, b),
        (Type::Tuple(a), Type::Tuple(b)) => {
            a.elements().len() == b.elements().len()
                && a.elements().iter().zip(b.elements()).all(|(a, b)| conforms(a, b))
        }
        (Type::Object(a), Type::Object(b)) => {
            a.attributes().len() == b.attributes().len()
                && a.attributes()
                    .iter()
                    .zip(b.attributes())
                    .all(|(a, b)| a.name == b.name && !a.optional && conforms(&a.ty, &b.ty))
        }
        (a, b) => a == b,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    /// Tests that converted values keep the invariants, and have the target type.
    #[test]
    fn conversions_keep_the_invariants(value in any_value(), ty in any_type()) {
        checked(&value);
        match convert(&value, &ty) {
            Ok(converted) => {
                checked(&converted);
                let found = converted.ty();
                prop_assert!(conforms(&found, &ty), "{found:?} is no {ty:?}");
                let again = convert(&converted, &ty);
                prop_assert!(again.is_ok_and(|again| ops::same(&again, &converted)));
            }
            // With untyped parts the reference programs promise more conversions than succeed.
            Err(_) if value.ty().has_dynamic() => {}
            Err(_) => prop_assert_ne!(convertible(&value.ty(), &ty), Convertibility::Always),
        }
    }

    /// Tests that values do not convert if their type never converts.
    #[test]
    fn what_never_converts_is_refused(value in any_value(), ty in any_type()) {
        if convertible(&value.ty(), &ty) == Convertibility::Never {
            prop_assert!(convert(&value, &ty).is_err());
        }
    }

    /// Tests that types convert to their common type.
    #[test]
    fn a_common_type_takes_all(a in any_type(), b in any_type()) {
        let (a, b) = (a.without_optional(), b.without_optional());
        // With untyped parts the reference programs may choose a type that only some values fit.
        let closed = !a.has_dynamic() && !b.has_dynamic();
        if closed && let Some(ty) = unify(&[&a, &b]) {
            prop_assert_ne!(convertible(&a, &ty), Convertibility::Never, "{:?} {:?}", a, ty);
            prop_assert_ne!(convertible(&b, &ty), Convertibility::Never, "{:?} {:?}", b, ty);
        }
    }

    /// Tests that `==` is symmetric, and that known values equal themselves.
    #[test]
    fn equality_is_symmetric(a in any_value(), b in any_value()) {
        let (one, other) = (ops::equal(&a, &b), ops::equal(&b, &a));
        prop_assert!(ops::same(&one, &other), "{one:?} {other:?}");
        prop_assert!(ops::same(&a, &a));
        let bare = a.unmark_deep().0;
        if bare.is_wholly_known() {
            prop_assert!(ops::same(&ops::equal(&bare, &bare), &Value::TRUE));
        }
        prop_assert_eq!(one.has_marks(), a.has_marks() || b.has_marks());
    }

    /// Tests that removing marks with their paths and adding them again yields the same value.
    #[test]
    fn marks_come_back_where_they_were(value in any_value()) {
        let (bare, places) = value.unmark_deep_paths();
        checked(&bare);
        prop_assert!(!bare.has_marks());
        prop_assert!(ops::same(&bare.mark_paths(&places), &value));
    }

    /// Tests that types are the same after writing them as JSON and reading them.
    #[test]
    fn types_read_back(ty in any_type()) {
        prop_assert_eq!(json_type::read(&json_type::write(&ty)).expect("a type"), ty);
    }

    /// Tests that operators, indexing and printing do not panic on any values.
    #[test]
    fn nothing_breaks_on_any_pair(a in any_value(), b in any_value()) {
        let _ = (ops::index(&a, &b), ops::length(&a));
        let _ = (ops::add(&a, &b), ops::less_than(&a, &b), ops::and(&a, &b), ops::not(&a));
        let _ = (groma_value::print::console(&a), groma_value::codec::listing(&a));
        prop_assert_eq!(a.deep_marks(), { let (_, marks) = a.unmark_deep(); marks });
    }
}
