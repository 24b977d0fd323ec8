//! Variable files that are read without a tree: the result is that of parsing, lowering and evaluating, or the fast reader
//! refuses the text.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use groma_eval::{Context, LocatedCode, evaluate, settings};
use groma_functions::FunctionLibrary;
use groma_runtime::Edition;
use groma_syntax::{Body, BodyItem, Diagnostics, FileId, parse_file};
use groma_value::Value;

/// Parses and evaluates the assignments of a text, as usual; returns a line with name, spans and value for each.
fn parsed(text: &str) -> Vec<String> {
    let parse = parse_file(&Arc::from(text), FileId(0));
    assert!(parse.diagnostics.is_empty(), "{text}: {:?}", parse.diagnostics);
    let library = FunctionLibrary::of(Edition::DEFAULT);
    let mut found = Vec::new();
    for item in Body::of(&parse).items() {
        let BodyItem::Argument(argument) = item else { panic!("a block: {text}") };
        let mut out = Diagnostics::new();
        let located = LocatedCode::of(&argument.expr, &library);
        let value = evaluate(&located, &Context::bare(Edition::DEFAULT), &mut out);
        assert!(out.is_empty(), "{text}");
        let (name, span) = (argument.name.text.as_str(), argument.expr.span());
        found.push(format!("{name} {:?} {span:?} {}", argument.name.span, shown(&value)));
    }
    found
}

/// Returns the debug text of a value in which both forms of a number look alike.
fn shown(value: &Value) -> String {
    format!("{value:?}").replace("Real(", "Number(").replace("Decimal(", "Number(")
}

/// Reads the assignments of a text without a tree, in the form of [`parsed`]; `None` if the fast reader refuses the text.
fn read(text: &str) -> Option<Vec<String>> {
    let library = FunctionLibrary::of(Edition::DEFAULT).closed();
    let found = settings(text, &library, &Context::bare(Edition::DEFAULT))?;
    let show = |set: &groma_eval::LiteralSetting| {
        format!("{} {:?} {:?} {}", set.name, set.name_span, set.span, shown(&set.value))
    };
    Some(found.iter().map(show).collect())
}

/// Tests that texts of plain literals are read without a tree, with the same result.
#[test]
fn plain_texts() {
    let texts = [
        "",
        "\u{feff}a = 1\n",
        "a = 1",
        "a=-0\nb = - 1.5e3\nc = 123456789012345678901234567890\nd = 0.1\n",
        "a = \"x\\n\\u00e9 $${y} %%{z} $ % \\\\\"\n",
        "a = true # yes\nb = false // no\nc = null /* nothing */\n",
        "# first\na = [] # none\n\n\nb = {}\r\nc = 1\r\n",
        "a = [1, 2, 3,]\nb = [\n  1,\n  # two\n  2\n\n,\n3\n]\n",
        "a = { b = 1, \"c d\" : 2\n e = [{ f = null }] }\n",
        "a = {\n  # one\n  b = 1\n\n  c = 2, \n  d = 3 # three\n}\n",
        "a = { b = 1, b = 2 }\nc = { z = 1, a = 2, z = 3 }\n",
        "a = [{ x = 1, y = \"a\" }, { x = 2, y = \"b\" }, { y = \"c\", x = 3 }, { x = 4 }]\n",
        "é = { \"e\u{301}\" = \"e\u{301}\" }\n",
        "a = [[[]], [{}], [[1, [true]]]]\n",
        "a = [\"x\", 1, true, null, -1]\nb = { for_each = 1, truely = 2 }\n",
        "a = [[1], [2], [1], [ 1 ], { b = [1] }, { b = [1] }]\nb = [1]\n",
    ];
    for text in texts {
        assert_eq!(read(text), Some(parsed(text)), "{text}");
    }
}

