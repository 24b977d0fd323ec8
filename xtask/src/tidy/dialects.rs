//! Rule for dialects: differences between the programs are data, so code does not compare dialects. The command is exempt: its
//! flags select a dialect, and it branches on the selection.

use super::finding::Finding;
use super::tree::{Tree, numbered};

/// Files that may compare dialects, with the reasons.
const NAMED: &[(&str, &str)] = &[
    ("crates/runtime/src/edition.rs", "what each program is as a whole"),
    ("crates/runtime/src/availability.rs", "since when each program has something"),
    ("crates/runtime/src/semantics.rs", "the table of what expressions mean"),
    ("crates/module/src/dialect/", "the tables of what declarations mean"),
    ("crates/module/src/evidence.rs", "which program a folder is written for"),
    ("crates/config/src/file_kind.rs", "which endings each program reads"),
    ("crates/config/src/listing.rs", "which files of a folder each program reads"),
    ("crates/lint/src/rules/version.rs", "which of the programs a constraint is about"),
];

/// The variants of `Dialect`, as code names them.
const NAMES: &[&str] = &["Dialect::OpenTofu", "Dialect::Terraform", "Dialect::Packer"];

/// Checks that no code of the engine compares a dialect or matches on it.
pub(super) fn are_data(tree: &Tree, out: &mut Vec<Finding>) {
    for (path, text) in tree.ending("rs") {
        let is_engine = path.starts_with("crates/")
            && path.contains("/src/")
            && !path.starts_with("crates/cli/")
            && !NAMED.iter().any(|(allowed, _)| path.starts_with(allowed));
        if !is_engine {
            continue;
        }
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for (line, text) in numbered(code) {
            if NAMES.iter().any(|name| branches(text, name)) {
                let why = "a branch on a dialect's name: make it a field of `Semantics` or `Conventions`, or a fact of `Dialect`";
                out.push(Finding::new(path, line, why.to_owned()));
            }
        }
    }
}

/// Returns true if a line compares a value with a dialect's `name`, or matches on it.
fn branches(line: &str, name: &str) -> bool {
    line.match_indices(name).any(|(at, _)| {
        let (before, after) = (line[..at].trim_end(), line[at + name.len()..].trim_start());
        let is_pattern = after.trim_start_matches(')').trim_start().starts_with("=>")
            || after.starts_with('|')
            || after.starts_with("if ")
            || before.ends_with('|')
            || before.ends_with("let Some(")
            || before.contains("matches!(");
        before.ends_with("==")
            || before.ends_with("!=")
            || after.starts_with("==")
            || after.starts_with("!=")
            || is_pattern
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the number of findings in a file with one line.
    fn found(path: &str, line: &str) -> usize {
        let mut out = Vec::new();
        are_data(&Tree::of(&[(path, line)]), &mut out);
        out.len()
    }

    /// Checks that comparisons and matches of dialects are reported in the engine only.
    #[test]
    fn branches_on_names_are_found() {
        let plan = "crates/plan/src/a.rs";
        for branch in [
            "let a = edition.dialect == Dialect::OpenTofu;",
            "if Dialect::Packer != dialect {",
            "    Dialect::Terraform => 1,",
            "    Some(Dialect::Terraform) => 1,",
            "    Dialect::Terraform | Dialect::Packer => 1,",
            "    Dialect::Terraform if is_new => 1,",
            "matches!(dialect, Dialect::OpenTofu)",
        ] {
            assert_eq!(found(plan, branch), 1, "{branch}");
            assert_eq!(found("crates/runtime/src/edition.rs", branch), 0);
            assert_eq!(found("crates/cli/src/a.rs", branch), 0);
        }
    }

    /// Checks that other uses of a dialect's name are not reported.
    #[test]
    fn a_name_alone_is_no_branch() {
        let plan = "crates/plan/src/a.rs";
        assert_eq!(found(plan, "let edition = Edition::newest(Dialect::Packer);"), 0);
        assert_eq!(found(plan, "self.dialect = Some(Dialect::Terraform);"), 0);
        assert_eq!(found(plan, "#[cfg(test)]\nlet a = dialect == Dialect::Packer;"), 0);
    }
}
