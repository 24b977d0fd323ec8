//! Secrets of two revisions that are changed, added, removed, moved or known on one side only, and code that fails on either
//! side. No output of a comparison contains them.

use super::folder::Folder;
use super::{BUNDLE, assert_silent, without_values};

/// Command lines that compare the working tree with `HEAD`, in every output format.
const FORMS: &[&[&str]] = &[
    &["diff", "HEAD"],
    &["diff", "HEAD", "--all"],
    &["diff", "HEAD", "-compact"],
    &["diff", "HEAD", "--format=markdown"],
    &["diff", "HEAD", "--json"],
    &["diff", "HEAD", "--json", "--pretty", "--all"],
    &["diff", "HEAD", "--strict"],
    &["diff", "HEAD", "--roots", "**"],
    &["diff", "HEAD", "--roots", "**", "--json"],
    &["diff", "HEAD", "--roots", "**", "--format=markdown"],
];

/// Returns code that uses a bundle of secrets; `name` is the name of a resource, and `extra` is appended.
fn code(bundle: &str, name: &str, extra: &str) -> String {
    format!(
        r#"
variable "s" {{
  sensitive = true
  default   = {bundle}
}}
locals {{
  plain = {{ a = var.s.text, b = [var.s.number, timestamp()] }}
}}
resource "terraform_data" "{name}" {{
  input            = var.s
  triggers_replace = ["x", var.s.list]
}}
resource "terraform_data" "keyed" {{
  for_each = {{ one = var.s.text, two = "${{timestamp()}}-${{var.s.text}}" }}
  input    = each.value
}}
resource "other_thing" "nested" {{
  part {{
    password = var.s.text
    json     = jsonencode({{ secret = var.s.nested }})
    text     = <<-EOT
      line ${{var.s.text}}
      ${{timestamp()}} ${{var.s.text}}
    EOT
  }}
  tags = var.s.map
}}
output "all" {{
  sensitive = true
  value     = var.s
}}
output "some" {{
  sensitive = true
  value     = local.plain
}}
{extra}
"#
    )
}

/// Checks that no comparison of two revisions of `main.tf` shows a canary; `what` names the case.
fn try_pair(what: &str, before: &str, after: &str) {
    let folder = Folder::committed(&[("main.tf", before)]);
    folder.write("main.tf", after);
    for form in FORMS {
        let mut ran = folder.run(form, &[], "");
        if form.contains(&"--json") {
            ran.out = without_values(&ran.out);
        }
        assert_silent(&format!("{what}: {}", form.join(" ")), &ran);
        // An output without a comparison would prove nothing.
        let text = format!("{}{}", ran.out, ran.err);
        assert!(text.contains("terraform_data") || text.contains("rror"), "{what}: {text}");
    }
}

/// Checks that changed, moved, added and removed secrets are not shown, nor those in failing code.
#[test]
fn what_changes_is_not_told() {
    let other = BUNDLE.replace("canary", "canary_new").replace("73195142.25", "173195142.25");
    let moved = "moved {\n  from = terraform_data.first\n  to = terraform_data.second\n}";
    let failing =
        "output \"bad\" {\n  value = tonumber(var.s.text)\n}\nlocals {\n  none = var.s.map.nope\n}";
    let shown = "output \"bad\" {\n  value = var.s.text\n}";
    let first = code(BUNDLE, "first", "");
    try_pair("another secret", &first, &code(&other, "first", ""));
    try_pair("another name", &first, &code(BUNDLE, "second", ""));
    try_pair("a move", &first, &code(&other, "second", moved));
    try_pair("a failure after", &first, &code(&other, "first", failing));
    try_pair("a failure before", &code(&other, "first", failing), &first);
    try_pair("a secret shown", &first, &code(&other, "first", shown));
    try_pair("the code gone", &first, "resource \"terraform_data\" \"x\" {}");
    try_pair("the code come", "resource \"terraform_data\" \"x\" {}", &first);
}

/// Checks that a value which only the older revision marks as sensitive is not shown.
#[test]
fn what_was_hidden_on_one_side_is_not_told() {
    // Only the older side marks the value as sensitive.
    let open = code(BUNDLE, "first", "").replace("  sensitive = true\n  default", "  default");
    let hidden = code(BUNDLE, "first", "");
    let folder = Folder::committed(&[("main.tf", &hidden)]);
    folder.write("main.tf", &open.replace("canary", "known").replace("73195142", "1"));
    for form in FORMS {
        let mut ran = folder.run(form, &[], "");
        if form.contains(&"--json") {
            ran.out = without_values(&ran.out);
        }
        assert_silent(&format!("no secret any more: {}", form.join(" ")), &ran);
    }
}
