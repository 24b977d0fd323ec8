//! Values under the cursor, as the console prints them.

use groma_ide::{FindingStage, diagnostics, hover};

use crate::root::MarkedRoot;

/// A root module with marked places: a secret variable, locals, a function and a repeated resource.
const MAIN: &str = "variable \"se¦cret\" {
  default   = \"canary-1\"
  sensitive = true
}
locals {
  ma¦ny  = range(20)
  text  = upp¦er(\"a\")
  key   = \"k-${var.sec¦ret}\"
  clock = time¦stamp()
}
resource \"terraform_data\" \"re¦s\" {
  for_each = toset([\"a\", \"b\"])
  input    = each.ke¦y
}
";

/// Returns the hover text, as Markdown, at the mark with this number; empty if there is none.
fn shown(root: &MarkedRoot, number: usize) -> String {
    let (file, at) = root.mark(number);
    hover(&root.request(), file, at).map_or_else(String::new, |one| one.text.markdown())
}

#[test]
fn a_value_is_shown_as_the_console_prints_it() {
    let root = MarkedRoot::of(&[("app/main.tf", MAIN)]);
    let many = shown(&root, 1);
    assert!(many.starts_with("```terraform\ntolist([\n  0,\n  1,\n"), "{many}");
    assert!(many.contains("\n… 10 more lines\n```\n\nType: `list of number`"), "{many}");
    assert!(shown(&root, 2).starts_with("```terraform\n\"A\"\n```"), "{}", shown(&root, 2));
    let clock = shown(&root, 4);
    assert!(clock.starts_with("```terraform\n(known after apply)\n```"), "{clock}");
    assert!(clock.contains("`timestamp()`"), "{clock}");
    let instances = shown(&root, 5);
    assert!(instances.contains("`terraform_data.res[\"a\"]`"), "{instances}");
    let each = shown(&root, 6);
    assert!(each.contains("\"a\"") && each.contains("\"b\""), "{each}");
}

/// Tests that a request that does not wait says that values are pending, and finds them once another request has evaluated them.
#[test]
fn no_answer_waits_unless_its_request_may() {
    let root = MarkedRoot::of(&[("app/main.tf", MAIN)]);
    let (file, at) = root.mark(1);
    let soon = hover(&root.soon(), file, at).unwrap();
    assert!(soon.is_pending && soon.text.markdown().contains("being worked out"));
    shown(&root, 1);
    assert!(!hover(&root.soon(), file, at).unwrap().is_pending);
}

/// Tests that hover texts and diagnostics contain no sensitive value.
#[test]
fn a_value_that_is_not_to_be_shown_is_in_no_answer() {
    let root = MarkedRoot::of(&[("app/main.tf", MAIN)]);
    for (file, length) in [("app/main.tf", MAIN.len() as u32)] {
        for at in 0..length {
            // This includes the offsets inside of the secret itself.
            let found = hover(&root.request(), file, at);
            let text = found.map_or_else(String::new, |one| one.text.markdown());
            assert!(!text.contains("canary"), "{at}: {text}");
        }
    }
    let found = diagnostics(&root.request(), "app/main.tf", FindingStage::Checked);
    assert!(!format!("{found:?}").contains("canary"));
}

#[test]
fn findings_have_fixes() {
    let root =
        MarkedRoot::of(&[("app/main.tf", "locals {\n  a = \"${local.b}\"\n  b = local.c\n}\n")]);
    let found = diagnostics(&root.request(), "app/main.tf", FindingStage::Checked);
    let codes: Vec<&str> = found.iter().map(|one| one.code).collect();
    assert!(codes.contains(&"unknown-reference") || codes.len() > 1, "{codes:?}");
}

/// Tests the hover texts of blocks, arguments and functions.
#[test]
fn words_about_blocks_arguments_and_functions() {
    let root = MarkedRoot::of(&[
        (
            "app/main.tf",
            "mod¦ule \"m\" {\n  source = \"./child\"\n  si¦ze   = 1 + 2\n}\nresource \"terraform_data\" \"a\" {\n  lifecycle {\n    create_before_des¦troy = true\n  }\n}\nlocals {\n  u = upp¦er(\"a\")\n}\nvari¦able \"v\" {}\n",
        ),
        (
            "app/child/main.tf",
            "variable \"size\" {\n  type        = number\n  description = \"How large it is.\"\n}\n",
        ),
    ]);
    let module = shown(&root, 0);
    assert!(module.starts_with("```terraform\nmodule \"m\"\n```\n\n"), "{module}");
    assert!(module.len() > 200, "its page is there: {module}");
    let size = shown(&root, 1);
    assert!(size.starts_with("```terraform\n3\n```"), "{size}");
    assert!(
        size.contains("`size` (required): `number`") && size.contains("How large it is."),
        "{size}"
    );
    assert!(size.contains("`var.size` of `child/main.tf`:1"), "{size}");
    let flag = shown(&root, 2);
    assert!(flag.contains("`create_before_destroy` (optional)"), "{flag}");
    let upper = shown(&root, 3);
    assert!(upper.starts_with("```terraform\n\"A\"\n```"), "{upper}");
    assert!(
        upper.contains("Turns small letters into capitals.") && upper.contains("**Examples**"),
        "{upper}"
    );
    assert!(shown(&root, 4).starts_with("```terraform\nvariable \"v\"\n```"));
}

/// Tests that plain text contains no Markdown tables.
#[test]
fn a_text_without_marks_has_no_tables() {
    let root = MarkedRoot::of(&[("app/main.tf", "mod¦ule \"m\" {\n  source = \"./m\"\n}\n")]);
    let (file, at) = root.mark(0);
    let text = hover(&root.request(), file, at).unwrap().text;
    assert!(text.markdown().contains("\n| "), "{}", text.markdown());
    let plain = text.plain();
    assert!(!plain.contains("\n|") && plain.contains("\n- source: "), "{plain}");
}
