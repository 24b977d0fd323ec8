//! Properties of lowering: references are listed in source order without local names, constants are folded, and
//! diagnostics are reported only by an evaluation.

use std::sync::Arc;

use groma_eval::{Code, LocatedCode, Step, lower};
use groma_functions::FunctionLibrary;
use groma_runtime::Edition;
use groma_syntax::{Expr, FileId, parse_expression};
use groma_value::print;

/// Parses and lowers an expression, which must be valid.
fn code(text: &str) -> Arc<Code> {
    let text: Arc<str> = text.into();
    let parse = parse_expression(&text, FileId(0));
    assert!(parse.diagnostics.is_empty(), "{text}");
    lower(&Expr::of(&parse), &FunctionLibrary::of(Edition::DEFAULT))
}

/// Returns the references of an expression as texts, in the order in which the code lists them.
fn references(text: &str) -> Vec<String> {
    let code = code(text);
    let told = code.references().iter().map(|reference| {
        let steps = reference.steps.iter().map(|step| match step {
            Step::Attribute(name) => format!(".{name}"),
            Step::Index(key) => format!("[{}]", print::console(key)),
            Step::Splat => "[*]".to_owned(),
            Step::Unknown => "[?]".to_owned(),
        });
        format!("{}{}", reference.root, steps.collect::<String>())
    });
    told.collect()
}

/// Tests the references that code lists, with their steps, in source order.
#[test]
fn references_stand_in_source_order() {
    assert_eq!(references("b.x + a.y"), ["b.x", "a.y"]);
    assert_eq!(references("a.b[\"c\"].d[0].e"), ["a.b[\"c\"].d[0].e"]);
    assert_eq!(references("a.b[local.i].c"), ["a.b[?].c", "local.i"]);
    assert_eq!(references("a.b[*].c[*].d"), ["a.b[*].c[*].d"]);
    assert_eq!(references("a.*.b.c"), ["a[*].b.c"]);
    assert_eq!(references("\"x${a.b}y%{ if c }${d}%{ endif }\""), ["a.b", "c", "d"]);
    assert_eq!(references("{ (k) = v, plain = w }"), ["k", "v", "w"]);
    assert_eq!(references("f.x ? g : h"), ["f.x", "g", "h"]);
}

/// Tests that names bound by `for`, and literals, are not listed as references.
#[test]
fn local_names_are_no_references() {
    assert_eq!(references("[for k, v in xs : v.a + k + w if v.b]"), ["xs", "w"]);
    assert_eq!(references("[for x in x : x]"), ["x"]);
    assert_eq!(references("[for x in a : [for y in x : [x, y, z]]]"), ["a", "z"]);
    assert_eq!(references("\"%{ for i in l }${i}${j}%{ endfor }${i}\""), ["l", "j", "i"]);
    assert_eq!(references("true && null == false"), [""; 0]);
}

/// Tests that references in `try` and in calls that cannot succeed are listed, too.
#[test]
fn references_of_what_may_fail_are_listed() {
    assert_eq!(references("try(a.b, can(c))"), ["a.b", "c"]);
    assert_eq!(references("no_such_function(a, b...)"), ["a", "b"]);
    assert_eq!(references("upper(a, b)"), ["a", "b"]);
}

/// Tests which expressions are lowered to a single constant.
#[test]
fn constants_are_folded() {
    for text in [
        "1",
        "-1",
        "1 + 2 * 3 - 4 / 8",
        "\"a\"",
        "[1, \"b\", [true]]",
        "{ a = 1, b = { c = [] } }",
        "(null)",
    ] {
        assert!(code(text).constant().is_some(), "{text}");
    }
    for text in ["a", "[a]", "1 + \"x\"", "0 / 0", "upper(\"a\")", "{ a.b = 1 }"] {
        assert!(code(text).constant().is_none(), "{text}");
    }
}

/// Tests that spans in code start at the expression, and places in the file.
#[test]
fn spans_are_relative_to_the_expression() {
    let text: Arc<str> = "  # remark\n  a.b + cd".into();
    let parse = parse_expression(&text, FileId(3));
    let located = LocatedCode::of(&Expr::of(&parse), &FunctionLibrary::of(Edition::DEFAULT));
    let spans: Vec<&str> = located
        .code
        .references()
        .iter()
        .map(|reference| located.place(reference.span).span.of(&text))
        .collect();
    assert_eq!(spans, ["a.b", "cd"]);
    assert_eq!(located.code.references()[0].span.start, 0);
    assert_eq!(located.file, FileId(3));
}

/// Tests that the public types of the crate can be sent to other threads and shared.
#[test]
fn owned_faces_may_be_shared() {
    /// Compiles only for types that threads can share.
    fn shared<T: Send + Sync + 'static>() {}
    shared::<Code>();
    shared::<LocatedCode>();
    shared::<groma_eval::Context>();
    shared::<groma_eval::CauseTable>();
    shared::<groma_eval::NamedValues>();
}
