//! Tests that no secret is printed. A canary is put into secret values, by every way to set them; each case fails because of the
//! value, which is checked too; and no output in any format may contain the canary.

mod compared;
mod ephemeral;
mod expressions;
mod folder;
mod given;
mod mock;
mod packer;
mod places;
mod recorded;
mod rendered;

use folder::{Folder, Ran};

/// The texts that no output may contain in any case: one for secret texts and keys, one for secret numbers.
const CANARIES: [&str; 2] = ["canary", "73195142"];

/// An object with one secret of each kind, as an expression that is also JSON.
const BUNDLE: &str = r#"{
  "text": "canary-text",
  "number": 73195142.25,
  "list": ["canary-1", "canary-2"],
  "numbers": [73195142.25, -73195142.5],
  "map": { "canary_key": "canary-value", "canary_other": "canary-x" },
  "nested": { "canary_attr": { "canary_deep": ["canary-3"] }, "canary_flat": 1 },
  "json": "{\"canary_key\": canary}",
  "yaml": "canary: [canary",
  "csv": "canary,canary\n1",
  "regex": "canary(",
  "template": "$${canary",
  "broken": "$${canary_name} $${upper(canary_name)}",
  "percent": "%canary",
  "attr": "canary_attr",
  "path": "canary/none.txt",
  "date": "canary-date",
  "verb": "%canary"
}"#;

/// Checks that neither stream of a run contains a canary.
fn assert_silent(what: &str, ran: &Ran) {
    for (stream, text) in [("standard output", &ran.out), ("standard error", &ran.err)] {
        let lower = text.to_lowercase();
        for canary in CANARIES {
            if let Some(at) = lower.find(canary) {
                let from = lower[..at].rfind('\n').map_or(0, |at| at + 1);
                let from = from.max(at.saturating_sub(400));
                let shown: String = text[from..].chars().take(800).collect();
                panic!("{what}: {stream} holds {canary}:\n{shown}");
            }
        }
    }
}

/// Command lines that print something about a whole folder, in every output format.
const FORMS: &[&[&str]] = &[
    &["check"],
    &["check", "--strict"],
    &["check", "--values"],
    &["check", "--json"],
    &["check", "--values", "--format=sarif"],
    &["check", "--values", "--format=github"],
    &["check", "--values", "--format=junit"],
    &["check", "--values", "-recursive"],
    &["plan"],
    &["plan", "--strict"],
    &["plan", "-compact"],
    &["plan", "--format", "markdown"],
    &["plan", "--json"],
    &["plan", "--json", "--pretty"],
    &["output"],
    &["output", "--json"],
    &["list"],
    &["list", "--json"],
    &["graph"],
    &["graph", "--json"],
    &["inspect"],
    &["inspect", "--json"],
];

/// Command lines that ask for single values, each with its standard input.
const ASKED: &[(&[&str], &str)] = &[
    (&["console"], "1\n"),
    (&["eval", ".", "--jsonl"], "{\"expr\": \"1\"}\n"),
    (&["eval", ".", "-e", "1"], ""),
    (&["eval", ".", "-e", "1", "--full"], ""),
    (&["eval", ".", "-e", "1", "--json"], ""),
    (&["console"], QUESTIONS),
    (&["why", "output.o", "--json"], ""),
    (&["why", "local.s", "--json"], ""),
    (&["why", "var.s", "-dot"], ""),
    (&["why", "terraform_data.r", "--json"], ""),
    (&["why", "keep_thing.r", "--json"], ""),
];

/// Console inputs about values that depend on a secret in some of the folders.
const QUESTIONS: &str = ":why local.s
:trace local.s
:why var.s
:trace [for k, v in { a = local.s } : v]
:trace [for v in [var.s] : tostring(v)]
:why output.o
:why terraform_data.r
:why keep_thing.r
:why keep_thing.r.hidden
:why keep_thing.r.object
:why data.keep_thing.r
:why module.m
:why module.m.shape
";

/// Checks that no command line over a folder shows a canary, and returns what `check --values --json` prints.
fn assert_forms_silent(
    what: &str,
    folder: &Folder,
    flags: &[&str],
    environment: &[(&str, &str)],
) -> String {
    let told = FORMS.iter().map(|form| (*form, ""));
    for (form, input) in told.chain(ASKED.iter().copied()) {
        let arguments: Vec<&str> = form.iter().chain(flags).copied().collect();
        let mut ran = folder.run(&arguments, environment, input);
        let holds_values = ["plan", "output", "inspect"].contains(&form[0]);
        if holds_values && form.contains(&"--json") {
            ran.out = without_values(&ran.out);
        }
        assert_silent(&format!("{what}: {}", form.join(" ")), &ran);
    }
    let arguments: Vec<&str> =
        ["check", "--values", "--json"].iter().chain(flags).copied().collect();
    let ran = folder.run(&arguments, environment, "");
    assert_silent(&format!("{what}: check --values --json"), &ran);
    ran.out
}

/// Returns a JSON document without the properties that hold values, which are shown as the reference programs do.
pub(crate) fn without_values(document: &str) -> String {
    /// The names of properties that hold values, or have the shape of one.
    const VALUES: [&str; 10] = [
        "config",
        "value",
        "values",
        "before",
        "before_unknown",
        "after",
        "after_unknown",
        "constant_value",
        "default",
        "type",
    ];
    /// Removes the properties in [`VALUES`] at every depth.
    fn strip(json: &mut serde_json::Value) {
        match json {
            serde_json::Value::Object(fields) => {
                for name in VALUES {
                    fields.remove(name);
                }
                fields.values_mut().for_each(strip);
            }
            serde_json::Value::Array(items) => items.iter_mut().for_each(strip),
            _ => {}
        }
    }
    if document.is_empty() {
        return String::new();
    }
    let mut document: serde_json::Value = serde_json::from_str(document).expect("it is JSON");
    let diagnostics = document.as_object_mut().and_then(|fields| fields.remove("diagnostics"));
    strip(&mut document);
    format!("{document:#}\n{:#}", diagnostics.unwrap_or_default())
}
