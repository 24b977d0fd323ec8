//! Tests that the cache of parsed texts has no effect on results and charges.

use groma_functions::{CallContext, FunctionLibrary, ReadingCache, call};
use groma_runtime::{Edition, Limits, Meter, Semantics};
use groma_value::Value;

/// Returns the results of calls that parse texts, and the bytes charged, with a given cache.
fn answers(readings: &ReadingCache, edition: &str, limits: &Limits) -> Vec<String> {
    let edition = Edition::parse(edition).expect("there is such an edition");
    let semantics = Semantics::of(edition);
    let meter = Meter::new(u64::MAX);
    let context = CallContext { readings, limits, meter: &meter, ..CallContext::bare(&semantics) };
    let library = FunctionLibrary::of(edition);
    let mut answers = Vec::new();
    for (name, texts) in [
        ("yamldecode", &["a: [0x10, .inf, +inf]\nb: &x {c: 1}\nd: *x\n"][..]),
        ("yamldecode", &["a: [1, 2"]),
        ("yamldecode", &["[[[1]]]"]),
        ("regex", &["^(a+)b", "aab"]),
        ("regex", &["^(a+)b", "bb"]),
        ("regexall", &["\\pL", "a1b"]),
        ("regex", &["(", "a"]),
        ("replace", &["a.b.c", "/\\.(.)/", "<$1>"]),
    ] {
        let groma_functions::FoundFunction::Function(function) = library.find(name) else {
            panic!("there is a function {name}");
        };
        let texts: Vec<Value> = texts.iter().map(|text| Value::text(*text)).collect();
        answers.push(format!("{:?}", call(function, &texts, &context)));
    }
    answers.push(format!("{:?}", meter.live()));
    answers
}

/// Tests that calls with a filled cache have the same results and charges as without one.
#[test]
fn what_was_read_before_makes_no_difference() {
    let kept = ReadingCache::default();
    let few = Limits { nesting: 2, ..Limits::DEFAULT };
    for _ in 0..3 {
        for edition in ["opentofu@1.11", "terraform@1.5", "terraform@1.14", "packer@1.14"] {
            for limits in [&Limits::DEFAULT, &few] {
                let fresh = answers(&ReadingCache::DISABLED, edition, limits);
                assert_eq!(answers(&kept, edition, limits), fresh, "{edition}");
            }
        }
    }
}
