//! Projects with the deepest possible nesting, on the small stack of an embedder: everything ends in values or diagnostics.

use std::fmt::Write as _;

use groma_syntax::Diagnostics;

use super::scene::{Scene, main};

/// The stack size in bytes: one megabyte as in a release; without optimization stack frames are several times as large.
const STACK: usize = if cfg!(debug_assertions) { 4 << 20 } else { 1 << 20 };

/// The nesting depth of the tested code: close to the deepest that the parser accepts.
const DEEP: usize = 330;

/// Runs `work` on a thread with a small stack.
fn in_small_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work).expect("a thread");
    thread.join().expect("no overflow");
}

/// Returns `inner` with `depth` opening texts before it and as many closing texts after it.
fn nested(open: &str, inner: &str, close: &str, depth: usize) -> String {
    format!("{}{inner}{}", open.repeat(depth), close.repeat(depth))
}

#[test]
fn deep_values_are_evaluated_and_shown() {
    in_small_stack(|| {
        let shapes = [
            ("(", "1", ")"),
            ("[", "1", "]"),
            ("{ a = ", "1", " }"),
            ("\"a${", "1", "}\""),
            ("true ? 1 : ", "1", ""),
            ("[for x in [1] : ", "1", "]"),
            ("{ for x in [1] : x => ", "1", "}"),
            ("try(", "var.u", ")"),
            ("[for x in [1] : ", "var.u", "]"),
            ("<<E\n${", "1", "}\nE\n"),
            ("merge({ a = ", "{}", " })"),
        ];
        for (open, inner, close) in shapes {
            for depth in [DEEP / 2, DEEP] {
                let deep = nested(open, inner, close, depth);
                let text = format!(
                    "variable \"u\" {{}}\nlocals {{\n  a = {deep}\n  b = [local.a, local.a]\n  c = local.a == local.b[0]\n}}\n\
                     output \"o\" {{ value = local.b }}\n\
                     resource \"terraform_data\" \"r\" {{\n  count = 2\n  input = local.a\n  triggers_replace = {deep}\n}}\n\
                     output \"p\" {{ value = terraform_data.r }}\n"
                );
                let loaded = main(&text).load();
                loaded.all();
                let mut out = Diagnostics::new();
                loaded.evaluation.evaluate_text(&deep, "<question>", &mut out);
                loaded.ask("local.b");
            }
        }
    });
}

#[test]
fn deep_types_are_read_and_fitted() {
    in_small_stack(|| {
        for (open, close, value) in [
            ("list(", ")", ("[", "]")),
            ("set(", ")", ("[", "]")),
            ("map(", ")", ("{ a = ", "}")),
            ("tuple([", "])", ("[", "]")),
            ("object({ a = ", "})", ("{ a = ", "}")),
            ("object({ a = optional(", ")})", ("{ a = ", "}")),
            ("object({ a = optional(list(", "), null)})", ("{ a = [", "]}")),
        ] {
            for depth in [100, 160, DEEP, 2_000] {
                let ty = nested(open, "any", close, depth);
                let given = nested(value.0, "1", value.1, depth);
                let text = format!("variable \"v\" {{\n  type = {ty}\n  default = {given}\n}}\n");
                let loaded = main(&text).file("given.tfvars", format!("v = {given}\n"));
                loaded.var_file("given.tfvars").load().all();
            }
        }
    });
}

#[test]
fn deep_blocks_are_read_and_filled() {
    in_small_stack(|| {
        for depth in [100, DEEP / 2, DEEP, 5_000] {
            let dynamic = nested(
                "dynamic \"a\" {\nfor_each = [1]\ncontent {\n",
                "b = 1\n",
                "}\n}\n",
                depth / 2,
            );
            let plain = nested("a {\n", "b = 1\n", "}\n", depth);
            for inner in [dynamic, plain] {
                let text = format!(
                    "resource \"x_y\" \"r\" {{\n{inner}}}\nresource \"terraform_data\" \"s\" {{\n{inner}}}\n\
                     provider \"x\" {{\n{inner}}}\nmodule \"m\" {{\nsource = \"./m\"\n{inner}}}\nlocals {{\n{inner}}}\n\
                     data \"x_z\" \"r\" {{\n{inner}}}\nterraform {{\nbackend \"s3\" {{\n{inner}}}\n}}\n"
                );
                main(&text).file("m/main.tf", &*inner).load().all();
            }
            let json = nested("{\"a\": ", "1", "}", depth);
            let lists = nested("[", "\"${1}\"", "]", depth);
            let text = format!(
                "{{\"locals\": {{\"a\": {json}, \"b\": {lists}}}, \"resource\": {{\"x_y\": {{\"r\": {{\"a\": {lists}, \"b\": {json}}}}}}}}}"
            );
            Scene::new().file("main.tf.json", text).load().all();
        }
    });
}

#[test]
fn chains_of_modules_and_of_locals_are_no_nesting() {
    in_small_stack(|| {
        let mut scene = main(
            "module \"m\" {\n  source = \"./m0\"\n  v = 1\n}\noutput \"o\" { value = module.m.o }\n",
        );
        for level in 0..400 {
            let call = format!("  source = \"../m{}\"\n  v = [var.v][0]\n", level + 1);
            let text = format!(
                "variable \"v\" {{}}\nmodule \"m\" {{\n{call}}}\noutput \"o\" {{ value = module.m.o }}\n"
            );
            scene = scene.file(&format!("m{level}/main.tf"), text);
        }
        let last = "variable \"v\" {}\noutput \"o\" { value = var.v }\n";
        let loaded = scene.file("m400/main.tf", last).load();
        assert_eq!(loaded.ask("module.m.o"), "1");
        loaded.all();
        let mut text = String::from("locals {\n  l0 = 1\n");
        for i in 1..=5_000 {
            let _ = writeln!(text, "  l{i} = [local.l{}]", i - 1);
        }
        text.push_str("}\n");
        let loaded = main(&text).load();
        loaded.ask("local.l340");
        loaded.ask("local.l5000");
        loaded.all();
    });
}
