//! Nesting without harm: what nests deep ends in a value or in a finding, never in an overflow of
//! a small stack.
#![expect(clippy::unwrap_used, reason = "a test fails by panic")]

use std::sync::Arc;

use groma_protocol::{BatchOptions, EvaluationBatch};
use groma_runtime::{Limits, MemoryHost};
use testkit::Json;

/// Runs a function on a thread with a stack of the size that programs need to evaluate.
fn on_a_stack(work: impl FnOnce() + Send + 'static) {
    // One megabyte for what is shipped; without optimization frames are several times as large.
    let stack = if cfg!(debug_assertions) { 8 << 20 } else { 1 << 20 };
    let thread = std::thread::Builder::new().stack_size(stack).spawn(work).unwrap();
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

/// Returns the answer line for an expression.
fn answer(batch: &EvaluationBatch, expr: &str) -> String {
    let question = Json::Object([("expr".to_owned(), Json::Text(expr.to_owned()))].into());
    batch.answer(&question.to_string())
}

/// Returns an expression's value as the console shows it, or `an error`.
fn console(batch: &EvaluationBatch, expr: &str) -> String {
    let answer = Json::read(&answer(batch, expr)).unwrap();
    let got = answer.get("got").unwrap();
    got.get("console").and_then(Json::text).unwrap_or("an error").to_owned()
}

#[test]
fn what_nests_to_the_left_may_be_long() {
    on_a_stack(|| {
        let batch = EvaluationBatch::new(BatchOptions::default());
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
        let batch = EvaluationBatch::new(BatchOptions::default());
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
    let batch = EvaluationBatch::new(BatchOptions { limits, ..BatchOptions::default() });
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
        let batch = EvaluationBatch::new(BatchOptions { limits, ..BatchOptions::default() });
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
        let batch =
            EvaluationBatch::new(BatchOptions { host: Arc::new(host), ..BatchOptions::default() });
        assert_eq!(console(&batch, "templatefile(\"self.tftpl\", {})"), "an error");
        assert_eq!(console(&batch, "templatefile(\"deeper.tftpl\", {})"), "an error");
    });
}

/// Returns the names and texts of template files that are nested as deeply as the limit allows.
fn deep_templates() -> Vec<(&'static str, String)> {
    [
        ("template brackets", "${", "(", "1", ")", "}"),
        ("template calls", "${", "try(", "1", ")", "}"),
        ("template tuples", "a${length(", "[", "1", "]", ")}"),
        ("template loops", "a${length(", "[for x in [1] : ", "x", "]", ")}"),
        ("template objects", "a${length(", "{ a = ", "1", "}", ")}"),
        ("template choices", "a${", "true ? 1 : ", "1", "", "}"),
        ("template texts", "a", "${\"a", "1", "\"}", "b"),
        ("template directives", "", "%{ if true }", "a", "%{ endif }", ""),
        ("template repeats", "", "%{ for x in [1] }", "a", "%{ endfor }", ""),
    ]
    .map(|(name, start, open, middle, close, end)| {
        (name, format!("{start}{}{middle}{}{end}", open.repeat(60), close.repeat(60)))
    })
    .to_vec()
}

/// Returns expressions whose functions read deeply nested texts, with their names. Some of the texts are too deep and refused.
fn deep_texts() -> Vec<(&'static str, String)> {
    let nest = |open: &str, middle: &str, close: &str, depth: usize| {
        format!("{}{middle}{}", open.repeat(depth), close.repeat(depth))
    };
    let mut lines = String::new();
    for level in 0..140 {
        lines.push_str(&" ".repeat(level));
        lines.push_str("a:\\n");
    }
    let dashes = "- ".repeat(140);
    let deep_json = nest("[", "1", "]", 340);
    let objects = nest("{\\\"a\\\":", "1", "}", 340);
    let mut all: Vec<(&str, String)> = deep_templates()
        .into_iter()
        .map(|(name, _)| (name, format!("templatefile(\"{name}.tftpl\", {{}})")))
        .collect();
    all.extend(vec![
        ("json", format!("jsondecode(\"{deep_json}\")")),
        ("json objects", format!("jsondecode(\"{objects}\")")),
        ("json refused", format!("jsondecode(\"{}\")", "[".repeat(9_000))),
        ("json again", format!("jsonencode(jsondecode(\"{deep_json}\"))")),
        ("yaml out", format!("yamlencode(jsondecode(\"{objects}\"))")),
        ("yaml out of lists", format!("yamlencode(jsondecode(\"{deep_json}\"))")),
        ("yaml flow", format!("yamldecode(\"{}\")", nest("[", "1", "]", 140))),
        ("yaml flow maps", format!("yamldecode(\"{}\")", nest("{a: ", "1", "}", 140))),
        ("yaml refused", format!("yamldecode(\"{}\")", "[".repeat(9_000))),
        ("yaml blocks", format!("yamldecode(\"{lines}\")")),
        ("yaml dashes", format!("yamldecode(\"{dashes}1\")")),
        ("yaml dashes refused", format!("yamldecode(\"{}1\")", "- ".repeat(9_000))),
        (
            "far",
            format!(
                "length(regexall(\"{}\", join(\"\", range(1000))))",
                nest("(b|", "1", ")", 700)
            ),
        ),
        ("groups", format!("regex(\"{}\", \"a\")", nest("(", "a", ")", 990))),
        ("plain groups", format!("regex(\"{}\", \"a\")", nest("(?:", "a", ")", 990))),
        ("repeats", format!("regex(\"{}\", \"a\")", nest("(?:", "a", ")?", 990))),
        ("stars", format!("regex(\"{}\", \"a\")", nest("(", "a", ")*", 990))),
        ("alternation", format!("regex(\"{}\", \"a\")", nest("(b|", "a", ")", 990))),
        ("alternation and text", format!("regex(\"{}\", \"a\")", nest("(b|c", "a", "d)", 990))),
        ("all groups", format!("regexall(\"{}\", \"aaa\")", nest("(b|c?", "a", "d?)", 990))),
        (
            "replaced groups",
            format!("replace(\"aaa\", \"/{}/\", \"b\")", nest("(b|c?", "a", "d?)", 990)),
        ),
        ("groups refused", format!("regex(\"{}\", \"a\")", "(".repeat(5_000))),
        ("flatten", format!("flatten(jsondecode(\"{deep_json}\"))")),
        ("lists", format!("tolist(jsondecode(\"{deep_json}\"))")),
        ("sets", format!("toset(jsondecode(\"{deep_json}\"))")),
        ("maps", format!("tomap(jsondecode(\"{objects}\"))")),
        ("same", format!("jsondecode(\"{deep_json}\") == jsondecode(\"{deep_json}\")")),
        ("unified", format!("[jsondecode(\"{deep_json}\"), jsondecode(\"{objects}\")][*]")),
        ("concat", format!("concat(jsondecode(\"{deep_json}\"), jsondecode(\"{deep_json}\"))")),
        ("merge", format!("merge(jsondecode(\"{objects}\"), jsondecode(\"{objects}\"))")),
        (
            "distinct",
            format!("distinct([jsondecode(\"{deep_json}\"), jsondecode(\"{deep_json}\")])"),
        ),
        ("hidden", format!("nonsensitive(sensitive(jsondecode(\"{deep_json}\")))")),
        ("hidden deep", format!("sensitive(jsondecode(\"{deep_json}\"))")),
        ("type", format!("type(jsondecode(\"{deep_json}\"))")),
        ("choice", format!("true ? jsondecode(\"{deep_json}\") : jsondecode(\"{objects}\")")),
        (
            "choice of lists",
            format!(
                "length(uuid()) == 1 ? jsondecode(\"{deep_json}\") : jsondecode(\"{deep_json}\")"
            ),
        ),
        ("template", format!("[for a in [jsondecode(\"{deep_json}\")] : \"${{a}}\"]")),
    ]);
    all
}

/// Functions that read deep texts, alone and inside of an expression as deep as one may be.
#[test]
fn deep_texts_inside_of_deep_code_fit() {
    on_a_stack(|| {
        let mut host = MemoryHost::new();
        for (name, text) in &deep_templates() {
            host = host.with_file(&format!("/{name}.tftpl"), text.as_str());
        }
        let batch =
            EvaluationBatch::new(BatchOptions { host: Arc::new(host), ..BatchOptions::default() });
        let ways = [
            ("(", ")"),
            ("[", "]"),
            ("try(", ")"),
            ("[for x in [1] : ", "]"),
            ("{ for x in [1] : x => ", "}"),
            ("\"a${", "}\""),
            ("true ? 1 : ", ""),
            ("coalesce(", ")"),
        ];
        for (name, text) in deep_texts() {
            let said = answer(&batch, &text);
            assert!(said.contains("\"got\":{\""), "{name}");
        }
        for (open, close) in ways {
            for (name, text) in deep_texts() {
                let expr = format!("{}{text}{}", open.repeat(330), close.repeat(330));
                assert!(answer(&batch, &expr).contains("\"got\":{\""), "{open} {name}");
            }
        }
    });
}
