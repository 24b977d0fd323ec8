//! One budget for many evaluations: each takes its part, bytes that are no longer held are given back, and no expression
//! catches the error when the budget is used up. Another thread may end the run at any time.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use groma_eval::{EvaluationBasis, LocatedCode, NamedValues, evaluate};
use groma_functions::FunctionLibrary;
use groma_runtime::{Budget, Edition, Quota, RunEnd};
use groma_syntax::{Diagnostics, Expr, FileId, parse_expression};
use groma_value::Value;

/// Evaluates an expression within a budget; returns its value and the codes of its diagnostics.
fn run(text: &str, budget: &Budget, names: NamedValues) -> (Value, Vec<&'static str>) {
    let text: Arc<str> = text.into();
    let parse = parse_expression(&text, FileId(0));
    assert!(parse.diagnostics.is_empty(), "{text}");
    let located = LocatedCode::of(&Expr::of(&parse), &FunctionLibrary::of(Edition::DEFAULT));
    let basis =
        EvaluationBasis { budget: budget.clone(), ..EvaluationBasis::bare(Edition::DEFAULT) };
    let context = basis.with_scope(Arc::new(names));
    let mut out = Diagnostics::new();
    let value = evaluate(&located, &context, &mut out);
    (value, out.iter().map(|one| one.code.slug).collect())
}

/// Creates a budget of this size.
fn of(quota: Quota) -> Budget {
    Budget::new(quota)
}

/// Tests that evaluations take their steps from one shared budget.
#[test]
fn all_evaluations_share_the_steps() {
    let budget = of(Quota { steps: 100_000, ..Quota::DEFAULT });
    let loops = "[for a in range(100) : [for b in range(100) : a + b]]";
    let found: Vec<_> = (0..12).map(|_| run(loops, &budget, NamedValues::new()).1).collect();
    assert!(found[..3].iter().all(|codes| codes.is_empty()), "{found:?}");
    assert_eq!(found[11], ["limit-steps"]);
    assert_eq!(budget.ended(), Some(RunEnd::Steps));
}

/// Tests that `try` and `can` do not catch the error of a used-up budget.
#[test]
fn nothing_catches_the_end() {
    let loops = "[for a in range(1000) : [for b in range(1000) : a + b]]";
    for text in
        [format!("try({loops}, 1)"), format!("can({loops})"), format!("true || can({loops})")]
    {
        let budget = of(Quota { steps: 100_000, ..Quota::DEFAULT });
        assert_eq!(run(&text, &budget, NamedValues::new()).1, ["limit-steps"], "{text}");
    }
}

/// Tests that bytes are charged while values are held, and given back afterwards.
#[test]
fn what_is_held_is_counted_and_given_back() {
    let budget = of(Quota { bytes: 2 << 20, ..Quota::DEFAULT });
    // Each text is dropped before the next is made.
    let passing = "[for a in range(100) : length(join(\"\", [for b in range(1000) : \"${big}\"]))]";
    let names = || NamedValues::from_iter([("big", Value::text("x".repeat(100)))]);
    assert_eq!(run(passing, &budget, names()).1, [""; 0]);
    // What only shares what is there takes no more than its place.
    let sharing = "[for a in range(300) : [for b in range(100) : big]]";
    assert_eq!(run(sharing, &budget, names()).1, [""; 0]);
    let holding = "[for a in range(300) : [for b in range(100) : \"${big}${a}\"]]";
    assert_eq!(run(holding, &budget, names()).1, ["limit-memory"]);
}

/// Tests that another thread can end an evaluation through the budget.
#[test]
fn somebody_else_may_end_it() {
    let budget = of(Quota { steps: u64::MAX, ..Quota::DEFAULT });
    let other = budget.clone();
    let watch = thread::spawn(move || {
        thread::sleep(Duration::from_millis(20));
        other.end(RunEnd::Cancelled);
    });
    let each = "range(1000)";
    let endless = format!("[for a in {each} : length([for b in {each} : [for c in {each} : a]])]");
    assert_eq!(run(&endless, &budget, NamedValues::new()).1, ["limit-cancelled"]);
    watch.join().unwrap();
}
