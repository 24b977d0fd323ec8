//! From a name to what it means and back.

use groma_ide::{definition, implementation, references, type_definition};

use crate::root::MarkedRoot;

const CHILD: &str =
    "variable \"size\" {\n  type = number\n}\noutput \"twice\" {\n  value = var.¦size * 2\n}\n";

const MAIN: &str = "variable \"n\" {}
locals {
  a = var.¦n + 1
}
module \"one\" {
  source = \"./chi¦ld\"
  si¦ze   = local.¦a
}
output \"sum\" { value = module.one.twi¦ce }
";

fn root() -> MarkedRoot {
    MarkedRoot::of(&[("app/main.tf", MAIN), ("app/child/main.tf", CHILD)])
}

#[test]
fn definitions() {
    let root = root();
    let leads = |number: usize| {
        let (file, at) = root.mark(number);
        let found = definition(&root.request(), file, at);
        found.iter().map(|one| root.shown(&one.target)).collect::<Vec<_>>().join(", ")
    };
    let found: Vec<String> = (0..6).map(leads).collect();
    let expected = [
        "app/main.tf:1: n",
        "app/child/main.tf:1: ",
        "app/child/main.tf:1: size",
        "app/main.tf:3: a",
        "app/child/main.tf:4: twice",
        "app/child/main.tf:1: size",
    ];
    assert_eq!(found, expected);
}

#[test]
fn references_of_a_variable_are_those_in_its_module_and_the_arguments_of_calls() {
    let root = root();
    let (file, at) = root.mark(5);
    let found = references(&root.request(), file, at, true);
    let shown: Vec<String> = found.iter().map(|one| root.shown(one)).collect();
    let expected =
        ["app/child/main.tf:1: size", "app/child/main.tf:5: var.size", "app/main.tf:7: size"];
    assert_eq!(shown, expected);
    assert_eq!(references(&root.request(), file, at, false).len(), 2);
}

#[test]
fn from_an_argument_to_its_variable_and_from_the_variable_to_the_arguments() {
    let root = root();
    let (file, at) = root.mark(3);
    let found = type_definition(&root.request(), file, at);
    assert_eq!(root.shown(&found[0].target), "app/child/main.tf:1: size");
    let (file, at) = root.mark(5);
    let found = implementation(&root.request(), file, at);
    assert_eq!(root.shown(&found[0].target), "app/main.tf:7: size");
}
