//! The files of the workspace as text, by path from its top with `/`.
//!
//! Build output, hidden directories (except `.ci` and `.cargo`) and recorded facts are left out, because the rules do not apply
//! to them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Directories that are skipped, by path from the top.
const SKIPPED: &[&str] = &[
    "target",
    "benches/peers/target",
    "fuzz/target",
    "conformance/vectors",
    "conformance/modules",
    "conformance/packer",
    "editors/vscode/node_modules",
    "editors/vscode/dist",
    "editors/vscode/browser/node_modules",
];
/// The extensions of files whose text is read.
const READ: &[&str] = &["rs", "md", "toml", "sh", "txt"];

/// The files of the workspace; those without a known extension are present without their text.
pub(super) struct Tree {
    files: BTreeMap<String, Option<String>>,
    /// The workspace, if links may lead to skipped files such as recorded facts.
    top: Option<PathBuf>,
}

impl Tree {
    /// Reads the files of the workspace in which this tool was built.
    pub(super) fn read() -> Tree {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let top = here.parent().unwrap_or(here).to_path_buf();
        let mut files = BTreeMap::new();
        let mut open = vec![String::new()];
        while let Some(folder) = open.pop() {
            let entries = std::fs::read_dir(top.join(&folder)).into_iter().flatten().flatten();
            for entry in entries {
                let name = entry.file_name().to_string_lossy().into_owned();
                let path =
                    if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
                if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    let hidden = name.starts_with('.') && name != ".ci" && name != ".cargo";
                    if !hidden && !SKIPPED.contains(&path.as_str()) {
                        open.push(path);
                    }
                } else {
                    let ours =
                        name.rsplit_once('.').is_some_and(|(_, ending)| READ.contains(&ending))
                            || path == ".ci/run";
                    files.insert(
                        path,
                        ours.then(|| std::fs::read_to_string(entry.path()).unwrap_or_default()),
                    );
                }
            }
        }
        Tree { files, top: Some(top) }
    }

    /// Creates a tree from pairs of path and text, for tests.
    #[cfg(test)]
    pub(super) fn of(files: &[(&str, &str)]) -> Tree {
        let files = files
            .iter()
            .map(|(path, text)| ((*path).to_string(), Some((*text).to_string())))
            .collect();
        Tree { files, top: None }
    }

    /// Returns the files with an extension (without a dot), sorted by path.
    pub(super) fn ending(&self, ending: &str) -> impl Iterator<Item = (&str, &str)> {
        self.texts()
            .filter(move |(path, _)| path.rsplit_once('.').is_some_and(|(_, last)| last == ending))
    }

    /// Returns the path and text of every file that is read as text.
    pub(super) fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().filter_map(|(path, text)| Some((path.as_str(), text.as_deref()?)))
    }

    /// Returns the text of a file; `None` if it is missing or not read as text.
    pub(super) fn text(&self, path: &str) -> Option<&str> {
        self.files.get(path)?.as_deref()
    }

    /// Returns true if a file or directory exists.
    pub(super) fn exists(&self, path: &str) -> bool {
        let path = path.trim_end_matches('/');
        let folder = format!("{path}/");
        path.is_empty()
            || self.files.contains_key(path)
            || self
                .files
                .range(folder.clone()..)
                .next()
                .is_some_and(|(file, _)| file.starts_with(&folder))
            || self.top.as_ref().is_some_and(|top| top.join(path).exists())
    }
}

/// Returns true if a file is generated: such files may have any size.
pub(super) fn generated(path: &str) -> bool {
    path.split('/').any(|part| part == "generated")
}

/// Returns the lines of a text with their numbers, from 1.
pub(super) fn numbered(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().map(|(index, line)| (index + 1, line))
}

/// Returns true if a word occurs in a line as a whole word.
pub(super) fn has_word(line: &str, word: &str) -> bool {
    let letter = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(at, _)| {
        !line[..at].chars().next_back().is_some_and(letter)
            && !line[at + word.len()..].chars().next().is_some_and(letter)
    })
}
