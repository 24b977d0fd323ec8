//! State files that are truncated, damaged or of an unknown format: each is refused with its place, without showing its content
//! and without a panic.

use groma_plan::{State, StateError};
use groma_runtime::{Dialect, Edition};
use testkit::case;

/// A text that must not appear in any message.
const SECRET: &str = "hunter2-do-not-tell";

/// Returns a valid state with the secret in every place that can hold it.
fn whole() -> String {
    format!(
        r#"{{
  "version": 4, "terraform_version": "1.12.0", "serial": 1, "lineage": "l",
  "outputs": {{ "o": {{ "value": "{SECRET}", "type": "string", "sensitive": true }} }},
  "resources": [
    {{ "module": "module.m[\"{SECRET}\"]", "mode": "managed", "type": "terraform_data", "name": "a",
      "provider": "provider[\"terraform.io/builtin/terraform\"]",
      "instances": [
        {{ "index_key": "k", "schema_version": 0, "status": "tainted", "private": "aGk=",
          "attributes": {{ "id": "{SECRET}", "input": {{ "value": ["{SECRET}"], "type": ["list", "string"] }} }},
          "sensitive_attributes": [[{{ "type": "get_attr", "value": "input" }}]],
          "dependencies": ["terraform_data.{SECRET}"] }}
      ] }}
  ]
}}"#
    )
}

/// Returns the message with which a state is refused, in either dialect; `None` if both accept it.
fn read(bytes: Vec<u8>) -> Option<String> {
    let read = |dialect| State::of(bytes.clone(), "s.tfstate", Edition::newest(dialect));
    match (read(Dialect::OpenTofu), read(Dialect::Terraform)) {
        (Err(StateError(why)), _) | (_, Err(StateError(why))) => Some(why),
        _ => None,
    }
}

/// Tests that a valid state and an empty file are read without an error.
#[test]
fn what_is_whole_is_read() {
    assert_eq!(read(whole().into_bytes()), None);
    assert_eq!(read(Vec::new()), None);
}

/// Tests that a state truncated at any byte is refused with a message that contains none of its content.
#[test]
fn every_cut_is_refused_and_tells_nothing() {
    let text = whole();
    for end in 1..text.len() {
        let why = read(text.as_bytes()[..end].to_vec()).unwrap_or_else(|| panic!("cut at {end}"));
        assert!(why.contains("s.tfstate") && !why.contains(SECRET), "{why}");
    }
}

/// Tests that a state with any byte replaced causes no panic and no message with its content.
#[test]
fn no_byte_that_changes_panics_or_tells() {
    let text = whole();
    for at in 0..text.len() {
        for byte in [b'{', b']', b'"', b'\\', b'7', 0, 0xff] {
            let mut bytes = text.clone().into_bytes();
            bytes[at] = byte;
            if let Some(why) = read(bytes) {
                assert!(!why.contains(SECRET), "{at} {byte}: {why}");
            }
        }
    }
}

/// Tests that every recorded state file is read, or refused with a whole sentence.
#[test]
fn recorded_states_can_be_read_or_are_refused_in_a_sentence() {
    let mut count = 0;
    for case in case::states(|_| true) {
        for (name, bytes) in case.files() {
            if name.ends_with(".tfstate") {
                count += 1;
                let why = read(bytes);
                assert!(
                    why.is_none_or(|why| why.starts_with("The state file ") && why.ends_with('.'))
                );
            }
        }
    }
    assert!(count > 150, "{count}");
}
