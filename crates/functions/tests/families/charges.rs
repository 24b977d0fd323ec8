//! Tests of the charges of calls: every function of the library is called with large arguments under a small budget. None panics
//! or allocates far beyond the budget, and those with large results reach the limit.

use allocation_counter::measure;
use groma_functions::{
    CallContext, CallCost, Failure, FailureKind, Function, FunctionBody, FunctionLibrary, RowType,
    call, check_count,
};
use groma_runtime::{
    Budget, Dialect, Edition, LimitExcess, MemoryHost, Meter, Quota, RunEnd, Semantics,
};
use groma_value::{Number, Type, Value};

/// The bytes that a call may hold in these tests.
const ALLOWED: u64 = 256 << 10;

/// The bytes tolerated beyond those: the portion that a meter takes from the budget at once, and the memory of regex and gzip
/// engines.
const SLACK: u64 = 4 << 20;

/// Returns the numbers from 0 up to `count`.
fn numbers(count: i64) -> Vec<Value> {
    (0..count).map(Value::int).collect()
}

/// Returns `count` distinct strings.
fn texts(count: usize) -> Vec<Value> {
    (0..count).map(|at| Value::text(format!("a rather long text, number {at}"))).collect()
}

/// Returns large values of every kind: texts in several formats, and collections.
fn large() -> Vec<Value> {
    let text = |text: &str, count: usize| Value::text(text.repeat(count));
    let objects = (0..6_000).map(|at| Value::object([("a".into(), Value::int(at))])).collect();
    let entries = texts(6_000).into_iter().enumerate();
    let row = Value::list(Type::String, texts(300));
    vec![
        text("a", 1 << 18),
        text("a,b\n", 1 << 16),
        text("x\u{1}<", 1 << 17),
        Value::text(format!("[{}1]", "1,".repeat(100_000))),
        Value::text(format!("[{}{{}}]", "{\"a\":[]},".repeat(20_000))),
        text("- a\n", 60_000),
        text("%s%d", 60_000),
        text("QUFB", 60_000),
        text("1", 200_000),
        Value::list(Type::String, texts(12_000)),
        Value::list(Type::Number, numbers(24_000)),
        Value::set(Type::Number, numbers(6_000)),
        Value::tuple(numbers(24_000)),
        Value::tuple(objects),
        Value::tuple(vec![row; 500]),
        Value::map(Type::String, entries.map(|(at, text)| (format!("key {at}").into(), text))),
        Value::object(
            numbers(6_000)
                .into_iter()
                .enumerate()
                .map(|(at, value)| (format!("name {at}").into(), value)),
        ),
        Value::list(Type::Bool, vec![Value::TRUE; 24_000]),
    ]
}

/// Returns values that are too large to be visited in few steps.
fn heavy() -> Vec<Value> {
    let entries = texts(40_000).into_iter().enumerate();
    vec![
        Value::text("a".repeat(2 << 20)),
        Value::list(Type::String, texts(40_000)),
        Value::set(Type::Number, numbers(100_000)),
        Value::map(Type::String, entries.map(|(at, text)| (format!("key {at}").into(), text))),
        Value::tuple(vec![Value::TRUE; 100_000]),
    ]
}

/// Returns small values, some of which make the results for large ones even larger.
fn small() -> Vec<Value> {
    let number = |text: &str| Value::from(Number::parse(text).unwrap());
    vec![
        Value::text(""),
        Value::text("a"),
        Value::text(","),
        Value::text("%s and %1048576d"),
        Value::text("(a)(b)?|x"),
        Value::text(".*b|a"),
        Value::text("$1$1$1$1"),
        Value::text("utf-16"),
        Value::text("large.txt"),
        number("1"),
        number("1000000"),
        number("1e100000"),
        number("36"),
    ]
}

/// Returns true if a value is of the kind that a parameter type requires.
fn fits(shape: RowType, value: &Value) -> bool {
    let is_text = matches!(value, Value::String(_));
    match shape {
        RowType::Any => true,
        RowType::Bool => matches!(value, Value::Bool(_)),
        RowType::Number => value.as_number().is_some(),
        RowType::String => is_text,
        RowType::List(_) | RowType::Set(_) => {
            matches!(value, Value::List(_) | Value::Set(_) | Value::Tuple(_))
        }
        RowType::Map(_) => matches!(value, Value::Map(_) | Value::Object(_)),
    }
}

