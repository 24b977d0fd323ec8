//! From a name to what it means and back.

use groma::{LoadOptions, LoadPurpose};
use groma_ide::{
    complete, definition, document_links, hover, implementation, prepare_rename, references,
    rename, type_definition,
};

use crate::root::MarkedRoot;

/// The called module, with a marked reference to its variable.
const CHILD: &str =
    "variable \"size\" {\n  type = number\n}\noutput \"twice\" {\n  value = var.¦size * 2\n}\n";

/// A root module with marked references, a module call with an argument, and an output.
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

/// Returns the root of [`MAIN`] and [`CHILD`], with six marked places.
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

/// Tests that the type definition of a call's argument is the variable, whose implementations are the arguments.
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

/// Tests hover, definition and completion of the variables that `templatefile` passes to a template file.
#[test]
fn a_template_file_knows_what_its_callers_give_it() {
    let root = MarkedRoot::of(&[
        (
            "app/main.tf",
            "locals {\n  n = \"x\"\n  t = templatefile(\"${path.module}/user.tftpl\", { host = local.n, port = 80 })\n}\n",
        ),
        ("app/user.tftpl", "server ${ho¦st}:${po¦}\n"),
    ]);
    let (file, at) = root.mark(0);
    let text = hover(&root.request(), file, at).unwrap().text.markdown();
    assert!(
        text.starts_with("```terraform\n\"x\"\n```") && text.contains("Given by `main.tf`:3"),
        "{text}"
    );
    let found = definition(&root.request(), file, at);
    assert_eq!(root.shown(&found[0].target), "app/main.tf:3: host");
    let (file, at) = root.mark(1);
    let list = complete(&root.request(), file, at);
    let port = list.items.iter().find(|one| one.label == "port").unwrap();
    assert_eq!(port.detail.as_deref(), Some("80"));
    assert_eq!(document_links(&root.request(), "app/main.tf").len(), 1);
}

/// Tests definitions and hover texts from a test file into the module that it tests.
#[test]
fn a_test_file_knows_the_module_that_it_tests() {
    let root = MarkedRoot::of(&[
        ("app/main.tf", "variable \"n\" {\n  default = 3\n}\noutput \"o\" {\n  value = var.n\n}\n"),
        (
            "app/x.tftest.hcl",
            "run \"first\" {\n  variables {\n    n¦ = 1\n  }\n}\nrun \"second\" {\n  assert {\n    condition     = output.o¦ == run.fir¦st.o && var.n¦ > 0\n    error_message = \"No.\"\n  }\n}\n",
        ),
    ]);
    let leads = |number: usize| {
        let (file, at) = root.mark(number);
        let found = definition(&root.request(), file, at);
        found.iter().map(|one| root.shown(&one.target)).collect::<Vec<_>>().join(", ")
    };
    assert_eq!(leads(0), "app/main.tf:1: n");
    assert_eq!(leads(1), "app/main.tf:4: o");
    assert_eq!(leads(2), "app/x.tftest.hcl:1: \"first\"");
    assert_eq!(leads(3), "app/main.tf:1: n");
    let (file, at) = root.mark(3);
    let text = hover(&root.request(), file, at).unwrap().text.markdown();
    assert!(text.starts_with("```terraform\n3\n```"), "{text}");
}

