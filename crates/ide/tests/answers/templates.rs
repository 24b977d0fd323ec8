//! Questions about a Packer template.

use groma::syntax::Span;
use groma::{MemoryHost, Workspace, packer::TemplateOptions as PackerOptions};
use groma_ide::{
    ChangeSet, FindingStage, Request, code_actions, complete, definition, diagnostics, hover,
    inlay_hints, prepare_rename, references, rename, resolve_action, resolve_hint, semantic_tokens,
};

/// A Packer file with a source and a build that uses names from [`NAMES`].
const BUILD: &str = "source \"null\" \"box\" {
  communicator = \"none\"
}
build {
  sources = [\"source.null.box\"]
  provisioner \"shell-local\" {
    inline = [\"echo ${local.greeting} ${var.key}\"]
  }
}
";

/// A Packer file with two variables, one of them sensitive, and a local value.
const NAMES: &str = "variable \"who\" {
  default = \"you\"
}
variable \"key\" {
  default   = \"canary\"
  sensitive = true
}
locals {
  greeting = \"hello ${var.who}\"
}
";

/// Returns a workspace with the Packer template of [`BUILD`] and [`NAMES`] in the folder `app`.
fn workspace() -> Workspace {
    let workspace = Workspace::new(MemoryHost::new());
    workspace.set("app/build.pkr.hcl", BUILD);
    workspace.set("app/names.pkr.hcl", NAMES);
    workspace
}

/// Returns a request to the Packer template in `app`, which waits for no evaluation.
fn request(workspace: &Workspace) -> Request<'_> {
    let template = workspace.template("app", &PackerOptions::default());
    Request::new(workspace).in_root(template)
}

/// Returns the offset of the end of the first occurrence of `needle` in a text.
fn at(text: &str, needle: &str) -> u32 {
    (text.find(needle).unwrap() + needle.len()) as u32
}

#[test]
fn names_lead_to_their_declarations_and_have_values() {
    let workspace = workspace();
    let request = request(&workspace);
    let found = definition(&request, "app/build.pkr.hcl", at(BUILD, "local.gree"));
    assert_eq!(&*found[0].target.file, "app/names.pkr.hcl");
    let text = hover(&request, "app/build.pkr.hcl", at(BUILD, "local.gree")).unwrap().text.plain();
    assert!(
        text.starts_with("\"hello you\"\n") && text.contains("local.greeting of names.pkr.hcl:9"),
        "{text}"
    );
    let hidden = hover(&request, "app/build.pkr.hcl", at(BUILD, "var.ke")).unwrap().text.plain();
    assert!(hidden.starts_with("(sensitive value)"), "{hidden}");
    let found = references(&request, "app/names.pkr.hcl", at(NAMES, "variable \"w"), true);
    assert_eq!(found.len(), 2, "{found:?}");
    let source = definition(&request, "app/build.pkr.hcl", at(BUILD, "\"source.nu"));
    assert_eq!(source[0].target.span.start, 0);
}

#[test]
fn names_are_offered() {
    let workspace = workspace();
    let typed = NAMES.replace("var.who", "var.");
    workspace.set("app/names.pkr.hcl", typed.as_str());
    let request = request(&workspace);
    let found = complete(&request, "app/names.pkr.hcl", at(&typed, "${var."));
    let labels: Vec<&str> = found.items.iter().map(|one| one.label.as_str()).collect();
    assert_eq!(labels, ["key", "who"]);
    assert!(!format!("{found:?}").contains("canary"));
    let sources = complete(&request, "app/build.pkr.hcl", at(BUILD, "[\"source.nu"));
    assert_eq!(sources.items[0].label, "source.null.box");
}

#[test]
fn what_is_wrong_is_found() {
    let workspace = workspace();
    workspace.set("app/names.pkr.hcl", NAMES.replace("var.who", "var.none"));
    let found = diagnostics(&request(&workspace), "app/names.pkr.hcl", FindingStage::Checked);
    assert!(!found.is_empty());
}

/// Returns the text of a file after these changes; it must be one of the changed files.
fn after(request: &Request<'_>, set: &ChangeSet, file: &str) -> String {
    let mut text = request.document(file).unwrap().text().to_owned();
    let edits = set.files.iter().find(|one| one.file == file);
    for edit in edits.unwrap_or_else(|| panic!("{set:?}")).edits.iter().rev() {
        text.replace_range(edit.start..edit.end, &edit.text);
    }
    text
}

/// Tests that renaming a variable, local value or source changes it in all files of the template and in its values files.
#[test]
fn a_name_changes_wherever_the_template_says_it() {
    let workspace = workspace();
    workspace.set("app/own.auto.pkrvars.hcl", "who = \"me\"\nkey = \"k\"\n");
    let more = "build {\n  source \"source.null.box\" {\n    name = \"other\"\n  }\n  provisioner \"shell-local\" {\n    only = [\"null.box\"]\n  }\n}\n";
    workspace.set("app/more.pkr.hcl", more);
    let request = request(&workspace);
    let (names, build) = ("app/names.pkr.hcl", "app/build.pkr.hcl");
    let place = at(NAMES, "var.wh");
    assert_eq!(prepare_rename(&request, names, place).unwrap().name, "who");
    let set = rename(&request, names, place, "person").unwrap();
    let text = after(&request, &set, names);
    assert!(text.contains("variable \"person\"") && text.contains("${var.person}"), "{text}");
    let values = after(&request, &set, "app/own.auto.pkrvars.hcl");
    assert_eq!(values, "person = \"me\"\nkey = \"k\"\n");
    let set = rename(&request, build, at(BUILD, "local.gree"), "hello").unwrap();
    assert!(after(&request, &set, names).contains("  hello = \"hello ${var.who}\""));
    assert!(after(&request, &set, build).contains("${local.hello} ${var.key}"));
    let set = rename(&request, build, at(BUILD, "source \"null\" \"bo"), "machine").unwrap();
    let text = after(&request, &set, build);
    assert!(text.contains("source \"null\" \"machine\""), "{text}");
    assert!(text.contains("[\"source.null.machine\"]"), "{text}");
    let text = after(&request, &set, "app/more.pkr.hcl");
    assert!(text.contains("source \"source.null.machine\"") && text.contains("[\"null.machine\"]"));
    assert!(rename(&request, names, place, "a b").is_err());
    assert!(rename(&request, names, place, "key").unwrap_err().contains("var.key"));
    assert!(prepare_rename(&request, build, 0).is_err());
}

