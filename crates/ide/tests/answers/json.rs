//! The same questions in JSON syntax.

use groma_ide::{FindingStage, definition, diagnostics, hover, prepare_rename, references, rename};

use crate::root::MarkedRoot;

const MAIN: &str = r#"{
  "locals": {"a": 2, "b": "${local.¦a + 1}"},
  "output": {"o": {"value": "x-${upp¦er(local.b)}"}},
  "module": {"m": {"source": "./child", "size": "${local.b}"}}
}
"#;

fn root() -> MarkedRoot {
    MarkedRoot::of(&[("app/main.tf.json", MAIN), ("app/child/main.tf", "variable \"si¦ze\" {}\n")])
}

#[test]
fn names_lead_to_their_declarations_and_back() {
    let root = root();
    let (file, at) = root.mark(0);
    let found = definition(&root.request(), file, at);
    assert!(root.shown(&found[0].target).starts_with("app/main.tf.json:2: "), "{found:?}");
    let (child, offset) = root.mark(2);
    let found = references(&root.request(), child, offset, false);
    assert_eq!(found.len(), 1, "{found:?}");
}

#[test]
fn values_and_functions_under_the_cursor() {
    let root = root();
    let (file, at) = root.mark(0);
    let shown = hover(&root.request(), file, at).unwrap().text.markdown();
    assert!(shown.contains("`local.a`"), "{shown}");
}

#[test]
fn a_name_changes_in_json_too() {
    let root = root();
    let (file, at) = root.mark(0);
    let site = prepare_rename(&root.request(), file, at).unwrap();
    assert_eq!(site.name, "a");
    let made = rename(&root.request(), file, at, "first").unwrap();
    let text = root.edited(file, &made.files[0].edits);
    assert!(text.contains("\"first\": 2") && text.contains("${local.first + 1}"), "{text}");
}

#[test]
fn findings_stand_in_json() {
    let root = MarkedRoot::of(&[("app/main.tf.json", "{\"locals\": {\"a\": \"${var.none}\"}}")]);
    let found = diagnostics(&root.request(), "app/main.tf.json", FindingStage::Checked);
    assert!(found.iter().any(|one| one.code == "undeclared-reference"), "{found:?}");
}
