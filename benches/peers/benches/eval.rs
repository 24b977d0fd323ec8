//! Evaluation: small expressions beside `hcl-rs`, from what each side keeps after reading, over the same data.
//!
//! `hcl-rs` computes in 64 bits; ours to the reference programs' last digit.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use criterion::{Criterion, criterion_group};
use groma_eval::{Context, LocatedCode, NamedValues, evaluate};
use groma_functions::FunctionLibrary;
use groma_runtime::{Dialect, Edition};
use groma_syntax::{Diagnostics, Expr, FileId, parse_expression};
use groma_value::Value;
use hcl::eval::{Evaluate as _, FuncArgs, FuncDef, ParamType};
use peers::{Side, compare};

/// Each runs twice: with `@` as nothing (names of the root) and as `var.` (attributes of one object of 63).
const CASES: &[(&str, &str)] = &[
    ("arithmetic", "1 + 2 * 3 - 4 / 8"),
    ("variable", "@k31"),
    ("conditional", "@on ? @k1 : @k2"),
    ("template of two parts", "\"${@k1}-${@k2}\""),
    ("logic of three terms", "@on && !@off || @off"),
    ("for over 10 with a call", "[for s in @ten : upper(s)]"),
    ("for with if and key", "{ for s in @ten : s => 1 if s != \"e3\" }"),
    ("for over 10,000", "[for n in @many : n + 1]"),
    ("nested for 10 x 10", "[for a in @ten : [for b in @ten : \"${a}${b}\"]]"),
    ("splat", "@disks[*].size"),
    ("index and traversal", "@disks[3].tags.name"),
    ("merge of tags", "merge(@tags, @more, { extra = \"x\" })"),
    ("join of a for", "join(\",\", [for s in @ten : s])"),
    ("object of six keys", "{ a = @k1, b = @k2, c = @k3, d = 4, e = true, f = \"x\" }"),
];

/// How many attributes `var` has beside the named ones.
const ATTRIBUTES: usize = 55;

fn text(text: impl Into<String>) -> hcl::Value {
    hcl::Value::String(text.into())
}

/// The names that expressions use, as the peer's values.
fn names() -> hcl::Map<String, hcl::Value> {
    let object = |pairs: Vec<(&str, hcl::Value)>| {
        hcl::Value::Object(
            pairs.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
        )
    };
    let disk = |n: i64| {
        object(vec![
            ("size", n.into()),
            ("tags", object(vec![("name", text(format!("disk {n}")))])),
        ])
    };
    let mut names: hcl::Map<String, hcl::Value> =
        (0..ATTRIBUTES).map(|n| (format!("k{n}"), text(format!("value {n}")))).collect();
    names.insert("on".into(), true.into());
    names.insert("off".into(), false.into());
    names.insert("ten".into(), (0..10).map(|n| text(format!("e{n}"))).collect());
    names.insert("many".into(), (0..10_000i64).map(hcl::Value::from).collect());
    names.insert("disks".into(), (0..10).map(disk).collect());
    names.insert("tags".into(), object(vec![("env", text("dev")), ("team", text("core"))]));
    names.insert("more".into(), object(vec![("env", text("prod")), ("cost", text("low"))]));
    names
}

/// The same value on our side.
fn ours(value: &hcl::Value) -> Value {
    match value {
        hcl::Value::Bool(value) => Value::Bool(*value),
        hcl::Value::String(text) => Value::text(text.as_str()),
        hcl::Value::Number(number) => Value::int(number.as_i64().unwrap_or(0)),
        hcl::Value::Array(items) => Value::tuple(items.iter().map(ours).collect()),
        hcl::Value::Object(object) => {
            Value::object(object.iter().map(|(name, value)| (name.as_str().into(), ours(value))))
        }
        hcl::Value::Null => Value::NULL,
    }
}

fn our_context() -> Context {
    let all = names();
    let mut scope = NamedValues::new();
    for (name, value) in &all {
        scope.insert(name.as_str(), ours(value));
    }
    scope.insert("var", ours(&hcl::Value::Object(all)));
    Context::bare(Edition::newest(Dialect::OpenTofu)).with_scope(Arc::new(scope))
}

fn their_context() -> hcl::eval::Context<'static> {
    let all = names();
    let mut context = hcl::eval::Context::new();
    for (name, value) in &all {
        context.declare_var(name.as_str(), value.clone());
    }
    context.declare_var("var", hcl::Value::Object(all));
    let any = ParamType::Any;
    context.declare_func("upper", FuncDef::builder().param(ParamType::String).build(upper));
    context.declare_func("merge", FuncDef::builder().variadic_param(any.clone()).build(merge));
    context
        .declare_func("join", FuncDef::builder().param(ParamType::String).param(any).build(join));
    context
}

fn upper(args: FuncArgs) -> Result<hcl::Value, String> {
    Ok(text(args[0].as_str().unwrap_or_default().to_uppercase()))
}

fn merge(args: FuncArgs) -> Result<hcl::Value, String> {
    let mut all = hcl::Map::new();
    for object in args.iter().filter_map(hcl::Value::as_object) {
        all.extend(object.iter().map(|(name, value)| (name.clone(), value.clone())));
    }
    Ok(hcl::Value::Object(all))
}

fn join(args: FuncArgs) -> Result<hcl::Value, String> {
    let items = args[1].as_array().map(Vec::as_slice).unwrap_or_default();
    let parts: Vec<&str> = items.iter().filter_map(hcl::Value::as_str).collect();
    Ok(text(parts.join(args[0].as_str().unwrap_or_default())))
}

fn read(text: &str, library: &FunctionLibrary) -> LocatedCode {
    let parse = parse_expression(&text.into(), FileId(0));
    LocatedCode::of(&Expr::of(&parse), library)
}

fn our_value(code: &LocatedCode, context: &Context) -> Value {
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
    let library = FunctionLibrary::of(Edition::newest(Dialect::OpenTofu));
    let (ours, theirs) = (our_context(), their_context());
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    for (name, pattern) in CASES {
        for (place, prefix) in [("root", ""), ("under var", "var.")] {
            let text = pattern.replace('@', prefix);
            let title = format!("{name}, {place}: {text}");
            if wanted.as_deref().is_some_and(|wanted| !title.contains(wanted)) {
                continue;
            }
            let (code, expression) = (read(&text, &library), their_expression(&text));
            let times = if pattern.contains("many") { 20 } else { 2_000 };
            let each =
                |time: Duration| format!("{:.0} ns", time.as_secs_f64() * 1e9 / f64::from(times));
            let sides = vec![
                Side::new("groma", || {
                    for _ in 0..times {
                        black_box(our_value(&code, &ours));
                    }
                }),
                Side::new("hcl-rs", || {
                    for _ in 0..times {
                        black_box(their_value(&expression, &theirs));
                    }
                }),
            ];
            compare(&title, sides, 7, each);
        }
    }

    for (name, text) in [("attribute", "var.k31"), ("template", "\"${var.k1}-${var.k2}\"")] {
        let (code, expression) = (read(text, &library), their_expression(text));
        let mut group = criterion.benchmark_group(name);
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
