//! Selection of files, and effects of override files.

use super::scene::{Scene, main};

#[test]
fn tofu_files_shadow_their_twins() {
    let scene = || {
        Scene::new()
            .file("x.tf", "locals {\n  a = \"tf\"\n}")
            .file("x.tofu", "locals {\n  a = \"tofu\"\n}")
    };
    assert_eq!(scene().load().ask("local.a"), "\"tofu\"");
    assert_eq!(scene().edition("terraform").load().ask("local.a"), "\"tf\"");
}

#[test]
fn left_behind_files_do_not_count() {
    let loaded = main("locals {\n  a = 1\n}")
        .file(".hidden.tf", "locals {\n  a = 2\n}")
        .file("main.tf~", "broken {{{")
        .file("#main.tf#", "broken {{{")
        .file("notes.txt", "broken {{{")
        .load();
    assert!(loaded.all().is_empty());
    assert_eq!(loaded.ask("local.a"), "1");
}

#[test]
fn override_files_merge_last_and_in_order() {
    let loaded = main(
        "variable \"x\" {\n  type = number\n  default = 1\n}\nlocals {\n  a = 1\n  b = 1\n  c = 1\n}\noutput \"o\" {\n  value = local.a\n  sensitive = true\n}\n",
    )
    .file("override.tf", "locals {\n  a = 2\n  b = 2\n}")
    .file("z_override.tf", "locals {\n  b = local.c + 2\n}\nvariable \"x\" {\n  default = \"5\"\n}\noutput \"o\" {\n  value = local.b\n}")
    .load();
    assert_eq!(loaded.all(), Vec::<String>::new());
    assert_eq!(loaded.ask("[local.a, local.b, local.c, var.x]"), "[\n  2,\n  3,\n  1,\n  5,\n]");
    let output = loaded.evaluation.output("o", &mut Default::default()).unwrap();
    assert!(output.sensitive);
}

#[test]
fn an_override_needs_something_to_override() {
    let loaded = main("output \"o\" { value = 1 }")
        .file("x_override.tf", "variable \"v\" { default = 1 }\noutput \"p\" { value = 1 }")
        .load();
    assert_eq!(
        loaded.found(),
        [
            "error nothing-to-override x_override.tf:1:1",
            "error nothing-to-override x_override.tf:2:1"
        ]
    );
}

#[test]
fn count_and_for_each_replace_each_other() {
    let loaded = main("resource \"terraform_data\" \"r\" {\n  for_each = { a = 1 }\n}\n")
        .file("x_override.tf", "resource \"terraform_data\" \"r\" {\n  count = 2\n}\n")
        .load();
    assert_eq!(loaded.found(), Vec::<String>::new());
    assert_eq!(loaded.ask("length(terraform_data.r)"), "2");
}
