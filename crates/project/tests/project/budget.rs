//! Where a run comes to its end: products of instances, blocks that blocks make, values that are kept. The end is the
//! same on one thread and on several, it is the only thing that is said, and somebody else may bring it.

use std::thread;
use std::time::Duration;

use groma_project::ThreadCount;
use groma_runtime::{Budget, Quota, RunEnd};
use groma_syntax::Diagnostics;

use super::scene::{Scene, main};

/// Returns the diagnostics of evaluating everything with a quota and a number of threads.
fn end(mut scene: Scene, quota: Quota, threads: ThreadCount) -> Vec<String> {
    scene.options.run.budget = Budget::new(quota);
    scene.options.run.threads = threads;
    let loaded = scene.load();
    let mut out = Diagnostics::new();
    loaded.evaluation.evaluate_all(&mut out);
    let told = |d: &groma_syntax::Diagnostic| format!("{} {:?} {}", d.code.slug, d.place, d.detail);
    assert_eq!(
        loaded.evaluation.end().as_ref().map(told),
        out.iter().find(|d| d.code.slug.starts_with("limit-")).map(told)
    );
    out.iter().map(told).collect()
}

/// Returns the only diagnostic of evaluating everything with a quota, which must be the same for any number of threads.
fn one_end(scene: fn() -> Scene, quota: Quota) -> String {
    let alone = end(scene(), quota, ThreadCount::default());
    for round in 0..6 {
        let threads = ThreadCount { most: 2 + round % 3, from: 1 + round * 7 % 40 };
        assert_eq!(end(scene(), quota, threads), alone, "{threads:?}");
    }
    let [only] = alone.as_slice() else { panic!("{alone:?}") };
    only.clone()
}

/// Returns a project of 30 folders, each of which calls the next one with two instances.
fn doubled() -> Scene {
    let text = |at: usize| format!("module \"n\" {{\n  source = \"../m{at}\"\n  count = 2\n}}\n");
    let first = main("module \"n\" {\n  source = \"./m1\"\n  count = 2\n}\n");
    (1..31).fold(first, |scene, at| {
        let next = if at < 30 { text(at + 1) } else { "locals {\n  a = 1\n}\n".to_owned() };
        scene.file(&format!("m{at}/main.tf"), next)
    })
}

#[test]
fn instances_are_counted_as_products() {
    let found = one_end(doubled, Quota { instances: 300, ..Quota::DEFAULT });
    assert!(found.starts_with("limit-instances"), "{found}");
    assert!(found.contains("more than 300 instances") && found.contains("module.n[0]"), "{found}");
    let many = || {
        main("module \"a\" {\n  source = \"./a\"\n  count = 30\n}\n")
            .file("a/main.tf", "module \"b\" {\n  source = \"../b\"\n  count = 30\n}\n")
            .file("b/main.tf", "resource \"terraform_data\" \"x\" {\n  count = 30\n}\n")
    };
    let found = one_end(many, Quota { instances: 5_000, ..Quota::DEFAULT });
    assert!(found.contains("terraform_data.x"), "{found}");
    let enough = Quota { instances: 30_000, ..Quota::DEFAULT };
    assert_eq!(end(many(), enough, ThreadCount::default()), [""; 0]);
}

#[test]
fn blocks_that_blocks_make_are_instances() {
    let nested = || {
        main(
            "resource \"x_y\" \"z\" {\n  dynamic \"a\" {\n    for_each = range(100)\n    content {\n      dynamic \"b\" {\n        for_each = range(100)\n        content {\n          v = a.value + b.value\n        }\n      }\n    }\n  }\n}\n",
        )
    };
    let found = one_end(nested, Quota { instances: 2_000, ..Quota::DEFAULT });
    assert!(found.starts_with("limit-instances") && found.contains("x_y.z"), "{found}");
}

