//! What a review makes of values and names that are meant to hurt: as deep, as long and as odd as code can be.

use std::sync::Arc;
use std::thread;

use groma::review::{Action, ResourceItem, Review, SharedDeclaration};
use groma::{Value, values::read_plain};
use groma_config::{InstanceKey, ResourceMode};
use groma_value::Str;

/// So much stack is enough for whatever is evaluated; without optimization frames are several times as large.
const STACK: usize = if cfg!(debug_assertions) { 8 << 20 } else { 1 << 20 };

fn item(address: &str, before: Option<Value>, after: Option<Value>) -> ResourceItem {
    let wrap = |value: Value| Value::object([(Str::from("input"), value)]);
    ResourceItem {
        address: Str::from(address),
        declared: Arc::new(SharedDeclaration {
            mode: ResourceMode::Managed,
            kind: Str::from("a"),
            name: Str::from("b"),
            module: Str::new(),
            shape: None,
        }),
        key: InstanceKey::None,
        action: if before.is_some() { Action::Update } else { Action::Create },
        reason: None,
        previous: None,
        importing: None,
        deposed: None,
        replace_paths: Vec::new(),
        before: before.map(wrap),
        after: after.map(wrap),
        is_open: false,
        is_possible: false,
        origins: Vec::new(),
    }
}

fn review(items: Vec<ResourceItem>) -> Review {
    Review { items, ..Review::default() }
}

fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    let worker = thread::Builder::new().stack_size(STACK).spawn(work).expect("there is a thread");
    worker.join().expect("it comes to its end");
}

/// JSON as deep as is read, with something at the bottom.
fn deep(bottom: &str) -> String {
    let depth = 340;
    format!("{}{bottom}{}", "{\"a\":[".repeat(depth / 2), "]}".repeat(depth / 2))
}

#[test]
fn deep_values_and_deep_texts() {
    on_a_small_stack(|| {
        let value = |text: &str| read_plain(text).expect("it is JSON");
        let texts = [Value::text(deep("1")), Value::text(deep("2"))];
        let [was, now] = texts;
        let values = [item("a.b", Some(value(&deep("1"))), Some(value(&deep("2"))))];
        let text = review(values.into()).text();
        assert!(text.contains("~ 1 -> 2,\n"));
        let text = review(vec![item("a.b", Some(was), Some(now.clone()))]).text();
        assert!(text.contains("~ 1 -> 2,\n") && text.contains("jsonencode("));
        assert!(review(vec![item("a.b", None, Some(now))]).markdown().len() < 65_536);
    });
}

#[test]
fn texts_in_texts_in_texts() {
    on_a_small_stack(|| {
        let mut text = String::from("1");
        // Each round doubles the escapes, so that not many fit.
        for _ in 0..12 {
            text = format!("[{}]", groma_value::json::string(&text));
        }
        let other = text.replace('1', "2");
        let told = review(vec![item("a.b", Some(Value::text(text)), Some(Value::text(other)))]);
        assert!(told.text().contains("\"1\" -> \"2\""), "{}", told.text());
    });
}

#[test]
fn long_lists_with_little_in_common() {
    let list = |from: i64, step: i64| {
        Value::tuple((0..20_000).map(|at| Value::int(from + at * step)).collect())
    };
    let told = review(vec![item("a.b", Some(list(0, 2)), Some(list(0, 3)))]);
    // What both have is found or given up; what differs is told in any case.
    assert!(told.text().lines().count() > 20_000);
    let lines = |from: usize, step: usize| {
        Value::text((0..20_000).map(|at| format!("{}\n", from + at * step)).collect::<String>())
    };
    let told = review(vec![item("a.b", Some(lines(0, 2)), Some(lines(0, 3)))]);
    assert!(told.text().lines().count() > 20_000);
}

#[test]
fn a_comment_is_never_too_long_and_nothing_gets_out() {
    let odd = "a.b[\"</code></summary></details>\\n```\\n@team\"]";
    let long = Value::text("x\n```\n</details>\n".repeat(5_000));
    let mut items = vec![item(odd, None, Some(long))];
    let address = |at: usize| format!("a.b[{at}]");
    items.extend((0..3_000).map(|at| item(&address(at), None, Some(Value::position(at)))));
    let markdown = review(items).markdown();
    assert!(markdown.len() < 65_536, "{}", markdown.len());
    assert!(markdown.contains("**Plan: 3001 to add, 0 to change, 0 to destroy.**"));
    assert!(markdown.contains("*Truncated to fit into a comment: "));
    assert!(markdown.contains("more lines)\n````\n\n</details>\n"), "the long one is cut too");
    assert_eq!(markdown.matches("\n<details>").count(), markdown.matches("\n\n</details>").count());
    let mut titles = markdown.lines().filter(|line| line.starts_with("<details>"));
    assert!(titles.all(|title| title.matches("</summary>").count() == 1));
}
