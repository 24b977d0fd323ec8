//! The pages of values, functions and expressions: each `console` step is one question to a batch, and its answer the
//! console's text or the errors. A file `given.hcl` binds the names of its section.
#![expect(clippy::unwrap_used, reason = "a test fails by panic")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use groma_eval::{LookupResult, ProviderName, Reference, Scope, UndefinedName};
use groma_protocol::{BatchOptions, EvaluationBatch};
use groma_runtime::{Edition, MemoryHost, Moment};
use groma_syntax::{Body, BodyItem, FileId, parse_file};
use testkit::{Json, Section, Step, vectors};

#[test]
fn values() {
    testkit::run("values", answer);
}

#[test]
fn expressions() {
    testkit::run("expressions", answer);
}

#[test]
fn functions() {
    testkit::run("functions", answer);
}

/// Returns an evaluator whose file functions read the section's files.
fn batch(section: &Section) -> EvaluationBatch {
    let alone = MemoryHost::new().with_env("USER", "ada");
    let files = section.files.iter().filter(|file| file.name != "given.hcl");
    let host = files.fold(alone, |host, file| host.with_file(&file.name, file.text.as_bytes()));
    EvaluationBatch::new(BatchOptions {
        host: Arc::new(host),
        edition: Edition::parse(vectors::DIALECT).unwrap(),
        // The recorded clock, 2026-01-02T03:04:05Z.
        now: Some(Moment { seconds: 1_767_323_045, nanoseconds: 0 }),
        seed: Some(vectors::SEED),
        scope: Some(Arc::new(Declared)),
        ..BatchOptions::default()
    })
}

/// A scope without names that declares the built-in provider, whose functions the pages show.
struct Declared;

impl Scope for Declared {
    fn lookup(&self, _: &Reference) -> LookupResult {
        LookupResult::Undefined(UndefinedName::default())
    }
    fn root_names(&self) -> Vec<Arc<str>> {
        Vec::new()
    }
    fn provider(&self, name: &str) -> ProviderName {
        match name {
            "terraform" => ProviderName::BuiltIn { unasked: false },
            _ => ProviderName::Undeclared(None),
        }
    }
}

/// Returns the console output of a step: the value and the diagnostics.
fn answer(section: &Section, step: &Step) -> String {
    assert_eq!(
        step.prompt, '>',
        "{}:{}: these pages have console steps only",
        section.page, step.line
    );
    let text = |text: &str| Json::Text(text.to_string());
    // A page gives no line end to the last line of an input, and a heredoc's marker needs one.
    let end = if step.input.contains("<<") { "\n" } else { "" };
    let input = format!("{}{end}", step.input);
    let mut question =
        BTreeMap::from([("id".to_string(), text("step")), ("expr".to_string(), text(&input))]);
    if let Some(given) = section.file("given.hcl") {
        question.insert("given".to_string(), Json::Object(names(given)));
    }
    if let Some(dialect) = &section.dialect {
        question.insert("dialect".to_string(), text(dialect));
    }
    let line = Json::read(&batch(section).answer(&Json::Object(question).to_string())).unwrap();
    let got = line.get("got").unwrap_or_else(|| panic!("{}:{}: {line}", section.page, step.line));
    let mut shown = String::new();
    if let Some(console) = got.get("console").and_then(Json::text) {
        let _ = writeln!(shown, "{console}");
    }
    for diagnostic in got.get("diagnostics").and_then(Json::list).unwrap_or_default() {
        let part = |key| diagnostic.get(key).and_then(Json::text).unwrap_or_default();
        let detail = part("detail").replace('\n', "\n  ").replace("\n  \n", "\n\n");
        let _ = writeln!(shown, "{}: {}\n  {detail}", part("severity"), part("summary"));
    }
    shown
}

/// Returns the arguments of a `given.hcl` by name, each as the text of its expression.
fn names(text: &str) -> BTreeMap<String, Json> {
    let parse = parse_file(&text.into(), FileId(0));
    assert!(parse.diagnostics.is_empty(), "given.hcl: {:?}", parse.diagnostics);
    let items = Body::of(&parse).items().into_iter();
    let names = items.map(|item| match item {
        BodyItem::Argument(argument) => {
            let span = argument.expr.span();
            let expression = &text[span.start as usize..span.end as usize];
            (argument.name.text.to_string(), Json::Text(expression.to_string()))
        }
        BodyItem::Block(_) => panic!("given.hcl holds arguments only"),
    });
    names.collect()
}
