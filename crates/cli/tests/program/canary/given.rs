//! Values that do not fit their sensitive variable or cannot be parsed, set in every way.

use super::folder::Folder;
use super::{assert_forms_silent, assert_silent};

/// Types of a variable, each with a value that does not fit.
const WRONG: &[(&str, &str)] = &[
    ("number", "\"canary\""),
    ("bool", "\"canary\""),
    ("list(number)", "[\"canary\"]"),
    ("set(bool)", "[\"canary\"]"),
    ("map(number)", "{ \"canary_key\": \"canary\" }"),
    ("object({ a = number })", "{ \"a\": \"canary\" }"),
    ("object({ a = number })", "{ \"canary_name\": 1 }"),
    (
        "object({ a = optional(object({ b = bool })) })",
        "{ \"a\": { \"b\": \"canary\", \"canary\": 1 } }",
    ),
    ("tuple([number])", "[\"canary\"]"),
    ("list(map(bool))", "[{ \"canary_key\": \"canary\" }]"),
    ("map(list(string))", "{ \"canary_key\": [{ \"canary\": 1 }] }"),
    ("string", "[\"canary\"]"),
    ("any", "{ \"canary\": }"),
];

/// Texts that are neither constant expressions nor JSON.
const UNREADABLE: &[&str] = &[
    "{ \"canary\" = ",
    "[canary_name, 1]",
    "upper(\"canary\")",
    "[\"canary\" + 1]",
    "[\"canary]",
    "[\"${canary}\"]",
    "[<<EOT\ncanary\n]",
    "[canary.73195142]",
    "canary 73195142",
    "[\"\\canary\"]",
    "[{ canary = 1 canary = 2 }]",
    "[canary...]",
];

/// Returns the declaration of a variable `s` with a type and a `mark` such as `sensitive`, and an output that does not depend on
/// it.
fn declare(ty: &str, mark: &str, more: &str) -> String {
    format!(
        "variable \"s\" {{\n  type = {ty}\n  {mark} = true\n{more}}}\noutput \"s\" {{\n  value = nonsensitive(1)\n}}\n"
    )
}

/// Checks that a value which does not fit is not shown, for every way to set it; `plain` is its text for a flag or the
/// environment.
fn try_all(ty: &str, text: &str, plain: &str) {
    for mark in ["sensitive", "ephemeral"] {
        let main = declare(ty, mark, "");
        let flag = format!("-var=s={plain}");
        let hcl = format!("fine = 1\ns = {text}\nother = 2\n");
        let json = format!("{{ \"fine\": 1, \"s\": {text}, \"other\": 2 }}");
        let cases: [(&str, &str, &str, Option<&str>); 6] = [
            ("-var", "", "", Some(&flag)),
            ("environment", "", "", None),
            ("terraform.tfvars", "terraform.tfvars", &hcl, None),
            ("-var-file", "given.tfvars", &hcl, Some("-var-file=given.tfvars")),
            ("terraform.tfvars.json", "terraform.tfvars.json", &json, None),
            ("-var-file of JSON", "given.json", &json, Some("-var-file=given.json")),
        ];
        for (name, file, content, flag) in cases {
            let mut files = vec![("main.tf", main.as_str())];
            if !file.is_empty() {
                files.push((file, content));
            }
            let folder = Folder::of(&files);
            let environment: &[(&str, &str)] =
                if name == "environment" { &[("TF_VAR_s", plain)] } else { &[] };
            let flags: Vec<&str> = flag.into_iter().collect();
            let what = format!("{mark} {ty} = {text} by {name}");
            let found = assert_forms_silent(&what, &folder, &flags, environment);
            let is_plain = ty == "string" && matches!(name, "-var" | "environment");
            // In JSON value files a template is plain text.
            let is_text = text.contains("${") && name.to_lowercase().contains("json");
            let fails = found.contains("\"severity\": \"error\"");
            assert!(fails || is_plain || is_text, "{what} does not fail");
        }
    }
}