/// Returns the exceeded limit among the failures, if any.
fn limit(failures: &[Failure]) -> Option<LimitExcess> {
    failures.iter().find_map(|failure| match failure.kind {
        FailureKind::Limit(excess) => Some(excess),
        _ => None,
    })
}

/// Calls a function under a quota; returns the result and the maximum number of bytes allocated at a time.
fn run(function: &Function, args: &[Value], quota: Quota) -> (Result<Value, Vec<Failure>>, u64) {
    let edition = Edition::newest(Dialect::OpenTofu);
    let semantics = Semantics::of(edition);
    let host = MemoryHost::new().with_file("/large.txt", vec![b'a'; 2 << 20]);
    let (budget, meter) = (Budget::new(quota), Meter::new(u64::MAX));
    let bare = CallContext::bare(&semantics);
    let context =
        CallContext { host: &host, budget: &budget, meter: &meter, seed: Some(1), ..bare };
    let mut result = None;
    let used = measure(|| result = Some(call(function, args, &context)));
    (result.unwrap(), used.bytes_max)
}

/// Passes every function to `see` with large and small arguments in all positions where they fit.
fn each(large: &[Value], mut see: impl FnMut(&Function, &[Value])) {
    let small = small();
    for dialect in [Dialect::OpenTofu, Dialect::Packer] {
        let library = FunctionLibrary::of(Edition::newest(dialect));
        for function in library.functions().filter(|one| matches!(one.body, FunctionBody::Plain(_)))
        {
            let shape = |at: usize| function.param(at).map(|param| param.shape);
            let Some(first) = shape(0) else { continue };
            for one in large.iter().chain(&small).filter(|one| fits(first, one)) {
                let mut see = |args: &[Value]| {
                    if check_count(function, args.len()).is_ok() {
                        see(function, args);
                    }
                };
                let is_small = small.iter().any(|other| std::ptr::eq(other, one));
                if !is_small {
                    see(std::slice::from_ref(one));
                }
                let Some(second) = shape(1) else { continue };
                let beside = if is_small { large } else { &small };
                for two in beside.iter().filter(|two| fits(second, two)) {
                    see(&[one.clone(), two.clone()]);
                    let Some(third) = shape(2) else { continue };
                    if let Some(three) = small.iter().find(|three| fits(third, three)) {
                        see(&[one.clone(), two.clone(), three.clone()]);
                    }
                }
            }
        }
    }
}

/// Tests that no call allocates far more than its budget allows.
#[test]
fn no_call_holds_far_more_than_it_may() {
    let quota = Quota { bytes: ALLOWED, steps: 50_000, ..Quota::DEFAULT };
    let (mut met, mut over) = (0, 0);
    each(&large(), |function, args| {
        let (result, held) = run(function, args, quota);
        met += usize::from(result.is_err_and(|why| limit(&why).is_some()));
        if held > ALLOWED + SLACK {
            println!("{function:?} {}: {held}", shown(args));
            over += 1;
        }
    });
    assert_eq!(over, 0, "calls that hold more");
    assert!(met > 500, "only {met} calls met the limit");
}

/// Tests that calls which visit large arguments use up their steps.
#[test]
fn what_walks_its_arguments_takes_steps() {
    let quota = Quota { steps: 200, ..Quota::DEFAULT };
    let is_heavy = |value: &Value| value.measure().weight > 5 << 18;
    each(&heavy(), |function, args| {
        if matches!(function.cost, CallCost::Constant | CallCost::Elements)
            || !args.iter().any(is_heavy)
        {
            return;
        }
        let (result, _) = run(function, args, quota);
        let met = result.err().and_then(|why| limit(&why));
        assert_eq!(met, Some(LimitExcess::Run(RunEnd::Steps)), "{function:?} {}", shown(args));
    });
}

/// Returns the types and sizes of arguments for messages.
fn shown(args: &[Value]) -> String {
    let one = |value: &Value| {
        let kind = groma_value::print::with_article(&value.ty());
        format!("{} of {}", kind.chars().take(40).collect::<String>(), value.measure().weight)
    };
    args.iter().map(one).collect::<Vec<_>>().join(", ")
}
