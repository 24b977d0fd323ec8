//! Allowed dependencies between crates.
//!
//! The table corresponds to the drawing in `ARCHITECTURE.md`; a new dependency is a decision and needs a line in both.

use super::finding::Finding;
use super::packages::dependencies;
use super::tree::{Tree, numbered};

/// The directories of crates, with the crates of the workspace that each may use.
const ARROWS: &[(&str, &[&str])] = &[
    ("crates/unicode", &[]),
    ("crates/manual", &[]),
    ("crates/syntax", &[]),
    ("crates/format", &["groma-syntax", "groma-unicode"]),
    ("crates/edit", &["groma-format", "groma-syntax", "groma-unicode"]),
    ("crates/value", &["groma-unicode"]),
    ("crates/runtime", &["groma-value"]),
    ("crates/functions", &["groma-runtime", "groma-value"]),
    ("crates/address", &["groma-syntax", "groma-value"]),
    (
        "crates/eval",
        &["groma-address", "groma-functions", "groma-runtime", "groma-value", "groma-syntax"],
    ),
    (
        "crates/protocol",
        &["groma-eval", "groma-functions", "groma-runtime", "groma-value", "groma-syntax"],
    ),
    (
        "crates/config",
        &[
            "groma-address",
            "groma-eval",
            "groma-functions",
            "groma-runtime",
            "groma-value",
            "groma-syntax",
        ],
    ),
    (
        "crates/inputs",
        &[
            "groma-config",
            "groma-eval",
            "groma-functions",
            "groma-runtime",
            "groma-value",
            "groma-syntax",
        ],
    ),
    (
        "crates/module",
        &[
            "groma-config",
            "groma-address",
            "groma-eval",
            "groma-functions",
            "groma-runtime",
            "groma-value",
            "groma-syntax",
        ],
    ),
    (
        "crates/rename",
        &[
            "groma-edit",
            "groma-module",
            "groma-format",
            "groma-config",
            "groma-address",
            "groma-eval",
            "groma-functions",
            "groma-runtime",
            "groma-value",
            "groma-syntax",
        ],
    ),
    (
        "crates/decode",
        &[
            "groma-module",
            "groma-config",
            "groma-inputs",
            "groma-address",
            "groma-eval",
            "groma-functions",
            "groma-runtime",
            "groma-value",
            "groma-syntax",
        ],
    ),
    (
        "crates/project",
        &[
            "groma-decode",
            "groma-module",
            "groma-config",
            "groma-inputs",
            "groma-address",
            "groma-eval",
            "groma-functions",
            "groma-runtime",
            "groma-value",
            "groma-syntax",
        ],
    ),
    (
        "crates/mock",
        &[
            "groma-project",
            "groma-protocol",
            "groma-module",
            "groma-config",
            "groma-inputs",
            "groma-address",
            "groma-eval",
            "groma-functions",
            "groma-runtime",
            "groma-value",
            "groma-syntax",
        ],
    ),
    (
        "crates/lint",
        &[
            "groma-project",
            "groma-module",
            "groma-config",
            "groma-inputs",
            "groma-address",
            "groma-eval",
            "groma-functions",
            "groma-runtime",
            "groma-value",
            "groma-syntax",
        ],
    ),
    (
        "crates/why",
        &[
            "groma-project",
            "groma-decode",
            "groma-module",
            "groma-protocol",
            "groma-config",
            "groma-inputs",
            "groma-address",
            "groma-eval",
            "groma-functions",
            "groma-runtime",
            "groma-value",
            "groma-syntax",
        ],
    ),
    (
        "crates/plan",
        &[
            "groma-project",
            "groma-decode",
            "groma-module",
            "groma-protocol",
            "groma-config",
            "groma-inputs",
            "groma-address",
            "groma-eval",
            "groma-functions",
            "groma-runtime",
            "groma-value",
            "groma-syntax",
        ],
    ),
    (
        "crates/impact",
        &[
            "groma-why",
            "groma-plan",
            "groma-project",
            "groma-decode",
            "groma-module",
            "groma-protocol",
            "groma-config",
            "groma-inputs",
            "groma-address",
            "groma-eval",
            "groma-functions",
            "groma-runtime",
            "groma-value",
            "groma-syntax",
        ],
    ),
    (
        "crates/review",
        &[
            "groma-impact",
            "groma-plan",
            "groma-project",
            "groma-decode",
            "groma-module",
            "groma-protocol",
            "groma-config",
            "groma-inputs",
            "groma-address",
            "groma-eval",
            "groma-functions",
            "groma-runtime",
            "groma-value",
            "groma-syntax",
        ],
    ),
    (
        "crates/packer",
        &[
            "groma-protocol",
            "groma-config",
            "groma-inputs",
            "groma-address",
            "groma-eval",
            "groma-functions",
            "groma-runtime",
            "groma-value",
            "groma-syntax",
        ],
    ),
    (
        "crates/groma",
        &[
            "groma-manual",
            "groma-disk",
            "groma-rename",
            "groma-edit",
            "groma-format",
            "groma-why",
            "groma-lint",
            "groma-packer",
            "groma-review",
            "groma-impact",
            "groma-mock",
            "groma-plan",
            "groma-project",
            "groma-decode",
            "groma-module",
            "groma-protocol",
            "groma-config",
            "groma-inputs",
            "groma-address",
            "groma-eval",
            "groma-functions",
            "groma-runtime",
            "groma-value",
            "groma-syntax",
        ],
    ),
    ("crates/ide", &["groma", "groma-format", "groma-syntax"]),
    ("crates/settings", &["groma-value"]),
    ("crates/lsp", &["groma", "groma-ide", "groma-settings"]),
    (
        "crates/report",
        &[
            "groma",
            "groma-lint",
            "groma-project",
            "groma-module",
            "groma-protocol",
            "groma-config",
            "groma-eval",
            "groma-runtime",
            "groma-value",
            "groma-syntax",
        ],
    ),
    ("crates/document", &["groma", "groma-address", "groma-config", "groma-syntax", "groma-value"]),
    ("crates/door", &["groma", "groma-report", "groma-document", "groma-format", "groma-syntax"]),
    ("crates/fleet", &["groma", "groma-report", "groma-document"]),
    ("crates/disk", &["groma-runtime"]),
    ("crates/git", &["groma-runtime"]),
    (
        "crates/install",
        &[
            "groma-writer",
            "groma-project",
            "groma-config",
            "groma-address",
            "groma-eval",
            "groma-functions",
            "groma-runtime",
            "groma-value",
            "groma-syntax",
        ],
    ),
    ("crates/writer", &[]),
    (
        "crates/cli",
        &[
            "groma",
            "groma-report",
            "groma-door",
            "groma-fleet",
            "groma-document",
            "groma-lsp",
            "groma-install",
            "groma-git",
            "groma-settings",
            "groma-writer",
            "groma-format",
            "groma-syntax",
        ],
    ),
    ("bindings/wasm", &["groma", "groma-door", "groma-lsp"]),
    ("bindings/python", &["groma", "groma-cli", "groma-door", "groma-syntax"]),
    (
        "invariants",
        &[
            "groma",
            "groma-document",
            "groma-install",
            "groma-git",
            "groma-writer",
            "groma-edit",
            "groma-format",
            "groma-packer",
            "groma-review",
            "groma-plan",
            "groma-project",
            "groma-module",
            "groma-config",
            "groma-address",
            "groma-eval",
            "groma-functions",
            "groma-runtime",
            "groma-value",
            "groma-syntax",
        ],
    ),
    ("testkit", &[]),
    (
        "xtask",
        &[
            "groma-door",
            "groma-functions",
            "groma-runtime",
            "groma-config",
            "groma-address",
            "groma-module",
            "testkit",
        ],
    ),
];

