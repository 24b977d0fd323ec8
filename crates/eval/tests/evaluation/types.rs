//! Type expressions and defaults, in native syntax and in JSON.

use std::sync::Arc;

use groma_eval::type_of::{TypePosition, type_expression};
use groma_eval::{Context, LocatedCode, TypeDefaults, evaluate};
use groma_functions::FunctionLibrary;
use groma_runtime::Edition;
use groma_syntax::{Diagnostics, Expr, FileId, parse_expression};
use groma_value::{Type, Value, convert, print};

/// Parses an expression in native syntax, which must be valid.
fn parse(text: &str) -> Expr {
    let text: Arc<str> = text.into();
    let parse = parse_expression(&text, FileId(0));
    assert!(parse.diagnostics.is_empty(), "{text}");
    Expr::of(&parse)
}

/// Evaluates an expression without names, which must not fail.
fn value(text: &str) -> Value {
    let mut out = Diagnostics::new();
    let edition = Edition::DEFAULT;
    let located = LocatedCode::of(&parse(text), &FunctionLibrary::of(edition));
    let value = evaluate(&located, &Context::bare(edition), &mut out);
    assert!(out.is_empty(), "{text}");
    value
}

/// Reads the type expression of a variable, which must be valid: the type, and its defaults if any.
fn read(text: &str) -> (Type, Option<TypeDefaults>) {
    let mut out = Diagnostics::new();
    let read = type_expression(&parse(text), TypePosition::Variable, &mut out);
    assert!(out.is_empty(), "{text}: {:?}", out.as_slice());
    read
}

/// Returns the text at the place of the first error in a type expression.
fn complaint(text: &str, mode: TypePosition) -> String {
    let mut out = Diagnostics::new();
    type_expression(&parse(text), mode, &mut out);
    let first = out.as_slice().first();
    first.and_then(|one| one.place).map_or("", |place| place.span.of(text)).to_owned()
}

/// Tests that type expressions are read and printed alike.
#[test]
fn types() {
    for text in [
        "string",
        "any",
        "list(number)",
        "set(map(bool))",
        "tuple([string, any])",
        "object({ a = string, b = optional(number) })",
    ] {
        assert_eq!(print::type_constraint(&read(text).0), text);
    }
    assert_eq!(print::type_constraint(&read("list").0), "list(any)");
    assert_eq!(print::type_constraint(&read("map").0), "map(any)");
    assert!(read("object({ a = optional(string) })").1.is_none());
}

/// Tests the places of errors in invalid type expressions.
#[test]
fn what_is_no_type() {
    let variable = |text| complaint(text, TypePosition::Variable);
    assert_eq!(variable("strong"), "strong");
    assert_eq!(variable("\"string\""), "\"string\"");
    assert_eq!(variable("set"), "set");
    assert_eq!(variable("list(string, number)"), "number");
    assert_eq!(variable("list()"), ")");
    assert_eq!(variable("object(string)"), "string");
    assert_eq!(variable("map(object({ a = var.b }))"), "var.b");
    assert_eq!(variable("optional(string)"), "optional");
    assert_eq!(variable("object({ a = optional(string, var.x) })"), "var");
    assert_eq!(variable("object({ a = optional(string, upper(\"x\")) })"), "upper(\"x\")");
    assert_eq!(variable("object({ a = optional(number, \"x\") })"), "\"x\"");
    assert_eq!(complaint("object({ a = optional(number, 1) })", TypePosition::Constraint), "1");
    assert_eq!(complaint("list", TypePosition::Constraint), "list");
}

/// Returns a value with the defaults of a type applied and converted to it, as the console prints it, or the error message.
fn filled(ty: &str, given: &str) -> String {
    let (ty, defaults) = read(ty);
    let value = value(given);
    let value = defaults.map_or_else(|| value.clone(), |defaults| defaults.apply(&value));
    match convert(&value, &ty) {
        Ok(value) => print::console(&value).replace("\n  ", " ").replace('\n', " "),
        Err(why) => why.message,
    }
}

/// Tests the defaults of optional attributes at any depth of a type.
#[test]
fn defaults() {
    let ty = "object({ a = optional(string, \"x\"), b = optional(number) })";
    assert_eq!(filled(ty, "{}"), "{ \"a\" = \"x\" \"b\" = tonumber(null) }");
    assert_eq!(filled(ty, "{ a = null, b = \"2\" }"), "{ \"a\" = \"x\" \"b\" = 2 }");
    assert_eq!(filled(ty, "null"), filled("object({ a = string, b = number })", "null"));
    let list = "list(object({ a = optional(number, 7), c = optional(list(string), []) }))";
    assert_eq!(
        filled(list, "[{}, { a = 1, c = [\"z\"] }]"),
        filled(
            "list(object({ a = number, c = list(string) }))",
            "[{ a = 7, c = [] }, { a = 1, c = [\"z\"] }]"
        )
    );
    let nested = "object({ o = optional(object({ p = optional(string, \"d\") }), {}) })";
    assert_eq!(
        filled(nested, "{}"),
        filled("object({ o = object({ p = string }) })", "{ o = { p = \"d\" } }")
    );
    assert_eq!(filled(nested, "{ o = null }"), filled(nested, "{}"));
    let map = "map(object({ a = optional(string, \"m\") }))";
    assert_eq!(
        filled(map, "{ k = {}, l = { a = \"n\" } }"),
        filled("map(object({ a = string }))", "{ k = { a = \"m\" }, l = { a = \"n\" } }")
    );
    let tuple = "tuple([object({ a = optional(bool, true) }), string])";
    assert_eq!(
        filled(tuple, "[{}, 1]"),
        filled("tuple([object({ a = bool }), string])", "[{ a = true }, \"1\"]")
    );
}
