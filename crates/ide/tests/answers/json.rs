//! The same questions in JSON syntax.

use groma::syntax::Span;
use groma_ide::{
    FindingStage, LinkTarget, TokenMeaning, code_actions, code_lenses, definition, diagnostics,
    document_links, hover, inlay_hints, prepare_rename, references, rename, resolve_action,
    semantic_tokens,
};

use crate::root::MarkedRoot;

/// A root module in JSON with two marked places: in a reference and in a function name.
const MAIN: &str = r#"{
  "locals": {"a": 2, "b": "${local.¦a + 1}"},
  "output": {"o": {"value": "x-${upp¦er(local.b)}"}},
  "module": {"m": {"source": "./child", "size": "${local.b}"}}
}
"#;

/// Returns the root of [`MAIN`] and of a child module, whose variable is the third marked place.
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

/// Tests that diagnostics of JSON files are found.
#[test]
fn findings_stand_in_json() {
    let root = MarkedRoot::of(&[("app/main.tf.json", "{\"locals\": {\"a\": \"${var.none}\"}}")]);
    let found = diagnostics(&root.request(), "app/main.tf.json", FindingStage::Checked);
    assert!(found.iter().any(|one| one.code == "undeclared-reference"), "{found:?}");
}

/// A module in JSON with names of every kind, for semantic tokens and inlay hints.
const NAMES: &str = r#"{
  "//": "a remark",
  "locals": {"a": [1, 2], "b": "x\u0041-${upper(local.a[0])} ${[for x in local.a : x][0]}"},
  "resource": {"terraform_data": {"r": {"count": "${length(local.a)}", "input": {"k": "v"}}}},
  "variable": {"v": {"type": "string", "validation": {"condition": "${var.v != null}", "error_message": "no"}}}
}
"#;

