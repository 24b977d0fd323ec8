//! Invalid input: each fault is a diagnostic with a place, and the rest is evaluated all the same.

use super::scene::{Scene, main};

#[test]
fn a_missing_directory() {
    let mut scene = main("locals {}");
    scene.dir = "nowhere".to_owned();
    let loaded = scene.load();
    assert_eq!(loaded.found(), ["error no-directory"]);
    assert_eq!(loaded.ask("1 + 1"), "2");
}

#[test]
fn a_syntax_error_in_one_of_three_files() {
    let loaded = Scene::new()
        .file("a.tf", "locals {\n  a = 1\n}\n")
        .file("b.tf", "locals {\n  b = 2\n  c = [1, \n}\n")
        .file("c.tf", "locals {\n  d = local.a + 3\n}\n")
        .load();
    let found = loaded.found();
    assert!(!found.is_empty() && found.iter().all(|line| line.contains("b.tf:")), "{found:?}");
    assert_eq!(loaded.ask("[local.a, local.d]"), "[\n  1,\n  4,\n]");
}

#[test]
fn rubbish_as_a_file() {
    let rubbish: Vec<u8> = (0..=255u8).cycle().take(4000).collect();
    let loaded = main("locals {\n  a = 1\n}\n").file("x.tf", rubbish).load();
    let found = loaded.found();
    assert_eq!(found, ["error not-text x.tf:1:1"]);
    assert_eq!(loaded.ask("local.a"), "1");
}

#[test]
fn bytes_that_are_no_text() {
    let loaded = main("locals {\n  a = 1\n}\n")
        .file("x.tf", b"output \"o\" { value = \"a\xff\" }".to_vec())
        .load();
    assert!(
        loaded.found().contains(&"error invalid-utf8 x.tf:1:24".to_owned()),
        "{:?}",
        loaded.found()
    );
    assert_eq!(loaded.ask("local.a"), "1");
}

#[test]
fn unknown_blocks_and_arguments() {
    let loaded = main(
        "resuorce \"terraform_data\" \"a\" {}\nanswer = 42\nvariable \"v\" {\n  defualt = 1\n  validations {\n    a = 1\n  }\n}\nvariable {\n}\nvariable \"x\" \"y\" {}\nlanguage {\n}\noutput \"o\" {\n}\n",
    )
    .edition("terraform")
    .load();
    assert_eq!(
        loaded.all(),
        [
            "error unsupported-block main.tf:1:1",
            "error unsupported-argument main.tf:2:1",
            "error unsupported-argument main.tf:4:3",
            "error unsupported-block main.tf:5:3",
            "error block-labels main.tf:9:1",
            "error block-labels main.tf:11:14",
            "error unsupported-block main.tf:12:1",
            "error missing-argument main.tf:14:12"
        ]
    );
    let details = loaded.details();
    assert!(
        details.contains("Did you mean \"resource\"?")
            && details.contains("Did you mean \"default\"?"),
        "{details}"
    );
}

#[test]
fn a_version_that_is_asked_for() {
    let text = "terraform {\n  required_version = \">= 99.0\"\n}\n";
    let terraform = || main(text).edition("terraform").load();
    assert_eq!(terraform().found(), ["warning required-version main.tf:2:3"]);
    assert_eq!(main(text).load().found(), Vec::<String>::new());
    let own = Scene::new().file("main.tofu", text).load();
    assert_eq!(own.found(), ["warning required-version main.tofu:2:3"]);
}

#[test]
fn a_value_file_that_does_not_exist() {
    let loaded = main("variable \"x\" { default = 1 }").var_file("nowhere.tfvars").load();
    assert_eq!(loaded.found(), ["error unreadable-file"]);
    assert_eq!(loaded.ask("var.x"), "1");
}

#[test]
fn a_bad_expression_from_outside() {
    let text = "variable \"l\" { type = list(number) }\nlocals {\n  a = 1\n}";
    let loaded = main(text).env("TF_VAR_l", "[1,2").load();
    assert!(loaded.found()[0].contains("<value for var.l>:1:"), "{:?}", loaded.found());
    let flag = main(text).var("l", "[local.a, upper(\"b\")]").load();
    assert_eq!(
        flag.found(),
        ["error not-constant <value for var.l>:1:2", "error not-constant <value for var.l>:1:11"]
    );
    assert_eq!(flag.ask("local.a"), "1");
}
