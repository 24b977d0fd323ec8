//! Generators of modules with a state, most of which is unchanged. States are formatted over several lines, as the programs write
//! them.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::module::{Files, instances};

/// The name of the state file next to a generated module.
const NAME: &str = "terraform.tfstate";

/// Returns the code of a local value `entries`, a map of `size` objects for use in `for_each`.
fn entries(size: usize) -> String {
    let mut text = String::from("locals {\n  entries = {\n");
    for at in 0..size {
        let _ = writeln!(text, "    key{at:06} = {{ name = \"name-{at}\", size = {at} }}");
    }
    text.push_str("  }\n}\n\n");
    text
}

/// The JSON text of a Terraform state file while it is written.
struct Writing(String);

impl Writing {
    /// Begins the text of a state file.
    fn begin() -> Writing {
        Writing(String::from(
            "{\n  \"version\": 4,\n  \"terraform_version\": \"1.11.4\",\n  \"serial\": 3,\n  \"lineage\": \"5b6a1f0e-3c1d-4a5e-9d6b-7f1f0a2b3c4d\",\n  \"outputs\": {},\n  \"resources\": [",
        ))
    }

    /// Adds a resource to the state; `instances` are the JSON properties of each instance, one per line.
    fn resource(
        &mut self,
        kind: &str,
        name: &str,
        provider: &str,
        instances: impl Iterator<Item = String>,
    ) {
        let comma = if self.0.ends_with('[') { "" } else { "," };
        let _ = write!(
            self.0,
            "{comma}\n    {{\n      \"mode\": \"managed\",\n      \"type\": \"{kind}\",\n      \"name\": \"{name}\",\n      \"provider\": \"provider[\\\"{provider}\\\"]\",\n      \"instances\": ["
        );
        for (at, instance) in instances.enumerate() {
            let comma = if at == 0 { "" } else { "," };
            let _ = write!(self.0, "{comma}\n        {{\n{instance}\n        }}");
        }
        self.0.push_str("\n      ]\n    }");
    }

    /// Returns the name and the text of the finished state file.
    fn end(mut self) -> (Cow<'static, str>, String) {
        self.0.push_str("\n  ],\n  \"check_results\": null\n}\n");
        (NAME.into(), self.0)
    }
}

/// The address of the built-in provider.
const BUILT_IN: &str = "terraform.io/builtin/terraform";

/// The address of the AWS provider.
const AWS: &str = "registry.terraform.io/hashicorp/aws";

/// Returns the JSON properties, in a state, of a `terraform_data` instance whose input has a name and a size; `more` is put after
/// its key.
fn data(key: &str, more: &str, name: usize, size: usize) -> String {
    let written = format!(
        "{{\n              \"value\": {{\n                \"name\": \"name-{name}\",\n                \"size\": {size}\n              }},\n              \"type\": [\n                \"object\",\n                {{\n                  \"name\": \"string\",\n                  \"size\": \"number\"\n                }}\n              ]\n            }}"
    );
    format!(
        "          \"index_key\": \"{key}\",\n{more}          \"schema_version\": 0,\n          \"attributes\": {{\n            \"id\": \"0b1ab45f-9f24-0d3b-63a7-{name:012}\",\n            \"input\": {written},\n            \"output\": {written},\n            \"triggers_replace\": null\n          }},\n          \"sensitive_attributes\": []"
    )
}

/// Returns a module of `size` instances and its state: of ten instances eight are unchanged, one is changed, and one is new
/// with another removed.
pub(super) fn state(size: usize) -> Files {
    let mut files = instances(size);
    let mut state = Writing::begin();
    let recorded = (0..size).map(|at| match at % 10 {
        3 => data(&format!("key{at:06}"), "", at, at + 1),
        7 => data(&format!("old{at:06}"), "", at, at),
        _ => data(&format!("key{at:06}"), "", at, at),
    });
    state.resource("terraform_data", "many", BUILT_IN, recorded);
    files.push(state.end());
    files
}

/// Returns a module and its state, in which each instance has a deposed object too.
pub(super) fn deposed(size: usize) -> Files {
    let mut files = instances(size);
    let mut state = Writing::begin();
    let recorded = (0..size).flat_map(|at| {
        let key = format!("key{at:06}");
        let old = format!("          \"deposed\": \"{at:08x}\",\n");
        [data(&key, "", at, at), data(&key, &old, at, at)]
    });
    state.resource("terraform_data", "many", BUILT_IN, recorded);
    files.push(state.end());
    files
}

/// Returns a module and its state, with a `moved` block for each instance.
pub(super) fn moves(size: usize) -> Files {
    let mut files = instances(size);
    for (_, text) in &mut files {
        for at in 0..size {
            let _ = write!(
                text,
                "\nmoved {{\n  from = terraform_data.many[\"old{at:06}\"]\n  to   = terraform_data.many[\"key{at:06}\"]\n}}\n"
            );
        }
    }
    let mut state = Writing::begin();
    let recorded = (0..size).map(|at| data(&format!("old{at:06}"), "", at, at));
    state.resource("terraform_data", "many", BUILT_IN, recorded);
    files.push(state.end());
    files
}