/// Checks that values which do not fit their type are not shown.
#[test]
fn no_value_of_a_wrong_type_is_shown() {
    for (ty, text) in WRONG {
        // For these types the text of a flag is not parsed as an expression.
        let plain = if *ty == "number" || *ty == "bool" { "canary" } else { text };
        try_all(ty, text, plain);
    }
}

/// Checks that texts which cannot be parsed are not shown.
#[test]
fn no_text_that_cannot_be_read_is_shown() {
    for text in UNREADABLE {
        try_all("list(any)", text, text);
    }
}

/// Checks that a default which does not fit its type is not shown.
#[test]
fn no_default_is_shown() {
    for (ty, text) in WRONG {
        let folder =
            Folder::of(&[("main.tf", &declare(ty, "sensitive", &format!("  default = {text}\n")))]);
        // A default that is not an expression is a syntax error, and code is shown.
        if *ty != "any" {
            let found = assert_forms_silent(&format!("default of {ty}"), &folder, &[], &[]);
            assert!(found.contains("\"severity\": \"error\""), "{ty} {text} does not fail");
        }
    }
}

/// Checks that an argument of a module which does not fit its variable's type is not shown.
#[test]
fn no_argument_of_a_module_is_shown() {
    for (ty, text) in WRONG.iter().filter(|(ty, _)| *ty != "any") {
        let main = format!(
            "locals {{\n  plain = {text}\n}}\nmodule \"child\" {{\n  source = \"./child\"\n  s = local.plain\n}}\n"
        );
        let folder =
            Folder::of(&[("main.tf", &main), ("child/main.tf", &declare(ty, "sensitive", ""))]);
        let found = assert_forms_silent(&format!("module argument of {ty}"), &folder, &[], &[]);
        assert!(found.contains("\"severity\": \"error\""), "{ty} {text} does not fail");
    }
}

/// Checks that other entries of value files are not shown: misspelt names, blocks, duplicates and broken files.
#[test]
fn no_neighbour_of_a_secret_is_shown() {
    let main = declare("string", "sensitive", "");
    let files: &[(&str, &str)] = &[
        ("terraform.tfvars", "s_ = \"canary\"\n"),
        ("terraform.tfvars", "x = 1, s = \"canary\"\n"),
        ("terraform.tfvars", "s {\n  value = \"canary\"\n}\n"),
        ("terraform.tfvars", "s = \"a\"\ns = \"canary\"\n"),
        ("terraform.tfvars.json", "{\"s_\": \"canary\"}"),
        ("terraform.tfvars.json", "{\"s\": \"a\", \"s\": {\"canary\": 1}"),
        ("terraform.tfvars.json", "[\"canary\"]"),
        ("terraform.tfvars.json", "\"canary\""),
        ("terraform.tfvars", "s = \"canary\u{0}\"\n"),
    ];
    for (name, text) in files {
        let folder = Folder::of(&[("main.tf", &main), (name, text)]);
        assert_forms_silent(&format!("{name}: {text}"), &folder, &[], &[]);
    }
    let folder = Folder::of(&[("main.tf", &main)]);
    for flag in ["-var=s_=canary", "-var= s=canary", "-var=s=canary"] {
        assert_forms_silent(flag, &folder, &[flag], &[]);
    }
    let ran = folder.run(&["check", "-var"], &[], "");
    assert_silent("a flag without a value", &ran);
}

/// Checks that a message still shows a value that is not sensitive.
#[test]
fn what_is_no_secret_is_shown() {
    let main = declare("number", "nullable", "");
    let folder = Folder::of(&[("main.tf", &main), ("terraform.tfvars", "s = \"parrot\"\n")]);
    let ran = folder.run(&["check", "--values"], &[], "");
    assert!(
        ran.out.contains("\"parrot\" is not one") && ran.out.contains("s = \"parrot\""),
        "{}",
        ran.out
    );
}
