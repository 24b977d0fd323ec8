//! Sensitive attributes in mock files, with right and wrong values, and in drafts of mock files from a state.

use super::folder::Folder;
use super::{assert_forms_silent, assert_silent};

/// A provider schema with a resource type and a data source, each with sensitive attributes.
const SCHEMA: &str = r#"{
  "format_version": "1.0",
  "provider_schemas": {
    "registry.terraform.io/hashicorp/vault": {
      "resource_schemas": {
        "vault_key": {
          "version": 0,
          "block": {
            "attributes": {
              "id": { "type": "string", "computed": true },
              "number": { "type": "number", "computed": true, "sensitive": true },
              "text": { "type": "string", "computed": true, "sensitive": true }
            }
          }
        }
      },
      "data_source_schemas": {
        "vault_secret": {
          "version": 0,
          "block": {
            "attributes": {
              "path": { "type": "string", "required": true },
              "plain": { "type": "string", "computed": true },
              "numbers": { "type": ["list", "number"], "computed": true, "sensitive": true },
              "text": { "type": "string", "computed": true, "sensitive": true }
            }
          }
        }
      }
    }
  }
}"#;

/// The code of a root that uses sensitive attributes of a resource and a data source.
const MAIN: &str = r#"
data "vault_secret" "s" {
  path = "a"
}

resource "vault_key" "k" {
}

locals {
  wrong = tonumber(data.vault_secret.s.text)
  keys  = { for one in [vault_key.k.text] : one => 1 }
}

output "text" {
  value     = "${data.vault_secret.s.text}-${vault_key.k.text}"
  sensitive = true
}

output "bad" {
  value = vault_key.k.text + 1
}
"#;

/// Attributes in a mock file that hold the secret, rightly or wrongly.
const GIVEN: &[&str] = &[
    "text = \"canary\"",
    "text = [\"canary\"]",
    "text = { canary = 73195142 }",
    "numbers = [\"canary\"]",
    "numbers = \"canary\"",
    "text = upper(1, \"canary\")",
    "text = tonumber(\"canary\")",
    "text = canary_name",
    "text = \"${canary\"",
    "text = [\"canary]",
    "txet = \"canary-not-sensitive-but-near\" text = \"canary\"",
];

/// Checks that values of sensitive attributes in a mock file are not shown.
#[test]
fn no_mock_of_a_secret_is_shown() {
    for given in GIVEN {
        for kind in ["mock_data \"vault_secret\"", "override_data"] {
            let (name, target) = match kind {
                "override_data" => ("values", "  target = data.vault_secret.s\n"),
                _ => ("defaults", ""),
            };
            let mocks = format!(
                "{kind} {{\n{target}  {name} = {{\n    {given}\n  }}\n}}\n\nmock_resource \"vault_key\" {{\n  defaults = {{\n    text = \"canary\"\n  }}\n}}\n"
            );
            let folder = Folder::of(&[
                ("main.tf", MAIN),
                ("schema.json", SCHEMA),
                ("groma.mock.hcl", &mocks),
            ]);
            let found = assert_forms_silent(given, &folder, &["--schema=schema.json"], &[]);
            assert!(found.contains("\"severity\": \"error\""), "{given} does not fail");
        }
    }
}

/// Checks that a draft of a mock file does not contain sensitive values of a state.
#[test]
fn no_secret_of_a_state_is_copied() {
    let attributes = "{ \"path\": \"a\", \"plain\": \"p\", \"text\": \"canary\", \"numbers\": [73195142], \"password\": \"canary\" }";
    let state = format!(
        "{{ \"version\": 4, \"terraform_version\": \"1.11.4\", \"serial\": 1, \"lineage\": \"a\", \"outputs\": {{}}, \"resources\": [\n\
         {{ \"mode\": \"data\", \"type\": \"vault_secret\", \"name\": \"s\", \"provider\": \"provider[\\\"registry.terraform.io/hashicorp/vault\\\"]\", \
         \"instances\": [{{ \"schema_version\": 0, \"attributes\": {attributes}, \
         \"sensitive_attributes\": [[{{ \"type\": \"get_attr\", \"value\": \"text\" }}]] }}] }}] }}"
    );
    let main = "data \"vault_secret\" \"s\" {\n  path = \"a\"\n}\noutput \"o\" {\n  value = [data.vault_secret.s.text, data.vault_secret.s.plain, data.vault_secret.s.password]\n  sensitive = true\n}\noutput \"n\" {\n  value = data.vault_secret.s.numbers\n  sensitive = true\n}\n";
    let files = [("main.tf", main), ("schema.json", SCHEMA), ("old.tfstate", &state)];
    let folder = Folder::of(&files);
    let ran = folder.run(&["mock", "--from-state=old.tfstate", "--schema=schema.json"], &[], "");
    assert_silent("a draft with a schema", &ran);
    assert!(
        ran.out.contains("plain = \"p\"") && ran.out.contains("# text is sensitive"),
        "{}",
        ran.out
    );
    let main = main.replace(", data.vault_secret.s.numbers", "").replace("numbers", "plain");
    let folder = Folder::of(&[("main.tf", main.as_str()), ("old.tfstate", &state)]);
    let ran = folder.run(&["mock", "--from-state=old.tfstate"], &[], "");
    assert_silent("a draft without a schema", &ran);
    assert!(ran.out.contains("# password is sensitive"), "{}", ran.out);
}