/// Returns the position of a crate, by its folder's name, in the order of dependencies; 0 is the lowest.
pub(super) fn rank(stage: &str) -> usize {
    let is_it = |(folder, _): &(&str, _)| folder.strip_prefix("crates/") == Some(stage);
    ARROWS.iter().position(is_it).unwrap_or(ARROWS.len())
}

/// Returns true if a dependency is a crate of this workspace, by its name.
fn ours(name: &str) -> bool {
    name.starts_with("groma") || name == "testkit" || name == "xtask"
}

/// Checks that dependencies between crates are in the table; tests may use `testkit` too.
pub(super) fn point_down(tree: &Tree, out: &mut Vec<Finding>) {
    for (path, text) in members(tree) {
        let folder = path.trim_end_matches("/Cargo.toml");
        let Some((_, allowed)) = ARROWS.iter().find(|(name, _)| *name == folder) else {
            let says = format!(
                "{folder} is not in the table of arrows: draw it in xtask/src/tidy/arrows.rs and ARCHITECTURE.md"
            );
            out.push(Finding::new(path, 1, says));
            continue;
        };
        for (number, section, name, _) in dependencies(text) {
            check_dependency(path, number, name, section, allowed, out);
        }
    }
}

/// Reports a dependency on a crate of this workspace that is not among `allowed`; tests may use `testkit` too.
fn check_dependency(
    path: &str,
    line: usize,
    name: &str,
    section: &str,
    allowed: &[&str],
    out: &mut Vec<Finding>,
) {
    let in_tests = section.starts_with("dev-dependencies") && name == "testkit";
    if ours(name) && !in_tests && !allowed.contains(&name) {
        let may =
            if allowed.is_empty() { "none of our crates".to_string() } else { allowed.join(", ") };
        out.push(Finding::new(
            path,
            line,
            format!("`{name}` is not below this crate, which may use {may}"),
        ));
    }
}

