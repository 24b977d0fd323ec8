//! Generators of modules with an older revision. Each directory is a repository of its own, so that the comparison does not
//! depend on its place.

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use super::module::{Files, calls, instances};

/// Returns the module of [`instances`] with a different name in one of ten instances.
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

/// Returns the root of [`calls`], without the last of its module calls.
pub(super) fn fewer_calls(size: usize) -> Files {
    calls(size - 1)
}

/// Returns a module with two resources of `size` instances, each of the second depending on one of the first, and all on
/// one local value.
pub(super) fn hanging(size: usize, name: &str) -> Files {
    let text = format!(
        "locals {{\n  name  = \"{name}\"\n  pairs = {{ for pair in setproduct(range(10), range({})) : \"${{pair[0]}}-${{pair[1]}}\" => pair }}\n}}\n\n\
         resource \"terraform_data\" \"first\" {{\n  for_each = local.pairs\n  input    = \"${{local.name}}-${{each.key}}\"\n}}\n\n\
         resource \"terraform_data\" \"second\" {{\n  for_each = terraform_data.first\n  input    = each.value.output\n}}\n",
        size / 10
    );
    vec![("main.tf".into(), text)]
}

/// Returns a module with `size` resources in chains of ten; the first of each chain depends on one local value.
pub(super) fn lines(size: usize, name: &str) -> Files {
    let mut text = format!("locals {{\n  name = \"{name}\"\n}}\n");
    for at in 0..size {
        let before = match at % 10 {
            0 => "local.name".to_owned(),
            _ => format!("terraform_data.r{}.output", at - 1),
        };
        let _ = write!(
            text,
            "\nresource \"terraform_data\" \"r{at}\" {{\n  input = \"${{{before}}}-{at}\"\n}}\n"
        );
    }
    vec![("main.tf".into(), text)]
}

/// Returns a module with resources of ten instances with ten nested blocks each, literal and dynamic, about `size` blocks,
/// which all depend on one local value.
pub(super) fn blocks(size: usize, name: &str) -> Files {
    let mut text = format!(
        "locals {{\n  name  = \"{name}\"\n  ports = {{ for at in range(5) : \"p${{at}}\" => at }}\n}}\n"
    );
    for at in 0..size.div_ceil(100) {
        let _ = write!(
            text,
            "\nresource \"example_group\" \"g{at}\" {{\n  count = 10\n  name  = \"${{local.name}}-{at}-${{count.index}}\"\n"
        );
        for rule in 0..5 {
            let _ = write!(
                text,
                "  rule {{\n    port = {rule}\n    note = \"${{local.name}} ${{count.index}}\"\n  }}\n"
            );
        }
        text.push_str(
            "  dynamic \"made\" {\n    for_each = local.ports\n    content {\n      port = made.value\n      \
             note = \"${local.name} ${made.key}\"\n    }\n  }\n}\n",
        );
    }
    vec![("main.tf".into(), text)]
}

/// Returns a root that calls a module for each of many keys, which calls another; all their `size` instances depend on one
/// local value of the root.
pub(super) fn nested(size: usize, name: &str) -> Files {
    let calls = size / 10;
    let root = format!(
        "locals {{\n  name = \"{name}\"\n  keys = [for at in range({calls}) : \"k${{at}}\"]\n}}\n\n\
         module \"outer\" {{\n  source   = \"./outer\"\n  for_each = toset(local.keys)\n  name     = \"${{local.name}}-${{each.key}}\"\n}}\n\n\
         output \"ids\" {{\n  value = {{ for key, one in module.outer : key => one.ids }}\n}}\n"
    );
    let outer = "variable \"name\" {\n  type = string\n}\n\n\
         module \"inner\" {\n  source = \"../inner\"\n  name   = var.name\n  tags   = { name = var.name }\n}\n\n\
         output \"ids\" {\n  value = module.inner.ids\n}\n";
    let inner = "variable \"name\" {\n  type = string\n}\n\nvariable \"tags\" {\n  type = map(string)\n}\n\n\
         locals {\n  tags = merge(var.tags, { by = \"inner\" })\n}\n\n\
         resource \"terraform_data\" \"first\" {\n  count = 5\n  input = merge(local.tags, { at = count.index })\n}\n\n\
         resource \"terraform_data\" \"second\" {\n  count = 5\n  input = { id = terraform_data.first[count.index].id, name = var.name }\n}\n\n\
         output \"ids\" {\n  value = terraform_data.second[*].output\n}\n";
    vec![
        ("main.tf".into(), root),
        ("outer/main.tf".into(), outer.to_owned()),
        ("inner/main.tf".into(), inner.to_owned()),
    ]
}

/// Commits the files of a directory, which becomes a repository if it is not one yet.
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
