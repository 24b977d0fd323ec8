//! Bodies: what stands around a mistake is still there, and native and JSON syntax read alike.

use std::sync::Arc;

use groma_syntax::{
    Body, BodyContent, BodyItem, BodyShape, Diagnostics, Expr, FileId, parse_file, parse_json,
};

/// Returns the items of a body in one line: `name=value`, `kind label{…}`.
fn outline(body: &Body) -> String {
    let items = body.items().into_iter().map(|item| match item {
        BodyItem::Argument(argument) => {
            format!("{}={}", argument.name.text, argument.expr.text().replace('\n', "⏎"))
        }
        BodyItem::Block(block) => {
            let labels: String =
                block.labels.iter().map(|label| format!(" {}", label.text)).collect();
            format!("{}{labels}{{{}}}", block.kind.text, outline(&block.body))
        }
    });
    items.collect::<Vec<_>>().join("; ")
}

/// Parses a file; returns the outline of its body, and the lines of its errors.
fn read(text: &str) -> (String, Vec<usize>) {
    let text: Arc<str> = text.into();
    let parse = parse_file(&text, FileId(0));
    let lines = parse.diagnostics.iter().map(|one| {
        let start = one.place.expect("a place").span.start as usize;
        text[..start].matches('\n').count() + 1
    });
    (outline(&Body::of(&parse)), lines.collect())
}

#[test]
fn well_formed() {
    for (text, expected) in [
        ("", ""),
        ("\u{feff}a = 1", "a=1"),
        ("a = 1 # c\r\n\r\nb = 2 // d\r\n", "a=1; b=2"),
        ("a \"b\" c { }\nd {\n}\n", "a b c{}; d{}"),
        ("a { b = 1 }\nc {\n  d {\n    e = 2\n  }\n}", "a{b=1}; c{d{e=2}}"),
        ("a = {\n  b = 1\n\n  c = 2,\n}\nd = [\n  1,\n]\n", "a={⏎  b = 1⏎⏎  c = 2,⏎}; d=[⏎  1,⏎]"),
        ("a = <<X\n}\nX\nb = <<-X\n  ${c}\n  X\n", "a=<<X⏎}⏎X; b=<<-X⏎  ${c}⏎  X"),
        ("a \"x\\\"y$${\" {}\n", "a x\"y${{}"),
        ("a = b /* x\n */ + c\n", "a=b /* x⏎ */ + c"),
    ] {
        assert_eq!(read(text), (expected.to_owned(), vec![]), "{text:?}");
    }
}

#[test]
fn neighbours_of_a_mistake_stay() {
    for (text, expected, lines) in [
        ("a = \"open\nb = 2\n", "a=\"open; b=2", vec![1]),
        ("a = \"${b\"\nc = \"d\"\n", "a=\"${b\"; c=\"d\"", vec![1]),
        ("a = \"${f(\"b)}\nc = 1\n", "a=\"${f(\"b)}; c=1", vec![1]),
        ("a = f(1, 2\nb = 2\n", "a=f(1, 2; b=2", vec![1]),
        ("a = (1 + [2\nb {\n}\n", "a=(1 + [2; b{}", vec![1]),
        ("a = x[\nb = 2\n", "a=x[; b=2", vec![1]),
        ("a = {\n  b = [1\n  c = 2\n}\nd = 3\n", "a={⏎  b = [1⏎  c = 2⏎}; d=3", vec![2]),
        ("a = \nb = 2", "a=; b=2", vec![1]),
        ("a = 1 2\nb = 2", "a=1; b=2", vec![1]),
        ("a: 1\n\"b\" = 2\nc == 3\nd = 4,\ne = 5\n", "a=1; b=2; d=4; e=5", vec![1, 2, 3, 4]),
        ("a = 'x'\nb = “y”\n", "a='x'; b=“y”", vec![1, 2]),
        ("a \"b\"\n{\n  c = 1\n}\nd = 1", "a b{c=1}; d=1", vec![1]),
        ("a {\n}\n}\nb = 1\n", "a{}; b=1", vec![3]),
        ("a { b = 1, c = 2 }\nd = 3\n", "a{b=1}; d=3", vec![1]),
        ("a { b { c = 1 } }\nd = 3\n", "a{b{c=1}}; d=3", vec![1]),
        ("a = <<X\nt\nX, 1\nb = 2\n", "a=<<X⏎t⏎X; b=2", vec![3]),
        ("a = %{ }\nb = ${c}\nd = 1\n", "a=; b=; d=1", vec![1, 2]),
        ("a = 1\nb = 2\na = 3\n", "a=1; b=2; a=3", vec![3]),
    ] {
        let (items, found) = read(text);
        assert_eq!(found, lines, "{text:?}");
        // What a broken value covers is not the point.
        let names = |outline: &str| {
            outline
                .split("; ")
                .map(|item| item.split('=').next().map(str::to_owned))
                .collect::<Vec<_>>()
        };
        assert_eq!(names(&items), names(expected), "{text:?}: {items}");
    }
}

