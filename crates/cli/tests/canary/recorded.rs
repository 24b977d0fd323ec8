//! What a state records as sensitive, and what only a schema hides, in every form in which a plan is told.

use crate::folder::Folder;
use crate::places::SCHEMA;
use crate::{BUNDLE, assert_forms_silent};

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
