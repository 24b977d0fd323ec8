//! Nesting without harm: what nests deep ends in a value or in a finding, never in an overflow of
//! a small stack.
#![expect(clippy::unwrap_used, reason = "a test fails by panic")]

use std::sync::Arc;

use groma_eval::{Batch, BatchOptions};
use groma_functions::{Limits, MemoryHost};
use testkit::Json;

fn on_a_stack(work: impl FnOnce() + Send + 'static) {
    // One megabyte for what is shipped; without optimization frames are more than twice as large.
    let stack = if cfg!(debug_assertions) { 3 << 20 } else { 1 << 20 };
    let thread = std::thread::Builder::new().stack_size(stack).spawn(work).unwrap();
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

fn answer(batch: &Batch, expr: &str) -> String {
    let question = Json::Object([("expr".to_owned(), Json::Text(expr.to_owned()))].into());
    batch.answer(&question.to_string())
}

fn console(batch: &Batch, expr: &str) -> String {
    let answer = Json::read(&answer(batch, expr)).unwrap();
    let got = answer.get("got").unwrap();
    got.get("console").and_then(Json::text).unwrap_or("an error").to_owned()
}

#[test]
fn what_nests_to_the_left_may_be_long() {
    on_a_stack(|| {
        let batch = Batch::new(BatchOptions::default());
        let many = 20_000;
        assert_eq!(console(&batch, &format!("0{}", " + 1".repeat(many))), many.to_string());
        assert_eq!(console(&batch, &format!("true{}", " && true".repeat(many))), "true");
        assert_eq!(console(&batch, &format!("true{}", " == true".repeat(many))), "true");
        // Each step takes one level off, so these end in findings, and quickly.
        for step in [".a", "[0]", "[k]", ".0", "[*]", ".*.b"] {
            assert_eq!(console(&batch, &format!("[]{}", step.repeat(many))), "an error", "{step}");
            assert_eq!(console(&batch, &format!("x{}", step.repeat(many))), "an error", "{step}");
        }
    });
}

#[test]
fn what_nests_inside_is_bounded() {
    on_a_stack(|| {
        let batch = Batch::new(BatchOptions::default());
        let shapes = [
            ("(", "1", ")"),
            ("[", "", "]"),
            ("{ a = ", "1", " }"),
            ("!", "true", ""),
            ("-", "1", ""),
            ("\"${", "1", "}\""),
            ("\"a${", "1", "}\""),
            ("true ? ", "1", " : 2"),
            ("true ? 1 : ", "1", ""),
            ("[for x in [1] : ", "x", "]"),
            ("{ for x in [1] : x => ", "x", " }"),
            ("try(", "1", ")"),
            ("can(", "1", ")"),
            ("length([", "1", "])"),
            ("[1][", "0", "]"),
            ("[[1]][*][", "0", "]"),
            ("\"%{ if true }", "", "%{ endif }\""),
            ("\"%{ for x in [1] }", "", "%{ endfor }\""),
            ("1 + (", "1", ")"),
        ];
        for (open, middle, close) in shapes {
            for depth in [100, 340, 5_000] {
                let expr = format!("{}{middle}{}", open.repeat(depth), close.repeat(depth));
                assert!(answer(&batch, &expr).contains("\"got\":{\""), "{open}");
            }
        }
    });
}

#[test]
fn steps_are_bounded() {
    let limits = Limits { steps: 10_000, ..Limits::DEFAULT };
    let batch = Batch::new(BatchOptions { limits, ..BatchOptions::default() });
    let loops = "[for a in range(1000) : [for b in range(1000) : a + b]]";
    assert_eq!(console(&batch, loops), "an error");
    // A bound that is met ends the whole evaluation: nothing catches it.
    assert_eq!(console(&batch, &format!("try({loops}, 1)")), "an error");
    assert_eq!(console(&batch, &format!("true || can({loops})")), "an error");
}

#[test]
fn deep_values_are_bounded() {
    on_a_stack(|| {
        let limits = Limits { nesting: 60, ..Limits::DEFAULT };
        let batch = Batch::new(BatchOptions { limits, ..BatchOptions::default() });
        let deep = |depth: usize| format!("{}{}", "[u, ".repeat(depth), "]".repeat(depth));
        let given =
            |expr: &str| batch.answer(&format!(r#"{{"expr":"{expr}","given":{{"u":"1"}}}}"#));
        assert!(given(&deep(40)).contains("\"console\""));
        assert!(given(&deep(80)).contains("\"error\""));
    });
}

#[test]
fn a_template_that_renders_itself_ends() {
    on_a_stack(|| {
        let host = MemoryHost::new()
            .with_file("/self.tftpl", "${templatefile(\"self.tftpl\", {})}")
            .with_file(
                "/deeper.tftpl",
                "a${[for x in [1] : templatefile(\"deeper.tftpl\", {})][0]}",
            );
        let batch = Batch::new(BatchOptions { host: Arc::new(host), ..BatchOptions::default() });
        assert_eq!(console(&batch, "templatefile(\"self.tftpl\", {})"), "an error");
        assert_eq!(console(&batch, "templatefile(\"deeper.tftpl\", {})"), "an error");
    });
}
