//! Growth: how much longer a function takes when there is ten times as much. A ratio near 10 is linear, near 100
//! quadratic; a sort may take a little more than 10.
//!
//! Times are those that the processor spent on it, so that other programs hardly count. The figure to keep is the last
//! one: t(100k) is at most 13 times t(10k). Lines beyond that are marked. `-- NAME` runs the cases whose name has NAME in
//! it; `-- NAME 1` runs each once, for a tool that counts instructions.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use cpu_time::ThreadTime;
use groma_eval::{Context, LocatedCode, NamedValues, evaluate};
use groma_functions::FunctionLibrary;
use groma_runtime::Edition;
use groma_syntax::{Diagnostics, Expr, FileId, parse_expression};
use groma_value::{Str, Type, Value};

/// Each sees `words`, `again` (each word twice), `lists` (of two), `map`, `other`, `pairs`, `text`, `csv`, `json` and `yaml`.
const CASES: &[(&str, &str)] = &[
    ("distinct", "distinct(again)"),
    ("setproduct", "setproduct(words, [1, 2])"),
    ("flatten", "flatten(lists)"),
    ("join", "join(\",\", words)"),
    ("split", "split(\",\", text)"),
    ("replace", "replace(text, \",\", \"; \")"),
    ("regexall", "regexall(\"w[0-9]+\", text)"),
    ("regexall, groups", "regexall(\"(w)([0-9]+)\", text)"),
    ("jsonencode", "jsonencode(pairs)"),
    ("jsondecode", "jsondecode(json)"),
    ("yamlencode", "yamlencode(pairs)"),
    ("yamldecode", "yamldecode(yaml)"),
    ("sort", "sort(words)"),
    ("reverse", "reverse(words)"),
    ("merge of two", "merge(map, other)"),
    ("merge of many", "merge(pairs...)"),
    ("contains", "contains(words, \"not there\")"),
    ("concat", "concat(words, again)"),
    ("compact", "compact(again)"),
    ("chunklist", "chunklist(words, 3)"),
    ("setunion", "setunion(words, again)"),
    ("setintersection", "setintersection(words, again)"),
    ("setsubtract", "setsubtract(again, words)"),
    ("toset", "toset(again)"),
    ("keys", "keys(map)"),
    ("zipmap", "zipmap(words, words)"),
    ("transpose", "transpose({ for w in words : w => [\"a\", \"b\"] })"),
    ("matchkeys", "matchkeys(words, words, [\"w1\", \"w2\"])"),
    ("format list", "formatlist(\"%s-%s\", words, words)"),
    ("csvdecode", "csvdecode(csv)"),
    ("grouping for", "{ for w in words : substr(w, 0, 3) => w... }"),
    ("object for", "{ for w in words : w => upper(w) }"),
    ("tuple for", "[for w in words : \"${w}!\"]"),
    ("splat", "pairs[*].name"),
    ("template for", "\"%{ for w in words }${w},%{ endfor }\""),
    ("encode_base64", "base64encode(text)"),
];

const SIZES: [usize; 3] = [1_000, 10_000, 100_000];
/// What ten times as much may take.
const MOST: f64 = 13.0;

fn names(count: usize) -> NamedValues {
    let word = |at: usize| Value::text(format!("w{}", at * 7919 % count));
    let words: Vec<Value> = (0..count).map(word).collect();
    let again = words.iter().chain(&words).take(count).cloned().collect();
    let text = |separator: &str| {
        let all: Vec<String> = (0..count).map(|at| format!("w{at}")).collect();
        Value::text(all.join(separator))
    };
    let map = |prefix: &str| {
        let entries = (0..count).map(|at| (Str::from(format!("{prefix}{at:06}")), Value::TRUE));
        Value::map(Type::Bool, entries.collect::<Vec<_>>())
    };
    let pair = |at: usize| {
        let name = Value::text(format!("w{at}"));
        Value::object([(Str::from("id"), Value::int(at as i64)), (Str::from("name"), name)])
    };
    let pairs = Value::tuple((0..count).map(pair).collect());
    let lines: Vec<String> = (0..count).map(|at| format!("- name: w{at}\n  id: {at}\n")).collect();
    let csv: Vec<String> = (0..count).map(|at| format!("{at},w{at}\n")).collect();
    let json: Vec<String> =
        (0..count).map(|at| format!("{{\"id\":{at},\"name\":\"w{at}\"}}")).collect();
    let lists = (0..count / 2).map(|at| Value::tuple(vec![word(at), word(at + 1)])).collect();
    NamedValues::from_iter([
        ("again", Value::list(Type::String, again)),
        ("csv", Value::text(format!("id,name\n{}", csv.concat()))),
        ("json", Value::text(format!("[{}]", json.join(",")))),
        ("lists", Value::tuple(lists)),
        ("map", map("a")),
        ("other", map("b")),
        ("pairs", pairs),
        ("text", text(",")),
        ("words", Value::list(Type::String, words)),
        ("yaml", Value::text(lines.concat())),
    ])
}

#[inline(never)]
fn measure(located: &LocatedCode, context: &Context, rounds: usize) -> Result<Duration, String> {
    let mut least = Duration::MAX;
    let mut spent = Duration::ZERO;
    // As often as it takes for a steady figure, and not much longer than two seconds.
    for round in 0..rounds {
        let start = ThreadTime::now();
        let mut found = Diagnostics::new();
        black_box(evaluate(located, context, &mut found));
        let took = start.elapsed();
        if let Some(first) = found.iter().next() {
            return Err(first.detail.clone());
        }
        least = least.min(took);
        spent += took;
        if round >= 2 && spent > Duration::from_secs(2) {
            break;
        }
    }
    Ok(least)
}

fn main() {
    let edition = Edition::DEFAULT;
    let library = FunctionLibrary::of(edition);
    let mut arguments = std::env::args().skip(1).filter(|argument| !argument.starts_with('-'));
    let wanted = arguments.next();
    let rounds = arguments.next().and_then(|count| count.parse().ok()).unwrap_or(30);
    let contexts =
        SIZES.map(|count| Context { scope: Arc::new(names(count)), ..Context::bare(edition) });
    println!(
        "{:18} {:>10} {:>10} {:>10} {:>7} {:>7}",
        "", "1k", "10k", "100k", "10k/1k", "100k/10k"
    );
    for (name, text) in
        CASES.iter().filter(|case| wanted.as_deref().is_none_or(|w| case.0.contains(w)))
    {
        let parse = parse_expression(&(*text).into(), FileId(0));
        let located = LocatedCode::of(&Expr::of(&parse), &library);
        let times: Result<Vec<Duration>, String> =
            contexts.iter().map(|context| measure(&located, context, rounds)).collect();
        match times.as_deref() {
            Ok([small, middle, large]) => {
                let first = middle.as_secs_f64() / small.as_secs_f64();
                let last = large.as_secs_f64() / middle.as_secs_f64();
                let mark = if last > MOST { "  over" } else { "" };
                println!(
                    "{name:18} {small:>10.1?} {middle:>10.1?} {large:>10.1?} {first:>7.1} {last:>7.1}{mark}"
                );
            }
            Ok(_) => {}
            Err(why) => println!("{name:18} {why}"),
        }
    }
}
