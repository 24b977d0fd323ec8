//! The cost of eight times as many elements: about eight times the memory and the allocations, in every function and loop.
//! Counts are the same on every machine, unlike times, which `benches/peers` measures. Eight, because buffers double in size.

use std::sync::Arc;

use allocation_counter::{AllocationInfo, measure};
use groma_eval::{Context, LocatedCode, NamedValues, evaluate};
use groma_functions::FunctionLibrary;
use groma_runtime::Edition;
use groma_syntax::{Diagnostics, Expr, FileId, parse_expression};
use groma_value::{Str, Type, Value};

/// Expressions over the names of [`names`] whose cost should grow in proportion to the number of elements.
const CASES: &[&str] = &[
    "{ for w in words : substr(w, 0, 3) => w... }",
    "{ for w in words : w => upper(w) }",
    "[for w in words : \"${w}!\" if w != \"w7\"]",
    "\"%{ for w in words }${w},%{ endfor }\"",
    "pairs[*].name",
    "chunklist(words, 3)",
    "compact(again)",
    "concat(words, again)",
    "contains(words, \"absent\")",
    "csvdecode(csv)",
    "distinct(again)",
    "flatten(lists)",
    "formatlist(\"%s-%s\", words, words)",
    "join(\",\", [for w in words : format(\"%5s\", w)])",
    "jsondecode(json)",
    "jsonencode(pairs)",
    "keys(map)",
    "matchkeys(words, words, [\"w1\", \"w2\"])",
    "merge(map, other)",
    "merge(pairs...)",
    "regexall(\"(w)([0-9]+)\", text)",
    "replace(text, \",\", \"; \")",
    "replace(text, \"/[0-9]/\", \"\")",
    "reverse(words)",
    "setintersection(words, again)",
    "setproduct(words, [1, 2])",
    "setsubtract(again, words)",
    "setunion(words, again)",
    "sort(words)",
    "split(\",\", text)",
    "toset(again)",
    "transpose({ for w in words : w => [\"a\", \"b\"] })",
    "yamldecode(yaml)",
    "yamlencode(pairs)",
    "zipmap(words, words)",
];

/// Returns a scope of collections and texts with about `count` elements each.
fn names(count: usize) -> NamedValues {
    let word = |at: usize| Value::text(format!("w{}", at * 7919 % count));
    let words: Vec<Value> = (0..count).map(word).collect();
    let again = words.iter().chain(&words).step_by(2).cloned().collect();
    let lines = |line: &dyn Fn(usize) -> String, between: &str| {
        (0..count).map(line).collect::<Vec<_>>().join(between)
    };
    let map = |prefix: &str| {
        let entries = (0..count).map(|at| (Str::from(format!("{prefix}{at:06}")), Value::TRUE));
        Value::map(Type::Bool, entries.collect::<Vec<_>>())
    };
    let pair = |at: usize| {
        let (id, name) = (Value::position(at), Value::text(format!("w{at}")));
        Value::object([(Str::from("id"), id), (Str::from("name"), name)])
    };
    let lists = (0..count / 2).map(|at| Value::tuple(vec![word(at), word(at + 1)]));
    let json = lines(&|at| format!("{{\"id\":{at},\"name\":\"w{at}\"}}"), ",");
    NamedValues::from_iter([
        ("again", Value::list(Type::String, again)),
        ("csv", Value::text(format!("id,name\n{}\n", lines(&|at| format!("{at},w{at}"), "\n")))),
        ("json", Value::text(format!("[{json}]"))),
        ("lists", Value::tuple(lists.collect())),
        ("map", map("a")),
        ("other", map("b")),
        ("pairs", Value::tuple((0..count).map(pair).collect())),
        ("text", Value::text(lines(&|at| format!("w{at:05}"), ","))),
        ("words", Value::list(Type::String, words)),
        ("yaml", Value::text(lines(&|at| format!("- name: w{at}\n  id: {at}\n"), ""))),
    ])
}

/// Returns the allocations of one evaluation, which must not fail, after a first one has filled the caches.
fn cost(located: &LocatedCode, context: &Context) -> AllocationInfo {
    let run = || {
        let mut found = Diagnostics::new();
        let value = evaluate(located, context, &mut found);
        assert!(found.is_empty() && value.is_wholly_known(), "{found:?}");
    };
    // The first run fills what is made once.
    run();
    measure(run)
}

/// Tests that eight times as many elements cost at most about eight times the allocations.
#[test]
fn nothing_grows_faster_than_its_input() {
    let library = FunctionLibrary::of(Edition::DEFAULT);
    let contexts = [300, 2_400]
        .map(|count| Context { scope: Arc::new(names(count)), ..Context::bare(Edition::DEFAULT) });
    for text in CASES {
        let parse = parse_expression(&(*text).into(), FileId(0));
        let located = LocatedCode::of(&Expr::of(&parse), &library);
        let [small, large] = contexts.each_ref().map(|context| cost(&located, context));
        let within = |small: u64, large: u64| large <= small.max(8) * 10;
        assert!(within(small.count_total, large.count_total), "{text}: {small:?} {large:?}");
        assert!(within(small.bytes_total, large.bytes_total), "{text}: {small:?} {large:?}");
        assert!(within(small.bytes_max, large.bytes_max), "{text}: {small:?} {large:?}");
    }
}