#[test]
fn a_name_changes_in_json_too() {
    let workspace = workspace();
    let json = r#"{
  "variable": {"x": {}, "who_else": {}},
  "locals": {"y": "say \"${var.who}\" and ${upper(var.who)}, ${var.who_else}", "z": "${local.y}"},
  "build": {"sources": ["source.null.box"], "provisioner": {"shell-local": {"only": ["null.box"]}}}
}
"#;
    workspace.set("app/also.pkr.json", json);
    let template = workspace.template("app", &PackerOptions::default());
    let request = Request::new(&workspace).in_root(template);
    let (names, own) = ("app/names.pkr.hcl", "app/also.pkr.json");
    let set = rename(&request, names, at(NAMES, "var.wh"), "person").unwrap();
    let text = after(&request, &set, own);
    let said = r#"say \"${var.person}\" and ${upper(var.person)}, ${var.who_else}"#;
    assert!(text.contains(said), "{text}");
    // Renaming also works from a name in the JSON file.
    assert_eq!(prepare_rename(&request, own, at(json, "\"y")).unwrap().name, "y");
    let set = rename(&request, own, at(json, "\"y"), "said").unwrap();
    let text = after(&request, &set, own);
    assert!(text.contains("\"said\": \"say"), "{text}");
    assert!(text.contains("\"z\": \"${local.said}\""), "{text}");
    let place = at(BUILD, "source \"null\" \"bo");
    let set = rename(&request, "app/build.pkr.hcl", place, "machine").unwrap();
    let text = after(&request, &set, own);
    assert!(text.contains("[\"source.null.machine\"]"), "{text}");
    assert!(text.contains("[\"null.machine\"]"), "{text}");
    let found = references(&request, names, at(NAMES, "variable \"w"), false);
    assert_eq!(found.iter().filter(|one| &*one.file == own).count(), 2);
    // A name with an escape sequence cannot be edited, so the rename is refused as a whole.
    workspace.set("app/also.pkr.json", json.replace("upper(var.who)", "upper(var.w\\u0068o)"));
    let template = workspace.template("app", &PackerOptions::default());
    let request = Request::new(&workspace).in_root(template);
    let refused = rename(&request, names, at(NAMES, "var.wh"), "person").unwrap_err();
    assert!(refused.contains("also.pkr.json"), "{refused}");
}

/// Tests the inlay hints and semantic tokens of a Packer template.
#[test]
fn values_stand_beside_the_template() {
    let workspace = workspace();
    let request = request(&workspace);
    let whole = Span::new(0, NAMES.len() as u32);
    let found = inlay_hints(&request, "app/names.pkr.hcl", whole, None).hints;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].label, "= \"hello you\"");
    assert!(resolve_hint(&request, &found[0]).plain().starts_with("\"hello you\"\n"));
    let typed = Some(at(NAMES, "greeting"));
    assert!(inlay_hints(&request, "app/names.pkr.hcl", whole, typed).hints.is_empty());
    assert!(!semantic_tokens(&request, "app/names.pkr.hcl", None).is_empty());
}

#[test]
fn changes_are_offered_in_a_template() {
    let workspace = workspace();
    let text = NAMES.replace("var.who", "var.none").replace("hello ", "${local.other} ");
    workspace.set("app/names.pkr.hcl", text.as_str());
    let request = request(&workspace);
    let file = "app/names.pkr.hcl";
    let made = |from: u32, to: u32, title: &str| {
        let findings = diagnostics(&request, file, FindingStage::Checked);
        let actions = code_actions(&request, file, Span::new(from, to), &findings);
        let titles: Vec<&str> = actions.iter().map(|one| one.title.as_str()).collect();
        let action = actions.iter().find(|one| one.title.starts_with(title));
        let action = action.unwrap_or_else(|| panic!("{title}: {titles:?}"));
        after(&request, &resolve_action(&request, file, action).unwrap(), file)
    };
    let place = at(&text, "var.no");
    let declared = made(place, place, "Declare the variable none");
    assert!(declared.contains("variable \"none\" {\n  type = string\n}"), "{declared}");
    let place = at(&text, "local.oth");
    assert!(made(place, place, "Declare the local value other").contains("  other    = null\n"));
    let end = at(&text, "greeting = \"${local.other} ${var.none}\"");
    let start = end - "\"${local.other} ${var.none}\"".len() as u32;
    let extracted = made(start, end, "Give the expression a name");
    assert!(extracted.contains("greeting  = local.extracted"), "{extracted}");
    let place = at(&text, "  greet");
    let title = "Put the value of local.greeting in place of its name";
    assert!(!made(place, place, title).contains("greeting"));
    let actions = code_actions(&request, file, Span::at(place), &[]);
    let action = actions.iter().find(|one| one.title == title).unwrap();
    let set = resolve_action(&request, file, action).unwrap();
    let build = after(&request, &set, "app/build.pkr.hcl");
    assert!(build.contains("${\"${local.other} ${var.none}\"} ${var.key}"), "{build}");
}
