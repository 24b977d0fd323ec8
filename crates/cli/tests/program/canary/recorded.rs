//! Values that a state marks as sensitive or that only a schema hides, in every output format of a plan.

use super::folder::Folder;
use super::places::SCHEMA;
use super::{BUNDLE, FORMS, assert_forms_silent, assert_silent, without_values};

/// A state with sensitive values: marked in the state itself, or only in the schema.
const STATE: &str = r#"{
  "version": 4, "serial": 1, "lineage": "x",
  "outputs": { "gone": { "value": "canary", "type": "string", "sensitive": true } },
  "resources": [
    { "mode": "managed", "type": "terraform_data", "name": "now",
      "provider": "provider[\"terraform.io/builtin/terraform\"]",
      "instances": [ { "schema_version": 0, "attributes": { "id": "1", "input": { "value": "canary", "type": "string" },
        "output": { "value": "canary", "type": "string" } },
        "sensitive_attributes": [[{ "type": "get_attr", "value": "input" }], [{ "type": "get_attr", "value": "output" }]] } ] },
    { "mode": "managed", "type": "terraform_data", "name": "gone",
      "provider": "provider[\"terraform.io/builtin/terraform\"]",
      "instances": [ { "schema_version": 0, "attributes": { "id": "2", "input": { "value": { "deep": "canary" }, "type": ["object", { "deep": "string" }] } },
        "sensitive_attributes": [[{ "type": "get_attr", "value": "input" }, { "type": "get_attr", "value": "deep" }]] } ] },
    { "mode": "managed", "type": "keep_thing", "name": "now",
      "provider": "provider[\"registry.opentofu.org/hashicorp/keep\"]",
      "instances": [ { "schema_version": 0, "attributes": { "hidden": 73195142, "number": 1, "object": { "inner": 73195142 } } } ] },
    { "mode": "managed", "type": "keep_thing", "name": "gone",
      "provider": "provider[\"registry.opentofu.org/hashicorp/keep\"]",
      "instances": [ { "schema_version": 0, "attributes": { "hidden": 73195142, "number": 1, "object": { "inner": 73195142 } } } ] }
  ]
}"#;

/// Code that changes some objects of the state and removes the others.
const CODE: &str = "resource \"terraform_data\" \"now\" {
  input = [local.hidden.text, \"x\"]
}
resource \"keep_thing\" \"now\" {
  hidden = local.plain.number
  number = 2
}
output \"gone\" {
  value     = local.hidden.map
  sensitive = true
}
";

/// Checks that no form of a plan shows sensitive values of a state, and that their changes are shown.
#[test]
fn what_is_recorded() {
    let bundle = format!("locals {{\n  plain = {BUNDLE}\n  hidden = sensitive(local.plain)\n}}\n");
    let main = format!("{bundle}{CODE}");
    let folder =
        Folder::of(&[("main.tf", &main), ("terraform.tfstate", STATE), ("schema.json", SCHEMA)]);
    assert_forms_silent("a state", &folder, &["--schema=schema.json"], &[]);
    let told = folder.run(&["plan", "--schema=schema.json"], &[], "").out;
    for part in [
        "      ~ input  = (sensitive value)\n",
        "      ~ hidden = (sensitive value)\n",
        "      - hidden = (sensitive value) -> null\n",
        "          - deep = (sensitive value)\n",
        "  ~ gone = (sensitive value)\n",
    ] {
        assert!(told.contains(part), "{part} in {told}");
    }
}

/// Checks that a sensitive import id is shown only in the JSON plan of Terraform.
#[test]
fn ids_of_imports() {
    let main = "variable \"id\" {\n  sensitive = true\n  default   = \"canary-id\"\n}\nimport {\n  to = terraform_data.a\n  \
                id = var.id\n}\nresource \"terraform_data\" \"a\" {}\n";
    let folder = Folder::of(&[("main.tf", main)]);
    for dialect in ["--dialect=opentofu", "--dialect=terraform"] {
        for form in FORMS.iter().filter(|form| **form != ["plan", "--json"]) {
            let arguments: Vec<&str> = form.iter().copied().chain([dialect]).collect();
            let mut ran = folder.run(&arguments, &[], "");
            if form.contains(&"--json") {
                // The document contains the values of variables.
                ran.out = without_values(&ran.out);
                ran.out = ran.out.replace(r#""id": "canary-id""#, "");
            }
            assert_silent(&format!("{dialect}: {}", form.join(" ")), &ran);
        }
        let told = folder.run(&["plan", dialect], &[], "").out;
        assert!(told.contains("  # (imported; the id is sensitive)\n"), "{told}");
        assert!(folder.run(&["plan", "-compact", dialect], &[], "").out.contains("(imported)"));
        let document = folder.run(&["plan", "--json", dialect], &[], "").out;
        let is_told = document.contains("\"importing\":{\"id\":\"canary-id\"}");
        assert_eq!(is_told, dialect.ends_with("terraform"), "{document}");
        let changes = document.split("\"resource_changes\"").nth(1).unwrap();
        let changes = changes.split("\"configuration\"").next().unwrap();
        assert_eq!(changes.contains("canary"), is_told, "{changes}");
    }
}
