//! The recorded vectors: what must be refused is refused, everything else is read, nothing of a text is lost.
//! Only errors of the stage `parse` are this crate's; unknown functions and the like are found by evaluation.

use std::path::Path;
use std::sync::Arc;

use groma_syntax::ast::{ExprCase, TemplatePart};
use groma_syntax::{
    Expr, FileId, Parse, Severity, Span, parse_expression, parse_file, parse_template,
};
use serde_json::Value;

/// A recorded vector: an expression or a template, and its result or error by the reference program.
struct Vector {
    id: String,
    text: String,
    template: bool,
    given: Vec<String>,
    /// The places of the recorded error, if reading it must fail.
    refused: Option<Vec<Span>>,
    /// True if the recorded error has no place, so that its stage is unknown.
    is_placeless: bool,
    /// The recorded result, if it is a text.
    result: Option<String>,
}

/// Returns all recorded vectors.
fn vectors() -> Vec<Vector> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/vectors");
    let mut files: Vec<_> = std::fs::read_dir(dir)
        .expect("the vectors are in the repository")
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"))
        .collect();
    files.sort();
    let mut list = Vec::new();
    for file in files {
        for line in std::fs::read_to_string(file).expect("a readable file").lines() {
            // Recorded values may hold numbers that no float has room for; only errors are looked at.
            let line = line.replacen(", \"want\": ", ",\"want\":", 1);
            let (head, want) = line.split_once(",\"want\":").expect("a recorded outcome");
            let want = want.strip_suffix('}').filter(|want| {
                let want = want.replacen(": ", ":", 1);
                want.starts_with("{\"error\"") || want.starts_with("{\"type\":\"string\"")
            });
            let line = format!("{head},\"want\":{}}}", want.unwrap_or("null"));
            list.push(vector(&serde_json::from_str(&line).expect("a line of JSON")));
        }
    }
    list
}

/// Reads a vector from a line of a file of vectors.
fn vector(line: &Value) -> Vector {
    let text = |key: &str| line[key].as_str().map(str::to_owned);
    let error = &line["want"]["error"];
    let refused = (error["stage"] == "parse").then(|| {
        let spans = error["spans"].as_array().cloned().unwrap_or_default();
        let offset = |value: &Value| value.as_u64().expect("an offset") as u32;
        spans.iter().map(|span| Span::new(offset(&span[0]), offset(&span[1]))).collect()
    });
    let given = line["given"].as_object();
    Vector {
        id: text("id").expect("an id"),
        template: !line["template"].is_null(),
        text: text("expr").or_else(|| text("template")).expect("a text"),
        given: given
            .into_iter()
            .flat_map(|given| given.values())
            .filter_map(|value| value.as_str().map(str::to_owned))
            .collect(),
        refused,
        is_placeless: error["spans"].as_array().is_some_and(Vec::is_empty),
        result: line["want"]["value"].as_str().map(str::to_owned),
    }
}

/// Parses a text as a template or as an expression.
fn read(text: &str, template: bool) -> Parse {
    let text: Arc<str> = text.into();
    if template { parse_template(&text, FileId(0)) } else { parse_expression(&text, FileId(0)) }
}

/// Returns true if two places are alike for a reader: ours lies in the recorded one, or they share a third.
fn agrees(ours: Span, recorded: Span) -> bool {
    let widen =
        |span: Span| if span.is_empty() { Span::new(span.start, span.start + 1) } else { span };
    let (ours, recorded) = (widen(ours), widen(recorded));
    let shared = ours.end.min(recorded.end).saturating_sub(ours.start.max(recorded.start));
    let within = ours.start >= recorded.start && ours.end <= recorded.end;
    within || shared * 3 >= ours.join(recorded).len() && shared > 0
}

/// Checks that the tokens of a text cover all of it except blanks.
fn round_trips(parse: &Parse) {
    let text = parse.tree.text();
    let mut at = 0;
    for token in parse.tree.tokens().iter() {
        let span = token.span();
        assert!(span.start >= at && span.end as usize <= text.len(), "{token:?} in {text:?}");
        let gap = Span::new(at, span.start).of(text);
        let gap = if at == 0 { gap.trim_start_matches('\u{feff}') } else { gap };
        assert!(
            gap.bytes().all(|byte| byte == b' ' || byte == b'\t'),
            "{gap:?} is lost in {text:?}"
        );
        at = span.end;
    }
    assert_eq!(at as usize, text.len(), "the end of {text:?} is lost");
}

#[test]
fn recorded_errors_are_found() {
    let mut missed = Vec::new();
    let mut elsewhere = Vec::new();
    let mut count = 0;
    for vector in vectors() {
        let Some(spans) = &vector.refused else { continue };
        count += 1;
        let parse = read(&vector.text, vector.template);
        round_trips(&parse);
        match parse.diagnostics.first() {
            None => missed.push(vector.id),
            Some(first) => {
                let ours = first.place.expect("a place").span;
                if !spans.iter().any(|span| agrees(ours, *span)) {
                    elsewhere.push(format!(
                        "{}: {:?} at {ours:?}, recorded {spans:?}: {}",
                        vector.id, vector.text, first.detail
                    ));
                }
            }
        }
    }
    println!("{} of {count} recorded errors stand where recorded", count - elsewhere.len());
    for line in &elsewhere {
        println!("{line}");
    }
    assert!(missed.is_empty(), "not refused: {missed:#?}");
    assert!(elsewhere.len() * 20 <= count, "too many places differ");
}

