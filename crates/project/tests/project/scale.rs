//! Long chains, deep values, many declarations: time and stack stay in bounds.

use std::fmt::Write as _;

use super::scene::main;

#[test]
fn a_chain_of_a_hundred_thousand_locals() {
    let mut text = String::from("locals {\n  l0 = 1\n");
    for i in 1..=100_000 {
        let _ = writeln!(text, "  l{i} = local.l{}", i - 1);
    }
    text.push_str("}\n");
    let loaded = main(&text).load();
    assert_eq!(loaded.found(), Vec::<String>::new());
    assert_eq!(loaded.ask("local.l100000"), "1");
}

#[test]
fn a_ring_of_many() {
    let mut text = String::from("locals {\n");
    for i in 0..20_000 {
        let _ = writeln!(text, "  l{i} = local.l{}", (i + 1) % 20_000);
    }
    text.push_str("}\n");
    let loaded = main(&text).load();
    assert_eq!(loaded.found().len(), 1);
    assert!(loaded.details().contains("more ->"));
}

#[test]
fn a_value_that_grows_deep_is_bounded() {
    let mut text = String::from("locals {\n  l0 = 1\n");
    for i in 1..=20_000 {
        let _ = writeln!(text, "  l{i} = [local.l{}]", i - 1);
    }
    text.push_str("}\n");
    let loaded = main(&text).load();
    let mut out = groma_syntax::Diagnostics::new();
    loaded.evaluation.evaluate_text("local.l20000", "<question>", &mut out);
    assert!(out.has_errors());
    assert!(out.error_count() < 100, "{}", out.error_count());
}

#[test]
fn a_module_tree_that_doubles_at_every_level() {
    let mut scene = main("module \"a\" { source = \"./m0\" }\n");
    for i in 0..40 {
        let text = format!(
            "module \"a\" {{ source = \"../m{}\" }}\nmodule \"b\" {{ source = \"../m{}\" }}\n",
            i + 1,
            i + 1
        );
        scene = scene.file(&format!("m{i}/main.tf"), text);
    }
    let loaded = scene.file("m40/main.tf", "output \"o\" { value = 1 }").load();
    assert_eq!(loaded.found().iter().filter(|line| line.contains("too-many-modules")).count(), 1);
}