/// The crates that the command may use in addition to the library: those above it, the language server, layout and syntax trees,
/// and those that supply files, install modules and write files.
const BESIDE_THE_LIBRARY: &[&str] = &[
    "groma_cli",
    "groma_format",
    "groma_install",
    "groma_git",
    "groma_report",
    "groma_document",
    "groma_lsp",
    "groma_door",
    "groma_fleet",
    "groma_settings",
    "groma_syntax",
    "groma_writer",
];

/// Checks that the command uses the engine through the library, so that other programs can do the same.
pub(super) fn command_asks_the_library(tree: &Tree, out: &mut Vec<Finding>) {
    for (path, text) in tree.ending("rs").filter(|(path, _)| path.starts_with("crates/cli/src/")) {
        for (number, line) in numbered(text) {
            let words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
            let names = words
                .filter(|word| word.starts_with("groma_") && line.contains(&format!("{word}::")));
            for name in names.filter(|name| !BESIDE_THE_LIBRARY.contains(name)) {
                let says = format!("`{name}` is below the library: use what `groma` shows of it");
                out.push(Finding::new(path, number, says));
            }
        }
    }
}

/// Crates with their own lints: exported functions need attributes that count as unsafe code, which the workspace forbids.
const EXPORTS: &[&str] = &["bindings/python/Cargo.toml", "bindings/wasm/Cargo.toml"];

/// Checks that every crate uses the workspace's lints, and that none is a procedural macro, which hides code from readers and
/// tools.
pub(super) fn manifests_are_alike(tree: &Tree, out: &mut Vec<Finding>) {
    for (path, text) in members(tree) {
        let mut lints = false;
        let mut section = "";
        for (number, line) in numbered(text) {
            let line = line.trim();
            if line.starts_with('[') {
                section = line;
            }
            lints |= section == "[lints]" && line.replace(' ', "") == "workspace=true";
            if line.replace(' ', "") == "proc-macro=true" {
                out.push(Finding::new(
                    path,
                    number,
                    "a proc macro of our own: write the code out, or make it a table of rows",
                ));
            }
        }
        if !lints && !EXPORTS.contains(&path) {
            out.push(Finding::new(
                path,
                1,
                "does not take the workspace's lints: add `[lints]` with `workspace = true`",
            ));
        }
    }
}

/// Returns the paths and texts of the manifests of the workspace's crates.
fn members(tree: &Tree) -> impl Iterator<Item = (&str, &str)> {
    tree.ending("toml").filter(|(path, _)| {
        let ours = path.starts_with("crates/")
            || path.starts_with("bindings/")
            || path.starts_with("testkit/")
            || path.starts_with("xtask/");
        ours && path.ends_with("/Cargo.toml")
    })
}

#[cfg(test)]
mod tests {
    use crate::tidy::tests::{finds, found};

    /// The lines with which a manifest uses the workspace's lints.
    const LINTS: &str = "[lints]\nworkspace = true\n";

    /// Checks which dependencies between crates are reported.
    #[test]
    fn arrows_point_down() {
        let up = format!("{LINTS}[dependencies]\ngroma-eval.workspace = true\n");
        finds(
            &[("crates/value/Cargo.toml", &up)],
            "crates/value/Cargo.toml:4: `groma-eval` is not below",
        );
        let points_up = |path: &str, text: &str| {
            found(&[(path, text)]).iter().any(|line| line.contains("is not below"))
        };
        assert!(!points_up("crates/module/Cargo.toml", &up));
        let tabled = format!("{LINTS}[build-dependencies.groma-cli]\npath = \"../cli\"\n");
        finds(&[("crates/value/Cargo.toml", &tabled)], "`groma-cli`");
        finds(
            &[(
                "crates/value/Cargo.toml",
                &format!("{LINTS}[dependencies]\ntestkit.workspace = true\n"),
            )],
            "`testkit`",
        );
        let in_tests = format!("{LINTS}[dev-dependencies]\ntestkit.workspace = true\n");
        assert!(!points_up("crates/value/Cargo.toml", &in_tests));
        finds(&[("crates/extra/Cargo.toml", LINTS)], "not in the table");
    }

    /// Checks which crates the command may name.
    #[test]
    fn the_command_uses_the_library() {
        let uses =
            |text: &str| vec![("crates/cli/src/run.rs".to_owned(), format!("//! A.\n{text}\n"))];
        let found = |text: &str| {
            let files = uses(text);
            let files: Vec<(&str, &str)> =
                files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
            crate::tidy::tests::found(&files)
        };
        assert_eq!(found("use groma_value::Value;").len(), 1);
        assert_eq!(found("use groma::Value;"), Vec::<String>::new());
        assert_eq!(found("use groma_syntax::Place;"), Vec::<String>::new());
    }

    /// Checks that procedural macros and missing lints are reported.
    #[test]
    fn manifests() {
        finds(
            &[("crates/value/Cargo.toml", "[lib]\nproc-macro = true\n")],
            "Cargo.toml:2: a proc macro",
        );
        finds(&[("crates/value/Cargo.toml", "[package]\n")], "lints");
    }
}
