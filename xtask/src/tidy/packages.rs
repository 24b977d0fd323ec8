//! Rules for the manifests of packages: what a published one contains, and a reason for each dependency. That a package compiles
//! is checked by `cargo package --workspace`.

use super::finding::Finding;
use super::tree::{Tree, numbered};

/// Manifest keys that a package takes from the workspace.
const SHARED: &[&str] = &["repository", "readme", "keywords", "categories", "license", "publish"];

/// Files that each package contains as links to those at the top.
const LICENCES: &[&str] = &["LICENSE-APACHE", "LICENSE-MIT"];

/// Checks that publishable crates take the shared keys from the workspace and contain its licences.
pub(super) fn are_whole(tree: &Tree, out: &mut Vec<Finding>) {
    for (path, text) in tree.ending("toml") {
        let Some(folder) = path.strip_suffix("/Cargo.toml") else { continue };
        if !folder.starts_with("crates/") && folder != "testkit" {
            continue;
        }
        for key in SHARED {
            if !text.lines().any(|line| line.trim_end() == format!("{key}.workspace = true")) {
                let says = format!("a package says its {key}: add `{key}.workspace = true`");
                out.push(Finding::new(path, 1, says));
            }
        }
        for licence in LICENCES {
            if !tree.exists(&format!("{folder}/{licence}")) {
                let says = format!("a package carries its licences: link {licence} into {folder}");
                out.push(Finding::new(path, 1, says));
            }
        }
    }
}

/// The path of the decision that gives a reason for each dependency.
const REASONS: &str = "docs/decisions/0006-dependencies.md";

/// Returns the dependencies that a manifest lists: the line, the section without brackets, the name, and the rest of the line.
pub(super) fn dependencies(text: &str) -> Vec<(usize, &str, &str, &str)> {
    let (mut section, mut all) = ("", Vec::new());
    for (number, line) in numbered(text) {
        let line = line.trim();
        if let Some(header) = line.strip_prefix('[') {
            section = header.trim_end_matches(']');
            // A dependency with a table of its own.
            if let Some((_, name)) = section.rsplit_once("dependencies.") {
                all.push((number, section, name, ""));
            }
        } else if section.ends_with("dependencies")
            && line.starts_with(|c: char| c.is_ascii_alphanumeric())
            && let Some((name, asked)) = line.split_once(['.', '=', ' '])
        {
            all.push((number, section, name, asked));
        }
    }
    all
}

/// Checks that the decision on dependencies names every crate of others that a manifest of the workspace asks for.
pub(super) fn dependencies_have_reasons(tree: &Tree, out: &mut Vec<Finding>) {
    let Some(reasons) = tree.text(REASONS) else { return };
    // These two are workspaces of their own.
    let is_ours = |path: &str| !path.starts_with("benches/") && !path.starts_with("fuzz/");
    let manifests = tree.ending("toml").filter(|(path, _)| path.ends_with("Cargo.toml"));
    for (path, text) in manifests.filter(|(path, _)| is_ours(path)) {
        for (number, _, name, asked) in dependencies(text) {
            let is_elsewhere = ["path =", "workspace ="].iter().any(|word| asked.contains(word));
            if !is_elsewhere && !reasons.contains(&format!("`{name}`")) {
                let says = format!("a dependency has a reason: name `{name}` in {REASONS}");
                out.push(Finding::new(path, number, says));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::tidy::tests::{finds, finds_nothing, found};

    /// Checks that a dependency without a reason is reported.
    #[test]
    fn a_dependency_has_a_reason() {
        let reasons = (super::REASONS, "| `memchr` | the end of a line |\n");
        let manifest = |text: &'static str| [("Cargo.toml", text), reasons];
        finds(&manifest("[workspace.dependencies]\nitoa = \"1\"\n"), "Cargo.toml:2: a dependency");
        finds_nothing(&manifest(
            "[package]\nname = \"x\"\n[dependencies]\nmemchr = \"2\"\nitoa.workspace = true\na = { path = \"a\" }\n",
        ));
    }

    /// Checks that a package without licences or shared keys is reported.
    #[test]
    fn a_package_is_whole() {
        let keys: String =
            super::SHARED.iter().map(|key| format!("{key}.workspace = true\n")).collect();
        let manifest = format!("[package]\n{keys}\n[lints]\nworkspace = true\n");
        let licence = ("crates/value/LICENSE-MIT", "");
        let lacking = |files: &[(&str, &str)]| {
            found(files).into_iter().filter(|line| line.contains("a package")).count()
        };
        assert_eq!(lacking(&[("crates/value/Cargo.toml", &manifest), licence]), 1);
        let apache = ("crates/value/LICENSE-APACHE", "");
        assert_eq!(lacking(&[("crates/value/Cargo.toml", &manifest), licence, apache]), 0);
        let silent = manifest.replace("readme.workspace = true\n", "");
        assert_eq!(lacking(&[("crates/value/Cargo.toml", &silent), licence, apache]), 1);
        assert_eq!(lacking(&[("xtask/Cargo.toml", "[lints]\nworkspace = true\n")]), 0);
    }
}
