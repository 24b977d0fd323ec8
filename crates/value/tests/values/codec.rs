//! Tests of the JSON of values and types: written as the language writes it, and read as strictly.

use groma_value::{Mark, Marks, Number, Type, Value, codec, json, json_type, ops, print};
use proptest::prelude::*;

/// Tests escapes, key order and refusals of both forms of JSON.
#[test]
fn written_as_the_language_writes_it() {
    let value = Value::object([
        ("z".into(), Value::set(Type::String, vec!["b".into(), "a".into()])),
        ("a<".into(), Value::text("<&>\u{2028}\u{8}\u{b}\u{7f}\"\\/")),
    ]);
    assert_eq!(
        json::encode(&value).expect("text"),
        "{\"a\\u003c\":\"\\u003c\\u0026\\u003e\\u2028\\b\\u000b\u{7f}\\\"\\\\/\",\"z\":[\"a\",\"b\"]}"
    );
    assert!(json::plain(&value).starts_with("{\"a<\":\"<&>"));
    let infinite = Value::tuple(vec![Number::infinity(true).into()]);
    let why = json::encode(&infinite).expect_err("no form");
    assert_eq!(codec::path_text(&why.path), "[0]");
    assert_eq!(json::plain(&infinite), "[\"-Inf\"]");
    assert!(json::encode(&Value::unknown(Type::Bool)).is_err());
}

/// Tests which texts are accepted as JSON and which are refused.
#[test]
fn read_strictly() {
    for good in
        [" \t\r\n[1 , 2.5e-3]", "\"\\ud83d\\ude00\"", "{}", "-0.0", "1e400", "{\"a\":1,\"a\":2}"]
    {
        assert!(json::decode(good).is_ok(), "{good}");
    }
    for bad in [
        "",
        "  ",
        "+1",
        ".5",
        "1.",
        "1e",
        "-",
        "01",
        "0x1F",
        "NaN",
        "[1,]",
        "{\"a\":1,}",
        "[1 2]",
        "{a:1}",
        "// c\n1",
        "[1,2",
        "\"abc",
        "]",
        "1 2",
        "{} x",
        "\u{a0}1",
        "\"\t\"",
        "\"\\x41\"",
        "\"\\u12\"",
        "{\"a\":null,\"a\":1}",
        "{\"e\u{301}\":1}",
        "truex",
        "nul",
        "{\"a\" 1}",
    ] {
        assert!(json::decode(bad).is_err(), "{bad}");
    }
    assert_eq!(
        json::plain(&json::decode("\"x\\udce6y\\ud800\"").expect("text")),
        "\"x\u{fffd}y\u{fffd}\""
    );
    assert_eq!(json::decode("[1, x]").expect_err("no JSON").offset, 4);
    let pair = json::decode("[1,null]").map(|value| value.ty());
    assert_eq!(pair, Ok(Type::tuple([Type::Number, Type::Dynamic])));
}

/// Tests that JSON beyond the nesting limit is an error and does not exhaust the stack.
#[test]
fn deep_nesting_is_refused_not_fatal() {
    let deep = "[".repeat(100_000);
    assert!(json::decode(&deep).is_err());
    let fits = "[".repeat(350) + &"]".repeat(350);
    let value = json::decode(&fits).expect("a value");
    assert_eq!(value.depth(), 350);
    let deeper = format!("[[{fits}]]");
    assert!(json::decode(&deeper).is_err());
    assert_eq!(json::plain(&value), fits);
}

/// Tests reading and writing of types as JSON, and their other notations.
#[test]
fn types() {
    for text in [
        "\"dynamic\"",
        "[\"list\",[\"map\",\"bool\"]]",
        "[\"tuple\",[\"string\",[\"tuple\",[]]]]",
        "[\"object\",{\"a\":\"number\",\"b c\":[\"set\",\"string\"]},[\"a\"]]",
    ] {
        assert_eq!(json_type::write(&json_type::read(text).expect("a type")), text);
    }
    for bad in ["\"text\"", "[\"list\"]", "[\"list\",\"bool\",1]", "{}", "[\"object\",{\"a\":1}]"] {
        assert!(json_type::read(bad).is_err(), "{bad}");
    }
    let ty =
        json_type::read("[\"object\",{\"a\":[\"list\",\"number\"],\"b\":\"dynamic\"},[\"b\"]]");
    let ty = ty.expect("a type");
    assert_eq!(print::type_constraint(&ty), "object({ a = list(number), b = optional(any) })");
    assert_eq!(print::type_name(&Type::map(ty)), "map of object");
    let nested = Type::list(Type::map(Type::tuple([Type::set(Type::Bool)])));
    assert_eq!(
        print::print_type(&nested),
        "list(map(\n    tuple([\n        set(bool),\n    ]),\n))"
    );
}

/// Tests the listing of unknown, sensitive and ephemeral parts.
#[test]
fn paths_of_unknown_and_marked_parts() {
    let unknown = Value::unknown(Type::String);
    let set = Value::set(Type::String, vec![unknown.clone(), unknown.clone(), "a".into()]);
    let map = Value::map(Type::String, [("k\"".into(), unknown.sensitive())]);
    let value = Value::object([
        ("a b".into(), unknown),
        ("list".into(), Value::tuple(vec![Value::TRUE.mark(&Marks::one(Mark::Ephemeral))])),
        ("map".into(), map),
        ("set".into(), set),
    ]);
    let found = codec::listing(&value.sensitive());
    let unknown: Vec<&str> = found.unknown.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(unknown, ["[\"a b\"]", ".map[\"k\\\"\"]", ".set[?]", ".set[?]"]);
    assert_eq!(found.sensitive, ["", ".map[\"k\\\"\"]"]);
    assert_eq!(found.ephemeral, [".list[0]"]);
}

/// Returns a strategy for known values that JSON can represent.
fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::NULL),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(|n| Value::from(Number::literal(n))),
        "\\PC{0,6}".prop_map(|text| Value::text(text.as_str())),
        any::<char>().prop_map(|c| Value::text(c.to_string())),
    ];
    leaf.prop_recursive(4, 32, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::tuple),
            prop::collection::vec(("[a-z\"é]{0,3}", inner), 0..5).prop_map(|entries| {
                Value::object(entries.into_iter().map(|(k, v)| (k.as_str().into(), v)))
            }),
        ]
    })
}

proptest! {
    /// Tests that values and types are the same after writing and reading.
    #[test]
    fn what_is_written_reads_back(value in any_value()) {
        let text = json::encode(&value).expect("text");
        let back = json::decode(&text).expect("a value");
        prop_assert!(ops::same(&value, &back), "{text}");
        let back = json::decode(&json::plain(&value)).expect("a value");
        prop_assert!(ops::same(&value, &back));
        let ty = value.ty();
        prop_assert_eq!(json_type::read(&json_type::write(&ty)).expect("a type"), ty);
    }

    /// Tests that reading arbitrary text does not panic.
    #[test]
    fn no_text_breaks_the_reader(text in "[\\[\\]{}:,\"\\\\u0-9eE.tfn \\-]{0,24}") {
        let _ = json::decode(&text);
        let _ = json_type::read(&text);
    }
}