#[test]
fn indentation_says_what_an_unclosed_brace_holds() {
    for (text, expected, lines) in [
        ("a {\n  b = 1\n\nc {\n  d = 2\n}\n", "a{b=1}; c{d=2}", vec![1]),
        ("a {\n  b {\n    c = 1\n\n  d = 2\n}\ne {\n}\n", "a{b{c=1}; d=2}; e{}", vec![2]),
        ("a {\n  b = {\n    c = 1\n  d = 2\n}\ne = 3\n", "a{b=…; d=2}; e=3", vec![2]),
        ("a {\n  b = {\n    c = 1\nd {\n}\n", "a{b=…}; d{}", vec![1, 2]),
    ] {
        let (items, found) = read(text);
        let items = items.replace("{⏎    c = 1", "…");
        assert_eq!((items.as_str(), found), (expected, lines), "{text:?}");
    }
}

/// The shape of the outermost body: arguments `a` and `b`, and blocks `resource` with two labels and `terraform` with none.
const SHAPE: BodyShape<'static> = BodyShape {
    is_argument: &|name| name == "a" || name == "b",
    labels: &|kind| match kind {
        "resource" => Some(&["type", "name"]),
        "terraform" => Some(&[]),
        _ => None,
    },
};

/// The shape of the body of a block: an argument `x`, and no blocks.
const INNER: BodyShape<'static> = BodyShape { is_argument: &|name| name == "x", labels: &|_| None };

/// Returns the arguments and blocks that a shape has accepted in one line, and after them the other items.
fn told(content: &BodyContent) -> String {
    let arguments = content.arguments.iter().map(|a| format!("{}={}", a.name.text, a.expr.text()));
    let blocks = content.blocks.iter().map(|block| {
        let labels: String = block.labels.iter().map(|label| format!(" {}", label.text)).collect();
        let inner = block.body.content(INNER, &mut Diagnostics::new());
        format!("{}{labels}{{{}}}", block.kind.text, told(&inner))
    });
    let rest = content.rest.iter().map(|item| match item {
        BodyItem::Argument(argument) => format!("{}={}", argument.name.text, argument.expr.text()),
        BodyItem::Block(block) => format!("{}{{}}", block.kind.text),
    });
    let sorted = arguments.chain(blocks).collect::<Vec<_>>().join("; ");
    [sorted].into_iter().chain(rest).collect::<Vec<_>>().join("; ")
}

/// Sorts the items of a text by [`SHAPE`]; returns them in one line, and the codes of the diagnostics.
fn content(text: &str, json: bool) -> (String, Vec<&'static str>) {
    let text: Arc<str> = text.into();
    let mut out = Diagnostics::new();
    let body = if json {
        let parse = parse_json(&text, FileId(0));
        assert!(parse.diagnostics.is_empty(), "{:?}", parse.diagnostics);
        Body::json(&parse)
    } else {
        let parse = parse_file(&text, FileId(0));
        assert!(parse.diagnostics.is_empty(), "{:?}", parse.diagnostics);
        Body::of(&parse)
    };
    let content = body.content(SHAPE, &mut out);
    (told(&content), out.iter().map(|one| one.code.slug).collect())
}