#[test]
fn names_have_meanings_in_json() {
    let root = MarkedRoot::of(&[("app/main.tf.json", NAMES)]);
    let found = semantic_tokens(&root.request(), "app/main.tf.json", None);
    let of = |kind: TokenMeaning| {
        let all = found.iter().filter(|one| one.kind == kind);
        all.map(|one| one.span.of(NAMES)).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(of(TokenMeaning::BlockKind), "locals resource variable validation");
    assert_eq!(of(TokenMeaning::ResourceType), "terraform_data");
    assert_eq!(of(TokenMeaning::Label), "r v");
    assert_eq!(of(TokenMeaning::Argument), "a b count input type condition error_message");
    assert_eq!(of(TokenMeaning::Function), "upper length");
    assert_eq!(of(TokenMeaning::Namespace), "local local local var");
    assert_eq!(of(TokenMeaning::Bound), "x x");
    assert_eq!(of(TokenMeaning::Attribute), "k");
    assert!(found.iter().filter(|one| one.declares).count() >= 4);
    let first = semantic_tokens(&root.request(), "app/main.tf.json", Some(Span::new(0, 40)));
    assert!(!first.is_empty() && first.len() < found.len());
}

/// Tests the inlay hints and code lenses of a JSON file.
#[test]
fn values_stand_beside_json() {
    let root = MarkedRoot::of(&[("app/main.tf.json", NAMES)]);
    let whole = Span::new(0, NAMES.len() as u32);
    let found = inlay_hints(&root.request(), "app/main.tf.json", whole, None);
    let labels: Vec<&str> = found.hints.iter().map(|one| one.label.as_str()).collect();
    assert_eq!(labels, ["= \"xA-1 1\"", "× 2"]);
    let at = |number: usize| &NAMES[..found.hints[number].at as usize];
    assert!(at(0).ends_with("x][0]}\""), "{}", at(0));
    let lenses = code_lenses(&root.request(), "app/main.tf.json");
    let titles: Vec<&str> = lenses.iter().filter_map(|one| one.title.as_deref()).collect();
    assert_eq!(titles, ["root app: no value files", "2 instances"]);
}

/// Returns the text of a file after the code action at a mark whose title begins with `title`.
fn made(root: &MarkedRoot, mark: usize, title: &str, file: &str) -> String {
    let (own, at) = root.mark(mark);
    let request = root.request();
    let findings = diagnostics(&request, own, FindingStage::Checked);
    let actions = code_actions(&request, own, Span::at(at), &findings);
    let titles: Vec<&str> = actions.iter().map(|one| one.title.as_str()).collect();
    let action = actions.iter().find(|one| one.title.starts_with(title));
    let set =
        resolve_action(&request, own, action.unwrap_or_else(|| panic!("{title}: {titles:?}")));
    let set = set.expect("it can be made");
    if let Some((_, text)) = set.created.iter().find(|(name, _)| name == file) {
        return text.clone();
    }
    let edits = set.files.iter().find(|one| one.file == file);
    root.edited(file, &edits.unwrap_or_else(|| panic!("{set:?}")).edits)
}

#[test]
fn changes_are_offered_in_json() {
    let list = "{\"Modules\": [{\"Key\": \"vpc\", \"Source\": \"registry.terraform.io/x/vpc/aws\", \"Version\": \"5.1.0\", \"Dir\": \".terraform/modules/vpc\"}]}";
    let state = r#"{"version": 4, "terraform_version": "1.9.0", "serial": 1, "lineage": "x", "outputs": {}, "resources": [
      {"mode": "managed", "type": "terraform_data", "name": "old", "provider": "provider[\"terraform.io/builtin/terraform\"]",
       "instances": [{"schema_version": 0, "attributes": {"id": "1", "input": null, "output": null, "triggers_replace": null}}]}]}"#;
    let main = r#"{
  "locals": {"a": "${var.¦missing}", "b": "${local.¦other}", "c": "${module.m.¦gone}"},
  "module": {"m": {"source": "./child"¦}, "vpc": {"source": "x/vpc/aws"¦}},
  "resource": {"terraform_data": {"n¦ew": {}}},
  "data": {"acme_zone": {"z¦": {}}},
  "output": {"o": {"value": "${data.acme_zone.z.id}"}}
}
"#;
    let root = MarkedRoot::of(&[
        ("app/main.tf.json", main),
        ("app/child/main.tf", "variable \"size\" {\n  type = number\n}\n"),
        ("app/.terraform/modules/modules.json", list),
        ("app/.terraform/modules/vpc/main.tf", ""),
        ("app/terraform.tfstate", state),
    ]);
    let own = "app/main.tf.json";
    // Blanks are ignored: the expected parts contain none.
    let has = |text: &str, part: &str| {
        let bare: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        assert!(bare.contains(part), "{text}");
    };
    let text = made(&root, 0, "Declare the variable missing", own);
    has(&text, r#""variable":{"missing":{"type":"string"}}"#);
    let text = made(&root, 1, "Declare the local value other", own);
    has(&text, r#""other":null"#);
    let text = made(&root, 2, "Declare the output gone", "app/child/main.tf");
    assert!(text.contains("output \"gone\""), "{text}");
    let text = made(&root, 3, "Add the arguments", own);
    has(&text, r#""source":"./child","size":0"#);
    let text = made(&root, 4, "Pin the module to version 5.1.0", own);
    has(&text, r#""version":"5.1.0""#);
    let text = made(&root, 5, "Say that terraform_data.old is now terraform_data.new", own);
    has(&text, r#"{"from":"terraform_data.old","to":"terraform_data.new"}"#);
    let text = made(&root, 6, "Write a mock for data.acme_zone.z", "app/groma.mock.hcl");
    assert!(text.contains("override_data"), "{text}");
}

#[test]
fn names_blocks_and_functions_under_the_cursor() {
    let main = r#"{
  "mod¦ule": {"m": {"source": "./chi¦ld", "si¦ze": "${1 + 2}"}},
  "resource": {"terraform¦_data": {"a¦": {"lifecycle": {"create_before_des¦troy": true}}}},
  "locals": {"u¦": "${upp¦er(\"a\")}-${jo¦in(\",\", [\"x\"])}", "t": "${file(\"./note¦.txt\")}"},
  "output": {"o": {"value": "${local.u}"}}
}
"#;
    let root = MarkedRoot::of(&[
        ("app/main.tf.json", main),
        (
            "app/child/main.tf",
            "variable \"size\" {\n  type        = number\n  description = \"How large it is.\"\n}\n",
        ),
        ("app/note.txt", "x"),
    ]);
    let shown = |number: usize| {
        let (file, at) = root.mark(number);
        hover(&root.request(), file, at).map_or_else(String::new, |one| one.text.markdown())
    };
    assert!(shown(0).len() > 200, "the page of the block: {}", shown(0));
    let size = shown(2);
    assert!(size.starts_with("```terraform\n3\n```"), "{size}");
    assert!(size.contains("`size` (required): `number`"), "{size}");
    assert!(size.contains("How large it is."), "{size}");
    assert!(shown(3).contains("resource \"terraform_data\""), "{}", shown(3));
    assert!(shown(4).contains("`terraform_data.a`"), "{}", shown(4));
    assert!(shown(5).contains("`create_before_destroy` (optional)"), "{}", shown(5));
    assert!(shown(6).contains("A-x") && shown(6).contains("`local.u`"), "{}", shown(6));
    assert!(shown(7).contains("Turns small letters into capitals."), "{}", shown(7));
    assert!(shown(8).contains("join("), "{}", shown(8));
    let target = |number: usize| {
        let (file, at) = root.mark(number);
        definition(&root.request(), file, at)
            .first()
            .map_or_else(String::new, |one| one.target.file.to_string())
    };
    assert_eq!(target(1), "app/child/main.tf");
    assert_eq!(target(2), "app/child/main.tf");
    assert_eq!(target(9), "app/note.txt");
    let (file, at) = root.mark(6);
    assert_eq!(prepare_rename(&root.request(), file, at).unwrap().name, "u");
    assert_eq!(references(&root.request(), file, at, true).len(), 2);
}

#[test]
fn sources_are_links_in_json() {
    let main = r#"{
  "terraform": {"required_providers": {"aws": {"source": "hashicorp/aws"}}},
  "module": {"m": {"source": "./child"}, "r": {"source": "terraform-aws-modules/vpc/aws"}}
}
"#;
    let root = MarkedRoot::of(&[("app/main.tf.json", main), ("app/child/main.tf", "")]);
    let found = document_links(&root.request(), "app/main.tf.json");
    let shown: Vec<String> = found
        .iter()
        .map(|one| match &one.target {
            LinkTarget::File(path) | LinkTarget::Url(path) => {
                format!("{} {path}", one.span.of(main))
            }
        })
        .collect();
    let expected = [
        "hashicorp/aws https://registry.terraform.io/providers/hashicorp/aws/latest",
        "./child app/child/main.tf",
        "terraform-aws-modules/vpc/aws https://registry.terraform.io/modules/terraform-aws-modules/vpc/aws/latest",
    ];
    assert_eq!(shown, expected);
}
