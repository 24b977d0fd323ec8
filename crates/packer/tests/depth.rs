//! Tests of templates with the deepest possible nesting, on the small stack of an embedder: everything ends in values or
//! diagnostics.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use groma_inputs::InputAssignment;
use groma_packer::{Template, TemplateEvaluation, TemplateOptions};
use groma_runtime::MemoryHost;
use groma_syntax::Diagnostics;

/// The stack size of the tests in bytes: one megabyte in optimized builds; without optimization, stack frames are several times
/// as large.
const STACK: usize = if cfg!(debug_assertions) { 4 << 20 } else { 1 << 20 };

/// A nesting depth of code at the limit or a few levels below it.
const DEEP: usize = 330;

/// Returns `inner` enclosed `depth` times by `open` and `close`.
fn nested(open: &str, inner: &str, close: &str, depth: usize) -> String {
    format!("{}{inner}{}", open.repeat(depth), close.repeat(depth))
}

/// Loads, checks and plans a template and evaluates an expression in it, on a small stack. `values` is the content of a variable
/// file.
fn survive(name: &'static str, text: String, values: String) {
    let work = move || {
        let host = MemoryHost::new().with_file(name, text).with_file("v.pkrvars.hcl", values);
        let assignments = vec![InputAssignment::File("v.pkrvars.hcl".to_owned())];
        let options = TemplateOptions {
            judging: true,
            evaluates_data: true,
            assignments,
            ..TemplateOptions::default()
        };
        let mut found = Diagnostics::new();
        let template = Template::load(".", &options, Arc::new(host), &mut found);
        let evaluation = TemplateEvaluation::new(template, options);
        evaluation.check();
        evaluation.plan().builds_json();
        evaluation.references();
        evaluation.resource_references();
        evaluation.evaluate_text("[var, local, source, build]", "<test>", &mut found);
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work).unwrap();
    thread.join().expect("no overflow");
}

/// Checks that deeply nested values do not overflow the stack.
#[test]
fn deep_values_are_evaluated_and_planned() {
    for (open, inner, close) in [
        ("(", "1", ")"),
        ("[", "1", "]"),
        ("[", "var.u", "]"),
        ("{ a = ", "1", " }"),
        ("\"a${", "1", "}\""),
        ("true ? 1 : ", "1", ""),
        ("[for x in [1] : ", "var.u", "]"),
        ("try(", "var.u", ")"),
        ("merge({ a = ", "{}", " })"),
    ] {
        for depth in [DEEP / 2, DEEP] {
            let deep = nested(open, inner, close, depth);
            let text = format!(
                "packer {{\n  required_plugins {{\n    x = {{\n      source = \"github.com/a/x\"\n      version = \">= 1\"\n    }}\n  }}\n}}\n\
                 variable \"u\" {{\n  default = 1\n}}\nvariable \"v\" {{\n  type = any\n}}\nlocals {{\n  a = {deep}\n  b = [local.a, var.v]\n}}\n\
                 local \"c\" {{\n  expression = {deep}\n  sensitive = true\n}}\n\
                 source \"x\" \"a\" {{\n  v = {deep}\n}}\n\
                 build {{\n  source \"x.a\" {{\n    name = \"n\"\n    w = local.a\n  }}\n  provisioner \"x\" {{\n    v = {deep}\n    override = {{\n      n = {{ v = {deep} }}\n    }}\n  }}\n  post-processor \"x\" {{\n    v = local.b\n  }}\n}}\n"
            );
            survive("main.pkr.hcl", text, format!("v = {}\n", deep.replace("var.u", "1")));
        }
    }
}

/// Checks that deeply nested blocks, types and JSON values do not overflow the stack.
#[test]
fn deep_blocks_types_and_json_are_read() {
    for depth in [100, DEEP / 2, DEEP, 5_000] {
        let dynamic =
            nested("dynamic \"a\" {\nfor_each = [1]\ncontent {\n", "b = 1\n", "}\n}\n", depth / 2);
        let plain = nested("a {\n", "b = 1\n", "}\n", depth);
        let ty = nested("list(", "any", ")", depth);
        let values = format!("v = {}\n", nested("[", "1", "]", depth));
        for inner in [dynamic, plain] {
            let text = format!(
                "variable \"v\" {{\n  type = {ty}\n}}\nsource \"x\" \"a\" {{\n{inner}}}\n\
                 build {{\n  sources = [\"x.a\"]\n  provisioner \"x\" {{\n{inner}}}\n}}\n"
            );
            survive("main.pkr.hcl", text, values.clone());
        }
        let json = nested("{\"a\": ", "1", "}", depth);
        let lists = nested("[", "\"${1}\"", "]", depth);
        let text = format!(
            "{{\"locals\": {{\"a\": {json}, \"b\": {lists}}}, \"source\": {{\"x\": {{\"r\": {{\"a\": {lists}, \"b\": {json}}}}}}}}}"
        );
        survive("main.pkr.json", text, String::new());
    }
}
