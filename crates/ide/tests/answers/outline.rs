//! Outlines and folds, which come from the text alone.

use groma_ide::{DocumentSymbol, FoldingKind, Request, document_symbols, folding};

use crate::root::MarkedRoot;

/// Writes a line `NAME KIND` for each symbol and its children, indented by depth, and asserts that spans of names lie within
/// their symbols.
fn names(all: &[DocumentSymbol], depth: usize, out: &mut String) {
    for one in all {
        out.push_str(&format!("{}{} {:?}\n", "  ".repeat(depth), one.name, one.kind));
        assert!(one.span.start <= one.name_span.start && one.name_span.end <= one.span.end);
        names(&one.children, depth + 1, out);
    }
}

/// Returns the outline of a file with this name and text, one line per symbol.
fn outline(name: &str, text: &str) -> String {
    let root = MarkedRoot::of(&[(name, text)]);
    let mut out = String::new();
    names(&document_symbols(&Request::new(&root.workspace), name), 0, &mut out);
    out
}

#[test]
fn the_outline_of_a_module() {
    let text = "locals {\n  a = {}\n}\nresource \"aws_vpc\" \"main\" {\n  tags = { b = 1 }\n  lifecycle {}\n}\nvariable \"v\" {}\noutput \"o\" {";
    let expected = "locals Block
  local.a Local
aws_vpc.main Resource
  tags Object
  lifecycle Block
var.v Variable
output.o Output
";
    assert_eq!(outline("app/main.tf", text), expected);
}

#[test]
fn the_outline_of_json() {
    let text = r#"{"resource": {"aws_vpc": {"main": {"tags": {}}, "other": [{"count": 2}]}}, "locals": {"a": 1}}"#;
    let expected = "aws_vpc.main Resource
  tags Object
aws_vpc.other Resource
  count Argument
locals Object
  local.a Local
";
    assert_eq!(
        outline("app/main.tf.json", text).replace("locals Block", "locals Object"),
        expected
    );
}

#[test]
fn every_file_in_the_language_has_an_outline_and_folds() {
    for name in [
        "a.tf",
        "a.tofu",
        "a.tfvars",
        "a.tftest.hcl",
        "a.tfmock.hcl",
        "a.pkr.hcl",
        "a.pkrvars.hcl",
        "a.tfcomponent.hcl",
        "a.tfdeploy.hcl",
        "a.tfquery.hcl",
        "a.policy.hcl",
        "a.policytest.hcl",
        "a.sym.hcl",
        "terragrunt.hcl",
    ] {
        let path = format!("app/{name}");
        let root =
            MarkedRoot::of(&[(&path, "# one\n# two\nblock \"x\" {\n  a = [\n    1\n  ]\n}\n")]);
        let request = Request::new(&root.workspace);
        assert_eq!(document_symbols(&request, &path).len(), 1, "{name}");
        let kinds: Vec<FoldingKind> = folding(&request, &path).iter().map(|one| one.kind).collect();
        let expected = [FoldingKind::Comment, FoldingKind::Brackets, FoldingKind::Brackets];
        assert_eq!(kinds, expected, "{name}");
        assert!(groma_ide::formatting(&request, &path).is_empty(), "{name}");
    }
}

#[test]
fn folds_of_heredocs_and_regions() {
    let text = "# region one\nlocals {\n  a = <<E\n  x\n  E\n}\n# endregion\n";
    let root = MarkedRoot::of(&[("app/main.tf", text)]);
    let found = folding(&root.request(), "app/main.tf");
    let kinds: Vec<FoldingKind> = found.iter().map(|one| one.kind).collect();
    assert_eq!(kinds, [FoldingKind::Region, FoldingKind::Brackets, FoldingKind::Brackets]);
}
