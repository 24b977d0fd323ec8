//! Secrets of a Packer template: sensitive variables and locals, set in every way, in code that fails.

use super::assert_forms_silent;
use super::folder::Folder;

/// Code that fails; `S` stands for the reference to the bundle of secrets.
const FAILING: &[&str] = &[
    "local \"a\" {\n  expression = S.text + 1\n}",
    "local \"a\" {\n  expression = S.map.nope\n}",
    "local \"a\" {\n  expression = [for v in S.list : v + 1]\n}",
    "local \"a\" {\n  expression = [for v in S.list : jsondecode(v)]\n}",
    "local \"a\" {\n  expression = max(S.list...)\n}",
    "local \"a\" {\n  expression = S.list[*].nope\n}",
    "local \"a\" {\n  expression = templatefile(\"number.tpl\", { value = S.text })\n}",
    "local \"a\" {\n  expression = jsondecode(S.text)\n}",
    "local \"a\" {\n  expression = file(S.text)\n}",
    "local \"a\" {\n  expression = lookup(S.map, \"nope\")\n}",
    "local \"a\" {\n  expression = env(S.text)\n}",
    "source \"null\" \"a\" {\n  communicator = S.text\n}\nbuild {\n  sources = [\"null.a\"]\n}",
    "source \"null\" \"a\" {\n  communicator = \"none\"\n  ssh_port = S.text\n}\nbuild {\n  sources = [\"null.a\"]\n}",
    "source \"null\" \"a\" {\n  communicator = \"none\"\n  ssh_timeout = S.text\n}\nbuild {\n  sources = [\"null.a\"]\n}",
    "source \"null\" \"a\" {\n  communicator = \"none\"\n}\nbuild {\n  sources = [S.text]\n}",
    "source \"null\" \"a\" {\n  communicator = \"none\"\n}\nbuild {\n  sources = S.list\n}",
    "source \"null\" \"a\" {\n  communicator = \"none\"\n}\nbuild {\n  sources = [\"null.a\"]\n  provisioner \"shell\" {\n    inline = S.map\n  }\n}",
    "source \"null\" \"a\" {\n  communicator = \"none\"\n}\nbuild {\n  sources = [\"null.a\"]\n  provisioner \"shell\" {\n    inline = [\"x\"]\n    only = S.text\n  }\n}",
    "source \"null\" \"a\" {\n  communicator = \"none\"\n}\nbuild {\n  sources = [\"null.a\"]\n  provisioner \"shell\" {\n    inline = [\"x\"]\n    environment_vars = S.list\n  }\n}",
    "source \"null\" \"a\" {\n  communicator = \"none\"\n}\nbuild {\n  sources = [\"null.a\"]\n  provisioner \"shell\" {\n    inline = [\"x\"]\n    pause_before = S.text\n  }\n}",
    "source \"null\" \"a\" {\n  communicator = \"none\"\n}\nbuild {\n  sources = [\"null.a\"]\n  provisioner \"shell\" {\n    inline = [\"x\"]\n    max_retries = S.text\n  }\n}",
    "source \"null\" \"a\" {\n  communicator = \"none\"\n}\nbuild {\n  sources = [\"null.a\"]\n  provisioner \"shell\" {\n    scripts = S.list\n  }\n}",
    "source \"null\" \"a\" {\n  communicator = \"none\"\n}\nbuild {\n  sources = [\"null.a\"]\n  provisioner \"file\" {\n    source = S.text\n    destination = \"x\"\n  }\n}",
    "source \"null\" \"a\" {\n  communicator = \"none\"\n}\nbuild {\n  sources = [\"null.a\"]\n  dynamic \"provisioner\" {\n    for_each = S.text\n    labels = [\"shell\"]\n    content {\n      inline = [\"x\"]\n    }\n  }\n}",
    "source \"null\" \"a\" {\n  communicator = \"none\"\n}\nbuild {\n  sources = [\"null.a\"]\n  dynamic \"provisioner\" {\n    for_each = S.list\n    labels = [provisioner.value]\n    content {\n      inline = [\"x\"]\n    }\n  }\n}",
    "source \"null\" \"a\" {\n  communicator = \"none\"\n}\nbuild {\n  sources = [\"null.a\"]\n  post-processor \"checksum\" {\n    checksum_types = S.list\n    output = \"x\"\n  }\n}",
    "variable \"v\" {\n  sensitive = true\n  default = \"canary\"\n  validation {\n    condition = var.v + 1 > 2\n    error_message = \"It is no number.\"\n  }\n}",
    "variable \"v\" {\n  sensitive = true\n  default = \"canary\"\n  validation {\n    condition = length(var.v) > 100\n    error_message = \"It is short.\"\n  }\n}",
    "variable \"v\" {\n  sensitive = true\n  type = number\n  default = \"canary\"\n}",
];