/// Tests that expressions without names are evaluated by the fast reader, with the same result.
#[test]
fn texts_with_some_expressions() {
    let texts = [
        "a = 1 + 1\n",
        "a = (1)\n",
        "a = (\n1\n+ 2) # three\nb = 2\n",
        "a = \"${1}\"\nb = [\"${1}\", \"%{if true}x%{endif}\", 2]\n",
        "a = <<E\nx\nE\nb = { c = <<-E\n  x ${1}\n  E\n d = 1 }\n",
        "a = [<<E\nx\nE\n, 2]\nb = [1, <<E\nx\nE\n]\n",
        "a = [for x in [1, 2] : x + 1]\n",
        "a = [[for x in [1] : x], { for x in [\"k\"] : x => x }, 3,]\n",
        "a = { for x in [\"k\"] : x => x }\nb = { c = true ? 1 : 2, d = -(1) }\n",
        "a = [1, 1 + 1 /* two */, # more\n [3], { a = 1 }\n, - (4)]\n",
        "a = { b = 1 == 1 # yes\n c = !true }\n",
        "a = [{ b = \"${1}\" }, { b = \"${2}\" }]\nb = --1\n",
        "a = \"x${1}\" == \"x1\" ? [1] : []",
    ];
    for text in texts {
        assert_eq!(read(text), Some(parsed(text)), "{text}");
    }
    let long = format!("a = [{}]\n", "\"${1}\", 1, [2 + 2],\n".repeat(5_000));
    assert_eq!(read(&long), Some(parsed(&long)));
}

/// Tests that the fast reader refuses texts with errors or references, and does not overflow the stack.
#[test]
fn doubtful_texts() {
    let texts = [
        "a = b\n",
        "a = f()\n",
        "a = [1, true ? 1 : f (2)]\n",
        "a = [1, true ? 1 : b]\n",
        "a = [1, \"${b}\"]\n",
        "a = [1, 1 / {}]\n",
        "a = { b = 1 ? 2 }\n",
        "a = [for x in [] : y]\n",
        "a = [for x in]\n",
        "a = [1, [for x in [] : x],, 2]\n",
        "a = <<E\nx\n",
        "a = { (b) = 1 }\n",
        "a = { 1 = 2 }\n",
        "a = { true = 1 }\n",
        "a = 1 b = 2\n",
        "a = [1 2]\n",
        "a = [,]\n",
        "a = [1,,2]\n",
        "a = { b = 1 c = 2 }\n",
        "a = { b = 1,, c = 2 }\n",
        "a = { b }\n",
        "a = { b =\n 1 }\n",
        "a =\n1\n",
        "a\n= 1\n",
        "a = 1\na = 2\n",
        "a {\n}\n",
        "\"a\" = 1\n",
        "a = [1\n",
        "a = {\n",
        "a = ]\n",
        "a = }\n",
        "a = \"\\q\"\n",
        "a = \"x\n",
        "a = 'x'\n",
        "a = 1.2.3\n",
        "a = 1e99999999999999999999\n",
        "a = true.b\n",
        "a = [1].0\n",
        "a = {}[0]\n",
        "a = \"x\" ? 1 : 2\n",
        "a = 1,\n",
        "a = (1\n",
        "a = 1)\n",
    ];
    for text in texts {
        assert_eq!(read(text), None, "{text}");
    }
    let deep = |depth: usize| format!("a = {}{}\n", "[".repeat(depth), "]".repeat(depth));
    assert!(read(&deep(40)).is_some());
    assert!(read(&deep(100_000)).is_none());
}

/// Collects the paths of all files of variable values below a folder.
fn value_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            value_files(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "tfvars" || ending == "hcl") {
            found.push(path);
        }
    }
}

/// Tests that both readers agree on the variable files of all recorded cases.
#[test]
fn the_value_files_of_all_cases() {
    let mut files = Vec::new();
    value_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance"), &mut files);
    let mut plain = 0;
    for file in files {
        let Ok(text) = std::fs::read_to_string(&file) else { continue };
        if let Some(found) = read(&text) {
            plain += 1;
            assert_eq!(found, parsed(&text), "{}", file.display());
        }
    }
    assert!(plain > 10, "only {plain} are plain");
}
