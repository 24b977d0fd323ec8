//! Comparisons checked against plans of the same two revisions, recorded from Terraform 1.11.4: the plan of the newer code over
//! the older state contradicts no certain change, and a plan over the newer state contradicts all.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Creates a repository with the older code committed and the newer code in the working tree, next to recorded plans.
fn scene(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("recorded-plans-{name}"));
    let _ = fs::remove_dir_all(&folder);
    let top = folder.join("root");
    fs::create_dir_all(&top).unwrap();
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program/recorded_plans");
    for plan in ["old-from-nothing", "new-from-nothing", "new-from-old", "new-from-new"] {
        let file = format!("{plan}.json");
        fs::copy(own.join(&file), folder.join(&file)).unwrap();
    }
    let git = |words: &[&str]| {
        let words = ["-c", "user.name=me", "-c", "user.email=me@example.org"].iter().chain(words);
        assert!(Command::new("git").args(words).current_dir(&top).status().unwrap().success());
    };
    fs::copy(own.join("old.tf"), top.join("main.tf")).unwrap();
    git(&["init", "-q", "-b", "main", "."]);
    git(&["add", "."]);
    git(&["commit", "-q", "-m", "start"]);
    fs::copy(own.join("new.tf"), top.join("main.tf")).unwrap();
    fs::canonicalize(top).unwrap()
}

/// Runs a command line in a folder and returns its exit code and everything that it prints.
fn groma(folder: &Path, arguments: &[&str]) -> (u8, String) {
    let (exit, out, err) = crate::command::ran(folder, arguments);
    (exit, out + &err)
}

/// Checks that Terraform's plan over the older state contradicts no certain change.
#[test]
fn a_plan_over_the_older_state_denies_nothing() {
    let top = scene("agrees");
    let (exit, text) = groma(&top, &["diff", "HEAD", "--against", "../new-from-old.json"]);
    assert_eq!(exit, 0, "{text}");
    assert!(text.contains("Plan: 1 to add, 2 to change, 1 to destroy; 1 may change."), "{text}");
    assert!(text.ends_with("../new-from-old.json denies nothing of that.\n"), "{text}");
    let (_, text) = groma(&top, &["diff", "HEAD", "--against", "../new-from-old.json", "--json"]);
    assert!(text.contains("\"denied\":[]"), "{text}");
}

/// Checks that a plan over the newer state contradicts every certain change.
#[test]
fn a_plan_that_finds_it_done_denies_all_that_is_certain() {
    let top = scene("denies");
    let (exit, text) = groma(&top, &["diff", "HEAD", "--against", "../new-from-new.json"]);
    assert_eq!(exit, 1, "{text}");
    let (_, denied) = text.split_once("../new-from-new.json denies 4 certain changes:\n").unwrap();
    let named: Vec<&str> =
        denied.lines().filter_map(|line| Some(line.trim_start().split_once(')')?.0)).collect();
    let wanted = [
        "terraform_data.net (update",
        "terraform_data.node[\"a\"] (update",
        "terraform_data.node[\"b\"] (delete",
        "terraform_data.node[\"c\"] (create",
    ];
    assert_eq!(named, wanted);
}

/// Checks that comparing two plan documents gives the certain changes of comparing the code.
#[test]
fn two_documents_say_what_the_code_says() {
    let top = scene("documents");
    let (exit, of_plans) =
        groma(&top, &["diff", "../old-from-nothing.json", "../new-from-nothing.json", "-compact"]);
    assert_eq!(exit, 0, "{of_plans}");
    let (_, of_code) = groma(&top, &["diff", "HEAD", "-compact"]);
    let changes = |text: &str| -> Vec<String> {
        let lines = text.lines().take_while(|line| !line.is_empty());
        let lines = lines.filter(|line| !line.contains(" variable ") && line.starts_with("  "));
        let lines = lines.filter(|line| !line.contains("terraform_data.name"));
        lines.map(|line| line.split(" (from").next().unwrap_or_default().to_owned()).collect()
    };
    assert_eq!(changes(&of_plans), changes(&of_code));
    assert_eq!(changes(&of_code).len(), 5, "{of_code}");
}