/// An object of secrets, as an expression that is also JSON.
const BUNDLE: &str = r#"{
  "text": "canary-text",
  "list": ["canary-1", "canary-2"],
  "map": { "canary_key": "canary-value" }
}"#;

/// The declaration of the sensitive variable `s`.
const VARIABLE: &str = "variable \"s\" {\n  sensitive = true\n  type = object({ text = string, list = list(string), map = map(string) })\n}\n";

/// Checks that no message about failing code of a Packer template shows a secret.
#[test]
fn no_message_of_a_template_shows_a_secret() {
    let flag = format!("-var=s={BUNDLE}");
    let hcl = format!("s = {BUNDLE}\n");
    let json = format!("{{\"s\": {BUNDLE}}}");
    let local = format!("local \"s\" {{\n  sensitive = true\n  expression = {BUNDLE}\n}}\n");
    let default = VARIABLE.replace("\n}\n", &format!("\n  default = {BUNDLE}\n}}\n"));
    /// A way to give the secret: name, declaration, reference, flag, file, and true if it comes from the environment.
    type Way<'w> = (&'w str, &'w str, &'w str, Option<&'w str>, Option<(&'w str, &'w str)>, bool);
    let ways: [Way<'_>; 6] = [
        ("-var", VARIABLE, "var.s", Some(&flag), None, false),
        ("environment", VARIABLE, "var.s", None, None, true),
        ("value file", VARIABLE, "var.s", None, Some(("a.auto.pkrvars.hcl", &hcl)), false),
        ("JSON value file", VARIABLE, "var.s", None, Some(("a.auto.pkrvars.json", &json)), false),
        ("default", &default, "var.s", None, None, false),
        ("local", &local, "local.s", None, None, false),
    ];
    for (name, declares, reference, flag, file, by_environment) in ways {
        for code in FAILING {
            let main = format!("{declares}{}\n", code.replace("S.", &format!("{reference}.")));
            let mut files = vec![("main.pkr.hcl", main.as_str()), ("number.tpl", "${value + 1}")];
            files.extend(file);
            let folder = Folder::of(&files);
            let environment: &[(&str, &str)] =
                if by_environment { &[("PKR_VAR_s", BUNDLE)] } else { &[] };
            let flags: Vec<&str> = flag.into_iter().collect();
            let what = format!("Packer, {name}: {code}");
            let found = assert_forms_silent(&what, &folder, &flags, environment);
            let failed = found.contains("\"severity\": \"error\"");
            assert!(failed, "Packer, {name}: {code} does not fail");
        }
    }
}

/// Checks that values which do not fit their variable's type in a Packer template are not shown.
#[test]
fn no_value_that_does_not_fit_is_shown() {
    let wrong = [
        ("number", "\"canary\""),
        ("bool", "\"canary\""),
        ("list(number)", "[\"canary\"]"),
        ("map(bool)", "{ \"canary_key\": \"canary\" }"),
        ("object({ a = number })", "{ \"a\": \"canary\" }"),
        ("list(string)", "[\"canary"),
        ("list(string)", "[canary]"),
        ("list(string)", "[upper(\"canary\")]"),
        ("list(number)", "[\"canary\" + 1]"),
    ];
    for (ty, text) in wrong {
        let main = format!("variable \"s\" {{\n  sensitive = true\n  type = {ty}\n}}\n");
        let flag = format!("-var=s={text}");
        let (hcl, json) =
            (format!("s = {text}\n"), format!("{{\"a\": 1, \"s\": {text}, \"b\": 2}}"));
        for (file, content, flag, environment) in [
            ("", "", Some(flag.as_str()), None),
            ("", "", None, Some(("PKR_VAR_s", text))),
            ("a.auto.pkrvars.hcl", hcl.as_str(), None, None),
            ("a.auto.pkrvars.json", json.as_str(), None, None),
        ] {
            let mut files = vec![("main.pkr.hcl", main.as_str())];
            if !file.is_empty() {
                files.push((file, content));
            }
            let folder = Folder::of(&files);
            let environment: Vec<(&str, &str)> = environment.into_iter().collect();
            let flags: Vec<&str> = flag.into_iter().collect();
            let what = format!("Packer, {ty} {text} {file}");
            assert_forms_silent(&what, &folder, &flags, &environment);
        }
    }
}
