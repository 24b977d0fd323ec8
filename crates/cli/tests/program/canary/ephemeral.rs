//! Values of ephemeral variables, set in every way. Unlike sensitive values they are in no output, not even in JSON, except the
//! value of an expression that `eval` prints with `--json`, `--full` or `--raw`.

use super::folder::{Folder, Ran};
use super::{ASKED, FORMS, assert_silent};

/// Code without errors, in which ephemeral values are used wherever the language allows them.
const WELL: &str = r#"
variable "e" {
  ephemeral = true
}
variable "o" {
  ephemeral = true
  default   = { text = "plain", list = ["plain"] }
}
locals {
  s    = var.e
  all  = { up = upper(var.e), list = [var.e, "${var.e}-x"], keys = { (var.e) = 1 }, o = var.o }
  each = [for v in [var.e, var.o.text] : "<${v}>"]
}
module "m" {
  source = "./m"
  e      = var.o
  s      = local.all.up
}
resource "terraform_data" "r" {
  input = "x"
  provisioner "local-exec" {
    command     = "echo ${var.e}"
    environment = { TOKEN = local.s }
  }
}
check "c" {
  assert {
    condition     = local.s != "" && module.m.back != null
    error_message = "no"
  }
}
output "o" {
  value = 1
}
"#;

/// The code of the module `m`, which takes ephemeral values and returns them.
const CHILD: &str = r#"
variable "e" {
  ephemeral = true
}
variable "s" {
  ephemeral = true
}
output "back" {
  value     = [var.s, var.e]
  ephemeral = true
}
"#;

/// Blocks that fail because they use ephemeral values.
const WRONG: &[&str] = &[
    "output \"w\" {\n  value = local.all\n}",
    "output \"w\" {\n  value = var.o.text\n}",
    "output \"w\" {\n  value = tonumber(var.e)\n}",
    "output \"w\" {\n  value = regex(var.e, \"x\")\n}",
    "output \"w\" {\n  value = { a = 1 }[var.e]\n}",
    "output \"w\" {\n  value = templatestring(var.e, {})\n}",
    "output \"w\" {\n  value = file(var.e)\n}",
    "output \"w\" {\n  value = var.o.none\n}",
    "resource \"terraform_data\" \"w\" {\n  input = local.all\n}",
    "resource \"terraform_data\" \"w\" {\n  triggers_replace = [var.e]\n}",
    "resource \"terraform_data\" \"w\" {\n  count = var.e\n}",
    "resource \"terraform_data\" \"w\" {\n  for_each = local.all.keys\n}",
    "resource \"terraform_data\" \"w\" {\n  lifecycle {\n    precondition {\n      condition     = var.e == \"\"\n      error_message = \"not ${var.e}\"\n    }\n  }\n}",
    "module \"w\" {\n  source   = \"./m\"\n  for_each = toset([var.e])\n  e        = 1\n  s        = 1\n}",
    "check \"w\" {\n  assert {\n    condition     = var.e == \"\"\n    error_message = local.s\n  }\n}",
    "variable \"w\" {\n  ephemeral = true\n  default   = 1\n  validation {\n    condition     = var.e == \"\"\n    error_message = \"not ${var.e}\"\n  }\n}",
    "import {\n  to = terraform_data.r\n  id = var.e\n}",
    "moved {\n  from = terraform_data.r[var.e]\n  to   = terraform_data.r\n}",
];

/// Command lines whose answers depend on ephemeral values, each with its standard input.
const QUESTIONS: &[(&[&str], &str)] = &[
    (&["eval", ".", "-e", "local.all"], ""),
    (&["eval", ".", "-e", "nonsensitive(local.all)"], ""),
    (&["eval", ".", "-e", "[for k, v in local.all : k]"], ""),
    (&["eval", ".", "-e", "module.m"], ""),
    (&["eval", ".", "--jsonl"], "{\"expr\": \"tonumber(var.e)\"}\n"),
    (
        &["console"],
        "local.all\nvar.e\nmodule.m\n:why local.s\n:trace local.each\n:type local.all\n",
    ),
    (&["why", "local.each", "--json"], ""),
    (&["why", "var.e"], ""),
    (&["why", "module.m.output.back", "--json"], ""),
    (&["why", "local.s", "-dot"], ""),
    (&["ast", "main.tf", "--values"], ""),
    (&["render", "t.tftpl", "-e", "local.all"], ""),
    (&["render", "t.tftpl", "-var", "x=1"], ""),
    (&["mock"], ""),
    (&["compat"], ""),
    (&["graph", "--format", "svg"], ""),
    (&["graph", "--format", "mermaid"], ""),
    (&["diff", "HEAD"], ""),
    (&["diff", "HEAD", "--all", "-compact"], ""),
    (&["diff", "HEAD", "--format=markdown"], ""),
    (&["diff", "HEAD", "--json", "--all"], ""),
    (&["plan", "-out=saved"], ""),
    (&["show", "saved"], ""),
    (&["show", "-json", "saved"], ""),
    (&["plan", "-json"], ""),
    (&["plan", "-destroy", "--json"], ""),
    (&["plan", "-refresh-only", "--json"], ""),
    (&["check", "--values", "--format=checkstyle"], ""),
    (&["check", "--values", "--format=compact"], ""),
];

