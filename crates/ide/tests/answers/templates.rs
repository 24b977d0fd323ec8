//! Questions about a Packer template.

use groma::{MemoryHost, Workspace, packer::TemplateOptions as PackerOptions};
use groma_ide::{FindingStage, Request, complete, definition, diagnostics, hover, references};

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

fn workspace() -> Workspace {
    let workspace = Workspace::new(MemoryHost::new());
    workspace.set("app/build.pkr.hcl", BUILD);
    workspace.set("app/names.pkr.hcl", NAMES);
    workspace
}

fn request(workspace: &Workspace) -> Request<'_> {
    let template = workspace.template("app", &PackerOptions::default());
    Request::new(workspace).in_template(template)
}

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
