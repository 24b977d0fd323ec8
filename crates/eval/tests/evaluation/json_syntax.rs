//! Expressions in JSON syntax: strings and property names are templates, and places stay inside of
//! the text they were written in.

use std::sync::Arc;

use groma_eval::type_of::{TypePosition, type_expression};
use groma_eval::{Context, LocatedCode, NamedValues, evaluate};
use groma_functions::FunctionLibrary;
use groma_runtime::Edition;
use groma_syntax::{Diagnostics, Expr, FileId, JsonExpr, json};
use groma_value::{Type, Value, print};

/// Parses an expression in JSON syntax, which must be valid.
fn expr(text: &str) -> Expr {
    let text: Arc<str> = text.into();
    let parse = json::parse(&text, FileId(0));
    assert!(parse.diagnostics.is_empty(), "{text}");
    Expr::Json(JsonExpr::root(&parse))
}

/// Evaluates an expression in JSON syntax, with `x` as 7 and `u` unknown; returns value, diagnostics and code.
fn run(text: &str) -> (Value, Diagnostics, LocatedCode) {
    let located = LocatedCode::of(&expr(text), &FunctionLibrary::of(Edition::DEFAULT));
    let names: NamedValues =
        [("x", Value::int(7)), ("u", Value::unknown(Type::String))].into_iter().collect();
    let context = Context::bare(Edition::DEFAULT).with_scope(Arc::new(names));
    let mut out = Diagnostics::new();
    let value = evaluate(&located, &context, &mut out);
    (value, out, located)
}

/// Evaluates an expression in JSON syntax without diagnostics; returns its value as the console prints it, in one line.
fn console(text: &str) -> String {
    let (value, out, _) = run(text);
    assert!(out.is_empty(), "{text}: {:?}", out.as_slice());
    print::console(&value).replace("\n  ", " ").replace('\n', " ")
}

/// Evaluates an expression in JSON syntax; returns the texts at the places of its diagnostics.
fn places(text: &str) -> Vec<String> {
    let (_, out, _) = run(text);
    out.iter().map(|one| one.place.unwrap().span.of(text).to_owned()).collect()
}

/// Tests that strings and property names in JSON are evaluated as templates.
#[test]
fn strings_are_templates() {
    assert_eq!(console(r#""${x + 1}""#), "8");
    assert_eq!(console(r#""a-${x}""#), "\"a-7\"");
    assert_eq!(console(r#""$${x}""#), "\"${x}\"");
    assert_eq!(console(r#""plain \"text\"""#), r#""plain \"text\"""#);
    assert_eq!(console(r#""${upper(\"q\")}""#), "\"Q\"");
    assert_eq!(
        console(r#"{"a": [1, null, true, "${x}"], "k${x}": {}}"#),
        console(r#"{"k7": {}, "a": [1, null, true, 7]}"#)
    );
    assert_eq!(console("1.50"), "1.5");
}

/// Tests that references in JSON strings and property names are listed in source order.
#[test]
fn references_are_listed() {
    let (_, _, located) = run(r#"{"${x}": ["${u.a}", {"n": "%{ if b }${c}%{ endif }"}]}"#);
    let roots: Vec<&str> =
        located.code.references().iter().map(|reference| &*reference.root).collect();
    assert_eq!(roots, ["x", "u", "b", "c"]);
}

/// Tests that diagnostics about templates in JSON strings have places in the file.
#[test]
fn findings_stand_in_the_text() {
    assert_eq!(places(r#"["${x}", "${nope}"]"#), ["nope"]);
    assert_eq!(places(r#"{"a": "b ${x.y} c"}"#), [".y"]);
    assert_eq!(places(r#"["${1 +}"]"#).len(), 1);
    assert_eq!(places(r#"{"a": 1, "b": 2, "a": 3}"#), [r#""a""#]);
    assert!(places(r#""${x.aé\u00e9}""#).iter().all(|place| !place.is_empty()));
}

/// Tests that type expressions in JSON are read from strings.
#[test]
fn types_are_texts() {
    let read = |text: &str| {
        let mut out = Diagnostics::new();
        let (ty, _) = type_expression(&expr(text), TypePosition::Variable, &mut out);
        let place = out.iter().next().and_then(|one| one.place);
        place.map_or_else(|| print::type_constraint(&ty), |place| place.span.of(text).to_owned())
    };
    assert_eq!(read(r#""list(string)""#), "list(string)");
    assert_eq!(read(r#""map""#), "map(any)");
    assert_eq!(read(r#""list(strong)""#), "strong");
    assert_eq!(read("7"), "7");
}
