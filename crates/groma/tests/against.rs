//! What a comparison calls certain beside what Terraform planned: `conformance/documents/against` holds a root before and after a
//! change, the plan that Terraform 1.11.4 made of the later one over the state of the earlier one, and its plan when that was applied.

#![allow(clippy::unwrap_used)]

use groma::impact::Comparison;
use groma::review::{PlanDocument, denied_claims};
use groma::{LoadOptions, MemoryHost, ProviderSchemas, Workspace};

fn text(name: &str) -> String {
    let folder = testkit::conformance().join("documents/against");
    std::fs::read_to_string(folder.join(name)).unwrap()
}

fn compared(before: &str, after: &str) -> Comparison {
    let workspace = Workspace::new(MemoryHost::new());
    let options = LoadOptions::default();
    workspace.set("app/main.tf", text(before));
    let base = workspace.root("app", &options);
    workspace.set("app/main.tf", text(after));
    workspace.root("app", &options).compare(&base, false)
}

fn denied(comparison: &Comparison, plan: &str) -> Vec<(String, String)> {
    let edition = comparison.head().evaluation().project().edition();
    let shape = |source: &str, mode, kind: &str| {
        groma::shape_of(&ProviderSchemas::default(), source, mode, kind, edition)
    };
    let plan = PlanDocument::read(&text(plan), &shape).unwrap();
    let claims = denied_claims(comparison, &plan).into_iter();
    claims.map(|one| (one.address, one.claim.to_owned())).collect()
}

#[test]
fn a_real_plan_denies_nothing_that_is_certain() {
    let comparison = compared("old.tf", "new.tf");
    assert!(comparison.is_certain_change());
    assert_eq!(denied(&comparison, "plan.json"), []);
}

#[test]
fn a_plan_of_what_is_done_denies_all_of_it() {
    let comparison = compared("old.tf", "new.tf");
    let denied = denied(&comparison, "applied.json");
    let claims: Vec<(&str, &str)> = denied.iter().map(|(at, what)| (&**at, &**what)).collect();
    let all = [
        ("terraform_data.net", "update"),
        ("terraform_data.node[\"a\"]", "update"),
        ("terraform_data.node[\"b\"]", "delete"),
        ("terraform_data.node[\"c\"]", "create"),
    ];
    assert_eq!(claims, all);
}
