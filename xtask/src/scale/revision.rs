//! Modules with another revision behind them. Each folder is a repository of its own, so that what is compared does not
//! depend on where it lies.

use std::path::Path;
use std::process::{Command, Stdio};

use super::module::{Files, calls, instances};

/// Instances of which one in ten has another name than in [`instances`].
pub(super) fn renamed(size: usize) -> Files {
    let is_new = |line: &str| {
        let digits = line.strip_prefix("    key").and_then(|rest| rest.get(..6));
        digits.and_then(|digits| digits.parse().ok()).is_some_and(|at: usize| at % 10 == 3)
    };
    let mut files = instances(size);
    for (_, text) in &mut files {
        let lines = text.lines().map(|line| match is_new(line) {
            true => line.replace("name-", "new-") + "\n",
            false => line.to_owned() + "\n",
        });
        *text = lines.collect();
    }
    files
}

/// The module that is called once less.
pub(super) fn fewer_calls(size: usize) -> Files {
    calls(size - 1)
}

/// Two resources, each instance of the second made from one of the first, of which all hang on one local value.
pub(super) fn all_new(size: usize) -> Files {
    hanging(size, "new")
}

/// The same with another value.
pub(super) fn all_old(size: usize) -> Files {
    hanging(size, "old")
}

fn hanging(size: usize, name: &str) -> Files {
    let text = format!(
        "locals {{\n  name  = \"{name}\"\n  pairs = {{ for pair in setproduct(range(10), range({})) : \"${{pair[0]}}-${{pair[1]}}\" => pair }}\n}}\n\n\
         resource \"terraform_data\" \"first\" {{\n  for_each = local.pairs\n  input    = \"${{local.name}}-${{each.key}}\"\n}}\n\n\
         resource \"terraform_data\" \"second\" {{\n  for_each = terraform_data.first\n  input    = each.value.output\n}}\n",
        size / 10
    );
    vec![("main.tf", text)]
}

/// Makes a repository of a folder, or goes on with the one that it is, and commits what lies there.
pub(super) fn commit(folder: &Path) -> Result<(), String> {
    let commit: &[&str] = &[
        "-c",
        "user.name=scale",
        "-c",
        "user.email=scale@example.org",
        "commit",
        "-q",
        "-m",
        "before",
        "--allow-empty",
    ];
    for arguments in [&["init", "-q", "."][..], &["add", "."], commit] {
        let mut git = Command::new("git");
        git.args(arguments).current_dir(folder).stdout(Stdio::null());
        match git.status() {
            Ok(status) if status.success() => {}
            _ => return Err(format!("git {} fails in {}", arguments[0], folder.display())),
        }
    }
    Ok(())
}
