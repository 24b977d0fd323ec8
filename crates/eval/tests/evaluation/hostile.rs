//! Expressions that would use far too much memory: each ends in a diagnostic before the memory is allocated. The largest
//! amount allocated at a time is measured, which is the same on every machine.

use std::sync::Arc;

use allocation_counter::measure;
use groma_eval::{EvaluationBasis, LocatedCode, NamedValues, evaluate};
use groma_functions::FunctionLibrary;
use groma_runtime::Edition;
use groma_syntax::{Diagnostics, Expr, FileId, parse_expression};

/// The number of bytes in a mebibyte.
const MEBIBYTE: u64 = 1 << 20;

/// Hostile expressions, each with a part of the message; `-` stands for no diagnostic.
const CASES: &[(&str, &str)] = &[
    ("range(100000000)", "more than 1024 numbers"),
    ("range(0, 1, 1e-30)", "more than 1024 numbers"),
    ("setproduct(range(1000), range(1000), range(1000))", "at most 4000000 are made"),
    ("setproduct([for i in range(40) : [1, 2]]...)", "at most 4000000 are made"),
    ("format(\"%999999999d\", 1)", "a width or precision above"),
    ("format(\"%.999999999f\", 1)", "a width or precision above"),
    ("format(\"%*d\", 999999999, 1)", ""),
    ("formatlist(\"%99999999s\", range(1000))", "a width or precision above"),
    ("indent(1000000000, \"a\\nb\")", "at most 268435456 are made"),
    ("cidrsubnets(\"::/0\", [for i in range(1000) : 1]...)", ""),
    ("cidrsubnets(\"10.0.0.0/8\", [for i in range(1000) : 1]...)", ""),
    ("cidrsubnet(\"::/0\", 128, 1e60)", "is out of range"),
    ("regex(\"((((a{1,100}){1,100}){1,100}){1,100})\", \"a\")", "at most 1000 are allowed"),
    ("regex(\"(\\\\pL{100}){10}\", \"a\")", "needs a program larger than"),
    ("regexall(\"(x+x+)+y\", join(\"\", [for i in range(1000) : \"xxxxxxxxxx\"]))", "-"),
    ("jsondecode(join(\"\", [for i in range(1024) : \"[[[[[[[[\"]))", "nests deeper than 350"),
    ("yamldecode(join(\"\", [for i in range(1024) : \"[[[[[[[[\"]))", "nests deeper than 150"),
    (
        "yamldecode(join(\"\\n\", concat([\"a0: &a0 [x, x, x, x, x, x, x, x]\"], [for i in range(1, 12) : \
         \"a${i}: &a${i} [${join(\", \", [for j in range(8) : \"*a${i - 1}\"])}]\"])))",
        "stands for more than 4000000 values",
    ),
    (
        "replace(join(\"\", [for i in range(1000) : \"aaaaaaaaaa\"]), \"a\", join(\"\", [for i in range(1000) : \
         \"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\"]))",
        "at most 268435456 are made",
    ),
    (
        "join(join(\"\", [for i in range(1000) : \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"]), flatten([for i in \
         range(10) : range(1000)]))",
        "268435456",
    ),
    ("bcrypt(\"x\", 31)", "-"),
    ("base64gzip(1e999999999)", "-"),
    ("parseint(\"zz\", 63)", "from 2 to 62"),
    ("timeadd(\"2020-01-01T00:00:00Z\", \"999999999999999999h\")", "not a duration"),
];

/// Returns further hostile expressions, whose texts are computed because they are long.
fn made() -> Vec<String> {
    let aliases: String = (1..40)
        .map(|n| format!("a{n}: &a{n} [{}]\\n", vec![format!("*a{}", n - 1); 9].join(",")))
        .collect();
    let deep = "[".repeat(100_000);
    vec![
        format!("regexall(\"{}\", \"{}\")", "(a*)*".repeat(50) + "$", "a".repeat(5_000) + "b"),
        format!("regex(\"{}\", \"a\")", "(".repeat(5_000)),
        "regex(\"((a{1000}){1000}){1000}\", \"a\")".to_owned(),
        format!("yamldecode(\"a0: &a0 [x,x,x]\\n{aliases}\")"),
        format!("jsondecode(\"{deep}\")"),
        format!("yamldecode(\"{deep}\")"),
        "range(1e12)".to_owned(),
        "range(0, 1, 1e-12)".to_owned(),
        format!("setproduct({})", ["range(1000)"; 12].join(", ")),
        "format(\"%999999999999d\", 1)".to_owned(),
        "format(\"%2000000000s\", \"x\")".to_owned(),
        "format(\"%.2000000000f\", 1)".to_owned(),
        format!("cidrsubnets(\"::/0\", {})", ["128"; 300].join(", ")),
        "cidrsubnet(\"10.0.0.0/8\", 1e9, 1)".to_owned(),
        "pow(10, 1e300)".to_owned(),
        format!("join(join(\"\", [for i in range(1000) : \"{0}\"]), [for i in range(1000) : \"{0}\"])", "x".repeat(1_000)),
        "replace(join(\"\", [for i in range(1000) : \"aaaaaaaaaa\"]), \"\", join(\"\", [for i in range(1000) : \"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\"]))".to_owned(),
        "parseint(join(\"\", [for i in range(1000) : \"99999999999999999999999999999999\"]), 10)".to_owned(),
    ]
}

/// Tests that hostile expressions use little memory, on a thread with the stack of a main thread.
#[test]
fn it_ends_in_a_diagnostic_before_the_memory_is_taken() {
    let work = std::thread::Builder::new().stack_size(8 << 20).spawn(each);
    work.expect("a thread").join().expect("the assertions hold");
}

/// Evaluates every hostile expression and checks its diagnostics and the largest amount of memory allocated at a time.
fn each() {
    let library = FunctionLibrary::of(Edition::DEFAULT);
    let basis = EvaluationBasis { seed: Some(1), ..EvaluationBasis::bare(Edition::DEFAULT) };
    let context = basis.with_scope(Arc::new(NamedValues::new()));
    let made = made();
    let made = made.iter().map(|text| (&**text, ""));
    for (text, says) in CASES.iter().copied().chain(made) {
        let shown: String = text.chars().take(80).collect();
        let parse = parse_expression(&text.into(), FileId(0));
        assert!(parse.diagnostics.is_empty(), "{shown}");
        let located = LocatedCode::of(&Expr::of(&parse), &library);
        let mut found = Diagnostics::new();
        let spent = measure(|| {
            evaluate(&located, &context, &mut found);
        });
        let first = found.iter().next().map_or("-", |first| &*first.detail);
        assert!(first.contains(says), "{shown}: {first}");
        assert!(says.is_empty() || (says == "-") == found.is_empty(), "{shown}: {first}");
        assert!(found.len() < 50, "{shown} has {} findings", found.len());
        assert!(spent.bytes_max < 64 * MEBIBYTE, "{shown}: {spent:?}");
    }
}
