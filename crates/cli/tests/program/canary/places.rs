//! Secrets in other places of a module than outputs: repetition, conditions, schemas, blocks.

use super::folder::Folder;
use super::{BUNDLE, assert_forms_silent};

/// Code that fails in other places than outputs; `S` stands for the reference to the bundle of secrets.
const FAILING: &[&str] = &[
    "resource \"terraform_data\" \"r\" {\n  count = S.text\n}",
    "resource \"terraform_data\" \"r\" {\n  count = S.number\n}",
    "resource \"terraform_data\" \"r\" {\n  count = -S.number\n}",
    "resource \"terraform_data\" \"r\" {\n  count = 100 * 73195 + S.number * 0.001\n}",
    "resource \"terraform_data\" \"r\" {\n  for_each = S.text\n}",
    "resource \"terraform_data\" \"r\" {\n  for_each = S.map\n}",
    "resource \"terraform_data\" \"r\" {\n  for_each = toset(S.list)\n}",
    "module \"m\" {\n  source = \"./child\"\n  count = S.text\n}",
    "module \"m\" {\n  source = \"./child\"\n  for_each = S.map\n}",
    "module \"m\" {\n  source = \"./child\"\n  text = S.nested\n}",
    "module \"m\" {\n  source = \"./child\"\n  number = S.text\n}",
    "module \"m\" {\n  source = \"./child\"\n  numbers = S.map\n}",
    "module \"m\" {\n  source = \"./child\"\n  shape = S.nested\n}",
    "module \"m\" {\n  source = \"./child\"\n  ruled = S.text\n}",
    "output \"o\" {\n  value = S.text\n}",
    "output \"o\" {\n  value = 1\n  precondition {\n    condition = S.text\n    error_message = \"No.\"\n  }\n}",
    "output \"o\" {\n  value = 1\n  precondition {\n    condition = S.text == 1\n    error_message = \"No ${S.text}.\"\n  }\n}",
    "output \"o\" {\n  value = 1\n  precondition {\n    condition = false\n    error_message = S.nested\n  }\n}",
    "check \"c\" {\n  assert {\n    condition = S.text\n    error_message = \"No.\"\n  }\n}",
    "check \"c\" {\n  assert {\n    condition = S.text == 1\n    error_message = \"No ${S.text}.\"\n  }\n}",
    "resource \"terraform_data\" \"r\" {\n  lifecycle {\n    precondition {\n      condition = S.text\n      error_message = \"No.\"\n    }\n  }\n}",
    "resource \"terraform_data\" \"r\" {\n  lifecycle {\n    precondition {\n      condition = S.text == 1\n      error_message = \"No ${S.text}.\"\n    }\n  }\n}",
    "resource \"terraform_data\" \"r\" {\n  input = S.text\n  lifecycle {\n    postcondition {\n      condition = tonumber(self.input) > 1\n      error_message = \"No.\"\n    }\n  }\n}",
    "resource \"terraform_data\" \"r\" {\n  for_each = { a = S }\n  input = tonumber(each.value.text)\n}",
    "resource \"terraform_data\" \"r\" {\n  for_each = { a = S }\n  input = [for v in each.value.list : tonumber(v)]\n}",
    "resource \"terraform_data\" \"r\" {\n  for_each = { a = S }\n  input = each.value.map[\"nope\"]\n}",
    "resource \"terraform_data\" \"r\" {\n  triggers_replace = S.map.nope\n}",
    "resource \"keep_thing\" \"r\" {\n  number = S.text\n}",
    "resource \"keep_thing\" \"r\" {\n  hidden = local.plain.text\n}",
    "resource \"keep_thing\" \"r\" {\n  hidden_map = local.plain.map\n}",
    "resource \"keep_thing\" \"r\" {\n  object = { inner = local.plain.text }\n}",
    "resource \"keep_thing\" \"r\" {\n  dynamic \"part\" {\n    for_each = S.text\n    content {}\n  }\n}",
    "resource \"keep_thing\" \"r\" {\n  dynamic \"part\" {\n    for_each = S.list\n    content {\n      number = part.value\n    }\n  }\n}",
    "resource \"keep_thing\" \"r\" {\n  dynamic \"part\" {\n    for_each = S.map\n    content {\n      number = part.key\n    }\n  }\n}",
    "resource \"keep_thing\" \"r\" {\n  dynamic \"named\" {\n    for_each = S.list\n    labels = [substr(named.value, 0, 6)]\n    content {}\n  }\n}",
    "resource \"keep_thing\" \"r\" {\n  dynamic \"named\" {\n    for_each = S.list\n    labels = { a = named.value }\n    content {}\n  }\n}",
    "data \"keep_thing\" \"r\" {\n  number = S.text\n}",
    "resource \"terraform_data\" \"r\" {\n  provisioner \"local-exec\" {\n    command = S.nested\n  }\n}",
    "resource \"terraform_data\" \"r\" {\n  provisioner \"local-exec\" {\n    command = \"x\"\n    quiet = S.text\n  }\n}",
    "data \"terraform_remote_state\" \"r\" {\n  backend = S.text\n}",
    "data \"terraform_remote_state\" \"r\" {\n  backend = \"local\"\n  config = { path = S.path }\n}",
    "locals {\n  a = S.map.nope\n  b = [for k in keys(S.map) : tonumber(k)]\n}",
    "import {\n  to = terraform_data.x\n  id = S.nested\n}\nresource \"terraform_data\" \"x\" {}",
    "variable \"v\" {\n  sensitive = true\n  default = \"canary\"\n  validation {\n    condition = tonumber(var.v) > 1\n    error_message = \"No.\"\n  }\n}",
    "variable \"v\" {\n  sensitive = true\n  default = \"canary\"\n  validation {\n    condition = var.v\n    error_message = \"No.\"\n  }\n}",
    "variable \"v\" {\n  sensitive = true\n  default = \"canary\"\n  validation {\n    condition = length(var.v) > 100\n    error_message = \"No ${var.v}.\"\n  }\n}",
    "variable \"v\" {\n  sensitive = true\n  default = \"canary\"\n  validation {\n    condition = var.v == 1\n    error_message = [var.v]\n  }\n}",
];

