//! What an editor draws over a text: highlights, colours, hints, lenses, links, linked and growing ranges.

use groma::syntax::Span;
use groma_ide::{
    LensAction, LinkTarget, Request, SymbolIndex, TokenMeaning, code_lenses, document_links,
    highlights, inlay_hints, linked_ranges, resolve_hint, selection_ranges, semantic_tokens,
    workspace_symbols,
};

use crate::root::MarkedRoot;

/// Returns the span of a file's whole text.
fn whole(root: &MarkedRoot, file: &str) -> Span {
    Span::new(0, root.request().document(file).unwrap().text().len() as u32)
}

#[test]
fn highlights_of_declared_and_of_bound_names() {
    let text = "locals {\n  a = [1]\n  b = [for ¦x in local.¦a : x + 1 if x > 0]\n}\n";
    let root = MarkedRoot::of(&[("app/main.tf", text)]);
    let shown = |number: usize| {
        let (file, at) = root.mark(number);
        let document = root.request().document(file).unwrap();
        let found = highlights(&root.request(), file, at);
        let one = |one: &groma_ide::NameHighlight| {
            format!("{}{}", one.span.of(document.text()), if one.declares { "!" } else { "" })
        };
        found.iter().map(one).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(shown(0), "x! x x");
    assert_eq!(shown(1), "a! local.a");
}

#[test]
fn colours_of_names() {
    let text = "variable \"v\" {\n  type = list(string)\n}\nresource \"aws_vpc\" \"main\" {\n  tags = { n = upper(var.v[0]), m = [for x in var.v : x] }\n  on = true\n}\n";
    let root = MarkedRoot::of(&[("app/main.tf", text)]);
    let document = root.request().document("app/main.tf").unwrap();
    let found = semantic_tokens(&root.request(), "app/main.tf", None);
    let of = |kind: TokenMeaning| {
        let all = found.iter().filter(|one| one.kind == kind);
        all.map(|one| one.span.of(document.text())).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(of(TokenMeaning::BlockKind), "variable resource");
    assert_eq!(of(TokenMeaning::TypeWord), "list string");
    assert_eq!(of(TokenMeaning::ResourceType), "aws_vpc");
    assert_eq!(of(TokenMeaning::Label), "v main");
    assert_eq!(of(TokenMeaning::Function), "upper");
    assert_eq!(of(TokenMeaning::Namespace), "var var");
    assert_eq!(of(TokenMeaning::Name), "v v");
    assert_eq!(of(TokenMeaning::Bound), "x x");
    assert_eq!(of(TokenMeaning::Constant), "true");
    let first = semantic_tokens(&root.request(), "app/main.tf", Some(Span::new(0, 5)));
    assert!(first.len() < found.len() && !first.is_empty());
}

#[test]
fn hints_show_values_and_numbers_of_instances() {
    let text = "locals {\n  a = 1\n  b = local.a + 1\n  l = range(30)\n  s = sensitive(\"canary\")\n}\nresource \"terraform_data\" \"r\" {\n  count = 3\n}\n";
    let root = MarkedRoot::of(&[("app/main.tf", text)]);
    let all = whole(&root, "app/main.tf");
    let soon = inlay_hints(&root.soon(), "app/main.tf", all, None);
    assert!(soon.is_pending && soon.hints.is_empty());
    let found = inlay_hints(&root.request(), "app/main.tf", all, None);
    let labels: Vec<&str> = found.hints.iter().map(|one| one.label.as_str()).collect();
    assert_eq!(labels, ["= 2", "= tolist([0, 1, 2, 3, 4, 5, 6…", "= (sensitive value)", "× 3"]);
    assert!(labels.iter().all(|label| label.chars().count() <= 30));
    assert!(resolve_hint(&root.request(), &found.hints[0]).plain().starts_with("2\n"));
    let typing =
        inlay_hints(&root.request(), "app/main.tf", all, text.find("local.a").map(|at| at as u32));
    assert_eq!(typing.hints.len(), 3);
}

#[test]
fn lenses_of_inputs_and_instances() {
    let text = "variable \"n\" {}\nresource \"terraform_data\" \"r\" {\n  count = var.n\n}\n";
    let root = MarkedRoot::of(&[("app/main.tf", text), ("app/terraform.tfvars", "n = 2\n")]);
    let found = code_lenses(&root.request(), "app/main.tf");
    let titles: Vec<&str> = found.iter().filter_map(|one| one.title.as_deref()).collect();
    assert_eq!(titles, ["root app: terraform.tfvars", "2 instances"]);
    assert_eq!(found[0].action, LensAction::ChooseInputs { root: "app".to_owned() });
    let soon = code_lenses(&MarkedRoot::of(&[("app/main.tf", text)]).soon(), "app/main.tf");
    assert_eq!(soon[1].title, None);
}

#[test]
fn links_lead_to_files_and_registries() {
    let text = "terraform {\n  required_providers {\n    aws = { source = \"hashicorp/aws\" }\n  }\n}\nmodule \"m\" { source = \"./child\" }\nmodule \"r\" { source = \"terraform-aws-modules/vpc/aws\" }\nlocals { t = file(\"./note.txt\") }\n";
    let root =
        MarkedRoot::of(&[("app/main.tf", text), ("app/child/main.tf", ""), ("app/note.txt", "x")]);
    let found = document_links(&root.request(), "app/main.tf");
    let targets: Vec<String> = found
        .iter()
        .map(|one| match &one.target {
            LinkTarget::File(path) | LinkTarget::Url(path) => path.clone(),
        })
        .collect();
    let expected = [
        "https://registry.terraform.io/providers/hashicorp/aws/latest",
        "app/child/main.tf",
        "https://registry.terraform.io/modules/terraform-aws-modules/vpc/aws/latest",
        "app/note.txt",
    ];
    assert_eq!(targets, expected);
}

#[test]
fn markers_of_a_heredoc_change_together() {
    let text = "locals {\n  a = <<-EO¦T\n    x\n    EOT\n}\n";
    let root = MarkedRoot::of(&[("app/main.tf", text)]);
    let (file, at) = root.mark(0);
    let document = root.request().document(file).unwrap();
    let found = linked_ranges(&root.request(), file, at);
    let words: Vec<&str> = found.iter().map(|span| span.of(document.text())).collect();
    assert_eq!(words, ["EOT", "EOT"]);
    assert!(linked_ranges(&root.request(), file, 0).is_empty());
}

#[test]
fn a_selection_grows_from_name_to_file() {
    let text = "locals {\n  a = upper(local.¦b)\n}\n";
    let root = MarkedRoot::of(&[("app/main.tf", text)]);
    let (file, at) = root.mark(0);
    let document = root.request().document(file).unwrap();
    let found = selection_ranges(&root.request(), file, at);
    let shown: Vec<&str> = found.iter().map(|span| span.of(document.text())).collect();
    assert_eq!(&shown[..3], ["b", ".b", "local.b"]);
    assert_eq!(*shown.last().unwrap(), document.text());
    assert!(shown.contains(&"a = upper(local.b)"));
    assert!(found.windows(2).all(|two| two[1].start <= two[0].start && two[0].end <= two[1].end));
    let json = MarkedRoot::of(&[("app/main.tf.json", "{\"locals\": {\"a\": [1, ¦2]}}")]);
    let (file, at) = json.mark(0);
    assert_eq!(selection_ranges(&json.request(), file, at).len(), 6);
}

#[test]
fn declarations_are_found_by_name() {
    let files = [
        ("app/main.tf", "variable \"region\" {}\nmodule \"c\" { source = \"./child\" }\n"),
        ("app/child/main.tf", "locals {\n  region_name = 1\n}\n"),
        ("app/other/main.tf", "output \"region\" { value = 1 }\n"),
    ];
    let root = MarkedRoot::of(&files);
    let names = |all: Vec<groma_ide::WorkspaceSymbol>| {
        all.into_iter().map(|one| format!("{} in {}", one.name, one.folder)).collect::<Vec<_>>()
    };
    let found = names(workspace_symbols(&root.request(), "region"));
    assert_eq!(found, ["var.region in app", "local.region_name in app/child"]);
    let mut index = SymbolIndex::new();
    for (path, _) in &files {
        index.read(&root.workspace, path);
    }
    assert_eq!(names(index.find("vr"))[0], "var.region in app");
    assert_eq!(index.find("region").len(), 3);
    root.workspace.remove("app/other/main.tf");
    index.read(&root.workspace, "app/other/main.tf");
    assert_eq!((index.file_count(), index.find("output").len()), (2, 0));
    let nothing = Request::new(&root.workspace);
    assert!(workspace_symbols(&nothing, "region").is_empty());
}
