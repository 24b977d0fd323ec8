//! Evaluation: a few small expressions beside `hcl-rs`, from text and from what each side keeps after reading.
//!
//! `hcl-rs` computes in 64 bits; ours to the reference programs' last digit.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use criterion::{Criterion, criterion_group};
use groma_eval::{Context, Located, Names, evaluate};
use groma_functions::{Dialect, Edition, Library};
use groma_syntax::{Diagnostics, Expr, FileId, parse_expression};
use groma_value::{Type, Value};
use hcl::eval::Evaluate as _;
use peers::{Side, compare};

const CASES: &[(&str, &str)] = &[
    ("attribute", "var.k31"),
    ("arithmetic", "1 + 2 * 3 - 4 / 8"),
    ("template", "\"${var.k1}-${var.k2}:${var.k3}/path\""),
    ("for", "[for n in list : n * 2 + 1 if n > 10]"),
];

/// Attributes of `var`, and elements of `list`.
const ATTRIBUTES: usize = 63;
const ELEMENTS: i64 = 100;

fn our_context() -> Context {
    let attributes =
        (0..ATTRIBUTES).map(|n| (format!("k{n}").into(), Value::text(format!("value {n}"))));
    let mut names = Names::new();
    names.insert("var", Value::object(attributes));
    names.insert("list", Value::list(Type::Number, (0..ELEMENTS).map(Value::int).collect()));
    Context::bare(Edition::newest(Dialect::OpenTofu)).with_scope(Arc::new(names))
}

fn their_context() -> hcl::eval::Context<'static> {
    let attributes: hcl::Map<String, hcl::Value> =
        (0..ATTRIBUTES).map(|n| (format!("k{n}"), format!("value {n}").into())).collect();
    let mut context = hcl::eval::Context::new();
    context.declare_var("var", hcl::Value::Object(attributes));
    context.declare_var("list", hcl::Value::Array((0..ELEMENTS).map(hcl::Value::from).collect()));
    context
}

fn read(text: &str, library: &Library) -> Located {
    let parse = parse_expression(&text.into(), FileId(0));
    Located::of(&Expr::of(&parse), library)
}

fn our_value(code: &Located, context: &Context) -> Value {
    let mut diagnostics = Diagnostics::new();
    let value = evaluate(code, context, &mut diagnostics);
    assert!(!diagnostics.has_errors(), "the benchmark's expressions are right");
    value
}

fn their_value(expression: &hcl::Expression, context: &hcl::eval::Context<'_>) -> hcl::Value {
    expression.evaluate(context).expect("the benchmark's expressions are right")
}

fn their_expression(text: &str) -> hcl::Expression {
    text.parse().expect("the benchmark's expressions are right")
}

fn eval(criterion: &mut Criterion) {
    const TIMES: usize = 2_000;
    let library = Library::of(Edition::newest(Dialect::OpenTofu));
    let (ours, theirs) = (our_context(), their_context());
    let each = |time: Duration| format!("{:.0} ns", time.as_secs_f64() * 1e9 / TIMES as f64);
    for (name, text) in CASES {
        let (code, expression) = (read(text, &library), their_expression(text));
        let sides = vec![
            Side::new("groma", || {
                for _ in 0..TIMES {
                    black_box(our_value(&code, &ours));
                }
            }),
            Side::new("hcl-rs", || {
                for _ in 0..TIMES {
                    black_box(their_value(&expression, &theirs));
                }
            }),
        ];
        compare(&format!("{name}: {text}"), sides, 7, each);
        let sides = vec![
            Side::new("groma", || {
                for _ in 0..TIMES {
                    black_box(our_value(&read(text, &library), &ours));
                }
            }),
            Side::new("hcl-rs", || {
                for _ in 0..TIMES {
                    black_box(their_value(&their_expression(text), &theirs));
                }
            }),
        ];
        compare(&format!("{name}, from text"), sides, 7, each);
    }

    for (name, text) in CASES {
        let (code, expression) = (read(text, &library), their_expression(text));
        let mut group = criterion.benchmark_group(*name);
        group.bench_function("groma", |bench| bench.iter(|| our_value(&code, &ours)));
        group.bench_function("hcl-rs", |bench| bench.iter(|| their_value(&expression, &theirs)));
        group.finish();
    }
}

criterion_group!(benches, eval);

fn main() {
    benches();
    Criterion::default().configure_from_args().final_summary();
}