/// A way to set the ephemeral variables: additional files, flags, and environment variables.
type Given<'g> = (&'g [(&'g str, &'g str)], &'g [&'g str], &'g [(&'g str, &'g str)]);

/// Every way to set the ephemeral variables `e` and `o`.
const GIVEN: &[Given<'_>] = &[
    (&[], &["-var=e=canary-e", "-var=o={ text = \"canary-o\", list = [\"canary-l\"] }"], &[]),
    (&[], &[], &[("TF_VAR_e", "canary-e"), ("TF_VAR_o", "{\"text\": \"canary-o\", \"list\": []}")]),
    (
        &[("terraform.tfvars", "e = \"canary-e\"\no = { text = \"canary-o\", list = [] }\n")],
        &[],
        &[],
    ),
    (
        &[(
            "x.auto.tfvars.json",
            "{\"e\": \"canary-e\", \"o\": {\"text\": \"canary-o\", \"list\": []}}",
        )],
        &[],
        &[],
    ),
    (&[("given.tfvars", "e = \"canary-e\"\n")], &["-var-file=given.tfvars"], &[]),
];

/// Runs every command line over a folder, checks that none shows a canary, and returns everything that they print.
fn said(what: &str, folder: &Folder, flags: &[&str], environment: &[(&str, &str)]) -> String {
    let mut all = String::new();
    let forms = FORMS.iter().map(|form| (*form, ""));
    for (form, input) in forms.chain(ASKED.iter().copied()).chain(QUESTIONS.iter().copied()) {
        let arguments: Vec<&str> = form.iter().chain(flags).copied().collect();
        let ran @ Ran { .. } = folder.run(&arguments, environment, input);
        assert_silent(&format!("{what}: {}", form.join(" ")), &ran);
        all.push_str(&ran.out);
        all.push_str(&ran.err);
    }
    all
}

/// Returns the files of the root: `main.tf`, the module `m`, a template, and further ones.
fn files<'f>(main: &'f str, beside: &[(&'f str, &'f str)]) -> Vec<(&'f str, &'f str)> {
    let own = [("main.tf", main), ("m/main.tf", CHILD), ("t.tftpl", "${try(all, x)}\n")];
    own.into_iter().chain(beside.iter().copied()).collect()
}

/// Checks that ephemeral values are not shown, in whichever way they are set.
#[test]
fn what_is_given_stands_nowhere() {
    for (number, (beside, flags, environment)) in GIVEN.iter().enumerate() {
        for dialect in ["--dialect=opentofu", "--dialect=terraform"] {
            let folder = Folder::committed(&files(WELL, beside));
            folder.write("main.tf", &WELL.replace("input = \"x\"", "input = \"y\""));
            let flags: Vec<&str> = flags.iter().copied().chain([dialect]).collect();
            let all = said(&format!("{dialect}, way {number}"), &folder, &flags, environment);
            // The value is replaced by a placeholder, and the plan is printed.
            for wanted in ["(ephemeral value)", "terraform_data.r", "resource_changes"] {
                assert!(all.contains(wanted), "{dialect}, way {number}: no {wanted}");
            }
        }
    }
}

/// Checks that the diagnostics of failing code do not show ephemeral values.
#[test]
fn what_fails_with_it_does_not_tell_it() {
    let (_, flags, _) = GIVEN[0];
    for (number, wrong) in WRONG.iter().enumerate() {
        // Terraform accepts an ephemeral import id and stores it in the state.
        let is_tofu = number % 2 == 0 || wrong.starts_with("import");
        let dialect = if is_tofu { "--dialect=opentofu" } else { "--dialect=terraform" };
        let main = format!("{WELL}{wrong}\n");
        let folder = Folder::committed(&files(&main, &[]));
        let flags: Vec<&str> = flags.iter().copied().chain([dialect]).collect();
        let all = said(&format!("{dialect}: {wrong}"), &folder, &flags, &[]);
        assert!(all.contains("rror"), "{dialect}: {wrong} does not fail");
    }
}
