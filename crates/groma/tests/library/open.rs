//! Comparisons of what cannot be told in full: modules whose inputs are open, code with errors on one side or both, and
//! documents of plans.

use groma::impact::Comparison;
use groma::review::{ComparedDocuments, PlanDocument, Review, denied_claims};
use groma::{LoadOptions, MemoryHost, PlanOptions, Workspace};

/// Compares two texts of one file.
fn compared(before: &str, after: &str) -> Comparison {
    let workspace = Workspace::new(MemoryHost::new());
    workspace.set("app/main.tf", before);
    let base = workspace.root("app", &LoadOptions::default());
    workspace.set("app/main.tf", after);
    workspace.root("app", &LoadOptions::default()).compare(&base, false)
}

/// What a text plans, as a document.
fn document(text: &str) -> PlanDocument {
    let workspace = Workspace::new(MemoryHost::new());
    workspace.set("app/main.tf", text);
    let plan = workspace.root("app", &LoadOptions::default()).plan(PlanOptions::default());
    PlanDocument::read(&plan.json(), &|_, _, _| None).expect("a plan of our own")
}

#[test]
fn inputs_without_a_value_open_all_that_nobody_gives() {
    let module = |name: &str| {
        format!(
            "variable \"name\" {{}}\nvariable \"range\" {{\n  default = \"\"\n}}\n\
             resource \"terraform_data\" \"a\" {{\n  input = \"{name}-${{var.name}}\"\n}}\n\
             resource \"terraform_data\" \"b\" {{\n  input = cidrsubnet(var.range, 8, 1)\n}}\n"
        )
    };
    let found = compared(&module("one"), &module("two"));
    assert!(found.errors().new.is_empty() && found.errors().shared == 0);
    let names: Vec<&str> =
        found.open_inputs().expect("they are open").iter().map(|it| &**it).collect();
    assert_eq!(names, ["name"]);
    let changed: Vec<String> =
        found.changes().iter().map(|one| one.instance.address.to_string()).collect();
    assert_eq!(changed, ["terraform_data.a"]);
    // With defaults for all there is nothing open, and what follows from a default is an error.
    let given = |name: &str| {
        module(name).replace("variable \"name\" {}", "variable \"name\" {\n  default = 1\n}")
    };
    let found = compared(&given("one"), &given("two"));
    assert!(found.open_inputs().is_none() && found.errors().shared == 1);
}

#[test]
fn errors_of_both_sides_are_told_apart_from_new_and_mended_ones() {
    let code = |input: u32, output: &str| {
        format!(
            "resource \"terraform_data\" \"a\" {{\n  input = {input}\n}}\n\
             output \"both\" {{\n  value = local.missing\n}}\noutput \"one\" {{\n  value = {output}\n}}\n"
        )
    };
    let found = compared(&code(1, "local.old"), &code(2, "local.new"));
    let (new, mended) = (&found.errors().new, &found.errors().mended);
    assert_eq!((found.errors().shared, new.len(), mended.len()), (1, 1, 1));
    assert!(new[0].detail.contains("new") && mended[0].detail.contains("old"));
    let counts = Review::of_comparison(&found).counts();
    assert_eq!((counts.change, counts.possible), (1, 1));
    // Lines that move change no error.
    let moved = format!("\n# a line\n\n{}", code(1, "local.old"));
    let found = compared(&code(1, "local.old"), &moved);
    assert_eq!((found.errors().shared, found.errors().new.len()), (2, 0));
    assert!(!found.is_change());
}

#[test]
fn what_a_broken_file_may_hold_is_not_called_destroyed() {
    let whole =
        "resource \"terraform_data\" \"a\" {\n  input = 1\n}\noutput \"b\" {\n  value = 1\n}\n";
    for broken in [
        "resource \"terraform_data\" \"a {\n  input = 1\n}\noutput \"b\" {\n  value = 1\n}\n",
        "resource \"terraform_data\" {\n  input = 1\n}\noutput \"b\" {\n  value = 1\n}\n",
        "resource \"terraform_data\" \"a\" {\n  input = 1\n}\noutput \"b\" {\n",
        "resorce \"terraform_data\" \"a\" {\n  input = 1\n}\n",
    ] {
        for (before, after) in [(whole, broken), (broken, whole)] {
            let found = compared(before, after);
            assert!(!found.is_certain_change(), "{broken}");
            let errors = found.errors();
            assert!(!errors.new.is_empty() || !errors.mended.is_empty(), "{broken}");
        }
    }
}

#[test]
fn documents_are_compared_by_what_they_come_to() {
    let code = |input: &str| {
        format!(
            "resource \"terraform_data\" \"a\" {{\n  input = {input}\n}}\noutput \"a\" {{\n  value = {input}\n}}\n"
        )
    };
    let same = ComparedDocuments::between(document(&code("1")), document(&code("1")), false);
    assert!(!same.is_change(false) && same.review().items.is_empty());
    let found = ComparedDocuments::between(document(&code("1")), document(&code("2")), false);
    assert!(found.is_change(true));
    let counts = found.review().counts();
    assert_eq!((counts.add, counts.change, counts.destroy, counts.outputs), (0, 1, 0, 1));
    let gone = ComparedDocuments::between(document(&code("1")), document(""), false);
    assert_eq!(gone.review().counts().destroy, 1);
}

#[test]
fn a_plan_denies_what_it_says_otherwise() {
    let code =
        |input: &str| format!("resource \"terraform_data\" \"a\" {{\n  input = {input}\n}}\n");
    let found = compared("", &code("{ size = 1, names = [\"x\"] }"));
    let denied = |text: &str| -> Vec<String> {
        denied_claims(&found, &document(text)).into_iter().map(|one| one.reason).collect()
    };
    assert_eq!(denied(&code("{ size = \"1\", names = [\"x\"], more = true }")), [""; 0]);
    assert_eq!(
        denied(&format!("{}resource \"terraform_data\" \"b\" {{}}\n", code("terraform_data.b.id"))),
        [""; 0],
        "what is not known denies nothing"
    );
    assert_eq!(
        denied(&code("{ size = 2, names = [\"x\"] }")),
        ["has a different value at .input.size according to the plan"]
    );
    assert_eq!(
        denied(&code("{ size = 1, names = [\"x\", \"y\"] }")),
        ["has a different value at .input.names according to the plan"]
    );
    assert_eq!(denied(""), ["is not in the plan"]);
}
