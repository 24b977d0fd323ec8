//! `--strict` and the property `complete` of a plan agree: exactly the plans with `complete` pass.

use std::fs;
use std::path::{Path, PathBuf};

use crate::command::ran;
use serde_json::Value;
use testkit::case::modules;

/// The distance between two recorded cases that are tested; the others are skipped.
const EACH: usize = 6;

/// Writes files, given as paths and bytes, into a new folder of the target directory.
fn written(name: &str, files: Vec<(String, Vec<u8>)>) -> PathBuf {
    let name = format!("complete-{name}-{}", std::process::id());
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    for (path, bytes) in files {
        let file = folder.join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, bytes).unwrap();
    }
    fs::create_dir_all(folder.join(".git")).unwrap();
    folder
}

/// Returns the property `complete` of a plan, and checks that `--strict` agrees; `None` if the plan has errors.
fn judged(name: &str, files: Vec<(String, Vec<u8>)>, directory: &str) -> Option<bool> {
    let folder = written(name, files);
    let dir = format!("-chdir={directory}");
    let (_, document, _) = ran(&folder, &[&dir, "plan", "--json"]);
    let (exit, _, told) = ran(&folder, &[&dir, "plan", "--strict"]);
    fs::remove_dir_all(&folder).unwrap();
    let document: Value = serde_json::from_str(&document).ok()?;
    let is_complete = document["complete"].as_bool().filter(|_| document["errored"] != true)?;
    let is_refused = told.contains("[incomplete]");
    assert_eq!(is_refused, !is_complete, "{name}: {told}");
    assert_eq!(is_refused, exit != 0, "{name}: {exit}");
    Some(is_complete)
}

/// Checks that `--strict` and `complete` agree for a sample of the recorded modules.
#[test]
fn strict_and_complete_agree_on_recorded_modules() {
    let cases = modules(|_| true);
    let judged = cases.iter().step_by(EACH).filter_map(|case| {
        let directory = Some(case.directory()).filter(|dir| !dir.is_empty()).unwrap_or(".");
        judged(&case.name, case.files(), directory)
    });
    assert!(judged.filter(|is_complete| *is_complete).count() > 50);
}

/// Names and code of modules, five of which cannot be read or decided completely, each for another reason.
const PARTIAL: [(&str, &str); 7] = [
    ("module", "module \"m\" {\n  source = \"example/extra/aws\"\n}"),
    ("data", "data \"aws_region\" \"here\" {}\noutput \"o\" { value = data.aws_region.here.name }"),
    (
        "count",
        "resource \"aws_eip\" \"a\" {}\nresource \"terraform_data\" \"b\" {\n  count = aws_eip.a.n\n}",
    ),
    (
        "each",
        "data \"aws_zones\" \"z\" {}\nmodule \"m\" {\n  source   = \"./m\"\n  for_each = data.aws_zones.z.all\n}",
    ),
    (
        "function",
        "output \"o\" { value = provider::acme::word() }\nterraform {\n  required_providers {\n    acme = { source = \"acme/acme\" }\n  }\n}",
    ),
    ("schema", "resource \"aws_eip\" \"a\" {\n  name = \"x\"\n}"),
    ("whole", "resource \"terraform_data\" \"a\" {\n  input = 1\n}"),
];

/// Checks `complete` and `--strict` for each module in [`PARTIAL`].
#[test]
fn strict_and_complete_agree_on_what_is_open() {
    let mut found = Vec::new();
    for (name, text) in PARTIAL {
        let files = vec![
            ("main.tf".to_owned(), text.as_bytes().to_vec()),
            ("m/main.tf".to_owned(), b"output \"n\" { value = 1 }".to_vec()),
        ];
        found.push((name, judged(name, files, ".")));
    }
    let complete = |name| found.iter().find(|(own, _)| *own == name).and_then(|(_, is)| *is);
    for (name, _) in PARTIAL {
        let is_whole = ["whole", "schema"].contains(&name);
        assert_eq!(complete(name), Some(is_whole), "{found:?}");
    }
}