/// Tests definitions and references of a test file that is loaded together with its root.
#[test]
fn a_test_file_that_is_read_with_its_root_has_the_same_names() {
    let options = LoadOptions { purpose: LoadPurpose::Check, ..LoadOptions::default() };
    let root = MarkedRoot::with(
        &[
            (
                "app/main.tf",
                "variable \"n\" {\n  default = 3\n}\noutput \"o\" {\n  value = var.n¦\n}\n",
            ),
            (
                "app/tests/x.tftest.hcl",
                "run \"fi¦rst\" {\n  variables {\n    n¦ = 1\n  }\n}\nrun \"second\" {\n  assert {\n    condition     = output.o¦ == run.fir¦st.o && var.n¦ > 0\n    error_message = \"No.\"\n  }\n}\n",
            ),
        ],
        &options,
    );
    let leads = |number: usize| {
        let (file, at) = root.mark(number);
        let found = definition(&root.request(), file, at);
        found.iter().map(|one| root.shown(&one.target)).collect::<Vec<_>>().join(", ")
    };
    let first = "app/tests/x.tftest.hcl:1: \"first\"";
    let expected = ["app/main.tf:1: n", first, "app/main.tf:1: n", "app/main.tf:4: o", first];
    for (number, place) in expected.into_iter().enumerate() {
        assert_eq!(leads(number), place, "{number}");
    }
    let named = |number: usize| {
        let (file, at) = root.mark(number);
        let found = references(&root.request(), file, at, false);
        found.iter().map(|one| root.shown(one)).collect::<Vec<_>>()
    };
    let of_variable =
        ["app/main.tf:5: var.n", "app/tests/x.tftest.hcl:3: n", "app/tests/x.tftest.hcl:8: var.n"];
    assert_eq!(named(0), of_variable);
    assert_eq!(named(5), of_variable);
    assert_eq!(named(1), ["app/tests/x.tftest.hcl:8: run.first"]);
    let (file, at) = root.mark(5);
    let text = hover(&root.request(), file, at).unwrap().text.markdown();
    assert!(text.starts_with("```terraform\n3\n```"), "{text}");
    assert!(text.contains("`var.n` of `main.tf`:1"), "{text}");
}

#[test]
fn runs_and_variables_are_renamed_from_a_test_file() {
    let root = MarkedRoot::of(&[
        ("app/main.tf", "variable \"n\" {\n  default = 3\n}\noutput \"o\" {\n  value = var.n\n}\n"),
        (
            "app/x.tftest.hcl",
            "run \"fi¦rst\" {}\nrun \"second\" {\n  variables {\n    n¦ = run.first.o\n  }\n}\nmock_provider \"a¦ws\" {}\n",
        ),
    ]);
    let changed = |number: usize, new: &str| {
        let (file, at) = root.mark(number);
        let set = rename(&root.request(), file, at, new).unwrap();
        let edited =
            set.files.iter().map(|one| (one.file.clone(), root.edited(&one.file, &one.edits)));
        edited.collect::<Vec<_>>()
    };
    let runs = changed(0, "begin");
    assert_eq!(runs.len(), 1);
    assert!(
        runs[0].1.contains("run \"begin\" {}") && runs[0].1.contains("run.begin.o"),
        "{runs:?}"
    );
    let variables = changed(1, "count_of");
    assert!(variables[0].1.contains("var.count_of"), "{variables:?}");
    assert!(variables[1].1.contains("count_of = run.first.o"), "{variables:?}");
    let (file, at) = root.mark(2);
    assert!(
        prepare_rename(&root.request(), file, at).is_err(),
        "a provider's name is not the user's"
    );
}

#[test]
fn names_are_offered_in_a_test_file() {
    let root = MarkedRoot::of(&[
        ("app/main.tf", "variable \"n\" {\n  default = 3\n}\noutput \"o\" {\n  value = var.n\n}\n"),
        (
            "app/net/main.tf",
            "variable \"cidr\" {\n  type = string\n}\noutput \"id\" {\n  value = var.cidr\n}\n",
        ),
        (
            "app/x.tftest.hcl",
            "run \"first\" {\n  assert {\n    condition     = output.¦o == 1\n    error_message = \"No.\"\n  }\n}\nrun \"other\" {\n  module {\n    source = \"./net\"\n  }\n  variables {\n    ¦cidr = run.¦first.¦o\n  }\n  assert {\n    condition     = output.¦id == var.¦cidr\n    error_message = \"No.\"\n  }\n}\n",
        ),
    ]);
    let offered = |number: usize| {
        let (file, at) = root.mark(number);
        let found = complete(&root.request(), file, at);
        found.items.iter().map(|one| one.label.clone()).collect::<Vec<_>>()
    };
    assert_eq!(offered(0), ["o"]);
    assert_eq!(offered(1), ["cidr"]);
    assert_eq!(offered(2), ["first", "other"]);
    assert_eq!(offered(3), ["o"]);
    assert_eq!(offered(4), ["id"]);
    assert_eq!(offered(5), ["cidr"]);
}
