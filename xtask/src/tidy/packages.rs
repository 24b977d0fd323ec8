//! Rules for publishing crates as packages. That a package compiles is checked by `cargo package --workspace`.

use super::finding::Finding;
use super::tree::Tree;

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

#[cfg(test)]
mod tests {
    use crate::tidy::tests::found;

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