#[test]
fn everything_else_is_read() {
    let mut refused = Vec::new();
    let mut check = |id: &str, text: &str, template: bool| {
        let parse = read(text, template);
        round_trips(&parse);
        if let Some(first) = parse.diagnostics.iter().find(|one| one.severity == Severity::Error) {
            refused.push(format!("{id}: {text:?}: {:?} {}", first.place, first.detail));
        }
    };
    for vector in vectors() {
        if vector.refused.is_none() && !vector.is_placeless {
            check(&vector.id, &vector.text, vector.template);
        }
        for given in &vector.given {
            check(&vector.id, given, false);
        }
    }
    assert!(refused.is_empty(), "{}: {refused:#?}", refused.len());
}

/// Returns the text of a template of literal text and numbers; `None` if anything else is in it.
fn said(parts: Vec<TemplatePart<'_>>) -> Option<String> {
    let mut out = String::new();
    for part in parts {
        match part {
            TemplatePart::Literal { text, .. } => out.push_str(&text),
            TemplatePart::Interpolation { expr, .. } => match expr.case() {
                ExprCase::Number(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                    out.push_str(digits)
                }
                ExprCase::Template(inner) => out.push_str(&said(inner.parts())?),
                _ => return None,
            },
            TemplatePart::If { condition, then, otherwise, .. } => match condition.case() {
                ExprCase::Root("true") => out.push_str(&said(then)?),
                ExprCase::Root("false") => out.push_str(&said(otherwise.unwrap_or_default())?),
                _ => return None,
            },
            TemplatePart::For { .. } => return None,
        }
    }
    Some(out)
}

#[test]
fn recorded_texts_come_out_of_templates() {
    let mut count = 0;
    for vector in vectors() {
        // The composed form of other letters is made where values are made.
        let Some(result) = vector.result.filter(|result| result.is_ascii()) else { continue };
        let parse = read(&vector.text, vector.template);
        let Expr::Native(expr) = Expr::of(&parse) else { continue };
        if let ExprCase::Template(template) = expr.view().case()
            && let Some(said) = said(template.parts())
        {
            assert_eq!(said, result, "{}: {:?}", vector.id, vector.text);
            count += 1;
        }
    }
    println!("{count} texts");
    assert!(count > 80);
}

/// A generator of pseudorandom numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    /// Returns the next number, less than `sides`.
    fn roll(&mut self, sides: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides.max(1)
    }
}

#[test]
fn nothing_is_lost_of_broken_texts() {
    /// Texts that are inserted at random places to break a text.
    const PIECES: [&str; 28] = [
        "\"", "${", "%{", "}", "{", "(", ")", "[", "]", "\n", "\r", "=", ",", ".", "<<X\n", "X\n",
        "#", "/*", "\\", "'", "for ", "if ", "é", "\u{feff}", "~}", "...", "endif", "*",
    ];
    let mut dice = Dice(7);
    for vector in vectors() {
        for _ in 0..4 {
            let mut text: Vec<char> = vector.text.chars().take(600).collect();
            for _ in 0..1 + dice.roll(3) {
                let at = dice.roll(text.len() + 1);
                match dice.roll(3) {
                    0 if at < text.len() => drop(text.remove(at)),
                    1 => drop(text.drain(at.min(text.len())..)),
                    _ => {
                        let piece = PIECES[dice.roll(PIECES.len())];
                        text.splice(at..at, piece.chars());
                    }
                }
            }
            let text: String = text.into_iter().collect();
            walk(&read(&text, vector.template));
            let shared: Arc<str> = format!("a = {text}\nb {{\n{text}\n}}\n").into();
            walk(&parse_file(&shared, FileId(0)));
        }
    }
}

/// Visits everything in a parsed text that the public functions show, and checks its places.
fn walk(parse: &Parse) {
    round_trips(parse);
    for diagnostic in &parse.diagnostics {
        let span = diagnostic.place.expect("a place").span;
        assert!(
            span.end as usize <= parse.tree.text().len(),
            "{span:?} in {:?}",
            parse.tree.text()
        );
    }
    let mut bodies = Vec::new();
    match parse.tree.kind(parse.tree.root()) {
        groma_syntax::NodeKind::Body => bodies.push(groma_syntax::Body::of(parse)),
        _ => visit(groma_syntax::Expr::of(parse)),
    }
    while let Some(body) = bodies.pop() {
        for item in body.items() {
            match item {
                groma_syntax::BodyItem::Argument(argument) => visit(argument.expr),
                groma_syntax::BodyItem::Block(block) => bodies.push(block.body),
            }
        }
    }
}

/// Visits an expression and all expressions inside of it, and checks their spans and parts.
fn visit(expr: groma_syntax::Expr) {
    let groma_syntax::Expr::Native(native) = &expr else { return };
    let mut open = vec![native.view()];
    while let Some(expr) = open.pop() {
        assert!(expr.span().start <= expr.span().end);
        let case = expr.case();
        match &case {
            ExprCase::Template(template) => {
                template.is_lone_interpolation();
                let mut lists = vec![template.parts()];
                let mut found = Vec::new();
                while let Some(list) = lists.pop() {
                    for part in list {
                        match part {
                            TemplatePart::Literal { text, .. } => assert!(!text.is_empty()),
                            TemplatePart::Interpolation { expr, .. } => found.push(expr.span()),
                            TemplatePart::If { condition, then, otherwise, .. } => {
                                found.push(condition.span());
                                lists.push(then);
                                lists.extend(otherwise);
                            }
                            TemplatePart::For { collection, body, .. } => {
                                found.push(collection.span());
                                lists.push(body);
                            }
                        }
                    }
                }
                found.sort();
                let flat: Vec<_> = template.expressions().map(|one| one.span()).collect();
                assert_eq!(flat, found, "the parts of a template hold its expressions");
            }
            ExprCase::Attribute { name, .. } => assert!(!name.is_empty()),
            _ => {}
        }
        case.inner(|one| open.push(one));
    }
}
