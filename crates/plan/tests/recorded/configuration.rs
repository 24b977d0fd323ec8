//! The provider configuration of each resource in a plan as JSON. The keys are those that Terraform 1.11 and OpenTofu reported
//! for the same modules.

use std::collections::BTreeMap;
use std::sync::Arc;

use groma_plan::{Plan, PlanFacts, PlanOptions};
use groma_project::{Evaluation, Project, ProjectOptions};
use groma_runtime::MemoryHost;
use groma_syntax::Diagnostics;
use testkit::Json;

/// Returns a `required_providers` block that gives the built-in provider a local name, with further lines.
fn required(name: &str, more: &str) -> String {
    format!(
        "terraform {{\n  required_providers {{\n    {name} = {{\n      source = \"terraform.io/builtin/terraform\"\n{more}    }}\n  }}\n}}\n"
    )
}

/// Returns the document of a plan of these files, which must have no errors.
fn document(files: &[(&str, String)]) -> Json {
    let host = files.iter().fold(MemoryHost::new(), |host, (name, text)| {
        host.with_file(&format!("/{name}"), text.clone().into_bytes())
    });
    let options = ProjectOptions::default();
    let mut found = Diagnostics::new();
    let project = Project::load("/", &options, Arc::new(host), &mut found);
    let facts = Arc::new(PlanFacts::with(&project, PlanOptions::default(), None));
    let evaluation = Evaluation::new(project, facts.facts(), options.run.clone());
    let plan = Plan::of(evaluation, facts, &options, found);
    assert!(!plan.is_errored(), "{:?}", plan.diagnostics());
    Json::read(&plan.json()).unwrap()
}

/// Returns the properties of a JSON object; none for another value.
fn entries(object: Option<&Json>) -> BTreeMap<String, Json> {
    match object {
        Some(Json::Object(entries)) => entries.clone(),
        _ => BTreeMap::new(),
    }
}

/// Appends a line `CALL/terraform_data.x KEY` for each resource of a module and of the modules it calls.
fn keys(module: &Json, way: &str, lines: &mut Vec<String>) {
    for resource in module.get("resources").and_then(Json::list).unwrap_or_default() {
        let text = |name| resource.get(name).unwrap().text().unwrap().to_owned();
        lines.push(format!("{way}{} {}", text("address"), text("provider_config_key")));
    }
    for (name, call) in entries(module.get("module_calls")) {
        keys(call.get("module").unwrap(), &format!("{way}{name}/"), lines);
    }
}

/// Tests that each resource in a document has the key of the provider configuration that its module was given by `providers`.
#[test]
fn a_key_leads_to_the_configuration_that_was_handed_over() {
    let asks = "      configuration_aliases = [other]\n";
    let other =
        required("other", asks) + "resource \"terraform_data\" \"a\" { provider = other }\n";
    let files = [
        (
            "main.tf",
            required("tf", "")
                + "provider \"tf\" {\n  alias = \"west\"\n}\nresource \"terraform_data\" \"t\" { provider = tf.west }\nresource \"terraform_data\" \"u\" { provider = tf }\nmodule \"m\" {\n  source    = \"./m\"\n  providers = { other = tf.west }\n}\nmodule \"k\" {\n  source = \"./k\"\n}\nmodule \"p\" {\n  source = \"./p\"\n}\n",
        ),
        ("m/main.tf", other),
        (
            "k/main.tf",
            required("third", "")
                + "provider \"third\" {\n}\nprovider \"third\" {\n  alias = \"own\"\n}\nresource \"terraform_data\" \"b\" { provider = third.own }\nmodule \"m\" {\n  source    = \"../m\"\n  providers = { other = third.own }\n}\nmodule \"n\" {\n  source    = \"../m\"\n  providers = { other = third }\n}\n",
        ),
        (
            "p/main.tf",
            required("third", "")
                + "resource \"terraform_data\" \"a\" { provider = third }\nmodule \"q\" {\n  source = \"../q\"\n}\n",
        ),
        ("q/main.tf", "resource \"terraform_data\" \"a\" {}\n".to_owned()),
    ];
    let document = document(&files);
    let configuration = document.get("configuration").unwrap();
    let mut lines = Vec::new();
    keys(configuration.get("root_module").unwrap(), "", &mut lines);
    lines.sort();
    let wanted = [
        "k/m/terraform_data.a module.k:third.own",
        "k/n/terraform_data.a module.k:third",
        "k/terraform_data.b module.k:third.own",
        "m/terraform_data.a tf.west",
        "p/q/terraform_data.a terraform",
        "p/terraform_data.a module.p:third",
        "terraform_data.t tf.west",
        "terraform_data.u tf",
    ];
    assert_eq!(lines, wanted);
    // Each key has a provider configuration in the document.
    let all = entries(configuration.get("provider_config"));
    let configured: Vec<&str> = all.keys().map(String::as_str).collect();
    assert_eq!(
        configured,
        ["module.k:third", "module.k:third.own", "module.p:third", "terraform", "tf", "tf.west"]
    );
}
