//! Whole files: those of the recorded modules, and every file under the folder that `GROMA_CORPUS` names.
//! They are read without a complaint, but for those that hold an error on purpose.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use groma_syntax::{Body, BodyItem, FileId, Span, parse_file, parse_json};

/// The endings of the names of files in native syntax.
const NATIVE: [&str; 5] = [".tf", ".tofu", ".tfvars", ".pkr.hcl", ".pkrvars.hcl"];

/// Returns the paths of all files below a folder that `wanted` accepts, sorted.
fn files(root: &Path, wanted: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![root.to_owned()];
    while let Some(folder) = open.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let path = entry.path();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => open.push(path),
                Ok(kind) if kind.is_file() && wanted(&path.to_string_lossy()) => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    found
}

/// Returns true if the name of a file is that of one in native syntax.
fn native(path: &str) -> bool {
    NATIVE.iter().any(|extension| path.ends_with(extension))
}

/// Parses a file, checks that no byte of it is lost, and returns its errors; `None` if it cannot be read as UTF-8.
fn complaints(path: &Path) -> Option<Vec<String>> {
    let text: Arc<str> = String::from_utf8(std::fs::read(path).ok()?).ok()?.into();
    let parse = parse_file(&text, FileId(0));
    let mut at = 0;
    for token in parse.tree.tokens().iter() {
        let gap = Span::new(at, token.span().start).of(&text);
        assert!(gap.trim_start_matches('\u{feff}').bytes().all(|b| b == b' ' || b == b'\t'));
        at = token.span().end;
    }
    assert_eq!(at as usize, text.len());
    let mut items = Body::of(&parse).items();
    while let Some(item) = items.pop() {
        match item {
            BodyItem::Argument(argument) => assert!(argument.expr.span().end <= argument.span.end),
            BodyItem::Block(block) => items.extend(block.body.items()),
        }
    }
    let told = parse.diagnostics.iter().map(|one| {
        let line =
            text[..one.place.map_or(0, |place| place.span.start as usize)].matches('\n').count();
        format!("{}:{}: {}", path.display(), line + 1, one.detail)
    });
    Some(told.collect())
}

#[test]
fn recorded_modules() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance");
    let mut wrong = Vec::new();
    for path in files(&root, native) {
        wrong.extend(complaints(&path).unwrap_or_default());
    }
    println!("{}", wrong.join("\n"));
    let broken =
        ["/syntax-", "duplicate", "argument-twice", "on-failure-twice", "/heredoc-not-closed/"];
    let meant = |line: &&String| !broken.iter().any(|part| line.contains(part));
    let unmeant: Vec<_> = wrong.iter().filter(meant).collect();
    assert!(unmeant.is_empty(), "{unmeant:#?}");
}

#[test]
fn recorded_json() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance");
    for path in files(&root, |path| path.ends_with(".json")) {
        let Ok(text) = String::from_utf8(std::fs::read(&path).expect("a readable file")) else {
            continue;
        };
        let parse = parse_json(&text.into(), FileId(0));
        for one in &parse.diagnostics {
            println!("{}: {}", path.display(), one.detail);
            let name = path.to_string_lossy();
            let meant = ["syntax-error", "bad-json", "broken.json", "deeper/f.json"];
            assert!(meant.iter().any(|part| name.contains(part)), "{name}: {}", one.detail);
        }
    }
}

#[test]
fn corpus() {
    let Some(root) = std::env::var_os("GROMA_CORPUS") else { return };
    let mut wrong = Vec::new();
    let mut count = 0;
    for path in files(Path::new(&root), native) {
        if let Some(told) = complaints(&path) {
            count += 1;
            wrong.extend(told);
        }
    }
    println!("{count} files\n{}", wrong.join("\n"));
    // Test data of other programs is wrong on purpose here and there.
    assert!(wrong.len() * 100 <= count, "{} complaints", wrong.len());
}
