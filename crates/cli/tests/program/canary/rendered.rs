//! Templates rendered with secrets: neither the rendered text nor the diagnostics contain them.

use super::folder::Folder;
use super::{BUNDLE, assert_silent};

/// Template texts; `s` is the bundle of secrets. The first ones can be rendered, the others fail.
const TEMPLATES: &[&str] = &[
    "a ${s.text} b",
    "${s.text}",
    "${s.number + 1}",
    "%{ for v in s.list }${v}%{ endfor }",
    "%{ for k, v in s.map }${k}=${v}%{ endfor }",
    "%{ if s.text == \"canary-text\" }yes%{ else }no%{ endif }",
    "${jsonencode(s)}",
    "${length(s.text)}",
    "${s.nope}",
    "${s.text + 1}",
    "${s.list[99]}",
    "%{ for v in s.text }${v}%{ endfor }",
    "%{ if s.text }yes%{ endif }",
    "${templatestring(s.broken, {})}",
];

/// Checks that neither a rendered text nor a message about a template shows a secret.
#[test]
fn no_text_of_a_template_shows_a_secret() {
    let plain = format!("locals {{\n  plain = {BUNDLE}\n}}\n");
    let ways = [
        ("sensitive()", "{ s = sensitive(local.plain) }", "", vec![]),
        ("the names", "sensitive({ s = local.plain })", "", vec![]),
        ("the call", "{ s = local.plain }", "sensitive", vec![]),
        (
            "-var",
            "{ s = var.s }",
            "",
            vec![format!("-var=s={}", BUNDLE.replace(['\n'], " ")), "--call=local.t".to_owned()],
        ),
    ];
    for (way, names, around, flags) in &ways {
        for template in TEMPLATES {
            let call = format!("{around}(templatefile(\"t.tftpl\", {names}))");
            let main = format!(
                "{plain}variable \"s\" {{\n  sensitive = true\n  type = any\n  default = null\n}}\nlocals {{\n  t = {call}\n}}\n"
            );
            // The text of the template itself is not secret.
            let shown = template.replace("\"canary-text\"", "local");
            let folder = Folder::of(&[("main.tf", &main), ("t.tftpl", &shown)]);
            for form in [
                &["render", "t.tftpl"][..],
                &["render", "t.tftpl", "--json"],
                &["render", "t.tftpl", "--map"],
            ] {
                let all: Vec<&str> =
                    form.iter().copied().chain(flags.iter().map(String::as_str)).collect();
                let ran = folder.run(&all, &[], "");
                assert!(!ran.out.is_empty() || !ran.err.is_empty(), "{way}: {template}");
                assert_silent(&format!("{way}: {template}: {}", form.join(" ")), &ran);
            }
        }
    }
}