/// Returns a project of local values that each need many steps and much memory.
fn heavy() -> Scene {
    let mut text = String::from("locals {\n  keys = range(60)\n");
    for at in 0..60 {
        let before = if at % 7 == 0 { "1".to_owned() } else { format!("local.l{}[0][0]", at - 1) };
        text.push_str(&format!(
            "  l{at} = [for a in range(20) : [for b in range(60) : a + b + {before}]]\n"
        ));
    }
    text.push_str("}\n");
    main(&text)
}

#[test]
fn steps_end_at_the_same_value() {
    for steps in [20_000, 40_000, 60_000, 61_000, 62_000] {
        let found = one_end(heavy, Quota { steps, ..Quota::DEFAULT });
        assert!(found.starts_with("limit-steps") && found.contains("local.l"), "{found}");
    }
}

#[test]
fn what_cells_keep_stays_counted() {
    // Wherever the end comes, how much was taken in advance has no part in it.
    for bytes in [300_000, 500_000, 700_000, 900_000, 1_000_000, 1_010_000, 1_020_000] {
        let found = one_end(heavy, Quota { bytes, ..Quota::DEFAULT });
        assert!(found.starts_with("limit-memory") && found.contains("local.l"), "{found}");
    }
    assert_eq!(end(heavy(), Quota::DEFAULT, ThreadCount::default()), [""; 0]);
}

#[test]
fn files_are_counted() {
    let big = || main("locals {\n  a = file(\"big.txt\")\n}\n").file("big.txt", vec![b'x'; 10_000]);
    let quota = Quota { source_bytes: 5_000, ..Quota::DEFAULT };
    let mut scene = big();
    scene.options.run.budget = Budget::new(quota);
    let budget = scene.options.run.budget.clone();
    let loaded = scene.load();
    loaded.evaluation.evaluate_all(&mut Diagnostics::new());
    assert_eq!(budget.ended(), Some(RunEnd::Sources));
    assert!(budget.last_work().is_some_and(|work| work.contains("big.txt")));
}

#[test]
fn value_files_are_charged_for_what_they_say() {
    let end_of = |element: &str, bytes| {
        let text = format!("l = [{}]\n", element.repeat(100_000 / element.len()));
        let mut scene = main("variable \"l\" {\n  type = any\n}\n").file("terraform.tfvars", text);
        scene.options.run.budget = Budget::new(Quota { bytes, ..Quota::DEFAULT });
        let budget = scene.options.run.budget.clone();
        scene.load();
        (budget.ended(), budget.last_work().unwrap_or_default())
    };
    let text = format!("\"{}\",", "long ".repeat(20));
    let (wide, tight) = (8_000_000, 1_000_000);
    for (element, bytes, ends) in [
        (&*text, tight, false),
        ("1,", tight, true),
        ("1,", wide, false),
        ("[0.1],", tight, true),
        ("[0.1],", wide, false),
        // What is odd is read alone.
        ("(1),", 2 * tight, false),
        // What only the parser reads takes a tree beside the values.
        ("{(\"a\")=1},", 2 * tight, true),
        ("{(\"a\")=1},", wide, false),
    ] {
        let (ended, work) = end_of(element, bytes);
        assert_eq!(ended, ends.then_some(RunEnd::Memory), "{element} {bytes}");
        assert_eq!(work.contains("terraform.tfvars"), ends, "{work}");
    }
}

#[test]
fn another_thread_may_end_it() {
    let mut scene = doubled();
    scene.options.run.budget = Budget::new(Quota { instances: u64::MAX, ..Quota::DEFAULT });
    let budget = scene.options.run.budget.clone();
    let loaded = scene.load();
    let watch = thread::spawn(move || {
        thread::sleep(Duration::from_millis(20));
        budget.end(RunEnd::Cancelled);
    });
    let mut out = Diagnostics::new();
    loaded.evaluation.evaluate_all(&mut out);
    watch.join().expect("nothing panics");
    let codes: Vec<&str> = out.iter().map(|one| one.code.slug).collect();
    assert_eq!(codes, ["limit-cancelled"]);
}