/// The code of a module whose variables the failing code sets.
const CHILD: &str = "variable \"text\" {\n  type = string\n  default = \"\"\n}
variable \"number\" {\n  type = number\n  default = 0\n}
variable \"numbers\" {\n  type = map(number)\n  default = {}\n}
variable \"shape\" {\n  type = object({ a = number })\n  default = { a = 1 }\n}
variable \"ruled\" {\n  default = \"long enough\"\n  validation {\n    condition = length(var.ruled) > 100 || !can(var.ruled)\n    error_message = \"No: ${var.ruled}.\"\n  }\n}\n";

/// A provider schema with sensitive and nested attributes and nested blocks.
pub(crate) const SCHEMA: &str = r#"{"format_version":"1.0","provider_schemas":{"registry.opentofu.org/hashicorp/keep":{
  "provider":{"version":0,"block":{"attributes":{"number":{"type":"number","optional":true}}}},
  "resource_schemas":{"keep_thing":{"version":0,"block":{
    "attributes":{
      "number":{"type":"number","optional":true},
      "hidden":{"type":"number","optional":true,"sensitive":true},
      "hidden_map":{"type":["map","number"],"optional":true,"sensitive":true},
      "object":{"nested_type":{"nesting_mode":"single","attributes":{"inner":{"type":"number","optional":true,"sensitive":true}}},"optional":true}
    },
    "block_types":{
      "part":{"nesting_mode":"list","block":{"attributes":{"number":{"type":"number","optional":true}}}},
      "named":{"nesting_mode":"map","block":{"attributes":{}}}
    }}}},
  "data_source_schemas":{"keep_thing":{"version":0,"block":{"attributes":{"number":{"type":"number","optional":true}}}}}
}}}"#;

/// Checks that no message about a failing block shows a secret, for three ways to declare it.
#[test]
fn no_message_about_a_place_shows_a_secret() {
    let plain = format!("locals {{\n  plain = {BUNDLE}\n}}\n");
    let ways: [(&str, String, &str, Vec<String>); 3] = [
        (
            "sensitive()",
            format!("{plain}locals {{\n  s = sensitive(local.plain)\n}}\n"),
            "local.s",
            vec![],
        ),
        (
            "-var",
            format!("{plain}variable \"s\" {{\n  sensitive = true\n  type = any\n}}\n"),
            "var.s",
            vec![format!("-var=s={BUNDLE}")],
        ),
        (
            "each element",
            format!(
                "{plain}locals {{\n  s = {{ for k, v in local.plain : k => sensitive(v) }}\n}}\n"
            ),
            "local.s",
            vec![],
        ),
    ];
    for (name, declares, reference, flags) in &ways {
        for code in FAILING {
            let own = code
                .replace("S.", &format!("{reference}."))
                .replace("= S }", &format!("= {reference} }}"));
            let main = format!("{declares}{own}\n");
            let folder = Folder::of(&[
                ("main.tf", &main),
                ("child/main.tf", CHILD),
                ("schema.json", SCHEMA),
            ]);
            let mut all: Vec<&str> = flags.iter().map(String::as_str).collect();
            all.push("--schema=schema.json");
            let what = format!("{name}: {code}");
            let found = assert_forms_silent(&what, &folder, &all, &[]);
            // With a variable of type `any` some errors are found only when a plan is carried out.
            let fails = found.contains("\"severity\":") || *name == "-var";
            assert!(fails, "{what} does not fail");
        }
    }
}