#[test]
fn a_shape_reads_native_syntax() {
    let text = "a = 1\nresource t n {\n  x = 2\n}\nterraform {}\n";
    assert_eq!(content(text, false), ("a=1; resource t n{x=2}; terraform{}".to_owned(), vec![]));
    let text = "c = 1\nresource t {}\nother {}\nterraform = 1\na {}\n";
    let sorted = "; c=1; other{}; terraform=1; a{}";
    assert_eq!(content(text, false), (sorted.to_owned(), vec!["block-labels"]));
}

#[test]
fn a_shape_reads_json() {
    for (text, expected) in [
        (
            r#"{"a": 1, "//": "c", "resource": {"t": {"n": {"x": 2}}}, "terraform": {}}"#,
            "a=1; resource t n{x=2}; terraform{}",
        ),
        (
            r#"{"resource": [{"t": [{"n": {"x": 1}}, {"m": [{"x": 2}, {"x": 3}]}]}]}"#,
            "resource t n{x=1}; resource t m{x=2}; resource t m{x=3}",
        ),
        (r#"[{"a": 1}, {"b": 2}]"#, "a=1; b=2"),
        (r#"{"terraform": null}"#, ""),
        (r#"{"terraform": {"x": 1}, "terraform": {"x": 2}}"#, "terraform{x=1}; terraform{x=2}"),
    ] {
        assert_eq!(content(text, true), (expected.to_owned(), vec![]), "{text}");
    }
    for (text, errors) in [
        (r#"{"c": 1}"#, vec![]),
        (r#"{"resource": {}}"#, vec!["block-labels"]),
        (r#"{"a": 1, "a": 2}"#, vec!["duplicate-argument"]),
        (r#"{"terraform": 1}"#, vec!["wrong-json-value"]),
        (r#"{"resource": "x"}"#, vec!["wrong-json-value"]),
        (r#"{"resource": {"//": "a label, no comment"}}"#, vec!["wrong-json-value"]),
        (r#""x""#, vec!["wrong-json-value"]),
    ] {
        assert_eq!(content(text, true).1, errors, "{text}");
    }
}

#[test]
fn broken_json_keeps_what_is_whole() {
    for (text, expected, errors) in [
        (r#"{"a": 1 "b": 2}"#, "a=1; b=2", 1),
        (r#"{"a": 1, "b": 2,}"#, "a=1; b=2", 1),
        (r#"{"a": [1, 2}, "b": 2}"#, "a=[1, 2}; b=2", 1),
        (r#"{"a": [1, 2, "b": 2}"#, "a=[1, 2, \"b\": 2}", 3),
        (r#"{a: 1, "b" = 2}"#, "a=1; b=2", 2),
        ("{\"a\": \"x\ny\", \"b\": 1}", "a=\"x", 5),
        (r#"{"a": 'x', "b": tru}"#, "a='x'; b=tru", 2),
        (r#"{"a": 1} x"#, "a=1", 1),
        (r#"{"a": 1"#, "a=1", 1),
        (r#"{"a": {"b": [1"#, "a={\"b\": [1", 1),
        (r#"{"a": 01, "b": -.5, "c": 1e5}"#, "a=01; b=-.5; c=1e5", 2),
        ("", "", 1),
    ] {
        let parse = parse_json(&text.into(), FileId(0));
        let items = outline(&Body::json(&parse));
        let found = parse.diagnostics.len();
        assert!((1..=errors).contains(&found), "{text}: {:#?}", parse.diagnostics);
        assert!(items.starts_with(expected), "{text}: {items}");
    }
}

#[test]
fn json_texts_are_templates() {
    let parse = parse_json(&r#"{"a": "x-${b.c}-y"}"#.into(), FileId(0));
    let Some(BodyItem::Argument(argument)) = Body::json(&parse).items().pop() else {
        panic!("an argument")
    };
    let Expr::Json(json) = &argument.expr else { panic!("JSON") };
    let (template, base) = json.view().template(FileId(0));
    let view = groma_syntax::Expr::of(&template);
    assert_eq!(base, 7);
    assert_eq!(view.span().shift(base), groma_syntax::Span::new(7, 17));
    assert!(template.diagnostics.is_empty());
}
