//! Hostile texts: deep nesting, long chains, brackets that never close. All are read in a thread of one megabyte and
//! in time that grows with the text.

use std::sync::Arc;

use groma_syntax::{FileId, Parse, parse_expression, parse_file, parse_json, parse_template};

/// The size in bytes of the stack of the thread that parses.
const STACK: usize = 1 << 20;

/// Runs `work` in a thread with a small stack and returns its result.
fn in_small_stack<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work).expect("a thread");
    thread.join().expect("no overflow")
}

/// Parses an expression in a thread with a small stack.
fn expression(text: String) -> Parse {
    in_small_stack(move || parse_expression(&text.into(), FileId(0)))
}

/// Returns true if a diagnostic says that the text nests too deeply.
fn too_deep(parse: &Parse) -> bool {
    parse.diagnostics.iter().any(|one| one.code.slug.ends_with("too-deep"))
}

/// Returns the text `inner` between `depth` copies of `open` and as many of `close`.
fn nested(open: &str, inner: &str, close: &str, depth: usize) -> String {
    format!("{}{inner}{}", open.repeat(depth), close.repeat(depth))
}

/// Constructs that can be nested: the text before the inner expression, the innermost expression, and the text after it.
const SHAPES: [(&str, &str, &str); 12] = [
    ("(", "1", ")"),
    ("[", "1", "]"),
    ("{ a = ", "1", " }"),
    ("f(", "1", ")"),
    ("a[", "1", "]"),
    ("\"${", "1", "}\""),
    ("true ? 1 : ", "1", ""),
    ("[for x in y : ", "x", "]"),
    ("{for x in y : x => ", "x", "}"),
    ("!", "true", ""),
    ("1 || 1 && 1 == 1 < 1 + 1 * (", "1", ")"),
    ("a[*].b", "", ""),
];

#[test]
fn deep_nesting_is_read_up_to_the_limit() {
    for (open, inner, close) in SHAPES {
        let read = expression(nested(open, inner, close, 340));
        assert!(read.diagnostics.is_empty(), "{open}: {:?}", read.diagnostics.first());
    }
}

#[test]
fn deeper_nesting_is_refused_once() {
    for (open, inner, close) in SHAPES {
        for depth in [400, 200_000] {
            for close in [close, ""] {
                let read = expression(nested(open, inner, close, depth));
                let open_ended = close.is_empty() && !read.diagnostics.is_empty();
                assert!(too_deep(&read) || open_ended, "{open} {depth}");
                assert!(read.diagnostics.len() < 5, "{open}: {:#?}", &read.diagnostics[..5]);
            }
        }
    }
}

#[test]
fn blocks_nest_too() {
    let text = nested("a {\n", "b = 1\n", "}\n", 340);
    assert!(in_small_stack(move || parse_file(&text.into(), FileId(0))).diagnostics.is_empty());
    let text = nested("a {\n", "b = 1\n", "}\n", 100_000);
    assert!(too_deep(&in_small_stack(move || parse_file(&text.into(), FileId(0)))));
    let text = "a {\n".repeat(100_000);
    assert!(!in_small_stack(move || parse_file(&text.into(), FileId(0))).diagnostics.is_empty());
}

#[test]
fn directives_and_json_nest_too() {
    let text = nested("%{ if true }", "x", "%{ endif }", 340);
    assert!(in_small_stack(move || parse_template(&text.into(), FileId(0))).diagnostics.is_empty());
    let text = nested("%{ if true }", "x", "%{ endif }", 50_000);
    assert!(too_deep(&in_small_stack(move || parse_template(&text.into(), FileId(0)))));
    let text = nested("[", "1", "]", 340);
    assert!(in_small_stack(move || parse_json(&text.into(), FileId(0))).diagnostics.is_empty());
    let text: Arc<str> = nested("{\"a\":[", "", "", 200_000).into();
    assert!(!in_small_stack(move || parse_json(&text, FileId(0))).diagnostics.is_empty());
}

#[test]
fn long_chains_are_no_nesting() {
    for (first, step) in [
        ("1", " + 1"),
        ("a", ".b"),
        ("a", "[0]"),
        ("a", " .0"),
        ("a", " || b && c"),
        ("a", ".*.b[0]"),
    ] {
        let read = expression(format!("{first}{}", step.repeat(20_000)));
        assert!(read.diagnostics.is_empty(), "{step}: {:?}", read.diagnostics.first());
    }
}

#[test]
fn broken_texts_take_no_longer_than_whole_ones() {
    let pieces = [
        "(",
        "[",
        "{",
        "}",
        "\"",
        "\"${",
        "\"${\"\n",
        "%{",
        "<<A\n",
        "<<A\nA,\n",
        "f(\n",
        "a {\n",
        "a = (\n",
        "a = {\n",
        "'",
        "/*",
        "{ a = [ (\n",
        "a = \"${\n",
        "}\n{\n",
        "a \"b\" {\n c = {\n",
        "a {\n b\n}",
        "x = <<-E\n${\"%{if a}\n",
        ")",
        "a = 1\na = 1\n",
        "[for ",
        "{for x in ",
        "a ? ",
        "f(a b\n",
        "[1 2\n",
        "{ a b\n",
        ".",
        "a.",
        "::",
        "a::",
        "é",
        "&",
        "a = [\nb = 1\n",
    ];
    for piece in pieces {
        let text: Arc<str> = piece.repeat(30_000).into();
        let (one, two, three) = (Arc::clone(&text), Arc::clone(&text), text);
        in_small_stack(move || parse_file(&one, FileId(0)));
        in_small_stack(move || parse_template(&two, FileId(0)));
        in_small_stack(move || parse_json(&three, FileId(0)));
    }
}
