//! Tests of every function with every kind of argument, sensible or not: none panics or reveals a secret, and the type of the
//! result for an unknown argument fits every known one.

use groma_functions::{CallContext, Function, FunctionBody, FunctionLibrary, call};
use groma_runtime::{Dialect, Edition, MemoryHost, Semantics};
use groma_value::{Mark, Number, Refinement, Type, Value};

/// Returns the number value of a text.
fn number(text: &str) -> Value {
    Number::parse(text).unwrap().into()
}

/// Returns values of every kind, including awkward ones.
fn samples() -> Vec<Value> {
    let text = |text: &str| Value::text(text);
    let list = |items: &[&str]| {
        Value::list(Type::String, items.iter().map(|item| Value::text(*item)).collect())
    };
    let mut deep = text("x");
    for _ in 0..200 {
        deep = Value::tuple(vec![deep]);
    }
    vec![
        Value::NULL,
        Value::null(Type::list(Type::String)),
        Value::TRUE,
        number("0"),
        number("-0"),
        number("2"),
        number("-1.5"),
        number("1e400"),
        number("-Inf"),
        text(""),
        text("a,\u{301}b\r\n%s ${x}"),
        text("10.0.0.0/8"),
        text("(?P<a>.*)+%5d{,}["),
        text("2031-04-07T09:05:03+05:30"),
        text("eyJhIjpbMSwibyJdfQ=="),
        list(&[]),
        list(&["b", "a", "b"]),
        Value::set(Type::Number, vec![number("1"), number("3")]),
        Value::map(Type::list(Type::String), [("k".into(), list(&["v"]))]),
        Value::tuple(vec![number("1"), text("x"), Value::NULL, Value::unknown(Type::Bool)]),
        Value::object([("a".into(), number("1")), ("b".into(), text("y").sensitive())]),
        text("classified").sensitive(),
        Value::unknown(Type::Dynamic),
        Value::unknown(Type::String),
        Value::unknown(Type::list(Type::Number)).sensitive(),
        Value::unknown(Type::object([("a".into(), Type::String)])),
        deep,
    ]
}

/// Passes every function of OpenTofu and Packer to `see` with none, one, two and three samples.
fn each(mut see: impl FnMut(&Function, &[Value], &CallContext<'_>)) {
    let samples = samples();
    let few: Vec<&Value> = samples.iter().step_by(4).collect();
    for dialect in [Dialect::OpenTofu, Dialect::Packer] {
        let edition = Edition::newest(dialect);
        let semantics = Semantics::of(edition);
        let host = MemoryHost::new().with_file("a/b.txt", "x").with_file("a/é.txt", "");
        let context = CallContext { host: &host, ..CallContext::bare(&semantics) };
        let library = FunctionLibrary::of(edition).with_variable_default();
        for function in library.functions().filter(|f| matches!(f.body, FunctionBody::Plain(_))) {
            see(function, &[], &context);
            for first in &samples {
                see(function, std::slice::from_ref(first), &context);
                for second in &samples {
                    see(function, &[first.clone(), second.clone()], &context);
                }
            }
            for first in &few {
                for second in &few {
                    for third in &few {
                        let args = [first, second, third].map(|value| (*value).clone());
                        see(function, &args, &context);
                    }
                }
            }
        }
    }
}

/// Tests that no call panics, and that failures have a sentence without secrets.
#[test]
fn nothing_panics_and_every_failure_speaks() {
    each(|function, args, context| {
        let Err(failures) = call(function, args, context) else { return };
        assert!(!failures.is_empty(), "{function:?} {args:?}");
        for failure in failures {
            let said = failure.message.text();
            assert!(said.ends_with(['.', ':', ')']) || said.contains(". "), "{function:?}: {said}");
            assert!(!said.contains("classified"), "{function:?} tells a secret: {said}");
            assert!(failure.argument.is_none_or(|at| at < args.len()), "{function:?}: {said}");
        }
    });
}

/// Tests that results of sensitive arguments are sensitive.
#[test]
fn secrets_mark_what_comes_of_them() {
    each(|function, args, context| {
        let hidden = |(at, arg): (usize, &Value)| {
            function.param(at).is_some_and(|param| !param.marked)
                && arg.deep_marks().contains(&Mark::Sensitive)
        };
        if !args.iter().enumerate().any(hidden) {
            return;
        }
        // An unknown result reveals nothing; editions differ in whether it is marked before it is known.
        if let Ok(result) = call(function, args, context)
            && result.is_known()
        {
            assert!(result.marks().contains(&Mark::Sensitive), "{function:?} {args:?}: {result:?}");
        }
    });
}

/// Returns true if a value of type `known` is possible where a result of type `open` was predicted.
fn conforms(known: &Type, open: &Type) -> bool {
    match (known, open) {
        (_, Type::Dynamic) | (Type::Dynamic, _) => true,
        (Type::List(known), Type::List(open))
        | (Type::Set(known), Type::Set(open))
        | (Type::Map(known), Type::Map(open)) => conforms(known, open),
        (Type::Tuple(known), Type::Tuple(open)) => {
            known.elements().len() == open.elements().len()
                && known.elements().iter().zip(open.elements()).all(|(k, o)| conforms(k, o))
        }
        (Type::Object(known), Type::Object(open)) => {
            known.attributes().len() == open.attributes().len()
                && known
                    .attributes()
                    .iter()
                    .zip(open.attributes())
                    .all(|(known, open)| known.name == open.name && conforms(&known.ty, &open.ty))
        }
        _ => known == open,
    }
}

/// Tests that the type of the result for an unknown argument fits the results for known ones.
#[test]
fn an_unknown_foretells_the_type() {
    each(|function, args, context| {
        let Ok(result) = call(function, args, context) else { return };
        for at in 0..args.len() {
            // The type for a null may differ from that for other values.
            if args[at].is_null() {
                continue;
            }
            let mut open = args.to_vec();
            open[at] =
                Value::refined(args[at].ty(), Refinement::not_null(), groma_value::Causes::NONE);
            match call(function, &open, context) {
                Ok(foretold) => assert!(
                    conforms(&result.ty(), &foretold.ty()),
                    "{function:?} {args:?} gives {:?}, foretold {:?}",
                    result.ty(),
                    foretold.ty()
                ),
                Err(why) => panic!("{function:?} {args:?}, unknown at {at}: {why:?}"),
            }
        }
    });
}
