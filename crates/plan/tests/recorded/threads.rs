//! One thread and several give identical results. The cases are small, so threads start for two cells already: then they share
//! cells all the time.

use groma_plan::Plan;
use groma_project::ThreadCount;
use testkit::case;

use super::scene::{options, plan_files};

/// Returns a plan's document, and its diagnostics as lines of text.
fn told(plan: &Plan) -> (String, Vec<String>) {
    let found = plan.diagnostics().iter();
    (plan.json(), found.map(|d| format!("{:?} {} {}", d.place, d.code.slug, d.detail)).collect())
}

/// Tests that plans are the same on one thread and on several.
#[test]
fn threads_show_in_no_answer() {
    let cases = case::modules(|_| true);
    let mut count = 0;
    for turn in cases.iter().flat_map(case::Case::turns) {
        let on = |most: usize, from: usize| {
            let threads = ThreadCount { most, from };
            let mut options = options(&turn);
            options.run.threads = threads;
            told(&plan_files(&turn, turn.case.files(), options))
        };
        let alone = on(1, 0);
        for (most, from) in [(2, 2), (5, 1)] {
            assert_eq!(alone, on(most, from), "{} on {most} threads", turn.name());
        }
        count += 1;
    }
    assert!(count > 300, "{count}");
}
