//! Plans of code with the deepest possible nesting, on the small stack of an embedder: the checks, the changes and the document
//! all end.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use groma_plan::{Plan, PlanFacts};
use groma_project::{Evaluation, LoadOptions, LoadPurpose, Project, ProjectOptions};
use groma_runtime::MemoryHost;
use groma_syntax::Diagnostics;

/// The stack size in bytes: one megabyte as in a release; without optimization stack frames are several times as large.
const STACK: usize = if cfg!(debug_assertions) { 4 << 20 } else { 1 << 20 };

/// The nesting depth of the tested code: close to the deepest that the parser accepts.
const DEEP: usize = 330;

/// Returns `inner` with `depth` opening texts before it and as many closing texts after it.
fn nested(open: &str, inner: &str, close: &str, depth: usize) -> String {
    format!("{}{inner}{}", open.repeat(depth), close.repeat(depth))
}

/// Returns the length of the document of a plan of this root and called module, made on a small stack.
fn plan(main: String, child: String) -> usize {
    let work = move || {
        let host = MemoryHost::new().with_file("main.tf", main).with_file("m/main.tf", child);
        let load = LoadOptions { purpose: LoadPurpose::Check, ..LoadOptions::default() };
        let options = ProjectOptions { load, ..ProjectOptions::default() };
        let mut found = Diagnostics::new();
        let project = Project::load(".", &options, Arc::new(host), &mut found);
        let facts = Arc::new(PlanFacts::of(&project));
        let evaluation = Evaluation::new(project, facts.facts(), options.run.clone());
        let plan = Plan::of(evaluation, facts, &options, found);
        plan.changes();
        plan.gaps();
        plan.json().len()
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work).unwrap();
    thread.join().expect("no overflow")
}

/// Tests that expressions of maximum nesting are planned on a small stack, wherever a value may be written.
#[test]
fn deep_values_are_planned() {
    let shapes = [
        ("(", "1", ")"),
        ("[", "1", "]"),
        ("[", "var.u", "]"),
        ("[", "sensitive(1)", "]"),
        ("{ a = ", "1", " }"),
        ("{ a = ", "var.u", " }"),
        ("\"a${", "1", "}\""),
        ("true ? 1 : ", "1", ""),
        ("var.u ? 1 : ", "1", ""),
        ("[for x in [1] : ", "var.u", "]"),
        ("try(", "var.u", ")"),
        ("merge({ a = ", "{}", " })"),
    ];
    for (open, inner, close) in shapes {
        for depth in [DEEP / 2, DEEP] {
            let deep = nested(open, inner, close, depth);
            let main = format!(
                "variable \"u\" {{\n  default = true\n}}\nlocals {{\n  a = {deep}\n}}\n\
                 output \"o\" {{\n  value = {deep}\n  sensitive = true\n}}\n\
                 resource \"terraform_data\" \"r\" {{\n  count = 2\n  input = {deep}\n  triggers_replace = local.a\n\
                   lifecycle {{\n    ignore_changes = [input]\n    precondition {{\n      condition = {deep} == local.a\n      error_message = \"No.\"\n    }}\n  }}\n}}\n\
                 resource \"x_y\" \"r\" {{\n  a = {deep}\n  b = terraform_data.r[0].output\n}}\n\
                 import {{\n  to = x_y.r\n  id = {deep}\n}}\n\
                 check \"c\" {{\n  assert {{\n    condition = local.a == {deep}\n    error_message = \"No.\"\n  }}\n}}\n\
                 module \"m\" {{\n  source = \"./m\"\n  v = {deep}\n}}\n"
            );
            let child =
                "variable \"v\" {}\nresource \"terraform_data\" \"r\" {\n  input = var.v\n}\n";
            assert!(plan(main, child.to_owned()) > 0);
        }
    }
}

/// Tests that nested blocks of maximum depth, written or dynamic, are planned on a small stack.
#[test]
fn deep_blocks_are_planned() {
    for depth in [100, DEEP / 2, DEEP, 5_000] {
        let dynamic =
            nested("dynamic \"a\" {\nfor_each = [1]\ncontent {\n", "b = 1\n", "}\n}\n", depth / 2);
        let plain = nested("a {\n", "b = 1\n", "}\n", depth);
        for inner in [dynamic, plain] {
            let main = format!(
                "resource \"x_y\" \"r\" {{\n{inner}}}\ndata \"x_z\" \"r\" {{\n{inner}}}\nprovider \"x\" {{\n{inner}}}\n"
            );
            assert!(plan(main, String::new()) > 0);
        }
    }
}

/// Tests that chains of 3000 dependencies and moves are planned on a small stack.
#[test]
fn chains_of_resources_are_no_nesting() {
    let mut main = String::from("resource \"terraform_data\" \"r0\" {\n  input = 1\n}\n");
    for at in 1..=3_000 {
        main.push_str(&format!(
            "resource \"terraform_data\" \"r{at}\" {{\n  input = terraform_data.r{0}.input\n  triggers_replace = terraform_data.r{0}.id\n  depends_on = [terraform_data.r{0}]\n}}\n\
             moved {{\n  from = terraform_data.s{0}\n  to = terraform_data.s{at}\n}}\n",
            at - 1
        ));
    }
    assert!(plan(main, String::new()) > 3_000);
}