/// Returns a module and its state with `size` resources of one instance, each depending on the previous one.
pub(super) fn single(size: usize) -> Files {
    let mut text = String::new();
    let mut state = Writing::begin();
    for at in 0..size {
        let input = match at {
            0 => "\"name\"".to_owned(),
            _ => format!("terraform_data.one{:06}.output", at - 1),
        };
        let _ = write!(
            text,
            "resource \"terraform_data\" \"one{at:06}\" {{\n  input = {input}\n}}\n\n"
        );
        let written = "{\n              \"value\": \"name\",\n              \"type\": \"string\"\n            }";
        let one = format!(
            "          \"schema_version\": 0,\n          \"attributes\": {{\n            \"id\": \"0b1ab45f-9f24-0d3b-63a7-{at:012}\",\n            \"input\": {written},\n            \"output\": {written},\n            \"triggers_replace\": null\n          }},\n          \"sensitive_attributes\": []"
        );
        state.resource("terraform_data", &format!("one{at:06}"), BUILT_IN, [one].into_iter());
    }
    vec![("main.tf".into(), text), state.end()]
}

/// The provider requirement of modules with AWS resources.
const REQUIRED: &str = "terraform {\n  required_providers {\n    aws = {\n      source = \"registry.terraform.io/hashicorp/aws\"\n    }\n  }\n}\n\n";

/// Returns a module and its state with AWS queues, of which one in ten is changed.
pub(super) fn queues(size: usize) -> Files {
    let mut text = String::from(REQUIRED);
    text.push_str(&entries(size));
    text.push_str(
        "resource \"aws_sqs_queue\" \"many\" {\n  for_each      = local.entries\n  name          = each.value.name\n  delay_seconds = each.value.size % 900\n  tags = {\n    Name = each.key\n    Team = \"fleet\"\n  }\n}\n",
    );
    let mut state = Writing::begin();
    let recorded = (0..size).map(|at| {
        let delay = (at + usize::from(at % 10 == 3)) % 900;
        format!(
            "          \"index_key\": \"key{at:06}\",\n          \"schema_version\": 0,\n          \"attributes\": {{\n            \"arn\": \"arn:aws:sqs:eu-west-1:123456789012:name-{at}\",\n            \"content_based_deduplication\": false,\n            \"deduplication_scope\": \"\",\n            \"delay_seconds\": {delay},\n            \"fifo_queue\": false,\n            \"fifo_throughput_limit\": \"\",\n            \"id\": \"https://sqs.eu-west-1.amazonaws.com/123456789012/name-{at}\",\n            \"kms_data_key_reuse_period_seconds\": 300,\n            \"kms_master_key_id\": \"\",\n            \"max_message_size\": 262144,\n            \"message_retention_seconds\": 345600,\n            \"name\": \"name-{at}\",\n            \"name_prefix\": \"\",\n            \"policy\": \"\",\n            \"receive_wait_time_seconds\": 0,\n            \"redrive_allow_policy\": \"\",\n            \"redrive_policy\": \"\",\n            \"sqs_managed_sse_enabled\": true,\n            \"tags\": {{\n              \"Name\": \"key{at:06}\",\n              \"Team\": \"fleet\"\n            }},\n            \"tags_all\": {{\n              \"Name\": \"key{at:06}\",\n              \"Team\": \"fleet\"\n            }},\n            \"timeouts\": null,\n            \"url\": \"https://sqs.eu-west-1.amazonaws.com/123456789012/name-{at}\",\n            \"visibility_timeout_seconds\": 30\n          }},\n          \"sensitive_attributes\": [],\n          \"private\": \"bnVsbA==\""
        )
    });
    state.resource("aws_sqs_queue", "many", AWS, recorded);
    files(text, state)
}

/// Returns a module and its state with one resource of many blocks of a set, each of which matches a recorded one.
pub(super) fn set(size: usize) -> Files {
    let mut text = String::from(REQUIRED);
    text.push_str(&entries(size));
    text.push_str(
        "resource \"aws_s3_bucket\" \"one\" {\n  bucket = \"b\"\n  dynamic \"grant\" {\n    for_each = local.entries\n    content {\n      id          = grant.value.name\n      type        = \"CanonicalUser\"\n      permissions = [\"READ\", \"WRITE\"]\n    }\n  }\n}\n",
    );
    let mut one = String::from(
        "          \"schema_version\": 0,\n          \"attributes\": {\n            \"bucket\": \"b\",\n            \"id\": \"b\",\n            \"arn\": \"arn:aws:s3:::b\",\n            \"force_destroy\": false,\n            \"grant\": [",
    );
    for at in (0..size).rev() {
        let comma = if at + 1 == size { "" } else { "," };
        let _ = write!(
            one,
            "{comma}\n              {{\n                \"id\": \"name-{at}\",\n                \"permissions\": [\n                  \"READ\",\n                  \"WRITE\"\n                ],\n                \"type\": \"CanonicalUser\",\n                \"uri\": \"\"\n              }}"
        );
    }
    one.push_str("\n            ]\n          },\n          \"sensitive_attributes\": []");
    let mut state = Writing::begin();
    state.resource("aws_s3_bucket", "one", AWS, [one].into_iter());
    files(text, state)
}

/// Returns the files of a module with this code and state.
fn files(text: String, state: Writing) -> Files {
    vec![("main.tf".into(), text), state.end()]
}
